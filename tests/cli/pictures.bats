# SPDX-License-Identifier: GPL-3.0-or-later
# --draw: pictures of matchings.
bats_require_minimum_version 1.5.0
load filters

program=pm-approx

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# draw ARGUMENT...: a random matching of a graph of pm-gen in picture.svg
draw() {
    pm-gen "$@" --positions | pm-approx --sample=1 --draw=picture.svg > out
    [ ! -s out ]
}

# shapes [FILE]: how many shapes there are in all paths of matched edges: each begins with M
shapes() { sed -n '/class="t /p' "${1:-picture.svg}" | tr -cd M | wc -c; }

# colours [FILE]: how many shapes of each colour, in their sequence
colours() {
    sed -n '/class="t /p' "${1:-picture.svg}" | awk '{ n = gsub(/M/, ""); printf "%s%d", (NR > 1 ? " " : ""), n }'
}

well_formed() {
    local check='import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]'
    if "${PYTHON:-python3}" -c 'import xml.dom.minidom' 2> /dev/null; then
        "${PYTHON:-python3}" -c "$check" "$@"
    elif command -v xmllint > /dev/null; then
        xmllint --noout "$@"
    else
        skip 'neither the XML parser of Python nor xmllint'
    fi
}

@test "a shape for each edge, and the shapes that belong to the family" {
    draw grid 6 6
    [ "$(shapes)" -eq 18 ]
    grep -q '<title>A domino tiling of 18 dominoes</title>' picture.svg
    draw aztec 5
    [ "$(shapes)" -eq 30 ]
    draw hexagon 2 3 4
    [ "$(colours)" = '12 6 8' ]
    grep -q 'A lozenge tiling of 26 lozenges' picture.svg
    draw honeycomb 3 3
    [ "$(shapes)" -eq 15 ]
    grep -q 'lozenges' picture.svg
    draw square-octagon 2 3
    [ "$(shapes)" -eq 12 ]
    grep -q 'A matching of 12 edges' picture.svg
    draw cube 2 2 3
    [ "$(shapes)" -eq 6 ]
}

@test "colours go by direction" {
    # a column of dominoes, all upright; then two that lie
    printf '%s\n' '0,0 0,1' '0,2 0,3' '1,0 2,0' '1,1 2,1' | pm-count --matching --draw=picture.svg
    [ "$(colours)" = '2 2' ]
    grep -q '^<path class="t c0" d="M' picture.svg
    # the same edges in the other direction have another colour
    printf '%s\n' '0,0 0,1' '0,3 0,2' '1,0 2,0' '2,1 1,1' | pm-count --matching --draw=picture.svg
    [ "$(colours)" = '1 1 1 1' ]
    # in a graph on one set of vertices they have the same one
    { echo '# pm-graph 6' && printf '%s\n' '0,0 0,1' '2,1 2,0' '0,0 1,0' '1,0 1,1' '0,0 1,1' '1,0 2,0'; } > graph
    pm-dm --matching --draw=picture.svg graph
    [ "$(shapes)" -eq 3 ]
}

@test "edges around a torus are drawn twice" {
    pm-gen torus 4 4 --positions | pm-approx --sample=20 --draw=picture.svg
    local around
    around=$(sed -n '/class="t c. a"/p' picture.svg | tr -cd M | wc -c)
    [ "$around" -gt 0 ]
    [ $((around % 2)) -eq 0 ]
    [ $(($(shapes) - around / 2)) -eq $((20 * 8)) ]
    pm-gen kagome-torus 3 4 --positions | pm-count --matching --draw=picture.svg
    [ "$(grep -c 'goes around' picture.svg)" -eq 1 ]
    pm-gen circulant-graph 8 1 4 --positions | pm-count --matching --draw=picture.svg
    [ "$(shapes)" -eq 4 ]
    run -1 grep 'goes around' picture.svg
}

