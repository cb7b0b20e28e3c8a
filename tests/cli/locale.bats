# SPDX-License-Identifier: GPL-3.0-or-later
# A locale whose decimal point is a comma changes no number, neither read nor written.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

# comma: the locale de_DE.UTF-8, made for the test; it is checked that it has the comma
comma() {
    command -v localedef > /dev/null || skip "no localedef"
    mkdir -p "$BATS_FILE_TMPDIR/locales"
    [ -e "$BATS_FILE_TMPDIR/locales/de_DE.UTF-8" ] ||
        localedef -i de_DE -f UTF-8 "$BATS_FILE_TMPDIR/locales/de_DE.UTF-8" > made 2>&1 ||
        skip "localedef: $(head -n 1 made)"
    export LOCPATH=$BATS_FILE_TMPDIR/locales
    [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ] || skip "the locale cannot be used"
    rm -f made
}

# same COMMAND...: the same output, messages and status in both locales
same() {
    local c=0 de=0
    LC_ALL=C "$@" > c.out 2> c.err || c=$?
    LC_ALL=de_DE.UTF-8 "$@" > de.out 2> de.err || de=$?
    [ "$c" -eq "$de" ]
    sed -i -e 's/"[a-z_]*seconds":[^,}]*,*//g' c.out de.out
    cmp c.out de.out
    cmp c.err de.err
}

setup() {
    small_graphs
    comma
}

@test "a decimal comma: numbers of every format" {
    printf '1.5 2e-3\n.25 -7.125\n' > dense
    printf 'a,x,1.5\na,y,2.25\nb,x,0.1\nb,y,3\n' > table
    printf 'a x 1.5\na y 2.25e1\nb x 0x1.8p1\nb y 0.1\n' > edges
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 0.1\n1 2 2.5\n2 1 1e-2\n' > m.mtx
    same pm-count --from=dense dense
    same pm-count --from=csv table
    for f in edges m.mtx; do
        for p in pm-count 'pm-count --json' 'pm-count --plan' pm-approx 'pm-approx --bounds' pm-dm 'pm-dm --stats' \
            pm-decompose pm-order 'pm-order --stats --json' 'pm-overlap --weight=product'; do
            same $p "$f"
        done
    done
    [ "$(LC_ALL=de_DE.UTF-8 pm-count edges)" = "$(pm-count edges)" ]
    # a comma is no point
    printf '1,5 2\n3 4\n' > comma
    same pm-count --from=dense comma
}

@test "a decimal comma: numbers of options, and of generated graphs" {
    same pm-gen erdos-renyi 20 0.25 --seed=1
    same pm-gen erdos-renyi 6 0.5 --seed=1 --weights=uniform
    same pm-count --max-cost=0.5 --time-limit=2.5 two.txt
    same pm-count --max-memory=1.5G two.txt
    same pm-approx --rel-err=0.125 --seed=1 two.txt
    same pm-count --max-cost=0,5 two.txt
    [ "$(LC_ALL=de_DE.UTF-8 pm-gen erdos-renyi 20 0,25 --seed=1 2>&1 | grep -c ,25)" -eq 1 ]
}
