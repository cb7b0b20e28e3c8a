# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact permanents of fractions: pm-count --precision=exact beside Ryser's formula with the rationals and the balls of FLINT,
and matpermanent of PARI.

python3 exact_peers.py MOST    pm-count in the PATH, python-flint installed, and gp if PARI is to be compared; n = 10, 12, ... MOST.
Columns: n, bits of the answer, seconds of the processor: pm-count (a whole process), FLINT's rationals, its balls of 128 bits, PARI
(within their processes; 0: not run)."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import flint


def ryser(a, number):
    """In Gray code order, a list of rows of fractions."""
    n = len(a)
    columns = [[number(row[j]) for row in a] for j in range(n)]
    sums = [number(0)] * n
    total = number(0)
    subset = 0
    for k in range(1, 1 << n):
        j = (k & -k).bit_length() - 1
        subset ^= 1 << j
        column = columns[j]
        if subset >> j & 1:
            sums = [s + x for s, x in zip(sums, column)]
        else:
            sums = [s - x for s, x in zip(sums, column)]
        product = sums[0]
        for s in sums[1:]:
            product = product * s
        total = total - product if (n - bin(subset).count("1")) & 1 else total + product
    return total


def count(path, *options):
    """The answer and the processor seconds of the best of three runs."""
    best = None
    for _ in range(3):
        before = os.times()
        done = subprocess.run(["pm-count", "-t", "1", "--from=dense", *options, path], capture_output=True,
                              text=True, check=True)
        after = os.times()
        seconds = after.children_user - before.children_user + after.children_system - before.children_system
        best = seconds if best is None else min(best, seconds)
    return done.stdout.strip(), best


def pari(a):
    """The answer and the processor seconds of matpermanent."""
    rows = ";".join(",".join(str(x) for x in row) for row in a)
    script = f"a=[{rows}];gettime();p=matpermanent(a);t=gettime();print(p);print(t);"
    done = subprocess.run(["gp", "-q", "-f", "--default", "parisizemax=1G"], input=script, capture_output=True, text=True, check=True)
    answer, milliseconds = done.stdout.split()
    p, _, q = answer.partition("/")
    return flint.fmpq(int(p), int(q or 1)), int(milliseconds) / 1000


def timed(function, *arguments):
    before = time.process_time()
    value = function(*arguments)
    return value, time.process_time() - before


def main():
    most = int(sys.argv[1])
    flint.ctx.prec = 128
    print("# n\tbits\tpm-count\trationals\tballs\tPARI")
    for n in range(10, most + 1, 2):
        rng = random.Random(n)
        a = [[flint.fmpq(rng.randint(-99, 99), rng.randint(1, 99)) for _ in range(n)] for _ in range(n)]
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            for row in a:
                print(*row, file=file)
            file.flush()
            answer, seconds = count(file.name, "--precision=exact")
        p, _, q = answer.partition("/")
        ours = flint.fmpq(int(p), int(q or 1))
        rationals = balls = gp = 0
        if n <= 16:
            value, rationals = timed(ryser, a, flint.fmpq)
            assert value == ours, n
            ball, balls = timed(ryser, a, flint.arb)
            assert ball.contains(flint.arb(ours)) or ball.overlaps(flint.arb(ours)), n
        if shutil.which("gp"):
            value, gp = pari(a)
            assert value == ours, n
        print(n, int(p).bit_length(), f"{seconds:.3f}", f"{rationals:.2f}", f"{balls:.2f}", f"{gp:.3f}", sep="\t", flush=True)


main()