@test "several matchings are frames" {
    pm-gen aztec 3 --positions | pm-approx --sample=7 --draw=picture.svg
    [ "$(grep -c '<g class="f"' picture.svg)" -eq 7 ]
    [ "$(shapes)" -eq $((7 * 12)) ]
    grep -q '<title>7 domino tilings of 12 dominoes each' picture.svg
    # they are the matchings that are printed
    pm-gen aztec 3 --positions | pm-approx --sample=1 --seed=1 --draw=first.svg
    pm-gen aztec 3 --positions | pm-approx --sample=7 --seed=1 --draw=picture.svg
    sed -n '/<path/p' first.svg > first
    sed -n '/id="f1"/,/<\/g>/{/<path/p}' picture.svg | cmp first -
}

@test "a maximum matching leaves vertices alone" {
    pm-gen grid 3 3 --positions | pm-dm --matching --draw=picture.svg
    [ "$(shapes)" -eq 4 ]
    [ "$(grep -c 'class="v"' picture.svg)" -eq 1 ]
    pm-gen complete 5 --positions | pm-dm --matching --draw=picture.svg
    [ "$(shapes)" -eq 2 ]
}

@test "SVG is well-formed, with title, description, and both backgrounds" {
    draw grid 2 2 && mv picture.svg grid.svg
    draw hexagon 2 && mv picture.svg hexagon.svg
    pm-gen kagome 2 2 --positions | pm-count --matching --draw=kagome.svg
    pm-gen torus 4 4 --positions | pm-approx --sample=3 --draw=torus.svg
    echo '# pm-edges 0 0' | pm-count --matching --draw=empty.svg
    for picture in *.svg; do
        [ "$(grep -c '<title>.*</title>' "$picture")" -eq 1 ]
        [ "$(grep -c '<desc>.*</desc>' "$picture")" -eq 1 ]
        grep -q 'prefers-color-scheme:dark' "$picture"
    done
    well_formed ./*.svg
}

@test "places from a file" {
    printf 'a x\na y\nb x\nb y\n' > graph
    printf '# places\n\na 0 0\nx\t1\t0\n  b 1 1.0\ny 0 1e0\nz 7 7\n' > places
    pm-count --matching --draw=picture.svg --positions=places graph
    [ "$(shapes)" -eq 2 ]
    grep -q 'dominoes' picture.svg
    # with a byte order mark
    printf '\357\273\277a 0 0\r\nb 1 1\r\nx 1 0\r\ny 0 1\r\n' > places
    pm-count --matching --draw=picture.svg --positions=places graph
    [ "$(shapes)" -eq 2 ]
    grep -q 'dominoes' picture.svg
    # rows and columns with the same labels
    printf '1 1\n1 2\n2 1\n2 2\n' > numbers
    printf 'row 1 0 0\nrow 2 1 1\ncolumn 1 1 0\n2 0 1\n' > places
    pm-dm --matching --draw=picture.svg --positions=places numbers
    [ "$(shapes)" -eq 2 ]
    grep -q 'dominoes' picture.svg
}

@test "places by igraph where no label is a place" {
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip 'built without igraph'
    pm-gen fullerene 60 1 7 9 11 13 15 18 20 22 24 26 32 > c60
    pm-count --matching --draw=picture.svg c60
    [ "$(shapes)" -eq 30 ]
    grep -q '<title>A matching of 30 edges</title>' picture.svg
    pm-count --matching --draw=again.svg c60 && cmp picture.svg again.svg
    # also where the format is known, so that nothing else needs the helper
    pm-gen grid 4 4 > plain
    pm-approx --from=edges --sample=1 --draw=picture.svg plain
    [ "$(shapes)" -eq 8 ]
    pm-gen hypercube 4 | pm-dm --matching --draw=picture.png
    pm-gen grid 1 20000 > long
    refuses 69 'a layout is made for up to 10000 vertices, and the graph has 20000' --sample=1 \
        --draw=picture.svg long
    echo '# pm-edges 0 0' | pm-count --matching --draw=picture.svg
}

@test "bad files of places" {
    printf 'a x\n' > graph
    program=pm-count
    local line text
    while IFS='|' read -r line text; do
        printf 'a 0 0\n%b\n' "$line" > places
        refuses 65 "places:2: $text" --matching --draw=picture.svg --positions=places graph
    done <<- 'END'
		x 1|expected 'LABEL X Y'
		x 1 2 3 4|expected 'LABEL X Y'
		x 1 nan|expected a decimal number up to 1e9, found 'nan'
		x 1 1e10|expected a decimal number
		x 0x1 1|expected a decimal number
		up x 1 2|expected 'row' or 'column'
		a 3 3|expected one place for each vertex, found a second one for 'a'
	END
    printf 'a 0 0\n' > places
    refuses 65 "graph: no place for column 'x'" --matching --draw=picture.svg --positions=places graph
    printf 'a 0 0\nx 0 0\n' > places
    refuses 65 "row 'a' and column 'x' have the same place" --matching --draw=picture.svg \
        --positions=places graph
    printf 'a 0 0\nx 1e-20 0\n' > places
    refuses 69 'graph: the edges are too short to be drawn' --matching --draw=picture.svg --positions=places graph
    refuses 66 'no-such-file' --matching --draw=picture.svg --positions=no-such-file graph
    [ ! -e picture.svg ]
}

@test "what cannot be drawn is refused in one line, and nothing is written" {
    pm-gen grid 2 2 --positions > graph
    pm-gen grid 3 3 --positions > odd
    pm-gen grid 2 2 > plain
    sed 's/^0,0/here/' graph > mixed
    refuses 65 "mixed: the label of row 'here' is no place; --positions=FILE gives places" \
        --sample=1 --draw=picture.svg mixed
    PM_LIBEXEC=/nowhere refuses 69 'plain: no label is a place X,Y, as those of pm-gen --positions, there is no --positions=FILE, and layout of the graph: a layout needs the helper program /nowhere/pm-igraph-read' \
        --sample=1 --draw=picture.svg plain
    refuses 65 'odd: no perfect matching to draw' --sample=1 --draw=picture.svg odd
    refuses 64 'found a second one' --sample=1 --draw=picture.svg graph graph
    refuses 64 'ends neither in .svg nor in .png' --sample=1 --draw=picture.gif graph
    refuses 64 'a PNG picture has one matching' --sample=2 --draw=picture.png graph
    refuses 64 '--superpose needs two matchings' --sample=3 --superpose --draw=picture.svg graph
    refuses 64 '--superpose needs --draw' --sample=2 --superpose graph
    refuses 64 '--draw needs --sample' --draw=picture.svg graph
    refuses 64 '--positions needs --draw' --sample=1 --positions=places graph
    refuses 64 'at most 1000 matchings' --sample=1001 --draw=picture.svg graph
    refuses 64 'no --output, --json' --sample=1 --draw=picture.svg --json graph
    refuses 74 'missing/picture.svg' --sample=1 --draw=missing/picture.svg graph
    program=pm-count
    refuses 65 'odd: no such matching to draw' --matching --draw=picture.svg odd
    refuses 64 '--draw needs --matching' --draw=picture.svg graph
    pm-gen grid 2 2 --positions --to=mtx > graph.mtx
    stream '%pm: begin sum' '%pm: factor 2' graph.mtx '%pm: end' > parts
    refuses 69 'parts:2: --draw needs a whole graph' --matching --draw=picture.svg parts
    refuses 64 'takes no copies' --matching --row-times=1,1 --draw=picture.svg graph
    program=pm-dm
    refuses 64 '--draw needs --matching' --hall --draw=picture.svg graph
    [ ! -e picture.svg ]
    [ ! -e picture.png ]
}

@test "the loops of two matchings" {
    # a square, and an edge of both matchings
    printf '%s\n' '0,0 1,0' '0,0 0,1' '1,1 1,0' '1,1 0,1' '5,5 6,5' > graph
    local seed
    for seed in 1 2 3 4 5 6 7 8 9 10; do # different ones, but with probability 1/1024
        pm-approx --seed=$seed --sample=2 --superpose --draw=picture.svg graph
        ! grep -q '<title>1 loop of two matchings of 3 edges</title>' picture.svg || break
    done
    grep -q '<title>1 loop of two' picture.svg && grep -q 'both are grey: 1\.' picture.svg
    [ "$(colours)" = '2 2 1' ] # two edges of each matching, and the grey one
    well_formed picture.svg
    echo '0,0 1,0' | pm-approx --sample=2 --superpose --draw=picture.svg
    grep -q '<title>0 loops of two matchings of 1 edge</title>' picture.svg
    # as many shapes as edges in the union of what is printed
    pm-gen grid 8 8 --positions > board
    pm-approx --sample=2 --seed=5 --superpose --draw=picture.svg board
    [ "$(shapes)" -eq "$(pm-approx --sample=2 --seed=5 board | sed '/^#/d' | sort -u | wc -l)" ]
    # loops by joining what is printed
    [ "$(sed -n 's/.*<title>\([0-9]*\) loop.*/\1/p' picture.svg)" -eq "$(
        pm-approx --sample=2 --seed=5 board | awk -F '\t' '
            function root(v) { while (up[v] != v) v = up[v]; return v }
            /^#/ { next }
            { for (k = 1; k <= 2; ++k) if (!($k in up)) up[$k] = $k }
            met[$0]++ { both++; next }
            root($1) != root($2) { up[root($1)] = root($2) }
            END { for (v in up) n += up[v] == v; print n - both }'
    )" ]
}

