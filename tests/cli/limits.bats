# SPDX-License-Identifier: GPL-3.0-or-later
# --max-memory and --time-limit hold from the first byte, and one input ends no other.
bats_require_minimum_version 1.5.0
load filters

setup() {
    small_graphs
}

# spread: 25 edges that are given twice, with values 2^1000000000 and 2^-1000000000
spread() {
    for i in 1 2 3 4 5; do
        for j in 1 2 3 4 5; do
            printf '%d %d 0x1p1000000000\n%d %d 0x1p-1000000000\n' $i $j $i $j
        done
    done > spread.txt
}

# wide: a sparse6 graph with 2 * 10^7 vertices and one edge
wide() {
    printf '%s\n' ':~~?@KQs?_???N' > wide.s6
}

# power: 3^300000000
power() {
    printf '%s\n' '%pm: stream 1' '%pm: times 300000000' \
        '%%MatrixMarket matrix coordinate integer general' '1 1 1' '1 1 3' '%pm: eof' > power
}

@test "exponents that are far apart: refused with the lines, by every program" {
    spread
    for program in pm-count pm-approx pm-dm pm-decompose pm-order; do
        refuses 69 "spread.txt:2: refused: expected values whose binary exponents differ by at most 67108864, found 2^-1000000000 beside 2^1000000000 (line 1); divide" \
            --duplicates=sum --max-memory=50M --time-limit=20 spread.txt
    done
    printf '0x1p70000000 1\n1 1\n' > block
    program=pm-count
    refuses 69 "block: refused: expected values whose binary exponents differ" --from=dense block
    printf '0x1p70000000 0x1p70000000\n0x1p70000000 0x1p70000001\n' > block
    run -0 --separate-stderr pm-count --from=dense block
    [[ "$output" == 7.41444455777334661377202035182e+42144199$'\t'* ]]
}

@test "an input that is refused or too large ends no other, and leaves no file" {
    spread
    wide
    power
    run -69 --separate-stderr pm-count --max-memory=20M --max-cost=1 --duplicates=sum -o out \
        two.txt spread.txt one.txt wide.s6 power two.txt
    [ "$(cut -f 1 out | tr '\n' ' ')" = '2 1 2 ' ]
    [ "${#stderr_lines[@]}" -eq 3 ]
    [ "$(ls | grep -c '^out')" -eq 1 ]
}

@test "--max-memory: a short input that needs much" {
    wide
    for program in pm-count pm-approx pm-dm pm-decompose pm-order; do
        refuses 71 'wide.s6: out of memory: ' --max-memory=10M wide.s6
        [[ "$stderr" == *'(see --max-memory)' ]]
    done
    program=pm-gen
    refuses 71 'out of memory: ' --max-memory=1M ones 2000
    run -0 pm-gen --max-memory=1M grid 10 10
}

@test "powers and products of many digits: predicted, and compared with the limits" {
    power
    program=pm-count
    refuses 69 'power: refused: a value of about 1.4e+08 digits would take about ' --max-cost=1 power
    [[ "$stderr" == *'(see --max-cost)'* ]]
    refuses 69 'power: refused: a value of about 1.4e+08 digits does not fit into memory (see --max-memory)' \
        --max-memory=50M power
    refuses 69 'more than the time limit leaves' --time-limit-each=1 power
    { echo '%pm: stream 1'
      for i in 1 2 3 4; do
          echo '%pm: times 20000000'
          printf '%s\n' '%%MatrixMarket matrix coordinate integer general' '1 1 1' '1 1 3'
      done
      echo '%pm: eof'; } > four
    run -0 pm-count --mod=1000003 four # four answers of one stream
    [ "${#lines[@]}" -eq 4 ]
    sed -e '2i %pm: begin product' -e '$i %pm: end' four > product
    refuses 69 'product: refused: a value of about ' --max-cost=2 product
    refuses 69 'does not fit into memory' --max-memory=40M product
}

@test "a signal ends a long operation on integers at once" {
    power
    sed 's/300000000/3000000000/' power > long
    run -143 timeout --preserve-status -s TERM 1 pm-count -o out long
    [ -z "$(ls | grep '^out' || true)" ]
}

@test "--time-limit: readers look at it between lines" {
    { echo '%pm: stream 1'
      echo '%pm: begin product'
      for i in $(seq 4000); do echo '%pm: factor 0x1p67108864'; done
      echo '%pm: end'
      echo '%pm: eof'; } > factors # 40 times as long as the limit allows
    run -75 --separate-stderr pm-count --time-limit=1 factors
    [ "$stderr" = 'pm-count: stopped at the time limit' ]
}

@test "digits that do not fit into memory" {
    (ulimit -v 200000 && pm-count --version > version) || skip "sanitizers allocate in their own way"
    head -c 20000000 /dev/zero | tr '\0' 7 > digits
    { printf '1 1 '; cat digits; echo; } > long.txt
    { printf '%%pm: stream 1\n%%pm: factor '; cat digits; printf '\n%%pm: eof\n'; } > long.pm
    { printf '%%pm: stream 1\n%%pm: times '; cat digits
      printf '\n%%%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n%%pm: eof\n'; } > long.times
    program=pm-count
    refuses 71 'long.txt:1: out of memory: a number of 20000000 characters (see --max-memory)' \
        --max-memory=40M --from=edges long.txt
    refuses 71 'long.pm:2: out of memory: a number of 20000000 characters' --max-memory=40M long.pm
    refuses 71 'long.times:2: out of memory: a number of 20000000 characters' --max-memory=40M long.times
}

