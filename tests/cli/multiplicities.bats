#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows and columns with multiplicities: --row-times, --col-times, and those of a stream.
# shellcheck disable=SC2154 # bats sets output

load filters
program=pm-count

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
    printf '1 2\n3 4\n' > a
}

count() {
    pm-count -q --from=dense "$@"
}

@test "a full matrix with thousands of copies is planned without writing them out" {
    printf '1 2 3\n4 5 6\n7 8 9\n' > three
    for copies in 1000,1000,1000 1500,1500,0; do
        run -0 --separate-stderr count --time-limit=20 --plan --row-times=$copies --col-times=$copies three
        [[ "${lines[1]:-${lines[0]}}" =~ repeated ]]
    done
    run -69 count --max-cost=1 --row-times=1000,1000,1000 --col-times=1000,1000,1000 three
}

@test "so is a matrix with a 0 that has no blocks" {
    printf '1 2 3\n4 0 5\n6 7 8\n' > zero
    run -0 --separate-stderr count --json --plan --row-times=600,600,600 --col-times=600,600,600 zero
    [[ "$output" =~ '"n":1800,"nnz":8,"algorithm":"repeated"' ]]
    # the row with the 0 takes all columns but those of its 0: blocks
    run -0 --separate-stderr count --json --plan --row-times=5,10,5 --col-times=5,10,5 zero
    [[ ! "$output" =~ '"n":20,"nnz":8,' ]]
}

@test "a matrix with zeros and hundreds of copies is planned in seconds" {
    is_short && skip "a sanitizer takes several times longer"
    printf '1 2 0 3\n4 5 6 0\n0 7 8 9\n3 0 2 5\n' > zeros
    ulimit -t 9
    run -0 --separate-stderr count -t1 --plan --row-times=200,200,200,200 --col-times=200,200,200,200 zeros
    [[ "${lines[1]}" == 1$'\t800\t2400\t'* ]]
}

@test "multiplicities of rows and columns" {
    [ "$(count --row-times=2,1 --col-times=1,2 a)" = 56 ] # rows (1 2 2) twice, (3 4 4)
    [ "$(count --row-times=2,0 --col-times=1,1 a)" = 4 ]
    [ "$(count --row-times=1,0 --col-times=0,1 a)" = 2 ]
    [ "$(count --row-times=0,0 --col-times=0,0 a)" = 1 ]
    printf '1 1 2\n1 1 2\n3 3 4\n' > copies
    [ "$(count --row-times=2,1 --col-times=2,1 a)" = "$(count copies)" ]
    [ "$(count --mod=7 --row-times=2,1 --col-times=2,1 a)" = "$(count --mod=7 copies)" ]
    [ "$(count --algorithm=repeated copies)" = "$(count copies)" ]
    [ "$(count --verify --row-times=2,1 --col-times=2,1 a)" = "$(count copies)" ]
    [ "$(count --order=given --row-times=2,1 --col-times=2,1 a)" = "$(count copies)" ]
}

@test "every algorithm takes multiplicities, and the same matchings are counted" {
    for algorithm in frontier ryser sparyser skipper enumerate product-tree repeated; do
        [ "$(count --algorithm=$algorithm --row-times=3,1 --col-times=2,2 a)" = 240 ]
    done
    [ "$(count --saturate --row-times=1,0 --col-times=1,2 a)" = 5 ]
    [ "$(count --transpose --row-times=3,1 --col-times=2,2 a)" = 240 ]
}

@test "no copies are written where there would be too many" {
    printf '1\n' > one # n copies of the row and of the column: n!
    [ "$(count --row-times=20 --col-times=20 one)" = 2432902008176640000 ]
    run pm-count --json --from=dense --row-times=300,300 --col-times=300,300 a
    [ "$status" -eq 0 ]
    [[ "$output" == *'"n":600,"nnz":360000,'* ]]
    [[ "$output" == *'"algorithm":"repeated"'* ]]
}

@test "multiplicities of a stream" {
    {
        echo '%pm: stream 2'
        for _ in 1 2 3; do
            printf '%%%%MatrixMarket matrix array integer general\n%%pm: row-times 2 1\n'
            printf '%%pm: col-times 1 2\n2 2\n1\n3\n2\n4\n'
        done
        echo '%pm: begin product'
        printf '%%%%MatrixMarket matrix array integer general\n%%pm: col-times 2 0\n2 2\n1\n3\n2\n4\n'
        printf '%%pm: factor 5\n%%pm: end\n%%pm: eof\n'
    } > s
    for threads in 1 3; do
        [ "$(pm-count -t $threads s | tr '\n' ' ')" = '56 56 56 30 ' ]
    done
    [ "$(pm-count --exists s | tr '\n' ' ')" = 'yes yes yes yes ' ]
    [ "$(pm-approx s | sed 1d | cut -f 1 | tr '\n' ' ')" = '56 56 56 30 ' ]
    [ "$(pm-decompose -q s | pm-count | tr '\n' ' ')" = '56 56 56 30 ' ]
}

