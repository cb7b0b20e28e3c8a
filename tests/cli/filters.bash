# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of several programs share.  $program: the one under test.

# refuses STATUS TEXT ARGUMENT...: one line on stderr that holds the text, nothing on stdout
refuses() {
    local status_wanted=$1 text=$2
    shift 2
    run -"$status_wanted" --separate-stderr "$program" "$@"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "$program: "*"$text"* ]]
}

# small_graphs: a folder of its own with three small graphs
small_graphs() {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    printf 'a x\na y\nb x\nb y\n' > two.txt    # 2 perfect matchings
    printf 'a x\nb x\nb y\n' > one.txt         # 1
    printf 'a x\nb x\n' > none.txt             # 0
}

# rounds N: N times PM_TEST_ROUNDS when that is set, at least 1
rounds() { awk -v n="$1" -v r="${PM_TEST_ROUNDS:-1}" 'BEGIN { n = int(n * r); print n < 1 ? 1 : n }'; }

# is_short: fewer rounds are asked for, as by runs with sanitizers
is_short() { [ "$(rounds 100)" -lt 100 ]; }

# silent_input: the named pipe "silent", from which nothing ever comes; open until the test ends
silent_input() {
    mkfifo silent
    exec 8<> silent
}

# as_before FILE...: `direct` holds what pm-count says of the files, standard input the same after a
# way through other filters.
as_before() {
    cat > through
    [ "$(wc -l < direct)" -ge $# ]
    paste direct through | awk -F '\t' -f "$BATS_TEST_DIRNAME/same_values.awk"
}

# stream LINE_OR_FILE...: a pm stream of files, and of lines that begin with %pm:
stream() {
    local x
    echo '%pm: stream 1'
    for x; do
        case $x in
        %pm:*) printf '%s\n' "$x" ;;
        *) cat "$x" ;;
        esac
    done
    echo '%pm: eof'
}

# has_output PID FILE: the program has written to FILE, which has no name yet
has_output() {
    local f
    for f in /proc/"$1"/fd/*; do
        [ -s "$f" ] || continue
        case $(readlink "$f") in
        "$PWD/$2".?????? | "$PWD"/*'(deleted)') return 0 ;;
        esac
    done
    return 1
}

# failing_library: $failing, a library that makes programs fail; tests/support/failing.c says how
failing_library() {
    failing=$BATS_FILE_TMPDIR/failing.so
    [ -e "$failing" ] || $CC -shared -fPIC -O1 -o "$failing" "$top_srcdir/tests/support/failing.c" -ldl
    LD_PRELOAD=$failing pm-count --version > version 2>&1 || skip "no LD_PRELOAD, as with sanitizers"
    rm version
}

# not_root COMMAND...: as a user with the rights of others only
not_root() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=54321 --clear-groups pm-count --version > /dev/null 2>&1 ||
            skip 'root, whom no permission binds'
        setpriv --reuid=54321 --clear-groups "$@"
    else
        "$@"
    fi
}
