# SPDX-License-Identifier: GPL-3.0-or-later
# Counts without rounding: pm-count --precision=exact, --precision=BITS and --digits.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
}

@test "decimals and quotients mean themselves, in every text format" {
    printf '0.1 1/3\n-1/7 25e-2\n' > m
    run -0 pm-count --from=dense --precision=exact m
    [ "$output" = -19/840 ] # 1/40 - 1/21
    printf 'a x 0.1\na y 1/3\nb x -1/7\nb y 25e-2\n' > edges
    [ "$(pm-count --precision=exact edges)" = "$output" ]
    tr ' ' ',' < edges | sed '1i left,right,weight' > csv
    [ "$(pm-count --from=csv --precision=exact csv)" = "$output" ]
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 0.1\n1 2 1/3\n2 1 -1/7\n2 2 25e-2\n' > mtx
    [ "$(pm-count --precision=exact mtx)" = "$output" ]
}

@test "long lists, which are read in runs of lines; hexadecimal numbers; answers that cancel" {
    awk 'BEGIN { for (i = 1; i <= 40; ++i) print i, i, "0.1" }' > list
    wanted=1/1$(printf '%040d' 0)
    [ "$(pm-count --precision=exact list)" = "$wanted" ]
    sed '1i %%MatrixMarket matrix coordinate real general\n40 40 40' list > long.mtx
    [ "$(pm-count --precision=exact long.mtx)" = "$wanted" ]
    [ "$(echo 0x1.8p-3 | pm-count --precision=exact --from=dense)" = 3/16 ]
    printf '0.1 0.3\n0.3 -0.9\n' > zero
    [ "$(pm-count --from=dense --precision=exact zero)" = 0 ]
    [ "$(pm-count --from=dense --precision=64 zero)" = "$(printf '0\t0')" ]
    run -1 pm-count -e --from=dense --precision=exact zero
}

@test "general graphs, complex numbers, copies, other matchings" {
    printf '1 2 1/3\n2 3 0.1\n3 1 2\n3 4 1.5\n1 4 -2/9\n2 4 1\n' > g
    [ "$(pm-count --graph --precision=exact g)" = 223/90 ] # 1/3 * 3/2 - 2/90 + 2
    [ "$(pm-count --graph --loops=1/2 --precision=exact g)" = 2677/720 ]
    [ "$(pm-count --graph --precision=exact --vertex-times=1,1,1,1 g)" = 223/90 ]
    for weight in 0.1 1/10; do
        [ "$(pm-count --graph --loops=$weight --precision=exact --vertex-times=2,1,1,0 g)" = 13811/10000 ]
    done
    printf '1+i 1/2\n-1/3i 2\n' > c
    [ "$(pm-count --from=dense --precision=exact c)" = "$(printf '2\t11/6')" ]
    [ "$(pm-count --from=dense --precision=exact --verify c)" = "$(printf '2\t11/6')" ]
    [ "$(pm-count --from=dense --precision=exact --digits=3 c)" = "$(printf '2\t1.83\t0.0034')" ]
    run -0 pm-count --from=dense --precision=exact --json c
    [[ "$output" == *'"value":"2","value_imaginary":"11/6","error":"0"'* ]]
    printf '1/2 1/3 1/5\n' > row
    [ "$(pm-count --from=dense --precision=exact --saturate row)" = 31/30 ]
    [ "$(pm-count --from=dense --precision=exact --count=maximum row)" = 31/30 ]
    printf '1/2 1/3\n' > pair
    [ "$(pm-count --from=dense --precision=exact --row-times=2 pair)" = 1/3 ]
}

@test "BITS and --digits: decimal digits and a bound" {
    awk 'BEGIN { for (i = 0; i < 24; ++i) { for (j = 0; j < 24; ++j) printf "1/24 "; print "" } }' > n24
    wanted=2505147019375/5385144351531158470656 # 24! / 24^24
    [ "$(pm-count --from=dense --precision=exact n24)" = "$wanted" ]
    for a in ryser product-tree; do
        [ "$(pm-count --from=dense --precision=exact --reduce=none --algorithm=$a n24)" = "$wanted" ]
    done
    [ "$(pm-count --from=dense --precision=64 n24)" = "$(printf '4.65195889997398374756e-10\t6.2e-32')" ]
    run -0 pm-count --from=dense --precision=1000 n24
    [[ "$output" == 4.65195889997398374755938844367266909345735848* ]]
    [ "$(printf '%s' "${output%%$'\t'*}" | wc -c)" -gt 300 ]
    [ "$(pm-count --from=dense --precision=exact --digits=1 n24)" = "$(printf '5e-10\t3.5e-11')" ]
    # integers are whole, but for --digits
    pm-gen grid 8 8 > grid
    [ "$(pm-count --precision=64 grid)" = 12988816 ]
    [ "$(pm-count --precision=exact --digits=3 grid)" = "$(printf '1.3e+07\t1.2e+04')" ]
}

@test "--checkpoint takes fractions" {
    printf '1/3 0.1 2\n-1/7 3 1/2\n5 1 1\n' > r
    printf '1/3+i 0.1 2\n-1/7 3i 1/2\n5 1 1\n' > c
    for matrix in r c; do
        wanted=$(pm-count --from=dense --precision=exact $matrix)
        for run in first second; do
            [ "$(pm-count --from=dense --precision=exact --checkpoint=$matrix.ck $matrix)" = "$wanted" ]
        done
    done
}

