# SPDX-License-Identifier: GPL-3.0-or-later
# Places of vertices as labels: families, and the way through the filters.
bats_require_minimum_version 1.5.0
load filters

program=pm-gen

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# lengths ARGUMENT...: the lengths of the edges, once all places are known to be different
lengths() {
    pm-gen "$@" --positions | awk -F '\t' '
        /^# pm-(edges|graph) / { split($0, word, " "); vertices = word[3] + word[4]; next }
        /^#/ { next }
        {
            for (k = 1; k <= 2; ++k) is_place[$k] = 1
            split($1, a, ","); split($2, b, ",")
            length_of[sprintf("%.2f", sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2))] = 1
        }
        END {
            for (place in is_place) ++places
            if (places != vertices) print "places", places, "vertices", vertices
            for (l in length_of) print l
        }' | sort -n | tr '\n' ' '
}

@test "lattices and regions have edges of length 1 and no place twice" {
    local family
    while read -r family; do
        # shellcheck disable=SC2086 # words
        [ "$(lengths $family)" = "1.00 " ] || { echo "$family"; return 1; }
    done <<- 'END'
		grid 3 4
		planar 4 5 0.7 --seed=1
		honeycomb 2 3
		square-octagon 3 4
		hexagon 2 3 4
		aztec 3
		triangular 3 4
		kagome 3 4
	END
}

@test "tori and cylinders are flat: few edges are longer" {
    [ "$(lengths torus 4 6)" = "1.00 3.00 5.00 " ]
    [ "$(lengths cylinder 4 6)" = "1.00 5.00 " ]
    [ "$(lengths torus-graph 3 5)" = "1.00 2.00 4.00 " ]
    [[ $(lengths honeycomb-torus 3 4) == "1.00 "* ]]
    [[ $(lengths triangular-torus 4 5) == "1.00 "* ]]
    [[ $(lengths kagome-torus 3 4) == "1.00 "* ]]
}

@test "circles, and boxes in space" {
    [ "$(lengths complete 6)" = "1.00 1.73 2.00 " ]
    [ "$(lengths circulant-graph 8 1 4)" = "0.97 2.55 " ]
    [ "$(lengths circulant 7 0)" = "1.00 " ]
    [ "$(lengths cube 2 3 4)" = "0.45 1.00 " ]
}

@test "known places" {
    [ "$(pm-gen hexagon 1 --positions | sed '/^#/d; s/\t.*//' | uniq | paste -sd ' ')" = \
        '0.866,0.5 0,2 1.7321,2' ]
    [ "$(pm-gen grid 1 2 --positions | tail -n 1)" = $'0,0\t1,0' ]
    [ "$(pm-gen complete 2 --positions | tail -n 1)" = $'0,-1\t0,1' ]
}

@test "places go through all filters, and change no count" {
    local graph filter
    for graph in 'aztec 3' 'kagome 2 4' 'honeycomb-torus 2 3' 'planar 4 4 0.5 --seed=3'; do
        # shellcheck disable=SC2086 # words
        pm-gen $graph > plain && pm-gen $graph --positions > placed
        # shellcheck disable=SC2086 # words
        pm-gen $graph --positions --to=mtx > placed.mtx
        for filter in cat pm-dm pm-order pm-decompose; do
            [ "$($filter placed | pm-count)" = "$(pm-count plain)" ]
            [ "$($filter placed.mtx | pm-count)" = "$(pm-count plain)" ]
        done
        # the same labels as in the graph
        pm-order placed | pm-dm --matching | sed '/^#/d; s/\t/\n/' | sort > matched
        sed '/^#/d; s/\t/\n/' placed | sort -u | cmp - matched
    done
}

@test "the comment writes the same graph again" {
    pm-gen planar 4 4 0.5 --positions --real > graph
    # shellcheck disable=SC2046 # words
    $(sed -n 's/^# pm-gen /pm-gen /p' graph) | cmp - graph
}

@test "what has no drawing, or no labels, is refused" {
    local family
    for family in 'hypercube 3' 'ones 3' 'kneser 5 2' 'random-graph 5 0.5'; do
        # shellcheck disable=SC2086 # words
        refuses 64 'has no natural drawing' $family --positions
    done
    refuses 64 'have no labels' strip grid 4 --length=4 --positions
    refuses 69 'a row without edges; --to=mtx can' grid 1 1 --positions
    refuses 69 'a vertex without edges; --to=mtx can' triangular 1 1 --positions
    pm-gen grid 1 1 --positions --to=mtx
}
