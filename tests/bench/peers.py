# SPDX-License-Identifier: GPL-3.0-or-later
"""peers.py FOLDER: microseconds a matrix of pm-count and of other programs, one core.

stream: pm-count on one array of many matrices, without start-up; single: the whole process on one
matrix.  Peers compute in this process, one call a matrix.  Start-up, of pm-count and of a Python
that imports NumPy and the peer, is in lines of its own.  Seconds are those of the processor.  All run
by turns, and the fastest of ROUNDS rounds counts.  "-": not for these numbers, or longer than
LONGEST seconds; "wrong": the answer is not that of pm-count.  Exact answers must be equal, others
may differ by the printed error of pm-count and by TOLERANCE of the root mean square of the
permanents of the same matrix with random signs, sqrt(per(A o conj A)).

FLINT, PARI and Graphillion are exact; exqalibur counts integers modulo 2^64.  The exit status is 1
when an answer of FLINT or PARI is not that of pm-count.  NumPy and SciPy have no permanent."""

import ctypes
import glob
import importlib.metadata
import math
import os
import resource
import shutil
import subprocess
import sys
import time

import numpy

ROUNDS = 7
SHORTEST = 0.02  # seconds of a round, if there are several calls in it
LONGEST = 1.5  # seconds of a call
TOLERANCE = 1e-7
MOST_MATRICES = 20000

# ---- matrices ----


def real(rng, n):
    return rng.standard_normal((n, n))


def cplx(rng, n):
    return rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n))


def zero_one(rng, n):
    return rng.integers(0, 2, (n, n))


def two_digits(rng, n):
    return rng.integers(-99, 100, (n, n))


KINDS = {
    "real": (real, range(2, 25)),
    "complex": (cplx, range(2, 21)),
    "0/1": (zero_one, range(4, 21)),
    "+-99": (two_digits, range(4, 21)),
}

# ---- peers ----
#
# A peer has a name, the kinds that it can count, `is_exact`, and prepare(A), which returns a function
# without arguments: the answer.


class Missing(Exception):
    pass


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise Missing(f"{package} is not installed") from None


class Flint:
    kinds, is_exact = ("0/1", "+-99"), True

    def __init__(self):
        self.name = "FLINT " + self.open()

    def open(self):
        version("python-flint")
        import flint

        folder = os.path.join(os.path.dirname(os.path.dirname(flint.__file__)), "python_flint.libs")
        names = glob.glob(os.path.join(folder, "libflint*"))
        if not names:
            raise Missing("python-flint has no library of its own")
        self.lib = ctypes.CDLL(names[0])
        if not hasattr(self.lib, "fmpz_mat_permanent"):
            raise Missing("this FLINT has no fmpz_mat_permanent")
        self.lib.fmpz_get_str.restype = ctypes.c_void_p
        return flint.__FLINT_VERSION__

    def prepare(self, A):
        n = len(A)
        mat, out = (ctypes.c_long * 4)(), (ctypes.c_long * 1)()
        self.lib.fmpz_mat_init(mat, ctypes.c_long(n), ctypes.c_long(n))
        # the first member points to the entries; those below 2^62 stand for themselves
        entry = ctypes.cast(mat[0], ctypes.POINTER(ctypes.c_long))
        for k, a in enumerate(A.flat):
            entry[k] = int(a)
        self.keep = mat, out

        def answer():
            if not self.lib.fmpz_mat_permanent(out, mat):
                raise RuntimeError("fmpz_mat_permanent failed")
            return out

        answer.value = lambda: self.text(out)
        return answer

    def text(self, out):
        buffer = ctypes.create_string_buffer(400)
        self.lib.fmpz_get_str(buffer, 10, out)
        return int(buffer.value)


class Pari:
    kinds, is_exact = ("0/1", "+-99", "real", "complex"), True

    def __init__(self):
        try:
            import cypari2

            self.pari = cypari2.Pari()
        except ImportError:
            try:
                from cypari import pari
            except ImportError:
                raise Missing("neither cypari2 nor cypari is installed") from None
            self.pari = pari
        self.name = "PARI " + ".".join(str(k) for k in self.pari("version()"))

    def prepare(self, A):
        numbers = [int(a) if A.dtype.kind == "i" else self.number(a) for a in A.flat]
        M = self.pari.matrix(len(A), len(A), numbers)
        return M.matpermanent

    def number(self, a):
        return complex(a) if isinstance(a, complex) else float(a)


