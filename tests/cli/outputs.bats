# SPDX-License-Identifier: GPL-3.0-or-later
# -o: what becomes of an older file, and of an output that is not finished.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
    umask 022
}

@test "-o keeps the permissions, the owner, hard links and symbolic links of an older file" {
    echo old > file
    chmod 640 file
    pm-count -o file two.txt
    [ "$(cat file)" = 2 ]
    [ "$(stat -c %a file)" = 640 ]
    ln file second
    ln -s file link
    for name in file second link; do
        for p in pm-count 'pm-dm --stats' pm-approx; do
            echo old > file
            $p -o "$name" two.txt
            $p two.txt | cmp - second
            [ -L link ] && [ file -ef second ] && [ "$(stat -c %a file)" = 640 ]
        done
    done
    pm-gen grid 2 2 -o link
    pm-gen grid 2 2 | cmp - second
    if [ "$(id -u)" -eq 0 ]; then
        rm second
        chown 54321:54321 file
        pm-count -o file two.txt
        [ "$(stat -c %u:%g:%a file)" = 54321:54321:640 ]
    fi
    [ -z "$(find . -name '*.??????')" ]
}

@test "-o: a failure leaves an older file with two names as it is" {
    echo old > file
    ln file second
    run -66 pm-count -o file nowhere.txt
    [ "$(cat second)" = old ]
    silent_input
    run -75 pm-count --time-limit=0.3 -o file two.txt - < silent
    [ "$(cat second)" = old ]
    [ "$(cat file.partial)" = "$(printf '2\ttwo.txt')" ]
}

@test "-o: a file that must not be written is refused, before the work" {
    mkdir common
    echo old > common/file
    cp two.txt common
    chmod 444 common/file
    chmod 777 common
    run -74 --separate-stderr not_root pm-count -o common/file - < common/two.txt
    [ "$stderr" = 'pm-count: common/file: Permission denied' ]
    [ "$(cat common/file)" = old ]
    # a file that may be written, in a folder that must not
    chmod 666 common/file
    chmod 555 common
    not_root pm-count -o common/file - < common/two.txt
    [ "$(cat common/file)" = 2 ]
    [ "$(stat -c %a common/file)" = 666 ]
    run -74 --separate-stderr not_root pm-count -o common/new - < common/two.txt
    [ "$stderr" = 'pm-count: common/new: Permission denied' ]
    chmod 755 common
}

@test "-o: a symbolic link that leads nowhere" {
    ln -s nowhere link
    refuses 74 'link: a symbolic link that leads to no file' -o link two.txt
    [ -L link ]
    [ ! -e nowhere ]
}

@test "-o: names of 255 bytes, also with .partial" {
    name=$(printf 'é%.0s' $(seq 127))x # 255 bytes
    pm-count -o "$name" two.txt
    [ "$(cat "$name")" = 2 ]
    refuses 74 'File name too long' -o "${name}y" two.txt
    silent_input
    run -75 --separate-stderr pm-count --time-limit=0.3 -o "$name" two.txt - < silent
    partial=$(printf 'é%.0s' $(seq 123)).partial # 254: no character is cut
    [ "$(cat "$partial")" = "$(printf '2\ttwo.txt')" ]
    [[ "$stderr" == *": $partial: the answers that were ready" ]]
}

@test "-o: nothing stays of a program that is killed, by any signal" {
    (ulimit -v 200000 && pm-count --version > version) || skip "sanitizers handle some signals"
    silent_input
    ulimit -c 0
    for s in KILL:137 ABRT:134 SEGV:139 BUS:135 XFSZ; do
        for p in pm-count pm-dm; do
            "$p" -o kept one.txt - < silent 2> err &
            until has_output $! kept; do
                kill -0 $!
                sleep 0.02
            done
            kill -"${s%:*}" $!
            if [ "$s" = XFSZ ]; then # it is ignored: writes fail
                sleep 0.1
                kill -KILL $!
            fi
            stopped=0
            wait $! || stopped=$?
            [ "$s" = XFSZ ] || [ "$stopped" -eq "${s#*:}" ]
            [ -z "$(ls | grep kept || true)" ]
        done
    done
}

@test "-o where files have a name from the beginning" {
    failing_library
    export PM_NO_TMPFILE=1
    silent_input
    ulimit -c 0
    echo old > file
    chmod 640 file
    LD_PRELOAD=$failing pm-count -o file two.txt
    [ "$(cat file)" = 2 ]
    [ "$(stat -c %a file)" = 640 ]
    name=$(printf 'x%.0s' $(seq 255))
    LD_PRELOAD=$failing pm-count -o "$name" two.txt
    [ "$(cat "$name")" = 2 ]
    for s in TERM:143 ABRT:134 SEGV:139; do
        LD_PRELOAD=$failing pm-count -o kept one.txt - < silent 2> err &
        until [ -s "$(ls kept.?????? 2> /dev/null)" ]; do
            kill -0 $!
            sleep 0.02
        done
        kill -"${s%:*}" $!
        stopped=0
        wait $! || stopped=$?
        [ "$stopped" -eq "${s#*:}" ]
        rm -f kept.partial # of SIGTERM
        [ -z "$(ls | grep kept || true)" ]
    done
    # memory that ends
    run -71 env LD_PRELOAD="$failing" PM_FAIL_PROGRAM=pm-count PM_FAIL_AT=60 PM_FAIL_ALL=1 \
        OMP_WAIT_POLICY=passive pm-count -o kept two.txt
    [ -z "$(ls | grep kept || true)" ]
}

