# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs on one set of vertices that are not bipartite: counts, loops, streams, and what is refused.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'a b' 'b c' 'c a' 'a d' > paw # a triangle with a tail: 1 perfect matching
    printf '%s\n' '# pm-graph 6' '1 2' '2 3' '3 4' '4 5' '5 1' '1 6' '2 6' '3 6' '4 6' '5 6' > wheel
}

@test "perfect matchings of graphs with odd cycles" {
    run -0 --separate-stderr pm-count --graph paw
    [ "$output$stderr" = 1 ]
    run -0 pm-count wheel
    [ "$output" = 5 ]
    run -0 pm-count -q --graph - <<< '%%MatrixMarket matrix array integer symmetric
4 4
0
2
3
5
0
7
11
0
13
0'
    [ "$output" = $((2 * 13 + 3 * 11 + 5 * 7)) ]
    run -0 pm-count - <<< 'E~~w' # the complete graph of 6 vertices
    [ "$output" = 15 ]
}

@test "an odd number of vertices has no perfect matching" {
    printf '%s\n' '1 2' '2 3' '3 1' > triangle
    run -0 pm-count --graph triangle
    [ "$output" = 0 ]
    run -0 pm-count --graph --loops=1 triangle
    [ "$output" = 4 ]
}

@test "loops: left out with a line, counted with --loops, or all with one weight" {
    { cat wheel; echo '6 6'; } > looped
    run -0 --separate-stderr pm-count looped
    [ "$output" = 5 ]
    [[ "$stderr" == *'looped: 1 edge joins a vertex to itself: left out; --loops counts with them' ]]
    run -0 --separate-stderr pm-count -q looped
    [ "$output$stderr" = 5 ]
    run -0 --separate-stderr pm-count --loops looped
    [ "$output$stderr" = 5 ] # a cycle of 5 has no perfect matching
    # a cycle of 5 vertices has 1 + 5 + 5 matchings, the hub adds 5 * (1 + 3 + 1)
    run -0 --separate-stderr pm-count --loops=1 looped
    [ "$output$stderr" = 36 ]
    run -0 pm-count --loops=0 looped
    [ "$output" = 5 ]
    run -0 pm-count --loops=2 looped
    [ "$output" = $((64 + 10 * 16 + (5 + 5 * 3) * 4 + 5)) ]
    run -0 pm-count --loops=0.5 --table=value looped
    [[ "${lines[1]}" == 10.640625* ]] # 1/64 + 10/16 + 20/4 + 5
}

@test "weights, moduli, orders, verification" {
    printf '%s\n' '1 2 1.5' '2 3 -2' '3 1 0.25' '3 4 8' '1 4 3' '2 4 1' > real
    run -0 pm-count --graph --verify real
    [ "$(cut -f 1 <<< "$output")" = "$(awk 'BEGIN { print 1.5 * 8 - 2 * 3 + 0.25 }')" ]
    run -0 pm-count --mod=3 wheel
    [ "$output" = 2 ]
    run -0 pm-count --order=given --loops=1 wheel
    [ "$output" = 36 ]
    run -0 pm-count --reduce=none --algorithm=frontier wheel
    [ "$output" = 5 ]
    printf '%s\n' '1 2' '2 3' '3 4' '4 1' > square # bipartite: as a general graph where the algorithm is for these only
    run -0 pm-count --graph --algorithm=hafnian --reduce=none square
    [ "$output" = 2 ]
    run -0 pm-count --graph --algorithm=hafnian square
    [ "$output" = 2 ]
    run -0 pm-count --pattern --graph real
    [ "$output" = 3 ]
}

@test "NumPy arrays, and Matrix Market files that say it themselves" {
    { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': (4, 4), }"
        printf '\x00\x01\x01\x01\x01\x00\x01\x01\x01\x01\x00\x01\x01\x01\x01\x00'; } > k4.npy
    run -0 --separate-stderr pm-count --graph k4.npy
    [ "$output$stderr" = 3 ]
    run -0 pm-count --graph --loops=1 k4.npy
    [ "$output" = 10 ]
    pm-gen complete 4 --to=mtx > k4.mtx
    run -0 --separate-stderr pm-count k4.mtx
    [ "$output$stderr" = 3 ]
    run -0 --separate-stderr pm-count -v k4.mtx
    [[ "$stderr" == *'k4.mtx: read as a graph on one set of 4 vertices, as a line %pm: graph says'* ]]
    run -0 pm-count --graph --loops=1 k4.mtx
    [ "$output" = 10 ]
    run -65 --separate-stderr pm-count --loops=1 k4.mtx
    [[ "$stderr" == *'k4.mtx:2: this line says whether the graph has loops; with --graph only --loops says it' ]]
    run -65 --separate-stderr pm-count --bipartite k4.mtx
    [[ "$stderr" == *'expected edges between two sides, found a graph on one set of vertices'* ]]
}

