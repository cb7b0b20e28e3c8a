# SPDX-License-Identifier: GPL-3.0-or-later
# Estimates and bounds of graphs on one set of vertices that are not bipartite.
bats_require_minimum_version 1.5.0
load estimates

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'a b' 'b c' 'c a' 'a d' > paw # a triangle with a tail: 1 perfect matching
    pm-gen random-graph 30 0.4 --seed=1 > random
    pm-gen random-graph 24 0.4 --seed=2 --integer=1:9 > weighted
}

methods='blossom blossom+ beam godsil-gutman barvinok'

@test "what is cheap is counted, with the digits of pm-count" {
    for graph in random weighted; do
        run -0 --separate-stderr pm-approx "$graph"
        [ "$stderr" = '' ]
        [ "$(field 1)" = "$(pm-count "$graph")" ]
        [ "$(field 7)" = exact ]
    done
    run -0 pm-approx -q --graph paw
    [ "$(field 1)" = 1 ]
    { cat paw; echo 'd d'; } > tied
    run -0 --separate-stderr pm-approx --graph tied
    [ "$(field 1)" = 1 ]
    [[ "$stderr" == *'tied: 1 edge joins a vertex to itself: left out; --loops counts with them' ]]
    printf '%s\n' '1 2' '2 3' '3 1' > triangle
    run -0 pm-approx -q --graph triangle
    [ "$(field 1)" = 0 ]
    run -1 pm-approx -q --graph -e triangle
}

@test "estimates contain the count, of graphs with and without weights" {
    for graph in $(is_short && echo random || echo random weighted); do
        exact=$(pm-count "$graph")
        for m in $methods; do
            few=
            [ $m != beam ] || few='--states=50'
            run pm-approx -q --graph --method=$m $few --samples=5000 "$graph"
            [ "$status" -eq 0 ] || [ "$status" -eq 76 ]
            [ "$(field 6)" = $m ]
            near "$exact" "$(field 1)" "$(field 4)"
        done
        run -0 pm-approx -q --exact-within=0 --rel-err=0.02 "$graph"
        [[ "$(field 6)" = blossom* ]] || [ "$(field 6)" = beam ]
        [ "$(field 7)" = converged ]
        near "$exact" "$(field 1)" "$(field 4)"
    done
    run -0 pm-approx -j --method=blossom --samples=2000 random
    [[ "$output" == *'"method":"blossom","samples":2000,'*'"dead_fraction":0,'* ]]
}

@test "digits depend on the seed, not on threads" {
    for m in $(is_short && shuf -n 2 -e $methods || echo $methods); do
        few=
        [ $m != beam ] || few='--states=9'
        one=$(pm-approx -q -t 1 --method=$m $few --samples=2000 --seed=5 random || [ $? -eq 76 ])
        two=$(pm-approx -q -t 2 --method=$m $few --samples=2000 --seed=5 random || [ $? -eq 76 ])
        other=$(pm-approx -q -t 2 --method=$m $few --samples=2000 --seed=6 random || [ $? -eq 76 ])
        [ "$one" = "$two" ]
        [ "$(cut -f 1-3 <<< "$one")" != "$(cut -f 1-3 <<< "$other")" ]
    done
}

@test "the beam is exact with room for all states, and wins on lattices" {
    pm-gen triangular 6 8 > lattice
    run -0 pm-approx -q --method=beam --samples=1 lattice
    [ "$(field 1)" = "$(pm-count lattice)" ]
    [ "$(field 4)" = 0 ]
    pm-gen triangular 12 12 > lattice
    run -0 pm-approx -q --exact-within=0 --rel-err=0.02 lattice
    [ "$(field 6)" = beam ]
    near "$(pm-count lattice)" "$(field 1)" "$(field 4)"
}

