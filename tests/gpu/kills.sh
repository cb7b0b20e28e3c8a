#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGKILL at random moments of long runs, on the CPU and on a GPU: the digits are those of an undisturbed run.  Every
# input takes some seconds on 16 cores or on an H100; a line of the table takes about 15 times as long.
#
#   kills.sh [KIND]...
#
# KIND: some of exact compensated tree residues levels planar stream estimate beam; all by default.
# KILLS: how many of them must find a run (20).  BACKENDS: "cpu cuda both", or some of them; both: in turn, for the kinds
# whose work either goes on with, digit by digit.
# PM_TEST_SEED: of the moments.  PM_TEST_ROUNDS: below 1, inputs for a quick look.
# Needs the programs in PATH, bash and coreutils; nothing of the build.
# shellcheck source-path=SCRIPTDIR source=../support/kills.bash
. "$(dirname "$0")/../support/kills.bash"
: "${KILLS:=20}" "${BACKENDS:=cpu cuda both}"
export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.1 LC_ALL=C
RANDOM=${PM_TEST_SEED:=$(date +%s)}
hits=0 resumed=0 ends=0 undisturbed=0 # results of `survives`
few=$(awk -v r="${PM_TEST_ROUNDS:-1}" 'BEGIN { print r < 1 ? 1 : 0 }')
[ "$few" = 0 ] || export PM_CHECKPOINT_SECONDS=0.02
[ $# -gt 0 ] || set -- exact compensated tree residues levels planar stream estimate beam
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit
failed=0

# size SMALL CPU CUDA: that of the backend
size() {
    if [ "$few" = 1 ]; then
        echo "$1"
    elif [ "$backend" = cpu ]; then
        echo "$2"
    else
        echo "$3"
    fi
}

# prepare KIND: the file `input` and the array `command`; fails where the method does not run on the backend
# shellcheck disable=SC2046 # several words
prepare() {
    local algorithm=
    case $1 in
    exact) pm-gen ones $(size 27 35 37) --integer=1:9 --seed=1 && algorithm=ryser ;;
    compensated) pm-gen ones $(size 28 36 40) --real --seed=1 && algorithm=ryser ;;
    tree) pm-gen regular $(size '30 8' '38 8' '44 8') --seed=1 && algorithm=product-tree ;;
    residues) pm-gen cube $(size '4 4 80' '5 5 20' '5 5 60') && algorithm=frontier ;;
    levels) pm-gen cube $(size '4 4 150' '5 5 16' '5 5 800') --real --seed=1 && algorithm=frontier ;;
    planar) pm-gen grid $(size '100 100' '360 360' '360 360') && algorithm=planar ;;
    stream)
            pm-gen regular $(size '28 7' '34 8' '38 8') --seed=1 |
            pm-decompose --min-degree=12 --until-n="$(size 26 31 36)" --max-terms="$(size 30 60 8)"
        ;;
    estimate | beam) pm-gen cube 4 4 6 ;;
    *) echo "kills: no kind '$1'" >&2 && exit 64 ;;
    esac > input || exit
    case $1 in
    estimate) command=(pm-approx --json --exact-within=0 --method=look+ --samples="$(size 2e5 2e7 1e9)") ;;
    beam) command=(pm-approx --json --exact-within=0 --method=beam --states=50 --runs="$(size 2000 20000 20000)") ;;
    stream) command=(pm-count) ;;
    *) command=(pm-count --algorithm="$algorithm") ;;
    esac
    turns=()
    if [ "$backend" = both ]; then
        command+=(input)
        turns=(--backend=cuda --backend=cpu)
        case $1 in
        exact | tree | residues) return 0 ;;
        *) return 1 ;;
        esac
    fi
    command+=(--backend="$backend" input)
    [ "$backend" = cpu ] || [ -z "$algorithm" ] || pm-count --list | grep -q "^$algorithm	$backend" || {
        printf '%s\t%s\tskipped: %s does not run there\n' "$1" "$backend" "$algorithm"
        return 1
    }
}

echo "# kills of each: $KILLS; seed of the moments: $PM_TEST_SEED; threads: $(nproc) and half of them"
pm-count --version | grep '^  GPU'
printf '# kind\ton\tkills\tresumed\tends\tundisturbed s\tall s\t\n'
for backend in $BACKENDS; do
    if [ "$backend" != cpu ] && ! has_gpu; then
        echo "# $backend skipped: there is no GPU here"
        continue
    fi
    for kind; do
        prepare "$kind" || continue
        [ "$backend" = cpu ] || "${command[@]}" > compiled 2>&1 # the kernels, which are kept
        begun=$(microseconds)
        verdict=ok
        survives "$KILLS" "${command[@]}" && [ "$resumed" -gt 0 ] || verdict=BAD failed=1
        whole=$(($(microseconds) - begun))
        printf '%s\t%s\t%d\t%d\t%d\t%s\t%s\n' "$kind" "$backend" "$hits" "$resumed" "$ends" \
            "$(awk -v u="$undisturbed" -v w="$whole" 'BEGIN { printf "%.2f\t%.1f", u / 1e6, w / 1e6 }')" "$verdict"
    done
done
exit $failed
