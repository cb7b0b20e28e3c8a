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
