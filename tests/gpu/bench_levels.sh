#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Levels of the frontier that fill the memory of a GPU, and passes that several GPUs share: seconds of
# whole runs and on the devices, bytes of a device, primes, and the limit: the seconds in which the
# devices read one value for each transition.  Answers to one graph must be equal, whatever the order
# (--seed), the words and the number of devices.
#
# What is predicted for H200s at 4.8e12 bytes a second, seconds on the devices (limit):
#   cube 6 6 8    one GPU    2.8 s (1.3), 141 GB: four primes of 62 bits in one pass
#   the same in 20 GB        5.8 s (1.1): seven primes of 31 bits, seven passes; half the bytes of a prime
#   cube 6 7 7    one GPU   17 s (4.0): 1.6e10 states, 127 GB, seven primes of 31 bits; twice, by two orders
#                 two GPUs   9.4 s: four and three of them
#   cube 5 7 12   one GPU   22 s (7.0): five primes of 62 bits
#                 two GPUs  12 s, 109 GB: 0.9 of their speed; one pass is begun on one and ended on the other
#
# PM_LEVELS: some of small large turns; all three by default.  About 100 s on one H200, 60 s on two.
# PM_GPU_BYTES: what a device's memory moves in a second (4.8e12: an H200).  PM_GPUS: how many devices.
: "${PM_GPU_BYTES:=4.8e12}" "${PM_GPUS:=1}" "${PM_LEVELS:=small large turns}"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
status=0

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_levels: there is no GPU here"
    exit
fi

# field KEY: its number in the answer
field()
{
    sed -n "s/.*\"$1\":\\([^,}]*\\)[,}].*/\\1/p" "$scratch/out"
}

# row "cube A B C" GPUS [OPTION...]: a line of the table
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
    note=$(sed -n 's/^pm-count: frontier: //p' "$scratch/err")
    kind=$(sed -n 's/.*"plan":\[{[^}]*"algorithm":"\([^"]*\)".*/\1/p' "$scratch/out")
    bytes=8
    test "$kind" = frontier-narrow && bytes=4
    awk -v name="$graph $*" -v gpus="$gpus" -v whole=$((ended - begun)) -v note="$note" \
        -v predicted="$(field predicted_seconds)" -v states="$(field states)" \
        -v operations="$(field operations)" -v memory="$(field memory)" \
        -v residues="$(field residues)" -v kind="$kind" -v bytes=$bytes -v same=$same \
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
        row "cube 6 6 8" "$PM_GPUS"
        row "cube 6 6 8" "$PM_GPUS" --max-memory=20G
        ;;
    large)
        row "cube 6 7 7" "$PM_GPUS" --seed=1
        test "$PM_GPUS" -gt 1 || row "cube 6 7 7" 1 --seed=2
        ;;
    turns)
        row "cube 5 7 12" 1
        test "$PM_GPUS" -eq 1 || row "cube 5 7 12" "$PM_GPUS"
        ;;
    esac
done
exit $status
