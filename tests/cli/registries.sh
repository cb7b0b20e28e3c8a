#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The names of algorithms, samplers, orders, formats and families: those that the programs take are
# those of their lists, help, manual pages and completions, no more and no fewer.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# All functions below print names, one a line, sorted.

# listed PROGRAM [CONDITION]: the first column of --list, where awk's CONDITION holds
listed()
{
    "$1" --list | grep -v '^#' | awk -F '\t' "${2:-1}"' { print $1 }' | sort -u
}

# offered PROGRAM OPTION: what the message says for a name that there is not
offered()
{
    "$1" "$2=no-such-name" /dev/null 2>&1 | sed -n "s/.* is not one of \(.*\)\. Try '.*/\1/p" \
        | sed 's/, */\n/g' | sort -u
}

# page PROGRAM START: ".It Cm NAME , NAME" of the first list after the line START of the page
page()
{
    awk -v start="$2" '
        $0 == start { inside = 1 }
        inside && /^\.Bl/ { ++depth }
        inside && /^\.El/ && --depth == 0 { exit }
        inside && sub(/^\.It Cm /, "") { print }' "$srcdir/man/$1.1" \
        | sed 's/ , /\n/g' | sed 's/ .*//' | sort -u
}

# helped PROGRAM OPTION: "OPTION=NAME  one, two (default) or three"
helped()
{
    "$1" --help | awk -v option="$2=" '
        /^ *-/ { inside = index($0, option) > 0; sub(/^ *-[^ ]* */, "") }
        inside { gsub(/ \(default\)/, ""); gsub(/ or /, ", "); gsub(/, */, "\n"); print }' \
        | sed 's/^ *//' | grep . | sort -u
}

# paragraph OPTION: the words of what a help says of it
paragraph()
{
    awk -v option="$1=" '/^ *-/ { inside = index($0, option) > 0 } inside' | grep -o -e '[a-z0-9-]*' | sort -u
}

# completed PROGRAM WORD PREVIOUS: what the completion offers for WORD after PREVIOUS
# shellcheck disable=SC2016 # bash expands it
completed()
{
    "$BASH_SHELL" -c '
        . "$4"
        compopt() { :; }
        COMP_WORDS=("$1" "$3" "$2") COMP_CWORD=1
        function_of() { complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/"; }
        "$(function_of "$1")" "$1" "$2" "$3"
        printf "%s\n" "${COMPREPLY[@]}"' - "$1" "$2" "$3" "$srcdir/completions/$1" | sort -u
}

# same NAME WANTED GOT: two files of names
same()
{
    if test "$(grep -c . "$2")" -lt 3; then
        fail "$1" "only $(grep -c . "$2") names are known"
    else
        empty "$1" "$(diff "$2" "$3" | sed -n 's/^</missing: /p; s/^>/too many: /p')"
    fi
}

# same_completion NAME WANTED PROGRAM WORD PREVIOUS
same_completion()
{
    if test "${BASH_SHELL:?}" = :; then
        skip "$1" "no bash"
    else
        completed "$3" "$4" "$5" > "$scratch/got"
        same "$1" "$2" "$scratch/got"
    fi
}

with_auto()
{
    { echo auto; cat "$1"; } | sort -u > "$scratch/auto"
    echo "$scratch/auto"
}

# refused PROGRAM OPTION NAMES...: names that the option does not take
refused()
{
    program=$1 option=$2
    shift 2
    for name; do
        "$program" "$option=$name" --list > /dev/null 2>&1 || echo "$option=$name"
    done
}

listed pm-count > "$scratch/algorithms"
listed pm-count '$2 == "cuda"' > "$scratch/kernels"
listed pm-approx > "$scratch/samplers"
listed pm-approx '$4 != "-"' > "$scratch/sampler-kernels"
listed pm-gen > "$scratch/families"
offered pm-order --method > "$scratch/orders"
offered pm-count --from > "$scratch/formats"

page pm-count '.Ss Method' > "$scratch/page"
same "algorithms in the manual page" "$scratch/algorithms" "$scratch/page"
page pm-count '.Ss GPUs' > "$scratch/page"
same "algorithms for GPUs in the manual page" "$scratch/kernels" "$scratch/page"
same_completion "algorithms in the completion" "$(with_auto "$scratch/algorithms")" \
    pm-count '' --algorithm
# shellcheck disable=SC2046 # names have no blanks
empty "--algorithm takes the names of the list, and auto" \
    "$(refused pm-count --algorithm auto $(cat "$scratch/algorithms"))"

page pm-approx '.It Fl -method Ns = Ns Ar NAME' > "$scratch/page"
same "samplers in the manual page" "$scratch/samplers" "$scratch/page"
page pm-approx '.Ss GPUs' > "$scratch/page"
same "samplers for GPUs in the manual page" "$scratch/sampler-kernels" "$scratch/page"
same_completion "samplers in the completion" "$(with_auto "$scratch/samplers")" \
    pm-approx '' --method
# shellcheck disable=SC2046 # names have no blanks
empty "--method takes the names of the list, and auto" \
    "$(refused pm-approx --method auto $(cat "$scratch/samplers"))"

page pm-order '.It Fl -method Ns = Ns Ar NAME' > "$scratch/page"
same "orders in the manual page" "$scratch/orders" "$scratch/page"
helped pm-order --method > "$scratch/help"
same "orders in the help" "$scratch/orders" "$scratch/help"
same_completion "orders in the completion" "$scratch/orders" pm-order '' --method

page pm-gen '.Sh FAMILIES' > "$scratch/page"
same "families in the manual page" "$scratch/families" "$scratch/page"
same_completion "families in the completion" "$scratch/families" pm-gen '' pm-gen

page pm-count '.Ss Inputs' > "$scratch/page"
same "formats in the manual page" "$scratch/formats" "$scratch/page"
for p in ${PROGRAMS:?}; do
    "$p" --help | grep -q -e '--from=' || continue
    offered "$p" --from > "$scratch/got"
    same "formats of $p" "$scratch/formats" "$scratch/got"
    empty "formats in the help of $p" "$("$p" --help | paragraph --from | comm -13 - "$scratch/formats")"
    same_completion "formats in the completion of $p" "$scratch/formats" "$p" '' --from
done

for p in pm-count pm-approx; do
    offered "$p" --table > "$scratch/columns"
    same_completion "columns of --table in the completion of $p" "$scratch/columns" "$p" '' --table
    sed 's/^/name,value,/' "$scratch/columns" > "$scratch/longer"
    same_completion "columns after a comma in the completion of $p" "$scratch/longer" \
        "$p" name,value, --table
done
done_testing
