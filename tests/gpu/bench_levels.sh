#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Levels of the frontier that fill the memory of a GPU, and passes that several GPUs share: seconds of
# whole runs and on the devices, bytes of a device, primes, and the limit: the seconds in which the
# devices read one value for each transition.  Answers to one graph must be equal, whatever the order
# (--seed), the words and the number of devices.
#
# What plans for H200s predict, seconds with the start of the device (limit at 4.8e12 bytes a second):
#   small   cube 6 6 8          one GPU    3.1 s (1.3), 141 GB: four primes of 62 bits in one pass
#           the same in 20 GB              6.2 s (1.1), 18 GB: seven primes of 31 bits, seven passes
#   large   regular 53 6, 2     one GPU    6.5 s (1.2), 134 GB: 1.8e10 states, three primes of 31 bits;
#                                          by another order 4.9 s, 100 GB
#   turns   cube 5 7 12         one GPU   20.5 s (6.6), 145 GB: five primes of 62 bits
#                               two GPUs  11.3 s (3.3), 109 GB: 0.9 of their speed; one pass is begun on
#                                         one and ended on the other (four GPUs: 5.9 s)
#   spread  cube 6 6 8 in 10 GB two GPUs   8.7 s (0.5): levels on both, seven primes of 31 bits
#           regular 53 6, 1     two GPUs  15 s (1.0), 138 GB of each: 3.5e10 states; twice, by two orders
#           regular 54 6, 1     four GPUs 12 s (0.6), 100 GB of each: 6.2e10 states
#   place   in one array (frontier-in-place):
#           cube 6 6 8 in 10 GB one GPU: 2.2e9 states, seven primes of 31 bits
#           regular 92 4, 1     one GPU: 3.5e10 states in 141.4 GB; by another order too, if that fits
#           regular 150 3, 1    two GPUs: 6.9e10 states in 138 GB of each
#   four    four devices: of 141 GB, regular 156 3, 1: 1.3e11 states in 131 GB of each (72 s); of 80 GB, regular
#           150 3, 1: 6.2e10 and 6.9e10 states (measured: 36, 43 s on H100s); each by two orders.  Five primes of
#           cube 5 7 12 on one and on all (measured: 19 and 5.3 s of kernels), cube 6 6 10, and 6 6 12 on all
#   eighty  two devices of 80 GB, H100s: 3.5e10 states spread in one array, by two orders; five primes of
#           cube 5 7 12 and 6 6 10 on one and on both; 160 s
# Where levels are spread, half of what is read comes from the other GPU, at 250 GB/s or more; that is
# their limit: 0.5 * transitions * 4 bytes / 2.5e11 on each.  Between two arrays they take twice that.
#
# PM_LEVELS: some of small large turns spread place four eighty; by default those that the number of GPUs permits,
# but for the last two.  Without the start and the planning of each run 40 s on one H200, 75 s on two.
# PM_GPU_BYTES: what a device's memory moves in a second (4.8e12: an H200).  PM_GPUS: how many devices.
: "${PM_GPU_BYTES:=4.8e12}" "${PM_GPUS:=1}" "${PM_LEVELS:=}"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
status=0

if test -z "$PM_LEVELS"; then
    PM_LEVELS='small large turns place'
    test "$PM_GPUS" -eq 1 || PM_LEVELS='turns spread place'
fi
if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_levels: there is no GPU here"
    exit
fi

# field KEY: its number in the answer
field()
{
    sed -n "s/.*\"$1\":\\([^,}]*\\)[,}].*/\\1/p" "$scratch/out"
}

