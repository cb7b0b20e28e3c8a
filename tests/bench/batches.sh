#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Seconds of pm-count for 10,000 graphs of 50 edges in one stream, with one and with two threads, by
# the clock and of the processor: the fastest of five runs, the two by turns.  Then milliseconds of
# whole runs on one small graph: start-up.  PM_BENCH_COUNT: another number of graphs.
#
# Baseline of `ratio`: one thread, by the clock.  Limit: 2, where two processors are free; the line of
# two processes at once says whether they were.
if test ! -x /usr/bin/time; then
    echo '# batches: /usr/bin/time (Debian: time) is not installed'
    exit 0
fi
count=${PM_BENCH_COUNT:-10000}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# graphs N: N + N vertices, a perfect matching and other edges, 50 in all; fixed seed
graphs()
{
    awk -v n="$1" -v count="$count" 'BEGIN {
        srand(1)
        print "%pm: stream 1"
        for (g = 0; g < count; g++) {
            split("", seen)
            print "%%MatrixMarket matrix coordinate pattern general"
            print n, n, 50
            for (k = 1; k <= n; k++) { print k, k; seen[k, k] }
            while (k <= 50) {
                i = 1 + int(rand() * n)
                j = 1 + int(rand() * n)
                if ((i, j) in seen) continue
                seen[i, j]
                print i, j
                k++
            }
        }
        print "%pm: eof"
    }'
}

# seconds THREADS FILE: elapsed and of the processor
seconds()
{
    /usr/bin/time -f '%e %U %S' -o "$scratch/time" pm-count -t "$1" "$2" > /dev/null || exit
    awk '{ print $1, $2 + $3 }' "$scratch/time"
}

# fastest FILE
fastest()
{
    sort -g "$1" | head -n 1
}

printf '# n\tthreads\tseconds\tprocessor\tratio\n'
for n in 12 20; do
    graphs $n > "$scratch/batch"
    : > "$scratch/1"
    : > "$scratch/2"
    for _ in 1 2 3 4 5; do
        seconds 1 "$scratch/batch" >> "$scratch/1"
        seconds 2 "$scratch/batch" >> "$scratch/2"
    done
    for t in 1 2; do
        echo "$n $t $(fastest "$scratch/$t") $(fastest "$scratch/1")"
    done | awk '{ printf "%d\t%d\t%s\t%s\t%.2f\n", $1, $2, $3, $4, $5 / $3 }'
    if test $n -eq 12; then
        start=$(date +%s%N)
        pm-count -t 1 "$scratch/batch" > /dev/null &
        pm-count -t 1 "$scratch/batch" > /dev/null
        wait
        echo $(($(date +%s%N) - start)) | awk '{ printf "# two processes at once: %.2f s\n", $1 / 1e9 }'
    fi
done

printf '1 1\n1 2\n2 1\n2 2\n' > "$scratch/small"
for program in /bin/true pm-count; do
    start=$(date +%s%N)
    for _ in $(seq 200); do
        "$program" "$scratch/small" > /dev/null
    done
    echo "$program $(($(date +%s%N) - start))" \
        | awk '{ printf "# one run of %s: %.2f ms, the mean of 200\n", $1, $2 / 200 / 1e6 }'
done
