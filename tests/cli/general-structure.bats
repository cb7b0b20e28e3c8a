# SPDX-License-Identifier: GPL-3.0-or-later
# The structure of graphs that are not bipartite: matchings, witnesses, the parts D, A and C.
bats_require_minimum_version 1.5.0
load filters

program=pm-dm

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    # without x and y: the triangle a e f and the leaves b c d; p q is a component of its own
    printf '%s\n' 'x a' 'x b' 'x c' 'a e' 'e f' 'f a' 'y b' 'y d' 'p q' > odd
    printf '%s\n' '1 2 5' '2 3 7' '3 1 11' '3 4 -2' > paw # one perfect matching, of weight -10
    printf '%s\n' 'a x' 'b x' > none
    witness='without the vertices {x, y} there are 4 components with an odd number of vertices, {a, e, f}, {b}, {c} and {d}; every matching leaves out at least 2 vertices'
}

@test "pm-dm --coarse: the parts of Gallai and Edmonds" {
    run -0 --separate-stderr pm-dm --graph --coarse odd
    [ "$output" = "$(printf '%s\tvertex\t%s\n' '# part' x D a D e D f D b D c D d A x A y C p C q |
        sed '1s/.*/# part\tside\tlabel/')" ]
    [ -z "$stderr" ]
    run -0 pm-dm --graph --coarse --json odd
    [ "$output" = '{"name":"odd","D":{"vertices":["a","e","f","b","c","d"]},"A":{"vertices":["x","y"]},"C":{"vertices":["p","q"]}}' ]
    # numbers, where there are no labels: the complete graph of five vertices
    run -0 pm-dm --coarse - <<< 'D~{'
    [ "$output" = "$(printf '%s\n' $'# part\tside\tlabel' D$'\tvertex\t'{1..5})" ]
    # bipartite graphs have rows and columns, as before
    run -0 pm-dm --graph --coarse none
    [ "${lines[3]}" = $'over\tcolumn\tx' ]
}

@test "pm-dm --blocks and --degrees" {
    run -0 pm-dm --graph --blocks odd
    [ "$output" = "$(printf '%s\t%s\t%s\t%s\n' '# block' part vertices edges \
        1 D 3 3 2 D 1 0 3 D 1 0 4 D 1 0 5 A 2 0 6 C 2 1)" ]
    run -0 pm-dm --graph --blocks --json paw
    [ "$output" = '{"name":"paw","blocks":[{"part":"C","vertices":4,"edges":4}]}' ]
    run -0 pm-dm --graph --degrees paw
    [ "$output" = "$(printf '%s\t%s\t%s\n' '# side' degree vertices vertex 1 1 vertex 2 2 vertex 3 1)" ]
}

@test "pm-dm --stats" {
    titles=$(pm-dm --stats none | head -n 1)
    # the bridge 3 4 is in the only perfect matching, 1 2 too, 2 3 and 3 1 are not
    run -0 pm-dm --graph --stats paw
    [ "${lines[0]}" = "$titles" ]
    [[ "${lines[1]}" == 4$'\t'-$'\t'4$'\t'2$'\t'2$'\t'2$'\t'2$'\t'2$'\t'2$'\t'1$'\t'-$'\t'-$'\t'4$'\t'-$'\t'-$'\t'1$'\t'3$'\t'* ]]
    run -0 pm-dm --graph --stats paw odd none
    [ "$(grep -c '^#' <<< "$output")" -eq 1 ]
    [ "${#lines[@]}" -eq 4 ]
    run -0 pm-dm --graph --stats --json odd
    [[ "$output" == '{"name":"odd","field":"pattern","vertices":10,"edges":9,"kept":0,"dropped":9,"rank":4,"left_out":2,"blocks":1,"single":1,"largest":2,"largest_edges":1,"D":6,"A":2,"C":2,"degree_min":1,"degree_max":3,"degree_sd":'* ]]
    # the parts that the stream has
    pm-gen random-graph 40 0.085 --seed=12 > g
    pm-dm -v g 2> note > blocks
    [ "$(pm-dm --stats g | sed 1d | cut -f 4,5,7)" = "$(sed -n \
        's/.*: \([0-9]*\) blocks.* \([0-9]*\) kept, \([0-9]*\) dropped/\2 \3 \1/p' note | tr ' ' '\t')" ]
}

@test "pm-dm --matching: each edge once, with its weight" {
    run -0 pm-dm --graph --matching paw
    [ "$output" = "$(printf '%s\t%s\t%s\n' '# vertex' vertex weight 1 2 5 3 4 -2)" ]
    run -0 pm-dm --graph --matching --json paw
    [ "$output" = '{"name":"paw","rank":2,"is_perfect":true,"left_out":0,"matching":[["1","2"],["3","4"]]}' ]
    run -0 pm-dm --graph --matching odd
    [ "${#lines[@]}" -eq 5 ]
    run -0 pm-dm --graph --matching --json odd
    [[ "$output" == '{"name":"odd","rank":4,"is_perfect":false,"left_out":2,"matching":[['* ]]
}

