#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Vertices of general graphs with multiplicities: --vertex-times, and weights of loops.
# shellcheck disable=SC2154 # bats sets output

load filters
program=pm-count

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
    printf 'a b 2\nb c 3\na c 1\n' > tri
    printf 'a b 2\nb c 3\na c 1\na a 5\n' > own
}

count() {
    pm-count -q --graph "$@"
}

@test "copies of the vertices of a triangle" {
    printf '%s\n' 'a1 b1 2' 'a1 b2 2' 'a2 b1 2' 'a2 b2 2' 'b1 c1 3' 'b1 c2 3' 'b2 c1 3' 'b2 c2 3' \
        'a1 c1 1' 'a1 c2 1' 'a2 c1 1' 'a2 c2 1' > written
    [ "$(count written)" = 48 ]
    for algorithm in auto repeated hafnian frontier; do
        [ "$(count --algorithm=$algorithm --vertex-times=2,2,2 tri)" = 48 ]
    done
    [ "$(count --vertex-times=2,2,2 --verify tri)" = 48 ]
    [ "$(count --vertex-times=2,2,2 --order=given tri)" = 48 ]
    [ "$(count --vertex-times=2,2,2 --mod=7 tri)" = 6 ]
    [ "$(count --vertex-times=1,1,0 tri)" = 2 ]
    [ "$(count --vertex-times=0,0,0 tri)" = 1 ]
    [ "$(count --vertex-times=1,1,1 tri)" = 0 ]
    printf '2 2\n2\n' > list
    [ "$(count --vertex-times=@list tri)" = 48 ]
}

@test "an edge from a vertex to itself joins its copies; loops are given by --loops" {
    # a a b: the two a are joined (5) and b is left: no matching; a a b b: 5 * 0 + 2 * (2 * 2)
    [ "$(count --vertex-times=2,0,0 own)" = 5 ]
    [ "$(count --vertex-times=4,0,0 own)" = 75 ]
    [ "$(count --vertex-times=2,2,0 own)" = 8 ]
    [ "$(count --vertex-times=1,0,0 own)" = 0 ]
    # with --loops the same weight is that of leaving a copy alone
    [ "$(count --vertex-times=1,0,0 --loops own)" = 5 ]
    [ "$(count --vertex-times=2,0,0 --loops own)" = 30 ]
    # with a weight every copy may be alone: 5 + 3 * 3
    [ "$(count --vertex-times=2,0,0 --loops=3 own)" = 14 ]
    [ "$(count --vertex-times=2,0,0 --loops=0 own)" = 5 ]
    for algorithm in repeated hafnian frontier; do
        [ "$(count --algorithm=$algorithm --vertex-times=2,1,3 --loops=2 own)" = 862 ]
        [ "$(count --algorithm=$algorithm --vertex-times=2,1,3 own)" = 18 ]
    done
}

@test "thousands of copies are counted without writing them out" {
    local many
    many=$(is_short && echo 300 || echo 3000)
    printf 'a a\n' > one
    run -0 pm-count --graph --json --vertex-times=100 one # 99!!
    [[ "$output" == *'"value":"2725392139750729502980713245400918633290796330545803413734328823443106201171875"'* ]]
    [[ "$output" == *'"n":100,'* ]]
    [[ "$output" == *'"algorithm":"repeated"'* ]]
    [ "$(count --mod=1000003 --vertex-times=$many one)" = "$(count --mod=1000003 --algorithm=repeated --vertex-times=$many one)" ]
    printf 'a a\na b\nb b\n' > two
    [ "$(count --loops=1 --vertex-times=6,4 two)" = 9496 ] # involutions of 10
    run -69 --separate-stderr pm-count --graph --vertex-times=2147483647,2147483647 two
    [[ "$stderr" == *'2^31 vertices or more, with their copies'* ]]
}

@test "a checkpoint of a sum, stopped and gone on with" {
    printf 'a b 2\nb c 3\na c 1\nc d 5\na d 2\nb d 7\na a 1\n' > k4
    count --algorithm=repeated --vertex-times=30,30,30,30 --loops=2 k4 > whole
    PM_LEDGER_SECONDS=0 run pm-count -q --graph --algorithm=repeated --vertex-times=30,30,30,30 --loops=2 \
        --time-limit=0.1 --checkpoint=ck k4
    [ "$status" -eq 75 ] || [ "$status" -eq 0 ]
    [ "$(PM_LEDGER_SECONDS=0 count --algorithm=repeated --vertex-times=30,30,30,30 --loops=2 --checkpoint=ck k4)" = "$(cat whole)" ]
}

