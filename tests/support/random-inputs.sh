#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random inputs, made and judged by a program in Python.  In "make check" they are always the same; "make
# check-expensive" takes new ones.  After tap.sh.  PYTHON: the interpreter to use.

# random_inputs NAME FEW MANY WHAT PROGRAM [ARGUMENT...]: passes when PROGRAM prints nothing to standard output and its
# exit status is 0.  It is run with the number of inputs, FEW or in "make check-expensive" MANY, times PM_TEST_ROUNDS, but 20 at least; the seed;
# and the arguments.  WHAT: the inputs, for the comment with the seed.
random_inputs()
{
    ri_name=$1 ri_count=${PM_EXPENSIVE:+$3} ri_python=${PYTHON:-python3}
    ri_count=$(awk -v n="${ri_count:-$2}" -v r="${PM_TEST_ROUNDS:-1}" \
        'BEGIN { printf "%d", n * r < 20 ? 20 : n * r }')
    ri_seed=${PM_TEST_SEED:-${PM_EXPENSIVE:+$(date +%s)}}
    ri_seed=${ri_seed:-1} ri_what=$4 ri_program=$5
    shift 5
    if ! command -v "$ri_python" > /dev/null; then
        skip "$ri_name" "no python3"
        return
    fi
    echo "# seed $ri_seed, $ri_count $ri_what"
    ri_status=0
    { # standard error of the program is standard output of the test
        ri_output=$(PYTHONDONTWRITEBYTECODE=1 "$ri_python" "$ri_program" "$ri_count" "$ri_seed" "$@" 2>&3) || ri_status=$?
    } 3>&1
    test "$ri_status" -eq 0 || ri_output="$ri_output
exit status $ri_status"
    empty "$ri_name" "$ri_output"
}