@test "streams carry graphs on one set, with and without loops" {
    printf '%s\n' '%pm: stream 2' '%pm: begin sum' '%pm: factor 2' \
        '%%MatrixMarket matrix coordinate pattern symmetric' '%pm: graph' '%pm: rows a b c d' '4 4 6' \
        '2 1' '3 1' '4 1' '3 2' '4 2' '4 3' \
        '%%MatrixMarket matrix coordinate integer symmetric' '%pm: graph loops' '3 3 5' \
        '1 1 2' '2 1 3' '3 2 5' '3 3 7' '3 1 1' '%pm: end' '%pm: eof' > s
    run -0 pm-count s
    [ "$output" = $((2 * 3 + 2 * 5 + 3 * 7)) ]
    for filter in pm-dm pm-decompose; do
        [ "$($filter s | pm-count)" = "$output" ]
    done
    for filter in pm-overlap 'pm-approx --compare'; do
        run -69 --separate-stderr $filter s
        [[ "$stderr" == *'s:5: expected a bipartite graph, found an odd cycle of 3 vertices: '\''b'\'' - '\''a'\'' - '\''c'\'' - '\''b'\''; only bipartite graphs are taken here; '* ]]
        case $filter in
        pm-overlap) [[ "$stderr" == *'; pm-count counts graphs with odd cycles' ]] ;;
        *) [[ "$stderr" == *'; graphs with odd cycles are taken without --compare and --method=bethe' ]] ;;
        esac
    done
    run -69 --separate-stderr pm-approx --sample=1 s
    [[ "$stderr" == *'vertices of this graph have loops, so they may stay alone; only graphs without loops can be asked about a perfect matching' ]]
    sed 's/^3 1 1/1 3 1/' s > bad
    sed 's/ loops//' s > without
    run -65 --separate-stderr pm-count without
    [[ "$stderr" == *'without:15: expected an empty diagonal, or the word loops, with a line %pm: graph' ]]
    sed 's/pattern symmetric/pattern general/' s > one-way
    run -65 --separate-stderr pm-count one-way
    [[ "$stderr" == *'one-way:5: expected a symmetric matrix with a line %pm: graph' ]]
    sed 's/stream 2/stream 1/' s > old
    run -65 --separate-stderr pm-count old
    [[ "$stderr" == *'expected %pm: stream 2 before a line %pm: graph' ]]
    sed 's/^%pm: graph$/%pm: graph rings/' s > word
    run -65 --separate-stderr pm-count word
    [[ "$stderr" == *"word:5: expected 'graph' or 'graph loops' after '%pm:'" ]]
    run -64 --separate-stderr pm-count --loops s
    [[ "$stderr" == *'a pm stream itself says which of its graphs have one set of vertices'* ]]
}

