#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Planar graphs and tori, counted by determinants: against closed formulas and the frontier; what is
# no such graph, and what is hardly a graph.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

if ! pm-count --version | grep -q 'METIS'; then
    pm-gen grid 20 20 | pm-count --algorithm=planar > "$scratch/out" 2> "$scratch/err"
    if test $? -eq 69 && grep -q 'built without libplanarity and METIS, which planar needs' "$scratch/err"; then
        pass "a build without libplanarity refuses"
    else
        fail "a build without libplanarity refuses" "$(cat "$scratch/err")"
    fi
    skip "planar graphs" "built without libplanarity"
    done_testing
    exit
fi

planar()
{
    said=$(pm-count --algorithm=planar "$@" 2>&1)
    set -- $?
    echo "$said" | sed '/the sides differ/d'
    return "$1"
}

# same NAME GOT WANTED
same()
{
    if test "$2" = "$3"; then
        pass "$1"
    else
        fail "$1" "$2 is not $3"
    fi
}

# ---- closed formulas ----

wrong=
for k in $(some_of 60); do
    test "$(pm-gen aztec "$k" | planar)" = "$(echo "2^($k*($k+1)/2)" | BC_LINE_LENGTH=0 bc)" \
        || wrong="$wrong $k"
done
empty "Aztec diamonds up to 60: 2^(k(k+1)/2)" "$wrong"

macmahon()
{
    BC_LINE_LENGTH=0 bc << END
        n = 1; d = 1
        for (i = 1; i <= $1; i++) for (j = 1; j <= $2; j++) for (k = 1; k <= $3; k++) {
            n *= i + j + k - 1; d *= i + j + k - 2 }
        n / d
END
}
wrong=
set -- '1 1 1' '2 2 2' '3 3 3' '6 6 6' '10 10 10' '16 16 16' '1 2 3' '2 9 4' '7 3 11' '1 30 2' '20 5 8'
test "$(some_of 10 | wc -l)" -eq 10 || set -- '1 1 1' '3 3 3' '7 3 11' '1 30 2'
for sides; do
    # shellcheck disable=SC2086 # three sides
    test "$(pm-gen hexagon $sides | planar)" = "$(macmahon $sides)" || wrong="$wrong ($sides)"
done
empty "hexagons: MacMahon's formula" "$wrong"

# ---- the frontier ----

# differ ARGUMENT...: of pm-gen, if the two answers differ; as the graph is, so that much is left to
# eliminate
differ()
{
    pm-gen "$@" > "$scratch/graph" || echo "pm-gen $*"
    frontier=$(pm-count --algorithm=frontier "$scratch/graph" | cut -f 1)
    for way in --reduce=none --transpose --verify; do
        test "$(planar $way "$scratch/graph" | cut -f 1)" = "$frontier" || echo "$* $way"
    done
}

wrong=
for m in 4 6 8 10; do
    for n in 4 6 8 10; do
        test "$n" -lt "$m" || echo "$m $n"
    done
done > "$scratch/sizes"
for k in $(some_of 10); do
    # shellcheck disable=SC2046 # two sizes
    wrong=$wrong$(differ torus $(sed -n "${k}p" "$scratch/sizes"))
done
empty "tori, 4 x 4 to 10 x 10" "$wrong"
set -- '4 4' '4 6' '6 6' '4 10' '6 8'
test "$(some_of 10 | wc -l)" -eq 10 || set -- '4 6'
empty "weighted tori" "$(for size; do
    for weights in --integer=-4:9 --integer=-1:1 --integer=1:1000000000000; do
        # shellcheck disable=SC2086 # two sizes
        differ torus $size $weights --seed=5
    done
done)"
empty "random planar graphs" "$(for p in .2 .5 .7 .85; do
    differ planar 12 13 $p --seed=5
    differ planar 9 40 $p --integer=-9:9 --seed=5
done)"
same "a torus of weights as numbers of any kind" \
    "$(pm-gen torus 6 6 --real --seed=5 | planar | cut -c 1-28)" \
    "$(pm-gen torus 6 6 --real --seed=5 | pm-count --algorithm=frontier | cut -c 1-28)"

# ---- what is chosen ----

