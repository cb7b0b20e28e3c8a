# SPDX-License-Identifier: GPL-3.0-or-later
# Strips and rings of any length: pm-gen strip and ring, 'begin strip' and 'begin ring' of streams.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

# counts W L...: of grids, on one line
counts() {
    local w=$1 l
    shift
    for l; do pm-gen strip grid "$w" --length="$l" | pm-count --algorithm=periodic; done | tr '\n' ' '
}

@test "widths 2 to 8: the first numbers of the published sequences" {
    [ "$(counts 2 1 2 3 4 5 10)" = '1 2 3 5 8 89 ' ]
    [ "$(counts 3 2 4 6 8)" = '3 11 41 153 ' ]                       # OEIS A001835
    [ "$(counts 4 1 2 3 4 5 6 7)" = '1 5 11 36 95 281 781 ' ]        # A005178
    [ "$(counts 5 2 4 6 8)" = '8 95 1183 14824 ' ]                   # A003775
    [ "$(counts 6 1 2 3 4 5 6)" = '1 13 41 281 1183 6728 ' ]         # A028468
    [ "$(counts 7 2 4 6)" = '21 781 31529 ' ]                        # A028469
    [ "$(counts 8 1 2 3 4 5 6 7 8)" = '1 34 153 2245 14824 167089 1292697 12988816 ' ]  # A028470
}

# holds W STEP N C...: a(n) = C a(n - 1) + ... modulo a prime, where a(n) is the count of STEP n layers
holds() {
    local w=$1 step=$2 n=$3 p=1000000007 sum=0 k=0 c
    shift 3
    for c; do
        k=$((k + 1))
        sum=$(((sum + c * $(pm-gen strip grid "$w" --length=$((step * (n - k))) | pm-count --mod=$p)) % p))
    done
    [ $(((sum + p) % p)) = "$(pm-gen strip grid "$w" --length=$((step * n)) | pm-count --mod=$p)" ]
}

@test "widths 2 to 8: the published recurrences, near 10^18 layers, too" {
    for n in 20 $(is_short || echo 1000) 123456789012345678; do
        holds 2 1 $n 1 1
        holds 3 2 $n 4 -1
        holds 4 1 $n 1 5 1 -1
        holds 5 2 $n 15 -32 15 -1
        holds 6 1 $n 1 20 10 -38 -10 20 -1 -1
        holds 7 2 $n 56 -672 2632 -4094 2632 -672 56 -1
        holds 8 1 $n 1 76 69 -921 -584 4019 829 -7012 829 4019 -584 -921 69 76 1 -1 # Klarner and Pollack 1980, A028470
    done
    pm-gen strip grid 4 --length=10^18 > s
    [ "$(pm-count --mod=1000000007 s)" = 328515267 ]
    # a modulus that is composite, and its prime factors
    many=$(pm-count --mod=$((1000000007 * 101)) s)
    [ $((many % 101)) = "$(pm-count --mod=101 s)" ]
    [ $((many % 1000000007)) = 328515267 ]
}

# agrees ARGUMENT...: the transfer matrix, determinants, the frontier, and the graph written out by pm-order
agrees() {
    pm-gen "$@" > s
    local answer
    answer=$(pm-count --algorithm=periodic s)
    [ "$(pm-count --algorithm=frontier s)" = "$answer" ]
    [ "$(pm-count s)" = "$answer" ]
    [ "$(pm-count --verify s)" = "$answer" ]
    [ "$(pm-order --method=none s | pm-count)" = "$answer" ]
    is_short || [ "$(pm-dm s | pm-decompose | pm-count)" = "$answer" ]
}

@test "strips and rings of all lattices against the same graphs written out" {
    agrees strip grid 5 --length=30
    [ "$(pm-gen grid 5 30 | pm-count --algorithm=planar)" = "$(pm-count s)" ]
    agrees strip grid 6 --length=33 --integer=-3:9 --seed=1
    agrees strip cube 2 3 --length=12
    [ "$(pm-gen cube 2 3 12 | pm-count)" = "$(pm-count s)" ]
    agrees strip cylinder 6 --length=21
    agrees ring grid 5 --length=20
    agrees ring cylinder 6 --length=20
    [ "$(pm-gen torus 6 20 | pm-count --algorithm=planar)" = "$(pm-count s)" ]
    agrees ring honeycomb 4 --length=20 --weight=3
    agrees strip honeycomb 5 --length=40
}

