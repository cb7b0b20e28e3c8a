# SPDX-License-Identifier: GPL-3.0-or-later
# What the stream of a part carries of its inputs: multiplicities, and names; and parts of rook counts.
bats_require_minimum_version 1.5.0
load filters

setup() {
    cd "$BATS_TEST_TMPDIR"
    export PM_LEDGER_SECONDS=1e-9
}

# parts ARGUMENT...: the files part.1 to part.3
parts() {
    for i in 1 2 3; do
        pm-count --part=$i/3 "$@" > part.$i
    done
}

# merges ARGUMENT...: the parts give what pm-count says of the arguments
merges() {
    parts "$@"
    [ "$(pm-count --merge part.3 part.1 part.2)" = "$(pm-count "$@")" ]
}

@test "parts of a matrix with multiplicities, of the options and of a stream" {
    pm-gen ones 23 --integer=1:3 --seed=3 > a
    ones=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
    merges --row-times=3,0,2,$ones --col-times=2,1,2,$ones a
    grep '^%pm: part task' part.1
    grep -c '^%pm: row-times' part.1
    merges --row-times=3,0,2,$ones --col-times=2,1,2,$ones --algorithm=repeated --mod=1000003 a
    merges --col-times=0,2,1,$ones a
    pm-gen ones 22 --real --seed=3 > c
    merges --row-times=3,1,$ones --col-times=2,2,$ones c
    # small enough to be counted by every part, and by --merge
    pm-gen ones 3 --integer=1:9 --seed=1 > b
    merges --row-times=2,1,4 --col-times=3,3,1 b
    printf '%s\n' '%pm: stream 2' '%%MatrixMarket matrix coordinate integer general' \
        '%pm: row-times 3' '%pm: col-times 2 1' '1 2 2' '1 1 2' '1 2 5' '%pm: eof' > stream
    [ "$(pm-count stream)" = 120 ]
    merges stream
    # other multiplicities are another count
    parts --row-times=2,1,4 --col-times=3,3,1 b
    pm-count --part=2/3 --row-times=2,2,3 --col-times=3,3,1 b > part.2
    run -65 --separate-stderr pm-count --merge part.1 part.2 part.3
    [[ $stderr == *'part.2'*'a part of another count'* ]]
}

@test "parts of a graph with repeated vertices: each has primes of its own" {
    for i in $(seq 0 23); do
        for j in $(seq $((i + 1)) 23); do
            a=$((i % 6)) b=$((j % 6))
            [ $a -lt $b ] || { a=$((j % 6)) b=$((i % 6)); }
            echo "v$i v$j $((3 * a + b * b + 1))"
        done
    done > copies
    merges --graph --algorithm=repeated copies
    for i in 1 2 3; do
        grep -q '^%pm: part task .* walks' part.$i
        grep -qx "%pm: part done $((i - 1)) $i" part.$i
    done
}

@test "parts of a graph with copies and loops of vertices, whose streams have them" {
    pm-gen complete 6 --integer=-9:9 --seed=4 > six
    echo '1 1 5' >> six
    # large enough for several primes
    merges -q --graph --vertex-times=7,6,5,4,3,3 --algorithm=repeated six
    grep -q '^%pm: part done' part.2
    grep -qx '%pm: vertex-times 7 6 5 4 3 3' part.2
    merges -q --graph --vertex-times=7,6,5,4,3,3 --loops six
    merges -q --graph --vertex-times=7,6,5,4,3,3 --loops=-2 --algorithm=hafnian six
    parts -q --graph --vertex-times=2,1,0,1,1,2 --loops=1+2i six
    [ "$(pm-count --merge --table=value,value_imaginary part.1 part.2 part.3)" = \
        "$(pm-count -q --graph --vertex-times=2,1,0,1,1,2 --loops=1+2i --table=value,value_imaginary six)" ]
    grep -qx '%pm: vertex-loops (1.0,2.0) (1.0,2.0) (1.0,2.0) (1.0,2.0) (1.0,2.0) (1.0,2.0)' part.1
    # other copies are another count
    pm-count -q --graph --vertex-times=2,1,0,1,2,1 --loops=1+2i --part=2/3 six > part.2
    run -65 --separate-stderr pm-count --merge part.1 part.2 part.3
    [[ $stderr == *'a part of another count'* ]]
}

@test "parts of rook counts" {
    for i in $(seq 40); do
        row=
        for j in $(seq 40); do
            d=$(((j - i + 40) % 40))
            row="$row $((d < 2 ? i % 3 + 2 : 1))"
        done
        echo "$row"
    done > board
    merges --from=dense --algorithm=rook board
    grep '^%pm: part task .* residues' part.2
    merges --from=dense --algorithm=rook --verify board
}

@test "merged answers have the names of the files that the parts were made of" {
    pm-gen grid 8 8 > grid
    pm-gen regular 26 6 --seed=1 > sparse
    printf '%s\n' '%pm: stream 1' '%%MatrixMarket matrix coordinate pattern general' '1 1 1' '1 1' \
        '%%MatrixMarket matrix coordinate pattern general' '%pm: name own' '1 1 1' '1 1' \
        '%%MatrixMarket matrix coordinate pattern general' '1 1 1' '1 1' '%pm: eof' > stream
    parts grid stream sparse
    pm-count --merge part.2 part.1 part.3 > merged
    pm-count grid stream sparse > direct
    cmp direct merged
    [[ $(pm-count --json --merge part.2 part.1 part.3) == *'"name":"own"'*'"name":"stream:3"'*'"name":"sparse"'* ]]
    # the graphs may have other names where another part is done
    mkdir other
    cp grid sparse stream other
    pm-count --part=2/3 other/grid other/stream other/sparse > part.2
    pm-count --merge part.1 part.2 part.3 > merged
    cmp direct merged
    # standard input has no name
    for i in 1 2 3; do
        pm-count --part=$i/3 < grid > part.$i
    done
    run -1 grep '^%pm: name' part.1
    # one answer has its name with -H, as that of one input
    parts grid
    [ "$(pm-count --merge part.1 part.2 part.3)" = "$(pm-count grid)" ]
    [ "$(pm-count -H --merge part.1 part.2 part.3)" = "$(pm-count -H grid)" ]
}
