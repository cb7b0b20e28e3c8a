#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs of several ranks, by the launcher of the MPI that the programs were built with: the same digits for any
# number of ranks and threads, standard input, parts, failures, and ranks that are killed.
. "${srcdir:?}/tests/support/tap.sh"

# MPI_LAUNCHER: another launcher, for a module of another MPI ("make pm-mpi.so MPICC=...").
case ${MPI_LAUNCHER-}$(pm-count --version) in
mpi*) names=$MPI_LAUNCHER ;;
*'MPI: Open MPI'*) names='mpirun.openmpi mpirun' ;;
*'MPI: MPICH'*) names='mpiexec.mpich mpiexec.hydra mpiexec' ;;
*)
    skip 'MPI' 'built without MPI'
    done_testing
    exit
    ;;
esac
launcher=
for name in $names; do
    test -n "$launcher" || launcher=$(command -v "$name")
done
if test -z "$launcher"; then
    skip 'MPI' "there is none of $names"
    done_testing
    exit
fi
options=
case $("$launcher" --version 2>&1) in
*'Open MPI'* | *OpenRTE*)
    options=--oversubscribe
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    ;;
*) options='-launcher fork' ;;
esac

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# What takes long on no machine is divided too.
PM_LEDGER_SECONDS=0
PM_CHECKPOINT_SECONDS=0.1
export PM_LEDGER_SECONDS PM_CHECKPOINT_SECONDS

# run ARGUMENT...: of the launcher; output, errors, status
run()
{
    status=0
    # shellcheck disable=SC2086 # a list of words
    timeout 60 "$launcher" $options "$@" > output 2> errors < /dev/null || status=$?
}

# same NAME: the output is the file "wanted"
same()
{
    if test "$status" -eq 0 && cmp -s wanted output; then
        pass "$1"
    else
        fail "$1" "$(echo "status $status"; diff wanted output; cat errors)"
    fi
}

# failed STATUS NAME TEXT: with this status, one line with the text, and no output.  (Launchers add lines.)
failed()
{
    if test "$status" -eq "$1" && test ! -s output && test "$(grep -c -e "^pm-count: .*$3" errors)" -eq 1; then
        pass "$2"
    else
        fail "$2" "$(echo "status $status"; cat output errors)"
    fi
}

# full N: a matrix without zeros
full()
{
    awk -v n="$1" 'BEGIN { for (i = 1; i <= n; ++i) for (j = 1; j <= n; ++j)
        printf "%d%s", (i * i * 7 + j * j * 11 + i * j) % 9 + 1, j < n ? " " : "\n" }'
}

pm-gen grid 12 12 > grid
pm-gen cube 4 4 4 --real --seed=1 > real
pm-gen torus 8 10 > torus
pm-gen cube 6 6 6 > cube
pm-gen grid 4 4 > small
pm-gen mycielskian 6 > mycielskian
full 18 > matrix
full 16 | sed 's/ /.5 /g' > fractions

# ---- digits ----

files='grid real torus mycielskian'
# shellcheck disable=SC2086 # a list of words
{
    pm-count $files > wanted
    run -n 1 pm-count -t 2 $files
    same 'one rank'
    run -n 2 pm-count -t 1 $files
    same 'two ranks'
    run -n 1 pm-count -t 1 $files : -n 2 pm-count -t 2 $files
    same 'three ranks with other numbers of threads'
}
dense='--from=dense --algorithm=ryser --reduce=none'
# shellcheck disable=SC2086 # lists of words
{
    pm-count $dense matrix > wanted
    pm-count $dense --precision=double fractions >> wanted
    run -n 1 pm-count -t 2 $dense matrix : -n 3 pm-count -t 1 $dense matrix
    mv output first
    run -n 1 pm-count -t 1 $dense --precision=double fractions \
        : -n 1 pm-count -t 2 $dense --precision=double fractions
    cat output >> first
    mv first output
    same 'four and two uneven ranks, a full matrix and a real one'
    run -n 1 pm-count -t 1 --json $dense matrix : -n 1 pm-count -t 1 --json $dense matrix
    pm-count $dense --json matrix | sed 's/"\(predicted_\)\{0,1\}seconds":[^,]*,//g' > wanted
    sed 's/"\(predicted_\)\{0,1\}seconds":[^,]*,//g' output > cut
    mv cut output
    same '--json: one answer'
}

