# SPDX-License-Identifier: GPL-3.0-or-later
# Filters can use the files of their command line, and no others (pmkit(7), "Sandbox").
bats_require_minimum_version 1.5.0
load filters

setup() {
    small_graphs
}

# confined: skips the test where the kernel cannot do it
confined() {
    [[ "$(pm-count --version)" == *'files: Landlock '* ]] || skip "the kernel has no Landlock"
}

# waiting PROGRAM ARGUMENT...: starts it, and waits until it reads from the pipe "silent"
waiting() {
    "$@" > out 2> err 8>&- &
    pid=$!
    for k in $(seq 100); do
        for f in /proc/$pid/fd/*; do
            [ "$(readlink "$f")" != "$PWD/silent" ] || return 0
        done
        sleep 0.05
    done
    return 1
}

@test "inputs by every kind of name" {
    mkdir -p sub/deep
    gzip -k two.txt
    mv two.txt.gz sub
    ln -s ../two.txt sub/link
    ln -s sub folder
    mkfifo pipe
    cat two.txt > pipe &
    two=$PWD/two.txt
    cd sub/deep
    run -0 pm-count --backend=cpu ../../two.txt "$two" ../link ../two.txt.gz ../../folder/link ../../pipe - \
        /dev/stdin <(cat "$two") < "$two"
    [ "$(cut -f 1 <<< "$output" | grep -c '^2')" -ge 8 ]
    for program in pm-dm pm-decompose pm-order pm-approx; do
        [ "$("$program" ../link)" = "$("$program" - < "$two")" ]
    done
    run -0 pm-count --backend=cpu - < <(cat "$two")
    [ "$output" = 2 ]
    run -0 pm-count --backend=cpu /dev/stdin < "$two"
    [ "$output" = 2 ]
    run -0 pm-count --backend=cpu /dev/stdin <<< "$(cat "$two")"
    [ "$output" = 2 ]
}

@test "names that are no file: the messages stay" {
    program=pm-count
    mkdir folder
    refuses 66 'folder: expected a file, found a directory' --backend=cpu folder
    refuses 66 'missing: cannot open: No such file or directory' --backend=cpu missing
    refuses 66 'two.txt/x: cannot open: Not a directory' --backend=cpu two.txt/x
}

@test "many inputs, and lists of names" {
    for i in $(seq 70); do cp two.txt many$i; done
    run -0 pm-count --backend=cpu many*
    [ "${#lines[@]}" -eq 70 ]
    ls many* > list
    run -0 pm-count --backend=cpu --files-from=list
    [ "${#lines[@]}" -eq 70 ]
    run -0 pm-count --backend=cpu --files-from=- < list
    [ "${#lines[@]}" -eq 70 ]
}

@test "outputs in other folders" {
    mkdir -p far/away
    echo old > far/older
    ln far/older far/second
    ln -s away/leads far/link
    echo old > far/away/leads
    for file in far/away/new "$PWD/far/plain" far/older far/link; do
        run -0 pm-count --backend=cpu -o "$file" two.txt
        [ "$(cat "$file")" = 2 ]
    done
    [ "$(cat far/second)" = 2 ]
    [ -L far/link ]
    run -0 pm-approx --backend=cpu --trace=far/trace --plot=far/away/plot.svg -o far/estimate --exact-within=0 \
        --samples=100 two.txt
    [ -s far/trace ]
    [ -s far/away/plot.svg ]
    [ -s far/estimate ]
    run -0 pm-approx --backend=cpu --trace=/dev/null --exact-within=0 --samples=100 two.txt
    run -0 pm-dm --spy=far/picture.svg two.txt
    [ -s far/picture.svg ]
    run -0 pm-count --backend=cpu -o /dev/null two.txt
}

@test "an output whose folder must not be written, also of a trace" {
    mkdir closed
    touch closed/file closed/trace
    chmod 777 . closed/file closed/trace
    chmod 555 closed
    not_root pm-approx --backend=cpu --trace=closed/trace -o closed/file --exact-within=0 --samples=100 - < two.txt
    [ -s closed/file ]
    [ -s closed/trace ]
    chmod 755 closed
}

# is_written FOLDER: process $pid has a file open there, with or without a name, that is not empty
is_written() {
    local fd
    for fd in "/proc/$pid/fd"/*; do
        [[ "$(readlink "$fd")" != *"/$1/"* ]] || [ ! -s "$fd" ] || return 0
    done
    return 1
}

@test "after an interruption the part that is ready stays" {
    silent_input
    mkdir far
    pm-count --backend=cpu -o far/kept two.txt - < silent 2> err &
    pid=$!
    until is_written far; do
        kill -0 $pid
        sleep 0.05
    done
    kill -TERM $pid
    wait $pid || true
    [ "$(cut -f 1 far/kept.partial)" = 2 ]
}

@test "a file that is put in the place of an input after the start is not read" {
    confined
    silent_input
    for program in pm-count pm-dm pm-decompose pm-order pm-approx; do
        cp two.txt later
        more=
        case $program in pm-count | pm-approx) more=--backend=cpu ;; esac
        waiting "$program" $more silent later
        cp one.txt other
        mv other later
        printf 'a x\n' > silent
        exec 8>&- # the end of the input
        status=0
        wait $pid || status=$?
        [ "$status" -eq 66 ]
        grep -q "^$program: later: cannot open: Permission denied: the sandbox allows files that were there at the start$" err
        exec 8<> silent
    done
    cp two.txt later
    waiting pm-count --backend=cpu silent later
    cat one.txt > later # the same file
    printf 'a x\n' > silent
    exec 8>&-
    wait $pid
    [ "$(cut -f 1 out | tr '\n' ' ')" = '1 1 ' ]
}

@test "the helper program starts, where it may be needed, with the formats that it reads" {
    [ -x "$PM_LIBEXEC/pm-igraph-read" ] || skip "built without igraph"
    printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n' > pair.gml
    printf '*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2\n' > pair.net
    printf 'a b\n' > pair.ncol
    printf '# a\nb\n' > pair.lgl
    cat > pair.graphml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>
END
    run -0 pm-count --backend=cpu pair.gml pair.net pair.graphml
    [ "$(cut -f 1 <<< "$output" | tr '\n' ' ')" = '1 1 1 ' ]
    run -0 pm-count --backend=cpu --from=ncol pair.ncol
    [ "$output" = 1 ]
    run -0 pm-count --backend=cpu --from=lgl pair.lgl
    [ "$output" = 1 ]
    run -0 env LD_LIBRARY_PATH="$PWD" pm-count --backend=cpu pair.gml
    cp "$PM_LIBEXEC/pm-igraph-read" .
    run -0 env PM_LIBEXEC="$PWD" pm-count --backend=cpu pair.gml
    # a helper that is a script needs a shell, which may not be executed
    confined
    printf '#!/bin/sh\necho pm-onesided 0 0 pattern 0 0\necho end\n' > pm-igraph-read
    run -69 --separate-stderr env PM_LIBEXEC="$PWD" pm-count --backend=cpu pair.gml
    [[ "$stderr" == *'which cannot be run: Permission denied' ]]
}

@test "an automatic backend is in the sandbox where the system has no GPU" {
    confined
    for sign in /dev/nvidiactl /dev/dxg /dev/nvhost-ctrl /dev/nvgpu /dev/nvmap /usr/bin/nvidia-modprobe; do
        [ ! -e "$sign" ] || skip "there may be a GPU: $sign"
    done
    silent_input
    for program in pm-count pm-approx pm-overlap; do
        waiting "$program" --backend=auto silent
        grep -q '^NoNewPrivs:[[:space:]]1' "/proc/$pid/status"
        kill -TERM $pid
        wait $pid || true
    done
}