@test "strips of hexagons of odd length end in half a part" {
    local w l
    for w in 2 4 6 8; do
        for l in 1 3 5 15; do # ((L + 1) / 2)^(W / 2)
            [ "$(pm-gen strip honeycomb $w --length=$l | pm-count)" = $((((l + 1) / 2) ** (w / 2))) ]
        done
        [ "$(pm-gen strip honeycomb $w --length=16 | pm-count)" = 1 ] # one layer more
    done
    agrees strip honeycomb 6 --length=21 --integer=1:9 --seed=1 # weights are those of a part
    [ "$(pm-gen strip honeycomb 4 --length=100001 | pm-count --mod=1000003)" = $((50001 ** 2 % 1000003)) ]
    cmp <(pm-gen grid 3 5 | pm-count --count=maximum) <(pm-gen strip grid 3 --length=5 | pm-count --count=maximum)
}

@test "a strip of odd length that is too large for one graph says what is too large, and what to do" {
    run -69 --separate-stderr pm-gen strip honeycomb 4 --length=100000000001
    [ -z "$output" ]
    [[ "$stderr" == "pm-gen: strip honeycomb: here two layers are a part,"*"length 100000000001 is too large; give an even length" ]]
    for lattice in 'honeycomb 3' 'grid 3' 'cube 3 1'; do
        run -69 --separate-stderr pm-gen strip $lattice --length=100000000001
        [[ "$stderr" == *"length 100000000001 is too large; such a strip has an odd number of vertices, and so no perfect matching" ]]
    done
    run -64 --separate-stderr pm-gen strip grid --length=3
    [[ "$stderr" == *"expected 'pm-gen strip grid W --length=L'."* ]]
}

@test "layers are found in graphs that do not come with them, whatever the numbers of their vertices" {
    pm-gen grid 4 3000 > grid
    pm-gen strip grid 4 --length=3000 > strip
    answer=$(pm-count strip)
    [ "$(pm-count --algorithm=periodic grid)" = "$answer" ]
    awk '!/^#/ { print "r" $1 * 7919 % 1000003, "c" $2 * 104729 % 1000003 }' grid | sort > shuffled
    [ "$(pm-count --algorithm=periodic --bipartite shuffled)" = "$answer" ]
    run -0 pm-count --plan grid
    [[ ${lines[1]} == *$'\tperiodic\t'* ]]
    pm-gen regular 200 4 --seed=1 > random
    refuses 69 'no layers of the graph are repeated' --algorithm=periodic random
}

# found ARGUMENT... -- LATTICE W L: the layers of the graph are found at once, and its count is that of the strip
found() {
    local graph=()
    while [ "$1" != -- ]; do
        graph+=("$1")
        shift
    done
    pm-gen "${graph[@]}" > long
    run -0 --separate-stderr pm-count -v --mod=2305843009213693951 long
    [[ $stderr == *' entries: periodic, about '* ]]
    [[ $stderr != *'block 1 of'* ]]
    [ "$output" = "$(pm-gen strip "$2" "$3" --length="$4" "${@:5}" | pm-count --mod=2305843009213693951)" ]
}

@test "long strips: layers are found by the numbers of the vertices, before all else" {
    found grid 4 9000 -- grid 4 9000
    found grid 9000 4 -- grid 4 9000
    found grid 4 9001 -- grid 4 9001
    found grid 3 12000 -- grid 3 12000
    found grid 11 4000 -- grid 11 4000
    found grid 4 9000 --weight=3 -- grid 4 9000 --weight=3
    # exactly, and one edge less in the middle, which no strip has
    [ "$(pm-gen grid 2 20000 | pm-count)" = "$(pm-gen strip grid 2 --length=20000 | pm-count)" ]
    sed '40000d' long > less
    run -0 --separate-stderr pm-count -v --mod=2305843009213693951 less
    [[ $stderr == *'block 1 of'* ]]
    [ "$output" = "$(pm-count --algorithm=frontier --mod=2305843009213693951 less)" ]
}