@test "loops are estimated by the beam" {
    for loops in --loops=1 $(is_short || echo --loops=0.5); do
        exact=$(pm-count -q $loops random | cut -f 1)
        run -0 pm-approx -q $loops random
        near "$exact" "$(field 1)" 0
        [ "$(field 7)" = exact ]
        run -0 pm-approx -q $loops --method=beam --states=50 --samples=2000 random
        near "$exact" "$(field 1)" "$(field 4)"
        run -0 pm-approx -q $loops --exact-within=0 --rel-err=0.02 random
        [ "$(field 6)" = beam ]
        near "$exact" "$(field 1)" "$(field 4)"
    done
    for graph in random weighted; do
        log=$(pm-count -q --loops=3 --json "$graph" | sed 's/.*"log10":\([^,]*\),.*/\1/')
        run -0 pm-approx -q --loops=3 --bounds "$graph"
        [ "$(awk -v l="$(field 1)" -v x="$log" -v u="$(field 2)" 'BEGIN { print (l > 0 && l <= x && x <= u && u < 2 * x) }')" -eq 1 ]
    done
    # a row of single vertices, and an odd number of vertices
    printf '%s\n' 'a a' 'b c' 'c d' 'd b' 'b b' > few
    run -0 pm-approx -q --graph --loops --method=beam --samples=1 few
    [ "$(field 1)" = 1 ]
    [ "$(pm-count -q --graph --loops few)" = 1 ]
    for other in --sample=1 --compare --method=bethe --saturate --count=maximum; do
        run -64 --separate-stderr pm-approx --graph --loops $other few
        [[ "$stderr" == *'--loops excludes --saturate, --count, --sample, --compare and --method=bethe'* ]]
    done
}

@test "parts of a graph are sampled each by what fits it" {
    # a general component, a bipartite one, and one that is a single edge
    pm-gen random-graph 20 0.6 --seed=3 | grep -v '^#' | awk '{ print "g" $1, "g" $2 }' > parts
    pm-gen erdos-renyi 12 0.6 --seed=3 | grep -v '^#' | awk '{ print "r" $1, "c" $2 }' >> parts
    echo 'x y' >> parts
    exact=$(pm-count -q --graph parts)
    run -0 pm-approx -q --graph --exact-within=0 --rel-err=0.02 parts
    near "$exact" "$(field 1)" "$(field 4)"
    run -0 pm-approx -q --graph --method=blossom --samples=20000 parts
    near "$exact" "$(field 1)" "$(field 4)"
    run -69 --separate-stderr pm-approx -q --graph --method=look+ --samples=100 parts
    [[ "$stderr" == *'parts: look+ is for bipartite graphs only (see --list)' ]]
}

@test "bipartite graphs go their own way, unless a method is named" {
    pm-gen erdos-renyi 12 0.6 --seed=3 > sides
    grep -v '^#' sides | awk '{ print "r" $1, "c" $2 }' > plain
    run -0 pm-approx -q --graph --method=scaling++ --samples=1000 plain
    [ "$(field 6)" = scaling++ ]
    run -0 pm-approx -q --graph --method=blossom --samples=20000 plain
    near "$(pm-count sides)" "$(field 1)" "$(field 4)"
    run -69 --separate-stderr pm-approx -q --method=blossom --samples=1000 sides
    [[ "$stderr" == *'sides: blossom is for graphs on one set of vertices only (see --list)' ]]
}

@test "sums and products of a stream" {
    { printf '%s\n' '%pm: stream 2' '%pm: begin sum' '%pm: factor 2'
        printf '%s\n' '%%MatrixMarket matrix coordinate pattern symmetric' '%pm: graph' '4 4 6' \
            '2 1' '3 1' '4 1' '3 2' '4 2' '4 3' \
            '%%MatrixMarket matrix coordinate pattern symmetric' '%pm: graph' '4 4 4' \
            '2 1' '3 2' '4 3' '4 1' '%pm: end' '%pm: eof'; } > s
    run -0 pm-approx s
    [ "$(field 1)" = $((2 * 3 + 2)) ]
    [ "$(field 7)" = exact ]
    run -0 pm-approx -q --method=blossom --samples=5000 s
    near 8 "$(field 1)" "$(field 4)"
    run -0 pm-approx --bounds s
    [ "$(awk -v x="$(field 2)" 'BEGIN { print (x >= log(8) / log(10)) }')" -eq 1 ]
    [ "$(awk -v x="$(field 1)" 'BEGIN { print (x <= log(8) / log(10)) }')" -eq 1 ]
}

@test "bounds hold, and are in JSON beside an estimate" {
    for graph in random weighted paw; do
        log=$(pm-count -q --graph --json "$graph" | sed 's/.*"log10":\([^,]*\),.*/\1/')
        run -0 pm-approx -q --graph --bounds "$graph"
        [ "$(awk -v l="$(field 1)" -v x="$log" -v u="$(field 2)" 'BEGIN { print (l <= x && x <= u) }')" -eq 1 ]
    done
    # Alon and Friedland: 12 vertices of degree 11 have at most (11!)^(12/22), and the sides 6!
    pm-gen complete 12 > k12
    run -0 pm-approx --bounds k12
    [ "$(field 1)" = 2.857332 ]
    [ "$(field 6)" = 4.146085 ]
    run -0 pm-approx --bounds -j k12
    [[ "$output" == *'"lower_log10":2.857332,"upper_log10":4.146085,'* ]]
    run -0 pm-approx -j --method=blossom --samples=100 k12
    [[ "$output" == *'"lower_log10":2.857332,"upper_log10":4.146085,'* ]]
}

