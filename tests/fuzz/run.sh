#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libFuzzer's targets, one after another.
#   run.sh run SECONDS SEEDS TARGET...   from the corpus, SEEDS inputs of grammar.py and what earlier runs left in
#                                        fuzz-work/; prints executions, seconds and edges of each
#   run.sh merge TARGET...               the inputs of the corpus and of fuzz-work/ that are the first to reach some
#                                        code, the short ones first, become the corpus; files with names of their own
#                                        stay in it
set -eu
: "${srcdir:?}"
what=$1
shift
work=fuzz-work
mkdir -p $work

# fuzzes TARGET: it has libFuzzer
fuzzes()
{
    "./$1" -help=1 > $work/help.log 2>&1 < /dev/null \
        || { echo "libFuzzer is missing: configure CC=clang --enable-fuzzing" >&2; exit 1; }
}

# known NAME: the folder of the corpus
known()
{
    echo "$srcdir/tests/fuzz/corpus/$1"
}

run()
{
    seconds=$1 seeds=$2
    shift 2
    fuzzes "$1"
    rm -rf $work/grammar
    PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" "$srcdir/tests/fuzz/differential.py" write "$seeds" \
        "${PM_TEST_SEED:-$(date +%s)}" $work/grammar
    mv $work/grammar/pm-stream $work/grammar/stream
    mkdir -p $work/grammar/any $work/grammar/ledger $work/grammar/times
    status=0
    printf '# target\texecutions\tseconds\tedges\n'
    for target; do
        name=${target##*/fuzz_}
        mkdir -p "$work/found/$name"
        "./$target" -dict="$srcdir/tests/fuzz/reader.dict" -max_total_time="$seconds" -max_len=600 -timeout=60 \
            -artifact_prefix="$work/$name-" "$work/found/$name" "$work/grammar/$name" "$(known "$name")" \
            > "$work/$name.log" 2>&1 < /dev/null || { status=1; echo "$name: see $work/$name.log"; }
        awk -v name="$name" '
            /^#[0-9]+/ { n = substr($1, 2); for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
            /^Done/    { seconds = $5 }
            END        { printf "%s\t%d\t%s\t%s\n", name, n, seconds, edges }' "$work/$name.log"
    done
    rm -r $work/grammar
    return $status
}

# reaching CONTROL: the files that were the first to reach some code, of a control file of -merge=1
reaching()
{
    awk 'NR == 1 { n = $1 } NR > 2 && NR <= n + 2 { name[NR - 3] = $0 }
         NR > n + 2 && $1 == "COV" && NF > 2 { print name[$2] }' "$1"
}

merge()
{
    fuzzes "$1"
    for target; do
        name=${target##*/fuzz_}
        rm -rf $work/merged $work/control
        mkdir -p $work/merged "$work/found/$name"
        "./$target" -merge=1 -merge_control_file=$work/control -timeout=60 $work/merged "$(known "$name")" \
            "$work/found/$name" > "$work/$name-merge.log" 2>&1 < /dev/null
        reaching $work/control > $work/reaching
        ls "$(known "$name")" | grep -Ex '[0-9a-f]{40}' | while IFS= read -r file; do
            grep -qxF "$(known "$name")/$file" $work/reaching || rm "$(known "$name")/$file"
        done
        grep "^$work/" $work/reaching | while IFS= read -r file; do
            cp "$file" "$(known "$name")/"
        done
        echo "$name: $(ls "$(known "$name")" | wc -l) files"
    done
}

case $what in
run) run "$@" ;;
merge) merge "$@" ;;
esac