@test "bipartite graphs are taken as graphs on one set" {
    printf '1 2\n2 3\n' > path
    [ "$(count --vertex-times=1,2,1 path)" = 2 ]
    printf '%%%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 7\n2 1 3\n' > m.mtx
    [ "$(count --vertex-times=3,1 m.mtx)" = 63 ]
}

@test "a plan, existence and a matching with copies" {
    run -0 pm-count -q --graph --plan --vertex-times=8,8,8 tri
    [[ "$output" == *repeated* ]]
    [ "$(count --exists --vertex-times=2,2,2 tri)" = yes ]
    [ "$(count --exists --vertex-times=1,3,1 tri)" = no ]
    run -0 pm-count --graph --matching --json --vertex-times=2,2,2 tri
    [[ "$output" == *'"matching":[["a","b"],["a","c"],["b","c"]]'* ]]
    run -0 --separate-stderr pm-count -v --graph --vertex-times=1,3,1 tri
    [ "$output" = 0 ]
    [[ "$stderr" == *'no perfect matching'* ]]
}

@test "weights of loops of every field" {
    [ "$(count --loops=1+2i --table=value,value_imaginary tri | tail -1)" = $'-5\t10' ]
    [ "$(count --loops=1+2i --vertex-times=1,1,1 --table=value,value_imaginary tri | tail -1)" = $'-5\t10' ]
    [ "$(count --loops=0.5 --table=value tri | tail -1)" = 3.125 ]
    [ "$(count --loops=-i --table=value,value_imaginary tri | tail -1)" = $'0\t-5' ]
    [ "$(count --loops=2.0 tri)" = 20 ]
    printf 'a b 1+i\nb c 1\na c 1\n' > complex
    [ "$(count --loops=2 --table=value,value_imaginary complex | tail -1)" = $'14\t2' ]
    [ "$(count --loops=1e-3 --pattern --table=value tri | tail -1 | cut -c 1-11)" = 0.003000001 ]
    for weight in 1/3 nan 1+ much; do
        refuses 64 "--loops: expected an integer, a decimal number or a complex one such as 1+2i, not '$weight'" \
            --loops=$weight tri
    done
}

@test "many copies keep their digits" {
    # All edges have the weight 1/2: 127!! matchings of 128 vertices, over 2^64
    printf '.5 .5 .5 .5\n.5 .5 .5 .5\n.5 .5 .5 .5\n.5 .5 .5 .5\n' > halves
    value=$(count --from=dense --algorithm=repeated --vertex-times=32,32,32,32 --table=value halves | tail -1)
    [[ "$value" == 8.9310753040061023711751* ]]
    # 26 sets of edges and loops of five vertices, all with the weight 1
    printf '1 1 1 1\n1 1 1 1\n1 1 1 1\n1 1 1 1\n' > ones
    [ "$(count --from=dense --algorithm=repeated --loops --vertex-times=2,1,1,1 ones)" = 26 ]
}

@test "without walks, which are too many kinds of pairs for 34 vertices, the sum counts" {
    awk 'BEGIN { for (i = 1; i <= 34; ++i) { for (j = 1; j <= 34; ++j) printf "%d ", 1 + (i * j * (i + j)) % 101; print "" } }' > many
    # memory that is not 0 at first; the sum would take minutes, a refusal has the status 69
    MALLOC_PERTURB_=1 run -75 --separate-stderr pm-count -q --graph --from=dense --algorithm=repeated --time-limit=0.5 many
    [ -z "$output" ]
}

@test "walks over pairs end at a time limit" {
    # 8^6 coefficients: more than two seconds
    awk 'BEGIN { for (i = 1; i <= 12; ++i) { for (j = 1; j <= 12; ++j) printf "%d.5 ", (i * j * 7) % 11; print "" } }' > twelve
    run -75 --separate-stderr pm-count -q --graph --from=dense --algorithm=repeated -t1 --time-limit=0.5 \
        --vertex-times=7,7,7,7,7,7,7,7,7,7,7,7 twelve
    [ -z "$output" ]
}

@test "walks are compared with the copies written out, not only the sum over signs" {
    awk 'BEGIN { for (i = 1; i <= 8; ++i) { for (j = 1; j <= 8; ++j) printf "%d.5 ", (i * j * 7) % 11; print "" } }' > eight
    run -0 pm-count -q --graph --from=dense --plan --loops --vertex-times=2,2,2,2,2,2,2,2 eight
    [[ "${lines[1]}" == 1$'\t'16$'\t'64$'\t'repeated$'\t'* ]]
}

