# SPDX-License-Identifier: GPL-3.0-or-later
# pm-order from outside: orders, figures and streams, and that the value stays.
bats_require_minimum_version 1.5.0
load filters

program=pm-order

methods='frontier sort skip permanent elimination rcm none'

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'a x' 'a y' 'a z' 'b x' 'b y' 'c y' > three.txt
    printf 'a x\nb x\n' > none.txt
    printf '%s\n' 'a x' 'a y' 'b z' > wide.txt
    pm-gen grid 2 3 --to=mtx > a.mtx
}

# same_values ALGORITHM FILE...: in every order, counted as it stands
same_values() {
    local m algorithm=$1
    shift
    pm-count -H "$@" > direct
    for m in $methods; do
        pm-order -H --method="$m" "$@" \
            | pm-count -H --order=given ${algorithm:+--algorithm="$algorithm"} | as_before "$@"
    done
}

# draw FIRST LAST: random matrices of every field, p* i* r* c*, with these seeds
draw() {
    local s
    for s in $(seq "$1" "$2"); do
        pm-gen erdos-renyi 13 0.16 --seed="$s" > "p$s"
        pm-gen erdos-renyi 10 0.25 --integer=-9:9 --seed="$s" > "i$s"
        pm-gen erdos-renyi 10 0.2 --nonsingular --real=-1:1 --to=mtx --seed="$s" > "r$s"
        sed 's/ real / complex /' "r$s" \
            | awk '/^%/ { print; next } !n++ { print; next } { print $1, $2, $3, 1 / (NR + 1) }' \
                > "c$s"
    done
}

@test "the comparison of these tests tells values apart" {
    differ() { ! printf "$1\\t$2\\n" | awk -F '\t' -f "$BATS_TEST_DIRNAME/same_values.awk"; }
    agree() { printf "$1\\t$2\\n" | awk -F '\t' -f "$BATS_TEST_DIRNAME/same_values.awk"; }
    agree '12345678901234567890123\tg' '12345678901234567890123\tg'
    differ '12345678901234567890123\tg' '12345678901234567890124\tg'
    differ '1\tg' '1\th'
    differ '1\tg' '1\t0\tg'
    agree '1.5e2403\t2e2390\tg' '1.5000000000001e2403\t2e2390\tg'
    differ '1.5e2403\t2e2390\tg' '1.6e2403\t2e2390\tg'
    differ '1e2403\t1e2390\tg' '7e2499\t1e2390\tg'
    differ '1.5\t2\t1e-9\tg' '1.5\t2.1\t1e-9\tg'
    differ '2e-2000\t1e-2010\tg' '1e-2000\t1e-2010\tg'
}

@test "rows and columns change places with their labels" {
    run -0 pm-order --method=sort --no-version three.txt
    [ "$output" = "$(cat << 'END'
%pm: stream 1
%%MatrixMarket matrix coordinate pattern general
%pm: rows a b c
%pm: cols z x y
3 3 6
1 1
1 2
1 3
2 2
2 3
3 3
%pm: eof
END
)" ]
    [ "$(pm-order three.txt | sed -n 2p)" = "%pm: made-by $(pm-order --version | head -n 1)" ]
    [ "$(pm-order --method=sort three.txt | sed -n 2p)" = \
        "%pm: made-by $(pm-order --version | head -n 1) --method=sort" ]
    [ "$(pm-order < three.txt)" = "$(pm-order three.txt)" ]
    [ "$(gzip -c three.txt | pm-order -)" = "$(pm-order three.txt)" ]
}

@test "those without labels are called by the numbers that they had" {
    printf '%s\n' '%%MatrixMarket matrix coordinate integer general' '3 3 5' '1 1 2' '1 2 9' \
        '2 3 -5' '3 2 7' '3 1 1' > m
    run -0 pm-order --method=sort --no-version m
    [ "$output" = "$(cat << 'END'
%pm: stream 1
%%MatrixMarket matrix coordinate integer general
%pm: rows 2 1 3
%pm: cols 3 1 2
3 3 5
1 1 -5
2 2 2
2 3 9
3 2 1
3 3 7
%pm: eof
END
)" ]
    run ! grep -E 'rows|cols' <(pm-order --method=none m)
    # in two orders one after another the labels stay with their rows
    pm-order --method=sort m | pm-order --method=skip | pm-order --method=sort --no-version \
        | sed 1d > twice
    [ "$(grep -c -E '^%pm: (rows|cols)' twice)" -eq 2 ]
    [ "$(pm-order --method=rcm m | pm-count)" = "$(pm-count m)" ]
}

