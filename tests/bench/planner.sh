#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Does the planner foresee what its methods take, and choose the right one?  Over many inputs of
# fixed seeds, and the matrices in $PM_DATA: the seconds predicted and measured of the choice and
# of every method that might be better.
#
#   planner.sh [LIMIT]
#
# An input counts when at least two methods are predicted under 30 seconds and the best of them
# under LIMIT (3).  A method is run when its prediction is within 8 times the lowest one: to the
# end when that is under LIMIT, else until it has taken longer than the choice.
limit=${1-3}
REACH=30 WIDE=8 SHORT=2 # seconds; times; seconds, measured twice and the better one taken
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
: "${XDG_CACHE_HOME:=$scratch/cache}"
export XDG_CACHE_HOME
graph=$scratch/graph
methods=$(pm-count --calibrate --list) || exit
methods=$(echo "$methods" | sed '/^# rate/,$d; /^#/d' | cut -f 1)

# ---- the inputs ----

# An imaginary part beside every weight of a real Matrix Market file
make_complex()
{
    awk '/^%%MatrixMarket/ { sub("real", "complex") }
         !/^%/ && sized    { $4 = ($1 * 7 + $2 * 13) % 19 / 8 - 1 }
         !/^%/             { sized = 1 }
                           { print }'
}

# generate KIND FAMILY ARGUMENT...
generate()
{
    kind=$1
    shift
    case $kind in
    pattern) pm-gen "$@" ;;
    integer) pm-gen "$@" --integer ;;
    signed) pm-gen "$@" --integer=-9:9 ;;
    large) pm-gen "$@" --integer=1:1000000000000 ;;
    real) pm-gen "$@" --real ;;
    signed-real) pm-gen "$@" --real=-1:1 ;;
    complex) pm-gen "$@" --real=-1:1 --to=mtx | make_complex ;;
    esac
}

# Every call takes the next kind of weights in turn.
turn=0
family()
{
    turn=$((turn % 7 + 1))
    kind=$(echo pattern real integer complex signed signed-real large | cut -d ' ' -f $turn)
    generate "$kind" "$@" > "$graph" 2> /dev/null || return 0 # no draw had a perfect matching
    judge "$(echo "$@" | sed 's/ --.*//') $kind"
}

random()
{
    family "$@" --nonsingular --seed=$((turn + 1))
}

families()
{
    for n in 10 16 20 24 26 28 30 32 34 36 40 46 52 60; do
        densities='.05 .1 .15 .2 .25 .3'
        test $n -gt 36 || densities="$densities .4 .5 .6 .8 .9 1" # beyond: out of reach
        for density in $densities; do
            random erdos-renyi $n "$density"
            random erdos-renyi $n "$density"
        done
        for degree in 3 4 6 8; do
            random regular $n $degree
        done
        for width in 2 4 8; do
            family band $n $width
        done
        family circulant $n 0 1 3
        family circulant $n 0 2 5 7 11 13
        family ones $n
        family derangement $n
        family derangement $n
    done
    for size in 4 6 8 10; do
        family grid $size $size
        family grid $size 12
        family torus $size 8
        family torus $size 12
    done
    for size in 3 4 5; do
        family cube $size 4 3
        family cube 2 $size 6
        family hypercube $((size + 1))
        family hexagon $((size - 1))
        family hexagon 2 3 $size
        family aztec $((size + 2))
        family mycielskian $((size + 1))
        family mycielskian $((size + 1))
    done
}

# Every matrix in $PM_DATA, its pattern too where it has weights
matrices()
{
    find "${PM_DATA:?}" -name '*.mtx' | LC_ALL=C sort | while read -r file; do
        cp "$file" "$graph"
        base=$(basename "$file" .mtx)
        judge "$base"
        head -n 1 "$file" | grep -q pattern || judge "$base pattern" --pattern
    done
}

# ---- one input ----

# "FIELD N NNZ ALGORITHM PREDICTED SECONDS VALUE" of a line of JSON; - is null or not there.  A failure has no
# columns.
columns()
{
    awk '/"failure":/ { next }
         function get(key,    at, text) {
             at = index($0, "\"" key "\":")
             text = at ? substr($0, at + length(key) + 3) : "-"
             sub(/[,}].*/, "", text)
             gsub("\"", "", text)
             return text == "null" ? "-" : text
         }
         { print get("field"), get("n"), get("nnz"), get("algorithm"), get("predicted_seconds"),
                 get("seconds"), get("value") }'
}

