# SPDX-License-Identifier: GPL-3.0-or-later
"""Hafnians and loop hafnians beside thewalrus and piquasso.

python3 hafnian_peers.py [MOST]    pm-count in the PATH, numpy and the peers installed (those that are not are left out);
n = 4, 8, ... MOST (24), then vertices with copies.
Symmetric matrices of normal numbers.  Columns: n, kind, then microseconds of the processor for one matrix and the digits that are
right, of pm-count and each peer.  pm-count: a file of many matrices less that of one, with reading and printing; its digits are
proved.  A peer: calls in this process; its digits are those that agree with pm-count.  "-": not run."""

import math
import os
import resource
import subprocess
import sys
import tempfile
import time

for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before the peers are imported

import numpy

TIMES = 3


def peers():
    """Name, and the functions for hafnians and loop hafnians, and for those of vertices with copies."""
    found = []
    try:
        import thewalrus
        found.append(("thewalrus", thewalrus.hafnian, lambda a: thewalrus.hafnian(a, loop=True),
                      thewalrus.hafnian_repeated,
                      lambda a, times: thewalrus.hafnian_repeated(a, times, loop=True)))
    except ImportError:
        print("# thewalrus is not installed")
    try:
        from piquasso._math import hafnian

        def ones(a):
            return numpy.ones(len(a), dtype=int)

        found.append(("piquasso", lambda a: hafnian.hafnian_with_reduction(a, ones(a)),
                      lambda a: hafnian.loop_hafnian_with_reduction(a, numpy.diag(a), ones(a)),
                      hafnian.hafnian_with_reduction,
                      lambda a, times: hafnian.loop_hafnian_with_reduction(a, numpy.diag(a), times)))
    except ImportError:
        print("# piquasso is not installed")
    return found


def matrices(n, kind, count):
    rng = numpy.random.default_rng(n)
    a = rng.normal(size=(count, n, n))
    if kind.startswith("complex"):
        a = a + 1j * rng.normal(size=(count, n, n))
    return (a + a.transpose(0, 2, 1)) / 2


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(path, options):
    before = children_seconds()
    done = subprocess.run(["pm-count", "-q", "-t", "1", "--graph", *options, path], capture_output=True, text=True, check=True)
    return children_seconds() - before, done.stdout


def ours(a, kind, times=None):
    """Microseconds for a matrix, the first answer, its digits."""
    options = ["--loops"] if kind.endswith("loops") else []
    if times is not None:
        options.append("--vertex-times=" + ",".join(map(str, times)))
    with tempfile.TemporaryDirectory() as folder:
        many, one = os.path.join(folder, "many.npy"), os.path.join(folder, "one.npy")
        numpy.save(many, a)
        numpy.save(one, a[:1])
        # in turn, so that both see the same load
        runs = [(run(many, options), run(one, options)) for _ in range(TIMES)]
    seconds = min(r[0][0] for r in runs) - min(r[1][0] for r in runs)
    *parts, error = (float(x) for x in runs[0][1][1].split())
    value = complex(*parts)
    return seconds / (len(a) - 1) * 1e6, value, digits(error / abs(value))


def digits(relative):
    return int(-math.log10(relative)) if relative > 0 else 16


def timed(function, a):
    """Microseconds of a call, the least of some; the first value."""
    value = function(a[0])  # compiles, where it does
    best = math.inf
    for _ in range(TIMES):
        calls, before = 0, time.process_time()
        while time.process_time() - before < 0.05:
            function(a[calls % len(a)])
            calls += 1
        best = min(best, (time.process_time() - before) / calls)
    return best * 1e6, value


KINDS = ("real", "real, loops", "complex", "complex, loops")


def compare(others, name, kind, a, times, peers_too=True):
    """A row: name, kind, then microseconds and digits of pm-count and of each peer."""
    microseconds, value, right = ours(a, kind, times)
    line = [name, kind, f"{microseconds:.3g}", right]
    for _, *functions in others:
        function = functions[(2 if times is not None else 0) + kind.endswith("loops")]
        if not peers_too:
            line += ["-", "-"]
            continue
        theirs, x = timed(function if times is None else lambda a: function(a, times), a)
        line += [f"{theirs:.3g}", digits(abs(x - value) / abs(value))]
    print(*line, sep="\t", flush=True)


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    others = peers()
    print("# n\tkind\tpm-count\tdigits" + "".join(f"\t{name}\tdigits" for name, *_ in others))
    for n in range(4, most + 1, 4):
        for kind in KINDS:
            a = matrices(n, kind, 20000 if n <= 8 else 2000 if n <= 12 else 200 if n < 24 else 41)
            compare(others, n, kind, a, None, n <= 28)
    print("# vertices x copies")
    for n, copies in ((8, 2), (8, 4), (12, 2), (8, 6), (4, 10), (2, 20)):
        for kind in KINDS:
            a = matrices(n, kind, 2000 if n * copies <= 20 or n < 8 else 200)
            compare(others, f"{n} x {copies}", kind, a, numpy.full(n, copies))


main()
