# SPDX-License-Identifier: GPL-3.0-or-later
# Levels beside a checkpoint: a pass of the frontier method that was ended goes on from one.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.02
}

# count FILE [OPTION...]
count() {
    pm-count --threads=1 --algorithm=frontier --checkpoint=c -v "$@"
}

# interrupt FILE SIGNAL [OPTION...]: a count that is ended by the signal when its first level is there and a checkpoint that
# names the computation; again where the count was faster than the signal
interrupt() {
    local pid
    for _ in $(seq 20); do
        pm-count --threads=1 --algorithm=frontier --checkpoint=c "$1" "${@:3}" >/dev/null 2>log 3>&- &
        pid=$!
        while { [ ! -e c.level ] || ! grep -qs '^computation' c; } && kill -0 $pid 2>/dev/null; do sleep 0.01; done
        kill "-$2" $pid 2>/dev/null || true
        wait $pid || break
    done
    [ -e c.level ] && grep -q '^computation' c
}

@test "killed in a pass: the next run goes on from its level, with the same digits" {
    local kind side
    side=$(is_short && echo 18 || echo 19)
    for kind in --real --integer; do
        pm-gen $kind --seed=3 grid 20 $side | pm-order >g
        pm-count --threads=1 --algorithm=frontier g >wanted
        interrupt g KILL
        pm-count --status=c | grep -q '^# c.level: .* a pass after step [0-9]* of [0-9]*$'
        count g >got 2>log
        grep -q 'c.level: going on after step [0-9]* of' log
        cmp wanted got
        [ ! -e c ] && [ ! -e c.level ]
    done
}

@test "general graphs: a pass goes on from its level, with loops and without, with the same digits" {
    local kind options height
    for kind in --real --integer; do
        options=$([ $kind = --real ] && echo --graph || echo --loops=2)
        height=18 # without loops the number of vertices is even
        [ $kind = --real ] || height=$(is_short && echo 16 || echo 17)
        pm-gen $kind --seed=6 triangular 19 "$height" >g
        pm-count --threads=1 --algorithm=frontier $options g >wanted
        interrupt g KILL $options
        pm-count --status=c | grep -q '^# c.level: .* a pass after step [0-9]* of [0-9]*$'
        count g $options >got 2>log
        grep -q 'c.level: going on after step [0-9]* of' log
        cmp wanted got
        [ ! -e c ] && [ ! -e c.level ]
    done
}

@test "a level of a program in place goes on in place, also where memory is enough for two arrays" {
    ! is_short || skip "half a minute with sanitizers, and unit_levels is there"
    pm-gen cube 5 5 8 | pm-order >g
    pm-count --algorithm=frontier g >wanted
    pm-count --plan --algorithm=frontier g | grep -q '	frontier	'
    interrupt g KILL --max-memory=100M
    count g >got 2>log
    grep -q 'c.level: going on after' log
    cmp wanted got
}

@test "ended by a signal: the level is kept" {
    pm-gen --real --seed=4 grid 20 20 | pm-order >g
    pm-count --threads=1 --algorithm=frontier g >wanted
    interrupt g TERM
    grep -q 'c: run again to go on from there' log
    count g >got 2>log
    grep -q 'c.level: going on after' log
    cmp wanted got
}

@test "short runs, one after another, come to the end, and none loses what was done" {
    local limit=0.05 step last=0 status
    export PM_CHECKPOINT_SECONDS=60
    pm-gen --real --seed=7 grid 20 20 | pm-order >g
    pm-count --threads=1 --algorithm=frontier g >wanted
    for _ in $(seq 80); do
        status=0
        pm-count --threads=1 --algorithm=frontier --checkpoint=c --time-limit="$limit" g >got 2>log || status=$?
        [ $status -eq 0 ] && break
        [ $status -eq 75 ]
        step=$(pm-count --status=c | sed -n 's/^# c.level: .* after step \([0-9]*\) of .*/\1/p')
        [ "${step:-0}" -ge "$last" ]
        last=${step:-$last}
        limit=$(awk "BEGIN { print 1.1 * $limit }") # planning takes some of it
    done
    cmp wanted got
    [ "$last" -gt 0 ]
}

@test "a level that was changed, cut, or of another order costs the pass and no digit" {
    pm-gen --real --seed=5 grid 20 20 | pm-order >g
    pm-count --threads=1 --algorithm=frontier g >wanted
    interrupt g KILL
    cp c.level kept
    cp c ledger
    local size
    size=$(wc -c <kept)
    printf '\125' | dd of=c.level bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null
    cmp -s c.level kept && printf '\252' | dd of=c.level bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null
    count g >got 2>log
    grep -q 'c.level: the file is damaged; the pass is begun anew' log
    cmp wanted got

    cp ledger c
    head -c $((size - 1)) kept >c.level
    count g >got 2>log
    grep -q 'c.level: the file is damaged: its length is wrong; it is not used' log
    cmp wanted got

    cp ledger c
    sed 's/^engine ./engine x/' kept >c.level
    count g >got 2>log
    grep -q 'c.level: not a level of this version of the program, or damaged' log
    cmp wanted got
    [ ! -e c.level ]
}

@test "a periodic graph is recorded, and its parts add up" {
    pm-gen strip grid 6 --length=100000 >g
    pm-count --algorithm=periodic g >wanted
    pm-count --algorithm=periodic --checkpoint=c g >got
    cmp wanted got
    for i in 1 2 3; do pm-count --algorithm=periodic --part=$i/3 g >part$i; done
    pm-count --merge part3 part1 part2 >got
    cmp wanted got
}
