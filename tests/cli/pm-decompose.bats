# SPDX-License-Identifier: GPL-3.0-or-later
# pm-decompose from outside: values stay as they are, streams hold what the options promise.
bats_require_minimum_version 1.5.0
load filters

program=pm-decompose

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    # blocks {e}{v}, {a,b}{x,y}, {c,d}{z,w}; b-z and e-w lie in no perfect matching
    printf '%s\n' 'a x' 'a y' 'b x' 'b y' 'b z' 'c z' 'c w' 'd w' 'd z' 'e w' 'e v' > five.txt
    printf 'a x\nb x\n' > none.txt
    # no row or column of fewer than five entries, one block, no twins
    pm-gen circulant 11 0 1 3 7 8 --to=mtx > dense.mtx
}

# An imaginary part beside every weight of a real Matrix Market file
make_complex() {
    awk '/^%%MatrixMarket/ { sub("real", "complex") }
         !/^%/ && sized    { $4 = ($1 * 7 + $2 * 13) % 19 / 8 - 1 }
         !/^%/             { sized = 1 }
                           { print }'
}

# random KIND N DENSITY SEED: a matrix that may have no perfect matching
random() {
    case $1 in
    pattern) pm-gen erdos-renyi "$2" "$3" --seed="$4" --to=mtx ;;
    integer) pm-gen erdos-renyi "$2" "$3" --seed="$4" --integer=-3:9 --to=mtx ;;
    large) pm-gen erdos-renyi "$2" "$3" --seed="$4" --integer=1:1000000000000000 --to=mtx ;;
    real) pm-gen erdos-renyi "$2" "$3" --seed="$4" --real=-1:1 --to=mtx ;;
    complex) pm-gen erdos-renyi "$2" "$3" --seed="$4" --real --to=mtx | make_complex ;;
    esac
}

@test "a sum of a matrix and a number" {
    pm-gen derangement 5 > hats
    run -0 pm-decompose --no-version --until-n=3 hats
    [ "$output" = "$(cat << 'END'
%pm: stream 1
%pm: begin sum
%pm: factor 2
%%MatrixMarket matrix coordinate integer general
3 3 9
1 1 1
1 2 1
1 3 1
2 1 1
2 2 1
2 3 1
3 1 1
3 2 1
3 3 2
%pm: factor 28
%pm: end
%pm: eof
END
)" ]
    [ "$(pm-decompose --until-n=3 hats | pm-count)" = 44 ]
    [ "$(pm-decompose --no-version hats)" = "$(printf '%%pm: stream 1\n%%pm: factor 44\n%%pm: eof')" ]
    run -0 pm-decompose hats
    [ "${lines[1]}" = "%pm: made-by $(pm-decompose --version | head -n 1)" ]
}

@test "blocks become a product, equal ones one matrix, up to the sequence of lines" {
    { sed '1,/^[^%]/d' dense.mtx | awk '{ print $1, $2; print 30 - $1, 40 - $2; print 50 + $2, 60 + $1 }'
      printf '90 90\n90 91\n91 90\n91 91\n'; } > three
    [ "$(pm-dm --stats three | sed 1d | cut -f 7)" = 4 ]
    run -0 pm-decompose --no-version three
    [ "${lines[0]}" = '%pm: stream 1' ]
    [ "$(printf '%s\n' "$output" | grep -c MatrixMarket)" -eq 1 ]
    [[ "$output" == *$'\n%pm: times 3\n'* ]]
    [ "$(pm-decompose three | pm-count)" = "$(pm-count three)" ]
}

@test "a matrix with which nothing can be done stays as it is, with its labels and order" {
    { head -n 1 dense.mtx; echo '%pm: rows a b c d e f g h i j k'
      echo '%pm: order r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 c11 c10 c9 c8 c7 c6 c5 c4 c3 c2 c1'
      sed 1d dense.mtx; } > labelled
    stream '%pm: factor 5/7' '%pm: times 2' '%pm: name own' <(sed '/^%pm: made-by/d' labelled) > s
    [ "$(pm-decompose --no-version s | grep -v made-by)" = "$(pm-decompose --no-version s | pm-decompose --no-version)" ]
    run -0 pm-decompose --no-version s
    for line in '%pm: factor 5/7' '%pm: times 2' '%pm: name own' '%pm: rows a b c d e f g h i j k'; do
        [[ "$output" == *"$line"* ]]
    done
    [[ "$output" == *'%pm: order r1 r2'* ]]
    [ "$(pm-decompose s | pm-count -H)" = "$(pm-count -H s)" ]
}