@test "--method=frontier writes an order of all vertices, and moves nothing" {
    run -0 pm-order --no-version three.txt
    [ "$output" = "$(pm-order --method=frontier --no-version three.txt)" ]
    [ "$(printf '%s\n' "${lines[@]}" | grep -v order)" = \
        "$(pm-order --method=none --no-version three.txt)" ]
    [ "$(printf '%s\n' "$output" | grep '^%pm: order' | cut -d ' ' -f 3- | tr ' ' '\n' | sort \
        | tr '\n' ' ')" = 'c1 c2 c3 r1 r2 r3 ' ]
}

@test "every order, every field: as pm-count alone, by the algorithm of pm-count's choice" {
    draw 1 12
    same_values '' p* i*
    same_values '' r* c*
    # a fifth of them at least are not trivially 0
    [ "$(awk '$1 != 0' direct | wc -l)" -ge 5 ]
}

@test "every order, every field, every algorithm that honours it" {
    local algorithm
    draw 21 "$(is_short && echo 22 || echo 24)"
    for algorithm in frontier-rank frontier-hash ryser sparyser skipper product-tree; do
        same_values $algorithm p* i* r* c*
    done
}

@test "stages chained in any sequence" {
    local m
    draw 31 38
    pm-count -H p* i* r* c* > direct
    for m in $methods; do
        pm-dm -H p* i* r* c* | pm-order -H --method="$m" | pm-count -H --order=given \
            | as_before p* i* r* c*
        pm-order -H --method="$m" p* i* r* c* | pm-dm -H | pm-count -H | as_before p* i* r* c*
        pm-order -H --method="$m" p* i* r* c* | pm-dm -H | pm-count -H --order=given \
            | as_before p* i* r* c*
        pm-dm -H p* i* r* c* | pm-order -H --method=rcm | pm-order -H --method="$m" | pm-dm -H \
            | pm-count -H | as_before p* i* r* c*
    done
}

