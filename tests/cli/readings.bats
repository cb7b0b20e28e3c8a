# SPDX-License-Identifier: GPL-3.0-or-later
# Inputs that can be read in two ways: one line on standard error, and what silences it.
bats_require_minimum_version 1.5.0

setup() {
    load filters
    program=pm-count
    cd "$BATS_TEST_TMPDIR"
    printf 'C1 C2\nC2 C3\nC3 C4\nC4 C5\nC5 C6\nC6 C1\n' > benzene
    printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 1\n' > square.mtx
    printf '1 2 3\n4 5 6\n7 8 9\n' > block
}

# says ANSWER TEXT ARGUMENT...: the answer, and one line on stderr that holds the text
says() {
    local answer=$1 text=$2
    shift 2
    run -0 --separate-stderr "$program" "$@"
    [ "$output" = "$answer" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "$program: "*"$text"* ]]
}

# silent ANSWER ARGUMENT...: the answer, and nothing on stderr
silent() {
    local answer=$1
    shift
    run -0 --separate-stderr "$program" "$@"
    [ "$output" = "$answer" ]
    [ -z "$stderr" ]
}

@test "labels on both sides: one line that names --graph, --bipartite, the size line and -q" {
    says 1 "row 'C2' and column 'C2' are different vertices" benzene
    for word in --graph --bipartite '# pm-edges ROWS COLS' -q; do
        [[ "$stderr" == *"$word"* ]]
    done
    silent 2 --graph benzene
    silent 1 --bipartite benzene
    silent 1 -q benzene
    { echo '# pm-edges 6 6'; cat benzene; } > sized
    silent 1 sized
    { echo '# pm-graph 6'; cat benzene; } > graph
    silent 2 graph
}

@test "the line comes once for each input, in all programs" {
    run -0 --separate-stderr pm-count benzene benzene
    [ "${#stderr_lines[@]}" -eq 2 ]
    for program in pm-count pm-dm pm-decompose pm-order pm-approx; do
        run -0 --separate-stderr "$program" benzene
        [ "$(grep -c 'read as two sides' <<< "$stderr")" -eq 1 ]
        run -0 --separate-stderr "$program" --bipartite benzene
        [[ "$stderr" != *'read as'* ]]
    done
}

@test "members of a stream are never doubted" {
    stream square.mtx > s
    silent 4 s
    [ "$(pm-dm -q square.mtx | pm-count 2>&1)" = 4 ]
}

@test "both directions of each edge" {
    awk '{ print; print $2, $1 }' benzene > twice
    says 4 'read as two sides' twice
    silent 2 --graph twice
    sed 's/C//g' twice > numbers
    says 4 'read as two sides' numbers
    silent 2 --graph numbers
}

@test "a grid as a bond list" {
    awk 'BEGIN { for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) {
        if (j < 3) print 4 * i + j, 4 * i + j + 1
        if (i < 3) print 4 * i + j, 4 * i + j + 4 } }' > grid
    says 0 'read as two sides' grid
    silent 36 --graph grid
}

@test "numbers 1..n on both sides, as matrices have them, are not doubted" {
    pm-gen grid 4 4 | grep -v '^#' > list
    silent 36 list
    awk 'BEGIN { for (i = 0; i < 6; i++) for (j = 0; j < 6; j++) if ((j - i + 6) % 6 > 1) print i, j }' > couples
    silent 80 couples
    printf '1 1 5\n1 2 5\n2 1 5\n2 2 5\n' > square
    silent 50 square
}

@test "unequal weights of the two directions with --graph: 65, both lines" {
    printf '1 2 5\n2 3 1\n2 1 6\n' > f
    refuses 65 'f:3: expected one weight for an edge between vertices of one set, found another weight in line 1' --graph f
    silent 0 -q --graph --pattern f
    printf '1 2\n3 4\n1 2\n' > f
    refuses 65 'f:3: duplicate edge (first at line 1); --duplicates=sum' --graph f
}

