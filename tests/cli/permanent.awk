# SPDX-License-Identifier: GPL-3.0-or-later
# The permanent of an edge list with a size line, by its definition, row by row over the sets of
# used columns; for small graphs whose count is below 2^53.
/^# pm-edges / { rows = $3; columns = $4; next }
/^#/ { next }
{
    neighbours[$1] = neighbours[$1] " " $2
    weight[$1, $2] = NF > 2 ? $3 : 1
    if (last[$2] < $1) last[$2] = $1
}
function extend(row, used,    n, list, k, j) {
    n = split(neighbours[row], list, " ")
    for (k = 1; k <= n; k++) {
        j = list[k]
        if (substr(used, j, 1) == 0)
            after[substr(used, 1, j - 1) 1 substr(used, j + 1)] += value[used] * weight[row, j]
    }
}
# A column whose last row is done must have been used.
function may_go_on(row, used,    j) {
    for (j = 1; j <= columns; j++)
        if (last[j] == row && substr(used, j, 1) == 0) return 0
    return 1
}
END {
    none = all = ""
    for (j = 1; j <= columns; j++) { none = none 0; all = all 1 }
    value[none] = 1
    for (i = 1; i <= rows; i++) {
        for (used in value) extend(i, used)
        split("", value)
        for (used in after) if (may_go_on(i, used)) value[used] = after[used]
        split("", after)
    }
    printf "%.0f\n", rows == columns ? value[all] : 0
}
