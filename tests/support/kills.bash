# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that are killed at random moments and go on from their checkpoints.  For bash; in the current folder.

# without_times: answers in JSON without what two runs need not share
without_times() { sed 's/"seconds":[^,]*,//; s/"samples_per_second":[^,]*,//; s/"name":[^,]*,//'; }

# has_gpu: there is a device that the programs can use
has_gpu() { pm-count --version | grep -q '^  GPU 0: .*compute'; }

# microseconds of the clock
microseconds() { echo "${EPOCHREALTIME/[.,]/}"; }

# has_work PROGRAM: the checkpoint ck holds work to go on from: by --status a task has begun or is done, or there is a
# level
has_work() {
    [ -s ck ] && "$1" --status=ck > status.text &&
        awk -F '\t' '/^# ck\.level/ || !/^#/ && ($2 == "done" || $3 + 0 > 0) { found = 1 }
            END { exit !found }' status.text
}

# The options that runs take in turn, one each; the undisturbed run takes none.
turns=()

# turn K: that of run K
turn() { [ ${#turns[@]} = 0 ] || echo "${turns[$1 % ${#turns[@]}]}"; }

# survives KILLS PROGRAM ARGUMENT...: SIGKILL at random moments of the time that the program takes undisturbed.  After
# each kill the next run, on another number of threads, goes on from the checkpoint; after its end a run begins anew.
# So until KILLS of them found a run, and once more to the end.  All runs that end must give the digits of the
# undisturbed one; else a line on standard error says what is wrong.  Results: hits, kills that found a run; resumed,
# those after which there was work to go on from; ends, runs that came to their end; undisturbed, microseconds.
# shellcheck disable=SC2046 # no option, or one
survives() {
    local kills=$1 program=$2 all half threads tries moment status begun
    shift 2
    hits=0 resumed=0 ends=0 undisturbed=0
    all=$(nproc)
    half=$(((all + 1) / 2))
    rm -f ck ck.*
    begun=$(microseconds)
    "$program" -t "$all" "$@" > answer 2> err || goes_wrong "undisturbed: status $?" || return 1
    undisturbed=$(($(microseconds) - begun))
    without_times < answer > want
    for ((tries = 1; hits < kills; tries++)); do
        [ "$tries" -le $((10 * kills + 20)) ] || goes_wrong "$hits of $tries kills found it: too short" || return 1
        threads=$((tries % 2 ? all : half))
        moment=$(awk -v r="$RANDOM" -v u="$undisturbed" 'BEGIN { print (r + 1) / 32769 * u / 1e6 }')
        status=0 # "--foreground": timeout waits for the end of what it has killed
        timeout --foreground -s KILL "$moment" \
            "$program" -t "$threads" $(turn "$tries") --checkpoint=ck "$@" > answer 2> err || status=$?
        if [ "$status" -eq 137 ] && [ ! -s err ]; then
            hits=$((hits + 1))
            ! has_work "$program" || resumed=$((resumed + 1))
        else
            [ "$status" -ne 124 ] || status=0 # it came to its end just before the signal
            comes_to_end "$status" || return 1
        fi
    done
    status=0
    "$program" -t "$all" $(turn "$tries") --checkpoint=ck "$@" > answer 2> err || status=$?
    comes_to_end "$status"
}

# comes_to_end STATUS: what a run of `survives` that was not killed has left
comes_to_end() {
    ends=$((ends + 1))
    if [ "$1" -ne 0 ] || [ -s err ]; then
        goes_wrong "after $hits kills: status $1"
    elif ! without_times < answer | cmp -s - want; then
        goes_wrong "other digits after $hits kills: $(head -n 1 answer | cut -c 1-200)"
    elif ls ck* > left 2> /dev/null; then
        goes_wrong "left behind after $hits kills: $(tr '\n' ' ' < left)"
    fi
}

# goes_wrong TEXT: says so, with the first line of `err`; fails
goes_wrong() {
    echo "survives: $1$(sed 's/^/: /; q' err)" >&2
    return 1
}
