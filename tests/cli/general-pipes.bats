# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs on one set of vertices through the filters: every pipeline gives the value of one call of pm-count.
bats_require_minimum_version 1.5.0
load filters

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'a b' 'b c' 'c a' 'a d' > paw # a triangle with a tail: 1 perfect matching
}

# random_graphs COUNT SEED: files 0001.mtx ..., of every field, half of them with loops
random_graphs() {
    awk -v count="$1" -v seed="$2" '
        function value(field) {
            if (field == "pattern") return ""
            if (field == "integer") return " " (int(rand() * 9) - 3)
            if (field == "real") return " " (int(rand() * 17) - 8) / 4
            return " " (int(rand() * 9) - 4) / 2 " " (int(rand() * 9) - 4) / 4
        }
        BEGIN {
            srand(seed)
            split("pattern integer real complex", fields, " ")
            for (g = 1; g <= count; ++g) {
                n = int(rand() * 15); p = 0.1 + 0.6 * rand()
                loops = rand() < 0.5; field = fields[g % 4 + 1]
                edges = ""; m = 0
                for (i = 1; i <= n; ++i)
                    for (j = 1; j <= i; ++j)
                        if (rand() < p && (i != j || loops)) {
                            ++m; edges = edges i " " j value(field) "\n"
                        }
                file = sprintf("%04d.mtx", g)
                printf "%%%%MatrixMarket matrix coordinate %s symmetric\n%%pm: graph%s\n%d %d %d\n%s", \
                    field, loops ? " loops" : "", n, n, m, edges > file
                close(file)
            }
        }'
}

@test "decomposed, cut, ordered: every pipeline gives the same values" {
    local seed=${PM_TEST_SEED:-1} count
    count=$(rounds 400)
    echo "# seed $seed, $count graphs"
    random_graphs "$count" "$seed"
    pm-count -H *.mtx > direct
    [ "$(grep -cv '^0' direct)" -gt $((count / 4)) ]
    pm-decompose *.mtx | pm-count -H | as_before *.mtx
    pm-decompose --min-degree=20 *.mtx | pm-count -H | as_before *.mtx
    pm-decompose --min-degree=20 --until-n=5 --max-terms=7 *.mtx > terms
    [ "$(grep -c '^%pm: begin sum' terms)" -gt $((count / 20)) ]
    [ "$(grep -c '^%pm: graph' terms)" -gt $((count / 10)) ]
    pm-count -H terms | as_before *.mtx
    pm-decompose --min-degree=7 terms | pm-count -H | as_before *.mtx
    pm-order *.mtx | pm-count -H --order=given | as_before *.mtx
    pm-order *.mtx | pm-decompose --until-n=6 | pm-count -H | as_before *.mtx
    pm-order terms | pm-count -H --order=given | as_before *.mtx
    pm-dm *.mtx > blocks
    pm-count -H blocks | as_before *.mtx
    pm-dm blocks > again
    cmp <(grep -v made-by blocks) <(grep -v made-by again)
    pm-dm terms | pm-count -H | as_before *.mtx
    pm-dm *.mtx | pm-decompose --min-degree=20 --until-n=4 | pm-count -H | as_before *.mtx
    pm-dm *.mtx | pm-order | pm-decompose | pm-dm | pm-order | pm-count -H --order=given | as_before *.mtx
}

@test "--loops of the filters that write streams" {
    pm-gen kneser 5 2 > petersen
    for way in 'pm-decompose' 'pm-decompose --until-n=5' pm-order pm-dm; do
        [ "$($way --loops=1 petersen | pm-count)" = 332 ]
        [ "$($way --graph --loops=1 paw | pm-count)" = 6 ]
        { cat paw; echo 'd d'; echo 'c c'; } > looped
        [ "$($way -q --graph --loops looped | pm-count)" = 2 ]
    done
    program=pm-order refuses 64 '--loops goes with the stream of orders only' --stats --loops petersen
    program=pm-dm refuses 64 '--loops goes with the stream only' --stats --loops petersen
    program=pm-dm refuses 64 '--loops excludes --bipartite' --bipartite --loops petersen
}

