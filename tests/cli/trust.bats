# SPDX-License-Identifier: GPL-3.0-or-later
# What a service relies on when strangers choose the input (pmkit(7), LIMITS AND TRUST).
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "the random seed of hash tables changes no byte of an output" {
    pm-gen --seed=1 erdos-renyi 40 0.1 | grep -v '^#' | sed 's/\([0-9]*\)[ \t]\([0-9]*\)/r\1 c\2/' > graph
    pm-gen --seed=2 --real erdos-renyi 14 0.4 > weighted
    for i in 1 2 3 4 5 6; do
        {
            pm-count graph
            pm-count --algorithm=frontier-hash weighted
            pm-dm --no-version graph
            pm-decompose --no-version graph
            pm-order --no-version graph
            pm-overlap graph
            pm-approx --seed=1 --samples=64 graph
        } > out$i
        cmp out$i out1
    done
    [ "$(wc -l < out1)" -gt 20 ]
}

@test "the sandbox is on before an input is read, but where a GPU may be used" {
    grep -q '^Seccomp:' /proc/self/status || skip "the kernel has no filters of system calls"
    case $(uname -m) in
        x86_64 | aarch64) ;;
        *) skip "not on this processor" ;;
    esac
    mkfifo silent
    exec 8<> silent
    for p in "pm-count --backend=cpu" "pm-approx --backend=cpu" pm-dm pm-decompose pm-order \
        "pm-overlap --backend=cpu"; do
        $p silent > out &
        pid=$!
        for k in $(seq 100); do
            grep -q '^Seccomp:[[:space:]]2' "/proc/$pid/status" && break
            sleep 0.1
        done
        grep -q '^Seccomp:[[:space:]]2' "/proc/$pid/status"
        kill -TERM "$pid"
        wait "$pid" || true
    done
}

@test "the helper program runs from the sandbox" {
    printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n' > pair.gml
    run --separate-stderr pm-count --backend=cpu pair.gml
    if [ "$status" -eq 69 ]; then skip "built without igraph"; fi
    [ "$status" -eq 0 ]
    [ "$output" = 1 ]
}