@test "symmetric Matrix Market patterns and triangles" {
    says 4 'its pattern is symmetric without a diagonal' square.mtx
    silent 2 --graph square.mtx
    silent 4 --bipartite square.mtx
    sed 's/symmetric/general/' square.mtx > triangle.mtx
    says 0 'permanent is 0, because all entries are below the diagonal' triangle.mtx
    silent 2 --graph triangle.mtx
    run -0 --separate-stderr pm-count -v --graph triangle.mtx
    [[ "$stderr" == *'graph on one set of 4 vertices, all given below the diagonal'* ]]
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n' > real.mtx
    silent "$(printf '9\t0')" real.mtx
    run -0 --separate-stderr pm-count -v real.mtx
    [[ "$stderr" == *'if this symmetric matrix is that of a graph, the bipartite double cover'* ]]
}

@test "--bipartite excludes --graph and a line '# pm-graph'" {
    run -64 --separate-stderr pm-count --graph --bipartite benzene
    [ -z "$output" ]
    [[ "$stderr" == 'pm-count: --graph and --bipartite exclude each other'* ]]
    { echo '# pm-graph 6'; cat benzene; } > graph
    refuses 65 'graph:1: expected edges between two sides' --bipartite graph
    refuses 65 'size line of a graph with two sides; without --graph' --graph <(echo '# pm-edges 1 1'; echo '1 1')
}

@test "a banner with one percent sign" {
    printf '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' > f
    refuses 65 "f:1: expected '%%MatrixMarket', found one percent sign" f
}

@test "a square block of numbers" {
    says 162 'looks like a matrix of 3 x 3 numbers (--from=dense)' block
    silent 162 --from=edges block
    silent 162 -q block
    printf '1 1\n1 1\n' > f
    refuses 65 '--from=dense' f
    printf '1 2 3 4\n5 6 7 8\n' > f
    refuses 65 '--from=dense' f
    printf '1,2,3\n4,5,6\n' > f
    refuses 65 '--from=csv' f
    printf '1;2;3\n4;5;6\n' > f
    refuses 65 '--from=csv' f
    printf 'a, 1\nb, 2\nc, 3\n' > f
    says 1 '--from=csv' f
}

@test "attributes as networkx writes them" {
    printf "0 4 {}\n1 5 {}\n0 5 {}\n1 4 {}\n" > f
    silent 2 f
    printf "0 4 {'weight': 2}\n1 5 {\"weight\": 2.5}\n" > f
    silent "$(printf '5\t0')" f
    printf "0 4 {'weight': 2, 'colour': 'red'}\n" > f
    silent 2 f
    run -0 --separate-stderr pm-count -v f
    [[ "$stderr" == *'attributes other than weight are not used'* ]]
    printf "0 4 {'weight': 2}\n1 5 {}\n" > f
    refuses 65 'f:2: expected a weight at every edge or at none' f
}

@test "names with blanks between TABs" {
    printf 'Alice Smith\tJob 1\t3\nBob\tJob 2\t4\n' > f
    silent 12 f
    run -0 pm-count --matching --json f
    [[ "$output" == *'["Alice Smith","Job 1"]'* ]]
}

@test "complex weights" {
    printf 'a x 1+2j\nb y (3,-4)\n' > f
    silent "$(printf '11\t2\t0')" f
    printf 'a x 2i\nb y (1+i)\n' > f
    silent "$(printf -- '-2\t2\t0')" f
}

@test "an odd cycle where the graph must be bipartite" {
    printf 'a b\nb c\nc a\n' > f
    run -69 --separate-stderr pm-approx --compare --graph f
    [[ "$stderr" == *'only bipartite graphs are taken here; graphs with odd cycles are taken without --compare and --method=bethe' ]]
}

@test "a block of 2 x 3 numbers, and three edges" {
    printf '5 3 2\n1 4 6\n' > f
    says 12 'looks like a matrix of 2 x 3 numbers (--from=dense)' f
    silent 12 --from=edges f
    printf '1 4\n2 5\n3 6\n' > f
    silent 1 f
    printf '# pm-edges 6 6\n5 3 2\n1 4 6\n' > f
    silent 0 f
    printf '1 4 {}\n2 5 {}\n' > f
    silent 1 f
}

