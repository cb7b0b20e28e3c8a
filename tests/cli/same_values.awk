# SPDX-License-Identifier: GPL-3.0-or-later
# Do two ways agree?  Each line holds what pm-count -H says of one graph, twice, side by side:
#
#   paste direct through | awk -F '\t' -f same_values.awk
#
# Exact values agree to the digit, others within the sum of their errors (and the doubles of awk),
# far beyond the range of doubles too.
# Prints the lines that do not, and exits 1 if there are any, or none at all.
function exponent(s) { return s ~ /e/ ? substr(s, index(s, "e") + 1) + 0 : 0 }
function scaled(s, power,    e) {
    e = exponent(s) - power
    sub(/e.*/, "", s)
    return s * (e < -300 ? 0 : 10 ^ e)
}
function size(a) { return a < 0 ? -a : a }
{ n = NF / 2; bad = NF % 2 || $n != $NF }
n == 2 && $1 "" != $3 "" { bad = 1 } # as text: awk takes numbers for doubles
n > 2 {
    power = exponent($1)
    for (k = 2; k < NF; k++)
        if (k != n && exponent($k) > power) power = exponent($k)
    error = scaled($(n - 1), power) + scaled($(NF - 1), power)
    for (k = 1; k < n - 1; k++) {
        a = scaled($k, power)
        if (size(a - scaled($(n + k), power)) > error + 1e-12 * size(a)) bad = 1
    }
}
bad { print; found = 1 }
END { exit found || NR == 0 }