class PariProgram:
    """gp, where Python has no module of PARI: one process, a line in and a line out."""

    kinds, is_exact = ("0/1", "+-99"), True

    def __init__(self):
        gp = shutil.which("gp")
        if not gp:
            raise Missing("gp is not installed")
        self.gp = subprocess.Popen([gp, "-f", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = "PARI " + ".".join(self.ask("version()").strip("[]").split(", ")) + " gp"

    def ask(self, text):
        self.gp.stdin.write(f"print({text})\n")
        self.gp.stdin.flush()
        return self.gp.stdout.readline().strip()

    def prepare(self, A):
        rows = ";".join(",".join(str(int(a)) for a in row) for row in A)
        name = f"A{len(A)}"
        self.ask(f"{name}=[{rows}]")

        def answer():
            return self.ask(f"matpermanent({name})")

        # its processor is not that of this process
        answer.seconds = lambda: int(self.ask(f"t=getabstime();matpermanent({name});getabstime()-t")) * 1e-3
        return answer


class Graphillion:
    kinds, is_exact = ("0/1",), True

    def __init__(self):
        self.name = "Graphillion " + version("graphillion")
        from graphillion import GraphSet

        self.sets = GraphSet

    def prepare(self, A):
        n = len(A)
        edges = [(i + 1, n + j + 1) for i in range(n) for j in range(n) if A[i, j]]
        touched = {v for e in edges for v in e}

        def answer():
            if len(touched) < 2 * n:
                return 0
            self.sets.set_universe(edges)
            return int(self.sets.perfect_matchings().len())

        return answer


class Exqalibur:
    kinds, is_exact = tuple(KINDS), False

    def __init__(self):
        self.name = "exqalibur " + version("exqalibur")
        import exqalibur

        exqalibur.Config.compute_max_thread_count = 1
        self.module = exqalibur

    def prepare(self, A):
        names = {"f": "permanent_fl", "c": "permanent_cx", "i": "permanent_in"}
        function = getattr(self.module, names[A.dtype.kind])
        if A.dtype.kind == "i":  # the default, Glynn's formula, does not take integers
            return lambda: function(A, "ryser")
        return lambda: function(A)


class QcPermanent:
    kinds, is_exact = ("real", "complex"), False

    def __init__(self):
        self.name = "qc-permanent " + version("qc-permanent")
        import permanent

        self.function = permanent.opt

    def prepare(self, A):
        return lambda: self.function(A)


class TheWalrus:
    kinds, is_exact = ("real", "complex"), False

    def __init__(self):
        self.name = "thewalrus " + version("thewalrus")
        from thewalrus import perm

        self.function = perm

    def prepare(self, A):
        return lambda: self.function(A)


class Piquasso:
    kinds, is_exact = ("real", "complex"), False

    def __init__(self):
        self.name = "piquasso " + version("piquasso")
        from piquasso._math.permanent import permanent

        self.function = permanent

    def prepare(self, A):
        ones = numpy.ones(len(A), dtype=numpy.int32)
        B = A.astype(complex)
        return lambda: self.function(B, ones, ones)


# What a program has to import.
MODULES = {
    Flint: "flint",
    Pari: "cypari",
    Graphillion: "graphillion",
    Exqalibur: "exqalibur",
    QcPermanent: "permanent",
    TheWalrus: "thewalrus",
    Piquasso: "piquasso._math.permanent",
}


def import_seconds(peer):
    if type(peer) not in MODULES:
        return math.nan
    command = [sys.executable, "-c", f"import numpy, {MODULES[type(peer)]}"]
    return min(seconds_of(command)[0] for _ in range(3))


def find_peers():
    peers = []
    makers = [Exqalibur, QcPermanent, TheWalrus, Piquasso, Flint, Pari, Graphillion]
    for make in makers:
        try:
            peers.append(make())
        except (Missing, ImportError, OSError) as e:
            print(f"# skipped: {make.__name__}: {e}")
            if make is Pari:
                makers.append(PariProgram)
    return peers


# ---- pm-count ----


def child_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(command):
    """Seconds, and what it prints."""
    start = child_seconds()
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return child_seconds() - start, out


def run_count(name):
    return seconds_of(["pm-count", "-t", "1", "--backend=cpu", "-q", name])


def first_answer(out):
    """The value, an integer or a complex number, and its error: 0 where it is exact."""
    cells = out.decode().splitlines()[0].split("\t")
    if len(cells) == 1:
        return int(cells[0]), 0
    return complex(*(float(x) for x in cells[:-1])), float(cells[-1])


class Count:
    """The matrices of one kind and size, in files."""

    def __init__(self, folder, A, startup):
        self.one = os.path.join(folder, "one.npy")
        self.many = os.path.join(folder, "many.npy")
        self.startup = startup
        numpy.save(self.one, A)
        seconds, out = run_count(self.one)
        self.value, self.error = first_answer(out)

    def save_stream(self, make, rng, n):
        """About a third of a second."""
        self.count = max(1, min(MOST_MATRICES, int(0.3 / (4e-6 + n * 2**n * 2e-10))))
        stack = numpy.array([make(rng, n) for _ in range(self.count)])
        numpy.save(self.many, stack)

    def stream(self):
        return (run_count(self.many)[0] - self.startup) / self.count

    def single(self):
        return run_count(self.one)[0]


# ---- comparison ----


def scale(folder, A):
    """sqrt(per(A o conj A))"""
    name = os.path.join(folder, "square.npy")
    numpy.save(name, (A * numpy.conj(A)).real)
    return math.sqrt(abs(first_answer(run_count(name)[1])[0]))


def agrees(peer, value, count, margin):
    if peer.is_exact and isinstance(count.value, int):
        return int(value) == count.value
    return abs(complex(value) - count.value) <= count.error + margin


def seconds_a_call(function):
    if hasattr(function, "seconds"):
        return function.seconds()
    start = time.process_time()
    function()
    once = time.process_time() - start
    calls = max(1, int(SHORTEST / max(once, 1e-7)))
    start = time.process_time()
    for _ in range(calls):
        function()
    return (time.process_time() - start) / calls


def cell(seconds):
    return seconds if isinstance(seconds, str) else f"{seconds * 1e6:.4g}"


class Case:
    def __init__(self, folder, kind, n, startup, state):
        make, _ = KINDS[kind]
        rng = numpy.random.default_rng([n, len(kind)])
        self.A = make(rng, n)
        self.count = Count(folder, self.A, startup)
        margin = TOLERANCE * scale(folder, self.A)
        self.best = {}
        self.wrong = {}
        self.calls = {}
        self.ok = True
        for peer in state["peers"]:
            if kind not in peer.kinds or state["last"].get((peer, kind), 0) * 2.2 > LONGEST:
                continue
            call = peer.prepare(self.A)
            value = call()
            value = call.value() if hasattr(call, "value") else value
            if agrees(peer, value, self.count, margin):
                self.calls[peer] = call
            else:
                self.wrong[peer] = "wrong"
                self.ok = self.ok and not peer.is_exact
                print(f"# {kind} n={n}: {peer.name} {value}, pm-count {self.count.value}")
        self.count.save_stream(make, rng, n)
        self.measure()
        for peer, seconds in self.best.items():
            state["last"][peer, kind] = seconds

    def lower(self, what, seconds):
        self.best[what] = min(self.best.get(what, math.inf), seconds)

    def measure(self):
        for _ in range(ROUNDS):
            self.lower("stream", self.count.stream())
            self.lower("single", self.count.single())
            for peer, call in self.calls.items():
                self.lower(peer, seconds_a_call(call))

    def row(self, kind, n, peers):
        best = min([self.best[p] for p in self.calls], default=math.nan)
        cells = [kind, str(n), cell(self.best["stream"]), cell(self.best["single"])]
        cells += [cell(self.best.get(p, self.wrong.get(p, "-"))) for p in peers if kind in p.kinds]
        print("\t".join(cells + [f"{best / self.best['stream']:.3g}"]), flush=True)


def startup_seconds(folder):
    name = os.path.join(folder, "small.npy")
    numpy.save(name, numpy.array([[1.0]]))
    return min(run_count(name)[0] for _ in range(40))


def main():
    folder = sys.argv[1]
    only = os.environ.get("PM_BENCH_CASE")
    state = {"peers": find_peers(), "last": {}}
    startup = startup_seconds(folder)
    print("# microseconds a matrix; ratio: fastest peer to stream")
    print(f"# start-up: pm-count {startup * 1e3:.1f} ms")
    for peer in state["peers"]:
        print(f"# start-up: {peer.name} {import_seconds(peer) * 1e3:.0f} ms")
    ok = True
    for kind, (_, sizes) in KINDS.items():
        if only and only != kind:
            continue
        names = [p.name for p in state["peers"] if kind in p.kinds]
        print("\t".join(["# entries", "n", "stream", "single"] + names + ["ratio"]))
        for n in sizes:
            case = Case(folder, kind, n, startup, state)
            case.row(kind, n, state["peers"])
            ok = ok and case.ok
    return 0 if ok else 1


sys.exit(main())
