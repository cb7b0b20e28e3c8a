#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The job scripts of pm-count(1), Clusters, by Slurm: its daemons are started on this machine, for one node, with
# all of their files in a scratch folder.
. "${srcdir:?}/tests/support/tap.sh"

stop_here()
{
    skip 'Slurm' "$1"
    done_testing
    exit
}

test "$(id -u)" -eq 0 || stop_here 'its daemons are started by root only'
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd srun sbatch scontrol sinfo; do
    command -v "$program" > /dev/null || stop_here "there is no $program"
done

manual=$(cd "$srcdir" && pwd)/man/pm-count.1
work=$(mktemp -d) || exit 99
cd "$work" || exit 99

# stop_daemon FILE: the process whose number it has
stop_daemon()
{
    test ! -s "$1" || kill "$(cat "$1")" 2> /dev/null
}

clean_up()
{
    scancel --full --quiet --user=root > /dev/null 2>&1
    stop_daemon slurmd.pid
    stop_daemon slurmctld.pid
    sleep 1
    stop_daemon munge/pid
    rm -rf "$work"
}
trap clean_up EXIT

# ---- a cluster of this machine ----

mkdir munge state spool
chmod 700 munge
dd if=/dev/urandom of=munge/key bs=128 count=1 2> /dev/null
chmod 400 munge/key
munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" > munge.log 2>&1 \
    || stop_here 'munged does not start'
host=$(hostname -s)
port=$((20000 + $$ % 20000))
cat > slurm.conf << EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=2
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
EOF
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
slurmctld -i -c > daemons.log 2>&1 || stop_here 'slurmctld does not start'
slurmd >> daemons.log 2>&1 || stop_here 'slurmd does not start'
tries=0
until sinfo -h -o %T 2> /dev/null | grep -q idle; do
    tries=$((tries + 1))
    test "$tries" -lt 60 || stop_here "the node is not ready: $(tail -n 1 slurmd.log)"
    sleep 0.5
done

# ---- the scripts of the manual ----

# script NUMBER: the literal text of this number in the section
script()
{
    awk -v number="$1" '
        /^[.]Ss Clusters/ { is_section = 1 }
        /^[.]Ss / && !/Clusters/ { is_section = 0 }
        /^[.]Ed/ { is_literal = 0 }
        is_section && is_literal && count == number { gsub(/\\e/, "\\"); print }
        is_section && /^[.]Bd -literal/ { is_literal = 1; ++count }' "$manual"
}

# same NAME: the file "answer" has what "wanted" has
same()
{
    if cmp -s wanted answer; then
        pass "$1"
    else
        fail "$1" "$(diff wanted answer; tail -n 5 slurm-*.out slurmctld.log)"
    fi
}

# full N: a matrix without zeros, and without equal rows
full()
{
    awk -v n="$1" 'BEGIN {
        print "%%MatrixMarket matrix array integer general"
        print n, n
        for (k = 0; k < n * n; ++k) { x = (x * 16807 + 12345) % 2147483647; print int(x / 1000) % 9 + 1 }
    }'
}

PM_LEDGER_SECONDS=0
export PM_LEDGER_SECONDS

full 24 > graph.mtx
pm-count graph.mtx > wanted
script 1 | sed 's/100/3/g' > array.sh
timeout 120 sbatch --wait array.sh > sbatch.log 2>&1
pm-count --merge part.* > answer 2> merge.log
same 'an array of jobs over parts'

mpi=none
case $(pm-count --version) in
*'MPI: Open MPI'*) mpi=pmix ;;
*'MPI: MPICH'*) mpi=pmi2 ;;
esac
if test $mpi = none; then
    skip 'ranks of MPI' 'built without MPI'
elif ! srun --mpi=list 2>&1 | grep -q $mpi; then
    skip 'ranks of MPI' "Slurm has no $mpi"
else
    rm -f answer
    script 2 | sed "s/pmix/$mpi/; s/ntasks=8/ntasks=2/; s/per-task=16/per-task=1/" > mpi.sh
    timeout 120 sbatch --wait --overcommit mpi.sh > sbatch.log 2>&1
    same 'ranks of MPI'
fi

# The signal of --signal, sent by hand once there is a checkpoint: Slurm counts in minutes.
rm -f answer
full 29 > graph.mtx
pm-count graph.mtx > wanted
PM_CHECKPOINT_SECONDS=0.1
export PM_CHECKPOINT_SECONDS
ranks=2
test $mpi != none || ranks=1
script 3 | sed "s/--mpi=pmix/--mpi=$mpi/; s/ntasks=8/ntasks=$ranks/" > requeue.sh
job=$(sbatch --parsable --overcommit requeue.sh 2> sbatch.log)
tries=0
until grep -q '^done' state.count 2> /dev/null || test "$tries" -gt 600; do
    tries=$((tries + 1))
    sleep 0.1
done
scancel --signal=TERM "$job"
tries=0
until scontrol show job "$job" | grep -q 'JobState=COMPLETED' || test "$tries" -gt 300; do
    tries=$((tries + 1))
    sleep 1
done
restarts=$(scontrol show job "$job" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')
same 'a job that is requeued goes on from its checkpoint'
if test "$restarts" -gt 0; then
    pass 'it was requeued'
else
    fail 'it was requeued' "$(scontrol show job "$job"; cat slurm-*.out)"
fi
empty 'and its checkpoint is removed' "$(ls state.count 2> /dev/null)"
done_testing
