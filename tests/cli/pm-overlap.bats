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
    [[ "$(pm-overlap --help)" == *"exit with 1 when an answer has no pair"*"1  only with -e: an answer has no pair"* ]]
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
    printf 'a x 1e308\nb x 1\nc y 1e308\nd y 1\n' > total.txt
    run -0 pm-overlap --weight=product total.txt
    refuses 65 "total.txt: the weights product are beyond the range of double precision" --weight=product --stats total.txt
}

@test "products that vanish in double precision are refused" {
    small='the weights product are too small for double precision; multiply all entries by one number'
    printf 'a x 1e-200\nb x 1e-200\n' > tiny.txt
    refuses 65 "tiny.txt: $small" --weight=product tiny.txt
    refuses 65 "tiny.txt: $small" --weight=product --stats tiny.txt
    refuses 65 "$small" --weight=product <(printf 'a x 1e-160\nb x 1.2345e-160\n') # not 0, but without its digits
    refuses 65 "$small" --weight=product <(printf 'a x 0x1p-1100\nb x 1e300\n') # an entry
    run -0 pm-overlap tiny.txt
    [ "${lines[1]}" = $'a\tb\t1' ]
    # one small term changes no digit of a sum; nor do small entries that never meet
    run -0 pm-overlap --weight=product <(printf 'a x 1e-200\nb x 1e-200\na y 2\nb y 3\n')
    [ "${lines[1]}" = $'a\tb\t6' ]
    run -0 pm-overlap --weight=product <(printf 'a x 1e-200\nb x 1e-100\nc y 5e-324\nd z 2\n')
    [ "${lines[1]}" = $'a\tb\t1e-300' ]
}

@test "products that are small, or 0, and exact are no reason to refuse" {
    # 0 beside a tiny entry; terms that cancel; a tiny entry times a power of two
    run -0 pm-overlap --weight=product <(printf 'a x 1e-300\nb x 0.0\na y 1.0\nb y 0.0\na z 2.0\nc z 3.0\n')
    [ "${lines[*]:1}" = $'a\tc\t6' ]
    run -0 pm-overlap --weight=product <(printf 'a x 0.0\nb x 1e-320\nc x 0x1p+3\n')
    [ "${lines[*]:1}" = $'b\tc\t7.99991093746146e-320' ] # 16192 times 2^-1074
    run -0 pm-overlap --weight=product <(printf 'a x 1e-200\nb x 1e-200\na y -1e-200\nb y 1e-200\n')
    [ "${lines[*]:1}" = $'a\tb\t0' ]
    # another pair of the same graph still loses its digits
    refuses 65 "too small for double precision" --weight=product \
        <(printf 'a x 1e-320\nb x 1.0\nc x 1e-10\na y 0.0\nb y 1.0\n')
}

@test "--at-least leaves no pair out because of rounding" {
    for j in 1 2 3 4 5 6 7 8; do
        for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "$i $j 0.1"; done
    done > tenths.txt # 8 / 10, of which the sum of doubles is below 0.8
    for weight in newman product; do
        least=0.8
        [ $weight = newman ] || least=0.08
        run -0 pm-overlap --weight=$weight --at-least=$least --stats --table=pairs,largest tenths.txt
        [ "${lines[1]}" = "55"$'\t'"$least" ]
        [ "$(pm-overlap --weight=$weight --at-least=$least tenths.txt | grep -vc '^#')" -eq 55 ]
        run -0 pm-overlap --weight=$weight --at-least=${least}0000000001 --stats --table=pairs tenths.txt
        [ "${lines[1]}" = 0 ]
    done
}

@test "a long list waits in a file without a name, or in memory where there is no file" {
    mkdir there
    pm-gen --seed=5 --to=edges erdos-renyi 1000 0.03 > graph
    TMPDIR=$PWD/there pm-overlap graph > wanted
    [ "$(wc -c < wanted)" -gt 2000000 ]
    [ -z "$(ls -A there)" ]
    slow_bytes=$(pm-overlap --stats --json graph | sed 's/.*"pairs"://; s/,.*//')
    [ "$(grep -c -v '^#' wanted)" -eq "$slow_bytes" ]
    TMPDIR=$PWD/missing pm-overlap graph | cmp - wanted
    (ulimit -f 0; pm-overlap graph) | cmp - wanted
    # an input that is wrong later leaves nothing
    { cat graph; echo 'one two three four five'; } > wrong
    run -65 --separate-stderr pm-overlap wrong
    [ -z "$output" ]
    # several inputs use the file in turn
    pm-overlap graph papers.txt graph > all
    { echo '# graph'; cat wanted; echo '# papers.txt'; pm-overlap papers.txt; echo '# graph'; cat wanted; } | cmp - all
}