@test "numbers that are not whole are hardly vertices" {
    printf '0.5 0.25\n0.1 0.9\n0.3 0.7\n' > f
    says 1 'read as 3 edges '\''left right'\'', but looks like a matrix of 3 x 2 numbers (--from=dense)' f
    silent 1 --from=edges f
    silent 1 --bipartite f
    silent 1 -q f
    printf '0.5 1 2\n1 2 2\n2 3 2\n3 4 2\n' > f
    says 16 'matrix of 4 x 3 numbers' f
    printf '1.0 4.0\n2.0 5.0\n3.0 6.0\n' > f # whole, as data frames write them
    silent 1 f
    printf '0.5 0.25\n0.5 0.25\n0.3 0.7\n' > f
    refuses 65 'a matrix of numbers is another format (--from=dense)' f
}

@test "--bipartite refuses graphs with one set of vertices" {
    printf 'Cl\n' > g.g6
    printf 'p edge 2 1\ne 1 2\n' > g.col
    for f in g.g6 g.col; do
        silent "$(pm-count $f)" $f
        refuses 65 'expected edges between two sides, found a graph on one set of vertices' --bipartite $f
        [[ "$stderr" == *'without --bipartite its two sides are found'* ]]
    done
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip "built without igraph"
    printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n' > g.gml
    silent 1 g.gml
    refuses 65 '(format gml)' --bipartite g.gml
}

@test "labels with blanks between tabs" {
    printf 'Ann Smith\t1\nBob Jones\tcook\nEve\t3\n' > f
    says 1 'because a line ends with no number; the others could be' f
    silent 1 --from=csv --delimiter=tab --header=no f
    printf 'Ann Smith\t1\nBob\t2\n' > f
    silent 1 f
    printf 'Ann Smith\tJob 1\t2\nBob\t2\t3\n' > f
    silent 6 f
    printf 'Ann Smith\tJob 1\nBob 2\n' > f
    refuses 65 'f:2: expected '"'left right'"' as in the first edge, found 1 field; the fields are separated by tabs' f
    printf 'a \tx\nb \ty\n' > f
    silent 1 f
    printf 'a\tx 2\t\nb y 3\n' > f
    silent 6 f
    printf '1\t1 2\n2\t2 3\n4\t3 1\n5\t4 1\n' > f
    silent 6 f
    printf "(0, 0) (1, 0) {}\n" > f
    refuses 65 "labels with blanks need tabs between the fields (write_edgelist(G, f, delimiter='\\t'))" f
    printf '(0, 0)\t(1, 0)\t{}\n(0, 1)\t(1, 1)\t{}\n' > f
    silent 1 f
}

@test "weights that NumPy 2 writes" {
    printf "0 4 {'weight': np.float64(0.5)}\n1 5 {'weight': np.int64(3)}\n" > f
    silent "$(printf '1.5\t0')" f
    printf "0 4 {'weight': np.str_('3')}\n" > f
    refuses 65 'not '"''3''" f
}

@test "one rule for blanks and TABs" {
    printf 'A1 B1\t0.5\nA2 B2\t0.25\n' > f
    silent "$(printf '0.125\t0')" f
    run -0 --separate-stderr pm-count -v f
    [[ "$stderr" == *'lines with tabs and blanks are cut at both'* ]]
    printf 'A1 B1\t5\n' > f
    says 5 'cut at blanks and tabs' f
    [[ "$stderr" == *'--from=csv --delimiter=tab'*'--from=edges or -q'* ]]
    silent 5 -q f
    silent 5 --from=edges f
    printf 'a\tx 5\n' > f
    says 1 'write blanks instead of tabs' f
    printf 'a\tx 0.5\n' > f
    silent "$(printf '0.5\t0')" f
    printf '1 a\t0.5\n' > f
    silent "$(printf '0.5\t0')" f
    printf 'A1 A2\t2\n' > f
    says 2 'cut at blanks and tabs' --graph f
    printf 'A1 B1\t{}\n' > f
    silent 1 f
    printf '1 2\t5\n' > f
    silent 5 f
    printf 'Ann\tJob 1\nBob\tJob 2\n' > f
    says 1 "cut at tabs only, with blanks in names; all lines could be 'left right weight'" f
    silent 1 --from=csv --delimiter=tab --header=no f
    silent 1 --from=edges f
    printf 'A1 B1\t2\nA2 B2\tnan\n' > f
    refuses 65 "f:2: expected a finite number, not 'nan'" f
}