@test "pm-dm --hall: the witness of Tutte and Berge" {
    run -0 pm-dm --graph --hall odd paw
    [ "${lines[0]}" = "no perfect matching: $witness"$'\todd' ]
    [ "${lines[1]}" = $'there is a perfect matching\tpaw' ]
    run -0 pm-dm --graph --hall --json odd paw
    [ "${lines[0]}" = '{"name":"odd","tutte_berge":{"removed":["x","y"],"odd_components":[["a","e","f"],["b"],["c"],["d"]],"left_out":2}}' ]
    [ "${lines[1]}" = '{"name":"paw","tutte_berge":null}' ]
    # one set of vertices that is empty, one that has one vertex
    run -0 pm-dm --hall - <<< 'Bw'
    [ "$output" = 'no perfect matching: there is 1 component with an odd number of vertices, {1, 2, 3}; every matching leaves out at least 1 vertex' ]
    run -0 pm-dm --graph --hall - <<< 'c l
c m
c n
n o
o p
p n
'
    [[ "$output" == 'no perfect matching: without the vertex {c} there are 3 components with an odd number of vertices, '*' and '*'; every matching leaves out at least 2 vertices' ]]
    run -0 pm-dm --graph --hall none
    [ "$output" = 'no perfect matching: the rows {a, b} have only the neighbours {x}' ]
}

@test "pm-dm: questions about bipartite graphs refuse an odd cycle" {
    for question in --permutation --spy --spy=x.svg; do
        refuses 69 'expected a bipartite graph, found an odd cycle of 3 vertices' $question --graph paw
    done
}

@test "edges to the same vertex are left out with a line, loops of a stream are refused" {
    { cat paw; echo '4 4 3'; } > looped
    run -0 --separate-stderr pm-dm --graph --matching looped
    [ "$output" = "$(pm-dm --graph --matching paw)" ]
    [ "$stderr" = 'pm-dm: looped: 1 edge joins a vertex to itself: left out' ]
    run -0 --separate-stderr pm-count --graph --exists looped
    [ "$output" = yes ]
    [ "$stderr" = 'pm-count: looped: 1 edge joins a vertex to itself: left out; --loops counts with them' ]
    printf '%s\n' '%pm: stream 2' '%%MatrixMarket matrix coordinate integer symmetric' \
        '%pm: graph loops' '3 3 4' '1 1 2' '2 1 3' '3 2 5' '3 1 1' '%pm: eof' > s
    refuses 69 's:2: vertices of this graph have loops, so they may stay alone' --hall s
    run -0 pm-count --exists s
    [ "$output" = yes ]
    run -0 pm-count --matching s
    [ "$(grep -v '#' <<< "$output")" = $'1\t1\t2\n2\t3\t5' ]
    program=pm-count refuses 69 's:2: vertices of this graph have loops' --matching --count=maximum s
    sed 's/ loops//; s/3 3 4/3 3 3/; /^1 1 2/d' s > t
    run -0 pm-dm --hall t
    [[ "$output" == 'no perfect matching: there is 1 component with an odd number'* ]]
}

@test "--exists and --matching with loops: vertices with a loop may stay alone" {
    printf '%s\n' '1 2' '1 3' '1 4' '4 4' > star
    run -0 --separate-stderr pm-count -v --graph --loops --exists star
    [ "$output" = no ]
    [[ "$stderr" == *'star: no perfect matching: without the vertex {1} there are 2 components with an odd number of vertices and without a loop, {2} and {3}; every matching leaves out at least 1 vertex without a loop'* ]]
    run -0 pm-count --graph --loops --matching --json star
    [ "$output" = '{"name":"star","matching":null,"tutte_berge":{"removed":["1"],"odd_components":[["2"],["3"]],"left_out":1}}' ]
    run -1 pm-count -e --graph --loops --exists star
    run -0 pm-count --graph --loops=1 --exists star
    [ "$output" = yes ]
    run -0 pm-count --graph --loops=1 --matching --json star
    [ "$(grep -o '\["[1-4]","[1-4]"\]' <<< "$output" | wc -l)" -eq 3 ]
    # what is printed is a matching of the graph, of the same weight
    { cat paw; echo '3 3 6'; echo '4 4 9'; } > looped
    run -0 pm-count --graph --loops --matching looped
    [ "$(grep -v '#' <<< "$output" | wc -l)" -ge 2 ]
    run -0 pm-dm --graph --loops looped
    [ "$(pm-count <<< "$output")" = $((5 * -2 + 5 * 6 * 9)) ]
}