@test "a line %pm: graph of a bipartite graph gives rows and columns everywhere" {
    printf '%s\n' '%%MatrixMarket matrix coordinate integer symmetric' '%pm: graph' \
        '%pm: order r4 r3 r2 r1' '4 4 4' '2 1 2' '3 2 3' '4 3 5' '4 1 7' > square
    { echo '%pm: stream 2'; cat square; echo '%pm: eof'; } > s
    for f in square s; do
        for how in '' --count=maximum --algorithm=ryser --algorithm=hafnian --order=given --verify; do
            # shellcheck disable=SC2086 # may be empty
            [ "$(pm-count $how $f)" = 31 ]
        done
        [ "$(pm-approx -q $f | sed 1d | cut -f 1)" = 31 ]
        [ "$(pm-dm --permutation $f | wc -l)" -eq 6 ]
        run -69 --separate-stderr pm-count --saturate $f
        [[ "$stderr" == *'a graph on one set of vertices has no sides to cover; its maximum matchings can be counted (--count=maximum)' ]]
    done
    run -0 --separate-stderr pm-count -v square
    [[ "$stderr" == *'square: read as a graph on one set of 4 vertices, as a line %pm: graph says'* ]]
    run -65 --separate-stderr pm-count --loops=1 square
    [[ "$stderr" == *'this line says whether the graph has loops'* ]]
    # the order names vertices; now they are rows and columns, with the labels of the vertices
    run -0 pm-order --no-version --method=none s
    [[ "$output" == *$'%pm: order c2 r2 c1 r1\n%pm: rows 1 3\n%pm: cols 2 4\n'* ]]
    # loops make it general, where they are there
    sed 's/graph/graph loops/' square > no-loops
    [ "$(pm-count --count=maximum no-loops)" = 31 ]
    sed 's/^4 4 4/4 4 5/' no-loops > loops
    echo '1 1 1' >> loops
    run -69 --separate-stderr pm-approx --sample=1 loops
    [[ "$stderr" == *'vertices of this graph have loops, so they may stay alone; only graphs without loops can be asked about a perfect matching' ]]
}

@test "the frontier of general graphs: random orders give the number of the hafnian" {
    local seed options
    for seed in 1 2 3 4 5 6; do
        for options in '' --loops=2; do
            pm-gen random-graph 30 0.25 --seed=$seed > g
            pm-order --graph $options g | awk -v seed=$seed 'BEGIN { srand(seed) }
                /^%pm: order/ {
                    for (i = NF; i > 3; --i) {
                        j = 3 + int(rand() * (i - 2)); x = $i; $i = $j; $j = x
                    }
                } { print }' > shuffled
            run -0 pm-count --order=given --algorithm=frontier shuffled
            [ "$output" = "$(pm-count --graph $options --algorithm=hafnian g)" ]
        done
    done
}

@test "pm-order orders the vertices of a general graph" {
    pm-gen triangular 6 6 > t
    pm-order t > ordered
    [ "$(grep -c '^%pm: graph$' ordered)" -eq 1 ]
    [[ "$(grep '^%pm: order' ordered | tr ' ' '\n' | grep -c '^r')" -eq 36 ]]
    run -0 pm-count --order=given ordered
    [ "$output" = 56568 ]
    run -0 pm-count ordered
    [ "$output" = 56568 ]
    pm-order --method=none --graph paw > same
    run -0 pm-count same
    [ "$output" = 1 ]
    grep -q '^%pm: rows a b c d$' same
    run -69 --separate-stderr pm-order --method=rcm t
    [[ "$stderr" == *'t: rcm orders rows and columns; the vertices of a graph that is not bipartite are ordered by frontier' ]]
    for query in --stats --all --scale --switch=1; do
        run -69 --separate-stderr pm-order $query t
        [[ "$stderr" == *'expected a bipartite graph, found an odd cycle'* ]]
    done
}

@test "words for general graphs: JSON, tables, the list of algorithms, notes" {
    run -0 pm-count --graph --json paw
    [[ "$output" == *'"n":4,"nnz":8,"hafnian":true,"loops":false,'* ]]
    run -0 pm-count --graph --loops=1 --json paw
    [[ "$output" == *'"n":4,"nnz":12,"hafnian":true,"loops":true,'* ]]
    run -0 pm-count --graph --plan --json wheel
    [[ "$output" == *'"hafnian":true,"loops":false,'* ]]
    printf '%s\n' 'a x' 'a y' 'b x' > bipartite
    run -0 pm-count --json bipartite
    [[ "$output" != *'"hafnian":true'* && "$output" != *'"loops":'* ]]
    run -0 pm-count --graph --table=name,hafnian,loops paw bipartite
    [ "$output" = "$(printf '%s\t%s\t%s\n' '# name' hafnian loops paw yes no bipartite no no)" ]
    [[ "$(pm-count --list | awk -F '\t' '$4 == "general" && $2 == "cpu" { print $1 }' | sort | tr '\n' ' ')" == \
        'frontier hafnian hafnian-small '* ]]
    [ -z "$(pm-count --list | sed 1d | awk -F '\t' '$4 != "general" && $4 != "bipartite"')" ]
    run -0 --separate-stderr pm-order -v - <<< '# pm-graph 1'
    [[ "$stderr" == *'the two classes of vertices have 1 and 0 of them: left as it is'* ]]
    [[ "$stderr" == *'read as the edges of a graph on one set of 1 vertex' ]]
    # why a count with loops is 0
    printf '%s\n' '1 2' '1 3' '1 4' '4 4' > star
    run -0 --separate-stderr pm-count -v --graph --loops star
    [[ "$stderr" == *'no perfect matching: without the vertex {1} there are 2 components with an odd number of vertices and without a loop'* ]]
}

