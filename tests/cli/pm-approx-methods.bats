# SPDX-License-Identifier: GPL-3.0-or-later
# The methods of pm-approx from outside, one after another.
bats_require_minimum_version 1.5.0
load estimates

# knobs METHOD STATES: options of beam
knobs() { if [ "$1" = beam ]; then echo "--states=$2"; fi; }

methods='rasmussen rasmussen+ scaling scaling+ look+ scaling++ hub+ hub++ beam'
of_graphs='blossom blossom+ godsil-gutman barvinok' # general-estimates.bats

has_gpu() { pm-approx --version | grep -q '^  GPU 0: .*compute'; }

@test "every method comes near the exact count" {
    exact=$(pm-count dense)
    [ "$(pm-approx --list | grep -vc '^#\|^bethe')" -eq "$(echo $methods $of_graphs | wc -w)" ]
    for m in $(is_short && shuf -n 2 -e $methods || echo $methods); do
        n=20000 # fewer leave heavy tails out
        [ "$m" != beam ] || n=200
        run pm-approx --method="$m" --samples=$n $(knobs $m 100) dense
        [ "$status" -eq 0 ] || [ "$status" -eq 76 ]
        [ "$(field 6)" = "$m" ]
        near "$exact" "$(field 1)" "$(field 4)"
    done
}

@test "the same seed gives the same line with any number of threads, another seed another" {
    for m in $methods; do
        n=$(rounds 3000)
        [ "$m" != beam ] || n=12
        one=$(pm-approx -q -t 1 --method="$m" $(knobs $m 50) --samples=$n --seed=5 dense || [ $? -eq 76 ])
        two=$(pm-approx -q -t 2 --method="$m" $(knobs $m 50) --samples=$n --seed=5 dense || [ $? -eq 76 ])
        other=$(pm-approx -q -t 2 --method="$m" $(knobs $m 50) --samples=$n --seed=6 dense || [ $? -eq 76 ])
        [ "$one" = "$two" ]
        [ "$(printf '%s' "$one" | tail -n 1 | cut -f 1-3)" != "$(printf '%s' "$other" | tail -n 1 | cut -f 1-3)" ]
    done
    [ "$(pm-approx --exact-within=0 --rel-err=0.02 -t 1 dense)" = \
        "$(pm-approx --exact-within=0 --rel-err=0.02 -t 2 dense)" ]
}

@test "GPUs: asked for by sensible options, and missed with status 69" {
    run -64 pm-approx --backend=gpu dense
    run -64 pm-approx --gpus=0 dense
    run -64 pm-approx --gpus=65 dense
    run -64 pm-approx --backend=cpu --gpus=2 dense
    run -64 pm-approx --backend=cuda --guarantee=0.1,0.1 dense
    run -64 pm-approx --gpus=2 --sample=1 dense
    run -0 pm-approx --backend=cuda two.txt
    [ "$(field 7)" = exact ]
    run -0 pm-approx -j --method=look+ --samples=2000 --backend=cpu dense
    [[ "$output" =~ '"device":"cpu"' ]]
    run -0 pm-approx -j --method=look+ --samples=2000 dense # not worth a GPU
    [[ "$output" =~ '"device":"cpu"' ]]
    run -0 pm-approx --list
    [ "$(printf '%s\n' "$output" | awk -F '\t' 'NF != 4' | wc -l)" -eq 0 ]
    [ "$(printf '%s\n' "$output" | grep '^look+' | cut -f 4)" = "1024 rows" ]
    has_gpu && skip "there is a GPU"
    for m in $methods; do
        run -69 --separate-stderr pm-approx --backend=cuda --method="$m" --samples=2000 dense
        [ -z "$(field 1)" ]
        [[ "$stderr" =~ "GPU"|"CUDA" ]]
    done
    for m in --bounds --method=bethe; do
        run -69 --separate-stderr pm-approx --backend=cuda $m dense
        [ -z "$output" ]
        [[ "$stderr" =~ "GPU"|"CUDA" ]]
    done
}

@test "scalings may be seldom, of all methods that scale" {
    for m in scaling scaling+ scaling++; do
        often=$(pm-approx --method=$m --samples=2000 dense | tail -n 1 | cut -f 1)
        seldom=$(pm-approx --method=$m --samples=2000 --scale-interval=4 dense | tail -n 1 | cut -f 1)
        [ "$often" != "$seldom" ]
    done
}

@test "no variance, no doubt: complete graphs converge at once" {
    pm-gen ones 12 > ones
    for m in $methods; do
        run -0 pm-approx --method="$m" --rel-err=0.001 ones
        [ "$(field 7)" = converged ]
        near 479001600 "$(field 1)" 1e-4
    done
}

