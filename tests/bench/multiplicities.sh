#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Matrices with repeated rows and columns, or with repeated rows or columns only, complex and real, one
# thread: microseconds of the processor for a matrix, of pm-count with --row-times and --col-times and
# with the copies written out, and of piquasso, where PYTHON has it.  A batch of matrices is counted in
# one process, and the time of one alone is taken off.  The programs run in turn; the least of
# PM_BENCH_RUNS (3) is printed.
PYTHON=${PYTHON:-python3}
if ! "$PYTHON" -c 'import numpy' 2> /dev/null; then
    echo '# multiplicities: PYTHON has no NumPy'
    exit 0
fi
OMP_NUM_THREADS=1 exec "$PYTHON" "${srcdir:-.}/tests/bench/multiplicities.py" "$@"