pm-gen grid 40 40 > "$scratch/board"
same "a large board is planar" "$(pm-count --plan "$scratch/board" | awk 'NR == 2 { print $4 }')" planar
pm-gen torus 30 30 > "$scratch/torus"
same "so is a torus" "$(pm-count --plan "$scratch/torus" | awk 'NR == 2 { print $4 }')" planar
pm-gen regular 76 3 --seed=1 > "$scratch/cubic"
same "a random cubic graph is not" \
    "$(pm-count --plan "$scratch/cubic" | awk 'NR == 2 { print $4 }')" frontier
empty "and -v says why" "$(pm-count -v "$scratch/cubic" 2>&1 > "$scratch/out" \
    | grep -q 'not planar: it holds a subdivision of K3,3' || echo 'nothing of K3,3')"

# ---- nearly planar ----

# says NAME WANTED FILE: in how many determinants, and what they sum up to
says()
{
    planar -v --reduce=none "$3" > "$scratch/out"
    same "$1" "$(sed -n 's/.*: planar after/after/p; $p' "$scratch/out" | tr '\n' ' ')" "$2 "
}

pm-gen ones 3 > "$scratch/k33"
says "K3,3 is two planar graphs" 'after deleting 1 edge: 2 determinants 6' "$scratch/k33"
# its edges cut in three, which leaves it K3,3
awk 'BEGIN { for (i = 1; i <= 3; i++) for (j = 1; j <= 3; j++)
    print "r" i, "c" i j "\nr" i j, "c" i j "\nr" i j, "c" j }' > "$scratch/cut"
says "a subdivision is drawn on a torus" 6 "$scratch/cut"
# K3,3 with a leaf at each vertex: no edge of it is in a perfect matching
awk 'BEGIN { for (i = 1; i <= 3; i++) { print i, i + 3 "\n" i + 3, i
    for (j = 1; j <= 3; j++) print i, j } }' > "$scratch/leaves"
says "terms without a perfect matching are left out" 'after deleting 1 edge: 1 determinant 1' \
    "$scratch/leaves"
# beside_board N VERTEX DEGREE: a board and one more vertex on either side, that of the rows beside so many columns
beside_board()
{
    pm-gen grid "$1" "$1" | grep -v '^[#%]'
    awk -v v="$2" -v degree="$3" 'BEGIN { for (j = 1; j <= degree; j++) print v, j; print 1, v }'
}
beside_board 6 19 19 > "$scratch/apex"
same "a board and a vertex beside half of it" "$(planar "$scratch/apex")" \
    "$(pm-count --algorithm=frontier "$scratch/apex")"
# and one beside most of a board: that many edges, and a determinant for each
beside_board 24 289 250 > "$scratch/apex"
planar -v --plan "$scratch/apex" > "$scratch/out"
empty "a vertex of any degree up to 256" "$(grep -q 'after deleting 248 edges: 249 determinants' "$scratch/out" \
    || cat "$scratch/out")"
beside_board 20 201 175 > "$scratch/apex"
same "and its number" "$(planar "$scratch/apex" | tail -n 1)" \
    "$(pm-count --algorithm=frontier "$scratch/apex" 2> /dev/null)"
pm-gen grid 30 30 > "$scratch/chords"
printf '1 400\n200 17\n301 222\n' >> "$scratch/chords"
same "chords of a board are split over" "$(pm-count --plan --json "$scratch/chords" \
    | sed 's/.*"algorithm":"\([a-z]*\)",.*"splits":\([0-9]*\),.*/\1 \2/')" 'planar 8'
pm-gen grid 16 16 > "$scratch/chords"
printf '1 100\n110 17\n31 82\n' >> "$scratch/chords"
same "in any way" "$(for way in --reduce=none --transpose --verify --threads=1 --seed=7; do
    planar $way "$scratch/chords"
done | sort -u)" "$(pm-count --algorithm=frontier "$scratch/chords")"
same "modulo a prime, and no prime" "$(planar --mod=1000003 "$scratch/chords") $(planar --mod=1000000 "$scratch/chords")" \
    "$(echo "n = $(planar "$scratch/chords"); n % 1000003; n % 1000000" | BC_LINE_LENGTH=0 bc | tr '\n' ' ' | sed 's/ $//')"
