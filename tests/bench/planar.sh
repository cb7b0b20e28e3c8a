#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Planar graphs, tori, and boards with a few chords, whole runs of pm-count: wall seconds (best of two;
# reading, planning and printing included), processor seconds, peak memory, and the seconds that the
# plan foretold; for those with chords also the determinants, and what the frontier would take.
if ! pm-count --version | grep -q METIS; then
    echo '# planar: built without libplanarity and METIS'
    exit 0
fi
if ! command -v /usr/bin/time > /dev/null; then
    echo '# planar: /usr/bin/time (Debian: time) is not installed'
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# wall seconds, processor seconds, KiB; the better of two
measure()
{
    for _ in 1 2; do
        /usr/bin/time -a -o "$folder/time" -f '%e %U %M' pm-count "$folder/graph" \
            > "$folder/answer" || exit
    done
    sort -n "$folder/time" | head -n 1
    rm "$folder/time"
}

printf '# graph\tn\tseconds\tprocessor\tpredicted\tMiB\tdigits\n'
while read -r graph; do
    # shellcheck disable=SC2086 # a family and its arguments
    pm-gen $graph > "$folder/graph" || exit
    plan=$(pm-count --plan "$folder/graph" | awk 'NR == 2 { print $2, $8 }')
    echo "$plan $(measure) $(cut -f 1 "$folder/answer" | tr -d '\n-' | wc -c)" \
        | awk -v OFS='\t' -v g="$graph" '{ print g, $1, $3, $4, $2, $5 / 1024, $6 }'
done << 'END'
grid 50 50
grid 100 100
grid 150 150
grid 200 200
grid 20 2000
aztec 60
aztec 100
hexagon 30
hexagon 60
planar 100 100 .7 --seed=1
torus 50 50
torus 100 100
grid 50 50 --integer=1:9 --seed=1
grid 50 50 --real --seed=1
grid 100 100 --real --seed=1
END

# with_chords K: the graph on standard input and K more entries, always the same
with_chords()
{
    awk -v k="$1" '
        { print }
        /^# pm-edges/ { rows = $3; cols = $4 }
        !/^[#%]/ { there[$1, $2] = 1 }
        function below(n) { x = (x * 1103515245 + 12345) % 2147483648; return int(x / 65536) % n }
        END {
            x = 1
            while (k > 0) {
                i = 1 + below(rows); j = 1 + below(cols)
                if (!((i, j) in there)) { there[i, j] = 1; print i, j; --k }
            }
        }'
}

# predict ARGUMENT...: seconds, of the plan
predict()
{
    timeout 60 pm-count --plan -q "$@" "$folder/graph" 2> "$folder/refused" | awk 'NR == 2 { print $8 }'
}

printf '# graph\tchords\tdeterminants\tseconds\tprocessor\tpredicted\tMiB\tfrontier, predicted\n'
while read -r side chords; do
    pm-gen grid "$side" "$side" > "$folder/board" || exit
    with_chords "$chords" < "$folder/board" > "$folder/graph"
    terms=$(pm-count --plan --json -q "$folder/graph" | sed 's/.*"splits":\([0-9]*\).*/\1/')
    echo "$(measure) $(predict) $(predict --algorithm=frontier --max-memory=1000000T)" \
        | awk -v OFS='\t' -v g="grid $side $side" -v k="$chords" -v t="$terms" \
            '{ print g, k, t, $1, $2, $4, $3 / 1024, $5 == "" ? "refused" : $5 }'
done << 'END'
20 1
20 4
30 1
30 4
30 8
50 1
50 4
50 8
100 1
100 2
100 4
END