@test "the value is that of the input: families, rectangular ones, --pattern and --graph" {
    local f
    for f in 'grid 6 6' 'grid 3 5' 'aztec 5' 'hexagon 3' 'cube 3 3 4' 'band 30 2' \
        'mycielskian 5' 'ones 9' 'regular 40 3 --seed=3' 'circulant 15 0 1 4' 'hypercube 5'; do
        # shellcheck disable=SC2086 # words
        pm-gen $f > "${f// /_}"
    done
    pm-count -H ./*_* > direct
    pm-decompose -H ./*_* | pm-count -H | as_before
    pm-decompose -H --max-terms=20 --until-n=4 ./*_* | pm-count -H | as_before
    pm-gen erdos-renyi 12 0.4 --integer --seed=5 > w
    [ "$(pm-decompose --pattern w | pm-count)" = "$(pm-count --pattern w)" ]
    printf '1 2\n2 3\n3 4\n4 1\n4 5\n5 6\n' > square.txt
    [ "$(pm-decompose --graph square.txt | pm-count)" = "$(pm-count --graph square.txt)" ]
}

@test "the value is that of the input: random matrices through real pipes, in any sequence" {
    local seed=${PM_TEST_SEED:-$(($(date +%s%N) % 1000000007))} kind n k
    echo "# PM_TEST_SEED=$seed"
    for kind in pattern integer large real complex; do
        for k in $(is_short && echo 1 2 || echo 1 2 3 4); do
            n=$((4 + (seed + 3 * k) % 11))
            random $kind $n 0.$((3 + (seed + k) % 5)) $((seed + k)) > "$kind-$k"
        done
    done
    pm-count -H ./*-? > direct
    pm-decompose -H ./*-? | pm-count -H | as_before
    pm-dm -H ./*-? | pm-decompose --until-n=3 | pm-count -H | as_before
    pm-decompose -H --max-terms=3 ./*-? | pm-dm | pm-count -H | as_before
    pm-decompose -H --min-degree=9 --until-n=4 ./*-? | pm-count -H | as_before
    pm-decompose -H --min-degree=1 ./*-? | pm-dm | pm-decompose | pm-dm | pm-count -H | as_before
}

@test "the value is that of the input: matrices of \$PM_DATA" {
    [ -d "${PM_DATA-}/suitesparse" ] || skip "PM_DATA is not set"
    local m
    for m in bcspwr01 will57 west0067 GD99_b can_24 ibm32 \
        $(is_short || echo bcspwr02 d_ss ww_36_pmec_36 curtis54 mesh1e1 impcol_c); do
        [ ! -e "$PM_DATA/suitesparse/$m.mtx" ] || cp "$PM_DATA/suitesparse/$m.mtx" .
    done
    rm dense.mtx
    pm-count -H ./*.mtx > direct
    pm-decompose -H --max-terms=25 ./*.mtx | pm-count -H | as_before
    pm-dm -H ./*.mtx | pm-decompose --max-terms=5 | pm-count -H | as_before
}

@test "numbers go through to the digit" {
    printf '%s\n' '%%MatrixMarket matrix coordinate integer general' '2 2 4' \
        '1 1 123456789012345678901234567890' '1 2 1' '2 1 -1' '2 2 98765432109876543210' > m
    [ "$(pm-decompose m | pm-count)" = "$(pm-count m)" ]
    # 0.5 * 2 + 0.3 * 0.7, all of its bits
    printf 'a x 0.5\na y 0.3\nb x 0.7\nb y 2\n' > r
    run -0 pm-decompose --no-version r
    [ "${lines[1]}" = '%pm: factor 0x4d70a3d70a3d70428f5c28f5c29p-106' ]
    # a factor too long to be multiplied: the matrix stays as it is
    local digits i
    digits=$(head -c 100000 /dev/zero | tr '\0' 7)
    { printf '%%%%MatrixMarket matrix coordinate integer general\n60 60 60\n'
      for i in $(seq 60); do echo "$i $i $digits"; done; } > long
    pm-decompose --no-version long > s
    [ "$(grep -c MatrixMarket s)" -eq 1 ]
    [ "$(tail -n 1 s)" = '%pm: eof' ]
    sed '/^%pm:/d' s | cmp - long
    sed 's/60 60 60/40 40 40/; 43,$d' long > shorter
    [ "$(pm-decompose shorter | grep -c MatrixMarket)" -eq 0 ]
    # entries beyond the range of a double, and with more bits
    { printf '%%%%MatrixMarket matrix coordinate real general\n11 11 55\n'
      sed '1,/^[^%]/d' dense.mtx | awk '{ print $1, $2, NR % 2 ? "1e300" : "0.1" }'; } > wide
    sed -n '4,$p' wide | awk 'BEGIN { print "12 x 1e300"; print "1 x 3"; print "12 2 1e290" }
        { print }' > wider
    pm-count -H wider > direct
    pm-decompose -H wider | pm-count -H | as_before
    [[ "$(pm-decompose wider)" == *0x* ]]
}

@test "a graph without a perfect matching stays, a part becomes 0, in its field" {
    run -0 --separate-stderr pm-decompose --no-version -v none.txt
    [ "$output" = "$(pm-order --no-version none.txt | sed '/order/d')" ]
    { echo '%pm: stream 1'; echo '%pm: begin sum'; pm-order --no-version none.txt | sed '1d; $d'
        echo '%pm: end'; echo '%pm: eof'; } > part
    [ "$(pm-decompose --no-version part | sed -n 3p)" = '%pm: factor 0' ]
    [[ "$stderr" == *"no perfect matching: the rows {a, b} have only the neighbours {x}"* ]]
    printf 'a x 1.5\na y 1\nb x -1.5\nb y 1\n' > cancel
    [ "$(pm-decompose cancel | pm-count)" = "$(pm-count cancel)" ]
    [ "$(pm-decompose --no-version cancel | sed -n 2p)" = '%pm: factor 0x0p0' ]
    printf '%%%%MatrixMarket matrix coordinate complex general\n1 2 1\n1 1 1 1\n' > wide
    [ "$(pm-decompose wide | pm-count)" = "$(pm-count wide)" ]
    printf '# pm-edges 0 0\n' > empty
    [ "$(pm-decompose empty | pm-count)" = 1 ]
    [ "$(pm-decompose five.txt | pm-count)" = 4 ]
}

@test "streams in streams: groups, factors, repetitions and names pass through" {
    pm-gen derangement 5 --to=mtx > a.mtx
    stream '%pm: name tree' '%pm: begin sum' '%pm: factor -2/3' a.mtx '%pm: factor 5' \
        '%pm: factor 1' '%pm: times 3' '%pm: begin product' '%pm: times 2' a.mtx '%pm: end' \
        '%pm: end' '%pm: factor 0x1.8p1' '%pm: name three' a.mtx '%pm: factor 7' > s
    for o in --until-n=3 --min-degree=1 --max-terms=2 --verbose; do
        pm-decompose $o s > d
        pm-count -H s | sed 's/s:3$/d:3/' > direct
        pm-count -H d | as_before
        [ "$(pm-count -H d | cut -f 3 | sed -n 2p)" = three ]
    done
    run -0 pm-decompose --no-version --until-n=3 s
    [[ "$output" == *$'%pm: factor -2/3\n%pm: begin sum\n'* ]]
    [[ "$output" == *$'%pm: times 2\n%pm: begin sum\n'* ]]
    [[ "$output" == *$'%pm: factor 0x3p0\n%pm: name three\n%pm: begin sum\n'* ]]
}

@test "groups stand as deep as before" {
    pm-gen derangement 6 --to=mtx > a.mtx
    for depth in 997 998 999 1000; do
        { yes '%pm: begin product' | head -n $depth
          cat a.mtx
          yes '%pm: end' | head -n $depth; } > body
        stream body > s
        [ "$(pm-decompose --until-n=3 s | pm-count)" = 265 ]
    done
}

@test "--max-terms: no more terms; the default ends" {
    pm-gen regular 60 4 --seed=1 > g
    for terms in 1 2 3 10 57; do
        pm-decompose --max-terms=$terms g > d
        [ "$(grep -c MatrixMarket d)" -le $terms ]
    done
    [ "$(grep -c MatrixMarket d)" -gt 30 ]
    [ "$(pm-decompose g | grep -c MatrixMarket)" -le 1000 ]
    # a larger number is still exact
    pm-gen regular 24 4 --seed=1 > g
    [ "$(pm-decompose --max-terms=3 g | pm-count)" = "$(pm-count g)" ]
}

@test "--min-degree: what is left has no shorter line" {
    pm-gen erdos-renyi 14 0.5 --seed=3 > g
    for d in 3 4 5 6; do
        pm-decompose --min-degree=$d --max-terms=100000 g > s
        awk -v least=$d '
            function check(k) {
                for (k in of) if (of[k] < least) { print k, of[k]; exit 1 }
                split("", of)
            }
            /^%/ { check(); sized = 0; next }
            !sized { sized = 1; next }
            { ++of["r" $1]; ++of["c" $2] }' s
        [ "$(pm-count s)" = "$(pm-count g)" ]
    done
    [ "$(pm-decompose --min-degree=1 g | grep -c begin)" -eq 0 ]
}

@test "--until-n: matrices of so many rows are left" {
    pm-gen regular 30 3 --seed=2 > g
    pm-decompose --until-n=12 --max-terms=100000 g > s
    [ "$(grep -A 1 MatrixMarket s | awk '$1 > 12 && $1 == $2' | wc -l)" -eq 0 ]
    [ "$(pm-count s)" = "$(pm-count g)" ]
}

@test "--stats: a line a graph" {
    pm-gen derangement 5 > hats
    run -0 pm-decompose --stats --until-n=3 hats none.txt
    [ "${lines[0]}" = "$(printf '# rows\tcols\tnnz\tmatrices\tnumbers\tsums\tproducts\tdepth\tn_min\tn_mean\tn_max\tnnz_min\tnnz_mean\tnnz_max\tcost_before\tcost_after\tname')" ]
    [[ "${lines[1]}" == "$(printf '5\t5\t20\t1\t1\t1\t0\t1\t3\t3\t3\t9\t9\t9\t')"*"$(printf '\thats')" ]]
    [[ "${lines[2]}" == "$(printf '2\t1\t2\t0\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\tnone.txt')" ]]
    run -0 pm-decompose --stats --json none.txt
    [ "$output" = '{"name":"none.txt","field":"pattern","rows":2,"cols":1,"nnz":2,"matrices":0,"numbers":1,"sums":0,"products":0,"depth":0,"n_min":0,"n_mean":0,"n_max":0,"nnz_min":0,"nnz_mean":0,"nnz_max":0,"cost_before":0,"cost_after":0}' ]
    # the figures are those of the stream; costs those of pm-count --plan
    pm-gen regular 30 3 --seed=2 > g
    pm-decompose --until-n=12 g > s
    pm-decompose --until-n=12 --stats g | sed 1d > t
    [ "$(cut -f 4 t)" -eq "$(grep -c MatrixMarket s)" ]
    [ "$(cut -f 6 t)" -eq "$(grep -c 'begin sum' s)" ]
    [ "$(cut -f 7 t)" -eq "$(grep -c 'begin product' s)" ]
    [ "$(cut -f 11 t)" -eq "$(grep -A 1 MatrixMarket s | sed '/^[%-]/d' | cut -d ' ' -f 1 | sort -n | tail -n 1)" ]
    pm-gen regular 36 6 --seed=1 > g
    pm-decompose --min-degree=7 --max-terms=5 g > s
    pm-decompose --min-degree=7 --max-terms=5 --stats g | sed 1d > t
    pm-count --plan --threads=1 s | awk -v cost="$(cut -f 16 t)" '!/^#/ { sum += $8 }
        END { exit !(cost > 0 && sum < cost * 1.2 && sum > cost / 1.2) }'
    # what has not changed costs the same, what is out of reach nothing that could be told
    pm-gen regular 60 6 --seed=1 > h
    pm-decompose --stats h | awk -F '\t' '!/^#/ { exit !($15 > 0 && $15 == $16) }'
    pm-gen regular 290 6 --seed=1 > far
    pm-decompose --stats far | awk -F '\t' '!/^#/ { exit !($15 == "-" && $16 == "-") }'
    [[ "$(pm-decompose --stats --json far)" == *'"cost_before":null,"cost_after":null}' ]]
    timeout 60 pm-decompose --stats --min-degree=12 --max-terms=20 far > t
}

@test "several inputs are one stream, a batch with names" {
    pm-gen grid 2 2 > two.txt
    [ "$(pm-decompose two.txt five.txt none.txt | pm-count -H)" = \
        "$(printf '2\ttwo.txt\n4\tfive.txt\n0\tnone.txt')" ]
    printf 'two.txt\nfive.txt\n' > list
    [ "$(pm-decompose --files-from=list | pm-count -H)" = "$(printf '2\ttwo.txt\n4\tfive.txt')" ]
    refuses 66 "nowhere.txt: " nowhere.txt
    run -66 --separate-stderr pm-decompose five.txt nowhere.txt none.txt
    [ "${#stderr_lines[@]}" -eq 1 ]
    [ "$(printf '%s\n' "$output" | pm-count -H)" = "$(printf '4\tfive.txt\n0\tnone.txt')" ]
}

@test "bad streams: one line that names the line, status 65, and a stream that is seen to be cut" {
    pm-gen derangement 5 --to=mtx > a.mtx
    stream a.mtx a.mtx > whole
    lines=$(wc -l < whole)
    for keep in $(seq 1 $((lines - 1))); do
        head -n "$keep" whole > cut
        run -65 --separate-stderr pm-decompose --until-n=3 cut
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "pm-decompose: cut:"* ]]
        [[ "$output" != *'%pm: eof'* ]]
    done
    run bash -c 'set -o pipefail; pm-decompose cut 2> err | pm-count'
    [ "$status" -eq 65 ]
    printf '%%pm: stream 4\n%%pm: eof\n' > version
    refuses 65 "version:1:" version
    stream '%pm: end' > unbalanced
    refuses 65 "unbalanced:2:" unbalanced
    stream '%pm: begin sum' a.mtx > open
    run -65 --separate-stderr pm-decompose open
    [[ "$output" != *'%pm: eof'* ]]
    sed 's/^5 5 20$/5 5 21/' whole > sizes
    run -65 --separate-stderr pm-decompose sizes
    [[ "$stderr" == "pm-decompose: sizes:"[1-9]* ]]
    refuses 65 "cut:" --stats cut
}

@test "-o: the file appears when the stream is complete" {
    pm-decompose -o out five.txt
    [ "$(pm-count out)" = 4 ]
    pm-gen derangement 5 --to=mtx > a.mtx
    stream a.mtx a.mtx | sed '$d' > cut
    run -65 pm-decompose -o out2 cut
    [ ! -e out2 ]
    # in the middle of an expansion that would take hours
    pm-gen regular 200 6 --seed=1 > large
    run -130 timeout --preserve-status -s INT 1 \
        pm-decompose --min-degree=12 --max-terms=2000000000 -o out3 large
    [ -z "$(find . -name 'out3*')" ]
    refuses 74 "nodir/out: " -o nodir/out five.txt
    [ ! -c /dev/full ] || run -74 --separate-stderr sh -c 'pm-decompose five.txt > /dev/full'
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a reader that leaves early is no error message, and terms come while others wait" {
    pm-gen regular 200 6 --seed=1 > large
    run bash -c 'pm-decompose --min-degree=12 --until-n=196 --max-terms=2000000000 large 2> err \
        | head -n 1000 > out; exit "${PIPESTATUS[0]}"'
    [ "$status" -eq 141 ]
    [ ! -s err ]
    [ "$(wc -l < out)" -eq 1000 ]
}

@test "bad options are refused in one line" {
    refuses 64 "--json needs --stats" --json five.txt
    refuses 64 "--no-version is only for" --no-version --stats five.txt
    refuses 64 "--min-degree" --min-degree=0 five.txt
    refuses 64 "--max-terms" --max-terms=many five.txt
    refuses 64 "--until-n" --until-n=-3 five.txt
    refuses 64 "unknown option '-t'" -t 2 five.txt
    pm-decompose five.txt > s
    refuses 64 "a pm stream itself says which of its graphs have one set of vertices" --graph s
}

@test "-v says what became of it, -q nothing" {
    pm-gen derangement 5 > hats
    run -0 --separate-stderr pm-decompose -v --until-n=3 hats
    [[ "$stderr" == *"hats: n = 5: 1 matrices, the largest of n = 3, and 1 numbers in 1 sums and 0 products"* ]]
    run -0 --separate-stderr pm-decompose -q hats
    [ -z "$stderr" ]
}
