# SPDX-License-Identifier: GPL-3.0-or-later
# pm-gen from outside: families with known counts, random graphs, options.
bats_require_minimum_version 1.5.0
load filters

program=pm-gen

setup() {
    cd "$BATS_TEST_TMPDIR"
    here=$(cd "$BATS_TEST_DIRNAME" && pwd)
}

# counts WANTED ARGUMENT...: by the definition (in awk) and by pm-count
counts() {
    local wanted=$1
    shift
    pm-gen "$@" > graph
    [ "$(awk -f "$here/permanent.awk" graph)" = "$wanted" ]
    [ "$(pm-count graph)" = "$wanted" ]
}

@test "grid: Kasteleyn's numbers of domino tilings" {
    counts 1 grid 1 2
    counts 3 grid 2 3
    counts 36 grid 4 4
    counts 12988816 grid 8 8
    [ "$(pm-gen grid 16 16 | pm-count)" = 2444888770250892795802079170816 ]
}

@test "a grid with an odd number of cells has unequal sides and no perfect matching" {
    counts 0 grid 3 3
    [ "$(pm-gen grid 3 5 | head -n 1)" = "# pm-edges 8 7" ]
}

@test "torus and cube" {
    counts 272 torus 4 4
    counts 3108 torus 4 6
    counts 9 cube 2 2 2
    counts 117805 cube 4 3 3
    [ "$(pm-gen cube 4 4 4 | pm-count)" = 5051532105 ]
}

@test "hypercubes" {
    counts 1 hypercube 1
    counts 2 hypercube 2
    counts 9 hypercube 3
    counts 272 hypercube 4
    [ "$(pm-gen hypercube 5 | pm-count)" = 589185 ]
}

@test "hexagon: MacMahon's box formula" {
    counts 2 hexagon 1
    counts 20 hexagon 2
    counts 980 hexagon 3
    counts 10 hexagon 1 2 3
    counts 490 hexagon 2 3 4
    [ "$(pm-gen hexagon 4 | pm-count)" = 232848 ]
    [ "$(pm-gen hexagon 10 | pm-count)" = 9265037718181937012241727284450000 ]
}

@test "aztec: 2^(K(K+1)/2)" {
    counts 2 aztec 1
    counts 8 aztec 2
    counts 64 aztec 3
    counts 1024 aztec 4
    [ "$(pm-gen aztec 10 | pm-count)" = 36028797018963968 ]
}

@test "lattices: honeycomb, square-octagon, cylinder" {
    counts 3 honeycomb 1 2
    counts 20 honeycomb 3 3          # (M + N)! / (M! N!)
    counts 70 honeycomb 4 4
    counts 32 cylinder 3 4
    counts 42 honeycomb-torus 3 3
    counts 9 honeycomb-torus 2 2
    counts 2 square-octagon 1 1
    counts 17 square-octagon 2 2
    # a torus is counted by four determinants; a frontier of width 6 in another way
    [ "$(pm-gen honeycomb-torus 6 6 | pm-count)" = 263640 ]
    [ "$(pm-gen honeycomb-torus 6 6 | pm-count --algorithm=frontier --reduce=none)" = 263640 ]
    refuses 64 'expected a number from 2, or 0' honeycomb-torus 1 3
    refuses 64 'would not be bipartite' cylinder 4 3
    run -0 pm-gen cylinder 3 6
    [ "${lines[0]}" = "# pm-edges 9 9" ]
}

@test "mycielskian" {
    counts 1 mycielskian 2
    counts 2 mycielskian 3
    [ "$(pm-gen mycielskian 5 | pm-count)" = 19377730 ]
    [ "$(pm-gen mycielskian 6 | pm-count)" = 1381724105482686970 ]
    [ "$(pm-gen mycielskian 6 | head -n 1)" = "# pm-edges 47 47" ]
}

