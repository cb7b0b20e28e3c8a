# SPDX-License-Identifier: GPL-3.0-or-later
# Roots of unity as entries.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

# 1 to 11 are those of the definition, which tests/prop/prop_roots.c computes in exact arithmetic; 13, 15 and 17 have been computed in
# the same way once.  OEIS A003112 has the same numbers.
@test "permanents of Schur matrices" {
    while read -r n wanted; do
        [ "$(pm-gen schur $n | pm-count --precision=exact)" = "$wanted" ]
        [ "$(pm-gen schur $n | pm-count --precision=exact --verify --transpose)" = "$wanted" ]
    done <<< '1 1
3 -3
5 -5
6 0
7 -105
9 81
11 6765
13 175747
15 30375
17 25219857'
    [ "$(pm-gen schur 21 | pm-count --precision=exact --algorithm=necklace)" = 4548104883 ] # A003112
    [ "$(pm-gen schur 27 | pm-count --precision=exact --verify)" = 65230244418933 ] # the same
    [ "$(pm-gen schur 21 | pm-count --precision=exact --plan | cut -f4 | tail -n 1)" = necklace ]
    for algorithm in ryser necklace product-tree frontier repeated skipper; do
        [ "$(pm-gen schur 9 | pm-count --precision=exact --reduce=none --algorithm=$algorithm)" = 81 ]
    done
}

@test "sums of roots, with every kind of answer" {
    printf 'a x root(5)\na y 1/2\nb x -1/3*root(5)^2\nb y 2+root(5)^-1\n' > g
    wanted="1+2*root(5)-1/6*root(5)^2" # z (2 + 1/z) - z^2 / 6
    [ "$(pm-count --precision=exact g)" = "$wanted" ]
    [ "$(pm-count --precision=exact --json g | sed 's/.*"value":"\([^"]*\)","error":"\([^"]*\)".*/\1 \2/')" = "$wanted 0" ]
    [ "$(pm-count --precision=exact --digits=12 g)" = "$(printf '1.75287015448\t1.80414882387\t5.9e-12')" ]
    run -0 pm-count --precision=100 g
    [[ "$output" == 1.752870154479* ]]
    # rational, and a Gaussian number: root(8)^2 is i
    printf 'a x root(8)\na y 1\nb x 1\nb y root(8)\n' > h
    [ "$(pm-count --precision=exact h)" = "$(printf '1\t1')" ]
    # also where N is 12: root(12)^3 is i
    printf 'a x root(3)\nb y root(12)^-1\n' > h
    [ "$(pm-count --precision=exact h)" = "$(printf '0\t1')" ]
    printf 'a x root(3)\nb y root(12)^-1-1/2*root(3)^2\n' > h
    [ "$(pm-count --precision=exact h)" = "$(printf -- '-1/2\t1')" ]
    printf 'a x root(3)\na y root(3)\nb x root(3)\nb y 1\n' > h
    [ "$(pm-count --precision=exact h)" = -1 ]
    # entries that are added, and cancel
    printf 'a x 1\na x root(3)\na x root(3)^2\na y 1\nb x 1\nb y 1\n' > h
    [ "$(pm-count --precision=exact --duplicates=sum h)" = "$(printf '1\t0')" ]
}

@test "graphs, loops, copies, parts" {
    printf '1 2 root(5)\n2 3 1\n3 4 root(5)^3\n1 4 1/2\n1 3 1\n' > g
    [ "$(pm-count --graph --precision=exact g)" = "-1/2-root(5)-root(5)^2-root(5)^3" ] # z^4 + 1/2
    wanted=$(pm-count --graph --precision=exact --vertex-times=1,1,2,2 --loops='1/2*root(3)' g)
    for i in 1 2; do
        PM_LEDGER_SECONDS=1e-9 pm-count --graph --precision=exact --vertex-times=1,1,2,2 --loops='1/2*root(3)' --part=$i/2 g > part.$i
    done
    [ "$(pm-count --merge part.1 part.2)" = "$wanted" ]
    [[ "$wanted" == *root\(15\)* ]]
    printf 'root(7) 1 root(7)^2\n' > row
    [ "$(pm-count --from=dense --precision=exact --saturate row)" = "1+root(7)+root(7)^2" ]
    for i in 1 2; do
        [ "$(pm-gen schur 7 | pm-count --precision=exact --checkpoint=ck)" = -105 ]
    done
}

@test "tables of edges have roots and complex numbers" {
    printf 'a,x,root(3)\nb,y,1+2i\n' > f
    [ "$(pm-count --from=csv --precision=exact f)" = "-1-2*root(12)+root(12)^2" ]
    printf 'from,to,i\na,x,root(3)\nb,y,2\n' > f
    [ "$(pm-count --from=csv --precision=exact f)" = "2*root(3)" ]
    echo 'a,x,root(3)^' > f
    refuses 65 "expected a finite number, not 'root(3)^'" --from=csv f
}

@test "with another precision a root is the nearest number" {
    printf 'root(5) 0\n0 1\n' > g
    [ "$(pm-count --from=dense g | cut -f1,2)" = "$(printf '0.309016994374947\t0.951056516295154')" ] || pm-count --from=dense g
    run -0 pm-count --from=dense --precision=quad g
    [[ "$output" == 0.3090169943749474241022934171*$'\t'0.95105651629515357211643933337* ]]
    pm-gen schur 7 > s
    run -0 pm-count --precision=quad s
    [[ "$output" == -105$'\t'* ]]
}

@test "what is refused" {
    echo 'a x root(1001)' > g
    refuses 65 "expected root(n) with n from 1 to 1000" g
    echo 'a x root(3)^' > g
    refuses 65 "expected a finite number, not 'root(3)^'" g
    printf 'a x root(997)\nb y root(991)\n' > g
    refuses 69 "all roots of unity of the entries are powers of one root(n), and n is more than 1000" --precision=exact g
    pm-gen schur 5 > s
    refuses 64 "expected integers for a count modulo 7" --mod=7 s
    run -64 --separate-stderr pm-gen schur 5 --to=mtx
    [[ "$stderr" == *"a Matrix Market file has no roots of unity"* ]]
    printf 'a x 1e-5000root(840)\na y root(7)+root(840)\nb x root(3)\nb y 1\n' > many # short counts, but of many residues
    refuses 69 "counts of residues for a complex block would take about" --precision=exact --max-cost=0.1 many
    run -0 pm-count --precision=exact --max-cost=0.1 --plan many
    echo 'a x 0x1p-99999999' > far
    refuses 65 "expected a binary exponent from -4194304 to 4194304" --precision=exact far
    refuses 64 "'exa' is not one of single, double, kahan, dq, quad, exact, nor a number of bits from 64 to 1000000" --precision=exa s
}
