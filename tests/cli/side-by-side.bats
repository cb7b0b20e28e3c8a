# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs that are answered side by side: the answers, messages and exit status of one after another.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    printf 'a x\nb\n' > bad.txt
    printf 'Cl\nA_\nCl\n' > three.g6                             # a square, an edge, a square
    pm-gen ones 44 --integer=1:9 --seed=1 > large.txt            # ryser: hours, and planned at once
}

# many_graphs: inputs of many kinds, in the array `many`
many_graphs() {
    local k
    for k in 1 2 3 4 5 6 7 8; do
        pm-gen regular 9 4 --seed=$k > regular-$k.txt
        pm-gen erdos-renyi 12 0.3 --real --seed=$k > real-$k.txt
    done
    printf 'a x 0.5\n' > half.txt
    copies=$(rounds 300)
    for k in $(seq $copies); do cat three.g6; done > many.g6
    pm-dm -H regular-*.txt none.txt real-*.txt > items.pm
    { cat many.g6; printf 'Clll\n'; } > spoilt.g6
    many=(many.g6 regular-1.txt bad.txt real-*.txt large.txt items.pm nowhere.txt none.txt spoilt.g6
        many.g6 regular-*.txt half.txt)
}

# without_times FILE...: measured times, and those predicted for so many threads
without_times() {
    sed -i -E 's/"(predicted_)?(seconds|samples_per_second)":[^,}]*//g; s/about [^ ]* seconds//' "$@"
    sed -i 's/[0-9.e-]* seconds$/N seconds/; s/[0-9.e-]* s,* .*//; s/ would take.*//' "$@"
}

@test "-t: side by side, the same answers, messages and exit status in the same order" {
    many_graphs
    local all=('' '-v --json' --verify --mod=7 --json -H -v '--table=name,value,error,field')
    for options in "${all[@]:0:$(is_short && echo 4 || echo 8)}"; do
        for t in 1 8; do
            status=0
            pm-count -t $t $options --max-cost=1 "${many[@]}" > out.$t 2> err.$t || status=$?
            echo "status $status" >> err.$t
            without_times out.$t err.$t
            cmp out.1 out.$t
            diff err.1 err.$t
        done
    done
    [ "$(pm-count -t 2 < many.g6 | sort | uniq -c | awk '{ print $1, $2 }')" = "$(printf '%d 1\n%d 2' $copies $((2 * copies)))" ]
}

@test "-t: pm-approx, counted, sampled, zero and failing graphs, the same seed, the same digits" {
    local k
    for k in 1 2 3; do
        pm-gen regular 9 4 --seed=$k > regular-$k.txt
        pm-gen regular 30 6 --seed=$k > sampled-$k.txt
        pm-gen erdos-renyi 12 0.3 --real --seed=$k > real-$k.txt
    done
    printf 'a x -1\na y 1\nb x 1\nb y 1\n' > negative.txt # not to be sampled
    pm-dm -H regular-*.txt none.txt sampled-*.txt real-*.txt negative.txt > items.pm
    local copies=$(rounds 100)
    for k in $(seq $copies); do cat three.g6; done > many.g6
    { cat many.g6; printf 'Clll\n'; } > spoilt.g6
    inputs=(many.g6 items.pm bad.txt real-*.txt negative.txt nowhere.txt none.txt spoilt.g6 sampled-1.txt)
    local all=('--rel-err=0.2' '--exact-within=0 --samples=64 -s 7' '--bounds --json' '--guarantee=0.3,0.1 -v'
        '--exact-within=0 --method=look+ --samples=300 -v' '--exact-within=0 --method=scaling --samples=20 --json'
        '--method=hub++ --exact-within=0.0001 --rel-err=0.3 -H'
        '--method=look+ --samples=64 --table=name,estimate,ci_low,ci_high,samples,status')
    for options in "${all[@]:0:$(is_short && echo 4 || echo 8)}"; do
        for t in 1 $(is_short || echo 2) 4; do
            status=0
            pm-approx -t $t $options "${inputs[@]}" > out.$t 2> err.$t || status=$?
            echo "status $status" >> err.$t
            without_times out.$t err.$t
            cmp out.1 out.$t
            diff err.1 err.$t
        done
        [ "$(wc -l < out.1)" -ge $((3 * copies)) ]
    done
}

@test "-t: an unreliable estimate of a batch sets the exit status" {
    pm-gen regular 20 4 > graph
    pm-dm -H graph graph graph two.txt > items.pm
    for t in 1 2; do
        run -76 --separate-stderr pm-approx -t $t --exact-within=0 --method=look+ --samples=8 items.pm
        [ "${#stderr_lines[@]}" -ge 3 ]
        [[ "$stderr" == *"unreliable"* ]]
    done
}

@test "-t: what is printed before a limit of time is what is printed without one" {
    many_graphs
    pm-count -H many.g6 real-*.txt regular-*.txt two.txt > all
    for t in 1 2 8; do
        for limit in 0.02 0.05 0.2; do
            pm-count -t $t -H --time-limit-each=$limit many.g6 real-*.txt regular-*.txt two.txt > some || [ $? -eq 75 ]
            [ -z "$(grep -v -x -F -f all some)" ]
            pm-count -t $t -H --time-limit=$limit many.g6 real-*.txt regular-*.txt two.txt > some || [ $? -eq 75 ]
            head -n "$(wc -l < some)" all | cmp - some
        done
    done
}

@test "-t: all of a very long input, and of very many inputs" {
    for k in $(seq 20); do cat three.g6 three.g6; done > part.g6
    for k in $(seq 100); do cat part.g6; done > long.g6 # 12000 graphs
    [ "$(pm-count -t 3 long.g6 | cksum)" = "$(pm-count -t 1 long.g6 | cksum)" ]
    for k in $(seq 200); do echo two.txt; echo three.g6; done > list
    [ "$(pm-count -t 3 --files-from=list | cksum)" = "$(pm-count -t 1 --files-from=list | cksum)" ]
    [ "$(cat long.g6 | pm-count -t 2 -H - two.txt | tail -n 2)" = "$(printf '2\t-:12000\n2\ttwo.txt')" ]
}

@test "-t: a signal or a limit keeps what was ready" {
    many_graphs
    run -124 --separate-stderr timeout -s TERM 1 pm-count -t 2 --max-cost=1e30 -o out many.g6 two.txt large.txt one.txt
    [ "$(wc -l < out.partial)" -eq $((3 * copies + 1)) ] # none of one.txt, as with one thread
    run -75 --separate-stderr pm-count -t 2 --max-cost=1e30 --time-limit=1 two.txt large.txt one.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    [ "$stderr" = "pm-count: stopped at the time limit" ]
    run -75 --separate-stderr pm-count -t 2 --max-cost=1e30 --time-limit-each=0.3 many.g6 large.txt one.txt
    [ "${#lines[@]}" -eq $((3 * copies + 1)) ]
}
