# SPDX-License-Identifier: GPL-3.0-or-later
# What the programs do with long streams: minutes, so not part of "make check".
bats_require_minimum_version 1.5.0
load filters
load ../support/kills

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

@test "--calibrate: where the rates cannot be kept, a warning and the answer" {
    : > file
    echo a x > one.txt
    XDG_CACHE_HOME=$PWD/file/cache run -0 --separate-stderr pm-count --calibrate one.txt
    [ "$output" = 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "pm-count: $PWD/file/cache/pmkit: "*"the measured rates are not kept" ]]
}

# goes_on KILLS PROGRAM ARGUMENT...: as `survives`, and some of the kills left work to go on from.  A kill in a part of
# the run that is not recorded, or before the disk has a checkpoint, leaves none, so there are up to ten turns.
goes_on() {
    local attempt
    for attempt in $(seq 10); do
        survives "$@"
        [ "$resumed" -eq 0 ] || return 0
    done
    return 1
}

@test "SIGKILL at random moments: the same digits" {
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.05
    pm-gen ones 28 --integer=1:9 --seed=1 > dense
    goes_on 20 pm-count --algorithm=ryser dense
    pm-gen ones 29 --real --seed=1 > compensated
    goes_on 20 pm-count --algorithm=ryser compensated
    pm-gen regular 32 8 --seed=1 > sparse
    goes_on 20 pm-count --algorithm=product-tree sparse
    pm-gen grid 22 22 > grid
    goes_on 20 pm-count --algorithm=frontier grid
    pm-gen grid 160 160 > large
    goes_on 20 pm-count --algorithm=planar large
    pm-gen regular 30 7 --seed=1 | pm-decompose --min-degree=12 --until-n=26 --max-terms=100 > stream
    goes_on 20 pm-count stream
}

@test "SIGKILL at random moments: graphs that are not bipartite, the same digits" {
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.02
    pm-gen random-graph 40 0.7 --real=-1:1 --seed=1 > real
    goes_on 10 pm-count --graph --algorithm=hafnian real
    pm-gen gaussian-state 36 0.8 --seed=5 > complex
    goes_on 10 pm-count --graph --loops --algorithm=hafnian complex
    pm-gen random-graph 40 0.5 --integer=-9:9 --seed=1 > integers
    goes_on 10 pm-count --graph --algorithm=hafnian integers
    pm-gen triangular 60 60 --real --seed=3 > planar
    goes_on 10 pm-count --graph --algorithm=planar planar
    pm-gen triangular 20 20 --real --seed=3 > triangles
    goes_on 10 pm-count --graph --algorithm=frontier triangles
}

@test "estimates survive SIGKILL at random moments and give the same digits" {
    load long-estimates
    setup
    pm-gen regular 40 6 --seed=4 > guaranteed
    goes_on 20 pm-approx --json --method=look+ --rel-err=0.005 --time-limit-each=10000 cube
    goes_on 20 pm-approx --json --method=beam --states=50 --rel-err=0.015 --time-limit-each=10000 two-blocks
    goes_on 20 pm-approx --json --exact-within=0 --guarantee=0.05,0.05 --max-cost=10000 guaranteed
}

@test "hafnians of 38 and 40 vertices: two methods, the same digits" {
    local n density options seed=0
    for n in 38 40; do
        for density in 0.25 0.35 0.4; do
            for options in --graph '--graph --loops=3'; do
                seed=$((seed + 1))
                pm-gen --integer=-99:99 --seed=$seed random-graph $n $density >g
                pm-count $options --algorithm=hafnian -v g >one 2>log
                grep -q ': hafnian, ' log
                pm-count $options --algorithm=frontier -v g >other 2>log
                grep -q ': frontier, ' log
                cmp one other
                [ "$(cat one)" != 0 ]
            done
        done
    done
}

@test "10,000 random matrices of fractions, bipartite and general, against the definition" {
    PM_TEST_ROUNDS=50 "$(dirname "$(command -v pm-count)")"/tests/prop/prop_exact
}

@test "bounds of hexagons hold MacMahon's numbers, and say something" {
    for n in 10 40 80 100 200; do
        pm-gen hexagon $n | pm-approx --bounds | awk -v n=$n '
            END { for (i = 1; i <= n; ++i) for (j = 1; j <= n; ++j) x += log((i + j + n - 1) / (i + j - 1)) / log(10)
                  print n, x, $1, $2
                  exit !(0.86 * x < $1 && $1 < x && x < $2 && $2 < 2.25 * x) }'
    done
}

# Elkies et al. 1992 (aztec), MacMahon (boxes a b c): log10 of the number of perfect matchings.
lattice_count() {
    awk -v family=$1 -v a=$2 -v b=${3:-$2} -v c=${4:-$2} 'BEGIN {
        if (family == "aztec") x = a * (a + 1) / 2 * log(2)
        else for (i = 1; i <= a; ++i) for (j = 1; j <= b; ++j) x += log((i + j + c - 1) / (i + j - 1))
        print x / log(10) }'
}

@test "bethe: lattices with frozen corners, scaled to the end and not" {
    for graph in "aztec 120" "aztec 200" "aztec 500" "aztec 1000" "hexagon 100" "hexagon 140" "hexagon 280" \
        "hexagon 400" "hexagon 20 20 300" "hexagon 60 60 500" "hexagon 100 100 5000" "hexagon 100 100 16600"; do
        pm-gen $graph | pm-approx -q --method=bethe |
            awk -v graph="$graph" -v x="$(lattice_count $graph)" '
                { print }
                END { print graph, x; exit !($2 <= x && x <= $3 && $4 <= x && x <= $5) }'
    done
}

@test "bethe: a large mesh with weights has factors, and an interval narrower than its bounds" {
    pm-gen planar 2000 800 0.7 --integer=1:1000 --seed=1 | pm-approx -q --method=bethe > mesh
    awk 'END { exit !($4 > 2.1e6 && $5 < 2.32e6 && $3 - $2 < 70000) }' mesh
}

@test "bounds and scalings of a large grid: the same digits with any number of threads" {
    pm-gen grid 820 820 > grid
    for program in 'pm-approx --bounds' 'pm-order --factors'; do
        $program -t 1 grid > one
        for t in 2 5 16; do
            $program -t $t grid > other
            cmp one other
        done
    done
}
