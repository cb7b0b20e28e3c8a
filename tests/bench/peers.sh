#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pm-count beside other programs that compute permanents (peers.py lists them): real, complex, 0/1 and
# integer matrices, one core.  PYTHON: the interpreter to use, with NumPy and the peers that are to be
# measured; those that it does not have are named and skipped.  PM_BENCH_CASE: only this kind of matrix.
python=${PYTHON:-python3}
here=$(dirname "$0")
if ! "$python" -c 'import numpy' 2> /dev/null; then
    echo '# peers: no Python 3 with NumPy'
    exit 0
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 "$python" "$here/peers.py" "$scratch"