@test "the loops of two matchings of a graph with odd cycles" {
    # a square with a diagonal, and an edge of both matchings
    printf '%s\n' '0,0 1,0' '1,0 1,1' '1,1 0,1' '0,1 0,0' '0,0 1,1' '5,5 6,5' > graph
    local seed
    for seed in 1 2 3 4 5 6 7 8 9 10; do # different ones, but with probability 1/1024
        pm-approx --graph --seed=$seed --sample=2 --superpose --draw=picture.svg graph
        ! grep -q '<title>1 loop of two matchings of 3 edges</title>' picture.svg || break
    done
    grep -q '<title>1 loop of two' picture.svg && grep -q 'both are grey: 1\.' picture.svg
    [ "$(colours)" = '2 2 1' ]
    # as many shapes as edges in the union of what is printed
    pm-gen triangular 6 6 --positions > lattice
    pm-approx --sample=2 --seed=5 --superpose --draw=picture.svg lattice
    [ "$(shapes)" -eq "$(pm-approx --sample=2 --seed=5 lattice | sed '/^#/d' | sort -u | wc -l)" ]
}

# big FILE OFFSET: four bytes as a number, the highest first
big() { od -An -tu1 -j "$2" -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'; }

@test "PNG: its head, its size, its text, the same shapes as in SVG" {
    draw grid 4 6
    pm-gen grid 4 6 --positions > graph
    pm-approx --sample=1 --draw=picture.png graph
    [ "$(od -An -tx1 -N 8 picture.png | tr -d ' ')" = 89504e470d0a1a0a ]
    [ "$(big picture.png 16)" -eq 248 ]
    [ "$(big picture.png 20)" -eq 168 ] # 6.2 x 4.2 units of 40 pixels
    LC_ALL=C grep -aq 'Title.A domino tiling of 12 dominoes' picture.png
    LC_ALL=C grep -aq 'Description.Colours show' picture.png
    pm-approx --sample=2 --superpose --draw=loops.png graph
    LC_ALL=C grep -aq 'loops* of two matchings of 12 edges' loops.png
    pm-gen hexagon 2 --positions | pm-count --matching --draw=hexagon.png
    pm-gen kagome-torus 2 2 --positions | pm-count --matching --draw=kagome.png
    pm-gen grid 3 3 --positions | pm-dm --matching --draw=alone.png
    echo '# pm-edges 0 0' | pm-count --matching --draw=empty.png
    pm-gen grid 1 6000 --positions > long
    refuses 69 'a PNG picture would have' --sample=1 --draw=long.png long
    [ ! -e long.png ]
}

@test "a full disk leaves no picture" {
    [ -w /dev/full ] || skip 'no /dev/full'
    pm-gen grid 4 4 --positions > graph
    ln -s /dev/full full.svg
    ln -s /dev/full full.png
    refuses 74 'No space left on device' --sample=1 --draw=full.svg graph
    refuses 74 'No space left on device' --sample=1 --draw=full.png graph
    program=pm-dm refuses 74 'No space left on device' --spy=full.svg graph
}

@test "an older picture stays when there is no new one" {
    echo old > picture.svg
    pm-gen grid 3 3 --positions > odd
    refuses 65 'no perfect matching' --sample=1 --draw=picture.svg odd
    [ "$(cat picture.svg)" = old ]
}
