# SPDX-License-Identifier: GPL-3.0-or-later
# pm-dm from outside: decompositions, certificates, pictures and streams.
bats_require_minimum_version 1.5.0
load filters

program=pm-dm

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    # blocks {e}{v}, {a,b}{x,y}, {c,d}{z,w}; b-z and e-w lie in no perfect matching
    printf '%s\n' 'a x' 'a y' 'b x' 'b y' 'b z' 'c z' 'c w' 'd w' 'd z' 'e w' 'e v' > five.txt
    printf 'a x\nb x\n' > none.txt
    # row 1 over columns 1 2; rows 2 3 square; row 4 alone; rows 5 6 over column 6
    printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '6 6 12' '1 1' '1 2' '2 3' \
        '2 4' '2 5' '3 3' '3 4' '3 6' '4 5' '5 6' '6 6' '4 6' > parts.mtx
}

# same_values FILE...: what pm-count says of the files, and of what pm-dm makes of them.  Exact
# values agree to the digit, others within their errors (and the doubles of awk).
same_values() {
    pm-count -H "$@" > direct
    pm-dm -H "$@" | pm-count -H | as_before "$@"
}

@test "a graph becomes the product of its blocks, with labels, without the other edges" {
    run -0 pm-dm --no-version five.txt
    [ "$output" = "$(cat << 'END'
%pm: stream 1
%pm: begin product
%%MatrixMarket matrix coordinate pattern general
%pm: rows e
%pm: cols v
1 1 1
1 1
%%MatrixMarket matrix coordinate pattern general
%pm: rows a b
%pm: cols x y
2 2 4
1 1
1 2
2 1
2 2
%%MatrixMarket matrix coordinate pattern general
%pm: rows c d
%pm: cols z w
2 2 4
1 1
1 2
2 1
2 2
%pm: end
%pm: eof
END
)" ]
    [ "$(pm-dm five.txt | sed -n 2p)" = "%pm: made-by $(pm-dm --version | head -n 1)" ]
    [ "$(pm-dm --pattern --duplicates=sum five.txt | sed -n 2p)" = \
        "%pm: made-by $(pm-dm --version | head -n 1) --pattern --duplicates=sum" ]
    [ "$(pm-dm < five.txt)" = "$(pm-dm five.txt)" ]
    [ "$(gzip -c five.txt | pm-dm -)" = "$(pm-dm five.txt)" ]
}

@test "rows and columns without labels are called by their numbers, unless they keep them" {
    printf '%s\n' '%%MatrixMarket matrix coordinate integer general' '3 3 4' '1 1 2' '2 3 -5' \
        '3 2 7' '1 2 9' > m
    run -0 pm-dm --no-version m
    [ "$output" = "$(cat << 'END'
%pm: stream 1
%pm: begin product
%%MatrixMarket matrix coordinate integer general
%pm: rows 2
%pm: cols 3
1 1 1
1 1 -5
%%MatrixMarket matrix coordinate integer general
1 1 1
1 1 2
%%MatrixMarket matrix coordinate integer general
%pm: rows 3
%pm: cols 2
1 1 1
1 1 7
%pm: end
%pm: eof
END
)" ]
    [ "$(pm-dm m | pm-count)" = -70 ]
    printf '1 1\n1 2\n2 1\n2 2\n' > whole
    run ! grep -E 'rows|cols' <(pm-dm whole)
}

@test "a graph without a perfect matching stays, a part loses its edges" {
    run -0 --separate-stderr pm-dm --no-version none.txt
    [ "$output" = "$(printf '%s\n' '%pm: stream 1' '%%MatrixMarket matrix coordinate pattern general' \
        '%pm: rows a b' '%pm: cols x' '2 1 2' '1 1' '2 1' '%pm: eof')" ]
    { echo '%pm: stream 1'; echo '%pm: begin sum'; pm-order --no-version none.txt | sed '1d; $d'
        echo '%pm: end'; echo '%pm: eof'; } > part
    [[ "$(pm-dm --no-version part)" == *'2 1 0'* ]]
    [ -z "$stderr" ]
    run -0 --separate-stderr pm-dm -v parts.mtx
    [[ "$stderr" == *"parts.mtx: no perfect matching: the "*" have only the neighbours {"* ]]
    [[ "$output" == *"6 6 12"* ]]
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 0\n' > c.mtx
    [ "$(pm-dm c.mtx | pm-count)" = "$(pm-count c.mtx)" ]
    [ "$(pm-dm none.txt | pm-count)" = 0 ]
}

