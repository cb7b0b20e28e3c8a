# SPDX-License-Identifier: GPL-3.0-or-later
# Streams of exact numbers, their answers, and residues of exact counts.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
}

exactly() {
    pm-count -q --precision=exact "$@"
}

# exact_stream LINE_OR_FILE...: the same as stream, of version 3
exact_stream() {
    stream "$@" | sed '1s/1/3/'
}

# answers WANTED FILE OPTION...: of the file, and of the streams that are made of it, exactly and with BITS
answers() {
    local wanted=$1 file=$2 bits maker
    shift 2
    [ "$(exactly "$@" "$file")" = "$wanted" ]
    bits=$(pm-count -q --precision=64 "$@" "$file")
    for maker in pm-dm pm-order pm-decompose 'pm-decompose --min-degree=1'; do
        $maker -q --precision=exact "$@" "$file" > made
        [ "$(exactly made)" = "$wanted" ] || { echo "$maker $*: $(exactly made)"; return 1; }
        [ "$(pm-count -q --precision=64 made)" = "$bits" ]
    done
}

@test "zero and other answers of every field have one form, in files and in streams" {
    printf 'a x 1\na y 1\nb x 1\nb y -1\n' > integer
    printf 'a x 1/2\na y 1/2\nb x 0.5\nb y -0.5\n' > real
    printf 'a x 1/2\na y i/2\nb x 1\nb y -i\n' > wrong
    printf 'a x 1\na y i\nb x 1\nb y -i\n' > gauss
    printf 'a x 1\na y root(3)\nb x -root(3)^2\nb y 1\n' > roots # 1 - 1
    printf 'a x 1/2\nb x i\n' > alone
    printf 'a x root(7)\nb x i\n' > lonely
    answers 0 integer
    answers 0 real
    answers "$(printf '0\t0')" gauss
    answers 0 roots
    answers "$(printf '0\t0')" alone
    answers 0 lonely
    pm-gen schur 4 > s4
    answers "$(printf '0\t0')" s4
    pm-gen schur 6 > s6
    answers 0 s6
    pm-gen schur 7 > s7
    answers -105 s7
    printf 'a x 1/3\na y 1\nb y 0.5e1\n' > f
    answers 5/3 f
    sed 's,1/3,3,' f > f3
    answers 15 f3
    printf 'a x 1+i\nb y 1-i\n' > two # rational, of complex numbers
    answers "$(printf '2\t0')" two
    printf 'a x root(3)\nb y root(12)^-1\n' > i # i, of other roots
    answers "$(printf '0\t1')" i
    for file in integer real gauss roots s4 s6; do
        run -1 exactly -e "$file"
        run -0 exactly --json "$file"
        [[ "$output" == *'"value":"0",'*'"error":"0","error_is_bound":true,'*'"log10":null,'* ]]
        [[ "$file" == [gs]*[s4] ]] || [[ "$output" != *value_imaginary* ]]
        [[ "$file" != gauss ]] || [[ "$output" == *'"value_imaginary":"0"'* ]]
    done
    [ "$(pm-count --precision=64 integer)" = 0 ]
    [ "$(pm-count --precision=64 real)" = "$(printf '0\t0')" ]
    [ "$(pm-count --precision=64 gauss)" = "$(printf '0\t0\t0')" ]
    [ "$(pm-count --precision=64 roots)" = "$(printf '0\t0')" ]
    pm-decompose --precision=exact real > made
    [[ "$(exactly --json made)" == *'"field":"real"'* ]]
    refuses 65 "not 'i/2'" --precision=exact wrong
}