@test "one vertex a side, a path, a single edge" {
    echo 'a x' > one
    printf '%s\n' 'a x' 'b x' 'b y' 'c y' 'c z' > path
    for m in $methods; do
        for g in one path; do
            run -0 pm-approx --method="$m" --samples=100 $g
            [ "$(field 1)" = 1 ]
            [ "$(field 7)" = exact ]
        done
    done
    [ "$(echo '# pm-edges 0 0' | pm-approx | tail -n 1 | cut -f 1)" = 1 ]
}

@test "weights: integers and reals; negative and complex ones are refused" {
    pm-gen erdos-renyi 16 0.4 --integer=1:9 --seed=2 --nonsingular > weighted
    exact=$(pm-count weighted)
    for m in rasmussen rasmussen+ scaling scaling+ look+ scaling++ beam; do
        n=$(rounds 20000)
        [ "$m" != beam ] || n=200
        run pm-approx --method="$m" --samples=$n $(knobs $m 30) weighted
        [ "$status" -eq 0 ] || [ "$status" -eq 76 ]
        near "$exact" "$(field 1)" "$(field 4)"
    done
    refuses 69 "entries that are all 1" --method=hub+ --samples=10 weighted
    pm-gen erdos-renyi 30 0.5 --integer=-9:9 --seed=2 --nonsingular > negative
    refuses 69 "no negative entries for an estimate; pm-count counts exactly" --exact-within=0 negative
    printf '%s\n' 'a x -3' 'a y 1' 'b x 2' 'b y 5' > signed
    printf '%%%%MatrixMarket matrix array complex general\n2 2\n3 0\n1 0\n0 2\n5 0\n' > complex
    for g in negative signed complex; do
        [[ "$(pm-approx --bounds $g | tail -n 1)" == -inf$'\t'[0-9]* ]] # of the size of the value
    done
    refuses 69 "expected a real value for an estimate, found a complex one; pm-count counts exactly" complex
    run -0 pm-approx -j signed
    [[ "$output" =~ '"lower_log10":null,"upper_log10":null' ]]
}

# A cycle has two perfect matchings: without its lines of two entries nothing is left to bound.
@test "bounds: lines of two entries are merged" {
    printf '1 1 1\n1 2 2\n2 2 3\n2 3 4\n3 3 5\n3 4 6\n4 4 7\n4 1 8\n' > weights # 1 3 5 7 + 2 4 6 8
    cut -d ' ' -f 1,2 weights > cycle
    run -0 pm-approx -H --bounds weights cycle
    awk -F '\t' -v known="489 2" 'BEGIN { split(known, k, " ") }
        NR > 1 { log10 = log(k[NR - 1]) / log(10)
                 if ($1 < log10 - 1e-6 || $1 > log10 + 1e-6 || $2 < log10 - 1e-6 || $2 > log10 + 1e-6) exit 1 }
        END { exit NR != 3 }' <<< "$output"
    # a mesh with many such lines: 0.03 of its logarithm are left between the bounds
    pm-gen planar 100 120 0.5 --seed=3 > mesh
    run -0 pm-approx --bounds mesh
    awk -F '\t' '{ exit !(0 < $1 && $1 < $2 && $2 - $1 < 0.03 * $2) }' <<< "${lines[-1]}"
}

# 12988816 tilings; 20!; two blocks of 2 each.
@test "the Bethe approximation: an estimate, its interval and proved bounds" {
    pm-gen grid 8 8 > grid
    pm-gen ones 20 > ones
    printf '1 1\n1 2\n2 1\n2 2\n3 3\n3 4\n4 3\n4 4\n' > two
    printf '1 1\n2 1\n3 1\n1 2\n1 3\n' > none
    run -0 --separate-stderr pm-approx --method=bethe -H grid ones two none
    [ "${lines[0]}" = "# estimate_log10	low_log10	high_log10	lower_log10	upper_log10	proved	name" ]
    awk -F '\t' -v known="7.1135696 18.3861246 0.6020600" 'BEGIN { split(known, k, " ") }
        NR > 1 && NR < 5 && !($2 <= k[NR - 1] && k[NR - 1] <= $3 && $2 <= $1 && $1 <= $3) { exit 1 }
        NR > 1 && NR < 5 && !($4 <= k[NR - 1] && k[NR - 1] <= $5 && $4 <= $2 && $3 <= $5) { exit 1 }
        NR == 5 && !($1 == "-inf" && $5 == "-inf") { exit 1 }
        NR > 1 && $6 != "lower_log10 upper_log10" { exit 1 }' <<< "$output"
    run -1 --separate-stderr pm-approx --method=bethe -e none
    # how far belief propagation has come: the Bethe permanent of n x n ones is at the matrix of 1 / n
    run -0 --separate-stderr pm-approx --method=bethe --json -v ones
    [[ $stderr == *': belief propagation: log10 of the Bethe permanent is at most '*' above 17.'* ]]
    sed 's/.*"bethe_log10":\([0-9.]*\),"bethe_most_log10":\([0-9.]*\).*/\1 \2/' <<< "$output" |
        awk '{ n = 20; f = n * (n - 1) * log((n - 1) / n) / log(10) + n * log(n) / log(10)
               exit !($1 <= f + 1e-9 && f - 1e-9 <= $2 && $2 - $1 < 1e-5) }'
    [ "$(pm-approx --method=bethe -t 1 ones)" = "$(pm-approx --method=bethe -t 2 ones)" ]
    for o in --samples=5 --rel-err=.1 --confidence=.5 --exact-within=1 --states=5 --trace=x; do
        refuses 64 "--method=bethe takes no ${o%%=*}" --method=bethe $o grid
    done
    refuses 64 "--guarantee takes no --method" --method=bethe --guarantee=.1,.1 grid
    printf '1 1 -1\n1 2 1\n1 3 1\n2 1 1\n2 2 1\n2 3 1\n3 1 1\n3 2 1\n3 3 1\n' > negative
    refuses 69 "neither negative nor complex" --method=bethe negative
}