@test "graphs without vertices and without edges" {
    echo '# pm-edges 0 0' > f
    [ "$(pm-dm f | pm-count)" = 1 ]
    printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' > r
    [ "$(pm-dm r | pm-count)" = "$(pm-count r)" ]
    echo '# pm-edges 3 3' > f
    [ "$(pm-dm f | pm-count)" = 0 ]
    echo '# pm-edges 0 3' > f
    [ "$(pm-dm f | pm-count)" = 0 ]
    [ "$(pm-dm --stats f | tail -n 1)" = "$(printf '0\t3\t0\t0\t0\t0\t0\t0\t0\t0\t0\t3\t0\t0\t0\t0\t0\t0\t0\t0\t0')" ]
}

@test "the value is that of the input: hundreds of random graphs of every field" {
    local s
    for s in $(seq 60); do
        pm-gen erdos-renyi 14 0.14 --seed=$s > p$s
        pm-gen erdos-renyi 10 0.25 --integer=-9:9 --seed=$s > i$s
        pm-gen erdos-renyi 10 0.2 --nonsingular --real=-1:1 --to=mtx --seed=$s > r$s
        sed 's/ real / complex /' r$s \
            | awk '/^%/ { print; next } !n++ { print; next } { print $1, $2, $3, 1 / (NR + 1) }' > c$s
    done
    same_values p*
    same_values i*
    same_values r*
    same_values c*
    # a fifth of them at least are not trivially 0
    [ "$(awk '$1 != 0' direct | wc -l)" -ge 12 ]
}