@test "ones, derangement, band, circulant" {
    counts 1 ones 0
    counts 720 ones 6
    counts 1854 derangement 7
    counts 89 band 10 1
    counts 2177 band 10 2
    counts 2 circulant 8 0 1
    counts 49 circulant 8 0 1 2
}

@test "regular: every vertex has the degree, on both sides" {
    for d in 0 1 3 5 6 9 10; do
        pm-gen regular 10 $d --seed=7 | sed '/^#/d' > edges
        [ "$(wc -l < edges)" -eq $((10 * d)) ]
        [ "$(sort -u edges | wc -l)" -eq $((10 * d)) ]
        for side in 1 2; do
            [ -z "$(cut -f $side edges | sort | uniq -c | awk -v d=$d '$1 != d')" ]
        done
    done
    counts 3628800 regular 10 10
}

@test "regular: different seeds draw different graphs, and the counts agree with the definition" {
    for s in 1 2 3; do
        pm-gen regular 9 4 --seed=$s > graph
        [ "$(awk -f "$here/permanent.awk" graph)" = "$(pm-count graph)" ]
        sed '/^#/d' graph > edges.$s
    done
    run ! cmp -s edges.1 edges.2
    run ! cmp -s edges.2 edges.3
}

@test "erdos-renyi: the number of edges is near its mean, and the extremes are exact" {
    n=$(pm-gen erdos-renyi 400 0.1 --seed=5 | sed '/^#/d' | wc -l)
    [ "$n" -gt 15400 ]
    [ "$n" -lt 16600 ]
    counts 0 erdos-renyi 4 0
    counts 24 erdos-renyi 4 1
    pm-gen erdos-renyi 8 0.5 --seed=11 > graph
    [ "$(awk -f "$here/permanent.awk" graph)" = "$(pm-count graph)" ]
}

@test "erdos-renyi --nonsingular has a perfect matching where the first draw has none" {
    [ "$(pm-gen erdos-renyi 20 0.12 --seed=1 | pm-count --exists)" = no ]
    [ "$(pm-gen erdos-renyi 20 0.12 --seed=1 --nonsingular | pm-count --exists)" = yes ]
    refuses 69 "none of 1000 random graphs" erdos-renyi 50 0.001 --seed=1 --nonsingular
}

@test "the same seed gives the same graph; without one the comment holds the seed that does" {
    for weights in --real --complex; do
        pm-gen erdos-renyi 20 0.3 $weights --seed=9 > a
        pm-gen erdos-renyi 20 0.3 $weights --seed=9 > b
        cmp a b
    done
    pm-gen regular 30 3 --integer=-5:5 > a
    command=$(sed -n 's/^# \(pm-gen regular .*\)/\1/p' a)
    [[ "$command" == *--seed=* ]]
    $command > b
    cmp a b
}

@test "weights lie in their range, are never 0, and every value occurs" {
    pm-gen ones 40 --integer=-2:2 --seed=3 | sed '/^#/d' | cut -f 3 | sort -n | uniq > values
    [ "$(tr '\n' ' ' < values)" = "-2 -1 1 2 " ]
    pm-gen ones 20 --real=-1:3 --seed=3 | sed '/^#/d' | cut -f 3 > values
    [ -z "$(awk '$1 <= -1 || $1 > 3 || $1 == 0' values)" ]
    [ "$(awk '$1 < 0' values | wc -l)" -gt 50 ]
    [ "$(awk '$1 > 1' values | wc -l)" -gt 100 ]
    pm-gen ones 20 --complex=-1:3 --seed=3 --to=mtx | sed '1,/^20 20/d' | cut -d ' ' -f 3,4 > values
    [ -z "$(awk 'NF != 2 || $1 <= -1 || $1 > 3 || $1 == 0 || $2 <= -1 || $2 > 3 || $2 == 0' values)" ]
    [ "$(awk '$1 < 0 && $2 > 1' values | wc -l)" -gt 20 ]
    [ "$(awk '$1 > 1 && $2 < 0' values | wc -l)" -gt 20 ]
    pm-gen complete 8 --complex --seed=4 | pm-count -q --graph --verify
    [ "$(pm-gen ones 5 --weight=3 | pm-count)" = 29160 ]
    run -0 pm-gen ones 5 --weight=1/5 --to=mtx
    [[ "${lines[0]}" == "%%MatrixMarket matrix coordinate real general"* ]]
}

