# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs that are counted side by side: the answers, messages and exit status of one after another.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    printf 'a x\nb\n' > bad.txt
    printf 'Cl\nA_\nCl\n' > three.g6                             # a square, an edge, a square
    pm-gen erdos-renyi 60 0.5 --seed=1 --nonsingular > large.txt # skipper: years
}

# many_graphs: inputs of many kinds, in the array `many`
many_graphs() {
    local k
    for k in 1 2 3 4 5 6 7 8; do
        pm-gen regular 9 4 --seed=$k > regular-$k.txt
        pm-gen erdos-renyi 12 0.3 --real --seed=$k > real-$k.txt
    done
    printf 'a x 0.5\n' > half.txt
    for k in $(seq 300); do cat three.g6; done > many.g6
    pm-dm -H regular-*.txt none.txt real-*.txt > items.pm
    { cat many.g6; printf 'Clll\n'; } > spoilt.g6
    many=(many.g6 regular-1.txt bad.txt real-*.txt large.txt items.pm nowhere.txt none.txt spoilt.g6
        many.g6 regular-*.txt half.txt)
}

@test "-t: side by side, the same answers, messages and exit status in the same order" {
    many_graphs
    for options in '' --json -H -v '--table=name,value,error,field' --mod=7 '-v --json' --verify; do
        for t in 1 2 8; do
            status=0
            pm-count -t $t $options --max-cost=1 "${many[@]}" > out.$t 2> err.$t || status=$?
            echo "status $status" >> err.$t
            # measured times, and those predicted for so many threads
            sed -i -E 's/"(predicted_)?seconds":[^,}]*//g; s/about [^ ]* seconds//' out.$t
            sed -i 's/[0-9.e-]* seconds$/N seconds/; s/[0-9.e-]* s,* .*//; s/ would take.*//' err.$t
            cmp out.1 out.$t
            diff err.1 err.$t
        done
    done
    [ "$(pm-count -t 2 < many.g6 | sort | uniq -c | awk '{ print $1, $2 }')" = "$(printf '300 1\n600 2')" ]
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
    [ "$(wc -l < out.partial)" -ge 901 ]
    run -75 --separate-stderr pm-count -t 2 --max-cost=1e30 --time-limit=1 two.txt large.txt one.txt
    [ "${lines[0]}" = "$(printf '2\ttwo.txt')" ]
    [ "$stderr" = "pm-count: stopped at the time limit" ]
    run -75 --separate-stderr pm-count -t 2 --max-cost=1e30 --time-limit-each=0.3 many.g6 large.txt one.txt
    [ "${#lines[@]}" -eq 901 ]
}
