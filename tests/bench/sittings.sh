#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts of a minute or so that are done in several sittings, each ended in another way: --time-limit, SIGTERM, SIGKILL,
# the time limit on half of the threads, and for residues, where there is one, on a GPU.  Every count is made twice, by
# two orders or two methods, and the digits must be equal.
#
#   sittings.sh [X Y Z [N]]
#
# X Y Z: the sides of a cube, counted by frontier in two orders (5 5 80: predicted 40 seconds on 16 cores, 0.7 GB).
# N: the rows of a full matrix, counted by ryser and by product-tree (37: predicted 11
# and 65 seconds on 16 cores).
# A sitting takes an eighth of the predicted seconds of its count, later ones more.  A count with fewer than four
# sittings fails: it shows too little.  Needs the programs in PATH, bash and coreutils; nothing of the build.
#
# PM_TEST_ROUNDS: below 1, smaller counts for a quick look.
LEAST=4 MOST=40 # sittings of a count
# shellcheck source-path=SCRIPTDIR source=../support/kills.bash
. "$(dirname "$0")/../support/kills.bash"
export LC_ALL=C PM_LEDGER_SECONDS=1e-9
if [ $# -eq 0 ]; then
    set -- 5 5 80 37
    [ "$(awk -v r="${PM_TEST_ROUNDS:-1}" 'BEGIN { print r < 1 }')" -eq 0 ] || set -- 4 5 30 29
fi
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo 'usage: sittings.sh [X Y Z [N]]' >&2
    exit 64
fi
cube=("$1" "$2" "$3") rows=${4:-37}
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit
failed=0
all=$(nproc)
half=$(((all + 1) / 2))

# wrong TEXT: says so; fails
wrong() {
    echo "sittings: $1" >&2
    failed=1
    return 1
}

# predicted ARGUMENT...: seconds on all threads
predicted() { pm-count --plan --json -t "$all" "$@" | sed 's/.*"predicted_seconds":\([^,}]*\).*/\1/'; }

# order_of FILE: a word for the order in which the frontier method takes the file
order_of() { pm-count --plan --json --algorithm=frontier --order=given "$1" | sed 's/.*"order":"\([^"]*\)".*/\1/'; }

# left_over: what --status says of ck, on one line
left_over() {
    [ -s ck ] || { echo 'nothing is kept' && return; }
    pm-count --status=ck | awk -F '\t' '/^# ck\.level/ { sub(/.*: /, ""); text = text "; level: " $0; next }
        /^#/ { next }
        { text = text "; " $1 " " $2 " " $3 }
        END { print substr(text, 3) }'
}

# sittings NAME VALUE WAYS ARGUMENT...: the count in as many sittings as it needs; the digits in the file VALUE.  WAYS:
# the ways in which sittings end, in turn.
sittings() {
    local name=$1 value=$2 number way sitting length status begun whole=0 threads backend before=cpu signal wanted took
    local did ways
    read -ra ways <<< "$3"
    shift 3
    sitting=$(predicted "$@" | awk '{ print ($1 > 1.6 ? $1 : 1.6) / 8 }')
    PM_CHECKPOINT_SECONDS=$(awk -v s="$sitting" 'BEGIN { print s / 8 }')
    export PM_CHECKPOINT_SECONDS
    echo "## $name"
    rm -f ck ck.*
    for ((number = 1; number <= MOST; number++)); do
        way=${ways[(number - 1) % ${#ways[@]}]}
        # longer after every round: a busy machine comes to an end, too
        length=$(awk -v s="$sitting" -v r=$(((number - 1) / ${#ways[@]})) 'BEGIN { print s * 1.5 ^ r }')
        threads=$all backend=cpu signal=KILL wanted=75 # the signal: of a run that does not end at its limit
        local options=(--time-limit="$length") patience=600
        case $way in
        SIG*)
            signal=${way#SIG} options=() patience=$length
            wanted=$((128 + $(kill -l "$signal")))
            ;;
        half) threads=$half ;;
        cuda) backend=cuda ;;
        esac
        begun=$(microseconds)
        status=0
        timeout --foreground --preserve-status -s "$signal" "$patience" pm-count -t "$threads" --backend="$backend" \
            --checkpoint=ck "${options[@]}" "$@" > "$value" 2> err || status=$?
        took=$(($(microseconds) - begun))
        whole=$((whole + took))
        if grep 'begun anew' err; then # between a processor and a GPU it may be so
            [ "$before" != "$backend" ] || wrong "$name" || return
        fi
        before=$backend
        case $status in
        0) did='came to its end' ;;
        "$wanted") did="stopped: $(left_over)" ;;
        *) wrong "$name: $way: status $status, not $wanted: $(head -n 1 err)" || return ;;
        esac
        printf '%d\t%s\t%s\t%d threads\t%s s\t%s\n' "$number" "$way" "$backend" "$threads" \
            "$(awk -v u=$took 'BEGIN { printf "%.1f", u / 1e6 }')" "$did"
        [ "$status" -ne 0 ] || break
    done
    awk -v u=$whole -v p="$sitting" 'BEGIN { printf "# %.1f s in all; predicted: %.1f\n", u / 1e6, 8 * p }'
    [ "$status" -eq 0 ] || wrong "$name: not at its end after $MOST sittings" || return
    [ "$number" -ge $LEAST ] || wrong "$name: $number sittings are too few: take a larger one"
}

# compare NAME A B: the digits of two counts
compare() {
    if [ -s "$2" ] && cmp "$2" "$3"; then
        echo "$1: all $(tr -cd 0-9 < "$2" | wc -c) digits are equal"
    else
        echo "$1: BAD, the digits differ"
        failed=1
    fi
}

endings='time-limit SIGTERM SIGKILL half'
endings_of_residues=$endings
if has_gpu; then
    endings_of_residues="$endings cuda"
    pm-count --version | grep '^  GPU'
fi
pm-gen cube "${cube[@]}" > graph || exit
pm-order graph > order.1 || exit
cp order.1 order.2 || exit
second=0
until [ "$(order_of order.1)" != "$(order_of order.2)" ]; do
    second=$((second + 1))
    [ $second -lt 10 ] || wrong 'the cube: ten seeds give one order' || exit
    pm-order --seed=$second graph > order.2 || exit
done
for k in 1 2; do
    sittings "cube ${cube[*]} by frontier, order $k" cube.$k "$endings_of_residues" \
        --algorithm=frontier --order=given order.$k
done
compare "cube ${cube[*]}" cube.1 cube.2

pm-gen ones "$rows" --integer=1:9 --seed=1 > full || exit
for method in ryser product-tree; do
    sittings "full matrix of $rows rows by $method" full.$method "$endings" --algorithm=$method full
done
compare "full matrix of $rows rows" full.ryser full.product-tree
exit $failed
