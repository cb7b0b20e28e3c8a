# SPDX-License-Identifier: GPL-3.0-or-later
# How programs end when the system gives too little: never with what looks like an answer.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    awk 'BEGIN { for (i = 1; i <= 26; ++i) for (j = 1; j <= 26; ++j)
        printf "%d%s", (i * i * 7 + j * j * 11 + i * j) % 9 + 1, j < 26 ? " " : "\n" }' > dense
}

# few_processes N COMMAND...: under a limit that also holds when the tests run as root
few_processes() {
    not_root bash -c 'ulimit -u "$1" && shift && exec "$@"' - "$@"
}

# memory_limits: skips the test where the programs do not run in 100 MB
memory_limits() {
    (ulimit -v 100000 && pm-count --version > version) || skip "sanitizers take more"
    rm version
}

@test "threads that cannot be started: fewer are used" {
    memory_limits
    wanted=$(pm-count -t 1 --from=dense --algorithm=ryser dense)
    for kib in 100000 200000 400000; do
        run -0 --separate-stderr bash -c "ulimit -v $kib; exec pm-count -v -e -t 64 --from=dense \
            --algorithm=ryser dense"
        [ "$output" = "$wanted" ]
        [[ "$stderr" == *'the system does not start 64 threads: '*' used'* ]]
    done
    run -0 --separate-stderr few_processes 3 pm-count -e -t 8 --from=dense --algorithm=ryser - < dense
    [ "$output" = "$wanted" ]
    [ -z "$stderr" ]
}

@test "a library that ends the program: status 71 and a line, not 1" {
    memory_limits
    # the first probe takes threads with stacks of the system, the OpenMP library larger ones
    run -71 --separate-stderr bash -c "ulimit -v 200000; OMP_STACKSIZE=100M exec pm-count -e -t 64 \
        --from=dense --algorithm=ryser -o out dense"
    [ -z "$output" ]
    [[ "$stderr" == *'pm-count: out of memory or threads: a library has ended the program' ]]
    [ "$(echo *)" = 'dense none.txt one.txt two.txt' ]
}
