# SPDX-License-Identifier: GPL-3.0-or-later
# pm-overlap from outside: pairs against a slow count by awk, figures, and what it refuses.
bats_require_minimum_version 1.5.0
load filters

program=pm-overlap

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'ann p1' 'bob p1' 'bob p2' 'eve p2' 'bob p3' 'eve p3' 'joe p3' > papers.txt
    printf '%s\n' 'a x 2' 'a y 3' 'b x -1' 'b y 5' 'c z 7' > weighted.txt
}

# slow FILE: the pairs of an edge list of integers "row column", by comparing all rows
slow() {
    awk '!/^[#%]/ { has[$1, $2] = 1; rows[$1] = 1; cols[$2] = 1 }
        END {
            for (i in rows) for (k in rows) if (i + 0 < k + 0) {
                common = 0
                for (j in cols) common += ((i, j) in has) && ((k, j) in has)
                if (common) print i "\t" k "\t" common
            }
        }' "$1" | sort -n -k1,1 -k2,2
}

@test "pairs with their numbers of common neighbours" {
    run -0 pm-overlap papers.txt
    [ "$output" = "$(printf '# first\tsecond\tweight\nann\tbob\t1\nbob\teve\t2\nbob\tjoe\t1\neve\tjoe\t1')" ]
    run -0 pm-overlap --side=cols papers.txt
    [ "$output" = "$(printf '# first\tsecond\tweight\np1\tp2\t1\np1\tp3\t1\np2\tp3\t2')" ]
}

@test "every weight" {
    for expected in common:2 jaccard:0.666666666666667 cosine:0.816496580927726 overlap:1 newman:1.5; do
        run -0 pm-overlap --weight="${expected%:*}" papers.txt
        [[ "$output" == *"bob"$'\t'"eve"$'\t'"${expected#*:}"* ]]
    done
    run -0 pm-overlap --weight=product weighted.txt
    [ "${lines[1]}" = $'a\tb\t13' ]
    [ "${#lines[@]}" -eq 2 ]
    run -0 pm-overlap --weight=product --side=cols weighted.txt
    [ "${lines[1]}" = $'x\ty\t1' ]
}

@test "random graphs agree with a slow count, with any number of threads" {
    for seed in 1 2 3; do
        pm-gen --seed=$seed --to=edges erdos-renyi 60 0.1 > graph
        pm-overlap -t 1 graph > one
        pm-overlap -t 3 graph > three
        cmp one three
        slow graph > wanted
        grep -v '^#' one | cmp - wanted
    done
}

@test "--backend changes no digit; without a GPU cuda is refused and auto uses the CPU" {
    pm-gen --seed=4 --to=edges erdos-renyi 300 0.1 > graph
    pm-overlap --weight=newman graph > wanted
    for where in cpu auto; do
        pm-overlap --backend=$where --weight=newman graph | cmp - wanted
    done
    run --separate-stderr pm-overlap --backend=cuda --weight=newman graph
    if [ "$status" -eq 0 ]; then
        [ "$output" = "$(cat wanted)" ]
    else
        [ "$status" -eq 69 ]
        [[ "$stderr" == *"no usable GPU"* ]]
    fi
    run -64 --separate-stderr pm-overlap --backend=gpu graph
    [ -z "$output" ]
}

@test "figures; the four-cycles of hypercubes and of full graphs" {
    run -0 pm-overlap --stats papers.txt
    [ "${lines[1]}" = $'4\t0\t4\t5\t2\tcommon\t1' ]
    # 2^(d - 2) C(d, 2)
    [ "$(pm-gen hypercube 9 | pm-overlap --stats --table=four_cycles | tail -n 1)" = 4608 ]
    [ "$(pm-gen ones 200 | pm-overlap --stats --table=four_cycles | tail -n 1)" = 396010000 ]
    [ "$(pm-gen ones 3 | pm-overlap --stats --table=name,pairs,four_cycles | tail -n 1)" = "$(printf -- '-\t3\t9')" ]
    run -0 pm-overlap --stats --weight=newman papers.txt
    [[ "${lines[1]}" == *$'\tnewman\t-' ]]
    run -0 pm-overlap --stats --at-least=2 papers.txt
    [ "${lines[1]}" = $'4\t2\t1\t2\t2\tcommon\t1' ]
}

@test "--json, and the exit status without pairs" {
    run -0 pm-overlap --json --at-least=2 papers.txt
    [ "$output" = '{"name":"papers.txt","pairs":[{"first":"bob","second":"eve","weight":2}]}' ]
    printf 'a x\nb y\n' > none.txt
    run -1 pm-overlap --exit-status none.txt
    run -0 pm-overlap none.txt
    run -0 pm-overlap --exit-status papers.txt
}

@test "several inputs, and a bad one among them" {
    printf 'a x y z w\n' > bad.txt
    run -65 --separate-stderr pm-overlap --stats papers.txt bad.txt weighted.txt
    [ "${#lines[@]}" -eq 3 ]
    [[ "$stderr" == "pm-overlap: bad.txt:1: "* ]]
    run -65 --separate-stderr pm-overlap bad.txt
    [ -z "$output" ]
}

@test "an answer that cannot be written is a failure" {
    [ -c /dev/full ] || skip "no /dev/full"
    printf '%s\n' '1 1' '2 1' '3 1' > small
    refuses 74 "/dev/full: " -o /dev/full small
    refuses 74 "/dev/full: " --stats -o /dev/full small small
}

@test "what is refused says why" {
    refuses 64 "'both' is not one of rows, cols" --side=both papers.txt
    refuses 64 "'sum' is not one of common, jaccard, cosine, overlap, newman, product" --weight=sum papers.txt
    refuses 64 "'x' is not a number" --at-least=x papers.txt
    refuses 64 "--table goes with --stats only" --table=pairs papers.txt
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 1 2\n1 1 1 1\n2 1 0 1\n' > complex.mtx
    refuses 65 "complex.mtx: the weight product is not for complex entries" --weight=product complex.mtx
    run -0 pm-overlap complex.mtx
    printf 'a x 1e200\nb x 1e200\n' > huge.txt
    refuses 65 "huge.txt: the weights product are beyond the range of double precision" --weight=product huge.txt
}