same "modulo a prime that divides the factorial of twins" \
    "$(planar --mod=3 "$scratch/k33") $(planar --mod=5 "$scratch/k33")" '0 1'
planar --max-cost=1e-4 "$scratch/chords" > "$scratch/out"
same "within --max-cost alone" "$?" 69
pm-gen regular 60 4 --seed=1 > "$scratch/far"
planar "$scratch/far" > "$scratch/out"
same "not what is far from planar" "$? $(sed 's/.*deleting/deleting/' "$scratch/out")" \
    '69 deleting edges until it is planar would take more than the 1048576 determinants allowed; without --algorithm another method may be taken'
pm-gen regular 20000 3 --seed=1 | planar > "$scratch/out"
same "nor what is much farther" "$? $(sed 's/.*K3,3; //' "$scratch/out")" \
    '69 it is still not planar after 256 edges are deleted; without --algorithm another method may be taken'
planar --max-cost=1e-3 "$scratch/chords" > "$scratch/out"
same "nor what takes a long search beside the time there is" \
    "$? $(sed 's/.*K3,3; //' "$scratch/out")" \
    '69 the search for edges whose deletion makes it planar took too long; without --algorithm another method may be taken'
# without any search or matching that is not foretold
{
    pm-gen grid 60 60
    awk 'BEGIN { for (i = 1; i <= 20; i++) print 1 + i * 683 % 1800, 1 + i * 1117 % 1800 }'
} > "$scratch/chords"
timeout 60 pm-count --algorithm=planar --plan "$scratch/chords" > "$scratch/out" 2>&1
same "a million determinants are planned in seconds" "$? $(awk 'NR == 2 { print $4 }' "$scratch/out")" \
    '0 planar'
pm-gen grid 100 100 | pm-count --max-memory=100K > "$scratch/out" 2>&1
same "of what does not fit, what needs least is named" \
    "$? $(grep -o 'entries: [a-z]*' "$scratch/out")" '69 entries: planar'

# ---- graphs with odd cycles ----

set -- 'triangular 2 5' 'triangular 4 4' 'triangular 5 6' 'triangular 8 8' 'triangular 7 12' 'triangular 3 5' \
    'kagome 2 2' 'kagome 4 5'
test "$(some_of 10 | wc -l)" -eq 10 || set -- 'triangular 5 6' 'kagome 2 2'
empty "triangular and kagome lattices" "$(for size; do
    for weights in '' --integer=-1:1 --integer=-9:9 --integer=1:1000000000000; do
        # shellcheck disable=SC2086 # a family and two sizes
        differ $size $weights ${weights:+--seed=5}
    done
done)"
pm-gen kneser 5 2 > "$scratch/graph"
same "the graph of Petersen is nearly planar" \
    "$(pm-count -v --algorithm=planar "$scratch/graph" 2>&1 | grep -o 'after deleting.*\|^[0-9]*$' | tr '\n' ' ')" \
    'after deleting 2 edges: 4 Pfaffians 6 '
{
    pm-gen triangular 20 20
    echo '5 377'
} > "$scratch/graph"
same "a chord doubles the Pfaffians" \
    "$(pm-count -v --algorithm=planar "$scratch/graph" 2>&1 | grep -o 'after deleting.*')" \
    'after deleting 1 edge: 2 Pfaffians'
same "and the frontier agrees" "$(planar "$scratch/graph")" "$(pm-count --algorithm=frontier "$scratch/graph")"
pm-gen triangular 40 40 > "$scratch/graph"
same "a large one is planar" "$(pm-count --plan "$scratch/graph" | awk 'NR == 2 { print $4 }')" planar
same "in any order of elimination" "$(for seed in 1 2 3; do planar --seed=$seed "$scratch/graph"; done | sort -u | wc -l)" 1
pm-gen triangular 8 8 > "$scratch/graph"
same "modulo primes, small and large, and no prime" "$(for m in 2 3 1000003 1000000007 1000000; do
    planar --mod=$m "$scratch/graph"
