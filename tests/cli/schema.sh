#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc/pmkit.schema.json describes every line that the programs print with --json, with all keys.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
schema=$(cd "$srcdir" && pwd)/doc/pmkit.schema.json
checker=$(cd "$srcdir" && pwd)/tests/cli/schema.py

python=${PYTHON:-python3}
if ! "$python" -c 'import jsonschema; jsonschema.Draft202012Validator' 2> /dev/null; then
    skip "the output agrees with the JSON Schema" "no python3 with jsonschema 4"
    done_testing
    exit
fi

cd "$scratch" || exit 99
printf 'a x\na y\nb x\nb y\n' > two
printf 'a x\nb x\n' > none
printf 'a x 1\nb\n' > bad
printf 'a x 0.5\na y 1e-200\nb x 3\nb y 1\n' > real
printf 'a x 1\na y 1\nb x 1\nb y -1\n' > zero
printf '1 1 3\n2 2 -5\n' > numbers
printf '%%%%MatrixMarket matrix array complex general\n1 1\n1.5 -2.5\n' > complex
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n' > wide
pm-gen cube 3 3 4 > cube
pm-gen grid 20 20 > grid
pm-gen mycielskian 6 > mycielskian
pm-gen erdos-renyi 60 0.5 --seed=1 --nonsingular > large
pm-gen ones 40 --weight=1e-300 > small
pm-gen regular 14 4 --real --seed=2 > weighted
pm-dm cube grid two > stream
printf 'Cl\nA_\n' > many.g6
printf 'Bw\nE~~w\n' > odd.g6
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n%%%%pm: graph loops\n3 3 4\n1 1 2\n2 1 3\n3 2 5\n3 1 7\n' > loops
: > empty
graphs='two none bad real zero numbers complex wide cube stream many.g6 odd.g6 loops nowhere empty'

# agrees DEFINITION COMMAND...: failures of single graphs are part of the output.  All lines are checked
# in the end by one run of the checker.
count=0
agrees()
{
    definition=$1
    shift
    count=$((count + 1))
    "$@" --json > lines.$count 2> messages
    echo "$definition lines.$count" >> all
    echo "$*" >> commands
}

# report: a test for each command
report()
{
    "$python" "$checker" "$schema" < all > wrong 2>&1
    number=0
    while read -r command; do
        number=$((number + 1))
        empty "$command" "$(grep "^lines[.]$number: " wrong | head -n 5)"
    done < commands
    empty "all lines are checked" "$(test "$(tail -n 1 wrong)" = done || echo "the checker: $(tail -n 1 wrong)")"
}

# shellcheck disable=SC2086 # names have no blanks
{
    agrees pm-count pm-count --max-cost=1 $graphs grid large small weighted mycielskian
    agrees pm-count pm-count --mod=7 --saturate $graphs
    agrees pm-count pm-count --max-memory=1 cube
    agrees pm-count pm-count --max-cost=1e30 --time-limit=0.3 two large
    agrees pm-count pm-count --verify --algorithm=ryser cube weighted
    agrees pm-count pm-count --order=given cube weighted
    printf '\ntwo\n' > list
    agrees pm-count pm-count --files-from=list
    agrees pm-count-plan pm-count --plan $graphs grid large small weighted
    agrees pm-count-exists pm-count --exists $graphs
    agrees pm-count-matching pm-count --matching $graphs
    agrees pm-approx pm-approx --samples=500 $graphs grid large weighted
    agrees pm-approx pm-approx --samples=500 --count=maximum $graphs weighted
    agrees pm-approx pm-approx --method=beam --samples=50 cube mycielskian weighted
    agrees pm-approx pm-approx --guarantee=0.2,0.1 --max-cost=5 $graphs large
    agrees pm-approx pm-approx --guarantee=1e-4,1e-4 --max-cost=5 large
    agrees pm-approx-bounds pm-approx --bounds $graphs weighted
    agrees pm-approx-bethe pm-approx --method=bethe $graphs weighted
    agrees pm-approx-compare pm-approx --compare=3 $graphs
    agrees pm-approx-sample pm-approx --sample=2 $graphs
    for question in stats blocks coarse degrees permutation matching hall; do
        agrees pm-dm-$question pm-dm --$question $graphs
    done
    agrees pm-overlap pm-overlap $graphs weighted
    agrees pm-overlap-stats pm-overlap --stats $graphs weighted
    agrees pm-overlap-stats pm-overlap --stats --weight=newman $graphs weighted
    agrees pm-order-stats pm-order --stats $graphs weighted
    agrees pm-order-all pm-order --all $graphs weighted
    agrees pm-order-factors pm-order --factors $graphs weighted
    agrees pm-decompose-stats pm-decompose --stats $graphs weighted large
}
report
done_testing