@test "a long run goes on, and parts give the digits of the whole" {
    whole=$(pm-approx -q --method=blossom --samples=4096 random)
    for part in 1 2; do
        pm-approx -q --method=blossom --samples=4096 --part=$part/2 random > part$part
    done
    run -0 pm-approx -q --merge part1 part2
    [ "$output" = "$whole" ]
    run -0 pm-approx -q --method=blossom --samples=4096 --checkpoint=state random
    [ "$output" = "$whole" ]
}

@test "what is refused" {
    for question in --compare --method=bethe; do
        run -69 --separate-stderr pm-approx --graph $question paw
        [[ "$stderr" == *'expected a bipartite graph, found an odd cycle of 3 vertices'* ]]
    done
    run -69 --separate-stderr pm-approx --exact-within=0 --guarantee=0.1,0.1 random
    [[ "$stderr" == *'random: a guarantee needs weights with a proved bound, which no method has for graphs with odd cycles' ]]
    run -69 --separate-stderr pm-approx --graph --count=maximum paw
    [[ "$stderr" == *'paw: of a graph that is not bipartite only perfect matchings are counted' ]]
    run -69 --separate-stderr pm-approx --graph --saturate paw
    [[ "$stderr" == *'paw: a graph on one set of vertices has no sides to cover' ]]
    printf '%s\n' '1 2 -1' '2 3 1' '3 1 1' '3 4 1' '4 1 1' '4 2 1' > negative
    run -69 --separate-stderr pm-approx --graph --method=blossom --samples=10 negative
    [[ "$stderr" == *'negative: expected no negative entries for an estimate'* ]]
    run -0 --separate-stderr pm-approx --graph --bounds -v negative # of the size of the value
    [[ "$stderr" == *'negative: entries or factors are negative or complex: upper bounds of the size of the value'* ]]
    [[ "${lines[1]}" == -inf$'\t'* ]]
    run -0 pm-approx -q --graph negative
    [ "$(field 1)" = "$(pm-count -q --graph negative)" ]
    printf '%s\n' '%pm: stream 2' '%%MatrixMarket matrix coordinate pattern symmetric' '%pm: graph loops' \
        '4 4 7' '1 1' '2 1' '3 1' '4 1' '3 2' '4 2' '4 3' '%pm: eof' > looped
    run -0 pm-approx looped
    [ "$(field 1)" = "$(pm-count looped)" ]
    run -69 --separate-stderr pm-approx --method=blossom --samples=10 looped
    [[ "$stderr" == *'looped: vertices that may stay alone (loops): only the method beam samples them' ]]
}

@test "loops of any size are scaled, or refused in one line" {
    pm-gen random-graph 40 .1 --seed=3 > sparse
    for loop in 1e-80 1e30 1e40 1e100; do
        exact=$(pm-count -q --graph --loops=$loop sparse | cut -f1)
        run -0 --separate-stderr pm-approx -q -t1 --graph --loops=$loop --exact-within=0 --samples=20 --json sparse
        awk -v exact="$exact" -v json="$output" 'BEGIN {
            match(json, /"log10":[-0-9.e+]*/)
            point = index(exact, "."); digits = point ? substr(exact, 1, point - 1) : exact
            log10 = length(digits) - 1 + log(substr(digits, 1, 1) "." substr(digits, 2, 15)) / log(10)
            difference = substr(json, RSTART + 8, RLENGTH - 8) - log10
            exit !(difference < 0.01 && difference > -0.01) }'
    done
    run -69 pm-approx -q --graph --loops=1e200 --exact-within=0 --samples=20 sparse
    [[ "$output" == *'too many orders of magnitude'* ]]
}

@test "weights that differ too much: the message names the vertices" {
    printf '%s\n' 'a b 1' 'b c 1' 'c a 1' 'c d 1' 'a a 1e300' 'd d 1e-300' > loops
    refuses 69 "that between 'a' and 'c'" --graph --loops --bounds loops
    printf '%s\n' '1 2 1e300' '2 3 1' '3 1 1e-300' '3 4 1e200' '4 1 1' '4 2 1e-250' > numbers
    refuses 69 "that between '1' and '" --graph --bounds numbers
    printf '%s\n' 'x y 1e300' 'y z 1' 'z x 1e-300' 'z w 1e200' 'w x 1' 'w y 1e-250' > names
    refuses 69 "that between 'x' and '" --graph --method=blossom+ names
}