# parts_equal FILE OPTION...: the merged parts give what pm-count says of the file
parts_equal() {
    local file=$1 i
    shift
    for i in 1 2 3; do
        PM_LEDGER_SECONDS=1e-9 pm-count --part=$i/3 "$@" $file > part.$i
    done
    [ "$(pm-count --merge part.2 part.3 part.1)" = "$(pm-count "$@" $file)" ]
}

@test "parts of exact counts: their streams have the numbers themselves" {
    # 0.1 as a decimal and as the double, which a short decimal would not tell apart
    printf '0.1 1/3 2\n-1/7 0x1.999999999999ap-4 1/2\n5 1e-7 3.5\n' > r
    printf '1/3+i 0.1 2\n-1/7 3i 1/2\n5 1 0x1.999999999999ap-4\n' > c
    for matrix in r c; do
        parts_equal $matrix --from=dense --precision=exact
        parts_equal $matrix --from=dense --precision=100
        parts_equal $matrix --from=dense --precision=exact --row-times=2,1,2 --col-times=1,2,2
        [ "$(pm-count --merge --digits=5 part.*)" = "$(pm-count --from=dense --precision=exact --digits=5 \
            --row-times=2,1,2 --col-times=1,2,2 $matrix)" ]
    done
    printf '1 2 0.1\n2 3 1/3\n3 1 -2/7\n' > g
    parts_equal g --graph --precision=exact --loops=1/3
    parts_equal g --graph --precision=exact --vertex-times=2,3,1 --loops=0.3
    parts_equal r --from=dense --precision=exact --count=maximum
    pm-gen ones 12 --real --seed=1 > long
    parts_equal long --precision=exact --algorithm=ryser
    PM_LEDGER_SECONDS=1e-9 pm-count --part=1/3 --checkpoint=ck --precision=exact --algorithm=ryser long > again
    cmp part.1 again
    refuses 64 "--merge takes the options of the parts, not --precision=exact" --merge --precision=exact part.1 part.2 part.3
    refuses 65 "missing of 3 parts: 2" --merge part.1 part.3
    PM_LEDGER_SECONDS=1e-9 pm-count --part=2/3 --algorithm=ryser long > other
    refuses 65 "it was written with the options '--algorithm=ryser', and this run has" --merge part.1 other part.3
    PM_LEDGER_SECONDS=1e-9 pm-count --part=1/1 --algorithm=ryser long > other
    refuses 64 "--digits needs --precision=exact" --merge --digits=3 other
}

@test "what is refused" {
    printf '0.1 0.2\n0.3 0.4\n' > r
    printf '1/3 1\n1 1\n' > m
    refuses 65 "not '1/3'; --precision=exact reads quotients" --from=dense m
    printf '1/0 1\n1 1\n' > m0
    refuses 65 "expected a finite number, not '1/0': a quotient is a number, / and a whole number above 0" --from=dense --precision=exact m0
    echo 1e100001 > far
    refuses 65 "expected an exponent from -100000 to 100000" --from=dense --precision=exact far
    pm-decompose --from=dense r > stream
    pm-gen erdos-renyi 6 1 --real=0:1 --seed=1 | pm-decompose > decimals
    refuses 69 "the real and complex numbers of a stream are doubles" --precision=exact decimals
    refuses 69 "the real and complex numbers of a stream are doubles" --precision=exact stream
    refuses 64 "expected integers for a count modulo" --mod=7 --from=dense r
    refuses 64 "'63' is not a number of bits from 64 to 1000000" --precision=63 r
    refuses 64 "--digits needs --precision=exact" --digits=5 r
    refuses 64 "--digits needs --precision=exact" --digits=5 --precision=100 r
    refuses 64 "has no meaning for --exists" --precision=exact --exists r
}

@test "how many bits an answer needs: in the plan, and in a refusal" {
    awk 'BEGIN { srand(1); for (i = 0; i < 48; ++i) { for (j = 0; j < 48; ++j) printf "0.%d ", 1 + int(1000 * rand()); print "" } }' > n48
    refuses 69 "without its denominators the answer has up to " --from=dense --precision=exact n48
    run -0 pm-count --from=dense --precision=200 --plan --json n48
    [[ "$output" =~ '"bits":'[1-9][0-9]+ ]]
}

@test "pm-decompose --precision=exact: streams of integers and fractions" {
    awk 'BEGIN { srand(2); for (i = 0; i < 9; ++i) for (j = 0; j < 4; ++j)
        printf "r%d c%d %d/%d\n", i, (i + 2 * j + (j > 1)) % 9, int(20 * rand()) - 20, 1 + int(30 * rand()) }' > g
    printf '1 2 1/3\n2 3 0.1\n3 1 2\n3 4 1.5\n1 4 -2/9\n2 4 1\n' > h
    for options in '' '--until-n=3 --min-degree=9'; do
        pm-decompose --precision=exact $options g > stream
        wanted=$(pm-count --precision=exact g)
        [[ "$wanted" == */* ]]
        [ "$(pm-count stream)" = "$wanted" ]
        [ "$(pm-count --precision=exact stream)" = "$wanted" ]
        [ "$(pm-decompose --graph --precision=exact $options h | pm-count)" = 223/90 ]
        [ "$(pm-decompose --graph --loops=1/2 --precision=exact $options h | pm-count)" = 2677/720 ]
    done
    program=pm-decompose
    refuses 64 "has no meaning for --stats" --precision=exact --stats g
}
