# SPDX-License-Identifier: GPL-3.0-or-later
# --safe: the limits of pmkit(7), "What a service should set".
bats_require_minimum_version 1.5.0
load filters

setup() {
    small_graphs
}

# running PROGRAM ARGUMENT...: $pid, a program that reads from the pipe "silent"
running() {
    "$@" silent > running.out &
    pid=$!
    # until then it is the shell, which catches most signals
    within_time "Name:[[:space:]]*$1\$" "/proc/$pid/status"
}

# ended: ends it
ended() {
    kill -TERM "$pid"
    wait "$pid" || true
}

# within_time TEXT FILE: waits until a line of the file begins with the text
within_time() {
    local k
    for k in $(seq 200); do
        grep -q "^$1" "$2" && return
        sleep 0.1
    done
    return 1
}

@test "--safe alone changes no answer" {
    [ "$(pm-count --safe two.txt one.txt)" = "$(pm-count two.txt one.txt)" ]
    for program in pm-dm pm-order pm-decompose; do
        [ "$("$program" --safe --no-version two.txt)" = "$("$program" --no-version two.txt)" ]
    done
    [ "$(pm-overlap --safe two.txt)" = "$(pm-overlap two.txt)" ]
    [ "$(pm-approx --safe two.txt)" = "$(pm-approx two.txt)" ]
    [ "$(pm-gen --safe --no-version grid 4 4)" = "$(pm-gen --no-version grid 4 4)" ]
    run -0 pm-count --safe --exists two.txt
    [ "$output" = yes ]
}

@test "--safe limits the memory, and a --max-memory beside it wins" {
    echo ':~~?@KQs?_???N' > wide.s6 # 2 * 10^7 vertices
    for program in pm-count pm-approx pm-dm pm-decompose pm-order pm-overlap; do
        refuses 71 'wide.s6: out of memory: ' --max-memory=10M --safe wide.s6
        refuses 71 'wide.s6: out of memory: ' --safe --max-memory=10M wide.s6
    done
    program=pm-gen
    refuses 71 'out of memory: ' --safe ones 20000
    [[ "$stderr" == *'(see --max-memory)' ]]
}

@test "--safe limits the predicted time, and a --max-cost beside it wins" {
    pm-gen ones 40 --integer=1:99 --seed=1 > minutes
    program=pm-count
    local ryser=$(is_short && echo --algorithm=ryser) # without a search for an order
    refuses 69 'allowed are 60 seconds (see --max-cost)' --safe $ryser minutes
    run -0 pm-count --safe --max-cost=100000 --plan $ryser minutes
    [[ "$output" == *cpu* ]]
    program=pm-approx
    pm-gen erdos-renyi 40 0.5 --seed=1 --nonsingular > minutes
    refuses 69 'allowed are 60 seconds (see --max-cost)' --safe --guarantee=1e-5,1e-5 --seed=1 minutes
}

@test "--safe limits the time: the alarm is set, and a --time-limit beside it wins" {
    silent_input
    for program in pm-count pm-approx pm-dm pm-decompose pm-order pm-overlap; do
        run -75 --separate-stderr timeout 30 "$program" --time-limit=0.3 --safe silent
        [ "$stderr" = "$program: stopped at the time limit" ]
        # SIGALRM is number 14; without a limit nothing catches it
        running "$program" --safe
        within_time 'SigCgt:.*[2367abef]...$' "/proc/$pid/status"
        ended
        running "$program"
        sleep 0.3
        run -1 grep -q '^SigCgt:.*[2367abef]...$' "/proc/$pid/status"
        ended
    done
    run -75 --separate-stderr timeout 30 pm-gen --safe --time-limit=0.1 -o out ones 3000
}

@test "--safe takes one thread, and --threads beside it wins" {
    pm-gen ones 38 --integer=1:99 --seed=1 > seconds
    pm-count --safe --max-cost=100000 seconds > out &
    pid=$!
    sleep 1
    [ "$(sed -n 's/^Threads:[[:space:]]*//p' "/proc/$pid/status")" -eq 1 ]
    ended
    pm-count --safe -t 3 --max-cost=100000 seconds > out &
    pid=$!
    within_time 'Threads:[[:space:]]*3' "/proc/$pid/status"
    ended
}

@test "--safe uses no GPU: the sandbox is on" {
    grep -q '^Seccomp:' /proc/self/status || skip "the kernel has no filters of system calls"
    case $(uname -m) in
    x86_64 | aarch64) ;;
    *) skip "not on this processor" ;;
    esac
    silent_input
    for program in pm-count pm-approx pm-overlap; do
        running "$program" --safe
        within_time 'Seccomp:[[:space:]]2' "/proc/$pid/status"
        ended
    done
}

@test "the help of each program names what --safe sets" {
    for program in pm-count pm-approx; do
        run -0 "$program" --help
        [[ "$(tr -s ' \n' ' ' <<< "$output")" == *'otherwise: --backend=cpu --threads=1 --max-memory=1G --max-cost=60'*' --time-limit=60'* ]]
    done
    for program in pm-dm pm-decompose pm-gen; do
        run -0 "$program" --help
        [[ "$(tr -s ' \n' ' ' <<< "$output")" == *'otherwise: --max-memory=1G --time-limit=60'* ]]
    done
    run -0 pm-order --help
    [[ "$(tr -s ' \n' ' ' <<< "$output")" == *'otherwise: --threads=1 --max-memory=1G --time-limit=60'* ]]
    run -0 pm-overlap --help
    [[ "$(tr -s ' \n' ' ' <<< "$output")" == *'otherwise: --backend=cpu --threads=1 --max-memory=1G --time-limit=60'* ]]
}
