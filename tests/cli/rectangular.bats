# SPDX-License-Identifier: GPL-3.0-or-later
# Matchings that are not perfect: rectangular matrices, maximum matchings, and the same behind every
# filter.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'w1 j1' 'w1 j2' 'w1 j3' 'w2 j2' 'w2 j3' > jobs # 2 workers, 3 jobs: 4 ways
    printf '%s\n' 'w1 j1 2' 'w1 j2 3' 'w2 j2 5' 'w2 j3 7' > weighted
    # rows 1 2 share column 1; row 3 over columns 2 3
    printf '%s\n' '# pm-edges 3 3' '1 1' '2 1' '3 2' '3 3' > singular
}

@test "a matrix that is not square has no perfect matching, and one line says what to ask" {
    run -0 --separate-stderr pm-count jobs
    [ "$output" = 0 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *'jobs: the sides differ (2 x 3), so there is no perfect matching; --saturate '*' all rows, --count=maximum '* ]]
    run -0 --separate-stderr pm-count -q jobs
    [ -z "$stderr" ]
    run -0 --separate-stderr pm-count --saturate jobs
    [ "$output$stderr" = 4 ]
    { echo '%pm: stream 1'; pm-order --no-version jobs | sed '1d; $d'
        pm-order --no-version jobs | sed '1d; $d'; echo '%pm: eof'; } > twice
    run -0 --separate-stderr pm-count twice
    [ "${#stderr_lines[@]}" -eq 1 ]
    run -0 --separate-stderr pm-approx jobs
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "--saturate and --count=maximum" {
    [ "$(pm-count --saturate weighted)" = 45 ] # 2 5 + 2 7 + 3 7
    [ "$(pm-count --saturate=rows jobs)" = 4 ]
    [ "$(pm-count --saturate=cols jobs)" = 0 ]
    [ "$(pm-count --saturate=cols --transpose jobs)" = 0 ]
    [ "$(pm-count --count=maximum jobs)" = 4 ]
    [ "$(pm-count singular)" = 0 ]
    [ "$(pm-count --saturate singular)" = 0 ]
    [ "$(pm-count --count=maximum singular)" = 4 ]
    [ "$(pm-count --count=maximum --mod=3 singular)" = 1 ]
    [ "$(pm-count --count=perfect singular)" = 0 ]
    printf '# pm-edges 2 0\n' > none
    [ "$(pm-count --count=maximum none)" = 1 ]
    [ "$(pm-count --saturate none)" = 1 ]
    [ "$(pm-count --saturate=rows none)" = 0 ]
}

@test "existence and one matching of the kind" {
    [ "$(pm-count -q --exists jobs)" = no ]
    [ "$(pm-count --exists --saturate jobs)" = yes ]
    [ "$(pm-count --exists --saturate=cols jobs)" = no ]
    [ "$(pm-count --exists --count=maximum singular)" = yes ]
    [ "$(pm-count --matching --saturate jobs | grep -c '^w')" = 2 ]
    [ "$(pm-count --matching --count=maximum singular | grep -vc '^#')" = 2 ]
    [[ "$(pm-count --matching --saturate=cols jobs)" == '# no matching that covers all columns: '* ]]
    [[ "$(pm-count --json --matching --saturate weighted)" == *'"matching":[["w1",'* ]]
}

@test "every pipeline of filters keeps what the questions need" {
    for file in jobs weighted singular; do
        for question in --saturate --saturate=rows --saturate=cols --count=maximum; do
            wanted=$(pm-count $question $file)
            for first in pm-dm pm-decompose pm-order; do
                [ "$($first -q $file | pm-count $question)" = "$wanted" ]
                for second in $(is_short || echo pm-dm) pm-decompose $(is_short || echo pm-order); do
                    [ "$($first -q $file | $second -q | pm-count $question)" = "$wanted" ]
                done
            done
            [ "$(pm-approx $question $file | sed 1d | cut -f 1)" = "$wanted" ]
        done
    done
}

@test "a matrix of a stream may carry its own question" {
    { echo '%pm: stream 2'; echo '%pm: begin product'
        pm-order --no-version jobs | sed '1d; $d; /^%%Matrix/a %pm: count saturate'
        echo '%pm: factor 10'; echo '%pm: end'
        pm-order --no-version singular | sed '1d; $d; /^%%Matrix/a %pm: count maximum'
        echo '%pm: eof'; } > stream
    [ "$(pm-count stream | tr '\n' ' ')" = '40 4 ' ]
    for filter in pm-dm pm-decompose pm-order; do
        $filter --no-version stream > through
        [ "$(head -n 1 through)" = '%pm: stream 1' ]
        [ "$(grep -c '^%pm: stream 2' through)" -eq 1 ]
        [ "$(pm-count through | tr '\n' ' ')" = '40 4 ' ]
    done
    [ "$(pm-approx stream | sed 1d | cut -f 1 | tr '\n' ' ')" = '40 4 ' ]
    program=pm-approx refuses 69 '--sample draws perfect matchings' --sample=1 --seed=1 stream
}