@test "the examples of pmkit(7): C60 and the graph of Petersen" {
    pm-gen fullerene 60 1 7 9 11 13 15 18 20 22 24 26 32 > c60
    [ "$(pm-count c60)" = 12500 ]
    [ "$(pm-dm c60 | pm-decompose --until-n=50 | pm-order | pm-count)" = 12500 ]
    [ "$(pm-gen complete 3 | pm-count --vertex-times=2,2,2)" = 8 ]
    pm-gen random-graph 60 0.3 --seed=1 | pm-approx --graph -q
    [ "$(pm-gen kneser 5 2 | pm-count --loops=1)" = 332 ]
    [ "$(pm-decompose --until-n=50 c60 | grep -c '^%pm: graph')" -gt 1 ]
}

@test "pm-decompose: hafnians as sums, figures, and graphs without a perfect matching" {
    pm-gen complete 6 --to=mtx > k6
    run -0 pm-decompose --no-version --min-degree=9 --until-n=4 k6
    [ "$output" = "$(printf '%s\n' '%pm: stream 1' '%pm: begin sum' '%pm: stream 2' '%pm: factor 2' \
        '%%MatrixMarket matrix coordinate integer symmetric' '%pm: graph' '4 4 6' \
        '2 1 1' '3 1 2' '3 2 2' '4 1 1' '4 2 1' '4 3 2' \
        '%%MatrixMarket matrix coordinate pattern symmetric' '%pm: graph' '4 4 6' \
        '2 1' '3 1' '3 2' '4 1' '4 2' '4 3' '%pm: end' '%pm: eof')" ]
    [ "$(pm-decompose --min-degree=9 --until-n=4 k6 | pm-count)" = 15 ]
    [ "$(pm-decompose --no-version --min-degree=9 k6)" = "$(printf '%%pm: stream 1\n%%pm: factor 15\n%%pm: eof')" ]
    run -0 pm-decompose --stats --min-degree=9 --until-n=4 k6
    [[ "${lines[1]}" == $'6\t6\t30\t2\t0\t1\t0\t1\t4\t4\t4\t12\t12\t12\t'* ]]
    # a graph with which nothing can be done stays as it is, with its labels and order
    { sed 1q k6; echo '%pm: rows a b c d e f'; echo '%pm: order r6 r5 r4 r3 r2 r1'; sed 1d k6; } > labelled
    run -0 pm-decompose --no-version labelled
    [[ "$output" == *'%pm: rows a b c d e f'* && "$output" == *'%pm: order r6 r5 r4 r3 r2 r1'* ]]
    # without a perfect matching: as it is, and 0 in a group
    printf '%s\n' '1 2' '1 3' '1 4' '2 3' '1 5' '1 6' > star
    run -0 --separate-stderr pm-decompose -v --graph --no-version star
    [ "$(grep -c '^%pm: graph$' <<< "$output")" -eq 1 ]
    [[ "$stderr" == *'star: no perfect matching: without the vertex {1} there are '* ]]
    [ "$(pm-decompose --graph star | pm-count --matching --count=maximum | sed 1d | wc -l)" -eq 2 ]
    { echo '%pm: stream 2'; echo '%pm: begin sum'; pm-order -q --graph --method=none star | sed '1,/stream 2/d; /eof/d'
      echo '%pm: end'; echo '%pm: eof'; } > inside
    [ "$(pm-decompose inside | pm-count)" = 0 ]
}

@test "--json: which blocks of a graph are on one set of vertices" {
    printf '1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n10 11\n11 12\n12 13\n13 10\n' > graph
    run -0 pm-count --graph --json --reduce=dm graph
    [[ "$output" == *'"n":4,'*'"hafnian":true,"operations"'* ]]
    [[ "$output" == *'"n":2,"nnz":4,"algorithm":'*'"hafnian":false,"operations"'* ]]
}
