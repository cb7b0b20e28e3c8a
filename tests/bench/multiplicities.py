# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of multiplicities.sh.  Arguments: pairs DIFFERENTxCOPIES; none: a table of them."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

try:
    from piquasso._math.permanent import permanent
except ImportError:
    permanent = None
    print("# multiplicities: PYTHON has no piquasso")

PAIRS = "2x2 2x5 3x3 4x4 6x2 6x3 8x2 8x3 8x5 12x2 10x4 12x3 16x2".split()
BEST_OF = 3


def best(call):
    seconds = []
    for _ in range(BEST_OF):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def ours(folder, matrices, options):
    """Seconds a matrix, beyond the first one."""

    def run(count):
        path = os.path.join(folder, "matrices.npy")
        np.save(path, matrices[:count])
        command = ["pm-count", "-q", "-t", "1", "--max-cost=1e6", *options, path]
        return best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))

    return (run(len(matrices)) - run(1)) / (len(matrices) - 1)


def theirs(matrices, times):
    if permanent is None:
        return float("nan")
    permanent(matrices[0], times, times)
    return best(lambda: [permanent(a, times, times) for a in matrices]) / len(matrices)


def terms(n, copies):
    """About the terms of repeated: half of all."""
    return ((copies + 1) ** n + 1) // 2


def main():
    rng = np.random.default_rng(1)
    print("# different x copies\tterms\ttimes, us\tcopies, us\tpiquasso, us\tratio")
    with tempfile.TemporaryDirectory() as folder:
        for pair in sys.argv[1:] or PAIRS:
            n, copies = map(int, pair.split("x"))
            count = int(min(2000, max(3, 1e6 / (terms(n, copies) * n * 1e-2 + 20))))
            shape = (count, n, n)
            matrices = rng.normal(size=shape) + 1j * rng.normal(size=shape)
            times = np.full(n, copies)
            written_out = np.kron(matrices, np.ones((1, copies, copies)))
            text = ",".join(map(str, times))
            given = ours(folder, matrices, ["--row-times=" + text, "--col-times=" + text])
            found = ours(folder, written_out, [])
            peer = theirs(matrices, times)
            figures = [1e6 * x for x in (given, found, peer)] + [peer / given]
            print(pair, terms(n, copies), *("%.3g" % x for x in figures), sep="\t", flush=True)


main()