@test "repeated rows and columns of a stream" {
    cat > stream << 'END'
%pm: stream 2
%%MatrixMarket matrix array integer general
%pm: rows a b
%pm: row-times 2 1
%pm: col-times 1
%pm: col-times 2
%pm: row-places 0 0 1 0.5
2 2
1
2
3
4
%pm: eof
END
    [ "$(pm-count stream)" = 84 ] # rows (1 3 3) twice, (2 4 4)
    [ "$(pm-dm stream | pm-count)" = 84 ]
    sed -i 's/row-times 2 1/row-times 2/' stream
    refuses 65 'stream:4: expected 2 numbers, one for each row, not 1' stream
    sed -i 's/row-times 2/row-times 2 -1/' stream
    refuses 65 "stream:4: expected an integer from 0 to 2147483647, not '-1'" stream
    sed -i 's/row-times 2 -1/row-times 2000000000 1/' stream
    refuses 69 'the repeated matrix would have 2000000001 rows, 3 columns and 6000000003 entries' \
        --saturate stream
    [ "$(pm-count -q stream)" = 0 ] # the sides differ
}

@test "lines of version 2 that are refused" {
    { echo '%pm: stream 2'; pm-order --no-version singular | sed '1d'; } > good
    sed 's/^%%Matrix.*/&\n%pm: graph/' good > graph
    refuses 65 'graph:4: the order names column 1, which the matrix does not have' graph
    printf '%%pm: stream 2\n%%pm: part 7 of 9\n' > part
    refuses 65 'part:2: this is part 7 of 9 of a count: give all parts to pm-count --merge' part
    sed 's/^%%Matrix.*/&\n%pm: count largest/' good > count
    refuses 65 "count:3: expected 'count maximum' or 'count saturate [rows|cols]'" count
    sed 's/^%%Matrix.*/&\n%pm: count maximum\n%pm: count maximum/' good > twice
    refuses 65 'twice:4: expected one count, this is the second' twice
    sed 's/stream 2/stream 1/' count > old
    refuses 65 'old:3: expected %pm: stream 2 before a line %pm: count' old
}

@test "a side that is larger cannot be covered: 0, and the other side is named" {
    printf 'a x\nb x\n' > tall
    for p in pm-count pm-approx; do
        run -0 --separate-stderr "$p" --saturate=cols jobs
        [[ "${lines[-1]}" == 0* ]]
        [ "$stderr" = "$p: jobs: no matching covers all columns, because they are more (2 x 3); --saturate=rows counts those that cover all rows" ]
        run -0 --separate-stderr "$p" --saturate=rows tall
        [[ "${lines[-1]}" == 0* ]]
        [[ "$stderr" == *'no matching covers all rows, '*'--saturate=cols '* ]]
        for option in -q --saturate=rows --count=maximum; do
            run -0 --separate-stderr "$p" $([ $option != -q ] || echo --saturate=cols) $option jobs
            [ -z "$stderr" ]
        done
    done
    run -0 --separate-stderr pm-count --saturate=rows jobs jobs
    [ -z "$stderr" ]
}

@test "a graph on one set of vertices has no side to cover" {
    printf 'a b\nb c\nd e\ne f\n' > paths
    refuses 69 'has no sides to cover; its maximum matchings can be counted (--count=maximum)' --graph --saturate paths
    refuses 69 'has no sides to cover' --graph --saturate --exists paths
    refuses 69 'has no sides to cover' --graph --saturate --matching paths
    program=pm-approx refuses 69 'has no sides to cover' --graph --saturate paths
    [ "$(pm-count --graph --count=maximum paths)" = 4 ]
    run -0 --separate-stderr pm-count --graph paths
    [[ "$stderr" == *'so there is no perfect matching; --count=maximum counts the largest matchings' ]]
}

@test "wrong usage" {
    refuses 64 "'all' is not one of rows, cols" --saturate=all jobs
    refuses 64 "'most' is not one of perfect, maximum" --count=most jobs
    refuses 64 'asks for another kind of matchings' --saturate --count=maximum jobs
    program=pm-approx refuses 64 '--sample is about perfect matchings' --saturate --sample=1 jobs
}

@test "a part of a product with sides that differ: no advice that was followed already" {
    printf '%%pm: stream 1\n%%pm: begin product\n%%%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n2 2\n2 3\n%%pm: end\n%%pm: eof\n' > s
    for p in pm-count pm-approx; do
        run -0 --separate-stderr "$p" --saturate s
        [ "$stderr" = "$p: s: the sides of a matrix in a sum or product differ (2 x 3), so its number is 0; --saturate and --count ask about matrices that stand alone" ]
    done
}
