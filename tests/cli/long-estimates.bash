# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of long runs of pm-approx share.
load filters
load ../support/kills

program=pm-approx

setup() {
    small_graphs
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.05
    pm-gen cube 4 4 6 > cube
    pm-gen cube 4 4 6 --to=mtx > cube.mtx
    pm-gen grid 8 8 --to=mtx > grid.mtx
    pm-gen erdos-renyi 24 0.3 --seed=3 --nonsingular > dense
    pm-gen ones 34 --integer=1:3 --seed=3 > dense34
    pm-gen regular 12 6 --seed=4 > hub
    { edges a b 40 6; edges x y 22 4; } > two-blocks
}

# edges ROW COLUMN N DEGREE: of a regular graph; the labels begin with ROW and COLUMN
edges() { pm-gen regular "$3" "$4" --seed=1 | awk -v r="$1" -v c="$2" '!/^#/ { print r $1 "\t" c $2 }'; }

misuses() {
    local text=$1
    shift
    run -64 pm-approx "$@"
    [[ "$output" == *"$text"* ]]
}

# merges N ARGUMENT...: N parts give what one run does
merges() {
    local i n=$1
    shift
    rm -f part.*
    pm-approx --json "$@" | without_times > direct
    for i in $(seq "$n"); do
        pm-approx -t $((1 + i % 2)) --part="$i/$n" "$@" > "part.$i"
    done
    pm-approx --json --merge $(ls part.* | shuf) | without_times > merged
    cmp direct merged
}

# cut_run ARGUMENT...: leaves the checkpoint ck
cut_run() { run -75 pm-approx --time-limit=0.2 --checkpoint=ck "$@"; }
