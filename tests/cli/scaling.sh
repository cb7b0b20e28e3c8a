#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The simulator of the dynamic division, tests/bench/scaling.py: results that are known without it.
. "${srcdir:?}/tests/support/tap.sh"
script=$srcdir/tests/bench/scaling.py
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2> "$scratch/why"; then
    skip "the simulator" "no Python 3.8"
    done_testing
    exit 0
fi

# simulate OPTION...: a table in the file `out`
simulate()
{
    if ! python3 "$script" "$@" > "$scratch/out" 2> "$scratch/err"; then
        echo "failed: $*: $(cat "$scratch/err")" > "$scratch/out"
    fi
}

# holds NAME CONDITION: awk's condition on the fields of the lines of `out`, and that there are lines
holds()
{
    if awk -F '\t' "/^#/ { next } { ++lines } !($2) { wrong = 1 } END { exit wrong || !lines }" "$scratch/out"; then
        pass "$1"
    else
        fail "$1" "$(cat "$scratch/out")"
    fi
}
exactly='--jitter=0 --slow-share=0 --spread=0 --overhead=0 --latency=0 --service=0 --scan=0 --start=0'

# shellcheck disable=SC2086 # several options
{
    simulate divide --seconds=40 --ranks=1,2,4 $exactly
    holds "without any cost all ranks end at the same time, but for the least range" '$2 >= $3 && $2 - $3 < 0.02001'
    simulate divide --seconds=400000 --ranks=1,192 $exactly
    holds "also where the middle is left out" '$4 > 0.9995 && $4 < 1.0001'
    simulate divide --seconds=100000 --ranks=10 $exactly --overhead=0.125
    holds "an overhead of a quarter of a range" '$4 > 0.799 && $4 < 0.801'
    simulate divide --seconds=100000 --ranks=10 $exactly --slow=3 --slow-share=0.5
    holds "slow ranks get less" '$3 == 15000 && $4 > 0.999 && $4 < 1.0001'
    simulate divide --seconds=100000 --ranks=100 $exactly --service=0.01
    holds "a server of 100 answers a second: 50 of 100 ranks" '$4 > 0.49 && $4 < 0.51'
    simulate divide --seconds=100000 --ranks=100 $exactly --service=0.01 --node=10
    holds "servers of nodes" '$4 > 0.9'
    printf '# times\n1\n3\n' > "$scratch/times"
    simulate divide --seconds=10000 --ranks=4 $exactly --times="$scratch/times"
    holds "times from a file count by their mean" '$4 > 0.97 && $4 < 1.03'
    printf 'two threads\t2\t10\t0.5\t5.5\nuneven\t2\t10\t0\t7.5\t1,3\n' > "$scratch/figures"
    simulate check "$scratch/figures" $exactly
    holds "predictions beside measurements" '$5 > 0.99 && $5 < 1.01'
}

# 60 rounds of about 40 losses: the mean time has a standard deviation of about 0.2 %, and the seed is fixed.
simulate losses --ranks=100000 --hours=20 --rounds=60
holds "losses agree with Daly's formula" '$8 / $9 > 0.985 && $8 / $9 < 1.015'
holds "Daly's interval is that of the formula's least time" '$5 / $6 > 0.9 && $5 / $6 < 1.1'
# A job whose division costs nothing has the losses of the formula: 40 of them in each of 60 rounds, as above.  Ranges of a
# hundredth of a second that are under way cost nothing that could be seen.
# shellcheck disable=SC2086 # several options
{
    simulate losses --ranks=100000 --hours=20 --rounds=1
    formula=$(awk -F '\t' '!/^#/ { print $9 }' "$scratch/out")
    simulate job --ranks=20 --loss-hours=10.14 --hours=20 --rounds=60 --parts=1 $exactly --range=0.01 --least=0.01
    holds "a whole job without costs of the division: Daly's formula" "\$6 / $formula > 0.985 && \$6 / $formula < 1.015"
    simulate job --ranks=100 --loss-hours=1e12 --hours=1 --rounds=1 --parts=10 $exactly --service=0.01
    holds "without losses a whole job is as its division" \
        '/one server/ ? $6 > 0.49 && $6 < 0.51 : /ranges of 5/ ? $6 > 0.97 : /parts/ ? $6 > 0.95 && $7 <= $6 : 1'
    simulate job --ranks=10 --loss-hours=1e12 --hours=1 --rounds=1 --parts=1 --nodes=2 --write=0 $exactly --start=360
    holds "and its start" '$6 > 0.9085 && $6 < 0.9095'
}
simulate divide --seconds=50 --ranks=7
cp "$scratch/out" "$scratch/first"
simulate divide --seconds=50 --ranks=7
if cmp -s "$scratch/first" "$scratch/out"; then pass "the same seed, the same table"; else fail "the same seed, the same table"; fi
done_testing