@test "lists in files, as text and as arrays" {
    printf '2\n1\n' > rows
    [ "$(count --row-times=@rows --col-times='1 2' a)" = 56 ]
    printf '1,\t2 \r\n' > cols
    [ "$(count --row-times=@rows --col-times=@cols a)" = 56 ]
    { printf '\x93NUMPY\x01\x00\x46\x00'
        printf "%-69s\n" "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }"
        printf '\x01\x00\x02\x00'; } > cols.npy
    [ "$(count --row-times=@rows --col-times=@cols.npy a)" = 56 ]
}

@test "lists that are refused" {
    refuses 64 "--row-times: expected integers from 0 to 2147483647 and commas, not '-1'" \
        --row-times=2,-1 --from=dense a
    refuses 64 "--col-times: expected integers from 0 to 2147483647 and commas, not '1.5'" \
        --col-times=1.5 --from=dense a
    refuses 65 'a:1: expected 2 numbers in --row-times, one for each row, not 3' \
        --row-times=1,1,1 --from=dense a
    refuses 65 'a:1: expected 2 numbers in --col-times, one for each column, not 1' \
        --col-times=2 --from=dense a
    for list in 1,1, ,1,1 1,,1; do
        refuses 64 '--row-times: expected a number before and after each comma' \
            --row-times=$list --from=dense a
    done
    printf '1,\n1,\n' > comma
    refuses 65 '--row-times: comma:2: expected a number before and after each comma' \
        --row-times=@comma --from=dense a
    refuses 64 '--row-times: expected the name of a file after @' --row-times=@ --from=dense a
    refuses 64 "expected integers from 0 to 2147483647 and commas, not '2147483648'" \
        --row-times=2147483648,1 --from=dense a
    printf '1 x\n' > bad
    refuses 65 "bad:1: expected an integer from 0 to 2147483647, not 'x'" \
        --row-times=@bad --from=dense a
    refuses 66 'none' --row-times=@none --from=dense a
    printf '%%pm: stream 2\n%%%%MatrixMarket matrix array integer general\n%%pm: row-times 1 1\n' > s
    printf '2 2\n1\n2\n3\n4\n%%pm: eof\n' >> s
    refuses 65 's:2: expected no row-times and col-times of the matrix besides --row-times and --col-times' \
        --row-times=1,1 s
    refuses 65 's:2: expected no row-times and col-times of the matrix besides --row-times and --col-times' \
        --row-times=1,1 --exists s
}

@test "other numbers of rows than of columns, with copies: no perfect matching, by options and in a stream" {
    head='%%pm: stream 2\n%%%%MatrixMarket matrix array integer general\n'
    printf "$head%%pm: row-times 2 1\n2 2\n1\n3\n2\n4\n%%pm: eof\n" > s
    why='the sides differ (3 x 2), so there is no perfect matching'
    for input in '--from=dense --row-times=2,1 a' s; do
        run -0 --separate-stderr pm-count $input
        [ "$output" = 0 ]
        [[ "$stderr" == *"$why"* ]]
        [ "$(pm-count -q --exists $input)" = no ]
        [[ "$(pm-count -q --matching $input)" == '# no perfect matching: the rows {1, 2, 3}'* ]]
        [ "$(pm-count --saturate $input)" = 24 ]
    done
    [ "$(count --exists --row-times=2,1 --col-times=1,2 a)" = yes ]
    [ "$(count --matching --row-times=2,1 --col-times=1,2 a | grep -vc '^#')" -eq 3 ]
}

@test "real matrices with more rows than their sum takes are written out" {
    printf '1.5 2\n3 4.25\n' > real
    refuses 69 'repeated counts real and complex matrices of up to 640 rows, not 800; without --algorithm' \
        --algorithm=repeated --from=dense --row-times=400,400 --col-times=400,400 real
    [[ "$(count --row-times=400,400 --col-times=400,400 real)" == 2.840044192567754* ]]
    printf '1.5 2 3\n3 4.25 1\n2 2 1\n' > real
    run -69 count --max-cost=0.01 --row-times=400,400,400 --col-times=400,400,400 real
    [[ "$output" != *'640 rows'* ]]
}

@test "a refusal names --algorithm only where it was given" {
    printf '1 2 3\n4 5 6\n7 8 9\n' > three
    times="--row-times=1000,1000,1000 --col-times=1000,1000,1000"
    run -69 count --max-cost=1 $times three
    [[ "$output" != *--algorithm* ]]
    run -69 count --max-cost=1 --algorithm=repeated $times three
    [[ "$output" == *'without --algorithm'* ]]
}

@test "real matrices with hundreds of copies keep their digits" {
    printf '.5 .3\n.5 .7\n' > real
    [[ "$(count --row-times=100,100 --col-times=100,100 real)" == 7.06051514936249645195* ]]
    [[ "$(count --algorithm=frontier --row-times=100,100 --col-times=100,100 real)" == 7.06051514936249645195* ]]
    [[ "$(count --row-times=20,20 --col-times=20,20 real)" == 3.23605533481937789547* ]]
}