pm-count grid > wanted
status=0
# shellcheck disable=SC2086 # a list of words
timeout 60 "$launcher" $options -n 2 pm-count < grid > output 2> errors || status=$?
same 'standard input reaches all ranks'
run -n 2 pm-count -o answer grid
cat answer >> output
same '--output: rank 0 alone writes the file'

# ---- parts and checkpoints ----

pm-count grid real > wanted
run -n 2 pm-count --part=1/2 grid real
cp output part1
pm-count --part=2/2 grid real > part2
status=0
pm-count --merge part1 part2 > output 2> errors || status=$?
same 'a part by two ranks, a part by one process'
run -n 2 pm-count --merge part2 part1
same '--merge on two ranks'

# so many rows that one thread takes a second or more
long="-t 1 $dense long"
for rows in 26 27 28 29 30 31 32 33 34; do
    full "$rows" > long
    began=$(date +%s%N)
    # shellcheck disable=SC2086 # a list of words
    pm-count $long > wanted
    test "$(($(date +%s%N) - began))" -lt 1000000000 || break
done

# kill_rank WHICH: of a job with a checkpoint, by SIGKILL, once the checkpoint has some of the work
kill_rank()
{
    rm -f kept pid.*
    # shellcheck disable=SC2016 # for the shell of each rank
    start='echo $$ > "pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"'
    # shellcheck disable=SC2086 # lists of words
    timeout 60 "$launcher" $options -n 2 sh -c "$start" - pm-count --checkpoint=kept $long \
        > output 2> errors < /dev/null &
    job=$!
    tries=0
    until grep -q '^done' kept 2> /dev/null || test "$tries" -gt 300; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -9 "$(cat "pid.$1")"
    status=0
    wait "$job" || status=$?
}

for rank in 1 0; do
    kill_rank "$rank"
    if test "$status" -ne 0 && ! grep -q '^[0-9]' output && grep -q '^done' kept \
        && cat output errors | grep -q 'signal 9'; then
        pass "rank $rank is killed: the job ends, and the checkpoint stays"
    else
        fail "rank $rank is killed: the job ends, and the checkpoint stays" \
            "$(echo "status $status"; cat output errors; head -c 1000 kept)"
    fi
    # shellcheck disable=SC2086 # a list of words
    run -n 3 pm-count --checkpoint=kept $long
    same "after that, three ranks go on"
    empty "and the checkpoint is removed" "$(ls kept 2> /dev/null)"
done

# shellcheck disable=SC2086 # a list of words
{
    run -n 2 pm-count --time-limit=0.15 --checkpoint=kept $long
    failed 75 'the time limit' 'stopped at the time limit'
    status=0
    pm-count --checkpoint=kept $long > output 2> errors || status=$?
    same 'one process goes on from the checkpoint of two ranks'
}

# A limit for each graph comes at different times on different ranks: here rank 1 is late before the first task.
full 36 > endless
pm-gen erdos-renyi 30 0.5 --seed=1 --nonsingular > late
printf 'a x\na y\nb x\nb y\n' > two

# ends_together NAME: all ranks have ended the first graph and have counted the second one
ends_together()
{
    if test "$status" -eq 75 && test "$(cat output)" = "$(printf '2\ttwo')" \
        && test "$(grep -c 'no answer within .* seconds (--time-limit-each)' errors)" -eq 1; then
        pass "$1"
    else
        fail "$1" "$(echo "status $status"; cat output errors)"
    fi
}