# plan ARGUMENT...: columns, or nothing.  Plans that take more than $REACH are given little time:
# the search for an order ends early beyond 10^4 times the highest cost, and that plays no part in
# a plan else.
plan()
{
    pm-count --calibrate -q --plan --json --time-limit=10 --max-cost=0.003 "$@" "$graph" \
        2> /dev/null | columns | awk '$5 != "-"'
}

# less X Y: X < Y; products are allowed
less()
{
    awk "BEGIN { exit !(($1) < ($2)) }"
}

# Plans of all methods within reach, "METHOD PREDICTED" a line, the lowest one first; what is the
# same plan by another name is left out.
plan_all()
{
    out_of_reach=
    for method in $methods; do
        case $method in # two kernels of one algorithm, which takes the better one
        "$out_of_reach"-*) continue ;;
        esac
        line=$(plan --algorithm="$method" "$@" | awk -v method="$method" -v reach=$REACH '
            $5 + 0 < reach { print method, $5 }')
        test -n "$line" && echo "$line" || out_of_reach=$method
    done | sort -s -g -k 2 | awk '!($2 in seen) { print; seen[$2] = 1 }'
}

# measure SECONDS ARGUMENT...: columns of the better of one or two runs, or "stopped"
measure()
{
    time=$1
    shift
    better=
    for _ in 1 2; do
        line=$(pm-count --calibrate -q --json --time-limit="$time" "$@" "$graph" 2> "$scratch/err")
        status=$?
        if test $status -eq 75; then
            echo stopped
            return
        elif test $status -ne 0; then
            echo "# FAILED: $name: pm-count $*: status $status: $(cat "$scratch/err")" \
                | tee -a "$scratch/failures" >&2
            return 1
        fi
        line=$(echo "$line" | columns)
        better=$(printf '%s\n' "$better" "$line" | sed '/^$/d' | sort -g -k 6 | head -n 1)
        less "$SHORT" "$(echo "$line" | cut -d ' ' -f 6)" && break
    done
    echo "$better"
}

# Runs that are compared: "METHOD PREDICTED SECONDS VALUE" a line; SECONDS is >SECONDS where the
# method was stopped.
run_all()
{
    lowest=$(head -n 1 "$scratch/plans" | cut -d ' ' -f 2)
    while read -r method predicted; do
        less "$WIDE * $lowest" "$predicted" && continue
        most=$(awk "BEGIN { print $WIDE * $limit }")
        less "$predicted" "$limit" || most=$(awk "BEGIN { print $chosen_seconds + 0.05 }")
        got=$(measure "$most" --algorithm="$method" "$@") || continue
        if test "$got" = stopped; then
            echo "$method $predicted >$most -"
        else
            echo "$got" | awk -v method="$method" '{ print method, $5, $6, $7 }'
        fi
    done < "$scratch/plans"
}

# judge NAME OPTION...: everything about the graph in $graph
judge()
{
    name=$1
    shift
    plan_all "$@" > "$scratch/plans"
    if test "$(grep -c . "$scratch/plans")" -lt 2; then
        echo few >> "$scratch/skipped"
        return
    fi
    if less "$limit" "$(head -n 1 "$scratch/plans" | cut -d ' ' -f 2)"; then
        echo long >> "$scratch/skipped"
        return
    fi
    chosen=$(measure $((WIDE * REACH)) "$@") || return 0
    if test "$chosen" = stopped; then
        echo "# FAILED: $name: the choice takes over $((WIDE * REACH)) s" >> "$scratch/failures"
        return
    fi
    chosen_seconds=$(echo "$chosen" | cut -d ' ' -f 6)
    run_all "$@" > "$scratch/runs"
    { echo "$chosen"; cat "$scratch/runs"; } | awk -v name="$name" -f "$scratch/judge.awk" \
        | tee -a "$scratch/table"
}

