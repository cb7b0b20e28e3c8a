# SPDX-License-Identifier: GPL-3.0-or-later
# Checkpoints, parts and merging: the digits are those of an undisturbed run, and what is damaged, foreign or
# missing is refused.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    export PM_LEDGER_SECONDS=1e-9 PM_CHECKPOINT_SECONDS=0.02
    pm-gen grid 8 8 > grid
    pm-gen regular 26 6 --seed=1 > sparse # blocks of at most 20 rows are not recorded
    pm-gen ones 22 --real --seed=2 > real
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 4\n1 1\n1 2\n2 1\n2 2\n' > two.mtx
}

# a count that goes piece by piece; no test waits for its end
long_graph() {
    pm-gen ones 34 --integer=1:3 --seed=3 > long
    long=(-t 1 --algorithm=ryser)
}

# has_checkpoint FILE PID: waits until the run has written the file
has_checkpoint() {
    for _ in $(seq 200); do
        [ ! -s "$1" ] || return 0
        kill -0 "$2" 2> /dev/null || return 0
        sleep 0.02
    done
    return 1
}

# parts N ARGUMENT...: the files part.1 to part.N
parts() {
    local i n=$1
    shift
    rm -f part.*
    for i in $(seq "$n"); do
        pm-count --part="$i/$n" "$@" > "part.$i"
    done
}

