# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of multiplicities.sh.  Arguments: cases DIFFERENTxCOPIES; none: a table of them."""

import os
import resource
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

SMALL = [f"{n}x{copies}" for n in range(2, 9) for copies in range(1, 6)]
LARGE = "12x2 10x4 12x3 16x2".split()
BEST_OF = int(os.environ.get("PM_BENCH_RUNS", "3"))


def children():
    """Seconds of the processor that the programs run so far have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(path, options):
    """Seconds of the processor of one run."""
    before = children()
    command = ["pm-count", "-q", "-t", "1", "--max-cost=1e6", *options, path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return children() - before


def peer(matrices, row_times, col_times):
    """Seconds of the processor that piquasso takes for a matrix."""
    if permanent is None:
        return float("nan")
    before = time.process_time()
    for a in matrices:
        permanent(a, row_times, col_times)
    return (time.process_time() - before) / len(matrices)


def terms(n, copies):
    """About the terms of repeated: half of all."""
    return ((copies + 1) ** n + 1) // 2


def save(folder, name, matrices, is_real):
    path = os.path.join(folder, name + ".npy")
    np.save(path, matrices.real.copy() if is_real else matrices)
    return path


def text(times):
    return ",".join(map(str, times))


def measure(folder, field, place, n, copies, rng):
    """Least microseconds a matrix of several runs in turn: with multiplicities, with copies written
    out (if there are at most 20 rows), and of piquasso."""
    shape = {"both": (n, n), "rows": (n, n * copies), "columns": (n * copies, n)}[place]
    size = terms(n, copies) * shape[0] * shape[1] / n
    count = int(min(2000, max(4, 2e5 / (size * 1e-2 + 100))))
    matrices = rng.normal(size=(count, *shape)) + 0j
    if field == "complex":
        matrices += 1j * rng.normal(size=matrices.shape)
    row_times = np.full(shape[0], 1 if place == "columns" else copies)
    col_times = np.full(shape[1], 1 if place == "rows" else copies)
    options = ["--row-times=" + text(row_times), "--col-times=" + text(col_times)]
    many = save(folder, "many", matrices, field == "real")
    one = save(folder, "one", matrices[:1], field == "real")
    runs = [(many, options), (one, options)]
    if n * copies <= 20:
        written_out = np.repeat(np.repeat(matrices, row_times, axis=1), col_times, axis=2)
        runs += [(save(folder, "copies", written_out, field == "real"), [])]
    theirs = matrices[: max(1, min(count, int(3e4 / (size * 5e-2 + 100))))]
    if place == "columns":  # its cheaper side
        theirs = np.ascontiguousarray(theirs.transpose(0, 2, 1))
        row_times, col_times = col_times, row_times
    best = [float("inf")] * 4
    for _ in range(BEST_OF):
        seconds = [run(*r) for r in runs] + [float("nan")] * (3 - len(runs))
        seconds.append(peer(theirs, row_times, col_times))
        best = [b if b < s else s for b, s in zip(best, seconds)]
    each = [(best[k] - best[1]) / (count - 1) for k in (0, 2)] + [best[3]]
    return [1e6 * x for x in each]


def main():
    rng = np.random.default_rng(1)
    print("# field\trepeated\tdifferent x copies\tterms\ttimes, us\tcopies, us\tpiquasso, us\tratio")
    cases = sys.argv[1:] or SMALL + LARGE
    with tempfile.TemporaryDirectory() as folder:
        for field in ("complex", "real"):
            for place in ("both", "rows", "columns"):
                for case in cases:
                    n, copies = map(int, case.split("x"))
                    if place != "both" and (copies == 1 or case in LARGE):
                        continue
                    each = measure(folder, field, place, n, copies, rng)
                    figures = ["%.3g" % x for x in each + [each[2] / each[0]]]
                    print(field, place, case, terms(n, copies), *figures, sep="\t", flush=True)


main()