@test "the search for an order heeds its effort, also where two columns meet all rows" {
    awk -v n="$(is_short && echo 2000 || echo 15000)" 'BEGIN {
        for (i = 1; i <= n; i++) { print "r" i, "c" i; print "r" i, "h1"; print "r" i, "h2" }
        print "s1 h1"; print "s2 h2"; print "s1 c1"; print "s2 c2" }' > hubs
    run -0 pm-order --effort=$(is_short && echo 0.1 || echo 1) --stats hubs # minutes, if greedy orders were found to their ends
    [ "${lines[1]%%$'\t'*}" = frontier ]
}

@test "a frontier that cannot fit is not planned" {
    pm-gen hypercube 6 > small # 21 MiB by the frontier
    run -0 pm-count --plan small
    [[ "$output" == *frontier* ]]
    run -0 pm-count --plan --max-memory=1M small
    [[ "$output" != *frontier* ]]
    pm-gen hypercube 7 > cube
    program=pm-count
    refuses 69 'the frontier would take about ' --plan --max-memory=20G --algorithm=frontier-hash cube
    [[ "$stderr" == *'; allowed are 20 GiB (see --max-memory)'* ]]
    run -0 pm-count --algorithm=frontier-hash <(pm-gen grid 8 8)
    [ "$output" = 12988816 ]
}

@test "steps of a frontier in place where two arrays do not fit" {
    (ulimit -v 200000 && pm-count --version > version) || skip "sanitizers allocate in their own way"
    pm-gen --seed=1 regular 30 6 > regular # levels of 646646 states
    run -0 pm-count --plan --algorithm=frontier-rank regular
    [[ "$output" == *$'\tfrontier-rank\t'* ]]
    run -0 pm-count --plan --max-memory=8M --algorithm=frontier-rank regular
    [[ "$output" == *$'\tfrontier-in-place\t'* ]]
    run -0 pm-count --max-memory=8M --algorithm=frontier --backend=cpu regular
    [ "$output" = 2271512753708 ]
    run -0 pm-count --mod=1000003 --max-memory=8M --algorithm=frontier --backend=cpu regular
    [ "$output" = $((2271512753708 % 1000003)) ]
    program=pm-count
    refuses 69 'MiB; allowed are 4 MiB (see --max-memory)' --plan --max-memory=4M \
        --algorithm=frontier-rank regular
}

@test "a guarantee that no number of samples can give is refused at once" {
    pm-gen erdos-renyi 300 0.05 --nonsingular > g
    program=pm-approx
    refuses 69 'refused: the guarantee would take at least inf samples' --guarantee=1e-300,1e-300 g
}

@test "the memory of reading is said before it is taken, and refused where --max-memory does not allow it" {
    (ulimit -v 200000 && pm-count --version > version) || skip "sanitizers allocate in their own way"
    awk 'BEGIN { for (i = 1; i <= 1600; i++) for (j = 1; j <= 1000; j++) print i, j }' > e.txt
    awk 'BEGIN { print "%%MatrixMarket matrix coordinate real general\n1000 700 700000"
        for (i = 1; i <= 1000; i++) for (j = 1; j <= 700; j++) print i, j, 5 }' > r.mtx
    for program in pm-count pm-approx pm-dm pm-decompose pm-order pm-overlap; do
        refuses 69 'e.txt: refused: to read 1600000 entries takes at least 18.3 MiB; 1' --max-memory=1K e.txt
        refuses 69 'r.mtx: refused: to read 700000 entries takes at least 24 MiB; 1' --max-memory=1K r.mtx
        [[ "$stderr" == *' MiB are left (see --max-memory)' ]]
    done
    run -69 --separate-stderr pm-dm --max-memory=1K - < <(printf '%s\n' \
        '%%MatrixMarket matrix coordinate pattern general' '100000 100000 10000000' '1 1')
    [[ "$stderr" == *'(standard input): refused: to read 10000000 entries'* ]]
    run -0 --separate-stderr pm-dm --stats -v e.txt
    [[ "$stderr" == *'pm-dm: e.txt: reading: about 1.'*'e+06 entries and '*' MiB'* ]]
    run -0 --separate-stderr pm-dm --stats -v - < <(cat e.txt)
    [[ "$stderr" == *'(standard input): reading: 1.0'*'e+06 entries so far; 2.1e+06 take about '*' MiB'* ]]
    run -0 --separate-stderr pm-count --plan r.mtx
    [[ "$stderr" == *'r.mtx: reading: about 7e+05 entries and '*' MiB'* ]]
    run -0 --separate-stderr pm-count r.mtx
    [[ "$stderr" != *reading:* ]]
}
