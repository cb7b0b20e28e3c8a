#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often the readers say that a file can be read in another way, for files with two sides (where
# that is a false alarm) and for graphs with one set of vertices (where silence is a miss).  Real
# files from $PM_DATA: its Matrix Market files, and edge lists made of them; and its graphs with one
# set of vertices (general/).  Random lists come from a fixed seed.  "simple" is the rule that looks
# only at the labels and at lists of both directions (readings.awk), "program" what is printed.
if test -z "${PM_DATA-}"; then
    echo '# readings: PM_DATA names no folder of matrices'
    exit 0
fi
here=${0%/*}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# The number of the files for which another reading is named
told()
{
    pm-count --exists "$@" 2>&1 > /dev/null | grep -c ': read as .*--graph'
}

# row NAME FILE...
row()
{
    name=$1
    shift
    test -e "$1" || return
    printf '%s\t%d\t%d\t%d\n' "$name" $# "$(awk -v task=simple -f "$here/readings.awk" "$@")" "$(told "$@")"
}

# entries FILE: those of a coordinate file, of a symmetric one both triangles
entries()
{
    awk 'NR == 1 { symmetric = tolower($0) !~ /general/ }
        /^%/ { next }
        !seen++ { next }
        { print $1, $2; if (symmetric && $1 != $2) print $2, $1 }' "$1"
}

# styles FOLDER NAME: the graphs with one set of vertices in FOLDER, written in several styles
styles()
{
    for style in given random renumbered both; do
        rm -rf "$folder/styled"
        mkdir "$folder/styled"
        for file in "$1"/*; do
            awk -v task=turn -v style=$style -f "$here/readings.awk" "$file" > "$folder/styled/${file##*/}"
        done
        row "$2, $style" "$folder/styled"/*
    done
}

printf '# Matrix Market files\tfiles\ttold\n'
for kind in 'pattern general' 'pattern symmetric' 'integer symmetric' 'real general' 'real symmetric'; do
    set --
    for file in "$PM_DATA"/*/*.mtx; do
        head -n 1 "$file" | grep -q "$kind" && set -- "$@" "$file"
    done
    test $# -eq 0 || printf '%s\t%d\t%d\n' "$kind" $# "$(told "$@")"
done

# The same matrices as text; the values are kept.
rm -rf "$folder/dense"
mkdir "$folder/dense"
for file in "$PM_DATA"/*/*.mtx; do
    awk -v most=300 -f "$here/dense.awk" "$file" > "$folder/dense/one" && test -s "$folder/dense/one" || continue
    mv "$folder/dense/one" "$folder/dense/$(echo "${file#"$PM_DATA"/}" | tr / _)"
done
set -- "$folder"/dense/*
printf 'as text (--from=dense), up to 300 rows\t%d\t%d\n' $# "$(told --from=dense "$@")"

printf '# edge lists with two sides\tlists\tsimple\tprogram (false alarms)\n'
mkdir "$folder/general" "$folder/symmetric" "$folder/graphs" "$folder/random"
for file in "$PM_DATA"/*/*.mtx; do
    kind=general
    head -n 1 "$file" | grep -q general || kind=symmetric
    entries "$file" > "$folder/$kind/$(echo "${file#"$PM_DATA"/}" | tr / _)"
done
row 'entries of general matrices' "$folder"/general/*
row 'entries of symmetric matrices' "$folder"/symmetric/*
for planted in 1 0; do
    for degree in 1.5 2 3 5; do
        for n in 5 20; do
            rm -f "$folder"/random/*
            awk -v task=random -v out="$folder/random/r" -v sides=2 -v n=$n -v degree=$degree \
                -v planted=$planted -v copies=500 -f "$here/readings.awk"
            row "random, planted=$planted, n = $n, mean degree $degree" "$folder"/random/*
        done
    done
done

printf '# edge lists with one set\tlists\tsimple\tprogram (the others are misses)\n'
row 'general/*.edges' "$PM_DATA"/general/*.edges
for file in "$PM_DATA"/suitesparse/*.mtx; do
    grep -q "^${file#"$PM_DATA"/}	" "$PM_DATA/general/references.tsv" 2> /dev/null || continue
    entries "$file" | awk '$1 != $2 { a = $1 < $2 ? $1 : $2; b = $1 + $2 - a
        if (!((a, b) in seen)) print a, b; seen[a, b] }' > "$folder/graphs/${file##*/}"
done
styles "$folder/graphs" 'graphs of matrices'
for family in grid tree cycle random; do
    rm -f "$folder"/random/*
    awk -v task=random -v out="$folder/random/r" -v sides=1 -v family=$family -v copies=300 \
        -f "$here/readings.awk"
    styles "$folder/random" "$family"
done
