#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernels take on the GPU at hand, in seconds on the device without start-up, best of
# three (long ones: of one), the share of its limit that they reach, and seconds to compile and load
# them the first time.  The sparse matrices are those of PM_DATA/card.
#
# Of integers, a multiplication modulo a prime counts as seven operations; the kernels need six, so
# that the share may come out above 1.
#
# PM_BENCH_PARTS: some of ours fields repeated words generated sparse placements accuracy several; all
# by default.  PM_BENCH_LONG: if set, rows that take minutes too.
#
# PM_GPU_RATE: additions or multiplications of doubles a second that the device could make
# (16.7e12: an H200).  PM_GPUS: how many devices; the part `several` has its own: 1, 2, 4 ... of them.
: "${PM_GPU_RATE:=16.7e12}" "${PM_GPUS:=1}"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch
export XDG_CACHE_HOME

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_gpu: there is no GPU here"
    exit
fi

# A full matrix of random numbers: dense N [complex]
dense()
{
    awk -v n="$1" -v field="${2:-real}" 'BEGIN {
        srand(n); print "%%MatrixMarket matrix array " field " general"; print n, n
        for (i = 0; i < n * n; i++)
            print rand() - 0.3, field == "real" ? "" : rand() - 0.3 }'
}

# random FIELD N PERCENT: a sparse matrix, FIELD real or pattern
random()
{
    set -- "$1" "$2" "$(printf '0.%02d' "$3")"
    if test "$1" = real; then
        pm-gen erdos-renyi "$2" "$3" --real=0:1 --seed=1 --nonsingular
    else
        pm-gen erdos-renyi "$2" "$3" --seed=1 --nonsingular
    fi
}

# ones N: the (1/n)-matrix
ones()
{
    awk -v n="$1" 'BEGIN {
        print "%%MatrixMarket matrix array real general"; print n, n
        for (i = 0; i < n * n; i++) printf "%.17g\n", 1 / n }'
}

# one FILE ALGORITHM OPTION...: seconds, seconds to compile, operations
one()
{
    file=$1 algorithm=$2
    shift 2
    pm-count -j -v -v --backend=cuda --gpus="$PM_GPUS" --algorithm="$algorithm" "$@" "$file" \
        > "$scratch/out" 2> "$scratch/err" || cat "$scratch/err" >&2
    sed -n 's/^pm-count: .*: \([^ ]*\) seconds on .*, \([^ ]*\) to compile.*/\1 \2/p' \
        "$scratch/err" | tr '\n' ' '
    sed -n 's/.*"plan".*"operations":\([^,]*\).*/\1/p' "$scratch/out"
}

# Rows that take long are measured once.
#
# timed NAME TARGET FILE ALGORITHM OPTION...
timed()
{
    name=$1 target=$2
    shift 2
    if ! test -f "$1"; then
        echo "| $name | | not here | | |"
        return
    fi
    for i in 1 2 3; do
        one "$@" | tee "$scratch/row"
        awk '$1 > 2 { exit 1 }' "$scratch/row" || break
    done | awk -v name="$name" -v target="$target" -v rate="$PM_GPU_RATE" -v gpus="$PM_GPUS" '
        NR == 1 { compile = $2 }
        best == 0 || $1 < best { best = $1 }
        { operations = $3 }
        END { if (best > 0)
                  printf "| %s | %s | %.4g | %.2f | %.2g |\n", name, target, best,
                         operations / (rate * gpus) / best, compile
              else
                  printf "| %s | %s | failed | | |\n", name, target }'
}

# row NAME TARGET FILE ALGORITHM [PRECISION]
row()
{
    timed "$1" "$2" "$3" "$4" --reduce=none --precision="${5:-kahan}"
}

# orders NAME FILE ALGORITHM: with its order of the columns, and with theirs
orders()
{
    timed "$1, $3" "" "$2" "$3" --reduce=none
    timed "$1, $3, order given" "" "$2" "$3" --order=given
}