@test "pm-count --exists and --matching" {
    run -0 --separate-stderr pm-count --graph --exists paw odd
    [ "$output" = $'yes\tpaw\nno\todd' ]
    [ -z "$stderr" ]
    run -0 pm-count --graph --exists --json odd
    [ "$output" = '{"name":"odd","exists":false}' ]
    run -1 --separate-stderr pm-count -e -v --graph --exists odd
    [ "$output" = no ]
    [[ "$stderr" == *"pm-count: odd: no perfect matching: $witness"* ]]
    run -0 pm-count --graph --matching paw
    [ "$(grep -v '#' <<< "$output")" = $'1\t2\t5\n3\t4\t-2' ]
    run -1 pm-count -e --graph --matching odd
    [ "$output" = "# no perfect matching: $witness" ]
    run -0 pm-count --graph --matching --json odd paw
    [ "${lines[0]}" = '{"name":"odd","matching":null,"tutte_berge":{"removed":["x","y"],"odd_components":[["a","e","f"],["b"],["c"],["d"]],"left_out":2}}' ]
    [ "${lines[1]}" = '{"name":"paw","matching":[["1","2"],["3","4"]]}' ]
    # what --matching prints is the matching of the graph
    [ "$(pm-count --graph --matching paw | pm-count)" = -10 ]
    # other kinds of matchings
    run -0 pm-count --graph --exists --count=maximum odd
    [ "$output" = yes ]
    run -0 pm-count --graph --matching --count=maximum odd
    [ "$(grep -vc '#' <<< "$output")" -eq 4 ]
    program=pm-count refuses 69 'odd: a graph on one set of vertices has no sides to cover' \
        -q --graph --exists --saturate odd
}

@test "multiplicities of rows and columns are for bipartite graphs" {
    for question in '' --exists --matching; do
        # shellcheck disable=SC2086 # may be empty
        program=pm-count refuses 69 'expected a bipartite graph with --row-times or --col-times' \
            --graph --row-times=1,1,2,0 --col-times=1,1,2,0 $question paw
    done
}

@test "pm-count -v says why a count is 0" {
    run -0 --separate-stderr pm-count -v --graph odd
    [ "$output" = 0 ]
    [[ "$stderr" == *"pm-count: odd: no perfect matching: $witness"* ]]
    printf '%s\n' '1 2 1' '3 4 1' '1 3 1' '2 4 -1' '5 6 1' '6 1 1' '1 5 1' > cancel
    run -0 --separate-stderr pm-count -v --graph cancel
    [ "$output" = 0 ]
    [[ "$stderr" == *'pm-count: cancel: 0, although there are such matchings: their weights cancel'* ]]
    # at most 20 vertices of a set and 10 components
    for i in {1..30}; do
        printf '%s\n' "hub t$i" "t$i u$i" "u$i v$i" "v$i t$i"
    done > many
    run -0 --separate-stderr pm-count -v --graph many
    [[ "$stderr" == *'without the vertex {hub} there are 30 components'*'{t10, u10, v10}, ...; every matching leaves out at least 29 vertices'* ]]
}

@test "edges in no perfect matching are removed before blocks are made" {
    # two complete graphs of ten vertices, joined by an edge; smaller ones are counted as they are
    for i in $(seq 10); do
        for j in $(seq $((i + 1)) 10); do
            echo "$i $j"
            echo "1$i 1$j"
        done
    done > two
    echo '3 17' >> two
    for steps in dm all; do
        run -0 pm-count --graph --reduce=$steps --plan two
        [ "$(grep -vc '#' <<< "$output")" -eq 2 ]
        [ "$(pm-count --graph --reduce=$steps two)" = 893025 ]
    done
    run -0 pm-count --graph --reduce=none --plan two
    [ "$(grep -vc '#' <<< "$output")" -eq 1 ]
    [ "$(pm-count --graph --reduce=none two)" = 893025 ]
}

@test "small graphs without vertices that rules remove are counted as they are" {
    pm-gen complete 8 > eight
    [ "$(pm-count --graph eight)" = 105 ]
    [[ "$(pm-count -q --graph --plan eight | tail -1)" == 1$'\t'8$'\t'56$'\t'hafnian-small$'\t'* ]]
    [ "$(pm-count -q --graph --loops=1 eight)" = 764 ]
    sed '/#/!s/$/ -1000000000000000000000000/' eight > long # beyond 128 bits
    [ "$(pm-count -q --graph long)" = "105$(printf %096d 0)" ]
    # one vertex of degree 1: removed, with its neighbour
    { cat eight; echo '8 9'; echo '9 10'; echo '7 10'; } | sed 1d > odd
    [[ "$(pm-count -q --graph --plan odd | tail -1)" != 1$'\t'10$'\t'* ]]
}

@test "the sizes of largest matchings of known graphs" {
    [ -r "${PM_DATA:-}/general/references.tsv" ] || skip 'no PM_DATA'
    local graph perfect all largest
    while IFS=$'\t' read -r graph perfect all largest; do
        [[ $graph != '#'* && $largest ]] || continue
        pm-dm -q --graph --pattern --matching --json "$PM_DATA/$graph" > answer
        grep -q "\"rank\":$largest," answer || { echo "$graph: $largest, $all"; cat answer; false; }
        if [ "$perfect" = 0 ]; then
            [ "$(pm-count -q --graph --exists "$PM_DATA/$graph")" = no ]
        fi
    done < <(sed 's/\t\t/\t-\t/' "$PM_DATA/general/references.tsv")
}
