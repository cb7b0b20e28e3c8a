# SPDX-License-Identifier: GPL-3.0-or-later
# A coordinate file of Matrix Market with at most `most` rows and columns as a matrix in text; nothing for
# other files.
NR == 1 {
    if (!/coordinate/ || /complex/) exit
    symmetric = !/general/
    pattern = /pattern/
}
/^%/ { next }
!rows {
    rows = $1; cols = $2
    if (rows > most || cols > most) { rows = 0; exit }
    next
}
{
    a[$1, $2] = pattern ? 1 : $3
    if (symmetric) a[$2, $1] = a[$1, $2]
}
END {
    for (i = 1; i <= rows; i++)
        for (j = 1; j <= cols; j++)
            printf "%s%s", (i, j) in a ? a[i, j] : 0, j < cols ? " " : "\n"
}
