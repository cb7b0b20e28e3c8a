#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The most memory that programs use for a large pattern with short rows: at most 24 bytes an edge beside that of a program.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
if ! python3 -c 'import resource, sys; sys.exit(sys.platform != "linux")' 2> "$scratch/why"; then
    skip "peaks of memory" "no Python with Linux's units of memory"
    done_testing
    exit 0
fi
rows=600000 edges=2400000 program_bytes=6291456
./pm-gen --seed=1 regular $rows 4 > "$scratch/graph" || exit 99

# peak PROGRAM OPTION...: KiB
peak()
{
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

for program in 'pm-approx --bounds' 'pm-order --scale'; do
    # shellcheck disable=SC2086 # a program and its options
    all=$(peak ./$program -t 2 "$scratch/graph")
    if [ -n "$all" ] && [ $((all * 1024)) -le $((24 * edges + program_bytes)) ]; then
        pass "$program: at most 24 bytes an edge"
    else
        fail "$program: at most 24 bytes an edge" "$all KiB for $edges edges"
    fi
done
done_testing