@test "Matrix Market and edge list hold the same graph" {
    pm-gen hexagon 2 --to=mtx > graph.mtx
    [ "$(head -n 1 graph.mtx)" = "%%MatrixMarket matrix coordinate pattern general" ]
    [ "$(pm-count graph.mtx)" = 20 ]
    pm-gen derangement 5 --integer --seed=4 --to=mtx > w.mtx
    [ "$(pm-count w.mtx)" = "$(pm-gen derangement 5 --integer --seed=4 | pm-count)" ]
}

@test "comments: version and command, or the command alone" {
    run -0 pm-gen grid 2 2
    [ "${lines[1]}" = "# made by pm-gen $VERSION" ]
    [ "${lines[2]}" = "# pm-gen grid 2 2" ]
    run -0 pm-gen grid 2 2 --no-version
    [ "${lines[1]}" = "# pm-gen grid 2 2" ]
}

@test "--list names every family of the manual page" {
    pm-gen --list | sed '/^#/d' | cut -f 1 | sort > families
    sed -n 's/^\.It Cm \([a-z-]*\).*/\1/p' "$here/../../man/pm-gen.1" | sort > documented
    [ -s families ]
    diff families documented
}

# sequence FIRST... : FAMILY with n = 0, 1, ... in place of "N" has these counts
sequence() {
    local family=$1 n=0 wanted
    shift
    for wanted; do
        counts "$wanted" ${family//N/$n}
        ((++n))
    done
}

@test "families begin with n = 0, and have their values for small n" {
    sequence 'grid N N' 1 0 2 0 36                        # OEIS A004003
    sequence 'grid 2 N' 1 1 2 3 5 8                       # Fibonacci numbers
    sequence 'grid 1 N' 1 0 1 0 1
    sequence 'planar N 2 1 --seed=1' 1 1 2 3 5
    sequence 'cube N 2 2' 1 2 9 32 121                    # OEIS A006253
    sequence 'cube 2 2 N' 1 2 9
    counts 1 torus 0 0
    counts 1 torus 0 4
    counts 1 torus 4 0
    sequence 'hypercube N' 0 1 2 9 272                    # OEIS A005271 from n = 1 on
    sequence 'hexagon N' 1 2 20 980                       # OEIS A008793
    sequence 'hexagon N 2 3' 1 10 50 175                  # MacMahon's box formula
    sequence 'hexagon 2 N 3' 1 10 50
    sequence 'hexagon 3 2 N' 1 10 50
    sequence 'hexagon 0 N 3' 1 1 1
    sequence 'hexagon 0 0 N' 1 1 1
    sequence 'aztec N' 1 2 8 64                           # 2^(n(n+1)/2)
    sequence 'erdos-renyi N 1 --seed=1' 1 1 2 6           # n!
    sequence 'regular N N --seed=1' 1 1 2 6
    sequence 'regular N 0 --seed=1' 1 0 0
    sequence 'mycielskian N' 1 0 1 2                      # M(3) is the cycle C5: two ways around
    sequence 'ones N' 1 1 2 6 24
    sequence 'derangement N' 1 0 1 2 9 44                 # OEIS A000166
    sequence 'band N 2' 1 1 2 6 14 31                     # OEIS A002524
    sequence 'band N 1' 1 1 2 3 5 8
    sequence 'band 3 N' 1 3 6 6 6
    sequence 'hessenberg N' 1 1 2 4 8 16                  # 2^(n-1)
    sequence 'honeycomb N N' 1 2 6 20 70                  # central binomial coefficients
    sequence 'square-octagon N N' 1 2 17
    sequence 'circulant N 0 1' 1 1 2 2 2
    sequence 'circulant N 0 1 2' 1 1 2 6 9 13             # OEIS A000211 from n = 3 on
    run -0 pm-gen hypercube 0
    [ "${lines[0]}" = "# pm-edges 1 0" ]
    run -0 pm-gen grid 0 0 --to=mtx
    [ "${lines[-1]}" = "0 0 0" ]
    run -0 timeout 5 pm-gen grid 2147483647 0
    run -0 timeout 5 pm-gen hexagon 0 0 1e9
}

@test "-o writes the whole file or none" {
    mkdir new
    cd new
    pm-gen grid 4 4 -o g.txt
    pm-gen grid 4 4 | cmp - g.txt
    refuses 64 "expected an even number" torus 5 6 -o h.txt
    [ ! -e h.txt ]
    [ "$(ls)" = g.txt ]
    refuses 74 "nowhere/h.txt" grid 2 2 -o nowhere/h.txt
}

@test "a full disk is noticed" {
    [ -c /dev/full ] || skip "no /dev/full"
    run -74 sh -c 'pm-gen grid 2 2 > /dev/full'
    [[ "$output" == "pm-gen: standard output: "* ]]
    refuses 74 "/dev/full" grid 2 2 -o /dev/full
}

@test "-v says how large the graph is" {
    run -0 --separate-stderr pm-gen grid 3 3 -v
    [ "$stderr" = "pm-gen: grid: 5 + 4 vertices, 12 edges; unequal sides: no perfect matching" ]
}

@test "arguments that mean nothing are refused in one line" {
    refuses 64 "no family given"
    refuses 64 "there is no family 'foo'" foo 3
    refuses 64 "wrong number of arguments: expected 'pm-gen grid M N'" grid 3
    refuses 64 "wrong number" grid 3 4 5
    refuses 64 "unknown option '-3'" grid -3 3
    refuses 64 "'x' is not a whole number" aztec x
    refuses 64 "'1.5' is not a whole number" ones 1.5
    refuses 64 "not two" hexagon 2 3
    refuses 64 "expected an even number" torus 5 6
    refuses 64 "from 4" torus 2 4
    refuses 64 "from 4" torus 0 2
    refuses 64 "given twice" circulant 7 1 3 1
    refuses 64 "probability" erdos-renyi 5 1.5
    refuses 64 "probability" erdos-renyi 5 nan
    refuses 64 "'6' is not a whole number from 0 to 5" regular 5 6
    refuses 64 "'1' is not a whole number from 0 to 0" regular 0 1
    refuses 64 "--seed is only for random graphs" grid 2 2 --seed=1
    refuses 64 "grid is not random" grid 2 2 --nonsingular
    refuses 64 "already" grid 2 2 --real --integer
    refuses 64 "'0:0'" grid 2 2 --integer=0:0
    refuses 64 "'5:1'" grid 2 2 --integer=5:1
    refuses 64 "'1:1'" grid 2 2 --real=1:1
    refuses 64 "'2:x'" grid 2 2 --complex=2:x
    refuses 64 "already" grid 2 2 --complex --real
    refuses 64 "'0'" grid 2 2 --weight=0
    refuses 64 "'1/0'" grid 2 2 --weight=1/0
    refuses 64 "not one of edges, mtx" grid 2 2 --to=pdf
    refuses 64 "takes no operand" --list grid
    refuses 64 "'-1'" erdos-renyi 5 0.5 --seed=-1
}

@test "sizes that overflow are refused at once" {
    refuses 64 "5000000000 + 5000000000 vertices" grid 100000 100000
    refuses 64 "is not a whole number" grid 99999999999999999999 2
    refuses 64 "vertices" cube 100000 100000 100000
    refuses 64 "from 0 to 31" hypercube 32
    refuses 64 "vertices" hexagon 1000000
    refuses 64 "vertices" aztec 100000
    refuses 69 "bytes of memory" ones 2000000000
}

# number WANTED ARGUMENT...: of a graph on one set of vertices
number() {
    local wanted=$1
    shift
    [ "$(pm-gen "$@" | pm-count)" = "$wanted" ]
}

@test "lattices on tori, with odd cycles" {
    number 50 torus-graph 3 4
    number 9922 torus-graph 5 6
    number 272 torus-graph 4 4
    number 0 torus-graph 3 3
    number 344 triangular-torus 3 4
    number 10045824 triangular-torus 6 6
    number 32 kagome-torus 2 2
    number 131072 kagome-torus 4 4
    number 1 kagome-torus 0 7
    refuses 64 "expected a number from 3, or 0: a side of 2 would give loops or repeated edges" torus-graph 4 2
    refuses 64 "expected a number from 2" kagome-torus 1 4
    [ "$(pm-gen torus-graph 4 6 | pm-count)" = "$(pm-gen torus 4 6 | pm-count)" ]
}

@test "circulant graphs" {
    number 6 circulant-graph 6 1 3
    number 7 circulant-graph 8 1 4
    number 105 circulant-graph 8 1 2 3 4
    number 105 circulant-graph 8 4 7 2 9 5 12
    number 1 circulant-graph 2 1
    number 2 circulant-graph 12 11
    refuses 64 "expected no multiple of 5" circulant-graph 5 1 10
}

# degrees FILE: the degrees that occur, and whether an edge is a loop or twice
degrees() {
    awk '/^#/ { next } { ++d[$1]; ++d[$2]; if ($1 == $2 || seen[$1, $2]++ || seen[$2, $1]) print "bad" }
        END { for (v in d) print d[v] }' "$1" | sort -u | tr '\n' ' '
}

@test "random regular graphs on one set of vertices" {
    for size in '1000 3' '10 4' '11 6' '8 5' '8 7' '6 2' '2 1' '100 50' '100 49'; do
        for seed in 1 2 3 4 5; do
            pm-gen regular-graph $size --seed=$seed > graph
            [ "$(degrees graph)" = "${size#* } " ]
        done
    done
    [ "$(pm-gen regular-graph 9 0 | grep -c '^[0-9]')" = 0 ]
    number 1 regular-graph 0 0
    cmp <(pm-gen regular-graph 50 4 --seed=9) <(pm-gen regular-graph 50 4 --seed=9)
    refuses 64 "expected an even number of vertices or an even degree" regular-graph 5 3
    refuses 64 "from 0 to 4" regular-graph 5 5
}

@test "random planar graphs with odd cycles" {
    for n in 3 4 5 6 50 3000; do
        pm-gen planar-graph $n 1 --seed=$n > graph
        [ "$(grep -vc '^#' graph)" = $((3 * n - 6)) ]
        [[ $(degrees graph) != *bad* ]]
    done
    for seed in 1 2 3 4 5 6 7 8; do
        pm-gen planar-graph 40 0.9 --seed=$seed > graph
        pm-count -v --algorithm=planar graph 2> said > planar
        [ "$(cat planar)" = "$(pm-count --algorithm=frontier graph)" ]
        run ! grep "after deleting" said
    done
    refuses 64 "not a probability" planar-graph 10 2
}

# Rows of a unitary matrix have length 1, and different ones are orthogonal; |u|^2 of n = 2 is uniform.
@test "random unitary matrices" {
    pm-gen unitary 5 --seed=3 > u
    awk '/^%/ { next } !n { n = $1; next } { re[$1, $2] = $3; im[$1, $2] = $4 }
        END { for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) { x = y = 0
                for (k = 1; k <= n; k++) { x += re[i, k] * re[j, k] + im[i, k] * im[j, k]
                    y += im[i, k] * re[j, k] - re[i, k] * im[j, k] }
                x -= i == j
                if (x * x + y * y > 1e-28) exit 1 } exit n != 5 }' u
    cmp u <(pm-gen unitary 5 --seed=3)
    run ! cmp -s u <(pm-gen unitary 5 --seed=4)
    for seed in {1..100}; do pm-gen unitary 2 --seed=$seed --no-version; done |
        awk '$1 == 1 && $2 == 1 { x = $3 ^ 2 + $4 ^ 2; ++n; sum += x; squares += x * x }
            END { exit !(n == 100 && sum / n > 0.4 && sum / n < 0.6 && squares / n > 0.23 && squares / n < 0.44) }'
    refuses 64 "has weights of its own" unitary 3 --real
}

