# SPDX-License-Identifier: GPL-3.0-or-later
# pm-decompose and large graphs: memory and time.
bats_require_minimum_version 1.5.0

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

# The same over all terms of an expansion: expensive.bats.
@test "memory is bounded, however many terms wait" {
    (ulimit -v 200000 && pm-decompose --version > version) || skip "sanitizers take more"
    # a few hundred terms that wait are more than that: others are written before
    pm-gen regular 1000 16 --seed=1 > wide
    run bash -c 'ulimit -v 200000; pm-decompose --min-degree=17 --max-terms=100000 wide 2> err \
        | head -n 1000 > out; exit "${PIPESTATUS[0]}"'
    [ "$status" -eq 141 ]
    [ ! -s err ]
    [ "$(wc -l < out)" -eq 1000 ]
}

@test "what is large is not expanded unless that is asked for" {
    pm-gen regular 100 4 --seed=1 > large
    [ "$(pm-decompose large | grep -c MatrixMarket)" -eq 1 ]
    local o
    for o in --max-terms=5 --until-n=97 --min-degree=5; do
        [ "$(pm-decompose $o large | head -n 2000 | grep -c MatrixMarket)" -gt 1 ]
    done
    pm-gen regular 40 4 --seed=1 > small
    [ "$(pm-decompose small | grep -c MatrixMarket)" -gt 1 ]
}

@test "dense matrices: lines with more terms than are left are not looked at" {
    pm-gen erdos-renyi 600 0.9 --seed=1 > dense
    run -0 timeout 60 pm-decompose --no-version --min-degree=1000 --max-terms=2 dense
    [ "${lines[0]}" = '%pm: stream 1' ]
    [ "$(printf '%s\n' "$output" | grep -c begin)" -eq 0 ]
    # but shorter ones are
    { printf '1 1\n1 2\n1 3\n1 4\n'; awk 'BEGIN { for (i = 2; i <= 9; i++)
        for (j = 1; j <= 9; j++) if ((i * i + 3 * j * j * i + j) % 11 > 3) print i, j }'; } > one
    [ "$(pm-decompose --min-degree=100 --max-terms=2 one | grep -c MatrixMarket)" -eq 2 ]
    [ "$(pm-decompose --min-degree=100 --max-terms=2 one | pm-count)" = "$(pm-count one)" ]
}
