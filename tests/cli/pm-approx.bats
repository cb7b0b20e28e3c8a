# SPDX-License-Identifier: GPL-3.0-or-later
# pm-approx from outside: estimates, options, seeds, limits, messages and exit statuses.
bats_require_minimum_version 1.5.0
load estimates

@test "what can be counted is counted, and called exact" {
    run -0 pm-approx grid
    [ "${lines[0]}" = "$(printf '# estimate\tlow\thigh\trel_std_error\tsamples\tmethod\tstatus\tseed')" ]
    [ "${lines[1]}" = "$(printf '12988816\t12988816\t12988816\t0\t0\texact\texact\t0')" ]
    run -0 pm-approx -q none.txt
    [ "$(field 1)" = 0 ]
    [ "$(field 7)" = exact ]
    run -1 pm-approx -e none.txt
    pm-gen grid "$(is_short && echo 40 || echo 100)" 100 > large
    run -0 pm-approx --rel-err=0.01 large
    [ "$(field 1)" = "$(pm-count large)" ]
    # an exact real value that is longer than its text lies in an interval
    printf '1 1 0.1\n' > tenth
    run -0 pm-approx tenth
    [ "$(field 2) $(field 3)" = '0.099999999999999996 0.10000000000000002' ]
    printf '1 1 0.5\n' > half
    run -0 pm-approx half
    [ "$(field 2) $(field 3)" = '0.5 0.5' ]
}

@test "the interval that was asked for is reached, and samples are a limit" {
    run -0 pm-approx --exact-within=0 --rel-err=0.02 dense
    [ "$(field 7)" = converged ]
    awk -v e="$(field 1)" -v l="$(field 2)" -v h="$(field 3)" \
        'BEGIN { exit !(l < e && e < h && h - e <= 0.0201 * e && e - l <= 0.0201 * e) }'
    run -0 pm-approx --method=look+ --samples=5000 dense
    [ "$(field 5)" = 5000 ]
    [ "$(field 7)" = limit ]
    narrow=$(pm-approx --method=look+ --samples=50000 --confidence=0.5 dense | tail -n 1)
    wide=$(pm-approx --method=look+ --samples=50000 --confidence=0.999 dense | tail -n 1)
    awk -v n="$narrow" -v w="$wide" 'BEGIN { split(n, a, "\t"); split(w, b, "\t");
        exit !(a[1] == b[1] && b[2] < a[2] && a[3] < b[3]) }'
}

@test "blocks of unequal variance: each gets its samples" {
    printf '%s\n' 'a x 1' 'a y 1' 'b x 1' 'b y 1' 'c u 1' 'c v 1' 'd u 1' 'd v 1000' > blocks
    for m in rasmussen+ look+; do
        run -0 timeout 600 pm-approx --method=$m --samples=2000 blocks
        [ "$(field 5)" = 4000 ]
        [ "$(field 7)" = limit ]
    done
}

@test "equal samples are no proof: the interval has a width" {
    printf '%s\n' 'a x 1' 'a y 1e-4' 'b x 1e-4' 'b y 1' > likely
    run -0 pm-approx --method=rasmussen+ --samples=1000 likely
    awk -v l="$(field 2)" -v h="$(field 3)" 'BEGIN { exit !(l < 1 && h > 1 && h < 1.01) }'
}

@test "weights: signs of rows and columns are no obstacle" {
    pm-gen erdos-renyi 16 0.4 --integer=1:9 --seed=2 --nonsingular > positive
    awk '/^#/ { print; next } { print $1, $2, ($1 % 3 ? 1 : -1) * ($2 % 4 ? 1 : -1) * $3 }' \
        positive > signed
    [ "$(grep -c ' -' signed)" -gt 20 ]
    run -0 pm-approx --exact-within=0 --method=rasmussen+ --samples=200000 --seed=1 signed
    near "$(pm-count signed)" "$(field 1)" "$(field 4)"
    [ "$(pm-count signed)" = "-$(pm-count positive)" ]
}

@test "products, sums, factors and repetitions of streams" {
    pm-gen erdos-renyi 14 0.4 --nonsingular --seed=1 --to=mtx > a
    pm-gen erdos-renyi 12 0.5 --nonsingular --seed=2 --to=mtx > b
    stream '%pm: factor 3/2' '%pm: begin product' '%pm: times 2' a '%pm: begin sum' b \
        '%pm: times 4' a '%pm: end' '%pm: end' > s
    exact=$(pm-count s)
    run -0 pm-approx s
    [ "$(field 1)" = "$exact" ]
    run -0 pm-approx --exact-within=0 --rel-err=0.01 s
    [ "$(field 7)" = converged ]
    near "$exact" "$(field 1)" "$(field 4)"
    [ "$(pm-dm dense | pm-approx --method=look+ --samples=4096 | cut -f 5 | tail -n 1)" -ge 4096 ]
}