# row "ARGUMENTS OF PM-GEN" GPUS [OPTION...]: a line of the table
row()
{
    graph=$1
    gpus=$2
    shift 2
    file=$scratch/$(echo "$graph" | tr ' ' -)
    # shellcheck disable=SC2086 # several words
    test -f "$file" || pm-gen $graph > "$file" || exit
    begun=$(date +%s%N)
    if ! pm-count -j -v -v --backend=cuda --gpus="$gpus" --algorithm=frontier "$@" "$file" \
        > "$scratch/out" 2> "$scratch/err"; then
        status=1
        sed 's/^/bench_levels: /' "$scratch/err"
        return
    fi
    ended=$(date +%s%N)
    sed 's/.*"value":"\([0-9]*\)".*/\1/' "$scratch/out" > "$scratch/value"
    test -f "$file.value" || cp "$scratch/value" "$file.value"
    same=yes
    cmp -s "$scratch/value" "$file.value" || same=NO status=1
    note=$(sed -n 's/^pm-count: .*frontier: //p' "$scratch/err")
    kind=$(sed -n 's/.*"plan":\[{[^}]*"algorithm":"\([^"]*\)".*/\1/p' "$scratch/out")
    bytes=$(echo "$note" | sed -n 's/.* x \([48]\) bytes.*/\1/p')
    awk -v name="$graph $*" -v gpus="$gpus" -v whole=$((ended - begun)) -v note="$note" \
        -v predicted="$(field predicted_seconds)" -v states="$(field states)" \
        -v operations="$(field operations)" -v memory="$(field memory)" \
        -v residues="$(field residues)" -v kind="$kind" -v bytes="$bytes" -v same="$same" \
        -v rate="$PM_GPU_BYTES" 'BEGIN {
            split(note, device, " ")
            printf "| %s | %d | %s, %d primes | %.3g | %.1f | %.2f | %.2f | %.2f | %.2f | %s |\n",
                name, gpus, kind, residues, states, memory / 1e9, predicted, whole / 1e9,
                device[1], operations * bytes / (rate * gpus), same }'
    echo "  $note"
}

pm-count --version | grep '^  GPU'
echo "| graph | GPUs | words | states | GB of each | predicted | seconds | on the devices | limit | same |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for part in $PM_LEVELS; do
    case $part in
    small)
        row "cube 6 6 8" 1
        row "cube 6 6 8" 1 --max-memory=20G
        ;;
    large)
        row "--seed=2 regular 53 6" 1 --seed=0
        row "--seed=2 regular 53 6" 1 --seed=1
        ;;
    turns)
        row "cube 5 7 12" 1
        test "$PM_GPUS" -eq 1 || row "cube 5 7 12" "$PM_GPUS"
        ;;
    spread)
        row "cube 6 6 8" "$PM_GPUS" --max-memory=10G
        if test "$PM_GPUS" -lt 4; then
            row "--seed=1 regular 53 6" "$PM_GPUS" --seed=0
            row "--seed=1 regular 53 6" "$PM_GPUS" --seed=1
        else
            row "--seed=1 regular 54 6" "$PM_GPUS" --seed=0
        fi
        ;;
    four)
        if pm-count --version | grep -q '^  GPU 0: .*H200'; then
            row "--seed=1 regular 156 3" 4 --seed=0
            row "--seed=1 regular 156 3" 4 --seed=1
        else
            row "--seed=1 regular 150 3" 4 --seed=0
            row "--seed=1 regular 150 3" 4 --seed=1
        fi
        for gpus in 1 4; do
            row "cube 5 7 12" "$gpus"
            row "cube 6 6 10" "$gpus"
        done
        row "cube 6 6 12" 4
        ;;
    eighty)
        row "--seed=1 regular 146 3" 2 --seed=0
        row "--seed=1 regular 146 3" 2 --seed=2
        row "--seed=3 regular 148 3" 2 --seed=0
        row "--seed=3 regular 148 3" 2 --seed=1
        for gpus in 1 2; do
            row "cube 6 6 8" "$gpus" --max-memory=10G
            row "cube 5 7 12" "$gpus"
            row "cube 6 6 10" "$gpus"
        done
        ;;
    place)
        if test "$PM_GPUS" -eq 1; then
            row "cube 6 6 8" 1 --max-memory=10G
            row "--seed=1 regular 92 4" 1 --seed=0
        else
            row "--seed=1 regular 150 3" "$PM_GPUS" --seed=0
        fi
        ;;
    esac
done
exit $status
