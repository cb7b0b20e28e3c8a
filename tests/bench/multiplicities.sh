#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Complex matrices with repeated rows and columns, one thread: microseconds a matrix of pm-count, with
# --row-times and --col-times and with the copies written out, and of piquasso, where PYTHON has it.
# A batch of matrices is counted in one process, and the time of one alone is taken off.
PYTHON=${PYTHON:-python3}
if ! "$PYTHON" -c 'import numpy' 2> /dev/null; then
    echo '# multiplicities: PYTHON has no NumPy'
    exit 0
fi
OMP_NUM_THREADS=1 exec "$PYTHON" "${srcdir:-.}/tests/bench/multiplicities.py" "$@"