@test "-o: an abort while the file has a temporary name" {
    failing_library
    ulimit -c 0
    run -134 env LD_PRELOAD="$failing" PM_ABORT_RENAME=1 pm-count -o kept two.txt
    [ -z "$(ls | grep kept || true)" ]
}

@test "-o: a full disk leaves an older file as it was, also one that is copied into" {
    unshare -m mount -t tmpfs none "$PWD" 2> /dev/null || skip "not allowed to mount"
    [ "$(getconf PAGESIZE)" -eq 4096 ] || skip "the sizes of the test are for pages of 4 KiB"
    pm-gen grid 40 40 > large # 24 KB
    [ "$(stat -c %s large)" -gt 24000 ]
    unshare -m bash -e -c '
        large=$(cat large)
        mkdir disk
        mount -t tmpfs -o size=96k none disk # 24 pages, of which two stay free
        for i in $(seq 2000); do echo "line $i of the older file"; done | head -c 12000 > disk/older
        ln disk/older disk/link
        cp disk/older before
        head -c 53000 /dev/zero > disk/other
        status=0
        pm-gen grid 40 40 -o disk/older 2> err || status=$?
        [ "$status" -eq 74 ]
        cmp disk/older before
        [ "$(grep -c "^pm-gen: disk/older: No space left on device; the output is in disk/older\.......$" err)" -eq 1 ]
        cmp large disk/older.??????
        rm disk/older.?????? disk/other
        pm-gen grid 40 40 -o disk/older # longer than before
        cmp large disk/older
        cmp large disk/link
        pm-gen grid 2 2 -o disk/older # shorter
        [ "$(pm-count disk/link)" = 2 ]
        [ "$(stat -c %b disk/older)" -le 8 ]'
}

@test "a disk that is full in the midst of the output is named" {
    unshare -m mount -t tmpfs none "$PWD" 2> /dev/null || skip "not allowed to mount"
    pm-gen ones 200 > full # pairs of rows: hundreds of kilobytes
    unshare -m bash -e -c '
        mkdir disk
        mount -t tmpfs -o size=64k none disk
        for to in "-o disk/out" "> disk/out"; do
            status=0
            eval "pm-overlap -q full $to" 2> err || status=$?
            [ "$status" -eq 74 ]
            grep -q ": No space left on device$" err
            rm -f disk/out
        done'
}

@test "a limit of the size of files: status 74, nothing stays" {
    pm-gen grid 24 24 > large
    for p in 'pm-gen grid 24 24' 'pm-dm large' 'pm-order large' 'pm-decompose large'; do
        run -74 --separate-stderr bash -c "ulimit -f 1; $p -o out 2>&1 > none | cat >&2
            exit \${PIPESTATUS[0]}"
        [[ "$stderr" == *': out: '*'File too large' ]]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [ ! -e out ] && [ ! -e out.partial ]
        run -74 bash -c "ulimit -f 1; $p > out 2> none"
        rm out
    done
}

@test "standard output or standard error is closed" {
    pm-count -o out two.txt >&-
    [ "$(cat out)" = 2 ]
    run -66 bash -c 'pm-count -o out nowhere.txt two.txt 2>&- >&- <&-'
    [ "$(cat out)" = "$(printf '2\ttwo.txt')" ]
    run -74 --separate-stderr bash -c 'pm-count two.txt >&-'
    [ "$stderr" = 'pm-count: standard output: Bad file descriptor' ]
    run -0 bash -c 'pm-gen grid 2 2 -o graph >&- 2>&- && pm-dm -o matrix graph >&- 2>&-'
    [ "$(pm-count -q matrix)" = "$(pm-count -q graph)" ]
}

@test "a cache that is a pipe or a symbolic link is not read" {
    (ulimit -v 200000 && pm-count --version > version) || skip "takes long with sanitizers"
    export XDG_CACHE_HOME=$PWD/cache
    export OMP_NUM_THREADS=1
    mkdir -p cache/pmkit
    mkfifo cache/pmkit/rates
    timeout 120 pm-count --calibrate -v two.txt 2> err
    grep -q measuring err
    [ -f cache/pmkit/rates ]
    cp cache/pmkit/rates kept
    sed '2s/\t.*/\t0.5/' kept > other
    # read as it is, when it is a file
    cp other cache/pmkit/rates
    timeout 120 pm-count --calibrate -v two.txt 2> err
    run -1 grep -q measuring err
    # a link to it is replaced
    ln -sf "$PWD/other" cache/pmkit/rates
    cp other before
    timeout 120 pm-count --calibrate -v two.txt 2> err
    grep -q measuring err
    cmp other before
    [ -f cache/pmkit/rates ]
    [ ! -L cache/pmkit/rates ]
}
