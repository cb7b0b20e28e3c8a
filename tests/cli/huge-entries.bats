# SPDX-License-Identifier: GPL-3.0-or-later
# A matrix with entries of about 2^1000000000 in a batch beside others, in every program and by every method: it is
# answered or refused, the others are answered, and no file stays that is not complete.
bats_require_minimum_version 1.5.0
load filters

setup() {
    small_graphs
    rm ./*.txt
    printf '1 1 2\n2 1 1\n1 3 1\n' > good
    printf '3 1 2\n2 1 1\n1 3 4\n' > fine
    cat > huge <<'END'
0x1p1000000000 0x1p1000000000 0x1p1000000001
0x1p1000000000 0x1p1000000001 0x1p1000000000
0x1p1000000001 0x1p1000000000 0x3p1000000000
END
    sed 's/1p1/1p-1/g; s/3p1/3p-1/g' huge > tiny
}

# stays_whole COMMAND...: takes files after it, and -o.  Methods that refuse the good ones are passed over.
stays_whole() {
    local status=0
    "$@" --from=dense good fine > wanted 2> err || return 0
    "$@" --from=dense -o kept good huge tiny fine 2> err || status=$?
    case $status in
    0) [ ! -s err ] ;;
    69 | 76) ! grep -v "^$1: \(huge\|tiny\): " err && [ "$(wc -l < err)" -le 2 ] ;;
    *) echo "$*: $status $(cat err)" && false ;;
    esac
    # standard output and a file have the same, and the lines of the good ones are there
    status=0
    "$@" --from=dense good huge tiny fine > got 2> err || status=$?
    cmp got kept
    grep -v -e huge -e tiny kept > good.lines || true
    [ "$status" -ne 0 ] || [ "$(wc -l < kept)" -ge "$(wc -l < wanted)" ]
    case $1 in
    pm-count | pm-approx) diff <(grep -e 'good$' -e 'fine$' wanted) <(grep -e 'good$' -e 'fine$' good.lines) ;;
    esac
    rm kept
    [ "$(echo *)" = 'err fine good good.lines got huge tiny wanted' ]
    ran=$((ran + 1))
}

@test "pm-count, every algorithm and precision" {
    ran=0
    for algorithm in $(pm-count --list | awk -F '\t' '!/^#/ && $2 == "cpu" { print $1 }'); do
        stays_whole pm-count --backend=cpu --algorithm="$algorithm"
    done
    [ "$ran" -ge 9 ]
    for precision in single double kahan dq quad; do
        stays_whole pm-count --backend=cpu --precision="$precision"
        stays_whole pm-count --backend=cpu --precision="$precision" --reduce=none --algorithm=ryser
        stays_whole pm-count --backend=cpu --precision="$precision" --algorithm=skipper
    done
    for option in --exists --matching --plan --saturate --count=maximum --verify; do
        stays_whole pm-count --backend=cpu "$option"
    done
}

@test "pm-approx, every method" {
    ran=0
    for method in $(pm-approx --list | sed '/^#/d; /^bethe/d; s/\t.*//'); do
        stays_whole pm-approx --backend=cpu --method="$method" --samples=64 --seed=1
    done
    [ "$ran" -ge 6 ]
    stays_whole pm-approx --backend=cpu --bounds
    stays_whole pm-approx --method=bethe --seed=1
    stays_whole pm-approx --backend=cpu --sample=2 --seed=1
}

@test "pm-order, pm-dm and pm-decompose, every method and question" {
    ran=0
    for method in frontier sort skip permanent elimination rcm none; do
        stays_whole pm-order --no-version --method="$method"
    done
    stays_whole pm-order --all
    stays_whole pm-order --factors
    stays_whole pm-dm --no-version
    for question in --stats --blocks --coarse --permutation --matching --hall; do
        stays_whole pm-dm "$question"
    done
    stays_whole pm-decompose --no-version
    stays_whole pm-decompose --stats
    stays_whole pm-decompose --no-version --min-degree=9 --until-n=1
    [ "$ran" -eq 19 ]
}
