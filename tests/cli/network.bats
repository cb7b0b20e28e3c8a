# SPDX-License-Identifier: GPL-3.0-or-later
# Null models: pm-order --switch, pm-approx --compare.
bats_require_minimum_version 1.5.0
load filters

setup() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    pm-gen regular 30 4 --seed=1 > regular
    printf '1 1\n1 2\n2 1\n2 2\n3 3\n3 4\n4 3\n4 4\n' > two
    printf 'a x\na y\nb x\nc y\nc z\nb z\n' > named
}

# degrees: one number of edges a line, rows and columns by label
degrees() {
    sed '/^[#%]/d' | awk '{ ++r[$1]; ++c[$2] } END { for (v in r) print "r", v, r[v]; for (v in c) print "c", v, c[v] }' \
        | sort
}

# sums: of the weights of each row
sums() {
    sed '/^[#%]/d' | awk '{ s[$1] += $3 } END { for (v in s) print v, s[v] }' | sort
}

@test "--switch: another graph with the same degrees and names; the seed decides" {
    for g in regular named; do
        [ "$(pm-order --switch $g | degrees)" = "$(pm-order --method=none $g | degrees)" ]
        [ "$(pm-order --switch --seed=5 $g)" = "$(pm-order --switch --seed=5 $g)" ]
    done
    [ "$(pm-order --switch=1 --no-version regular)" != "$(pm-order --method=none --no-version regular)" ]
    [ "$(pm-order --switch --no-version --seed=2 regular)" != "$(pm-order --switch --no-version --seed=3 regular)" ]
    # each matrix has random numbers of its own
    run -0 bash -c "pm-order --switch --no-version -v regular regular 2>&1 | grep switches"
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]#*:}" != "${lines[1]#*:}" ]
    pm-gen regular 30 4 --seed=1 --integer --no-version > weighted
    [ "$(pm-order --switch weighted | sums)" = "$(pm-order --method=none weighted | sums)" ]
}

@test "--switch: nothing to switch, and options that make no sense" {
    [ "$(pm-gen ones 4 | pm-order --switch | pm-count)" = 24 ]
    [ "$(pm-gen ones 0 | pm-order --switch | pm-count)" = 1 ]
    [ "$(pm-order regular | pm-order --switch | grep -c '^%pm: order')" -eq 0 ]
    program=pm-order
    refuses 64 "--switch excludes" --switch --scale regular
    refuses 64 "--switch excludes" --switch --stats regular
    refuses 64 "--switch finds no order" --switch --method=sort regular
    refuses 64 "--switch finds no order" --switch --effort=1 regular
    refuses 64 "'0' is not" --switch=0 regular
}

# The seeds are given: no false alarms.
@test "--compare: a random graph is usual, grids and tori have many" {
    for s in 1 2 3; do
        run -0 pm-approx --compare=20 --seed=$s regular
        [ "$(cut -f 2,6,7 <<< "${lines[1]}")" = "exact	20	0" ]
        awk -F '\t' 'NR > 1 && !($10 > -20 && $10 < 20 && $11 > 0 && $11 <= 1 && $9 > 0 && $9 < 0.5) { exit 1 }
            NR > 1 && !($3 > $4 && $1 > $4 - 0.5 && $1 < $4 + 0.5 && $8 > $4 - 0.3 && $8 < $4 + 0.3) { exit 1 }' \
            <<< "$output"
    done
    pm-gen grid 8 8 > grid
    run -0 pm-approx --compare=20 grid
    awk -F '\t' 'NR > 1 && !($1 == "7.113570" && $5 > 5 && $10 > 5 && $11 < 0.048) { exit 1 }' <<< "$output"
    [ "$(pm-approx --compare=5 --seed=3 -t 1 grid)" = "$(pm-approx --compare=5 --seed=3 -t 2 grid)" ]
}

@test "--compare: estimates, names, JSON and exit status" {
    run -0 pm-approx --compare=3 --exact-within=0 regular
    [ "$(cut -f 2 <<< "${lines[1]}")" = bethe ]
    run -0 pm-approx --compare=4 -H two regular
    [ "$(cut -f 12 <<< "${lines[2]}")" = regular ]
    run -0 pm-approx --compare=4 -j two
    [[ "$output" == '{"name":"two","count_log10":0.602060,"method":"exact",'*'"samples":4,"unmatched":'* ]]
    printf '1 1\n2 1\n3 1\n1 2\n1 3\n' > none
    run -1 pm-approx --compare=4 -e none
    [ "$(cut -f 1,5,10 <<< "${lines[1]}")" = "-inf	-	-" ]
    run -0 pm-approx --compare=4 -j none
    [[ "$output" == *'"count_log10":null,'*'"z":null,'* ]]
}

@test "--compare: what cannot be compared" {
    program=pm-approx
    pm-gen regular 30 4 --seed=1 --integer > weighted
    refuses 69 "--pattern leaves the weights out" --compare weighted
    pm-approx --compare=2 --pattern weighted
    printf '1 1\n1 2\n1 3\n' > wide
    refuses 69 "as many rows as columns" --compare wide
    refuses 64 "exclude each other" --compare --bounds regular
    refuses 64 "--compare takes no --rel-err" --compare --rel-err=.1 regular
    refuses 64 "no --saturate" --compare --saturate=rows regular
    refuses 64 "is not a whole number" --compare=0 regular
}
