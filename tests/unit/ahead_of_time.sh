#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kernel that the build compiles ahead of time, for every architecture, one test each; part of
# "make check-kernels".  For most of them the build has compiled it already; of the others each kernel takes
# the next one in turn.
. "${srcdir:?}/tests/support/tap.sh"

architectures='75 80 86 89 90 100 120'
if test -z "${NVCC-}"; then
    skip "kernels ahead of time" "there is no nvcc"
    done_testing
    exit
fi
codes=" $("$NVCC" --list-gpu-code | tr '\n' ' ')"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# is_in_build ARCHITECTURE
is_in_build()
{
    case "${NVCC_CODE-} " in
    *"code=sm_$1 "*) true ;;
    *) false ;;
    esac
}

# compiled_by_build TEXT ARCHITECTURE
compiled_by_build()
{
    if test -s "${1%.cu}.fatbin"; then
        pass "$1: sm_$2, by the build"
    else
        fail "$1: sm_$2" "there is no ${1%.cu}.fatbin"
    fi
}

# compile TEXT ARCHITECTURE
compile()
{
    case $codes in
    *" sm_$2 "*) ;;
    *) skip "$1: sm_$2" "this nvcc does not know it"; return ;;
    esac
    if out=$("$NVCC" -cubin -w -std=c++17 --fmad=false -arch="sm_$2" -o "$scratch/cubin" "$1" 2>&1)
    then
        pass "$1: sm_$2"
    else
        fail "$1: sm_$2" "$out"
    fi
}

others=
for architecture in $architectures; do
    is_in_build "$architecture" || others="$others $architecture"
done
# shellcheck disable=SC2086 # a list of words
set -- $others
for text in ${AHEAD_OF_TIME:?}; do
    for architecture in $architectures; do
        if is_in_build "$architecture"; then
            compiled_by_build "$text" "$architecture"
        fi
    done
    if test $# -gt 0; then
        compile "$text" "$1"
        next=$1
        shift
        set -- "$@" "$next"
    fi
done
done_testing