# merged_equals FILE...: the parts give what pm-count says of the files
merged_equals() {
    pm-count "$@" > direct
    pm-count --merge $(ls part.* | shuf) > merged
    [ $# -gt 1 ] || sed -i 's/\t[a-z]*:[0-9]*$//' merged # several answers of one input have no names
    cmp direct merged
}

# leaves_file FILE STATUS TEXT ARGUMENT...: as `refuses`, and the checkpoint is as it was
leaves_file() {
    local file=$1
    cp "$file" before
    shift
    refuses "$@"
    cmp before "$file"
}

# ---- parts ----

@test "parts of every number, in any sequence, give the digits of one run" {
    for n in $(is_short && echo 4 || echo 1 2 9); do
        parts $n grid sparse real
        merged_equals grid sparse real
    done
    for options in --verify --algorithm=product-tree --mod=1000003 \
        $(is_short || echo --order=given --transpose --saturate); do
        parts 3 $options grid sparse
        pm-count $options grid sparse > direct
        pm-count --merge part.3 part.1 part.2 > merged
        cmp direct merged
    done
}

@test "parts of a real and of a complex hafnian: each has pieces of its own" {
    pm-gen complete 26 --real=-1:1 --seed=3 > haf.r
    pm-gen gaussian-state 24 0.8 --seed=5 > haf.c
    for graph in haf.r haf.c; do
        for n in 2 5; do
            parts $n --graph --algorithm=hafnian $graph
            grep -c '^%pm: part done' part.* | grep -v ':0$' | wc -l | grep -qx $n
            run ! grep -q '^%pm: part value' part.*
            pm-count --graph --algorithm=hafnian -t 1 $graph > direct
            pm-count --merge part.* > merged
            cmp direct merged
        done
        run -65 pm-count --merge part.1 part.2
    done
    run -0 pm-count --graph --algorithm=hafnian --checkpoint=ck haf.r
    [ "$output" = "$(pm-count --graph --algorithm=hafnian haf.r)" ]
}

@test "parts on other threads, compressed, of streams with groups, and of small graphs" {
    for i in 1 2 3; do
        pm-count --part=$i/3 -t $i real | gzip > part.$i
    done
    [ "$(pm-count --merge part.2 part.3 part.1)" = "$(pm-count real)" ]
    pm-decompose --min-degree=12 --until-n=24 --max-terms=100 sparse > stream
    grep -q '^%pm: begin sum' stream
    parts 3 stream
    merged_equals stream
    parts 2 two.txt one.txt
    merged_equals two.txt one.txt
    printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
    parts 3 empty.mtx
    [ "$(pm-count --merge part.*)" = 1 ]
    parts 2 -q none.txt
    run -0 pm-count -q --merge part.1 part.2
    [ "$output" = 0 ]
    run -1 pm-count -q -e --merge part.1 part.2
    [ "$(pm-count --json --merge part.1 part.2 2> err | sed 's/.*"value":"\([0-9]*\)".*/\1/')" = 0 ]
    : | run -65 pm-count --part=1/2
}

@test "a part is refused where a graph is expected, and names the others" {
    parts 2 grid
    for p in pm-count pm-approx pm-dm pm-decompose pm-order; do
        program=$p refuses 65 'part.1:2: this is part 1 of 2 of a count: give all parts to pm-count --merge' part.1
    done
    program=pm-count
    refuses 65 '(standard input):2: this is part 1 of 2' - < part.1
}

@test "parts that are missing, there twice, foreign, of other options or another version" {
    parts 3 grid sparse
    cp -r . ../other && cd ../other && parts 3 sparse && cd ../work
    refuses 65 'missing of 3 parts: 2' --merge part.1 part.3
    refuses 65 'missing of 3 parts: 1, 3' --merge part.2
    refuses 65 'part.1: part 1 of 3 is there twice' --merge part.1 part.2 part.1
    refuses 65 'part.2:6: this is a part of another count: graph 1 differs' --merge part.1 ../other/part.2 part.3
    refuses 65 'expected the output of --part, found no part in it' --merge part.1 grid part.3
    refuses 66 'missing: ' --merge part.1 missing part.3
    refuses 66 'expected a plain file for a part' --merge part.1 <(cat part.2) part.3
    pm-count --part=1/2 grid sparse > part.half
    refuses 65 'part.half: it is a part of 2, and the first one is a part of 3' --merge part.1 part.half part.3
    pm-count --mod=7 --part=2/3 grid sparse > part.mod
    refuses 65 "part.mod: it was written with the options '--mod=7', and this run has ''" --merge part.1 part.mod part.3
    sed 's/^%pm: part program .*/%pm: part program pm-count 0.0.1/' part.2 > part.old
    refuses 65 "part.old: it was written with the program 'pm-count 0.0.1'" --merge part.1 part.old part.3
    sed 's/^%pm: part checkpoint 1/%pm: part checkpoint 2/' part.2 > part.new
    refuses 65 "part.new:3: expected 'checkpoint 1': it was written by another version" --merge part.1 part.new part.3
}

@test "damaged parts: one line says where" {
    parts 2 grid
    for lines in 1 2 4 6; do
        head -n $lines part.2 > cut
        refuses 65 'cut' --merge part.1 cut
    done
    head -n -1 part.2 > cut
    refuses 65 "expected '%pm: eof': the file was cut" --merge part.1 cut
    cat part.2 part.2 > twice
    refuses 65 'twice' --merge part.1 twice
    # graphs, of which only those of the first file are used
    sed 's/^1 5$/1 4/' part.1 > changed
    run -1 cmp -s part.1 changed
    run -65 --separate-stderr pm-count --merge changed part.2
    [ -z "$output" ]
    stream '%pm: begin sum' '%pm: factor 3' '%pm: begin product' two.mtx two.mtx '%pm: end' two.mtx \
        '%pm: factor 5' '%pm: end' > groups
    parts 2 groups
    merged_equals groups
    for change in 's/begin sum/begin product/' 's/factor 3/factor 2/' 's/factor 5/factor 6/' \
        's/begin product/begin sum/'; do
        sed "$change" part.1 > changed
        run -1 cmp -s part.1 changed
        run -65 --separate-stderr pm-count --merge changed part.2
        [ -z "$output" ]
        [[ "$stderr" == *'is not the one of the earlier run'* ]]
    done
    parts 2 grid
    for k in $(seq 10); do # any byte
        python3 - part.2 changed $((RANDOM * 32768 + RANDOM)) << 'END' || skip 'no python3'
import random, re, sys
text = bytearray(open(sys.argv[1], "rb").read())
random.seed(int(sys.argv[3]))
lines = [m.span() for m in re.finditer(rb"%pm: part [^\n]*", bytes(text))]
first, end = random.choice(lines)
text[random.randrange(first + 10, end)] ^= 1 << random.randrange(7)
open(sys.argv[2], "wb").write(text)
END
        run -65 --separate-stderr pm-count --merge part.1 changed
        [ -z "$output" ]
        [ "${#stderr_lines[@]}" -eq 1 ]
    done
}

@test "wrong usage of the options of long runs" {
    parts 2 grid
    for x in 0/2 3/2 1 1/ 1/2x -1/2 1/0 1/99999999; do
        refuses 64 "I/N" --part="$x" grid
    done
    refuses 64 'exclude each other' --part=1/2 --merge part.1 part.2
    refuses 64 'exclude each other' --part=1/2 --status=ck
    refuses 64 'has no meaning for --merge' --checkpoint=ck --merge part.1 part.2
    refuses 64 'takes the options of the parts, not --mod=7' --merge --mod=7 part.1 part.2
    refuses 64 'reads parts, which hold what was read: not --duplicates=sum' --merge --duplicates=sum part.1 part.2
    refuses 64 'needs the files of all parts' --merge
    refuses 64 'standard input cannot be read twice' --merge part.1 - < part.2
    ls part.1 part.2 > list
    refuses 64 'no --files-from' --merge --files-from=list
    for question in --exists --matching --plan; do
        refuses 64 'need a count' $question --part=1/2 grid
        refuses 64 'need a count' $question --checkpoint=ck grid
    done
    refuses 64 'no --calibrate' --calibrate --part=1/2 grid
    refuses 64 '--status takes no operand' --status=ck grid
    for name in ck ck.new ck.level ck.level.1.new ./ck.new "$PWD/ck"; do
        refuses 64 "--output=$name is a file of --checkpoint=ck" --checkpoint=ck -o $name grid
    done
    [ ! -e ck ]
}

@test "after the failure of an input no part is written" {
    printf 'a\n' > bad
    run -65 --separate-stderr pm-count --from=edges --part=1/2 grid bad two.txt
    [ -z "$output" ]
    run -66 --separate-stderr pm-count --part=1/2 -o out grid missing two.txt
    [ ! -e out ]
}

# ---- checkpoints ----

@test "SIGKILL at any moment: the next runs go on and give the same digits" {
    pm-count grid sparse real > want
    for k in 1 2 3; do
        rm -f ck
        for try in 1 2 3 4; do
            timeout -s KILL "0.0$((RANDOM % 9 + 1))" pm-count --checkpoint=ck grid sparse real > out || true
        done
        pm-count -t $k --checkpoint=ck grid sparse real > out
        cmp want out
        [ -z "$(ls ck* || true)" ]
    done
}

@test "stopped by a signal or the time limit, and continued" {
    long_graph
    for s in TERM:143 INT:130 HUP:129; do
        rm -f ck
        run -"${s#*:}" --separate-stderr timeout --preserve-status -s "${s%:*}" 0.7 \
            pm-count "${long[@]}" --checkpoint=ck two.txt long
        [[ "$stderr" == *'pm-count: ck: run again to go on from there'* ]]
        [ "$output" = "$(printf '2\ttwo.txt')" ]
        pm-count --status=ck > status
        grep -q '^ryser	.*%$' status
    done
    run -75 --separate-stderr pm-count "${long[@]}" --time-limit=0.3 --checkpoint=ck two.txt long
    [[ "$stderr" == *'ck: run again to go on from there'* ]]
    [[ "$stderr" == *'stopped at the time limit'* ]]
    [ -s ck ]
    # SIGUSR2 writes and goes on
    PM_CHECKPOINT_SECONDS=1000 pm-count "${long[@]}" --checkpoint=asked long > out 2> err &
    pid=$!
    for _ in $(seq 200); do # until it handles the signal
        grep -q '^SigCgt:.*[89a-f]..$' /proc/$pid/status && break
        sleep 0.02
    done
    for _ in $(seq 100); do
        [ -s asked ] || { kill -USR2 $pid; sleep 0.05; }
    done
    [ -s asked ]
    kill -0 $pid
    kill -KILL $pid
    wait $pid || true
}

@test "answers of inputs that are finished come again; the file goes with the last one" {
    long_graph
    pm-count --json "${long[@]}" --checkpoint=ck sparse real long > out 2> err &
    pid=$!
    for _ in $(seq 500); do # until two answers are there, and a part of the third
        has_checkpoint ck $pid
        cp ck copy
        [ "$(pm-count --status=copy | grep -c done)" -lt 2 ] || break
        sleep 0.05
    done
    kill -TERM $pid
    wait $pid || [ $? -eq 143 ]
    run -65 --separate-stderr pm-count "${long[@]}" --checkpoint=ck sparse grid long
    [ -z "$(sed -n '/long/p' <<< "$output")" ]
    [[ "$stderr" == *'graph 2 is not the one of the earlier run: the input has changed'* ]]
    [[ "$stderr" != *'run again'* ]]
    cp ck before
    run -65 pm-count --checkpoint=ck sparse real
    cmp before ck
    run -65 pm-count "${long[@]}" --pattern --checkpoint=ck sparse real
    [[ "$output" == *'graph 2 '*', or an option that says how it is read, or as what' ]]
    cmp before ck
    pm-count "${long[@]}" --checkpoint=ck -o out sparse real
    [ "$(cat out)" = "$(pm-count "${long[@]}" sparse real)" ]
    [ -z "$(ls ck* || true)" ]
}

@test "an input that fails: the others are answered, the file stays until the input is mended" {
    printf 'a\n' > bad
    run -65 --separate-stderr pm-count --checkpoint=ck sparse bad real
    [ "$output" = "$(pm-count sparse real)" ]
    [[ "$stderr" == *'ck: run again to go on from there'* ]]
    [ -s ck ]
    cp two.txt bad
    run -0 pm-count --checkpoint=ck sparse bad real
    [ "${#lines[@]}" -eq 3 ]
    [ ! -e ck ]
    # nothing was counted: there is nothing to keep
    run -66 --separate-stderr pm-count --checkpoint=ck missing
    [ "${#stderr_lines[@]}" -eq 1 ]
    [ ! -e ck ]
}

# a checkpoint ck of the graph `real`
make_checkpoint() {
    printf 'a\n' > bad
    pm-count --checkpoint=ck real bad > out 2> err || [ $? -eq 65 ]
    [ -s ck ]
}

@test "a checkpoint that is damaged, foreign or of another version is refused and stays as it is" {
    make_checkpoint
    cp ck good
    leaves_file ck 65 "ck: it was written with the options '', and this run has '--mod=7'" --mod=7 --checkpoint=ck grid
    sed 's/^program .*/program pm-count 0.0.1/' good > ck
    leaves_file ck 65 'checksum' --checkpoint=ck real
    sed 's/^checkpoint 1/checkpoint 2/' good > ck
    leaves_file ck 65 "ck:1: expected 'checkpoint 1': it was written by another version of pmkit" --checkpoint=ck real
    for n in 1 2 3 4 $(($(wc -l < good) - 1)); do
        head -n "$n" good > ck
        leaves_file ck 65 'ck' --checkpoint=ck real
    done
    head -c $(($(wc -c < good) - 5)) good > ck
    leaves_file ck 65 'ck:' --checkpoint=ck real
    cat good good > ck
    leaves_file ck 65 "expected nothing after 'end'" --checkpoint=ck real
    cp grid ck
    leaves_file ck 65 'ck:1: expected a line of pm-checkpoint(5)' --checkpoint=ck real
    head -c 1000 /dev/urandom > ck
    leaves_file ck 65 'ck' --checkpoint=ck real
    cp "$(type -P pm-gen)" ck
    leaves_file ck 65 'ck:' --checkpoint=ck real
    cp good ck
    run -0 pm-count --checkpoint=ck real
    [ "$output" = "$(pm-count real)" ]
}

@test "checkpoints that are no file, or cannot be read or written" {
    mkdir folder
    refuses 74 'folder: expected a plain file for a checkpoint' --checkpoint=folder real
    refuses 74 'cannot be a checkpoint: No such file or directory' --checkpoint=missing/ck real
    refuses 74 'expected a plain file for a checkpoint' --checkpoint=/dev/null real
    mkfifo pipe
    refuses 74 'pipe: expected a plain file for a checkpoint' --checkpoint=pipe real
    refuses 66 'missing: there is no checkpoint' --status=missing
    : > ck
    refuses 66 'ck: there is no checkpoint' --status=ck
    run -0 pm-count --checkpoint=ck real # an empty file is as none
    [ ! -e ck ]
    make_checkpoint
    mkdir closed
    mv ck closed
    chmod 644 closed/ck
    chmod 755 . closed real
    cp closed/ck before
    run -74 --separate-stderr not_root pm-count --checkpoint=closed/ck real
    [[ "$stderr" == *'closed/ck: cannot be a checkpoint: Permission denied' ]]
    cmp closed/ck before
    chmod 777 closed
    chmod 000 closed/ck
    run -74 --separate-stderr not_root pm-count --checkpoint=closed/ck real
    [[ "$stderr" == *'closed/ck: cannot be a checkpoint: Permission denied' ]]
}

@test "a full disk: the older checkpoint stays, and the run goes on" {
    long_graph
    run -75 pm-count "${long[@]}" --time-limit=0.3 --checkpoint=ck long
    cp ck before
    # no file may be longer than 0 blocks
    (ulimit -f 0 && exec pm-count "${long[@]}" --time-limit=0.7 --checkpoint=ck long) 2>&1 | cat > said
    cmp ck before
    [ "$(grep -c 'ck.new: File too large; the checkpoint stays as it was' said)" -eq 1 ]
    grep -q 'stopped at the time limit' said
    [ ! -e ck.new ]
}

@test "two runs with one checkpoint: the second is refused" {
    long_graph
    pm-count "${long[@]}" --checkpoint=ck long > out 2> err &
    pid=$!
    has_checkpoint ck $pid
    refuses 74 'ck: another run has this checkpoint' --checkpoint=ck "${long[@]}" long
    pm-count --status=ck > status
    kill -KILL $pid
    wait $pid || true
    run -75 pm-count "${long[@]}" --time-limit=0.2 --checkpoint=ck long
}

@test "symbolic links, relative paths, --safe" {
    long_graph
    mkdir -p sub/deep
    ln -s deep/ck sub/link
    run -75 pm-count --safe --max-cost=1e9 "${long[@]}" --time-limit=0.3 --checkpoint=sub/deep/ck long
    [ -s sub/deep/ck ]
    cp sub/deep/ck before
    run -75 pm-count --safe --max-cost=1e9 "${long[@]}" --time-limit=0.3 --checkpoint=sub/link long
    [ -L sub/link ]
    run -1 cmp -s before sub/deep/ck
    cd sub
    run -75 pm-count --safe --max-cost=1e9 "${long[@]}" --time-limit=0.3 --checkpoint=../sub/link ../long
    [ -L link ]
    [ "$(ls deep)" = ck ]
}

@test "a signal while one number is raised to a huge power" {
    printf '%%%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 3\n' > three
    stream '%pm: times 1000000000' three > power
    run -143 --separate-stderr timeout --preserve-status -k 20 -s TERM 0.7 pm-count --checkpoint=ck real power
    [ "$(wc -l <<< "$output")" -eq 1 ]
    pm-count --status=ck | grep -q 'done'
}

@test "a checkpoint of a part" {
    long_graph
    run -75 pm-count "${long[@]}" --part=1/5 --time-limit=0.2 --checkpoint=ck real long
    [ -z "${lines[2]}" ]
    refuses 65 'ck' --mod=3 --part=1/5 --checkpoint=ck real long
    # the checkpoint of another part, or of a whole run, would give a part that does not fit the others
    leaves_file ck 65 "it was written with the options '--algorithm=ryser --part=1/5', and this run has '--algorithm=ryser --part=2/5'" \
        "${long[@]}" --part=2/5 --checkpoint=ck real long
    leaves_file ck 65 "and this run has '--algorithm=ryser'" "${long[@]}" --checkpoint=ck real long
    make_checkpoint
    leaves_file ck 65 "and this run has '--part=1/2'" --part=1/2 --checkpoint=ck real
    pm-count "${long[@]}" --part=1/2 real > want
    pm-count "${long[@]}" --part=1/2 --checkpoint=other real > out
    cmp want out
    [ ! -e other ]
}

@test "input that waits: a signal ends the run" {
    silent_input
    run -143 timeout --preserve-status -s TERM 0.5 pm-count --checkpoint=ck two.txt - < silent
    [ "${lines[0]}" = "$(printf '2\ttwo.txt')" ]
}

@test "--status: a small share of a very long count" {
    pm-gen ones 50 --integer=1:3 --seed=3 > longer
    run -75 pm-count -q --algorithm=ryser --max-cost=1e20 --time-limit=0.3 --checkpoint=ck longer
    run -0 pm-count --status=ck
    [[ "$output" =~ [1-9]e-[01][0-9]\ % ]]
}

# plans_differ FILE: without a checkpoint another method is chosen for this vector unit than for none
plans_differ() {
    [ "$(PM_ISA=portable pm-count -q --plan "$1" | cut -f 4)" != "$(pm-count -q --plan "$1" | cut -f 4)" ]
}

@test "parts of integers that were made with several vector units have one plan" {
    pm-gen erdos-renyi 24 .4 --seed=1 --integer=-99:99 > g # several primes for the frontier
    plans_differ g || skip "no vector unit here"
    for isa in portable avx2 avx512ifma; do
        rm -f part.*
        for i in 1 2; do
            PM_ISA=$isa pm-count -q --part=$i/2 g > part.$i
            isa=$(case $isa in portable) echo avx512ifma ;; *) echo portable ;; esac)
        done
        pm-count g > direct
        pm-count --merge part.2 part.1 > merged
        cmp direct merged
        PM_ISA=portable pm-count --merge part.1 part.2 > merged
        cmp direct merged
    done
}

@test "a checkpoint of integers goes on with another vector unit by the plan that it has" {
    pm-gen erdos-renyi 28 .3 --seed=2 --integer=-99:99 > g
    plans_differ g || skip "no vector unit here"
    run -75 --separate-stderr pm-count -t 1 --checkpoint=ck --time-limit=0.05 g
    PM_ISA=portable run -0 --separate-stderr pm-count -t 1 --checkpoint=ck g
    [[ "$stderr" != *"begun anew"* ]]
    [ "$output" = "$(pm-count --algorithm=ryser g)" ]
}
