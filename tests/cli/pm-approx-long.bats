# SPDX-License-Identifier: GPL-3.0-or-later
# Long runs of pm-approx: parts and checkpoints give the digits of an undisturbed run.
bats_require_minimum_version 1.5.0
load long-estimates

@test "parts in any sequence, on one and two threads, give the digits of one run" {
    merges 3 --method=look+ --exact-within=0.002 --samples=20000 two-blocks
    for n in $(is_short && echo 3 || echo 1 2 3 7); do
        merges "$n" --method=look+ --samples=5000 cube
        merges "$n" --method=beam --states=50 --runs=24 cube
    done
    # all weights are equal: the samples end early
    merges 3 --method=look+ --samples=5000 two.txt
    merges 2 --exact-within=0 --samples=200 hub # with a choice of methods
    # several graphs, and groups
    stream '%pm: begin sum' '%pm: begin product' cube.mtx grid.mtx '%pm: end' cube.mtx '%pm: end' grid.mtx cube.mtx > groups.pms
    merges 2 --method=scaling --exact-within=0.00001 --samples=1500 --confidence=0.9 groups.pms
}

@test "a block that is counted is divided too" {
    pm-approx --method=look+ --exact-within=0.002 --part=1/2 --samples=20000 two-blocks > part
    # whichever method counts the smaller block
    grep '^%pm: part computation .* \(frontier\|ryser\|residues\)$' part
    grep '^%pm: part task .* block-[12] ' part
    # what takes little time is done by every part
    PM_LEDGER_SECONDS=1 pm-approx --method=look+ --part=1/2 --samples=2000 two-blocks > part
    run -1 grep '^%pm: part task' part
    PM_LEDGER_SECONDS=1 merges 2 --method=look+ --samples=2000 two-blocks
}

@test "parts that are missing, there twice or foreign are named" {
    for i in 1 2 3; do
        pm-approx --method=look+ --samples=2000 --part=$i/3 cube > part.$i
    done
    refuses 65 'missing of 3 parts: 2' --merge part.1 part.3
    refuses 65 'part 1 of 3 is there twice' --merge part.1 part.1 part.2
    pm-approx --method=look+ --samples=2001 --part=3/3 cube > other
    refuses 65 "'--samples=2001 --method=look+'" --merge part.1 part.2 other
    pm-approx --method=look+ --samples=2000 --part=3/3 dense > other
    refuses 65 'other:6: this is a part of another count: graph 1 differs' --merge part.1 part.2 other
    refuses 64 'takes the options of the parts' --merge --seed=1 part.1 part.2 part.3
    refuses 65 'part 1 of 3' part.1
    # of the other program
    pm-count --part=1/2 cube > count.1
    pm-count --part=2/2 cube > count.2
    refuses 65 pm-count --merge count.1 count.2
    program=pm-count
    refuses 65 pm-approx --merge part.1 part.2 part.3
}

@test "wrong usage of the options of long runs" {
    misuses '--samples=N or --runs=N' --part=1/2 cube
    misuses 'no --rel-err, no --time-limit-each' --part=1/2 --samples=10 --rel-err=0.1 cube
    misuses 'no --rel-err, no --time-limit-each' --part=1/2 --samples=10 --time-limit-each=9 cube
    misuses '--guarantee takes no --part' --part=1/2 --guarantee=0.1,0.1 cube
    misuses 'no --trace, no --plot' --part=1/2 --samples=10 --trace=t cube
    misuses '--bounds takes no --checkpoint' --bounds --checkpoint=ck cube
    misuses '--sample takes no --checkpoint' --sample=1 --checkpoint=ck cube
    misuses '--compare takes no --part' --compare=5 --part=1/2 cube
    misuses '--method=bethe takes no --merge' --method=bethe --merge cube
    misuses 'exclude each other' --part=1/2 --samples=10 --merge cube
    misuses '--status takes no operand' --status=ck cube
    misuses 'no --files-from' --merge --files-from=list
    refuses 66 'there is no checkpoint' --status=ck
    [ ! -e ck ]
}

@test "SIGKILL at any moment: the next runs go on and give the same digits" {
    local kills
    kills=$(is_short && echo 1 || echo 3)
    survives "$kills" pm-approx --json --method=look+ --rel-err=0.01 --time-limit-each=1000 cube
    survives "$kills" pm-approx --json --method=beam --states=50 --rel-err=0.03 --time-limit-each=1000 two-blocks
    survives "$kills" pm-approx --json --exact-within=0 --guarantee=0.03,0.1 --max-cost=1000 hub
}

@test "stopped by a signal or the time limit, and continued" {
    args=(--json --method=look+ --rel-err=$(is_short && echo 0.012 || echo 0.005) --time-limit-each=1000 cube)
    pm-approx "${args[@]}" | without_times > direct
    run -75 --separate-stderr pm-approx --time-limit=0.2 --checkpoint=ck "${args[@]}"
    [[ "$output" == *'"stopped_by":"time-limit"'* ]]
    [[ "$stderr" == *'ck: run again to go on from there'* ]]
    run -0 pm-approx --status=ck
    [[ "$output" == *block-1* ]]
    pm-approx --checkpoint=ck "${args[@]}" > signalled 2> messages &
    sleep 0.2
    kill -USR2 $!
    kill -TERM $!
    wait $! || true
    pm-approx -t 1 --checkpoint=ck "${args[@]}" | without_times > resumed
    cmp direct resumed
    [ ! -e ck ]
}

@test "answers that are finished are the same after a stop" {
    stream cube.mtx '%pm: name second' cube.mtx grid.mtx > many.pms
    args=(--json --method=look+ --samples=30000 --exact-within=0.1 many.pms)
    pm-approx "${args[@]}" | without_times > direct
    for limit in 0.05 0.1 0.2; do
        pm-approx --time-limit=$limit --checkpoint=ck "${args[@]}" > stopped 2> messages || [ $? = 75 ]
    done
    pm-approx --checkpoint=ck "${args[@]}" | without_times > resumed
    cmp direct resumed
    [ ! -e ck ]
}

@test "checkpoints of other options, of another graph, and of the other program" {
    cut_run --method=look+ --rel-err=0.001 cube
    refuses 65 "'--rel-err=0.001 --method=look+'" --method=look+ --rel-err=0.002 --checkpoint=ck cube
    run -65 pm-approx --method=look+ --rel-err=0.001 --checkpoint=ck dense
    [[ "$output" == *'the input has changed'* ]]
    run -75 pm-count -t 1 --algorithm=ryser --time-limit=0.2 --checkpoint=count.ck dense34
    refuses 65 pm-count --checkpoint=count.ck cube
    program=pm-count
    refuses 65 pm-approx --checkpoint=ck cube
}

@test "an unreliable estimate is complete: its checkpoint is removed" {
    run -76 pm-approx -q --method=look+ --samples=20 --checkpoint=ck cube
    [ ! -e ck ]
}

@test "a checkpoint of a part" {
    pm-approx --method=look+ --samples=200000 --part=2/2 cube > direct
    run -75 pm-approx --time-limit=0.1 --checkpoint=ck --method=look+ --samples=200000 --part=2/2 cube
    pm-approx --checkpoint=ck --method=look+ --samples=200000 --part=2/2 cube > resumed
    cmp direct resumed
}