@test "graphs, loops and copies through streams of exact numbers" {
    printf '1 2 1/3\n2 3 0.1\n3 1 2\n3 4 1.5\n1 4 -2/9\n2 4 1\n' > real
    answers 223/90 real --graph
    answers 2677/720 real --graph --loops=1/2
    printf '1 2 i\n2 3 1/3-i\n3 4 1/2\n1 4 2i\n1 3 1\n' > gauss
    answers "$(printf '2\t7/6')" gauss --graph # i/2 + 2i (1/3 - i)
    printf '1 2 root(5)\n2 3 1\n3 4 root(5)^3\n1 4 1/2\n1 3 1\n' > roots
    answers -1/2-root\(5\)-root\(5\)^2-root\(5\)^3 roots --graph
    wanted=$(exactly --graph --loops='root(3)' roots)
    answers "$wanted" roots --graph --loops='root(3)'
    # vertices with copies, in a stream by hand
    for value in '1/2 0' '0 1/3' 'root(5)^2 0' '1/2-root(3) 1'; do
        printf '%%%%MatrixMarket matrix coordinate complex symmetric\n%%pm: graph loops\n%s3 3 3\n2 1 %s\n3 2 1 0\n3 1 0.1 1\n' \
            '' "$value" > plain
        printf '%%%%MatrixMarket matrix coordinate complex symmetric\n%%pm: graph loops\n%s\n%s\n3 3 3\n2 1 %s\n3 2 1 0\n3 1 0.1 1\n' \
            '%pm: vertex-times 2 1 2' '%pm: vertex-loops 1/3 root(3) (0,1/2)' "$value" > copies
        exact_stream '%pm: exact roots' copies > s
        wanted=$(exactly s)
        [ -n "$wanted" ]
        for maker in pm-order pm-dm pm-decompose; do # they write the copies out
            [ "$($maker -q --precision=exact s | exactly)" = "$wanted" ]
        done
        exact_stream '%pm: exact roots' plain > s
        [ "$(exactly s)" = "$(pm-dm --precision=exact s | exactly)" ]
    done
    # periodic graphs
    period='%%MatrixMarket matrix coordinate complex general'
    { printf '%%pm: stream 3\n%%pm: exact roots\n%%pm: begin ring 4\n'
      printf '%s\n1 1 1\n1 1 root(3) 0\n%s\n1 1 1\n1 1 1/2 0\n%s\n1 1 0\n' "$period" "$period" "$period"
      printf '%%pm: end\n%%pm: eof\n'; } > ring
    [ "$(exactly ring)" = "1/16+root(3)" ]
    [ "$(pm-dm --precision=exact ring | exactly)" = "1/16+root(3)" ]
}

@test "sums and products with exact numbers; other matchings; parts" {
    entry() { printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 %s\n' "$1"; }
    entry 'root(5) 0' > z
    entry '0 1/2' > i
    entry '3 0' > three
    # 2 (z^3 + i/2 * 3) - i
    exact_stream '%pm: exact roots' '%pm: factor 2' '%pm: begin sum' '%pm: factor 1' '%pm: times 1' '%pm: begin product' '%pm: times 3' z \
        '%pm: end' '%pm: begin product' i three '%pm: end' '%pm: factor 0 -1/2' '%pm: end' > s
    printf 'a x 2*root(5)^3+2i\n' > file
    [ "$(exactly s)" = "$(exactly file)" ]
    for maker in pm-dm pm-order pm-decompose 'pm-decompose --min-degree=1'; do
        [ "$($maker --precision=exact s | exactly)" = "$(exactly file)" ]
        [ "$($maker --precision=exact s | exactly --mod=7)" = "$(exactly --mod=7 file)" ]
    done
    # what is said of a group holds in it, and not after it
    exact_stream '%pm: exact complex' '%pm: begin product' '%pm: begin sum' i '%pm: end' i '%pm: end' > s
    [ "$(exactly s)" = "$(printf -- '-1/4\t0')" ]
    exact_stream '%pm: exact complex' '%pm: begin product' '%pm: begin sum' i '%pm: end' '%pm: end' i > s
    refuses 69 "s:12: refused: the real and complex numbers of a stream are doubles" --precision=exact s
    # factors are numbers as they are
    exact_stream '%pm: exact real' '%pm: factor 0x1p-1/3' > s
    [ "$(exactly s)" = 1/6 ]
    [[ "$(pm-count --precision=64 s)" == 0.1666666666666666666*$'\t'* ]]
    exact_stream '%pm: exact real' '%pm: factor 4' '%pm: factor 5' '%pm: exact complex' '%pm: factor 6' > s
    [ "$(exactly s)" = "$(printf '4\n5\n6\t0')" ]
    # other matchings: nothing is multiplied out
    printf 'a x 1/3\na y root(3)\nb x 1/2i\nc x 1\n' > g
    for maker in pm-dm pm-order pm-decompose; do
        for option in --count=maximum --saturate=cols; do
            [ "$($maker -q --precision=exact g | exactly $option)" = "$(exactly $option g)" ]
        done
    done
    # the parts of a stream
    pm-gen schur 9 | pm-dm --precision=exact > s
    for i in 1 2; do
        PM_LEDGER_SECONDS=1e-9 pm-count --precision=exact --part=$i/2 s > part.$i
    done
    [ "$(pm-count --merge part.1 part.2)" = 81 ]
    for i in 1 2; do
        [ "$(exactly --checkpoint=ck s)" = 81 ]
    done
}

@test "a given order, for every field" {
    for n in 3 4 5 6 7 8 9; do
        pm-gen schur $n > s
        [ "$(pm-order --precision=exact s | exactly --order=given)" = "$(exactly s)" ]
        [ "$(exactly --order=given --verify s)" = "$(exactly s)" ]
    done
    [ "$(pm-order --precision=exact --effort=0.1 s | pm-dm --precision=exact | exactly --order=given --algorithm=frontier)" = "$(exactly s)" ]
    printf '1 2 root(5)\n2 3 1\n3 4 root(5)^3\n1 4 1/2\n1 3 1\n' > g
    [ "$(pm-order --graph --loops=i --precision=exact g | exactly --order=given)" = "$(exactly --graph --loops=i g)" ]
    printf 'a x 1/3\na y root(3)\na z 1\nb x 1/2i\nb z -1\n' > wide
    [ "$(pm-order --precision=exact wide | exactly --order=given --saturate)" = "$(exactly --saturate wide)" ]
    program=pm-order
    refuses 64 "--precision=exact goes with the stream of orders only" --precision=exact --scale s
    refuses 64 "--precision=exact goes with the stream of orders only" --precision=exact --stats s
    program=pm-dm
    refuses 64 "--precision=exact goes with the stream only" --precision=exact --stats s
}

# random KIND SEED: an edge list
random_list() {
    awk -v kind="$1" -v seed="$2" -v graph="$3" 'BEGIN {
        srand(seed)
        n = 2 + int(4 * rand()); n += graph && n % 2
        split("3 4 5 8 12 6", orders, " "); order = orders[1 + int(6 * rand())]
        if (!graph) printf "# pm-edges %d %d\n", n, n
        for (i = 1; i <= n; ++i)
            for (j = graph ? i + 1 : 1; j <= n; ++j) {
                if (rand() > 0.75)
                    continue
                x = rand() < 0.4 ? int(9 * rand()) - 4 : rand() < 0.5 ? sprintf("%d/%d", int(9 * rand()) - 4, 1 + int(9 * rand())) \
                    : sprintf("%.2f", 4 * rand() - 2)
                y = int(9 * rand()) - 4
                if (kind == "complex") x = sprintf("(%s,%s)", x, rand() < 0.5 ? 0 : y "/3")
                if (kind == "roots" && rand() < 0.7) x = sprintf("%s*root(%d)^%d", x, order, int(12 * rand()))
                print i, j, x
            }
    }'
}

