# SPDX-License-Identifier: GPL-3.0-or-later
# Batches: many inputs, inputs of many graphs, and what is said of those that fail.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    printf 'a x\nb\n' > bad.txt
    pm-dm -H two.txt one.txt none.txt > named.pm
    pm-dm two.txt > two.pm
    # a square, an edge, a square
    printf 'Cl\nA_\nCl\n' > three.g6
    printf 'Cl\nA_\nClll\n' > cut.g6
    pm-gen erdos-renyi 60 0.5 --seed=1 --nonsingular > large.txt # skipper: years
}

# failure NAME KIND STATUS: the object, with any message
is_failure() {
    [[ "$1" == "{\"name\":$2,\"failure\":{\"kind\":\"$3\",\"message\":\""*"\",\"status\":$4,\"predicted_seconds\":"*"}}" ]]
}

@test "--json has an object for every graph that fails, and for bad inputs" {
    run -66 --separate-stderr pm-count --json --max-cost=1 two.txt nowhere.txt large.txt bad.txt one.txt
    [ "${#lines[@]}" -eq 5 ]
    [[ "${lines[0]}" == '{"name":"two.txt","value":"2",'* ]]
    is_failure "${lines[1]}" '"nowhere.txt"' input 66
    is_failure "${lines[2]}" '"large.txt"' unable 69
    is_failure "${lines[3]}" '"bad.txt"' data 65
    [[ "${lines[4]}" == '{"name":"one.txt","value":"1",'* ]]
    [[ "${lines[2]}" =~ \"predicted_seconds\":[1-9][0-9.e+]*\}\}$ ]]
    [[ "${lines[3]}" == *'"predicted_seconds":null}}' ]]
    [ "${#stderr_lines[@]}" -eq 3 ]
    [[ "${lines[3]}" == *"${stderr_lines[2]#pm-count: }"* ]]
    run -66 --separate-stderr pm-count --max-cost=1 two.txt nowhere.txt large.txt bad.txt one.txt
    [ "$output" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
}

@test "--json: all programs and questions tell of failures" {
    while read -r command; do
        run -65 --separate-stderr $command --json two.txt bad.txt one.txt
        [ "${#lines[@]}" -eq 3 ]
        is_failure "${lines[1]}" '"bad.txt"' data 65
        [[ "${lines[2]}" == '{"name":"one.txt",'* ]]
        run -65 --separate-stderr $command two.txt bad.txt one.txt
        [[ "$output" != *bad.txt* ]]
    done << 'END'
pm-count
pm-count --plan
pm-count --exists
pm-count --matching
pm-approx
pm-approx --bounds
pm-approx --sample=2
pm-dm --stats
pm-dm --coarse
pm-dm --blocks
pm-dm --degrees
pm-dm --permutation
pm-dm --matching
pm-order --stats
pm-order --all
pm-order --factors
pm-decompose --stats
END
}

@test "--json: refusals of the programs that go on" {
    run -69 --separate-stderr pm-approx --json --guarantee=1e-3,1e-3 --max-cost=1 large.txt two.txt
    is_failure "${lines[0]}" '"large.txt"' unable 69
    [[ "${lines[0]}" =~ \"predicted_seconds\":[1-9][0-9.e+]*\}\}$ ]]
    [ "${#lines[@]}" -eq 2 ]
    printf '%%%%MatrixMarket matrix array complex general\n1 1\n1.5 -2.5\n' > complex.mtx
    run -69 --separate-stderr pm-approx --json complex.mtx two.txt
    is_failure "${lines[0]}" '"complex.mtx"' unable 69
    printf 'a x 0.5\n' > real.txt
    run -64 --separate-stderr pm-count --json --mod=7 real.txt
    is_failure "$output" '"real.txt"' usage 64
    printf '\n' > list
    run -65 --separate-stderr pm-count --json --files-from=list
    is_failure "$output" null data 65
}

@test "--json: a bad graph after good ones is the only object of its input" {
    run -65 --separate-stderr pm-count --json cut.g6 one.txt
    [ "${#lines[@]}" -eq 2 ]
    is_failure "${lines[0]}" '"cut.g6"' data 65
    run -65 --separate-stderr pm-count cut.g6
    [ -z "$output" ]
    head -n -1 named.pm > cut.pm
    run -65 --separate-stderr pm-count --json cut.pm
    [ "${#lines[@]}" -eq 1 ]
    is_failure "$output" '"cut.pm"' data 65
}

@test "--json: a time limit is a failure of the graph, a signal is not" {
    run -75 --separate-stderr pm-count --json --max-cost=1e30 --time-limit=0.5 two.txt large.txt one.txt
    [[ "${lines[0]}" == '{"name":"two.txt","value":"2",'* ]]
    is_failure "${lines[1]}" '"large.txt"' time 75
}

@test "-v: a line about the batch at its end" {
    run -65 --separate-stderr pm-count -v two.txt bad.txt three.g6
    [[ "${stderr_lines[-1]}" =~ ^"pm-count: 3 inputs, 4 graphs, 1 failure, "[0-9.e-]+" seconds"$ ]]
    run -0 --separate-stderr pm-count -v three.g6
    [[ "${stderr_lines[-1]}" == "pm-count: 1 input, 3 graphs, 0 failures, "* ]]
    run -0 --separate-stderr pm-count -v two.txt
    [[ "$stderr" != *" graph"*failure* ]]
    run -69 --separate-stderr pm-count -v --max-cost=1 large.txt two.txt large.txt
    [[ "${stderr_lines[-1]}" == "pm-count: 3 inputs, 3 graphs, 2 failures, "* ]]
    run -0 --separate-stderr pm-dm -v two.txt one.txt
    [[ "${stderr_lines[-1]}" == "pm-dm: 2 inputs, 2 graphs, 0 failures, "* ]]
    run -0 --separate-stderr pm-approx -v two.txt one.txt
    [[ "${stderr_lines[-1]}" == "pm-approx: 2 inputs, 2 graphs, 0 failures, "* ]]
}

@test "names: one input with many graphs has them with -H and in JSON" {
    [ "$(pm-count three.g6)" = "$(printf '2\n1\n2')" ]
    [ "$(pm-count -H three.g6)" = "$(printf '2\tthree.g6:1\n1\tthree.g6:2\n2\tthree.g6:3')" ]
    [ "$(pm-count -H < three.g6)" = "$(printf '2\t-:1\n1\t-:2\n2\t-:3')" ]
    [ "$(pm-count --json three.g6 | grep -c '"name":"three.g6:[123]"')" -eq 3 ]
    [ "$(pm-count three.g6 two.txt | cut -f 2)" = "$(printf 'three.g6:%d\n' 1 2 3; echo two.txt)" ]
    [ "$(pm-count -H named.pm)" = "$(printf '2\ttwo.txt\n1\tone.txt\n0\tnone.txt')" ]
    [ "$(pm-count named.pm)" = "$(printf '2\n1\n0')" ]
    [ "$(pm-count -H two.pm)" = "$(printf '2\ttwo.pm')" ]
    [ "$(pm-approx -H three.g6 | sed 1d | awk -F '\t' '{ print $NF }')" = "$(printf 'three.g6:%d\n' 1 2 3)" ]
    [ "$(pm-approx --sample=1 -H three.g6 | grep -c '^# three.g6:[123]$')" -eq 3 ]
    [ "$(pm-dm --stats -H three.g6 | sed 1d | awk -F '\t' '{ print $NF }')" = "$(printf 'three.g6:%d\n' 1 2 3)" ]
    [ "$(pm-order --stats -H three.g6 | sed 1d | awk -F '\t' '{ print $NF }')" = "$(printf 'three.g6:%d\n' 1 2 3)" ]
    [ "$(pm-decompose --stats -H three.g6 | sed 1d | awk -F '\t' '{ print $NF }')" = "$(printf 'three.g6:%d\n' 1 2 3)" ]
    for filter in pm-dm pm-order pm-decompose; do
        [ "$($filter -H three.g6 | pm-count -H)" = "$(printf '2\tthree.g6:1\n1\tthree.g6:2\n2\tthree.g6:3')" ]
    done
}

@test "--table: the same table for integer, real and complex graphs" {
    printf 'a x 0.5\n' > real.txt
    printf '%%%%MatrixMarket matrix array complex general\n1 1\n1.5 -2.5\n' > complex.mtx
    run -65 --separate-stderr pm-count \
        --table=value,name,value_imaginary,error,log10,modulus,field two.txt bad.txt real.txt complex.mtx none.txt
    [ "$output" = "$(printf '# value\tname\tvalue_imaginary\terror\tlog10\tmodulus\tfield
2\ttwo.txt\t-\t0\t0.301029995663981\t-\tpattern
0.5\treal.txt\t-\t0\t-0.301029995663981\t-\treal
1.5\tcomplex.mtx\t-2.5\t0\t0.464709462857146\t-\tcomplex
0\tnone.txt\t-\t0\t-\t-\tpattern')" ]
    run -0 pm-count --table=name,value three.g6
    [ "$output" = "$(printf '# name\tvalue\nthree.g6:1\t2\nthree.g6:2\t1\nthree.g6:3\t2')" ]
    run -0 pm-count --table=modulus,value --mod=7 two.txt
    [ "$output" = "$(printf '# modulus\tvalue\n7\t2')" ]
    name=$(printf 'a\tb')
    cp two.txt "$name"
    [ "$(pm-count --table=name "$name")" = "$(printf '# name\na\\tb')" ]
    [ -z "$(pm-count --table=name,value bad.txt 2> /dev/null)" ]
    run -1 pm-count -e --table=value none.txt
    run -0 pm-approx --table=name,estimate,ci_low,lower_log10,interval two.txt two.pm
    [ "$output" = "$(printf '# name\testimate\tci_low\tlower_log10\tinterval
two.txt\t2\t2\t0.301029\t-\ntwo.pm\t2\t2\t0.301029\t-')" ]
    refuses 64 "'foo' is not one of name, value," --table=name,foo two.txt
    refuses 64 "'' is not one of" --table=name,,value two.txt
    refuses 64 "twice" --table=name,name two.txt
    refuses 64 "excludes --json" --table=name --json two.txt
    refuses 64 "excludes --json and --with-names" --table=name -H two.txt
    refuses 64 "--table is for counts and estimates" --table=name --exists two.txt
}

@test "--table takes every key of JSON that is no list" {
    command -v python3 > /dev/null || skip "no python3"
    keys='import json, sys
print(",".join(k for k, v in json.load(sys.stdin).items() if not isinstance(v, list)))'
    for p in pm-count pm-approx; do
        list=$($p --json two.txt | python3 -c "$keys")
        [ "$($p --table="$list" two.txt | head -n 1 | tr '\t' ,)" = "# $list" ]
    done
    pm-count --json --mod=5 two.txt | python3 -c "$keys" | grep -q modulus
}

@test "--time-limit-each: the graph has no answer, others have" {
    run -75 --separate-stderr pm-count --max-cost=1e30 --time-limit-each=0.3 large.txt two.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    [ "$stderr" = "pm-count: large.txt: no answer within 0.3 seconds (--time-limit-each)" ]
    run -75 --separate-stderr pm-count --json --max-cost=1e30 --time-limit-each=0.3 large.txt two.txt
    is_failure "${lines[0]}" '"large.txt"' time 75
    [ "${#lines[@]}" -eq 2 ]
    run -0 pm-count --time-limit-each=100 two.txt one.txt
    refuses 64 "no meaning for this question" --time-limit-each=1 --exists two.txt
    # each item of an input has its own time
    pm-dm --no-version two.txt > two.pm
    { sed '$d' two.pm; pm-dm --no-version large.txt | sed '1d;$d'; sed 1d two.pm; } > items.pm
    run -75 --separate-stderr pm-count --max-cost=1e30 --time-limit-each=0.3 items.pm
    [ "$output" = "$(printf '2\n2')" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "pm-approx --time-limit: for the whole run; an estimate that is there is an answer" {
    run --separate-stderr pm-approx --time-limit=2 --rel-err=1e-9 --method=look+ large.txt
    [ "$status" -eq 0 ] || [ "$status" -eq 76 ]
    [ "${#lines[@]}" -eq 2 ]
    run --separate-stderr pm-approx --time-limit=2 --time-limit-each=1e-9 large.txt none.txt
    [ "$status" -eq 75 ]
    [ "$(sed 1d <<< "$output" | cut -f 9)" = none.txt ]
    run -0 pm-approx --bounds --time-limit=100 two.txt
    program=pm-approx
    refuses 64 "takes no --time-limit-each" --bounds --time-limit-each=1 two.txt
}

@test "-o: after a signal the answers that were ready are in FILE.partial" {
    run -124 --separate-stderr timeout -s TERM 1 pm-count --max-cost=1e30 -o out two.txt large.txt one.txt
    [ ! -e out ]
    [ "$(head -n 1 out.partial)" = "$(printf '2\ttwo.txt')" ] # perhaps also the third
    run -1 grep large.txt out.partial
    run -124 --separate-stderr timeout -s TERM 1 pm-count -t 1 --max-cost=1e30 -o out two.txt large.txt one.txt
    [ "$(cat out.partial)" = "$(printf '2\ttwo.txt')" ]
    [ "$stderr" = "pm-count: out.partial: the answers that were ready" ]
    rm out.partial
    run -124 --separate-stderr timeout -s TERM 1 pm-count --max-cost=1e30 -o out large.txt
    [ ! -e out ]
    [ ! -e out.partial ]
    [ -z "$stderr" ]
    echo old > out
    run -66 --separate-stderr pm-count -o out two.txt nowhere one.txt
    [ "$(cat out)" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
}

@test "--time-limit of the programs that write streams: status 75, and a stream that is seen to be cut" {
    mkfifo never
    for p in pm-dm pm-order pm-decompose; do
        program=$p refuses 75 'stopped at the time limit' --time-limit=0.2 never 9<> never
        pm-gen grid 4 4 > grid
        run -75 --separate-stderr "$p" --time-limit=0.2 grid never 9<> never
        [[ "$output" == '%pm: stream 1'* && "$output" != *'%pm: eof'* ]]
    done
}

@test "--time-limit-each of the programs that write streams: the graph is left out" {
    local late='two.txt: no answer within 1e-09 seconds (--time-limit-each)'
    for p in pm-dm pm-order pm-decompose; do
        # the clock is read before the work begins
        run -75 --separate-stderr "$p" --no-version --time-limit-each=1e-9 two.txt
        [ "$stderr" = "$p: $late" ]
        [ "$output" = '%pm: stream 1' ] # it is seen to be cut
        run -75 --separate-stderr "$p" -o kept --time-limit-each=1e-9 two.txt
        [ ! -e kept ]
        run -0 --separate-stderr "$p" --no-version --time-limit-each=1000 two.txt
        [[ -z "$stderr" && "$output" == *'%pm: eof' ]]
        [ "$output" = "$("$p" --no-version two.txt)" ]
        program=$p refuses 64 "'0' is not a number of seconds" --time-limit-each=0 two.txt
    done
    # a number is no work: it is written, and the graph beside it is left out
    pm-gen --no-version --to=mtx ones 2 > ones.mtx
    stream '%pm: factor 7' ones.mtx '%pm: factor 5' > mixed.pm
    run -75 --separate-stderr pm-dm --no-version --time-limit-each=1e-9 mixed.pm
    [[ "$output" == *'%pm: factor 5'*'%pm: eof' && "$output" != *'%pm: factor 7'* ]]
    [[ "$stderr" == 'pm-dm: mixed.pm:'*': no answer within'* ]]
    # within a group the stream ends
    stream '%pm: begin sum' ones.mtx ones.mtx '%pm: end' > group.pm
    run -75 --separate-stderr pm-dm --no-version --time-limit-each=1e-9 group.pm
    [[ "$output" != *'%pm: eof'* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "--time-limit-each of questions: a failure for each graph" {
    while read -r command; do
        run -75 --separate-stderr $command --time-limit-each=1e-9 two.txt one.txt
        [ -z "$output" ]
        [ "${#stderr_lines[@]}" -eq 2 ]
        [[ "${stderr_lines[1]}" == *': one.txt: no answer within 1e-09 seconds (--time-limit-each)' ]]
        run -75 --separate-stderr $command --json --time-limit-each=1e-9 two.txt
        [ "${#lines[@]}" -eq 1 ]
        is_failure "${lines[0]}" '"two.txt"' time 75
        run -0 $command --time-limit-each=1000 two.txt
    done << 'END'
pm-dm --stats
pm-dm --matching
pm-order --stats
pm-order --all
pm-decompose --stats
END
    program=pm-dm refuses 75 'two.txt: no answer within' --spy=x.svg --time-limit-each=1e-9 two.txt
    [ ! -e x.svg ]
}

@test "pm-gen: --time-limit and --time-limit-each mean the same: no graph" {
    program=pm-gen
    refuses 75 'no answer within 1e-09 seconds (--time-limit-each)' --time-limit-each=1e-9 grid 4 4
    refuses 75 'stopped at the time limit' --time-limit=1e-9 ones 2000
    run -75 pm-gen --time-limit-each=1e-9 -o kept grid 4 4
    [ ! -e kept ]
    [ "$(pm-gen --time-limit=1000 --time-limit-each=1000 grid 4 4)" = "$(pm-gen grid 4 4)" ]
}

@test "a list of names from Windows, and control characters in messages" {
    printf 'one.txt\r\ntwo.txt\r\n' > list
    [ "$(pm-count --files-from=list)" = "$(pm-count one.txt two.txt)" ]
    run -66 --separate-stderr pm-count "$(printf 'no\033\rwhere')"
    [[ "$stderr" == 'pm-count: no\x1B\x0Dwhere: '* ]]
}

@test "names of arrays in several archives" {
    "${PYTHON:-python3}" -c 'import numpy' 2> /dev/null || skip "without NumPy"
    "${PYTHON:-python3}" -c 'import numpy as np
np.savez("x1.npz", np.ones((2, 2), dtype=int))
np.savez("x2.npz", np.ones((3, 3), dtype=int))'
    [ "$(pm-count x1.npz x2.npz)" = "$(printf '2\tx1.npz:arr_0\n6\tx2.npz:arr_0')" ]
    [ "$(pm-count -H x2.npz)" = "$(printf '6\tarr_0')" ]
}

@test "-o of the programs that write streams: the graphs that are ready are in FILE.partial" {
    mkfifo never
    for p in pm-dm pm-order pm-decompose; do
        "$p" --no-version -o whole two.txt one.txt
        # a limit of time
        run -75 --separate-stderr "$p" --no-version --time-limit=1 -o out two.txt one.txt never 9<> never
        [ ! -e out ]
        [ "$stderr" = "$(printf '%s: stopped at the time limit\n%s: out.partial: the graphs that were ready' "$p" "$p")" ]
        cmp out.partial whole
        rm out.partial
        # a later graph in the same input is bad
        { sed '$d' two.pm; echo '%pm: begin sum'; sed '1,/eof/!d; $d' two.pm | sed 1d; echo nonsense; } > cut.pm
        run -65 --separate-stderr "$p" --no-version -o out cut.pm
        [ ! -e out ]
        [[ "${stderr_lines[1]}" == "$p: out.partial: the graphs that were ready" ]]
        [ "$(pm-count out.partial)" = 2 ]
        rm out.partial
        # nothing is ready
        run -75 --separate-stderr "$p" --time-limit=0.2 -o out never 9<> never
        [ ! -e out ] && [ ! -e out.partial ]
        # an older file stays
        echo old > out
        run -65 "$p" -o out cut.pm
        [ "$(cat out)" = old ]
        rm out out.partial
    done
    # a signal
    run -143 bash -c 'exec 9<> never
        pm-dm -v --no-version -o out two.txt one.txt never 2> err & until grep -q "^pm-dm: one.txt: n = " err
        do sleep 0.1; done
        sleep 0.2; kill -TERM $!; wait $!'
    [ "$(grep partial err)" = 'pm-dm: out.partial: the graphs that were ready' ]
    [ "$(pm-count -H out.partial)" = "$(pm-count two.txt one.txt)" ]
}
