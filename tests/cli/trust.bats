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
            pm-approx --seed=1 --samples=64 graph
        } > out$i
        cmp out$i out1
    done
    [ "$(wc -l < out1)" -gt 20 ]
}