@test "families, --pattern and --graph" {
    local f
    for f in 'grid 6 6' 'grid 3 5' 'aztec 4' 'hexagon 3' 'cube 3 3 2' 'band 30 2' \
        'mycielskian 5' 'ones 9' 'regular 20 2 --seed=3' 'circulant 15 0 1 4'; do
        # shellcheck disable=SC2086 # words
        pm-gen $f > "${f// /_}"
    done
    same_values '' ./*_*
    pm-gen erdos-renyi 12 0.3 --integer --seed=5 > w
    [ "$(pm-order --method=skip --pattern w | pm-count)" = "$(pm-count --pattern w)" ]
    printf '1 2\n2 3\n3 4\n4 1\n4 5\n5 6\n' > square.txt
    [ "$(pm-order --graph square.txt | pm-count)" = "$(pm-count --graph square.txt)" ]
}

@test "skipper visits what --stats predicts for the order as given" {
    local m share operations
    pm-gen erdos-renyi 24 0.2 --seed=4 > g
    for m in sort skip permanent none; do
        share=$(pm-order --stats --method=$m --json g | grep -o '"visits":[^,]*' | cut -d : -f 2)
        operations=$(pm-order --method=$m g \
            | pm-count --order=given --algorithm=skipper --plan | sed -n 2p | cut -f 5)
        awk -v s="$share" -v o="$operations" \
            'BEGIN { x = s * 2 ^ 23; exit !(x > o / 2 && x < o * 2) }'
    done
    # and the order matters
    [ "$(pm-order --method=skip g | pm-count --order=given --algorithm=skipper --plan)" != \
        "$(pm-order --method=none g | pm-count --order=given --algorithm=skipper --plan)" ]
}

@test "product-tree takes the elimination that was written" {
    pm-gen erdos-renyi 26 0.15 --seed=4 --nonsingular > g
    # operations of an order, as it stands
    operations() {
        pm-order --method="$1" g | pm-count --order=given --algorithm=product-tree --plan \
            | sed -n 2p | cut -f 5
    }
    awk -v e="$(operations elimination)" -v n="$(operations none)" -v p="$(operations permanent)" \
        'BEGIN { exit !(e > 0 && e < n && e < p) }'
}

@test "a longer search for a narrower frontier: --effort and --seed repeat" {
    pm-gen erdos-renyi 60 0.06 --seed=2 > g
    pm-order --effort=0.05 --seed=3 --no-version g > one
    OMP_NUM_THREADS=1 pm-order --effort=0.05 --seed=3 --no-version g > two
    cmp one two
    cost() { pm-order --stats --json "$@" g | grep -o '"cost":[^,]*' | cut -d : -f 2; }
    awk -v few="$(cost --effort=0.002)" -v many="$(cost --effort=0.5)" \
        -v none="$(cost --method=none)" 'BEGIN { exit !(many < few && few < none) }'
    pm-gen erdos-renyi 24 0.2 --seed=2 > h
    pm-order --method=elimination --effort=0.01 --seed=3 h > one
    pm-order --method=elimination --effort=0.01 --seed=3 h > two
    cmp one two
}

@test "--stats: a line a graph" {
    local names='# method\trows\tcols\tnnz\tupdates\tdense\tsparse\ttree\teliminated\teliminating'
    names+='\tzeros\tsamples\tvisits\tk\tc\tregisters\tfrontier\tstates\tcost\tseed'
    run -0 pm-order --stats --method=none three.txt wide.txt
    [ "${lines[0]}" = "$(printf "$names\tname")" ]
    # columns of 2, 3 and 1 entries; row c alone has an odd number of them
    [ "$(printf '%s\n' "${lines[1]}" | cut -f 1-7,11,12)" = \
        "$(printf 'none\t3\t3\t6\t1.75\t6\t4.75\t0.5\t4')" ]
    [ "${lines[2]}" = "$(printf 'none\t2\t3\t3\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t0\twide.txt')" ]
    [ "${#lines[@]}" -eq 3 ]
    [ "$(pm-order --stats three.txt | awk -F '\t' '{ print NF }' | uniq)" = 20 ]
    run -0 pm-order --stats --method=sort --json --seed=7 three.txt
    [[ "$output" == '{"name":"three.txt","field":"pattern","method":"sort","rows":3,"cols":3,"nnz":6,"updates":1,"dense":6,"sparse":4,'*'"seed":"7"}' ]]
    # the matrices of a stream, each alone
    [ "$(pm-dm three.txt | pm-order --stats | sed 1d | cut -f 2,4)" = "$(printf '1\t1\n1\t1\n1\t1')" ]
}

@test "--stats of what was written are those of the method" {
    local m
    pm-gen erdos-renyi 15 0.3 --seed=6 > g
    for m in $methods; do
        [ "$(pm-order --method="$m" g | pm-order --stats --method=none | sed 1d | cut -f 2-)" = \
            "$(pm-order --stats --method="$m" g | sed 1d | cut -f 2-)" ]
    done
}

@test "--all: a table of all methods, those that refuse too" {
    local m
    run -0 pm-order --all three.txt
    [ "$(printf '%s\n' "${lines[@]}" | sed 1d | cut -f 1 | tr '\n' ' ')" = "$methods " ]
    for m in $methods; do
        [ "$(printf '%s\n' "${lines[@]}" | grep "^$m")" = \
            "$(pm-order --stats --method="$m" three.txt | sed 1d)" ]
    done
    run -0 pm-order --all three.txt none.txt
    [ "${lines[0]}" = '# three.txt' ]
    [ "${lines[9]}" = '# none.txt' ]
    pm-gen band 70 1 > long
    run -0 --separate-stderr pm-order --all long
    [[ "$stderr" == *"elimination orders matrices of up to 64 rows, not 70"* ]]
    [ "$(printf '%s\n' "${lines[@]}" | grep ^elimination | cut -f 2-6)" = \
        "$(printf '70\t70\t208\t-\t-')" ]
    [ "$(printf '%s\n' "${lines[@]}" | grep ^rcm | cut -f 5-7)" != "$(printf -- '-\t-\t-')" ]
    run -0 pm-order --all --json three.txt
    [[ "$output" == '{"name":"three.txt","field":"pattern","orders":[{"method":"frontier","rows":3,'* ]]
    [[ "$output" == *'},{"method":"none",'*'}]}' ]]
}

@test "rectangular and empty matrices stay as they are" {
    local m
    printf '# pm-edges 0 0\n' > nothing
    for m in $methods; do
        [ "$(pm-order --no-version --method="$m" wide.txt)" = \
            "$(pm-order --no-version --method=none wide.txt)" ]
        [ "$(pm-order --method="$m" wide.txt nothing none.txt | pm-count --order=given -H)" = \
            "$(printf '0\twide.txt\n1\tnothing\n0\tnone.txt')" ]
    done
    run -0 --separate-stderr pm-order -v --method=sort nothing
    [[ "$stderr" == *"nothing: 0 x 0: left as it is"* ]]
    run -0 pm-order --all nothing
    printf '# pm-edges 3 3\n1 1\n' > bare
    run -0 pm-order --all bare
    [ "${#lines[@]}" -eq 8 ]
}

@test "any size, but for elimination" {
    local m
    pm-gen band 3000 1 --integer --seed=1 > long
    for m in frontier sort skip permanent rcm none; do
        [ "$(pm-order --method=$m long | pm-count --mod=1000003)" = \
            "$(pm-count --mod=1000003 long)" ]
    done
    run -69 --separate-stderr pm-order --method=elimination long
    [ "$stderr" = "pm-order: long: elimination orders matrices of up to 64 rows, not 3000" ]
    [[ "$output" != *'%pm: eof'* ]]
    run -69 --separate-stderr pm-order --stats --method=elimination three.txt long
    [ "${#lines[@]}" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    # rcm brings a shuffled band together again
    pm-gen band 300 1 --to=mtx | awk '/^%/ { print; next } !n++ { print; next }
        { print $1 * 7 % 300 + 1, $2 * 11 % 300 + 1 }' > shuffled
    pm-order --method=rcm shuffled | awk '/^[0-9]+ [0-9]+$/ {
        d = $1 > $2 ? $1 - $2 : $2 - $1; if (d > w) w = d } END { exit w > 3 }'
}

@test "streams: groups, factors, repetitions, names and orders" {
    local m
    stream '%pm: name tree' '%pm: begin sum' '%pm: factor -2/3' a.mtx '%pm: factor 5' \
        '%pm: factor 1' '%pm: times 3' '%pm: begin product' '%pm: times 2' a.mtx '%pm: end' \
        '%pm: end' '%pm: factor 0x1.8p1' '%pm: name three' a.mtx '%pm: factor 7' > s
    for m in $methods; do
        pm-order --method="$m" s > d
        [ "$(pm-count -H d | sed 's/d:3$/s:3/')" = "$(pm-count -H s)" ]
    done
    printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' \
        '%pm: order c3 r1 r3 c1 r2 c2' '3 3 4' '1 1' '2 3' '3 2' '1 2' > m
    stream m > s
    [ "$(pm-order --method=none s | grep '^%pm: order')" = '%pm: order c3 r1 r3 c1 r2 c2' ]
    run ! grep '^%pm: order' <(pm-order --method=skip s)
    [ "$(pm-order --method=frontier s | grep -c '^%pm: order')" -eq 1 ]
    pm-order --no-version --method=skip s > d
    [ "$(pm-order --no-version --method=none d)" = "$(cat d)" ]
}

@test "values go through to the digit" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 3' \
        '1 1 0.1' '2 2 123456789012345678901234567890123' '1 2 5e-324' > m
    run -0 pm-order --method=rcm m
    [[ "$output" == *' 0.1'$'\n'* ]]
    [[ "$output" == *' 0x6163e665beb7ca6a2e1a64244cbp+0'$'\n'* ]]
    printf 'a x 123456789012345678901234567890\n' > big
    [[ "$(pm-order --method=skip big)" == *$'\n1 1 123456789012345678901234567890\n'* ]]
    # figures of integers beyond 64 bits
    printf 'a x 123456789012345678901234567890\na y 1\nb x 5\nb y 1\n' > big
    [ "$(pm-order --stats big | sed 1d | cut -f 11)" = 0 ]
}

@test "several inputs are one stream, a batch with names" {
    run -0 pm-order three.txt a.mtx none.txt
    [ "$(printf '%s\n' "$output" | grep -c '^%pm: stream 1$')" -eq 1 ]
    [ "$(printf '%s\n' "$output" | pm-count -H)" = \
        "$(printf '1\tthree.txt\n3\ta.mtx\n0\tnone.txt')" ]
    printf 'a.mtx\nthree.txt\n' > list
    [ "$(pm-order --files-from=list | pm-count -H)" = "$(printf '3\ta.mtx\n1\tthree.txt')" ]
    [ "$(pm-order -H three.txt | pm-count -H)" = "$(printf '1\tthree.txt')" ]
}

@test "bad streams: 65 with the line, and the stream that is written is cut" {
    local keep lines
    refuses 66 "nowhere.txt: " nowhere.txt
    printf 'a\n' > bad
    refuses 65 "bad:1: " bad
    stream a.mtx a.mtx > whole
    lines=$(wc -l < whole)
    for keep in $(seq 1 $((lines - 1))); do
        head -n "$keep" whole > cut
        run -65 --separate-stderr pm-order --method=sort cut
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "pm-order: cut:"* ]]
        [[ "$output" != *'%pm: eof'* ]]
        run -65 --separate-stderr pm-order --stats cut
        [ -z "$output" ]
    done
    stream '%pm: end' > unbalanced
    refuses_stream() {
        run -65 --separate-stderr pm-order --method=sort "$1"
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "pm-order: $1:$2:"* ]]
        [[ "$output" != *'%pm: eof'* ]]
    }
    refuses_stream unbalanced 2
    sed 's/stream 1/stream 4/' whole > version
    refuses_stream version 1
    sed 's/^3 3 7$/3 3 8/' whole > sizes
    refuses_stream sizes 13
    run bash -c 'set -o pipefail; pm-order cut 2> err | pm-count'
    [ "$status" -eq 65 ]
}

@test "-o, a full disk, a reader that leaves early, pipefail" {
    pm-order -o out three.txt
    [ "$(pm-count out)" = 1 ]
    run -65 pm-order -o out2 <(head -n 5 out)
    [ ! -e out2 ]
    refuses 74 "nodir/out: " -o nodir/out three.txt
    [ ! -c /dev/full ] || refuses 74 "/dev/full: " -o /dev/full three.txt
    pm-gen regular 20000 2 --seed=1 > large
    run bash -c 'pm-order --method=sort large 2> err | head -n 1; exit "${PIPESTATUS[0]}"'
    [ "$status" -eq 141 ]
    [ ! -s err ]
    run -0 bash -c 'set -o pipefail; pm-gen grid 8 8 | pm-dm | pm-order | pm-count --order=given'
    [ "$output" = 12988816 ]
}

@test "misuse is refused" {
    refuses 64 "is not one of frontier, sort" --method=best three.txt
    refuses 64 "--all excludes --method" --all --method=sort three.txt
    refuses 64 "--all excludes" --all --stats three.txt
    refuses 64 "the method 'sort' does not search" --method=sort --effort=1 three.txt
    refuses 64 "the method 'rcm' draws no random numbers" --method=rcm --seed=1 three.txt
    refuses 64 "--json needs" --json three.txt
    refuses 64 "--no-version is only for the output of a stream" --stats --no-version three.txt
    refuses 64 "--effort" --effort=0 three.txt
    run -0 pm-order --stats --seed=1 --method=rcm three.txt
}
