#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What every program does alike, for each program that is installed: help, version, misuse, and
# the same options in the help, the manual page and the completion.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# run WANTED_STATUS COMMAND...: says what is wrong, if anything
run()
{
    wanted=$1
    shift
    "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    got=$?
    test $got -eq "$wanted" || echo "$*: exit status $got instead of $wanted: $(cat "$scratch/err")"
}

no_stderr()
{
    test ! -s "$scratch/err" || echo "on standard error: $(cat "$scratch/err")"
}

help_is_good()
{
    run 0 "$1" --help
    no_stderr
    head -n 1 "$scratch/out" | grep -q "^Usage: $1 " || echo "the first line is no usage line"
    awk 'length($0) > 79 { print "line " NR " is longer than 79 characters: " $0 }' "$scratch/out"
    test "$(tail -n 1 "$scratch/out")" = "Report bugs ${BUG_REPORT:?}" || echo "the last line is not about bugs"
    for word in 'Exit status' 'Example'; do
        grep -q -i "^$word" "$scratch/out" || echo "there is no paragraph '$word'"
    done
}

short_options_are_good()
{
    for pair in '-h --help' '-V --version'; do
        test "$("$1" "${pair% *}" 2>&1)" = "$("$1" "${pair#* }" 2>&1)" || echo "$pair differ"
    done
}

version_is_good()
{
    run 0 "$1" --version
    no_stderr
    first=$(head -n 1 "$scratch/out")
    test "$first" = "$1 $VERSION" || echo "the first line is '$first'"
    grep -q '^CUDA: ' "$scratch/out" || echo "nothing is said of CUDA"
}

misuse_is_good()
{
    run 64 "$1" --no-such-option
    test ! -s "$scratch/out" || echo "there is something on standard output"
    grep -q "Try '$1 --help'" "$scratch/err" || echo "the help is not pointed to"
}

full_disk_is_good()
{
    for option in --help --version; do
        (run 74 sh -c "$1 $option > /dev/full")
        grep -q "^$1: " "$scratch/err" || echo "no message"
    done
}

# The programs start fast because they load little; what sanitizers add is not counted.
# Those that ask for plans may also need what counts planar graphs.
foreign_libraries()
{
    case $1 in
    pm-count | pm-decompose) allowed='^lib(planarity|metis)[.]' ;;
    pm-approx) allowed='^lib(planarity|metis|gsl|gslcblas)[.]' ;;
    *) allowed='^$' ;;
    esac
    readelf -d "$top_builddir/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v \
        -e '^libc\.' -e '^libm\.' -e '^libgmp\.' -e '^libz\.' -e '^libgomp\.' -e '^libomp\.' \
        -e '^ld-linux' -e '^libgcc_s\.' -e '^libasan\.' -e '^libubsan\.' -e '^libpthread\.' \
        -e '^libdl\.' -e '^librt\.' | grep -v -E -e "$allowed"
}

# ---- options: one a line, "-x" or "--long", sorted ----

# First column of the help's option lines: "  -j, --json   text", "      --from=FORMAT  text"
help_options()
{
    "$1" --help | sed -n 's/^ \{1,8\}\(-.*\)$/\1/p' | sed 's/   *.*//' \
        | grep -o -e '--*[A-Za-z][A-Za-z0-9-]*' | sort -u
}

# ".It Fl j , Fl -json" and ".It Fl -from Ns = Ns Ar format" of the page
page_options()
{
    sed -n 's/^\.It Fl/Fl/p' "$1" | grep -o -e 'Fl [A-Za-z0-9-]*' | sed 's/^Fl /-/' | sort -u
}

# What the completion offers after "--"
# shellcheck disable=SC2016 # bash expands it
completion_options()
{
    "$BASH_SHELL" -c '
        . "$2"
        function_of() { complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/"; }
        COMP_WORDS=("$1" "--") COMP_CWORD=1 COMP_LINE="$1 --" COMP_POINT=$((${#1} + 3))
        compopt() { :; }
        "$(function_of "$1")" "$1" -- "$1"
        printf "%s\n" "${COMPREPLY[@]}"' - "$1" "$2" | sed 's/[= ]*$//' | sort -u
}

# The pictures that the completion offers after "--draw=", without the extended patterns of bash
# shellcheck disable=SC2016 # bash expands it
completion_pictures()
{
    mkdir -p "$scratch/pictures" && touch "$scratch/pictures/a.svg" "$scratch/pictures/b.png" "$scratch/pictures/c.txt"
    "$BASH_SHELL" -c '
        shopt -u extglob
        . "$2"
        cd "$3" || exit
        function_of() { complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/"; }
        COMP_WORDS=("$1" --draw =) COMP_CWORD=2 COMP_LINE="$1 --draw=" COMP_POINT=$((${#1} + 8))
        compopt() { :; }
        "$(function_of "$1")" "$1" = --draw
        printf "%s\n" "${COMPREPLY[@]}"' - "$1" "$2" "$scratch/pictures" | sort | tr '\n' ' '
}

pictures_are_good()
{
    offered=$(completion_pictures "$1" "$(cd "$srcdir" && pwd)/completions/$1")
    test "$offered" = 'a.svg b.png ' || echo "offered: $offered"
}

compare()
{
    diff "$scratch/help" "$scratch/other" | sed -n "s/^</only in the help: /p; s/^>/only in $1: /p"
}

for p in ${PROGRAMS:?}; do
    page=$srcdir/man/$p.1
    completion=$srcdir/completions/$p
    empty "$p --help" "$(help_is_good "$p")"
    empty "$p --version" "$(version_is_good "$p")"
    empty "$p -h and -V" "$(short_options_are_good "$p")"
    empty "$p with an unknown option" "$(misuse_is_good "$p")"
    if test -c /dev/full; then
        empty "$p --help to a full disk" "$(full_disk_is_good "$p")"
    else
        skip "$p --help to a full disk" "no /dev/full"
    fi

    if command -v readelf > /dev/null; then
        empty "$p needs no other libraries than it should" "$(foreign_libraries "$p")"
    else
        skip "$p needs no other libraries than it should" "no readelf"
    fi

    help_options "$p" > "$scratch/help"
    if test "$(grep -c . "$scratch/help")" -lt 4; then
        fail "$p: options in the help" "$(cat "$scratch/help")"
    else
        pass "$p: options in the help"
    fi
    page_options "$page" > "$scratch/other"
    empty "$p: options of the help and the manual page" "$(compare 'the manual page')"
    if test "$BASH_SHELL" = :; then
        skip "$p: options of the help and the completion" "no bash"
    else
        grep -e '^--' "$scratch/help" > "$scratch/long"
        mv "$scratch/long" "$scratch/help"
        completion_options "$p" "$completion" > "$scratch/other"
        empty "$p: options of the help and the completion" "$(compare 'the completion')"
        if grep -q -e '^--draw' "$scratch/help"; then
            empty "$p: pictures that the completion offers" "$(pictures_are_good "$p")"
        fi
    fi
done
done_testing