done | tr '\n' ' ')" "$(for m in 2 3 1000003 1000000007 1000000; do
    echo "1848358752 % $m" | bc
done | tr '\n' ' ')"
pm-count --graph --loops=2 --algorithm=planar "$scratch/graph" > "$scratch/out" 2>&1
same "not with loops" "$? $(grep -o 'planar cannot.*' "$scratch/out")" \
    '69 planar cannot count graphs with loops; without --algorithm another method may be taken'
# two hubs, and more than two vertices beside both
awk 'BEGIN { print "# pm-graph 9"; for (v = 3; v <= 9; v++) print 1, v "\n" 2, v; print 1, 2 }' > "$scratch/graph"
same "none at all" "$(planar "$scratch/graph") $(planar --reduce=none "$scratch/graph")" '0 0'

# ---- hardly graphs ----

# counts NAME WANTED EDGES: with and without reductions
counts()
{
    printf '%b' "$3" > "$scratch/graph"
    same "$1" "$(planar --reduce=none "$scratch/graph") $(planar "$scratch/graph")" "$2 $2"
}

counts 'no vertices' 1 '# pm-edges 0 0\n'
counts 'no edges' 0 '# pm-edges 2 2\n'
counts 'a single edge' 1 '1 1\n'
counts 'a single edge with a weight' 7 '1 1 7\n'
counts 'a path' 1 '1 1\n2 1\n2 2\n3 2\n3 3\n'
counts 'a path that has none' 0 '# pm-edges 2 3\n1 1\n1 2\n2 2\n2 3\n'
counts 'a tree' 1 '1 1\n2 1\n2 2\n3 1\n3 3\n4 3\n4 4\n'
counts 'a star' 0 '# pm-edges 1 3\n1 1\n1 2\n1 3\n'
counts 'two squares apart' 4 '1 1\n1 2\n2 1\n2 2\n3 3\n3 4\n4 3\n4 4\n'
counts 'a square beside a vertex alone' 0 '# pm-edges 3 3\n1 1\n1 2\n2 1\n2 2\n3 1\n'
counts 'two squares with an edge between' 4 '1 1\n1 2\n2 1\n2 2\n3 3\n3 4\n4 3\n4 4\n1 3\n'
counts 'two squares that share a vertex' 0 '# pm-edges 3 4\n1 1\n1 2\n2 1\n2 2\n1 3\n3 3\n3 4\n1 4\n'
counts 'weights that cancel' 0 '1 1 1\n1 2 1\n2 1 1\n2 2 -1\n'
counts 'planar, and a Hall violator' 0 '# pm-edges 3 3\n1 1\n2 1\n3 1\n3 2\n3 3\n'
counts 'twins' 4 '1 1\n1 2\n2 1\n2 2\n3 3\n3 4\n4 3\n4 4\n1 3\n2 3\n'
printf 'a x\na x\na y\nb x\nb y\n' > "$scratch/graph"
same "edges twice" "$(planar --duplicates=sum "$scratch/graph")" 3
same "modulo 2, a prime, a large prime and none" "$(for m in 2 1000003 1000000007 1000000; do
    pm-gen grid 20 20 | planar --mod=$m
done | tr '\n' ' ')" "$(for m in 2 1000003 1000000007 1000000; do
    echo "1269984011256235834242602753102293934298576249856 % $m" | BC_LINE_LENGTH=0 bc
done | tr '\n' ' ')"
# The search for the edges takes longer than the count here, so the prediction of both is well above that of the count.
{
    pm-gen triangular 20 20
    echo '3 250'
    echo '40 390'
} > "$scratch/chords"
same "predicted seconds have the search for edges to delete" "$(pm-count -q --graph --json --algorithm=planar "$scratch/chords" |
    sed 's/.*"predicted_seconds":\([^,]*\),.*"splits":\([^,]*\),.*"seconds":\([^,]*\),.*/\1 \2 \3/' |
    awk '{ print ($1 > 2 * $3), $2 }')" '1 2'
same "every vector unit" "$(for isa in portable avx2 avx512; do
    pm-gen grid 30 30 | PM_ISA=$isa pm-count --algorithm=planar
done | sort -u | wc -l)" 1
done_testing
