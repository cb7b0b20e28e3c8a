#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole-process seconds and memory of "pm-count --pattern" on real graphs in $PM_DATA, best of
# three.  Baseline of the ratios: the seconds published for the same matrices.
if test -z "${PM_DATA-}"; then
    echo '# real_graphs: PM_DATA names no folder of matrices'
    exit 0
fi
# name, published seconds and where: H200 is SUperman 2026, Table 5; A100 Elbek and Kaya 2025,
# Table IV; or none
published='curtis54 1362.9 H200
west0067 25093 H200
will57 65.89 H200
d_ss 0.92 H200
bcspwr02 0.40 H200
mycielskian6 477.8 A100
er_n48_p10_s1 - -
er_n48_p10_s2 - -
ww_36_pmec_36 0.42 H200
mesh1e1 860.2 A100
reg3_n80 - -
grid_24x24 - -
bcsstk01 882.9 A100'

seconds_of()
{
    best=
    for _ in 1 2 3; do
        start=$(date +%s%N)
        pm-count --pattern "$1" > /dev/null || return
        t=$((($(date +%s%N) - start) / 1000))
        test -n "$best" && test "$best" -le $t || best=$t
    done
    echo "$best" | awk '{ printf "%.4f", $1 / 1e6 }'
}

printf '# matrix\tseconds\tpublished\ton\tratio\n'
echo "$published" | while read -r name was card; do
    file=$(find "$PM_DATA" -name "$name.mtx" | head -n 1)
    test -n "$file" || continue
    now=$(seconds_of "$file") || exit
    ratio=-
    test "$was" = - || ratio=$(awk "BEGIN { printf \"%.3g\", $was / $now }")
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$now" "$was" "$card" "$ratio"
done
