# SPDX-License-Identifier: GPL-3.0-or-later
# pm-approx --precision=exact, and bounds of the size of values that are negative or complex.
bats_require_minimum_version 1.5.0
load filters

program=pm-approx

setup() {
    small_graphs
}

# bounded FILE OPTION...: lower and upper bound, and between them log10 of the count, exactly
bounded() {
    local file=$1
    shift
    pm-approx -q --bounds --precision=exact "$@" "$file" | tail -n 1 > bounds
    pm-count -q --precision=exact --json "$@" "$file" | sed 's/.*"log10":\([^,]*\),.*/\1/' > log
    paste bounds log | awk '{ lower = $1; log10 = $NF
        if (log10 == "null") log10 = "-inf"
        exit !(log10 == "-inf" || (log10 + 0 <= $2 + 1e-9 && (lower == "-inf" || lower + 0 <= log10 + 1e-9))) }' \
        || { paste bounds log; cat "$file"; return 1; }
}

@test "what is counted is a fraction" {
    printf 'a x 1/3\na y 0.2\nb x 0.3\nb y 0.4\n' > g
    run -0 pm-approx --precision=exact g
    [ "${lines[1]}" = "$(printf '29/150\t29/150\t29/150\t0\t0\texact\texact\t0')" ]
    run -0 pm-approx --precision=exact --json g
    [[ "$output" == *'"estimate":"0.19333333333333333"'*'"exact":"29/150"'* ]]
    [ "$(pm-dm --precision=exact g | pm-approx --precision=exact | tail -n 1 | cut -f1)" = 29/150 ]
    [ "$(pm-decompose --precision=exact g | pm-approx | tail -n 1 | cut -f1)" = 29/150 ]
    printf '1 2 1/3\n2 3 0.1\n3 1 2\n3 4 1.5\n1 4 2/9\n2 4 1\n' > h
    [ "$(pm-approx --graph --precision=exact h | tail -n 1 | cut -f1)" = "$(pm-count --graph --precision=exact h)" ]
    [ "$(pm-approx --graph --loops=1/2 --precision=exact h | tail -n 1 | cut -f1)" = "$(pm-count --graph --loops=1/2 --precision=exact h)" ]
    printf 'a x 1/3\na y 0.5\nb x 1/7\nc x 1\n' > wide
    for kind in --count=maximum --saturate=cols; do
        [ "$(pm-approx -q $kind --precision=exact wide | tail -n 1 | cut -f1)" = "$(pm-count -q $kind --precision=exact wide)" ]
    done
    refuses 65 "not '1/3'; --precision=exact reads quotients" g
    refuses 64 "--precision=exact has no meaning for --sample" --precision=exact --sample=1 g
    refuses 64 "--precision=exact has no meaning for --compare" --precision=exact --compare g
    refuses 64 "'100' is not one of double, exact" --precision=100 g
    printf 'a x 1+i\nb y 1\n' > c
    refuses 69 "expected a real value for an estimate, found a complex one; pm-count counts exactly" --precision=exact c
    pm-gen schur 5 > s
    refuses 69 "expected a real value for an estimate, found roots of unity; pm-count counts exactly" --precision=exact s
    refuses 69 "expected a real value for an estimate, found a complex one; pm-count counts exactly" s
}

@test "estimates of fractions, and their parts" {
    awk 'BEGIN { srand(4); for (i = 0; i < 18; ++i) for (k = 0; k < 4; ++k) printf "%d %d %d/%d\n", i, (i + k * k) % 18, 1 + int(9 * rand()), 1 + int(9 * rand()) }' > g
    for i in 1 2; do
        PM_LEDGER_SECONDS=1e-9 pm-approx --precision=exact --exact-within=0 --samples=200 --part=$i/2 g > part.$i
    done
    whole=$(pm-approx --precision=exact --exact-within=0 --samples=200 g)
    [ "$(pm-approx --merge part.1 part.2)" = "$whole" ]
    pm-count --precision=exact --digits=12 g | cut -f1 > wanted
    # the interval of 200 samples with the seed 0 is known
    echo "$whole" | tail -n 1 | paste - wanted | awk '{ exit !($2 <= 1.05 * $NF && 1.05 * $3 >= $NF) }'
    bounded g
}

@test "bounds hold: fractions, signs, complex numbers, roots of unity" {
    local seed=${PM_TEST_SEED:-$(($(date +%s%N) % 1000000007))} kind k
    echo "# PM_TEST_SEED=$seed"
    for kind in real signed complex roots; do
        for k in $(seq "$(rounds 8)"); do
            awk -v kind=$kind -v seed=$((seed + k)) 'BEGIN {
                srand(seed); n = 1 + int(6 * rand()); printf "# pm-edges %d %d\n", n, n
                for (i = 1; i <= n; ++i) for (j = 1; j <= n; ++j) {
                    if (rand() > 0.8) continue
                    x = (1 + int(9 * rand())) "/" (1 + int(9 * rand()))
                    if (kind != "real" && rand() < 0.4) x = "-" x
                    if (kind == "complex") x = "(" x "," int(9 * rand()) - 4 ")"
                    if (kind == "roots") x = x "*root(7)^" int(7 * rand())
                    print i, j, x
                } }' > g
            [ "$(wc -l < g)" -gt 1 ] || continue
            bounded g
        done
    done
    printf '1 2 i\n2 3 1/3-i\n3 4 1/2\n1 4 2i\n1 3 1\n' > h
    bounded h --graph
    bounded h --graph --loops=-1/2
    pm-gen schur 7 > s
    bounded s
    # 7! of a matrix of ones, rounded outwards
    run -0 pm-approx --bounds --precision=exact s
    [ "$(echo "${lines[1]}" | cut -f1,2)" = "$(printf -- '-inf\t3.702431')" ]
    run -0 pm-approx --bounds --json s
    [[ "$output" == *'"lower_log10":null,"upper_log10":3.702431,'* ]]
    run -0 --separate-stderr pm-approx -v --bounds s
    [[ "$stderr" == *"negative or complex: upper bounds of the size of the value"* ]]
    # sums and products, with factors
    printf '%%pm: stream 1\n%%pm: begin sum\n%%pm: factor 3 -4\n%%pm: factor -2\n%%%%MatrixMarket matrix array integer general\n1 1\n-3\n%%pm: end\n%%pm: eof\n' > sum
    run -0 pm-approx --bounds sum # 5 + 6
    [ "$(echo "${lines[1]}" | cut -f1,2)" = "$(printf -- '-inf\t1.041393')" ]
    printf 'a x 1\na y -1\nb x 2\n' > signs # one matching, whose value is -2
    run -0 pm-approx --bounds signs
    [ "$(echo "${lines[1]}" | cut -f2)" = 0.301030 ] || [ "$(echo "${lines[1]}" | cut -f2)" = 0.301031 ]
}