@test "the value is that of the input: families, rectangular ones, --pattern and --graph" {
    local f
    for f in 'grid 6 6' 'grid 3 5' 'aztec 5' 'hexagon 3' 'cube 3 3 4' 'band 30 2' \
        'mycielskian 5' 'ones 9' 'regular 40 2 --seed=3' 'circulant 15 0 1 4'; do
        # shellcheck disable=SC2086 # words
        pm-gen $f > "${f// /_}"
    done
    same_values ./*_*
    pm-gen erdos-renyi 12 0.3 --integer --seed=5 > w
    [ "$(pm-dm --pattern w | pm-count)" = "$(pm-count --pattern w)" ]
    printf '1 2\n2 3\n3 4\n4 1\n4 5\n5 6\n' > square.txt
    [ "$(pm-dm --graph square.txt | pm-count)" = "$(pm-count --graph square.txt)" ]
}

@test "numbers go through to the digit" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 3' \
        '1 1 0.1' '2 2 123456789012345678901234567890123' '1 2 5e-324' > m
    run -0 pm-dm m
    [[ "$output" == *$'\n1 1 0.1\n'* ]]
    [[ "$output" == *$'\n1 1 0x6163e665beb7ca6a2e1a64244cbp+0\n'* ]]
    same_values m
    printf 'a x 123456789012345678901234567890\n' > big
    [[ "$(pm-dm big)" == *$'\n1 1 123456789012345678901234567890\n'* ]]
}

@test "streams in streams: groups, factors, repetitions and names pass through" {
    pm-gen grid 2 3 --to=mtx > a.mtx
    stream '%pm: name tree' '%pm: begin sum' '%pm: factor -2/3' a.mtx '%pm: factor 5' \
        '%pm: factor 1' '%pm: times 3' '%pm: begin product' '%pm: times 2' a.mtx '%pm: end' \
        '%pm: end' '%pm: factor 0x1.8p1' '%pm: name three' a.mtx '%pm: factor 7' > s
    pm-dm s > d
    [ "$(pm-count -H d)" = "$(pm-count -H s | sed 's/s:3$/d:3/')" ]
    [ "$(pm-count -H d | cut -f 3 | sed -n 2p)" = three ]
    grep -q '^%pm: factor -2/3$' d
    grep -q '^%pm: times 3$' d
    # repeated, it changes nothing, and adds no groups
    pm-dm d | sed 2d > again
    [ "$(sed 2d d)" = "$(cat again)" ]
    pm-dm --no-version five.txt > d
    [ "$(pm-dm --no-version d)" = "$(cat d)" ]
}

@test "groups stand as deep as before" {
    { i=0; while [ $i -lt 999 ]; do echo '%pm: begin product'; i=$((i + 1)); done
      pm-gen grid 4 4 --to=mtx
      while [ $i -gt 0 ]; do echo '%pm: end'; i=$((i - 1)); done; } > body
    stream body > s
    [ "$(pm-dm s | pm-count)" = 36 ]
}

@test "an order is restricted to the blocks" {
    printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' \
        '%pm: order c3 r1 r3 c1 r2 c2' '3 3 4' '1 1' '2 3' '3 2' '1 2' > m
    stream m > s
    run -0 pm-dm --no-version s
    [ "$(printf '%s\n' "$output" | grep -c '^%pm: order')" -eq 3 ]
    [ "$(printf '%s\n' "$output" | grep '^%pm: order' | sort | uniq -c | awk '{ print $1, $4, $5 }')" = \
        "$(printf '1 c1 r1\n2 r1 c1')" ]
    [ "$(pm-dm s | pm-count --order=given)" = 1 ]
}

@test "several inputs are one stream, a batch with names" {
    pm-gen grid 2 2 > two.txt
    run -0 pm-dm two.txt five.txt none.txt
    [ "$(printf '%s\n' "$output" | grep -c '^%pm: stream 1$')" -eq 1 ]
    [ "$(printf '%s\n' "$output" | tail -n 1)" = '%pm: eof' ]
    [ "$(pm-dm two.txt five.txt none.txt | pm-count -H)" = \
        "$(printf '2\ttwo.txt\n4\tfive.txt\n0\tnone.txt')" ]
    printf 'two.txt\nfive.txt\n' > list
    [ "$(pm-dm --files-from=list | pm-count -H)" = "$(printf '2\ttwo.txt\n4\tfive.txt')" ]
    [ "$(printf 'two.txt\0' | pm-dm --null --files-from=- | pm-count -H)" = "$(printf '2\ttwo.txt')" ]
    : > list
    [ "$(pm-dm --no-version --files-from=list)" = "$(printf '%%pm: stream 1\n%%pm: eof')" ]
    stream '%pm: name own' <(pm-dm two.txt | sed '1,2d; $d') > s
    pm-dm two.txt two.txt > t
    [ "$(pm-dm s t five.txt | pm-count -H)" = \
        "$(printf '2\town\n2\ttwo.txt\n2\ttwo.txt\n4\tfive.txt')" ]
    stream '%pm: factor 3' '%pm: factor 4' > u
    [ "$(pm-dm u five.txt | pm-count -H)" = "$(printf '3\tu:1\n4\tu:2\n4\tfive.txt')" ]
    [ "$(pm-dm -H five.txt | pm-count -H)" = "$(printf '4\tfive.txt')" ]
}

@test "an input that cannot be read at all is left out; alone it leaves nothing" {
    refuses 66 "nowhere.txt: " nowhere.txt
    printf 'a\n' > bad
    refuses 65 "bad:1: " bad
    run -66 --separate-stderr pm-dm five.txt nowhere.txt none.txt bad
    [ "${#stderr_lines[@]}" -eq 2 ]
    [ "$(printf '%s\n' "$output" | pm-count -H)" = "$(printf '4\tfive.txt\n0\tnone.txt')" ]
    run -65 --separate-stderr pm-dm --files-from=<(printf 'five.txt\n\nnone.txt\n')
    [[ "$stderr" == *": empty file name" ]]
    [ "$(printf '%s\n' "$output" | pm-count -H)" = "$(printf '4\tfive.txt\n0\tnone.txt')" ]
}

@test "a cut input leaves a cut stream" {
    pm-gen grid 2 2 --to=mtx > a.mtx
    stream a.mtx a.mtx > whole
    lines=$(wc -l < whole)
    for keep in $(seq 1 $((lines - 1))); do
        head -n "$keep" whole > cut
        run -65 --separate-stderr pm-dm cut
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "pm-dm: cut:"* ]]
        [[ "$output" != *'%pm: eof'* ]]
        run -65 pm-count <(pm-dm cut 2> err)
    done
    # what follows would stand in a stream that no one can read
    head -n 14 whole > cut
    run -65 --separate-stderr pm-dm cut five.txt
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$output" != *five* ]]
    stream '%pm: begin product' a.mtx > open
    run -65 --separate-stderr pm-dm open
    [[ "$output" != *'%pm: eof'* ]]
    run bash -c 'set -o pipefail; pm-dm cut 2> err | pm-count'
    [ "$status" -eq 65 ]
}

@test "-o: the file appears when the stream is complete" {
    pm-dm -o out five.txt
    [ "$(pm-count out)" = 4 ]
    pm-dm five.txt five.txt | head -n 30 > cut
    run -65 pm-dm -o out2 cut
    [ ! -e out2 ]
    run -66 pm-dm -o out3 five.txt nowhere.txt
    [ "$(pm-count out3)" = 4 ]
    run -66 pm-dm -o out4 nowhere.txt
    [ ! -e out4 ]
    run -130 timeout --preserve-status -s INT 0.5 sh -c 'sleep 5 | exec pm-dm -o out5 five.txt -'
    [ -z "$(find . -name 'out5*' ! -name out5.partial)" ]
    refuses 74 "nodir/out: " -o nodir/out five.txt
    [ ! -c /dev/full ] || refuses 74 "/dev/full: " -o /dev/full five.txt
    [ ! -c /dev/full ] || run -74 --separate-stderr sh -c 'pm-dm five.txt > /dev/full'
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a reader that leaves early is no error message, and pipefail sees what happened" {
    pm-gen regular 20000 2 --seed=1 > large
    run bash -c 'pm-dm large 2> err | head -n 1; exit "${PIPESTATUS[0]}"'
    [ "$status" -eq 141 ]
    [ ! -s err ]
    run -0 bash -c 'set -o pipefail; pm-gen grid 8 8 | pm-dm | pm-dm | pm-count'
    [ "$output" = 12988816 ]
}

@test "--stats: a line a graph" {
    run -0 pm-dm --stats five.txt parts.mtx
    [ "${lines[0]}" = "$(printf '# rows\tcols\tnnz\tkept\tdropped\trank\tblocks\tsingle\tlargest\tlargest_nnz\tunder_rows\tunder_cols\tsquare\tover_rows\tover_cols\trow_degree_min\trow_degree_max\trow_degree_sd\tcol_degree_min\tcol_degree_max\tcol_degree_sd\tname')" ]
    [ "${lines[1]}" = "$(printf '5\t5\t11\t9\t2\t5\t3\t1\t2\t4\t0\t0\t5\t0\t0\t2\t3\t0.4\t1\t3\t0.748331\tfive.txt')" ]
    [ "${lines[2]}" = "$(printf '6\t6\t12\t0\t12\t5\t2\t1\t2\t4\t1\t2\t3\t2\t1\t1\t3\t0.816497\t1\t4\t1\tparts.mtx')" ]
    [ "${#lines[@]}" -eq 3 ]
    [ "$(pm-dm --stats five.txt | awk -F '\t' '{ print NF }' | uniq)" = 21 ]
    run -0 pm-dm --stats --json five.txt
    [ "$output" = '{"name":"five.txt","field":"pattern","rows":5,"cols":5,"nnz":11,"kept":9,"dropped":2,"rank":5,"blocks":3,"single":1,"largest":2,"largest_nnz":4,"under_rows":0,"under_cols":0,"square":5,"over_rows":0,"over_cols":0,"row_degree_min":2,"row_degree_max":3,"row_degree_sd":0.4,"col_degree_min":1,"col_degree_max":3,"col_degree_sd":0.748331}' ]
    # the matrices of a stream, each alone
    [ "$(pm-dm five.txt | pm-dm --stats | sed 1d | cut -f 1,3,4)" = "$(printf '1\t1\t1\n2\t4\t4\n2\t4\t4')" ]
}

@test "--degrees: how many vertices have each degree" {
    run -0 pm-dm --degrees parts.mtx
    [ "$output" = "$(printf '# side\tdegree\tvertices\nrow\t1\t2\nrow\t2\t2\nrow\t3\t2\ncolumn\t1\t2\ncolumn\t2\t3\ncolumn\t4\t1')" ]
    run -0 pm-dm --degrees --json none.txt
    [ "$output" = '{"name":"none.txt","degrees":[{"side":"row","degree":1,"vertices":2},{"side":"column","degree":2,"vertices":1}]}' ]
    # no vertices; vertices without edges; every degree of a large graph, counted by awk
    [ "$(pm-dm --degrees <(printf '%%%%MatrixMarket matrix coordinate pattern general\n0 3 0\n') | tail -n +2)" = "$(printf 'column\t0\t3')" ]
    pm-gen erdos-renyi 3000 0.001 --seed=5 --to=mtx > e.mtx
    sed '/^%/d' e.mtx | awk 'NR == 1 { n = $1; next } { ++r[$1]; ++c[$2] } END { for (i = 1; i <= n; ++i) { print "row", r[i] + 0; print "column", c[i] + 0 } }' |
        sort | uniq -c | awk '{ printf "%s\t%d\t%d\n", $2, $3, $1 }' | sort > expected
    pm-dm --degrees e.mtx | tail -n +2 | sort | diff - expected
    # sum and sum of squares of the table are those of --stats
    pm-dm --degrees e.mtx | awk '$1 == "column" { n += $3; s += $2 * $3; q += $2 * $2 * $3 } END { printf "%d %.6g\n", s, sqrt(q / n - s * s / n / n) }' > moments
    [ "$(pm-dm --stats e.mtx | awk 'NR == 2 { print $3, $21 }')" = "$(cat moments)" ]
}

@test "--blocks: sizes in the order of the triangular form" {
    run -0 pm-dm --blocks parts.mtx
    [ "${lines[0]}" = "$(printf '# block\tpart\trows\tcols\tnnz')" ]
    [ "${lines[1]}" = "$(printf '1\tunder\t1\t2\t2')" ]
    [ "${lines[2]}" = "$(printf '2\tsquare\t2\t2\t4')" ]
    [ "${lines[3]}" = "$(printf '3\tsquare\t1\t1\t1')" ]
    [ "${lines[4]}" = "$(printf '4\tover\t2\t1\t2')" ]
    run -0 pm-dm --blocks --json parts.mtx
    [[ "$output" == '{"name":"parts.mtx","blocks":[{"part":"under","rows":1,"cols":2,"nnz":2},{"part":"square",'* ]]
    run -0 pm-dm --blocks parts.mtx five.txt
    [ "${lines[0]}" = '# parts.mtx' ]
    [ "${lines[6]}" = '# five.txt' ]
}

@test "--coarse: the part of every row and column" {
    run -0 pm-dm --coarse parts.mtx
    [ "${lines[0]}" = "$(printf '# part\tside\tlabel')" ]
    [ "$(printf '%s\n' "${lines[@]:1}" | sort)" = "$(sort << 'END'
under	row	1
under	column	1
under	column	2
square	row	2
square	row	3
square	row	4
square	column	3
square	column	4
square	column	5
over	row	5
over	row	6
over	column	6
END
)" ]
    run -0 pm-dm --coarse --json none.txt
    [ "$output" = '{"name":"none.txt","under":{"rows":[],"columns":[]},"square":{"rows":[],"columns":[]},"over":{"rows":["b","a"],"columns":["x"]}}' ]
}

@test "--permutation: the vectors of dmperm bring the matrix into block triangular form" {
    pm-dm --permutation parts.mtx > v
    [ "$(cut -f 1 v | tr '\n' ' ')" = 'p q r s cc rr ' ]
    [ "$(grep '^cc' v)" = "$(printf 'cc\t1\t2\t3\t6\t7')" ]
    [ "$(grep '^rr' v)" = "$(printf 'rr\t1\t2\t5\t6\t7')" ]
    pm-gen erdos-renyi 40 0.05 --seed=8 --to=mtx > m
    pm-dm --permutation m > v
    # no entry below the diagonal blocks, and a diagonal without zeros
    sed '/^%/d' m | awk -F '[ \t]' '
        NR == FNR { for (k = 2; k <= NF; k++) at[$1, k - 1] = $k; n[$1] = NF - 1; next }
        FNR == 1 {
            for (k = 1; k <= n["p"]; k++) row[at["p", k]] = k
            for (k = 1; k <= n["q"]; k++) col[at["q", k]] = k
            next
        }
        function block(v, k,   b) { b = 1; while (at[v, b + 1] <= k) b++; return b }
        { entry[row[$1], col[$2]] = 1; if (block("r", row[$1]) > block("s", col[$2])) bad++ }
        END {
            rank = at["rr", 4] - 1
            for (k = 1; k <= rank; k++) if (!((k, k + at["cc", 2] - 1) in entry)) bad++
            exit bad > 0
        }' v -
    run -0 pm-dm --permutation --json none.txt
    [ "$output" = '{"name":"none.txt","p":[2,1],"q":[1],"r":[1,3],"s":[1,2],"cc":[1,1,1,1,2],"rr":[1,1,1,2,3]}' ]
}

@test "--matching: a maximum one, with labels and weights" {
    pm-gen erdos-renyi 60 0.03 --integer --seed=2 > g
    pm-dm --matching g > m
    [ "$(head -n 1 m)" = "$(printf '# row\tcolumn\tweight')" ]
    [ "$(sed 1d m | wc -l)" -eq "$(pm-dm --stats g | tail -n 1 | cut -f 6)" ]
    [ "$(sed 1d m | cut -f 1 | sort | uniq -d)" = "" ]
    [ "$(sed 1d m | cut -f 2 | sort | uniq -d)" = "" ]
    [ "$(sed '/^#/d' g | sort | comm -23 <(sed 1d m | sort) -)" = "" ]
    printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 0.5 -2\n' > c
    [ "$(pm-dm --matching c | tail -n 1)" = "$(printf '1\t1\t0.5\t-2')" ]
    run -0 pm-dm --matching --json none.txt
    [[ "$output" == '{"name":"none.txt","rank":1,"is_perfect":false,"matching":[["'[ab]'","x"]]}' ]]
}

# named LABEL: a stream with this label of its row, as a stream writes it
named() {
    printf '%s\n' '%pm: stream 1' '%%MatrixMarket matrix coordinate pattern general' "%pm: rows $1" \
        '%pm: cols x' '1 1 1' '1 1' '%pm: eof'
}

@test "--matching: labels read back as they are, or are refused" {
    for label in 'a\sb' 'a\\b' '\\' 'a#' 'a"' 'é'; do
        named "$label" > s
        pm-dm --matching s > m
        [ "$(pm-order --method=none --no-version --from=edges m | grep rows)" = "%pm: rows $label" ]
    done
    # blanks, TAB, carriage return, other control characters, a no-break space and a byte order mark
    for label in 'a\s' '\sa' 'a\x09' 'a\x0d' 'a\x01b' 'a\x7f' $'a\xc2\xa0' $'\xef\xbb\xbfa' $'a\xc2\x85' '#a' '%a'; do
        named "$label" > s
        run -69 --separate-stderr pm-dm --matching s
        [ "$output" = "" ]
        [[ "$stderr" == "pm-dm: s:2: an edge list written here cannot hold the label "*" of row 1, which "*'(--json'* ]]
        run -69 --separate-stderr pm-count --matching s
        [ "$output" = "" ]
        pm-dm --json --matching s | grep -q '"rank":1'
    done
}

@test "--hall: a violator, or none" {
    run -0 pm-dm --hall none.txt five.txt
    [ "${lines[0]}" = "$(printf 'no perfect matching: the rows {a, b} have only the neighbours {x}\tnone.txt')" ]
    [ "${lines[1]}" = "$(printf 'there is a perfect matching\tfive.txt')" ]
    run -0 pm-dm --hall --json none.txt
    [ "$output" = '{"name":"none.txt","hall":{"side":"rows","set":["a","b"],"neighbours":["x"]}}' ]
    [ "$(pm-dm --hall --json five.txt)" = '{"name":"five.txt","hall":null}' ]
}

@test "--spy: Braille characters" {
    run -0 pm-dm --spy five.txt
    [ "$output" = "$(printf '⠿⣧⢤⡄⠐\n⠀⠷⠴⣷⢤⡄\n⠀⠀⠀⠷⠴⠇')" ]
    run -0 pm-dm --spy five.txt none.txt
    [ "${lines[0]}" = '# five.txt' ]
    pm-gen erdos-renyi 3000 0.001 --seed=1 | pm-dm --spy > picture
    # 80 characters of three bytes, less what is empty at the end of a line
    awk '{ n = length($0); if (n > m) m = n } END { exit !(NR == 40 && m > 200 && m <= 240) }' picture
}

@test "--spy=FILE: a picture of one matrix" {
    pm-dm --spy=p.svg parts.mtx
    head -n 1 p.svg | grep -q '^<svg xmlns='
    tail -n 1 p.svg | grep -q '^</svg>$'
    pm-dm --spy=p.png parts.mtx
    [ "$(head -c 8 p.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
    pm-gen erdos-renyi 9000 0.0003 --seed=3 | pm-dm --spy=large.png -
    [ "$(od -An -tu1 -j 16 -N 8 large.png | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "1801 1801" ]
    refuses 64 "'p.gif' ends neither in .svg nor in .png" --spy=p.gif parts.mtx
    refuses 64 "found a second one" --spy=two.png parts.mtx five.txt
    refuses 65 "no matrix" --spy=empty.png <(stream)
    refuses 66 "nowhere" --spy=nowhere.png nowhere
    [ -z "$(find . -name 'two.*' -o -name 'empty.*' -o -name 'nowhere*')" ]
    refuses 74 "nodir/p.svg: " --spy=nodir/p.svg five.txt
}

@test "answers wait for the end of their input" {
    pm-gen grid 2 2 --to=mtx > a.mtx
    stream a.mtx a.mtx | sed '$d' > cut
    for o in stats blocks coarse degrees permutation matching hall spy; do
        refuses 65 "cut:" --$o cut
    done
    run -65 --separate-stderr pm-dm --stats cut five.txt
    [ "${#lines[@]}" -eq 2 ]
    [[ "${lines[1]}" == *five.txt ]]
}

@test "options that exclude each other, and bad values, are refused in one line" {
    refuses 64 "exclude each other" --stats --blocks five.txt
    refuses 64 "exclude each other" --spy --hall five.txt
    refuses 64 "--json needs a question" --json five.txt
    refuses 64 "--json needs a question" --json --spy five.txt
    refuses 64 "--no-version is only for" --no-version --stats five.txt
    refuses 64 "--spy=FILE goes with neither" --spy=p.png -o out five.txt
    refuses 64 "--spy=FILE goes with neither" --spy=p.png -H five.txt
    refuses 64 "no file names on the command line" --files-from=five.txt five.txt
    refuses 64 "needs --files-from" --null five.txt
    refuses 64 "'foo' is not one of" --from=foo five.txt
    refuses 64 "unknown option '-t'" -t 2 five.txt
    refuses 65 "duplicate" <(printf 'a x\na x\n')
    [ "$(pm-dm --duplicates=sum <(printf 'a x\na x\n') | pm-count)" = 2 ]
    pm-dm five.txt > s
    refuses 64 "a pm stream itself says which of its graphs have one set of vertices" --graph s
}

@test "-v says what was kept, -q nothing" {
    run -0 --separate-stderr pm-dm -v five.txt
    [[ "$stderr" == *"five.txt: n = 5: 3 blocks, the largest of n = 2; of 11 edges 9 kept, 2 dropped"* ]]
    run -0 --separate-stderr pm-dm -q five.txt
    [ -z "$stderr" ]
    pm-gen grid 2 2 --to=mtx > a.mtx
    stream a.mtx a.mtx > s
    run -0 --separate-stderr pm-dm -v s
    [[ "${stderr_lines[1]}" == "pm-dm: s:"[1-9]*": n = 2: 1 blocks"* ]]
}

@test "memory is that of one matrix" {
    # one takes some 6 MB, a hundred of them would take 40
    (ulimit -v 20000 && pm-dm --version > version) || skip "sanitizers take more"
    pm-gen regular 20000 3 --seed=1 --to=mtx > a.mtx
    { echo '%pm: stream 1'; for _ in $(seq 100); do cat a.mtx; done; echo '%pm: eof'; } \
        | (ulimit -v 20000 && pm-dm > out)
    [ "$(tail -n 1 out)" = '%pm: eof' ]
    [ "$(grep -c '^20000 20000 60000$' out)" -eq 100 ]
}
