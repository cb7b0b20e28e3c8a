#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# PARI's matpermanent on dense 0/1 matrices beside pm-count's ryser: nanoseconds a term of
# 2^(n-1), one thread, the best of three, whole processes (starting one takes milliseconds, which
# is most of pm-count's time here); both must print the same number.
if ! command -v gp > /dev/null; then
    echo '# dense_peers: gp (Debian: pari-gp) is not installed'
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# 0/1, one in two, from a linear congruential generator: rows of a PARI matrix
rows()
{
    awk -v n="$1" 'BEGIN {
        x = n
        for (i = 0; i < n; i++) {
            for (j = 0; j < n; j++) {
                x = (x * 16807) % 2147483647
                printf "%d%s", x % 2, j < n - 1 ? "," : ""
            }
            print i < n - 1 ? ";" : ""
        }
    }'
}

as_matrix_market()
{
    tr -d ';' | tr , ' ' | awk '
        { for (j = 1; j <= NF; j++) if ($j) entry[++k] = NR " " j }
        END {
            print "%%MatrixMarket matrix coordinate pattern general"
            print NR, NR, k
            for (i = 1; i <= k; i++) print entry[i]
        }'
}

# nanoseconds of a command, the best of three
best_of_three()
{
    best=
    for _ in 1 2 3; do
        start=$(date +%s%N)
        "$@" > "$folder/answer" || exit 1
        t=$(($(date +%s%N) - start))
        test -n "$best" && test "$best" -le $t || best=$t
    done
}

per_term()
{
    awk -v t="$best" -v n="$1" 'BEGIN { printf "%.4g", t / 2 ^ (n - 1) }'
}

echo '# quoted, not run here: FLINT of 2026-08, fmpz_mat_permanent, one core of another processor'
echo '# (2.5 GHz): 39.9 ns a term at n=20, 34-40 at n=24'
printf '# n\tPARI\tpm-count\tratio\n'
for n in 20 22; do
    rows $n > "$folder/rows"
    { printf 'print(matpermanent(['; tr -d '\n' < "$folder/rows"; echo ']))'; } > "$folder/in.gp"
    as_matrix_market < "$folder/rows" > "$folder/in.mtx"
    best_of_three gp -f -q "$folder/in.gp" < /dev/null
    theirs=$best answer=$(cat "$folder/answer") pari=$(per_term $n)
    best_of_three pm-count -t 1 --algorithm=ryser "$folder/in.mtx"
    if test "$answer" != "$(cat "$folder/answer")"; then
        echo "dense_peers: n=$n: $answer is not $(cat "$folder/answer")" >&2
        exit 1
    fi
    printf '%d\t%s\t%s\t%s\n' $n "$pari" "$(per_term $n)" \
        "$(awk -v a="$theirs" -v b="$best" 'BEGIN { printf "%.3g", a / b }')"
done