@test "bethe: a block whose interval is its bounds leaves the intervals of others as they are" {
    pm-gen --seed=52 --integer=1:1000 --nonsingular erdos-renyi 7 0.3 > small
    pm-gen --seed=2 erdos-renyi 12 0.6 --nonsingular > other
    { sed '/^#/d' small; awk '!/^#/ { print $1 + 100, $2 + 100, 1 }' other; } > both
    run -0 --separate-stderr pm-approx -H --method=bethe small other both
    awk -F '\t' 'NR > 1 { low[NR] = $2; high[NR] = $3; is_bounds[NR] = $2 == $4 && $3 == $5 }
        END { exit !(is_bounds[2] && !is_bounds[3] && !is_bounds[4] && low[4] > low[2] + low[3] - 1e-5 &&
                     high[4] < high[2] + high[3] + 1e-5) }' <<< "$output"
}

@test "bethe: a large grid, plain and with factors of rows and columns, holds Kasteleyn's number" {
    local m=160 n=150
    ! is_short || { m=66; n=60; }
    pm-gen grid $m $n > large # its corners have lines of two entries
    pm-gen grid $m $n --to=mtx | awk '
        /^%/ { if (NR == 1) print "%%MatrixMarket matrix coordinate real general"; next }
        !sized {
            print; sized = 1; srand(5)
            for (i = 1; i <= $1; ++i) {
                r[i] = exp(rand() - .5); c[i] = exp(rand() - .5); sum += log(r[i]) + log(c[i])
            }
            next
        }
        { printf "%d %d %.17g\n", $1, $2, r[$1] * c[$2] }
        END { printf "%.6f\n", sum / log(10) > "factors" }' > scaled.mtx
    truth=$(awk -v m=$m -v n=$n 'BEGIN {
        pi = atan2(0, -1)
        for (j = 1; j <= m / 2; ++j)
            for (k = 1; k <= n / 2; ++k)
                s += log(4 * cos(pi * j / (m + 1)) ^ 2 + 4 * cos(pi * k / (n + 1)) ^ 2)
        printf "%.6f\n", s / log(10) }')
    plain=$(pm-approx --method=bethe large | sed 1d)
    scaled=$(pm-approx --method=bethe scaled.mtx | sed 1d)
    echo "$truth $(cat factors) | $plain | $scaled"
    printf '%s\n%s\n' "$plain" "$scaled" | awk -v truth="$truth" -v factors="$(cat factors)" '
        { t = truth + (NR == 2 ? factors : 0); e[NR] = $1 - (NR == 2 ? factors : 0) }
        !($2 <= t && t <= $3 && $4 <= t && t <= $5) { exit 1 }
        END { exit NR != 2 || e[1] - e[2] > 5 || e[2] - e[1] > 5 }'
}

@test "bounds of a lattice whose scaling takes long steps, and some of them back" {
    local n
    n=$(is_short && echo 30 || echo 80)
    run -0 sh -c "pm-gen aztec $n | pm-approx --bounds" # 2^(n (n + 1) / 2)
    awk -v n="$n" -v low="$(field 1)" -v high="$(field 2)" \
        'BEGIN { exact = n * (n + 1) / 2 * log(2) / log(10); exit !(0 < low && low <= exact && exact <= high) }'
}

@test "threads change no digit of the bounds" {
    pm-gen --seed=1 regular "$(is_short && echo 30000 || echo 60000)" 4 > regular
    pm-gen --seed=1 erdos-renyi "$(is_short && echo 1000 || echo 3000)" 0.1 > irregular
    for g in regular irregular; do
        run -0 pm-approx --bounds -t 1 $g
        one=$output
        for t in $(is_short && echo 3 || echo 2 9); do
            run -0 pm-approx --bounds -t $t $g
            [ "$output" = "$one" ]
        done
    done
}