# First line: the choice; then the runs.  A row of the table.
cat > "$scratch/judge.awk" << 'AWK'
NR == 1 { field = $1; n = $2; nnz = $3; chosen = $4; predicted = $5; best = auto = $6; value = $7
          exact = field == "pattern" || field == "integer"; winner = "auto"; next }
{
    runs = runs (runs == "" ? "" : ",") $1 "=" sprintf("%.3g", $2) "/" $3
    if ($3 ~ /^>/) next
    if (exact && $4 != value) wrong = wrong " " $1
    if (NR == 2 || $3 < best) { best = $3; winner = $1 }
}
END {
    ratio = best > 0 ? auto / best : 1
    printf "%s\t%s\t%d\t%d\t%s=%.3g/%s\t%s\t%s\t%.2f%s\n", name, field, n, nnz, chosen,
        predicted, auto, runs, winner, ratio, wrong == "" ? "" : "\tWRONG:" wrong
}
AWK

# ---- the summary ----

cat > "$scratch/summary.awk" << 'AWK'
function run(text, name,    part, factor) { # METHOD=PREDICTED/SECONDS
    split(text, part, /[=\/]/)
    stopped = sub(/^>/, "", part[3])
    if (part[3] < 0.1 || part[2] == 0) return
    if (stopped && part[2] > part[3]) return # no miss, as far as it went
    factor = part[2] / part[3]
    ++runs
    ++of[part[1]]
    ratio[part[1], of[part[1]]] = factor
    if (factor <= 2 && factor >= 0.5) { ++near; ++near_of[part[1]] }
    else miss[++misses] = sprintf("%.1f\t%s: %s\t%s/%s%s", factor < 1 ? 1 / factor : factor,
                                  name, part[1], part[2], stopped ? ">" : "", part[3])
}
function median(method,    m, i, j, x, list) {
    m = of[method]
    for (i = 1; i <= m; i++) {
        x = ratio[method, i]
        for (j = i; j > 1 && list[j - 1] > x; j--) list[j] = list[j - 1]
        list[j] = x
    }
    return list[int((m + 1) / 2)]
}
function share(a, b) { return b ? sprintf("%d of %d, %.1f %%", a, b, 100 * a / b) : "none" }
{
    name = $1
    ++inputs
    count = split($6, list, ",")
    for (i = 1; i <= count; i++) run(list[i], name)
    split($5, part, "/")
    auto = part[2]
    run($5, name)
    best = auto
    if ($8 > 0) best = auto / $8
    for (i = 1; i <= count; i++) {
        split(list[i], part, "/")
        if (part[2] !~ /^>/ && part[2] + 0 < best) best = part[2] + 0
    }
    is_right = auto <= 1.5 * best || auto - best < 0.05
    right += is_right
    if (auto >= 0.1) { ++longer; right_longer += is_right }
    if (!is_right) wrong_choice[++wrongs] = $0
    if ($9 != "") different[++differences] = $0
}
END {
    printf "# inputs: %d measured; left out: %d with fewer than two methods, %d too long\n", inputs,
        few, long
    printf "# runs over 0.1 s predicted within a factor of 2 (wanted: 90 %%): %s\n", share(near, runs)
    for (m in of)
        printf "#   %-14s %s; median of predicted over measured %.2f\n", m,
            share(near_of[m], of[m]), median(m) | "sort"
    close("sort")
    printf "# choices within 1.5 times the best (wanted: 95 %%): %s\n", share(right, inputs)
    printf "#   of those that took over 0.1 s: %s\n", share(right_longer, longer)
    for (i = 1; i <= wrongs; i++) print "# not the best: " wrong_choice[i]
    worst_first = "sort -t '\t' -g -r -k 2"
    for (i = 1; i <= misses; i++) print "# missed by\t" miss[i] | worst_first
    close(worst_first)
    for (i = 1; i <= differences; i++) print "# DIFFERENT ANSWERS: " different[i]
    while ((getline line < failures) > 0) { print line; ++differences }
    exit differences > 0
}
AWK

: > "$scratch/table"
: > "$scratch/skipped"
: > "$scratch/failures"
echo "# planner: limit $limit s; times are predicted/measured seconds"
printf '# name\tfield\tn\tnnz\tchosen\tmethods\tbest\tratio\n'
families
test -z "${PM_DATA-}" || matrices
awk -F '\t' -v few="$(grep -c few "$scratch/skipped")" -v long="$(grep -c long "$scratch/skipped")" \
    -v failures="$scratch/failures" -f "$scratch/summary.awk" "$scratch/table"
