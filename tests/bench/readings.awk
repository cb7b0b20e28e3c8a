# SPDX-License-Identifier: GPL-3.0-or-later
# Edge lists for readings.sh.
#   -v task=random -v out=PREFIX -v sides=2 -v n=N -v degree=D -v copies=C
#       files PREFIX.1 .. PREFIX.C: random lists with two sides of n vertices, with a perfect
#       matching if planted=1; sides=1: a graph of the family `family` (grid, tree, cycle, random)
#   -v task=turn -v style=STYLE    one set: the edges of the standard input in another style:
#       given, random (directions), renumbered (and random directions), both (directions)
#   -v task=simple FILE...         how many of the files the simple rule tells: labels on both sides
#       that are not 1..n or 0..n-1 on both, or every edge in both directions and none to itself
function swap(a, b) { return rand() < .5 ? a " " b : b " " a }

function two_sides(file,    i, j, k, at, p, seen) {
    for (i = 1; i <= n; i++) p[i] = i
    for (i = n; i > 1; i--) { j = 1 + int(rand() * i); k = p[i]; p[i] = p[j]; p[j] = k }
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
            if ((planted && p[i] == j) || rand() < (degree - planted) / n) print i, j > file
}

function one_set(file,    a, b, i, j) {
    a = 2 + int(rand() * 5); b = 2 + int(rand() * 5)
    if (family == "grid")
        for (i = 0; i < a; i++)
            for (j = 0; j < b; j++) {
                if (j + 1 < b) print i * b + j, i * b + j + 1 > file
                if (i + 1 < a) print i * b + j, i * b + j + b > file
            }
    else if (family == "tree")
        for (i = 1; i < a * b; i++) print int(rand() * i), i > file
    else if (family == "cycle")
        for (i = 0; i < 2 * a; i++) print i, (i + 1) % (2 * a) > file
    else
        for (i = 1; i < a * b; i++)
            for (j = 0; j < i; j++)
                if (j == int(i / 2) || rand() < 1 / (a * b)) print j, i > file
}

function judge(    e, u, v, loop, twice, shared, gaps) {
    for (e in edge) {
        split(e, end, SUBSEP)
        left[end[1]]; right[end[2]]
        loop = loop || end[1] == end[2]
        twice += (end[2], end[1]) in edge
    }
    for (u in left) shared = shared || u in right
    gaps = first_of(left) < 0 || first_of(left) != first_of(right)
    told += shared && (gaps || (twice == edges && !loop))
    split("", edge); split("", left); split("", right); edges = 0
}

function first_of(labels,    u, n, least, most) {
    for (u in labels) {
        if (u !~ /^[0-9]+$/) return -1
        if (!n++) least = most = u + 0
        if (u + 0 < least) least = u + 0
        if (u + 0 > most) most = u + 0
    }
    return least <= 1 && most - least + 1 == n ? least : -1
}

BEGIN {
    srand(1)
    if (task == "random") {
        for (c = 1; c <= copies; c++) {
            if (sides == 2) two_sides(out "." c)
            else one_set(out "." c)
            close(out "." c)
        }
        exit
    }
}
task == "turn" && !/^[#%]/ && NF >= 2 {
    u[++m] = $1; v[m] = $2
    for (k = 1; k <= 2; k++)
        if (!($k in number)) { number[$k] = ++vertices; place[vertices] = $k }
}
task == "simple" && FNR == 1 && NR > 1 { judge() }
task == "simple" && !/^[#%]/ && NF >= 2 { edges += !(($1, $2) in edge); edge[$1, $2] }
END {
    if (task == "simple") { judge(); print told + 0 }
    for (i = vertices; style == "renumbered" && i > 1; i--) {
        j = 1 + int(rand() * i); x = place[i]; place[i] = place[j]; place[j] = x
    }
    for (e = 1; e <= m; e++) {
        a = place[number[u[e]]]; b = place[number[v[e]]]
        if (style == "random" || style == "renumbered") print swap(a, b)
        else print a, b
        if (style == "both") print b, a
    }
}