ours()
{
    dense 40 > "$scratch/dense40.mtx"
    row "dense real n=40, double" 2.9 "$scratch/dense40.mtx" ryser double
    row "dense real n=40, kahan" 2.9 "$scratch/dense40.mtx" ryser kahan
    for f in 40_p10:0.0012 40_p20:0.06 40_p30:0.35 40_p40:0.95 40_p50:1.2 48_p10:0.2 48_p20:22 \
        ${PM_BENCH_LONG:+48_p30:125}; do
        row "real_n${f%:*}" "${f#*:}" "$PM_DATA/card/real_n${f%:*}.mtx" product-tree
    done
    for f in 20:0.1 30:0.6 50:2.5; do
        row "pattern_n40_p${f%:*}, exact" "${f#*:}" "$PM_DATA/card/pattern_n40_p${f%:*}.mtx" \
            product-tree
    done
}

# Other fields and precisions of the full block.
fields()
{
    dense 36 > "$scratch/dense36.mtx"
    for p in single kahan dq quad; do
        row "dense real n=36, $p" "" "$scratch/dense36.mtx" ryser $p
    done
    random pattern 36 50 > "$scratch/half36.mtx"
    row "dense 0/1 n=36, exact" "" "$scratch/half36.mtx" ryser
    dense 36 complex > "$scratch/complex36.mtx"
    row "dense complex n=36, kahan" "" "$scratch/complex36.mtx" ryser kahan
}

# Repeated rows and columns: different lines x copies of each.  The whole part takes seconds.
repeated()
{
    for f in 12x3 16x2 20x2 ${PM_BENCH_LONG:+24x2}; do
        n=${f%x*}
        times=$(awk -v n="$n" -v t="${f#*x}" 'BEGIN {
            for (i = 1; i <= n; i++) printf "%d%s", t, i < n ? "," : "" }')
        dense "$n" complex > "$scratch/repeated.mtx"
        for p in single double kahan quad; do
            timed "complex $f, $p" "" "$scratch/repeated.mtx" repeated --row-times="$times" \
                --col-times="$times" --precision=$p
        done
        random pattern "$n" 50 > "$scratch/repeated.mtx"
        timed "0/1 $f, exact" "" "$scratch/repeated.mtx" repeated --row-times="$times" \
            --col-times="$times"
    done
}

# Integers modulo primes of 30 bits in words, as devices take them that are slow with doubles, beside
# those of 50 bits in doubles.
words()
{
    random pattern 36 50 > "$scratch/half36.mtx"
    for kind in doubles words; do
        PM_GPU_INTEGERS=$kind
        export PM_GPU_INTEGERS
        row "dense 0/1 n=36, exact, $kind" "" "$scratch/half36.mtx" ryser
        for p in 20 30; do
            row "pattern_n40_p$p, exact, $kind" "" "$PM_DATA/card/pattern_n40_p$p.mtx" product-tree
        done
    done
    unset PM_GPU_INTEGERS
}