@test "what is refused" {
    run -69 --separate-stderr pm-count --graph --count=maximum paw
    [[ "$stderr" == *'paw: of a graph that is not bipartite only perfect matchings are counted' ]]
    run -69 --separate-stderr pm-count --graph --algorithm=ryser paw
    [[ "$stderr" == *'paw: ryser is for bipartite graphs only (see --list)' ]]
    run -64 --separate-stderr pm-count --loops=much paw
    [[ "$stderr" == *"--loops: expected an integer, a decimal number or a complex one such as 1+2i, not 'much'"* ]]
    run -64 --separate-stderr pm-count --loops --count=maximum --graph paw
    [[ "$stderr" == *'--loops excludes --saturate and --count'* ]]
    run -64 --separate-stderr pm-count --loops --bipartite paw
    [[ "$stderr" == *'--loops excludes --bipartite'* ]]
    run -65 --separate-stderr pm-count -q --loops paw
    [[ "$stderr" == *'paw: expected a graph on one set of vertices for loops, found rows and columns; --graph reads one set' ]]
    run -69 --separate-stderr pm-approx --compare --graph paw
    [[ "$stderr" == *'expected a bipartite graph, found an odd cycle of 3 vertices'* ]]
}

@test "the plan of a weighted torus has the determinants for its signs, too" {
    # figures [WEIGHTS...]: the residues, and the operations of all
    figures() {
        pm-gen "$@" triangular-torus 12 12 \
            | pm-count --graph --algorithm=planar --plan --json \
            | sed 's/.*"operations":\([^,]*\),.*"residues":\([0-9]*\).*/\2 \1/'
    }
    read -r residues operations < <(figures)
    read -r more all < <(figures --seed=3 --integer=1:99)
    # the same order, so as many operations for each residue
    awk -v r="$residues" -v o="$operations" -v m="$more" -v a="$all" 'BEGIN {
        signs = a / (o / r) - m
        exit !(m > r && signs > 0.5 * r && signs < 1.5 * r)
    }'
}

@test "options that graphs with odd cycles do not have: the message names what there is" {
    local option
    pm-gen triangular 4 5 > g
    for option in --permutation --spy=x.svg; do
        run -69 --separate-stderr pm-dm --graph $option g
        [ "${#stderr_lines[@]}" = 1 ]
        [[ "$stderr" == *'g:'*': expected a bipartite graph, found an odd cycle of 3 vertices: '*'; only bipartite graphs are taken here; graphs with odd cycles are taken without --permutation and --spy: --blocks, --coarse, --matching and others' ]]
        [ ! -e x.svg ]
    done
    for option in --stats --all --factors --scale --switch; do
        run -69 --separate-stderr pm-order --graph $option g
        [ "${#stderr_lines[@]}" = 1 ]
        [[ "$stderr" == *'g:'*': expected a bipartite graph, found an odd cycle of 3 vertices: '*'; only bipartite graphs are taken here; graphs with odd cycles are taken without --stats, --all, --factors, --scale and --switch: orders of their vertices' ]]
    done
    # what the messages name is there
    for option in --blocks --coarse --matching; do
        run -0 pm-dm --graph $option g
    done
    run -0 pm-order --graph g
}

@test "tori of a few layers, which are not recognised as tori, are counted at once" {
    local m n
    for m in 3 4; do
        for n in 3 4 5 6; do
            pm-gen triangular-torus $m $n > t
            pm-gen torus-graph $m $n > q
            for g in t q; do
                timeout 10 pm-count -q --graph $g > got
                pm-count -q --graph --algorithm=frontier $g | cmp - got
            done
        done
    done
}
