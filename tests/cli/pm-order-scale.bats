# SPDX-License-Identifier: GPL-3.0-or-later
# pm-order --scale and --factors: Sinkhorn's scaling.
bats_require_minimum_version 1.5.0
load filters

program=pm-order

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf '%s\n' 'a x' 'a y' 'b x' 'b y' > four.txt
    printf '%s\n' 'a x' 'a y' 'b y' > triangular.txt
    printf '%s\n' 'a x' 'a y' > wide.txt
}

# with_errors: the error of an exact value is 0
with_errors() {
    awk -F '\t' -v OFS='\t' 'NF == 2 { print $1, 0, $2; next } { print }'
}

# weights FIELD SEED: a matrix without entries that lie in no perfect matching, by blocks
weights() {
    case $1 in
    pattern) pm-gen erdos-renyi 12 0.3 --nonsingular --seed="$2" ;;
    integer) pm-gen erdos-renyi 9 0.4 --nonsingular --integer=-9:9 --seed="$2" ;;
    real) pm-gen erdos-renyi 9 0.4 --nonsingular --real=-1:1 --to=mtx --seed="$2" ;;
    complex)
        pm-gen erdos-renyi 8 0.4 --nonsingular --real=-1:1 --to=mtx --seed="$2" | sed 's/ real / complex /' \
            | awk '/^%/ || !n++ { print; next } { print $1, $2, $3, 1 / (NR + 1) }'
        ;;
    esac | pm-dm
}

@test "the value of the stream is that of the input, in every field" {
    for field in pattern integer real complex; do
        for s in $(seq 1 8); do weights $field "$s" > "$field$s"; done
    done
    for files in 'pattern* integer* real*' 'complex*'; do
        # shellcheck disable=SC2086 # several words
        set -- $files
        pm-order -H --method=none "$@" | pm-count -H | with_errors > direct
        pm-order -H --scale "$@" | pm-count -H | with_errors | as_before "$@"
        pm-order -H --scale "$@" | pm-order -H --scale | pm-count -H | with_errors | as_before "$@"
        [ "$(awk '$1 != 0' direct | wc -l)" -ge 7 ]
    done
}

@test "the stream: entries and the factor are exact, order and labels stay" {
    printf '%s\n' {a,b,c,d}' '{x,y,z,w} > all.txt
    run -0 pm-order --scale --no-version all.txt
    [ "$(head -n 6 <<< "$output")" = "$(cat << 'END'
%pm: stream 1
%pm: factor 0x1p8
%%MatrixMarket matrix coordinate real general
%pm: rows a b c d
%pm: cols x y z w
4 4 16
END
)" ]
    [ "$(pm-order four.txt | pm-order --scale | grep -c '^%pm: order')" -eq 1 ]
    # entries far beyond doubles
    printf '%s\n' '1 1 0x1p5000' '1 2 0x1p4000' '2 1 0x1p2000' '2 2 0x1p1000' > far
    pm-count -H far > direct
    pm-order --scale far | pm-count | sed 's/$/\tfar/' | as_before far
}

@test "--factors: sums of 1, whatever the field" {
    for field in pattern integer real complex; do
        weights $field 3 | grep -v '^%pm: \(factor\|begin\|end\)' > /dev/null
        pm-gen regular 30 4 --seed=7 > g
        [ $field = pattern ] || pm-gen regular 30 4 --seed=7 --real=-1:1 --to=mtx > g
        pm-order --factors g > table
        [ "$(head -n 1 table)" = "# side	label	log2_factor" ]
        [ "$(wc -l < table)" -eq 61 ]
        pm-order --method=none g | grep -v '^%' | sed 1d > entries
        awk 'FNR == NR { if ($1 == "row") r[$2] = $3; else if ($1 == "column") c[$2] = $3; next }
             { v = NF < 3 ? 1 : $3 < 0 ? -$3 : $3; x = v * 2 ^ (r[$1] + c[$2]); row[$1] += x; col[$2] += x }
             END { for (i in row) if ((d = row[i] - 1) > 1e-9 || d < -1e-9) exit 1
                   for (j in col) if ((d = col[j] - 1) > 1e-9 || d < -1e-9) exit 1
                   for (i in r) n++
                   exit n != 30 }' table entries
    done
}

@test "--factors: names, labels and JSON" {
    run -0 pm-order --factors four.txt
    [ "$output" = "$(printf '# side\tlabel\tlog2_factor\n'; printf '%s\t%s\t-0.5\n' row a row b column x column y)" ]
    run -0 pm-order --factors --json four.txt
    [ "$output" = '{"name":"four.txt","field":"pattern","factors":[{"side":"row","label":"a","log2_factor":-0.5},{"side":"row","label":"b","log2_factor":-0.5},{"side":"column","label":"x","log2_factor":-0.5},{"side":"column","label":"y","log2_factor":-0.5}]}' ]
    [ "$(pm-order --factors four.txt four.txt | grep -c '^# four.txt')" -eq 2 ]
}

@test "what has no scaling is refused, with its reason" {
    refuses 69 "the entry of row a and column y is in no perfect matching, so no scaling makes all sums 1; pm-dm leaves such entries out" \
        --factors triangular.txt
    refuses 69 "expected as many rows as columns for a scaling, not 1 and 2" --factors wide.txt
    printf '%s\n' 'a x' 'b x' 'c y' 'c z' 'c x' > none.txt
    refuses 69 "there is no perfect matching, so no scaling makes all sums 1" --factors none.txt
    printf '%s\n' '1 1 0x1p3000' '1 2 1' '2 1 1' '2 2 1' > apart
    refuses 69 "too many orders of magnitude" --factors apart
    run -69 --separate-stderr pm-order --scale triangular.txt
    [[ "$stderr" == *'in no perfect matching'* && "$output" != *'%pm: eof'* ]]
    # not square: the value is 0, and the matrix stays
    [ "$(pm-order --scale --no-version wide.txt)" = "$(pm-order --method=none --no-version wide.txt)" ]
    [ "$(pm-dm triangular.txt | pm-order --scale | pm-count)" = "$(printf '1\t0')" ] \
        || [ "$(pm-dm triangular.txt | pm-order --scale | pm-count)" = 1 ]
}

@test "options that exclude each other" {
    refuses 64 "--factors excludes --stats and --all" --factors --all four.txt
    refuses 64 "--scale excludes --stats, --all and --factors" --scale --factors four.txt
    refuses 64 "--scale finds no order: it takes no --method, --effort or --seed" --scale --method=sort four.txt
    refuses 64 "--factors finds no order: it takes no --method, --effort or --seed" --factors --seed=1 four.txt
    refuses 64 "--json needs" --scale --json four.txt
}

@test "the factors do not depend on the number of threads, and a limit of time holds" {
    pm-gen mycielskian 12 > m
    [ "$(pm-order --factors -t1 m | cksum)" = "$(pm-order --factors -t3 m | cksum)" ]
    run -75 --separate-stderr pm-order --factors --time-limit=0.1 m
    [[ -z "$output" && "$stderr" == *'stopped at the time limit' ]]
}