# kasteleyn P L...: for the widths W = 2 .. 8, W, L and the count of the grid W x L modulo a prime P = 1 mod 2 (W + 1), by
# Kasteleyn's product over c = z^j + 1 / z^j, j = 1 .. W / 2, z a root of unity of order 2 (W + 1): of g(L), where g(0) = 1,
# g(1) = c, g(k) = c g(k - 1) + g(k - 2); for odd W the middle factor is 1, and L is even
kasteleyn() {
    "${PYTHON:-python3}" - "$@" << 'END'
import sys
p, *lengths = map(int, sys.argv[1:])
def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in (0, 1)) % p for j in (0, 1)] for i in (0, 1)]
def count(w, length):
    order = 2 * (w + 1)
    z = next(z for z in (pow(x, (p - 1) // order, p) for x in range(2, 10**6))
             if all(pow(z, order // d, p) != 1 for d in range(2, order + 1) if order % d == 0))
    all_factors = 1
    for j in range(1, w // 2 + 1):
        c = (pow(z, j, p) + pow(z, -j, p)) % p
        power, square, n = [[1, 0], [0, 1]], [[c, 1], [1, 0]], length
        while n:
            if n & 1:
                power = product(power, square)
            square = product(square, square)
            n >>= 1
        all_factors = all_factors * power[0][0] % p
    return all_factors
for w in range(2, 9):
    for length in lengths:
        print(w, length, count(w, length))
END
}

@test "widths 2 to 8, up to 10^18 layers, by Kasteleyn's product in a prime field" {
    command -v "${PYTHON:-python3}" || skip "no python3"
    # a prime that is 1 modulo 2 (W + 1) for all W: 1 modulo 5040
    local p=2305843009213690801 w l answer
    kasteleyn $p 246 123456789012345678 1000000000000000000 > expected
    [ "$(wc -l < expected)" = 21 ]
    while read -r w l answer; do
        [ "$(pm-gen strip grid "$w" --length="$l" | pm-count --mod=$p)" = "$answer" ]
    done < expected
}

@test "streams: a period is a factor or a summand, has a name, and is written as it is read" {
    pm-gen strip grid 4 --length=5 --no-version > s
    [ "$(sed -n '2p' s)" = '%pm: made-by pm-gen strip grid 4 --length=5' ]
    sed '/begin strip/i %pm: factor 3\n%pm: times 2\n%pm: name five' s > named
    run -0 pm-count --json named
    [[ $output == *'"name":"five"'*'"81225"'* ]]
    { echo '%pm: stream 2'; echo '%pm: begin sum'; for l in 4 6; do pm-gen strip grid 4 --length=$l | sed '/stream\|made-by\|eof/d'; done
      printf '%%pm: end\n%%pm: eof\n'; } > sum
    [ "$(pm-count sum)" = $((36 + 281)) ]
    [ "$(pm-count --mod=100 sum)" = 17 ]
    # the other programs write the parts out
    [ "$(pm-dm --stats s | sed -n '2p' | cut -f 1-3)" = "$(pm-gen grid 4 5 | pm-dm --stats | sed -n '2p' | cut -f 1-3)" ]
    pm-approx --bounds s > bounds
    [ "$(pm-count --count=maximum s)" = 95 ]
    [ "$(pm-count --exists s)" = "$(pm-gen grid 4 5 | pm-count --exists)" ]
}

@test "periods: real and complex entries, unequal sides, no rows" {
    pm-gen strip grid 4 --length=20 --real --seed=1 > real
    [ "$(pm-count real)" = "$(pm-order --method=none real | pm-count)" ]
    sed 's/begin strip 20/begin strip 2000000000/' real > long
    integers='refused: the transfer matrix of a part needs integer entries; multiply all entries by a number c, and divide the count by c to the number of rows'
    refuses 69 "long:4: $integers; at most 524288 such parts are counted as one graph" long
    refuses 69 "real:4: $integers" --algorithm=periodic real
    sed 's/coordinate real/coordinate complex/; /^[0-9]/s/\(^[0-9]* [0-9]* 0\.[0-9]*\)$/\1 1/' long > complex
    refuses 69 'needs integer entries, not complex ones; at most 524288 such parts are counted as one graph' complex
    # as the message says: entries 1/2 and 3/2, and twice these
    scaled() { printf '%%pm: stream 2\n%%pm: begin strip 7\n'; for k in 1 2 3; do
               printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 %s\n1 2 %s\n2 1 %s\n2 2 %s\n' "$@"; done
               printf '%%pm: end\n%%pm: eof\n'; }
    twice=$(scaled 1 3 1 2 | pm-count --algorithm=periodic)
    once=$(scaled 0.5 1.5 0.5 1 | pm-count --precision=exact) # a fraction
    [ $((${once%/*} * 2 ** 14 / ${once#*/})) = "$twice" ]
    matrix='%%MatrixMarket matrix coordinate pattern general'
    wide() { printf '%%pm: stream 2\n%%pm: begin strip %s\n' "$1"; for k in 1 2 3; do printf '%s\n%s\n' "$matrix" "$2"; done
             printf '%%pm: end\n%%pm: eof\n'; }
    wide 7 '1 2 0' > unequal
    [ "$(pm-count -q unequal)" = 0 ]
    wide 1000000000000 '0 0 0' > none
    [ "$(pm-count none)" = 1 ]
    wide 1000000000000 '1 1 0' > zero
    [ "$(pm-count zero --mod=7)" = 0 ]
    wide 1 $'1 1 1\n1 1' | sed 's/strip/ring/' > once
    [ "$(pm-count once)" = 3 ]            # three entries that meet
    [ "$(pm-count --pattern once)" = 1 ]  # are one entry of the pattern
    wide 5 $'1 1 1\n1 1' > ones
    [ "$(pm-count ones)" = 8 ]  # tridiagonal: Fibonacci
}

@test "periods that are too large are refused before anything is computed" {
    pm-gen strip grid 40 --length=10^9 > wide
    refuses 69 'refused: a part has more than 31 vertices' wide
    pm-gen strip grid 4 --length=10^9 > long
    refuses 69 'the answer may have more than 10^8 bits' long
    refuses 69 'long:4: refused: 1000000000 parts with 2 rows, 2 columns and 7 entries each are too large' --exists long
    refuses 69 'long:4: refused: 1000000000 parts' --row-times=1,2 long
    refuses 69 'long:4: refused: 1000000000 parts' --count=maximum long
    refuses 69 'long:4: refused: 1000000000 parts' --algorithm=frontier long
    refuses 64 'periodic does not run on a GPU' --algorithm=periodic --backend=cuda long
    pm-gen strip grid 16 --length=10^9 > dear
    refuses 69 'refused: a period with 12870 states would take' --max-cost=0.001 --mod=7 dear
    [ "$(pm-count --time-limit=0.3 --mod=7 dear 2>&1 | grep -c 'time limit')" -ge 1 ]
}

@test "bad lines of a period" {
    pm-gen strip grid 4 --length=3 --no-version > good
    bad() { sed "$1" good > bad; refuses 65 "$2" bad; }
    bad 's/strip 3/strip 0/' '4: expected the number of parts, 1 to 2^63 - 1, after strip, not '"'0'"
    bad 's/strip 3/strip/' '4: expected the number of parts'
    bad 's/strip 3/strip 9223372036854775808/' '4: expected the number of parts'
    bad 's/strip 3/strip 3 4/' '4: expected the end of the line after the number of parts'
    bad '14d' "14: expected the banner of a matrix, its entries in the columns of the part before"
    bad 's/^%pm: end/%pm: begin sum/' "expected '%pm: end' after the three matrices of a period"
    bad 's/^2 2 2$/2 3 2/' "expected 2 rows and 2 columns as in the first matrix of the period, found 2 and 3"
    bad '5a %pm: rows a b' "6: expected a matrix of a period without lines '%pm: WORD', not 'rows'"
    bad '9,$d' 'expected'
    sed 's/stream 2/stream 1/' good > bad
    refuses 65 'expected' bad
}

@test "pm-gen: requests that make no sense" {
    program=pm-gen
    refuses 64 'expected --length=L' strip grid 4
    refuses 64 'expected pm-gen strip LATTICE' strip aztec 4 --length=3
    refuses 64 'expected pm-gen ring LATTICE' ring
    refuses 64 'wrong number of arguments' strip cube 4 --length=3
    refuses 64 'expected an even length from 4' ring grid 4 --length=2
    refuses 64 'expected an even number from 4' strip cylinder 5 --length=4
    refuses 64 '--length is only for a strip or a ring' grid 4 4 --length=3
    refuses 64 '--to: a strip is always written' strip grid 4 --length=3 --to=mtx
    refuses 64 '--seed is only' strip grid 4 --length=3 --seed=1
    refuses 64 '--nonsingular' strip grid 4 --length=3 --nonsingular
}