# B is tanh(r) times a symmetric unitary matrix if all modes are squeezed, and of rank 1 if one is.
@test "matrices of Gaussian states" {
    pm-gen gaussian-state 7 0.9 --seed=3 > state
    [ "$(sed -n 2p state)" = "%pm: graph loops" ]
    awk '/^%/ { next } !n { n = $1; next } { re[$1, $2] = re[$2, $1] = $3; im[$1, $2] = im[$2, $1] = $4 }
        END { t = (exp(1.8) - 1) / (exp(1.8) + 1)
            for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) { x = y = 0
                for (k = 1; k <= n; k++) { x += re[i, k] * re[j, k] + im[i, k] * im[j, k]
                    y += im[i, k] * re[j, k] - re[i, k] * im[j, k] }
                x -= i == j ? t * t : 0
                if (x * x + y * y > 1e-26) exit 1 } }' state
    pm-gen gaussian-state 5 2 1 --seed=4 | awk '/^%/ { next } !n { n = $1; next } { a[$1, $2] = $3; b[$1, $2] = $4 }
        END { for (i = 2; i <= n; i++) { x = a[i, 1] ^ 2 - b[i, 1] ^ 2 - a[1, 1] * a[i, i] + b[1, 1] * b[i, i]
                y = 2 * a[i, 1] * b[i, 1] - a[1, 1] * b[i, i] - b[1, 1] * a[i, i]
                if (x * x + y * y > 1e-26) exit 1 } }'
    cmp state <(pm-gen gaussian-state 7 0.9 --seed=3)
    run ! cmp -s state <(pm-gen gaussian-state 7 0.9 --seed=4)
    # with one of two modes squeezed, |u|^2 = |B(1,1)| / tanh(r) is uniform between 0 and 1
    for seed in {1..100}; do pm-gen gaussian-state 2 1 1 --seed=$seed --no-version; done |
        awk '$1 == 1 && $2 == 1 { x = sqrt($3 ^ 2 + $4 ^ 2) / 0.76159415595576485; ++n; sum += x; squares += x * x
                re += $3; im += $4 }
            END { exit !(n == 100 && sum / n > 0.4 && sum / n < 0.6 && squares / n > 0.23 && squares / n < 0.44 \
                && re ^ 2 + im ^ 2 < 15 ^ 2) }'
    [ "$(pm-gen gaussian-state 6 1 --seed=1 | pm-count 2> said)" != "$(pm-gen gaussian-state 6 1 --seed=1 | pm-count --graph 2> said)" ]
    pm-gen gaussian-state 2 0.5 1 --seed=1 > copies
    run -65 --separate-stderr pm-count --vertex-times=2,0 copies
    [[ "$stderr" == *'copies:2: this line says whether the graph has loops; with --graph only --loops says it' ]]
    [ "$(pm-count --graph --vertex-times=2,0 copies)" != "$(pm-count --graph --loops --vertex-times=2,0 copies)" ]
    refuses 64 "has weights of its own" gaussian-state 3 1 --real
    refuses 64 "not a positive number" gaussian-state 3 0
    refuses 69 "cannot hold complex weights" gaussian-state 3 1 --to=edges
}
