# SPDX-License-Identifier: GPL-3.0-or-later
# What the programs do with long streams: minutes, so not part of "make check".
bats_require_minimum_version 1.5.0
load filters

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

@test "memory of pm-decompose is bounded, however many terms there are" {
    (ulimit -v 400000 && pm-decompose --version > version) || skip "sanitizers take more"
    pm-gen regular 200 6 --seed=1 > large
    (ulimit -v 400000 && pm-decompose --min-degree=12 --until-n=190 --max-terms=20000 large > out)
    [ "$(tail -n 1 out)" = '%pm: eof' ]
    [ "$(grep -c MatrixMarket out)" -gt 10000 ]
}
