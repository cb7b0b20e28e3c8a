#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nearly full graphs, one thread: processor seconds of whole runs of pm-count --algorithm=rook and what
# its plan foretold, beside what the plan without it foretells for the best other way.
if ! command -v /usr/bin/time > /dev/null; then
    echo '# nearly_full: /usr/bin/time (Debian: time) is not installed'
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# predict ALGORITHM: nominal seconds and bytes of one core; nothing where it refuses
predict()
{
    pm-count -q -t 1 --plan --max-cost=1e10 --algorithm="$1" "$folder/graph" 2> /dev/null \
        | awk 'NR == 2 { print $8, $7, name }' name="$1"
}

# without_bands N K: row i can have all columns but i .. i + K - 1, modulo N
without_bands()
{
    awk -v n="$1" -v k="$2" 'BEGIN {
        print "# pm-edges", n, n
        for (i = 0; i < n; ++i)
            for (j = 0; j < n; ++j)
                if ((j - i + n) % n >= k) print i + 1, j + 1
    }'
}

printf '# graph\tn\tentries\tprocessor\tpredicted\tMiB\tbest other, predicted\n'
while read -r family; do
    case $family in
    bands*) without_bands ${family#bands} ;;
    *) pm-gen $family ;;
    esac > "$folder/graph" || exit
    /usr/bin/time -o "$folder/time" -f '%U %S' \
        pm-count -q -t 1 --algorithm=rook "$folder/graph" > "$folder/answer" || exit
    size=$(pm-count -q --plan --algorithm=rook "$folder/graph" | awk 'NR == 2 { print $2, $3 }')
    other=$(for a in ryser frontier product-tree; do predict $a; done | sort -g | head -n 1)
    echo "$size $(cat "$folder/time") $(predict rook) $other" \
        | awk -v OFS='\t' -v g="$family" \
            '{ print g, $1, $2, $3 + $4, $5, $6 / 1048576, $8 == "" ? "refused" : $8 " (" $10 ")" }'
done << 'END'
bands 60 1
bands 60 2
bands 500 1
bands 40 5
erdos-renyi 30 0.8 --seed=1
erdos-renyi 30 0.9 --seed=1
erdos-renyi 40 0.9 --seed=1
erdos-renyi 60 0.95 --seed=1
END
