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

# killed OPTION... FILE: 20 times at a random moment, each time continued; the digits are those of a run in one piece
killed() {
    local k hundredths
    pm-count "$@" > want
    for k in $(seq 20); do
        rm -f ck
        hundredths=10 # 10 to 90 of a second, and more with each run: a busy machine comes to an end, too
        until timeout -s KILL "$(awk -v m=$(((RANDOM % 9 + 1) * hundredths++)) 'BEGIN { print m / 100 }')" \
            pm-count -t $((RANDOM % 2 + 1)) --checkpoint=ck "$@" > out 2> err; do
            grep -q . err && return 1
            [ ! -s ck ] || pm-count --status=ck > status
        done
        cmp want out
        [ ! -e ck ]
    done
}

@test "SIGKILL at random moments: the same digits" {
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.05
    pm-gen ones 27 --integer=1:9 --seed=1 > dense
    killed --algorithm=ryser dense
    pm-gen ones 27 --real --seed=1 > compensated
    killed --algorithm=ryser compensated
    pm-gen regular 32 8 --seed=1 > sparse
    killed --algorithm=product-tree sparse
    pm-gen grid 18 18 > grid
    killed --algorithm=frontier grid
    pm-gen grid 160 160 > large
    killed --algorithm=planar large
    pm-gen regular 30 7 --seed=1 | pm-decompose --min-degree=12 --until-n=26 --max-terms=100 > stream
    killed stream
}

@test "estimates survive SIGKILL at 20 moments and give the same digits" {
    load long-estimates
    setup
    survives 20 3 --method=look+ --rel-err=0.0005 --time-limit-each=10000 cube
    survives 20 3 --method=beam --states=50 --rel-err=0.003 --time-limit-each=10000 two-blocks
    survives 20 2 --exact-within=0 --guarantee=0.1,0.05 --max-cost=10000 hub
}
