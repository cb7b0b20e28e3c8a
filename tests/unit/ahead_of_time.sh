#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kernel that the build compiles ahead of time, for every architecture, one test each; part of
# "make check-kernels".  For most of them the build has compiled it already; the others are compiled here.
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

# is_built TEXT ARCHITECTURE
is_built()
{
    case "${NVCC_CODE-} " in
    *"code=sm_$2 "*) test -s "${1%.cu}.fatbin" ;;
    *) false ;;
    esac
}

# compile TEXT ARCHITECTURE
compile()
{
    if is_built "$1" "$2"; then
        pass "$1: sm_$2, by the build"
        return
    fi
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

for text in ${AHEAD_OF_TIME:?}; do
    for architecture in $architectures; do
        compile "$text" "$architecture"
    done
done
done_testing