run -n 1 pm-count -t 1 --time-limit-each=1000 late two : -n 2 pm-count -t 1 --time-limit-each=0.05 late two
ends_together 'a limit for each graph that one rank reaches ends it on all ranks'
awk '{ for (j = 1; j <= NF; ++j) print "r" NR, "c" j, $j }' endless > edges
for limit in 0.001 0.1 0.3; do
    run -n 3 pm-count -t 1 --time-limit-each=$limit --algorithm=ryser edges two
    ends_together "a limit of $limit seconds in a task"
done

# ---- estimates ----

# estimate N OPTION...: by N ranks
estimate()
{
    ranks=$1
    shift
    run -n "$ranks" pm-approx -t 1 "$@"
}

some='--exact-within=0 --method=look+ --samples=9000'
# shellcheck disable=SC2086 # a list of words
{
    pm-approx -t 2 $some grid torus > wanted
    estimate 1 $some grid torus
    same 'an estimate on one rank'
    run -n 1 pm-approx -t 1 $some grid torus : -n 3 pm-approx -t 2 $some --output=none --trace=none.2 grid torus
    same 'on four uneven ranks'
    empty 'the others write no files' "$(ls none none.2 2> /dev/null)"
    pm-approx $some torus > wanted
    estimate 3 $some --part=1/2 torus
    mv output part1
    pm-approx $some --part=2/2 torus > part2
    run -n 2 pm-approx --merge part2 part1
    same 'a part by three ranks, a part by one process'
}
pm-approx grid > wanted
estimate 2 grid
same 'blocks that are counted'
pm-approx --exact-within=0 torus > wanted
estimate 3 --exact-within=0 torus
same 'the choice of a method'
pm-approx --guarantee=0.9,0.5 --exact-within=0 small > wanted 2> /dev/null
estimate 2 --guarantee=0.9,0.5 --exact-within=0 small
same 'a guarantee'
pm-approx --sample=2 grid > wanted
estimate 2 --sample=2 grid
same 'matchings, by each rank for itself'

long='--exact-within=0 --method=look+ --samples=150000 cube'
# shellcheck disable=SC2086 # a list of words
{
    pm-approx $long > wanted
    estimate 2 --time-limit=0.5 --checkpoint=kept $long
    if test "$status" -eq 75 && grep -q '^done' kept; then
        pass 'an estimate that the time limit ends has a checkpoint'
    else
        fail 'an estimate that the time limit ends has a checkpoint' "status $status; $(cat output errors)"
    fi
    estimate 3 --checkpoint=kept $long
    same 'three ranks go on from the checkpoint of two'
    estimate 2 --time-limit=0.5 --checkpoint=kept $long
    pm-approx --checkpoint=kept $long > output
    status=$?
    same 'one process goes on from the checkpoint of two ranks'
}

# ---- failures ----

run -n 3 pm-count nowhere
failed 66 'an input that is not there is told once' 'nowhere'
run -n 2 pm-count --unknown
failed 64 'wrong usage is told once' 'unknown'
run -n 1 pm-count grid : -n 1 pm-count nowhere
failed 70 'a rank that fails alone is named' 'rank 1 .*nowhere'
run -n 1 pm-count --algorithm=frontier grid : -n 1 pm-count --algorithm=planar grid
failed 70 'a rank with another plan is named' 'rank 1 follows another plan than rank 0'
rm -f kept
echo 'no checkpoint' > kept
run -n 2 pm-count --checkpoint=kept grid
failed 65 'a damaged checkpoint is told once' 'kept'
status=0
PMI_SIZE=3 PMI_RANK=0 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 PM_LIBEXEC=$work \
    pm-count grid > output 2> errors || status=$?
failed 70 'without its module a program does not run as one of several' 'pm-mpi.so is not beside'
empty 'the program itself is not linked to MPI' "$(ldd "$(command -v pm-count)" | grep -i -e 'libmpi')"
done_testing
