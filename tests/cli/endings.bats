# SPDX-License-Identifier: GPL-3.0-or-later
# How programs end when the system gives too little: never with what looks like an answer.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    awk 'BEGIN { for (i = 1; i <= 24; ++i) for (j = 1; j <= 24; ++j)
        printf "%d%s", (i * i * 7 + j * j * 11 + i * j) % 9 + 1, j < 24 ? " " : "\n" }' > dense
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

@test "OMP_STACKSIZE: stacks that are too large or too small for the threads" {
    wanted=$(pm-count -t 1 --from=dense --algorithm=ryser dense)
    for size in 1 16K 20K '64 k' 1023K 2000B; do
        run -0 --separate-stderr env OMP_STACKSIZE="$size" pm-count -v -e -t 4 --from=dense --algorithm=ryser dense
        [ "$output" = "$wanted" ]
        [[ "$stderr" == *'dense: OMP_STACKSIZE is '*' KiB, threads need 1024 KiB: one thread is used'* ]]
    done
    run -0 --separate-stderr env GOMP_STACKSIZE=3M pm-count -v -e -t 4 --from=dense --algorithm=ryser dense
    [[ "$stderr" != *STACKSIZE* ]]
    memory_limits
    for size in 100M 4G 300000; do
        for name in OMP_STACKSIZE GOMP_STACKSIZE; do
            run -0 --separate-stderr bash -c "ulimit -v 600000; $name=$size exec pm-count -v -e -t 64 \
                --from=dense --algorithm=ryser dense"
            [ "$output" = "$wanted" ]
            [[ "$stderr" == *'the system does not start 64 threads: '*' used'* ]]
        done
    done
}

@test "a library that ends the program: status 71 and a line, not 1" {
    failing_library
    # three threads start for the trial, and none for the OpenMP library
    run -71 --separate-stderr env LD_PRELOAD="$failing" PM_FAIL_THREADS=3 OMP_WAIT_POLICY=passive \
        pm-count -e -t 4 --from=dense --algorithm=ryser -o out dense
    [ -z "$output" ]
    [[ "$stderr" == *'pm-count: out of memory or threads: a library has ended the program' ]]
    [ ! -e out ]
}

@test "a library that ends the program after a signal: the signal's status" {
    failing_library
    printf '1 1\n1 1\n' > small
    # the answer of the first file is kept, so that the signal does not end the program at once
    run -143 --separate-stderr env LD_PRELOAD="$failing" PM_FAIL_THREADS=3 PM_FAIL_TERM=1 OMP_WAIT_POLICY=passive \
        pm-count -t 4 --from=dense --algorithm=ryser -o out small dense
    [ -z "$stderr" ]
    [ ! -e out ]
}

# ends_well LIMIT COMMAND...: under the limit the right output, or a documented status with a line; no file
# stays that is not complete.  127, 139: the system could not load the program.
ends_well() {
    local limit=$1 status=0
    shift
    "$@" > right 2> /dev/null
    [ ! -e kept ] || mv kept right
    bash -c "ulimit $limit && exec \"\$@\"" - "$@" < /dev/null > got 2> err || status=$?
    case $status in
    0) [ ! -e kept ] || mv kept got && cmp got right ;;
    69 | 71 | 74) [ "$(grep -c "^$1: " err)" -eq 1 ] && [ "$(wc -l < err)" -le 3 ] ;;
    127) grep -q -e 'error while loading shared libraries' -e 'cannot allocate TLS' err ;;
    139) ! bash -c "ulimit $limit && exec $1 --version" > /dev/null 2>&1 ;;
    *) echo "$limit $*: $status $(cat err)" && false ;;
    esac
    [ -z "$(find . -name 'kept*')" ]
}

@test "every program under small limits of memory, processes, files and the stack" {
    memory_limits
    pm-gen erdos-renyi 20 0.4 --seed=2 --nonsingular > random
    for p in 'pm-count -t 8 random' 'pm-approx -t 8 random' 'pm-dm random' 'pm-decompose random' \
        'pm-order random' 'pm-gen grid 9 9'; do
        for limit in '-v 4000' '-v 12000' '-v 30000' '-v 200000' '-n 4' '-n 5' '-n 7' \
            '-s 64' '-Ss 64' '-s 512' '-u 1' '-u 4'; do
            ends_well "$limit" $p
        done
        for limit in '-n 4' '-n 5' '-n 6' '-n 8' '-v 12000' '-v 200000'; do
            ends_well "$limit" $p -o kept
        done
    done
}

@test "threads have stacks of their own size, whatever the limit" {
    wanted=$(pm-count -t 1 --from=dense --algorithm=ryser dense)
    for policy in passive active; do
        run -0 bash -c "ulimit -S -s 64; OMP_WAIT_POLICY=$policy exec pm-count -t 4 --from=dense \
            --algorithm=ryser dense"
        [ "$output" = "$wanted" ]
    done
}
