#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole programs whose K-th allocation fails, in whatever library: for each K the outcome is status 71 with
# a line on standard error, or that of an undisturbed run.  With status 71 lines of answers may be
# missing, but none is wrong, and a stream has no last line.  No file stays that is not complete.
# "make check" takes some of the Ks, other ones in each run; with PM_EXPENSIVE=1 all, and again with all
# later allocations failing too.
. "${srcdir:?}/tests/support/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failing=$work/failing.so
${CC:-cc} -shared -fPIC -O1 -o "$failing" "$srcdir/tests/support/failing.c" -ldl || exit 99
cd "$work" || exit 99
mkdir in run
if ! LD_PRELOAD=$failing pm-count --version > in/version 2>&1; then
    skip "allocations that fail" "no LD_PRELOAD, as with sanitizers"
    done_testing
    exit
fi
pm-gen grid 2 2 > in/square
pm-gen grid 6 6 --to=mtx > in/grid.mtx
pm-gen cube 3 4 4 | gzip > in/cube.gz
pm-gen erdos-renyi 18 0.5 --seed=3 --nonsingular > in/random
printf '1 2 3\n4 5 6\n7 8 9.5\n' > in/dense
printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n' > in/graph.gml
awk 'BEGIN { for (v = 1; v < 12; ++v) print v, v + 1, 2 "\n" v, v % 10 + 2, 3 }' > in/triangles
awk 'BEGIN { for (i = 1; i <= 9; ++i) for (j = 1; j <= 9; ++j) print "r" i, "c" j, i == j ? 2 : 1 }' > in/board
pm-gen strip grid 4 --length=1000 > in/strip
pm-gen ring grid 4 --length=100000 --weight=3 > in/ring
pm-gen grid 3 60 > in/ladder
pm-gen strip grid 2 --length=9 > in/ladder-strip
yes 'A_' | head -n 40 > in/pairs.g6
pm-gen torus 4 4 --positions > in/placed
printf '%s\n' 'row 1 0 0' 'row 2 1 1' 'column 1 0 1' 'column 2 1 0' > in/places
# the program does not execute itself again (it does where this variable is missing)
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
seed=${PM_TEST_SEED:-$$}
every=1
test -n "${PM_EXPENSIVE-}" || every=37
echo "# every $every-th allocation, PM_TEST_SEED=$seed"

# The time is left out.
tidy()
{
    sed -e 's/"[a-z_]*seconds":[^,}]*,*//g' "$1"
}

# is_right STATUS: of the files got and messages of a run whose allocation failed
is_right()
{
    tidy run/got > tidy
    if test "$1" = "$status"; then
        cmp -s tidy wanted && return
    fi
    test "$1" = 71 && test -s run/messages || return
    if grep -q '^%pm: stream' wanted; then
        ! tail -n 1 run/got | grep -q '^%pm: eof'
    else
        ! grep -v '"failure"' tidy | grep -qvxFf wanted
    fi
}

# sweep PROGRAM COMMAND...: the allocations of PROGRAM fail, which the command runs
sweep()
{
    PM_FAIL_PROGRAM=$1
    export PM_FAIL_PROGRAM
    shift
    rm -f count
    PM_FAIL_COUNT=count LD_PRELOAD=$failing "$@" > run/got 2> run/messages
    status=$?
    tidy run/got > wanted
    if test "$status" != 0 || ! test -s count; then
        fail "$*" "status $status, $(cat run/messages)"
        return
    fi
    count=$(cat count) wrong= runs=0
    k=$((seed % (every < count ? every : count) + 1))
    while test "$k" -le "$count"; do
        for all in '' ${PM_EXPENSIVE:+1}; do
            PM_FAIL_AT=$k ${all:+env PM_FAIL_ALL=1} timeout 60 env LD_PRELOAD="$failing" "$@" \
                > run/got 2> run/messages
            got=$?
            runs=$((runs + 1))
            is_right "$got" && test "$(ls run)" = "$(printf 'got\nmessages')" || wrong="$wrong
PM_FAIL_AT=$k ${all:+PM_FAIL_ALL=1}: status $got, $(tail -n 1 run/got | cut -c 1-80) $(ls run | tr '\n' ' ')
$(head -n 3 run/messages)"
            find run ! -name got ! -name messages -type f -exec rm {} +
        done
        k=$((k + every))
    done
    test "$runs" -gt 0 || wrong="no run"
    empty "$*: $runs of $count allocations" "$(echo "$wrong" | head -n 12)"
}

sweep pm-count pm-count -q -t 2 in/square in/cube.gz in/grid.mtx
sweep pm-count pm-count --json -t 1 in/random
sweep pm-count pm-count -t 1 --table=name,value,algorithm in/random in/square
sweep pm-count pm-count -t 2 in/pairs.g6
sweep pm-count pm-count -t 1 --from=dense in/dense
sweep pm-count pm-count -t 2 --algorithm=ryser in/random
sweep pm-count pm-count -t 1 --algorithm=planar in/grid.mtx
sweep pm-count pm-count -q -t 1 --graph --algorithm=planar --reduce=none in/triangles
sweep pm-count pm-count -t 1 --algorithm=rook in/board
sweep pm-count pm-count -t 1 --plan in/random
sweep pm-count pm-count -t 1 --algorithm=periodic in/strip
sweep pm-count pm-count -t 1 --mod=1000 in/strip in/ring
sweep pm-count pm-count -t 1 --algorithm=periodic in/ladder
sweep pm-approx pm-approx -t 2 in/cube.gz
sweep pm-approx pm-approx -t 1 --method=look+ --samples=100 in/random
sweep pm-approx pm-approx -t 1 --bounds in/random
sweep pm-dm pm-dm in/random
sweep pm-dm pm-dm --stats --json in/random
sweep pm-decompose pm-decompose in/random
sweep pm-order pm-order in/grid.mtx
sweep pm-overlap pm-overlap -t 1 --side=cols --weight=product in/random
sweep pm-overlap pm-overlap -t 1 --stats --json in/random
sweep pm-order pm-order --stats in/random
sweep pm-gen pm-gen grid 4 4
sweep pm-gen pm-gen ring honeycomb 4 --length=8
sweep pm-dm pm-dm in/ladder-strip
sweep pm-gen pm-gen erdos-renyi 10 0.5 --seed=1 --nonsingular --to=mtx
if test -x "$PM_LIBEXEC/pm-igraph-read"; then
    sweep pm-igraph-read pm-count --from=gml --graph in/graph.gml
    sweep pm-count pm-count --from=gml --graph in/graph.gml
    for program in pm-count pm-igraph-read; do
        sweep "$program" sh -c 'pm-count --matching --draw=run/out.svg in/triangles && cat run/out.svg && rm run/out.svg'
    done
else
    skip "a format of igraph" "built without igraph"
fi

# with a file: a copy is what the next sweep compares
for program in pm-count pm-dm pm-order pm-decompose; do
    sweep "$program" sh -c "$program -o run/out in/square && cat run/out && rm run/out"
done
sweep pm-gen pm-gen kagome-torus 2 2 --positions
sweep pm-approx sh -c 'pm-approx -q -t 1 --sample=2 --superpose --draw=run/out.svg in/placed && cat run/out.svg && rm run/out.svg'
sweep pm-count sh -c 'pm-count --matching --draw=run/out.png in/placed && cat run/out.png && rm run/out.png'
sweep pm-dm sh -c 'pm-dm --matching --positions=in/places --draw=run/out.svg in/square && cat run/out.svg && rm run/out.svg'
done_testing
