# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of pm-approx share.
load filters

program=pm-approx

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf 'a x\na y\nb x\nb y\n' > two.txt
    printf 'a x\nb x\n' > none.txt
    pm-gen erdos-renyi 24 0.3 --seed=3 --nonsingular > dense
    pm-gen grid 8 8 > grid
}

# columns of the first line that is no comment
field() { printf '%s\n' "$output" | grep -v '^#' | head -n 1 | cut -f "$1"; }

# near EXACT ESTIMATE REL_ERROR: within four standard errors
near() { awk -v t="$1" -v e="$2" -v s="$3" 'BEGIN { d = (e - t) / t; if (d < 0) d = -d; exit !(d <= 4 * s + 1e-12) }'; }
