#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What orders of rows and columns are worth, by pm-order --stats: random 0/1 matrices with the
# densities of Elbek and Kaya 2025 (n = 40, 45, 48; p = .1 to .5; seed 1), and the matrices in
# $PM_DATA/card and the random ones in $PM_DATA/synthetic, where that is set.
#
# First table: additions and multiplications of one of the 2^(n-1) terms.  dense: all row sums
# updated, all multiplied; SortOrder to rcm: products kept as a tree; eliminating: the tree in the
# order of elimination with its first columns eliminated.  Beside them the row sums that change in a
# term, and the indices that skipper visits, a share of the terms.
# Second table: registers of 32 bits that a thread needs for its row sums in double precision, 2 k,
# and c, the columns that touch no others, by Partitioning (algorithm 4) without PermanentOrdering
# and with it: what figure 5 of the paper shows.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

{
    for n in 40 45 48; do
        for p in .1 .2 .3 .4 .5; do
            file=$folder/n${n}_p$p
            pm-gen erdos-renyi "$n" "$p" --seed=1 --nonsingular > "$file" || exit
            echo "$file"
        done
    done
    if test -n "$PM_DATA"; then
        ls "$PM_DATA"/card/*.mtx "$PM_DATA"/synthetic/er_* 2> /dev/null
    fi
} > "$folder/list"

methods='none sort skip permanent rcm elimination'
for m in $methods; do
    pm-order --stats --method="$m" --files-from="$folder/list" > "$folder/$m" || exit
done

# column FIGURE METHOD
column()
{
    awk -F '\t' -v wanted="$1" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == wanted) column = k; next }
        { print column && $column != "-" ? sprintf("%.4g", $column) : "-" }' "$folder/$2"
}

# table HEADER FIGURE/METHOD...: names, and a column for each
table()
{
    printf '%b\n' "$1"
    shift
    sed 's|.*/||' "$folder/list" > "$folder/columns"
    for what; do
        column "${what%/*}" "${what#*/}" | paste "$folder/columns" - > "$folder/more"
        mv "$folder/more" "$folder/columns"
    done
    cat "$folder/columns"
}

table '# matrix\tnnz\tdense\tnone\tSortOrder\tSkipOrder\tPermanentOrdering\trcm\teliminating\tcolumns' \
    nnz/none dense/none tree/none tree/sort tree/skip tree/permanent tree/rcm \
    eliminating/elimination eliminated/elimination
echo
table '# matrix\tupdates, none\tSortOrder\tSkipOrder\tPermanentOrdering\tvisits, none\tSortOrder\tSkipOrder\tPermanentOrdering' \
    updates/none updates/sort updates/skip updates/permanent \
    visits/none visits/sort visits/skip visits/permanent
echo
table '# matrix\tregisters, none\tc\tPermanentOrdering\tc' \
    registers/none c/none registers/permanent c/permanent