@test "sums of terms of both signs: the sign is not taken for granted" {
    pm-gen erdos-renyi 14 1 --integer=1:9 --seed=1 --to=mtx > a
    printf '%s\n' '%%MatrixMarket matrix array integer general' '1 1' 1 > one
    stream '%pm: begin sum' '%pm: factor 1000000000000' one a '%pm: factor -1' a '%pm: end' > s
    [ "$(pm-count s)" = 1000000000000 ]
    for seed in 1 2 3 4; do
        run -0 pm-approx --exact-within=0 --method=rasmussen+ --samples=2000 --seed=$seed s
        [[ "$output" == *"the sign is not certain"* ]]
        output=${output#*certain$'\n'}
        awk -F '\t' -v low="$(field 2)" -v high="$(field 3)" 'BEGIN { exit !(low < 0 && high > 0) }'
    done
    stream '%pm: begin product' '%pm: times 2' '%pm: begin sum' a '%pm: factor -1' a '%pm: end' \
        '%pm: end' > square
    run -76 pm-approx -q --exact-within=0 --method=rasmussen+ --samples=2000 --seed=1 square
    [ "$(field 2)" = -inf ]
    [ "$(field 3)" = inf ]
    refuses 69 "a guarantee needs sums whose terms all have the same sign" --exact-within=0 \
        --guarantee=0.1,0.05 s
    pm-gen erdos-renyi 14 0.6 --nonsingular --seed=1 --to=mtx > b
    stream '%pm: begin sum' '%pm: factor -3' b '%pm: factor -1/2' b '%pm: end' > negative
    run -0 pm-approx --exact-within=0 --guarantee=0.5,0.5 negative
    [[ "$(field 6)" == hub* ]]
    awk -v exact="$(pm-count negative)" -v low="$(field 2)" -v high="$(field 3)" \
        'BEGIN { exit !(low < high && high < 0 && exact < 0) }'
}

@test "JSON has the documented keys" {
    pm-approx -j --exact-within=0 --rel-err=0.05 dense > j
    for key in name estimate ci_low ci_high exact level interval rel_std_error log10 method samples \
        status stopped_by seed tail_k effective_samples dead_fraction lower_bound_log10 \
        lower_log10 upper_log10 device seconds samples_per_second matrices blocks; do
        grep -q "\"$key\":" j
    done
    if command -v python3 > /dev/null; then
        python3 - "$(pm-count dense)" << 'END'
import json, math, sys
x = json.load(open("j"))
exact = int(sys.argv[1])
assert float(x["ci_low"]) < float(x["estimate"]) < float(x["ci_high"])
assert x["lower_log10"] <= math.log10(exact) <= x["upper_log10"]
assert x["lower_bound_log10"] <= math.log10(exact)
assert abs(10 ** (x["log10"] - math.log10(float(x["estimate"]))) - 1) < 1e-3
assert x["seed"] == "0" and x["level"] == 0.95
END
    fi
    pm-approx -j grid | grep -q '"estimate":"12988816"'
    printf '%%%%MatrixMarket matrix array integer general\n1 1\n2\n' > two
    stream '%pm: factor 1/3' two > fraction
    run -0 pm-approx -j fraction
    [[ "$output" == *'"estimate":"0.66666666666666667","ci_low":"0.666666666666666'[56]* ]]
    [[ "$output" == *'"exact":"2/3"'* ]]
    [ "$(pm-approx fraction | tail -n 1 | cut -f 1)" = 2/3 ]
}

@test "what every sample finds exactly is known but for rounding" {
    pm-gen erdos-renyi 18 0.3 --seed=3 --nonsingular > small
    exact=$(pm-count small)
    last=
    for m in beam scaling++; do
        [ $m = beam ] || last=--complete=20
        run -0 pm-approx --method=$m $last --samples=2 small
        [ "$(field 4)" = 0 ]
        awk -v t="$exact" -v l="$(field 2)" -v h="$(field 3)" \
            'BEGIN { exit !(l < t && t < h && h - l < 1e-9 * t) }'
    done
}

@test "samples that cannot be trusted: status 76 and a warning" {
    pm-gen grid 16 16 > large
    run -76 --separate-stderr pm-approx --method=scaling++ --samples=4 large
    [[ "$stderr" == *"unreliable: too few samples for such a wide interval; allow more samples or time" ]]
    run -76 --separate-stderr pm-approx --method=rasmussen+ --samples=4096 large
    [ "$(field 7)" = unreliable ]
    [[ "$stderr" == *"unreliable"* ]]
}

# interrupted SIGN ARGUMENT...: pm-approx -vv ARGUMENT... in its own process group, sent SIGINT as soon
# as standard error says SIGN, also where all of this runs in the background; its status
interrupted() {
    local sign=$1 pid
    shift
    set -m
    env --default-signal=INT pm-approx -vv "$@" > said 2> log &
    pid=$!
    set +m
    until grep -q "$sign" log; do
        kill -0 $pid
        sleep 0.05
    done
    kill -INT $pid
    wait $pid
}

@test "a signal: what there is, marked; a file, too" {
    run -130 interrupted 'standard error' --method=look+ --rel-err=1e-9 -o out dense
    grep -q 'stopped by a signal' log
    [ "$(grep -v '^#' out | cut -f 7)" = limit ]
    rm out
    silent_input
    run -143 timeout --preserve-status -s TERM 0.3 pm-approx -o out - < silent
    [ ! -e out ]
}

@test "a signal before there is an answer: nothing is printed" {
    run -130 interrupted 'about to draw' --guarantee=1e-6,0.05 --exact-within=0 --max-cost=1e9 dense two.txt
    [ ! -s said ]
    run -1 grep -q 'stopped by a signal' log
    pm-gen cube 12 12 12 > large
    run -130 interrupted 'of n = 864' --exact-within=10000 --rel-err=0.01 large two.txt
    [ ! -s said ]
    run -1 grep -q 'stopped by a signal' log
    run -130 interrupted 'by the frontier' --sample=1000000000 dense two.txt
    [ ! -s said ]
    run -1 grep -q 'stopped by a signal' log
}

@test "a signal after an answer: it is kept, and a line says that the next graph has none" {
    pm-gen cube 12 12 12 > large
    run -130 interrupted 'of n = 864' --exact-within=10000 --rel-err=0.01 -o out two.txt large
    grep -q 'large: stopped before the first estimate' log
    [ "$(grep -vc '^#' out.partial)" -eq 1 ]
}

@test "a limit of time: an estimate by then, or a line that there is none; other inputs go on" {
    run --separate-stderr pm-approx --method=scaling++ --rel-err=1e-9 --time-limit-each=1 dense
    if [ "$status" -eq 75 ]; then # a machine too busy for a sample in a second
        [[ "$stderr" == *"the time limit came before the first estimate" ]]
    else
        [ "$(field 7)" = limit ] || [ "$(field 7)" = unreliable ]
    fi
    run -75 --separate-stderr pm-approx --time-limit-each=1e-9 dense none.txt
    [ "${stderr_lines[0]}" = 'pm-approx: dense: the time limit came before the first estimate' ]
    [ "$(field 1)" = 0 ]
    refuses 75 "the time limit came before the first sample of the guarantee" \
        --guarantee=0.1,0.05 --exact-within=0 --time-limit-each=1e-9 dense
}

@test "guarantees: what was asked for, or refused before any work where that is certain" {
    run -0 --separate-stderr pm-approx --guarantee=0.3,0.2 --exact-within=0 dense
    [ "$(field 7)" = converged ]
    [ "$(field 6)" = hub++ ]
    pm-gen cube 12 12 12 > large
    refuses 69 "would take at least" --guarantee=0.1,0.05 --exact-within=0 large
    refuses 69 "allowed are 0.01 seconds (see --max-cost)" --guarantee=0.01,0.05 --exact-within=0 --max-cost=0.01 dense
}

@test "an interval without an end, of a negative value" {
    pm-gen erdos-renyi 14 0.4 --nonsingular --seed=1 --to=mtx > a
    stream '%pm: begin product' '%pm: factor -1' a '%pm: end' > negative
    run pm-approx -q --method=rasmussen+ --samples=1 negative
    [ "$status" -eq 76 ]
    [ "$(field 2)" = -inf ]
    [ "$(field 3)" = 0 ]
    run pm-approx -q --method=rasmussen+ --samples=1 a
    [ "$(field 2)" = 0 ]
    [ "$(field 3)" = inf ]
    run -0 pm-approx --method=rasmussen+ --samples=4096 negative
    awk -v e="$(field 1)" -v l="$(field 2)" -v h="$(field 3)" 'BEGIN { exit !(l < e && e < h && h < 0) }'
}

@test "--sample: matchings and the seed that they come from" {
    run -0 pm-approx --sample=2 --seed=5 grid
    [ "${lines[0]}" = '# seed 5' ]
    [[ "${lines[1]}" == '# total_variation '*e-2[0-9] ]] # by the frontier: rounded
    [ "$(printf '%s\n' "$output" | grep -vc '^#')" = 64 ]
    [ "$(pm-approx --sample=2 --seed=5 grid)" = "$output" ]
    pm-approx -j --sample=2 --seed=5 grid | grep -q '"seed":"5","total_variation":[1-9][.0-9]*e-2[0-9],"matchings":\['
    pm-gen erdos-renyi 60 0.5 --seed=1 > wide # too wide a frontier: by rejection, at once
    run -0 --separate-stderr pm-approx -v --max-memory=1G --sample=1 wide
    [[ "$stderr" == *"by rejection"* ]]
    [[ "${lines[1]}" == '# total_variation 3.5e-09' ]]
    printf '# pm-edges 2 3\na x\nb y\n' > lonely
    run -0 pm-approx --sample=1 lonely
    [ "$output" = '# no perfect matching: the columns {#3} have only the neighbours {}' ]
    pm-approx -j --sample=1 lonely | grep -q '"set":\["#3"\]'
}

@test "--sample: planar graphs of any size, exactly" {
    pm-gen hexagon 12 > hexagon
    run -0 --separate-stderr pm-approx -v --sample=2 --seed=1 -t 1 hexagon
    [[ "$stderr" == *'drawn by determinants'* ]]
    [ "${lines[1]}" = '# total_variation 0' ]
    [ "$(pm-approx --sample=2 --seed=1 -t 2 hexagon)" = "$output" ]
    # each is a perfect matching: edges of the graph, and every vertex once
    pm-approx --sample=1 hexagon | grep -v '^#' | sort > matching
    [ "$(wc -l < matching)" = 432 ]
    [ "$(cut -f 1 matching | sort -u | wc -l)" = 432 ]
    [ "$(cut -f 2 matching | sort -u | wc -l)" = 432 ]
    grep -v '^#' hexagon | sort | comm -13 - matching > others
    [ ! -s others ]
    pm-approx -j --sample=1 hexagon | grep -q '"total_variation":0,"matchings":\['
    # states that are few, but do not fit
    pm-gen grid 6 80 | awk '!/^#/ {$3 = 1 + NR % 7} 1' > narrow
    run -0 --separate-stderr pm-approx -v --sample=1 narrow
    [[ "$stderr" == *'by the frontier'* ]]
    run -0 --separate-stderr pm-approx -v --sample=1 --max-memory=64K narrow
    [[ "$stderr" == *'drawn by determinants'* ]]
}

@test "--sample: tori of any size, exactly" {
    for family in 'torus 30 30' 'honeycomb-torus 18 18'; do
        # shellcheck disable=SC2086
        pm-gen $family > torus
        run -0 --separate-stderr pm-approx -v --sample=1 --seed=1 torus
        [[ "$stderr" == *'drawn by determinants'* ]]
        [ "${lines[1]}" = '# total_variation 0' ]
        grep -v '^#' <<< "$output" | sort > matching
        [ "$(cut -f 1 matching | sort -u | wc -l)" = "$(wc -l < matching)" ]
        [ "$(cut -f 2 matching | sort -u | wc -l)" = "$(grep -v '^#' torus | cut -f 1 | sort -u | wc -l)" ]
        grep -v '^#' torus | sort | comm -13 - matching > others
        [ ! -s others ]
    done
}

@test "--sample: graphs with odd cycles" {
    # the 12500 Kekule structures of C60, each of 30 bonds
    pm-gen fullerene 60 1 7 9 11 13 15 18 20 22 24 26 32 > c60
    run -0 --separate-stderr pm-approx -v --sample=2 --seed=1 c60
    [ "${lines[1]}" = '# total_variation 0' ]
    for i in 1 2; do
        awk -v i=$i '/^# matching/ {at = $3} !/^#/ && at == i' <<< "$output" | sort > matching
        [ "$(tr '\t' '\n' < matching | sort -u | wc -l)" = 60 ]
        [ "$(wc -l < matching)" = 30 ]
        grep -v '^#' c60 | sort | comm -13 - matching > others
        [ ! -s others ]
    done
    # parts: one without a choice, one bipartite, one with odd cycles; weights
    printf 'a b 2\nc d 1\nd e 4\ne f 1\nf c 2\n1 2 3\n2 3 1\n3 1 1\n3 4 5\n4 1 1\n4 2 1\n' > parts
    for i in 1 2 3 4 5 6 7 8 9 10; do
        run -0 pm-approx --sample=1 --seed=$i --graph parts
        [ "$(grep -v '^#' <<< "$output" | cut -f 1,2 | tr '\t' '\n' | sort -u | tr -d '\n')" = 1234abcdef ]
    done
    run -0 pm-approx -j --sample=1 --graph parts
    [[ "$output" == *'"matchings":[{"matching":[["'* ]]
    # no perfect matching, and no drawing in the plane
    pm-gen complete 3 > odd
    run -0 pm-approx --sample=1 odd
    [ "$output" = '# no perfect matching: there is 1 component with an odd number of vertices, {1, 2, 3}; every matching leaves out at least 1 vertex' ]
    pm-approx -j --sample=1 odd | grep -q '"matchings":null,"tutte_berge":{"removed":\[\]'
    pm-gen complete 6 > dense
    run -69 --separate-stderr pm-approx --sample=1 dense
    [[ "$stderr" == *'dense: a part of 6 vertices has odd cycles: of such parts only planar ones, and recognised lattices on a torus, are drawn: not planar: 15 edges; on 6 vertices a planar graph has 12 at most'* ]]
    # a picture
    pm-gen triangular 6 6 --positions | pm-approx --sample=1 --draw=picture.svg
    grep -q '<svg' picture.svg
}

@test "--trace and --plot: the running estimate" {
    pm-approx --method=look+ --samples=50000 --trace=t.tsv --plot=p.svg dense grid > out
    [ "$(head -n 1 t.tsv)" = "$(printf '# item\tsamples\tseconds\testimate\tlow\thigh')" ]
    [ "$(cut -f 1 t.tsv | sort -u | grep -c '^[12]$')" = 2 ]
    awk -F '\t' '!/^#/ && !($5 <= $4 && $4 <= $6) { exit 1 }' t.tsv
    [ "$(awk -F '\t' '$1 == 1 { n = $2 } END { print n }' t.tsv)" = 50000 ]
    pm-approx --trace=e.tsv --plot=e.svg grid > out
    [ "$(tail -n 1 e.tsv | cut -f 1,2,4-)" = "$(printf '1\t0\t12988816\t12988816\t12988816')" ]
    grep -q 'graph 1: exact, 12988816<' e.svg
    if command -v python3 > /dev/null; then
        python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("p.svg"); xml.dom.minidom.parse("e.svg")'
    fi
}

@test "wrong options end with status 64, bad inputs with theirs" {
    refuses 64 "'2' is not a number between 0 and 1" --rel-err=2 two.txt
    refuses 64 "'95' is not a number between 0 and 1" --confidence=95 two.txt
    refuses 64 "there is no method 'magic'" --method=magic two.txt
    refuses 64 "'0' is not a whole number from 1" --samples=0 two.txt
    refuses 64 "'21' is not a whole number from 0 to 20" --complete=21 two.txt
    refuses 64 "two numbers" --guarantee=0.1 two.txt
    refuses 64 "exclude each other" --bounds --sample=3 two.txt
    for o in --method=beam --time-limit-each=1 --states=5 --seed=1 --exact-within=1 --confidence=.5 \
        --complete=2 --max-cost=5 --trace=x; do
        refuses 64 "--bounds takes no ${o%%=*}" --bounds $o two.txt
    done
    refuses 64 "--sample takes no --scale-sweeps" --sample=1 --scale-sweeps=2 two.txt
    refuses 64 "--guarantee takes no --states" --guarantee=.1,.1 --states=2 two.txt
    refuses 64 "--max-cost has no meaning without --guarantee" --max-cost=5 two.txt
    refuses 64 "--complete has no meaning for --method=look+" --method=look+ --complete=3 two.txt
    refuses 64 "--states has no meaning for --method=hub+" --method=hub+ --states=3 two.txt
    refuses 64 "--scale-interval has no meaning for --method=beam" --method=beam \
        --scale-interval=1 two.txt
    refuses 64 "must be different files" --trace=x --plot=x two.txt
    refuses 64 "must be different files" --trace=x -o x two.txt
    refuses 64 "takes neither --output nor --json" --list --json
    refuses 64 "takes neither --output nor --json" --list -o x
    refuses 64 "takes no operand" --list two.txt
    [ ! -e x ]
    refuses 66 "No such file" missing
    printf 'a x\na\n' > broken
    refuses 65 "broken:2" broken
}
