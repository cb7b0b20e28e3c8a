#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All that one sitting at a machine with a GPU should show, in this order: kernels against the CPU,
# some of them under checkers of memory and races, then what they take; tables last.
#
# PM_SESSION_PARTS: some of check sanitize, and the parts of the three bench scripts; by default those
# that take about ten minutes on an H200.
# PM_DATA: the folder with card/, synthetic/ and suitesparse/.
: "${PM_SESSION_PARTS:=check sanitize ours repeated words frontier masks lists scalings beams}" "${top_builddir:=.}" "${srcdir:=.}"
PATH=$(cd "$top_builddir" && pwd):$PATH
export PATH
programs='gpu_agree gpu_samples gpu_spmv'
log=$(mktemp) || exit
trap 'rm -f "$log"' EXIT
status=0

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "gpu_session: there is no GPU here"
    exit
fi

# told NAME COMMAND...: the last lines of what failed
told()
{
    name=$1
    shift
    begun=$(date +%s)
    if "$@" > "$log" 2>&1; then
        echo "gpu_session: $name passed, $(($(date +%s) - begun)) s"
    else
        status=1
        echo "gpu_session: $name FAILED, $(($(date +%s) - begun)) s"
        tail -n 40 "$log"
    fi
}

sanitize()
{
    if ! command -v compute-sanitizer > /dev/null; then
        echo 'gpu_session: no compute-sanitizer, not run under it'
        return
    fi
    for tool in memcheck racecheck; do
        for p in $programs; do
            told "$tool of $p" env PM_TEST_FEW=1 compute-sanitizer --tool $tool --error-exitcode 9 \
                "$top_builddir/tests/gpu/$p"
        done
    done
}

tables=
for part in $PM_SESSION_PARTS; do
    case $part in
    check)
        for p in $programs; do
            told "$p" "$top_builddir/tests/gpu/$p"
        done
        ;;
    sanitize) sanitize ;;
    *) tables="$tables $part" ;;
    esac
done
for part in $tables; do
    begun=$(date +%s)
    case $part in
    frontier) script=bench_frontier_gpu.sh ;;
    levels) script=bench_levels.sh ;;
    masks | lists | scalings | beams) script=bench_samples_gpu.sh ;;
    *) script=bench_gpu.sh ;;
    esac
    PM_BENCH_PARTS=$part sh "$srcdir/tests/gpu/$script"
    echo "gpu_session: $part, $(($(date +%s) - begun)) s"
done
exit $status