@test "random graphs have the same answer through streams" {
    local seed=${PM_TEST_SEED:-$(($(date +%s%N) % 1000000007))} kind k graph wanted
    echo "# PM_TEST_SEED=$seed"
    for kind in real complex roots; do
        for k in $(seq "$(rounds 2)"); do
            graph=$(((seed + k) % 3 == 0))
            random_list $kind $((seed + 10 * k)) $graph > g
            [ "$(wc -l < g)" -gt 2 ] || continue
            options=()
            [ $graph = 0 ] || options=(--graph)
            answers "$(exactly "${options[@]}" g)" g "${options[@]}"
        done
    done
}

@test "residues: fractions, complex numbers, roots, and what is refused" {
    printf 'a x 1/3\na y 1\nb x 1/2\nb y 3/5\n' > f # 1/5 + 1/2 = 7/10
    [ "$(exactly --mod=11 f)" = 4 ] # 4 * 10 = 40 = 7
    [ "$(exactly --mod=11 --json f | sed 's/.*"value":"\([^"]*\)","error":"0".*"modulus":"\([^"]*\)".*"log10":\([^,]*\),.*/\1 \2 \3/')" = "4 11 null" ]
    [ "$(pm-count --precision=100 --mod=11 f)" = 4 ]
    [ "$(exactly --mod=11 --verify --order=given f)" = 4 ]
    printf 'a x 1/3+i\nb y 1/2\n' > c # 1/6 + i/2
    [ "$(exactly --mod=7 c)" = "$(printf '6\t4')" ]
    printf 'a x 7i\nb y 1/2\n' > c0
    [ "$(exactly --mod=7 c0)" = "$(printf '0\t0')" ]
    run -1 exactly -e --mod=7 c0
    printf 'a x root(5)\na y 1/2\nb x -1/3*root(5)^2\nb y 2+root(5)^-1\n' > r # 1 + 2 z - z^2 / 6
    [ "$(exactly --mod=7 r)" = "1+2*root(5)+root(5)^2" ]
    [ "$(pm-dm --precision=exact r | exactly --mod=7)" = "1+2*root(5)+root(5)^2" ]
    printf 'a x root(5)\nb y 7\n' > r0
    [ "$(exactly --mod=7 r0)" = 0 ]
    [ "$(pm-gen schur 13 | exactly --mod=1009)" = $((175747 % 1009)) ]
    # powers and sums of them
    printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 root(3)\n' > bad
    printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 1\n' > m
    exact_stream '%pm: exact complex' '%pm: times 4' m > s # (2+i)^4 = -7 + 24 i
    [ "$(exactly --mod=5 s)" = "$(printf '3\t4')" ]
    exact_stream '%pm: exact complex' '%pm: times 1000000000000000000000' m > s # (2+i)^24 = 1 modulo 7 (24 divides 48), 10^21 = 16 (24)
    [ "$(exactly --mod=7 s)" = "$(exact_stream '%pm: exact complex' '%pm: times 16' m | exactly --mod=7)" ] || exactly --mod=7 s
    refuses 65 "root(3)" --precision=exact --mod=5 bad
    sed 's,/,.,' f > decimals
    refuses 69 "the denominator of an entry has no inverse modulo 10" --precision=exact --mod=10 f
    refuses 69 "the denominator of an entry has no inverse modulo 6" --precision=exact --mod=6 r
    exact_stream '%pm: begin product' '%pm: factor 0' '%pm: factor 1 1/7' '%pm: end' > s
    refuses 69 "the denominator of the factor has no inverse modulo 7" --precision=exact --mod=7 s
    refuses 64 "found real or complex weights; --precision=exact takes them, --pattern counts without weights" --mod=7 decimals
}

