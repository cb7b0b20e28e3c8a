#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Documents whose commands are run and compared with what they show: after tap.sh, ". transcript.sh", then
# replay FILE.
#
# A block is indented by four spaces.  A line "$ COMMAND" begins a command, which goes on after a line that ends
# with \, and up to the end of a here-document.  The other lines are what the command prints, on both outputs.
# A block without a command is not run.  A line "<!-- needs TOOL ... -->" before a block says what it needs.
# All commands of a document run in one empty folder, in their order.

# commands FOLDER < FILE: N.command, N.wanted and N.needs for the Nth command, all of them files of the folder
commands()
{
    awk -v folder="$1" '
        function file(kind) { return sprintf("%s/%04d.%s", folder, count, kind) }
        function command(text) { print text > file("command"); continued = text ~ /\\$/ }

        /^<!-- needs .* -->$/ { needs = $0; gsub(/<!-- needs | -->/, "", needs); next }
        end != "" || /^    / {
            text = substr($0, 5)
            if (end != "") { command(text); continued = 0; if (text == end) end = "" }
            else if (continued) command(text)
            else if (text ~ /^\$ /) {
                ++count
                command(substr(text, 3))
                printf "%s\n", needs > file("needs")
                printf "" > file("wanted")
                if (match(text, /<< *[^ ]*[A-Z]+/)) {
                    end = substr(text, RSTART, RLENGTH)
                    gsub(/[^A-Z]/, "", end)
                }
                shown = 1
            } else if (shown) print text > file("wanted")
            inside = 1
            next
        }
        inside { inside = shown = continued = 0; needs = "" }
        END { if (end != "" || continued) print "the last command has no end" }'
}

# there TOOL: whether it is
there()
{
    case $1 in
    numpy) python3 -c 'import numpy' 2> /dev/null ;;
    igraph) test -x "${PM_LIBEXEC:?}/pm-igraph-read" ;;
    planarity) pm-count --version | grep -q '^planar graphs: lib' ;;
    *) command -v "$1" > /dev/null ;;
    esac
}

# missing TOOL...: the first of them that is not there; each is looked for once
missing()
{
    for tool; do
        if ! test -e "$folder/tool.$tool"; then
            if there "$tool"; then echo yes; else echo no; fi > "$folder/tool.$tool"
        fi
        test "$(cat "$folder/tool.$tool")" = yes || { echo "$tool"; return; }
    done
}

# Predicted seconds are those of the vector unit at hand.
without_seconds()
{
    sed 's/about [0-9.e-]* seconds/about SOME seconds/' "$1"
}

# replay FILE: a test for each command of the document
replay()
{
    folder=$(mktemp -d) || exit 99
    trap 'rm -rf "$folder"' EXIT
    mkdir "$folder/work" "$folder/bin"
    unset PYTHONUNBUFFERED # not set where users are, and np.save into a pipe depends on it
    if test -n "${PYTHON-}"; then
        printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$PYTHON")" > "$folder/bin/python3"
        chmod +x "$folder/bin/python3"
        PATH=$folder/bin:$PATH
    fi
    empty "${1##*/}: every command has an end" "$(commands "$folder" < "$1")"
    test -e "$folder/0001.command" || fail "${1##*/} shows commands"
    for command in "$folder"/*.command; do
        base=${command%.command}
        name="${1##*/}: $(head -n 1 "$command" | tr '#' ' ')"
        # shellcheck disable=SC2046 # words
        tool=$(missing $(cat "$base.needs"))
        if test -n "$tool"; then
            skip "$name" "no $tool"
            continue
        fi
        (cd "$folder/work" && sh "$command") < /dev/null > "$base.printed" 2>&1
        # what ends without a line feed is shown as a line
        test -z "$(tail -c 1 "$base.printed")" || echo >> "$base.printed"
        without_seconds "$base.wanted" > "$base.a"
        without_seconds "$base.printed" > "$base.b"
        empty "$name" "$(diff "$base.a" "$base.b")"
    done
}