# stream WORDS LINE...: the triangle with a diagonal entry of 5
stream() {
    printf '%s\n' '%pm: stream 2' '%%MatrixMarket matrix coordinate integer symmetric' "%pm: graph$1" "${@:2}" \
        '3 3 4' '1 1 5' '2 1 2' '3 1 1' '3 2 3' '%pm: eof'
}

@test "copies of vertices in a stream, through every filter" {
    # with loops of 2, of the diagonal, and without loops: as --vertex-times with --loops=2, --loops and no --loops
    stream ' loops' '%pm: vertex-times 2 1' '%pm: vertex-times 3' '%pm: vertex-loops 2 2 2' > 862
    stream ' loops' '%pm: vertex-times 2 1 1' > 94
    stream '' '%pm: vertex-times 2 1 3' > 18
    [ "$(count --vertex-times=2,1,1 --loops own)" = 94 ]
    for value in 862 94 18; do
        [ "$(pm-count -q $value)" = $value ]
        [ "$(pm-count -q --algorithm=repeated $value)" = $value ]
        [ "$(pm-count -q --order=given $value)" = $value ]
        [ "$(pm-dm $value | pm-count -q)" = $value ]
        [ "$(pm-order $value | pm-count -q)" = $value ]
        [ "$(pm-decompose $value | pm-count -q)" = $value ]
        [ "$(pm-count -q --exists $value)" = yes ]
        [ "$(pm-approx -q $value | tail -1 | cut -f 1)" = $value ]
        sed '1d; $d' $value > cut.mtx # a file of its own
        [ "$(pm-count -q cut.mtx)" = $value ]
    done
    [ "$(pm-count -q --pattern 862)" = "$(count --pattern --vertex-times=2,1,3 --loops=1 own)" ]
    # thousands of copies are not written out
    stream '' '%pm: vertex-times 2000 2000 2000' > many
    [ "$(pm-count -q --mod=1000003 many)" = "$(count --mod=1000003 --vertex-times=2000,2000,2000 own)" ]
    refuses 65 '862:2: expected no vertex-times of the matrix besides --row-times and --col-times' --row-times=1,1,1 862
}

@test "a matrix that is read as a graph loses no line that changes its value" {
    for line in 'vertex-times 2 1 1' 'vertex-loops 2 2 2' 'row-times 1 1 2' 'col-times 1 1 2' 'count maximum'; do
        stream '' "%pm: $line" | sed '1d; $d' > cut.mtx
        refuses 65 "cut.mtx:3: expected no line %pm: ${line%% *} in a matrix that is read as a graph on one set of vertices" \
            --graph --loops cut.mtx
    done
    stream '' '%pm: name other' '%pm: order r1 r2 r3' '%pm:' | sed '1d; $d' > cut.mtx
    [ "$(count --loops cut.mtx)" = 15 ]
}

@test "options and inputs that are refused" {
    refuses 64 '--vertex-times excludes --row-times and --col-times' --vertex-times=1 --row-times=1 tri
    refuses 64 '--vertex-times excludes --saturate and --count' --vertex-times=1 --count=maximum tri
    refuses 64 '--vertex-times excludes --merge: the parts have the copies' \
        --vertex-times=1,1,1 --merge tri
    refuses 64 '--vertex-times excludes --bipartite' --vertex-times=1 --bipartite tri
    refuses 65 'tri:1: expected 3 numbers in --vertex-times, one for each vertex, not 2' \
        --graph --vertex-times=1,1 tri
    refuses 64 "--vertex-times: expected integers from 0 to 2147483647 and commas, not '-1'" \
        --graph --vertex-times=-1,1,1 tri
    printf '1 2\n3 4\n' > a
    refuses 65 'expected a graph on one set of vertices for copies of vertices, found rows and columns' \
        --from=dense --vertex-times=1,1 a
    pm-count --graph --vertex-times=1,1,0 tri
    printf '%%pm: stream 2\n%%pm: eof\n' > s
    refuses 64 's: the vertices of graphs in a pm stream get no copies; expected a graph in another format' \
        --vertex-times=1 s
    printf '0.5\n' > list
    refuses 65 "list:1: expected an integer from 0 to 2147483647, not '0.5'" --graph --vertex-times=@list tri
    seq 300 | sed 's/$/ 0 0.5/' | awk '{ print "a", "b" $1, 0.5 }' > star
    run -69 pm-count --graph --algorithm=repeated --vertex-times=@<(yes 1 | head -301) star
}
