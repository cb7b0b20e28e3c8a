# SPDX-License-Identifier: GPL-3.0-or-later
# pm-count when it is stopped, by a signal or by its time limit, and the progress that it shows.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
}

# answers_signals PROGRAM PID: the handler of SIGUSR1 is the program's, and not one of the shell that starts it
answers_signals() {
    grep -q "^Name:.$1\$" "/proc/$2/status" && grep -q '^SigCgt:.*[2367abef]..$' "/proc/$2/status"
}

# ends_by SIGNAL:STATUS COMMAND...: of a signal half a second after its beginning
ends_by() {
    local ended=0
    timeout --preserve-status -s "${1%:*}" 0.5 "${@:2}" || ended=$?
    [ "$ended" -eq "${1#*:}" ]
}

# all_succeed: waits for the jobs in the background
all_succeed() {
    local job
    for job in $(jobs -p); do
        wait "$job"
    done
}

@test "signals: no number, no output file, status 128 + signal" {
    pm-gen cube 6 6 6 > long
    for s in INT:130 TERM:143 HUP:129; do
        ends_by "$s" pm-count -o "out.${s%:*}" long > "answer.${s%:*}" &
    done
    all_succeed
    [ -z "$(cat answer.*)" ]
    [ -z "$(ls | grep '^out' || true)" ]
    silent_input
    run -130 timeout --preserve-status -s INT 0.5 pm-count two.txt - < silent
    [ "${lines[0]}" = "$(printf '2\ttwo.txt')" ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "progress: a line on demand, one that is overwritten with --progress, none with -q" {
    pm-gen grid 26 26 > long # some 20 s in the given order on one thread
    (stopped=0
     timeout --preserve-status 1.5 pm-count --order=given -t 1 --progress -q long 2> quiet || stopped=$?
     [ "$stopped" -eq 143 ]) &
    pm-count --order=given -t 1 --progress long 2> err &
    sleep 0.5
    kill -USR1 $!
    # six lines a second from the second one on, however slow the machine
    for _ in $(seq 100); do
        [ "$(tr '\r' '\n' < err | grep -c left)" -lt 3 ] || break
        sleep 0.2
    done
    kill -TERM $!
    stopped=0
    wait $! || stopped=$?
    [ "$stopped" -eq 143 ]
    [ "$(tail -c 80 err)" = "$(printf '%79s\r' '')" ] # the line is cleared
    tr '\r' '\n' < err | sed 's/ *$//; /^$/d' > lines
    [[ "$(head -n 1 lines)" == "pm-count: long: frontier "*" %, "*" left" ]]
    [[ "$(tail -n 1 lines)" == "long: frontier "*" %, "*" left" ]]
    [ "$(wc -l < lines)" -ge 3 ]
    all_succeed
    [ -z "$(cat quiet)" ]
}

@test "progress while an input is read: a line on demand" {
    for p in pm-count pm-dm pm-decompose pm-order pm-approx; do
        "$p" - < <(yes '# a comment') 2> err &
        until answers_signals "$p" $!; do sleep 0.05; done
        for _ in $(seq 100); do
            kill -USR1 $!
            sleep 0.1
            [ ! -s err ] || break
        done
        kill -TERM $!
        stopped=0
        wait $! || stopped=$?
        [ "$stopped" -eq 143 ]
        [[ "$(head -n 1 err)" == "$p: -: reading   0.0 %, "*"? left" ]]
    done
}

@test "a signal ends every filter that waits for its input, and no file is left" {
    silent_input
    for p in pm-count pm-dm pm-decompose pm-order; do
        for s in INT:130 TERM:143; do
            ends_by "$s" "$p" -o "kept.$p.$s" - < silent &
        done
    done
    all_succeed
    [ -z "$(find . -name 'kept*')" ]
    run -64 --separate-stderr pm-count --output= two.txt
    [[ "$stderr" == *"--output: the argument is empty"* ]]
}

@test "--time-limit: no number, one line, status 75" {
    pm-gen erdos-renyi 42 0.5 --seed=1 --nonsingular > long # the better part of an hour
    refuses 75 "stopped at the time limit" --time-limit=0.5 long
    refuses 75 "stopped at the time limit" --time-limit=0.5 --algorithm=ryser long
    refuses 75 "stopped at the time limit" --time-limit=1e-9 --json long
    for p in pm-count pm-approx 'pm-dm --stats' pm-dm pm-order; do
        run -75 --separate-stderr $p --time-limit=1e-9 < two.txt
        [[ -z "$output" && "$stderr" == *': stopped at the time limit' ]]
    done
    run -0 --separate-stderr pm-count --time-limit=1000 two.txt
    [ "$output" = 2 ]
    [ -z "$stderr" ]
    run -0 pm-count --time-limit=1e300 two.txt
    refuses 64 "'0' is not a number of seconds" --time-limit=0 two.txt
}

@test "--time-limit: ends the wait for an input" {
    silent_input
    run -75 --separate-stderr pm-count --time-limit=0.5 - < silent
    [ -z "$output" ]
    [ "$stderr" = "pm-count: stopped at the time limit" ]
}

@test "a limit that comes just before a read ends the wait, too" {
    silent_input
    for k in $(seq 60); do
        run -75 timeout -s KILL 60 pm-count "--time-limit=0.00$((10 + k))" - < silent
    done
}

@test "a signal after an answer, before a read: the answer is kept" {
    silent_input
    for k in $(seq 20); do
        pm-dm -o kept one.txt - < silent 2> err &
        until has_output $! kept; do
            kill -0 $!
        done
        kill -TERM $!
        stopped=0
        wait $! || stopped=$?
        [ "$stopped" -eq 143 ] && [ -s kept.partial ]
        rm kept.partial
    done
}

@test "--time-limit: the answers that are there are printed, and are in the file" {
    pm-gen erdos-renyi 42 0.5 --seed=1 --nonsingular > long
    run -75 --separate-stderr pm-count -t 1 --time-limit=0.5 two.txt long one.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    [ "$stderr" = "pm-count: stopped at the time limit" ]
    run -75 --separate-stderr pm-count --time-limit=0.5 -o out two.txt long
    [ -z "$output" ]
    [ ! -e out ]
    [ "${stderr_lines[1]}" = 'pm-count: out.partial: the answers that were ready' ]
    [ "$(cat out.partial)" = "$(printf '2\ttwo.txt')" ]
    # all inputs were processed, one of them with a failure
    run -75 --separate-stderr pm-count --time-limit-each=0.2 -o out two.txt long one.txt
    [ "$(cat out)" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
    run -66 --separate-stderr pm-count -o out nowhere.txt two.txt
    [ "$(cat out)" = "$(printf '2\ttwo.txt')" ]
    # FILE.partial is a folder: the answers are not lost
    rm -r out out.partial
    mkdir out.partial
    run -74 --separate-stderr pm-count --time-limit=0.5 -o out two.txt long
    [[ "$stderr" == *'pm-count: out.partial: '*'the output is in out.'* ]]
    [ "$(cat "${stderr##*is in }")" = "$(printf '2\ttwo.txt')" ]
    run -66 --separate-stderr pm-count --time-limit=0.5 nowhere.txt two.txt long
    [ "$output" = "$(printf '2\ttwo.txt')" ]
}

@test "the limit of processor time and SIGQUIT: the answers stay in FILE.partial" {
    pm-gen erdos-renyi 42 0.5 --seed=1 --nonsingular > long
    run -152 --separate-stderr bash -c 'ulimit -S -t 1; exec pm-count -t 1 -o out two.txt long'
    [ "$(cat out.partial)" = "$(printf '2\ttwo.txt')" ]
    rm out.partial
    run -131 timeout --preserve-status -s QUIT 0.5 bash -c \
        'ulimit -c 0; exec pm-count -t 1 -o out two.txt long'
    [ "$(cat out.partial)" = "$(printf '2\ttwo.txt')" ]
    [ "$(ls | grep -c '^out')" -eq 1 ]
}

@test "pm-gen looks at the stop flag while it draws" {
    local TIMEFORMAT=%U whole stopped # seconds of the processor
    whole=$({ time pm-gen erdos-renyi 1500 0.5 --seed=1 > /dev/null; } 2>&1)
    stopped=$({ time pm-gen erdos-renyi 1500 0.5 --seed=1 --time-limit=0.001 > /dev/null 2>&1 ||
        [ $? -eq 75 ]; } 2>&1)
    awk -v a="$whole" -v b="$stopped" 'BEGIN { exit !(4 * b < a) }'
}

# asks COMMAND...: for a line of progress, until there is one in err; then ends the command
asks() {
    rm -f err
    "$@" > out 2> err &
    until [ -s err ]; do
        ! answers_signals "$1" $! || kill -USR1 $!
        sleep 0.02
    done
    kill -TERM $! 2> /dev/null || true
    wait $! || true
}

@test "progress of edges and of expansions" {
    asks pm-gen erdos-renyi 9000 0.5 --seed=1
    [[ "$(head -n 1 err)" == 'pm-gen: edges '*' left' ]]
    pm-gen regular 60 5 --seed=1 > long
    asks pm-decompose --min-degree=6 --max-terms=1000000000 long
    [[ "$(head -n 1 err)" == 'pm-decompose: long: '*' left' ]]
}

@test "SIGUSR1 ends no program" {
    silent_input
    for p in pm-count pm-approx pm-dm pm-decompose pm-order; do
        "$p" - < silent > out &
        until answers_signals "$p" $!; do
            kill -0 $!
            sleep 0.05
        done
        kill -USR1 $!
        sleep 0.1
        kill -0 $!
        kill -TERM $!
        stopped=0
        wait $! || stopped=$?
        [ "$stopped" -eq 143 ]
    done
}

# reads_slowly COMMAND...: which succeeds and writes 3000 lines or more
reads_slowly() {
    local lines
    set -o pipefail
    lines=$("$@" | { sleep 3; wc -l; }) && [ "$lines" -ge 3000 ]
}

@test "--time-limit: a reader that is slow gets all answers that were ready" {
    yes A_ | head -n 3000 > pairs.g6 # 1 each; their objects are more than a pipe holds
    for p in 'pm-count --json' 'pm-dm --stats --json' 'pm-approx --json'; do
        reads_slowly timeout 60 $p --time-limit=2 pairs.g6 &
    done
    all_succeed
}

# keeps_ready SIGNAL:STATUS COMMAND...: ends by the signal; the answer that was ready is in a file
keeps_ready() {
    local kept=kept.${1%:*} ended=0 pid
    env --default-signal=INT,QUIT,HUP "${@:2}" -o "$kept" one.txt - < silent 2> "err.$1" &
    pid=$!
    until has_output $pid "$kept"; do
        kill -0 $pid || return
        sleep 0.02
    done
    kill -"${1%:*}" $pid
    wait $pid || ended=$?
    [ "$ended" -eq "${1#*:}" ] && [ -s "$kept.partial" ] && [ ! -e "$kept" ] \
        && grep -q "$kept.partial: the .* that were ready" "err.$1" && rm "$kept.partial"
}

@test "signals: what was ready is in FILE.partial, in all programs" {
    silent_input
    ulimit -c 0
    for p in pm-count pm-approx pm-dm 'pm-dm --stats' pm-decompose pm-order; do
        for s in INT:130 QUIT:131 XCPU:152 HUP:129 TERM:143; do
            keeps_ready "$s" $p &
        done
        all_succeed
    done
    # a signal that was ignored when the program began stays ignored
    (trap '' TERM; exec env --default-signal=HUP pm-dm -o kept one.txt - < silent 2> err) &
    until has_output $! kept; do
        sleep 0.02
    done
    kill -TERM $!
    sleep 0.2
    kill -0 $!
    kill -HUP $!
    stopped=0
    wait $! || stopped=$?
    [ "$stopped" -eq 129 ]
}