@test "numbers with commas: both formats are named, and a block in a table" {
    tr ' ' , < block > block.csv
    refuses 65 'a matrix (--from=dense) or a table of edges (--from=csv)' block.csv
    says 162 'looks like a matrix of 3 x 3 numbers (--from=dense)' --from=csv block.csv
    silent 162 --from=csv --header=no block.csv
    silent 162 -q --from=csv block.csv
    silent 450 --from=dense block.csv
    printf '0,1,0\n1,0,1\n1,1,1\n' > f
    says 0 'looks like a matrix' --from=csv f
    printf '0, 1\n1, 1\n' > f
    run -0 --separate-stderr pm-count f
    [[ "$stderr" == *'a matrix (--from=dense) or a table of edges (--from=csv)'* ]]
}

@test "complex and printed matrices" {
    printf '1+2j 2 3\n4 5 6\n7 8 9\n' > f
    says 162 'looks like a matrix of 3 x 3 numbers (--from=dense)' f
    [ "$(pm-count --from=dense f | cut -f 1,2)" = "$(printf '450\t186')" ]
    printf '(1,2) 3\n4 5\n' > f
    says 1 'looks like a matrix of 2 x 2 numbers' f
    printf '1 2j\n2j 3\n' > f
    says 1 'looks like a matrix of 2 x 2 numbers' f
    printf '[[1 2]\n [3 4]]\n' > f
    refuses 65 'f:1: expected a graph in a known format, found a matrix in brackets' f
    run -0 pm-count --from=edges f
}

@test "adjacency matrices as text" {
    printf '0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n' > f
    says 4 'its pattern is symmetric without a diagonal' --from=dense f
    silent 2 --from=dense --graph f
    silent 4 --from=dense --bipartite f
    printf '1 1\n1 1\n' > f
    silent 2 --from=dense f
}

@test "both directions of an edge in other formats" {
    printf 'p edge 4 4\ne 1 2\ne 2 1\ne 3 4\ne 4 3\n' > f
    silent 1 f
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip "built without igraph"
    printf 'graph [ directed 1 node [ id 1 label "x" ] node [ id 2 label "y" ] edge [ source 1 target 2 ] edge [ source 2 target 1 ] ]\n' > f
    silent 1 f
    sed 's/edge \[ source 2 target 1/edge [ source 1 target 2/' f > g
    refuses 65 'g: duplicate edge x y' g
    printf '*vertices 2\n1 "x"\n2 "y"\n*arcs\n1 2\n2 1\n' > f
    silent 1 f
}

@test "text of other formats is named" {
    printf '{"nodes": []}\n' > f
    refuses 65 'found JSON' f
    printf '<?xml version="1.0"?>\n<gexf/>\n' > f
    refuses 65 'XML that is not GraphML' f
    printf '\377\376a\0 \0b\0\n\0' > f
    refuses 65 'found UTF-16' f
    refuses 65 'UTF-16' --from=csv f
}

@test "banners that are nearly right" {
    for banner in '%%%MatrixMarket' '%% MatrixMarket' ' %%MatrixMarket matrix coordinate'; do
        printf '%s\n1 1 1\n1 1 1\n' "$banner" > f
        refuses 65 'in the first line and at its beginning' f
    done
}

@test "first lines that resemble a banner" {
    local body='3 3 4\n1 1 1\n1 2 1\n2 1 1\n3 2 1\n' banner
    for banner in '%%Matrix Market matrix coordinate integer general' \
        '%%MatrixMarkt matrix coordinate integer general' \
        '%%matrix_market matrix coordinate integer general' \
        '# MatrixMarket matrix coordinate integer general' '# MatrixMarket' \
        '%%MatrixMarkt' '% MATRIX MARKET ARRAY REAL GENERAL'; do
        { echo "$banner"; printf "$body"; } > f
        refuses 65 "f:1: expected '%%MatrixMarket" f
        silent 4 -q --from=edges f
    done
    [ "$(printf '# coordinates of a matrix\na x\n' | "$program")" = 1 ]
    [ "$(printf '# from a MatrixMarket file\na x\n' | "$program")" = 1 ]
    [ "$(printf '# edges\n# matrix as an array\na x\n' | "$program")" = 1 ]
}