@test "roots whose common order is too large are refused, not rounded" {
    for number in 'root(997) 0' 'root(5) 0' '0 1'; do
        printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 %s\n' "$number" > "${number//[() ]/}"
    done
    for by in root50 01 '%pm: factor 0 1'; do
        for group in product sum; do
            exact_stream '%pm: exact roots' "%pm: begin $group" root9970 "$by" '%pm: end' > "$group${by: -1}"
        done
    done
    exact_stream '%pm: exact roots' '%pm: factor 0 1' root9970 > factor
    for file in product* sum* factor; do
        for options in exact 1000 'exact --mod=7'; do
            refuses 69 "$file: refused: the roots of unity of a sum or product are powers of one root(n), and n is more than 1000" \
                --precision=$options "$file"
        done
    done
}

@test "what is no stream of exact numbers" {
    refuses_stream() {
        printf '%s\n' "${@:2}" > bad
        refuses 65 "$1" --precision=exact bad
    }
    one='%%MatrixMarket matrix coordinate pattern general'
    refuses_stream "bad:2: expected %pm: stream 3 before a line %pm: exact" '%pm: stream 2' '%pm: exact real' '%pm: factor 1' '%pm: eof'
    refuses_stream "bad:2: expected real, complex or roots after exact, not 'integer'" '%pm: stream 3' '%pm: exact integer' '%pm: eof'
    refuses_stream "bad:2: expected real, complex or roots after exact, not ''" '%pm: stream 3' '%pm: exact' '%pm: eof'
    refuses_stream "bad:2: expected the end of the line after exact and its word, not 'real'" '%pm: stream 3' '%pm: exact real real' '%pm: eof'
    refuses_stream "bad:3: expected a factor, matrix or group after exact" '%pm: stream 3' '%pm: exact real' '%pm: eof'
    refuses_stream "bad:3: expected a factor, matrix or group after exact" '%pm: stream 3' '%pm: exact real' '%pm: exact real'
    refuses_stream "bad:3: expected a matrix or group after times and name" '%pm: stream 3' '%pm: times 2' '%pm: exact real' "$one"
    refuses_stream "expected rows, cols, order, name or made-by" '%pm: stream 3' "$one" '%pm: exact real' '1 1 0' '%pm: eof'
    refuses_stream "bad:1: expected version 1, 2 or 3 of the pm stream, not '4'" '%pm: stream 4' '%pm: eof'
    # without --precision=exact they are read as other numbers
    pm-gen schur 5 | pm-decompose --precision=exact > s
    [[ "$(pm-count s)" == -5$'\t'0$'\t'* ]]
    printf 'a x 1/3+i\nb y 1\n' | pm-order --precision=exact > s
    refuses 65 "not '1/3'; --precision=exact reads quotients" s
    pm-gen schur 4 | pm-order > s
    refuses 69 "the real and complex numbers of a stream are doubles, not the decimals of its input; --precision=exact of the program that wrote it keeps them" --precision=exact s
    # both halves of a hermitian matrix
    printf '%%%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n2 1 root(3) 1\n1 1 root(3)+root(3)^2 0\n' > h
    [ "$(exactly h)" = "$(printf 'a x root(3)+i\nb y root(3)^-1-i\n' | exactly)" ]
    sed -i 's/+root(3)^2//' h
    refuses 65 "expected a real diagonal in a hermitian matrix" --precision=exact h
}