# The relative error of (1/n)-matrices, whose permanent is n!/n^n, in each precision, beside the error
# that is printed: SUperman 2026, table 3.
accuracy()
{
    echo
    echo "| n | precision | relative error | printed | seconds |"
    echo "|---|---|---|---|---|"
    for n in 32 34 36 38 40 ${PM_BENCH_LONG:+42 45}; do
        ones "$n" > "$scratch/ones.mtx"
        for p in single double kahan dq quad; do
            if test $p = quad && test "$n" -gt 38 && test -z "$PM_BENCH_LONG"; then
                continue
            fi
            pm-count -v -v --backend=cuda --gpus="$PM_GPUS" --algorithm=ryser --reduce=none \
                --precision=$p "$scratch/ones.mtx" > "$scratch/out" 2> "$scratch/err" \
                || cat "$scratch/err" >&2
            seconds=$(sed -n 's/^pm-count: .*: \([^ ]*\) seconds on .*/\1/p' "$scratch/err")
            # 1/n is itself rounded: the permanent of the doubles is n! (1/n rounded)^n
            python3 - "$n" "$p" "$seconds" "$scratch/out" << 'END'
import sys
from decimal import Decimal
from fractions import Fraction
from math import factorial
n, precision, seconds = int(sys.argv[1]), sys.argv[2], sys.argv[3]
text = open(sys.argv[4]).read().split()
if len(text) < 2:
    print(f"| {n} | {precision} | failed | | |")
else:
    exact = factorial(n) * Fraction(1 / n) ** n
    found, error = Fraction(text[0]), float(text[1])
    # a text has no digits below the decade of its error: half a place of it may be all that differs
    half = Fraction(10) ** Decimal(text[0]).as_tuple().exponent / 2
    below = "below " if abs(found - exact) <= half else ""
    relative = max(abs(found - exact), half) / exact
    print(f"| {n} | {precision} | {below}{float(relative):.2g} "
          f"| {error / float(exact):.2g} | {seconds} |")
END
        done
    done
    echo
}

# Seconds of several devices on one full block, and how far from a fair share that is.
several()
{
    n=44
    dense $n > "$scratch/dense$n.mtx"
    devices=$(pm-count --version | grep -c '^  GPU [0-9]*:')
    echo
    echo "| dense real n=$n | seconds | efficiency |"
    echo "|---|---|---|"
    for gpus in 1 2 4 8; do
        test "$gpus" -le "$devices" || break
        PM_GPUS=$gpus one "$scratch/dense$n.mtx" ryser --reduce=none --precision=kahan \
            | awk -v gpus="$gpus" '{ print gpus, $1 }'
    done | awk '{ if (NR == 1) alone = $2
        printf "| %d GPUs | %.4g | %.3f |\n", $1, $2, alone / ($1 * $2) }'
    echo
}

# Generated kernels of Elbek and Kaya 2025, and what they are to be compared with.
generated()
{
    for p in 10 20 30 40 50; do
        f=$PM_DATA/card/real_n40_p$p.mtx
        row "real_n40_p$p, codegen" "" "$f" codegen
        row "real_n40_p$p, hybrid" "" "$f" hybrid
    done
}

# SpaRyser and SkipPer of Yaglioglu 2021, tables 6.3 to 6.6.
sparse()
{
    for field in real pattern; do
        for p in 10 20 30; do
            random $field 36 $p > "$scratch/sparse.mtx"
            for algorithm in sparyser skipper; do
                orders "$field n=36 p=.$p" "$scratch/sparse.mtx" $algorithm
            done
        done
        for p in ${PM_BENCH_LONG:+10 20 30}; do
            for algorithm in sparyser skipper; do
                orders "${field}_n40_p$p" "$PM_DATA/card/${field}_n40_p$p.mtx" $algorithm
            done
        done
    done
}

# Where row sums and matrix lie, also without CEG: SUperman 2026, table 4, and Yaglioglu 2021, table
# 6.1.
placements()
{
    n=${PM_BENCH_LONG:+40}
    dense "${n:-36}" > "$scratch/placed.mtx"
    for where in registers registers,shared registers,global shared,shared shared,global \
        global,global registers,shared,unaligned registers,global,unaligned \
        shared,shared,unaligned shared,global,unaligned global,global,unaligned; do
        timed "dense real n=${n:-36}, $where" "" "$scratch/placed.mtx" ryser --reduce=none \
            --placement=$where
    done
}

pm-count --version | grep '^  GPU'
echo "| work | target | seconds | of the limit | to compile |"
echo "|---|---|---|---|---|"
for part in ${PM_BENCH_PARTS:-ours fields repeated words generated sparse placements accuracy several}; do
    case $part in # those of the other scripts are named there
    ours | fields | repeated | words | generated | sparse | placements | accuracy | several) $part ;;
    esac
done