@test "a list that was cut at blanks and is bad then: the other cut is named" {
    printf 'Room 1\t9\nRoom 1\t10\nRoom 2\t9\nRoom 2\t10\n' > f
    refuses 65 'table (--from=csv --delimiter=tab)' f
    [[ "$stderr" == *'f:2: duplicate edge'* ]]
    silent 2 --from=csv --delimiter=tab f
    printf 'Job 1\tAnn\t\nJob 2\tBob\t\n' > f
    refuses 65 "f:1: expected a finite number, not 'Ann'; the line ends with a tab" f
    printf 'a x\na x\n' > f
    refuses 65 'f:2: duplicate edge' f
    [[ "$stderr" != *tab* ]]
}

@test "titles of columns, rows of digits, size lines that are cut" {
    local said="expected a finite number, not 'weight'"
    printf 'source\ttarget\tweight\na\tx\t2\nb\ty\t3\n' > f
    run -65 --separate-stderr pm-count f
    [ "$stderr" = "pm-count: f:1: $said; if the line has the titles of the columns, put '#' before it" ]
    [ "$(sed '1s/^/#/' f | pm-count)" = 6 ]
    [ "$(pm-count --from=csv f)" = 6 ]
    printf 'a x 2\nsource target weight\n' > f
    run -65 --separate-stderr pm-count f
    [ "$stderr" = "pm-count: f:2: $said" ]
    printf 'a x nan\n' > f
    run -65 --separate-stderr pm-count f
    [ "$stderr" = "pm-count: f:1: expected a finite number, not 'nan'" ]
    printf '0110\n1001\n' > f
    refuses 65 'found 1 field; a matrix needs blanks between its numbers (--from=dense)' f
    printf '# pm-edges 2\n1 1\n' > f
    refuses 65 "expected '# pm-edges ROWS COLS', found fewer words" f
    printf '# pm-graph\n1 2\n' > f
    refuses 65 "expected '# pm-graph VERTICES', found fewer words" f
}

@test "arrows, DOT, rows that end with a mark, lists in brackets" {
    local said="expected 'left right [weight]', found '->' between two names: leave it out"
    printf '1 -> 2\n2 -> 3\n' > f
    refuses 65 "f:1: $said; --from=edges reads it as a name" f
    printf '1 -> 2\n' > f
    refuses 65 "f:1: $said" f
    [ "$(pm-count --from=edges f)" = 2 ]
    printf 'a -- b\nc -- d\n' > f
    refuses 65 "found '--' between two names" f
    for mark in - : '|' '>' '–' '→'; do
        printf '1 %s 2\n2 %s 3\n' "$mark" "$mark" > f
        refuses 65 "found '" f
        refuses 65 ' between two names: leave it out' f
    done
    printf 'a - 2\n' > f
    silent 2 --from=edges f
    printf -- '- a\n' > f
    silent 1 f
    for dot in '// c\ngraph {\na -- b\n}\n' '/* c\n */ // d\n/**/ graph {\na -- b\n}\n' 'strict graph G {\na -- b\n}\n' '# c\ndigraph G{a -> b}\n'; do
        printf "$dot" > f
        refuses 65 'expected a graph in a known format, found DOT (Graphviz)' f
    done
    printf "graph b {'weight': 2}\ndigraph c {'weight': 3}\n" > f
    [ "$(pm-count f)" = 6 ]
    printf "graph b {}\n" > f
    [ "$(pm-count f)" = 1 ]
    printf '[(0, 1), (1, 0)]\n' > f
    refuses 65 'found edges in brackets: write one edge a line' f
    for pairs in '(0, 1)\n(1, 0)\n' '(0,1),\n(1,2)\n' '("a", "b")'; do
        printf "$pairs" > f
        refuses 65 'found edges in brackets: write one edge a line' f
    done
    printf '(0,1) (1,1)\n' > f
    silent 1 f
    printf '{{1,2},{3,4}}\n' > f
    refuses 65 'found a matrix in brackets' f
    for rows in '1 2;\n3 4;\n' '1 2;\n3 4\n'; do
        printf "$rows" > f
        run -0 --separate-stderr pm-count f
        [[ "$output" == 1 && "$stderr" == *'a matrix (--from=dense) or a table of edges (--from=csv)'* ]]
        [ "${#stderr_lines[@]}" -eq 1 ]
        run -0 --separate-stderr pm-count --from=edges f
        [[ "$output" == 1 && -z "$stderr" ]]
    done
    printf '1: 2 3\n2: 4 5\n' > f
    says 15 'looks like lists of neighbours: write one edge a line' f
    silent 15 --from=edges f
    printf '1: 2 3\nx 4 5\n' > f
    silent 15 f
    printf 'a b;\nc d\ne f\n' > f
    run -0 --separate-stderr pm-count f
    [[ "$output" == 1 && -z "$stderr" ]]
}

@test "attributes of GML: weight and type" {
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip "built without igraph"
    printf 'graph [ node [ id 0 type 0 ] node [ id 1 type 1 ] node [ id 2 type 1 ]\n' > f
    printf 'edge [ source 0 target 1 weight 3 ] edge [ source 0 target 2 weight 4 value 9 ] ]\n' >> f
    [ "$(pm-count --saturate f)" = 7 ]
}

@test "a first line with the numbers of vertices and edges is told" {
    printf '4 4\n1 2\n2 3\n3 4\n4 1\n' > sizes
    run --separate-stderr pm-count sizes
    [ "$status" -eq 0 ]
    [ "$output" = 1 ]
    [[ $stderr == *'read as 5 edges, but the first line looks like the numbers of vertices and edges'* ]]
    for o in --from=edges -q; do
        run --separate-stderr pm-count $o sizes
        [ "$output" = 1 ]
        [[ $stderr != *'looks like the numbers'* ]]
    done
    printf '4 3\n1 2\n2 3\n3 4\n4 1\n' > no_sizes
    run --separate-stderr pm-count no_sizes
    [[ $stderr != *'looks like the numbers'* ]]
}

@test "a first line of titles is told" {
    printf 'u v\n1 1\n1 2\n2 1\n2 2\n' > titles
    run -0 --separate-stderr pm-count titles
    [ "$output" = 2 ]
    [[ $stderr == *'read as 5 edges, but the first line looks like titles of columns: leave it out'* ]]
    run -0 --separate-stderr pm-count --from=edges titles
    [[ "$output" = 2 && -z $stderr ]]
    printf 'u v\n1 1\n1 w\n2 1\n2 2\n' > names
    run -0 --separate-stderr pm-count names
    [[ $stderr != *titles* ]]
}

@test "small formats: what was found, and what to do" {
    printf '#write.py\n# GMT Mon Nov 23 06:00:00 2026\n#\n0 1 2\n1 2\n2\n' > f
    refuses 65 "f:4: expected 'left right [weight]', found an adjacency list of networkx, by its head '# GMT': write edges (networkx.write_edgelist)" f
    printf '# GMT\n0 1\n1 0\n' > f
    [ "$(pm-count -q --from=edges f)" = 1 ]
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n%% c\n2 2\n' > f
    refuses 65 "f:4: expected a row from 1 to 2, not '%': comments are allowed before the line with the sizes only, leave it out" f
    for graph in 'Graph[{1<->2}]' 'Graph[ {1 -> 2, 2 -> 3}]' 'Graph[{{1,2}}]'; do
        echo "$graph" > f
        refuses 65 'f:1: expected a graph in a known format, found a graph of Mathematica: export it as GraphML' f
    done
    printf 'sep=;\nu;v\na;b\n' > f
    refuses 65 "f:1: expected an edge, found the mark 'sep=' of spreadsheet programs: leave the line out; --delimiter" --from=csv f
    printf '#u,v\na,b\nc,d\n' > f
    refuses 65 "found none; lines that begin with # are comments" --from=csv --columns=u,v f
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip "built without igraph"
    printf '<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n</graphml>\n' > f
    refuses 65 'f: expected an element <graph>, found none: the file holds no graph' f
    printf 'graph [\n# c\nnode [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n' > f
    [ "$(pm-count -q f)" = 1 ]
}
