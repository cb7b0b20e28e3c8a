# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the programs run on after a signal, at random moments of their work.

stop_moments.py COUNT SEED LIMIT [ROWS [WORD]]: starts every command of the table (ROWS of them, drawn; 0: all; those
whose name contains WORD) COUNT times, sends SIGTERM at a random moment of its run, and prints a line for each failure:
a program that ends later than LIMIT seconds after the signal (0: a minute), an exit status that is not that of the
signal, a file that is left, an answer after the signal, or a message.

A moment that seems late is measured again, up to four times, at the same place of the run: other work on the machine
may have kept the processor.  The figures of every row go to standard error: the longest and the middle time in seconds,
how many of the runs were stopped, and how long a run takes, or as much of it as the moments are drawn from.
"""

import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

LONGEST = 3.0  # seconds of a run within which the moment is drawn; a tenth of them with ROWS
PATIENCE = 60


class Row:
    """waits: for standard input, which is silent.  keeps: what is ready stays (FILE.partial, an estimate)."""

    def __init__(self, name, command, waits=False, keeps=False):
        self.name = name
        self.command = command
        self.waits = waits
        self.keeps = keeps
        self.answer = None  # that of a run that was not stopped
        self.file = ""  # what that run wrote with -o
        self.message = ""  # its messages


# What the shell runs to write an input.
INPUTS = {
    "one": "printf '1 1\\n'",
    "small": "pm-gen ones 16",
    "edges": "pm-gen regular 200000 5 --seed=1",
    "edges.gz": "gzip -c edges",
    "mtx": "pm-gen regular 200000 5 --seed=1 --to=mtx --integer",
    "csv-text": """awk '!/^[#%]/ { print "a" $1 ",b" $2 ",0.5" }' edges""",
    "dense-text": """awk 'BEGIN { srand(1); for (i = 0; i < 1500; ++i) { for (j = 0; j < 1500; ++j)
                     printf "%d ", 10 * rand(); print "" } }'""",
    "graphml": """awk 'BEGIN { n = 200000; print "<graphml><graph edgedefault=\\"undirected\\">"
                  for (i = 0; i < n; ++i) printf "<node id=\\"n%d\\"/>\\n", i
                  for (i = 1; i < n; ++i) printf "<edge source=\\"n%d\\" target=\\"n%d\\"/>\\n", i - 1, i
                  print "</graph></graphml>" }'""",
    "tree": "pm-gen erdos-renyi 30000 0.0001 --seed=3",
    "grid": "pm-gen grid 24 24",
    "large-grid": "pm-gen grid 300 300",
    "torus": "pm-gen torus 40 40",
    "cube": "pm-gen cube 6 6 8",
    "strip": "pm-gen strip grid 16 --length=10^18",
    "long-strip": "pm-gen strip grid 4 --length=10^7",
    "ring": "pm-gen ring grid 12 --length=10^6",
    "dense": "pm-gen erdos-renyi 40 0.5 --seed=1 --nonsingular",
    "dense-integer": "pm-gen ones 36 --integer --seed=1",
    "dense-real": "pm-gen erdos-renyi 34 0.9 --seed=2 --real --nonsingular",
    "sparse": "pm-gen regular 60 3 --seed=2",
    "middling": "pm-gen regular 200 6 --seed=1",
    "mycielskian": "pm-gen mycielskian 12",
    "board": "pm-gen erdos-renyi 400 0.999 --seed=2",
    "many": "pm-gen regular 30 5 --seed=1 > each; pm-dm $(yes each | head -n 300)",
}


def write_array(out):
    """1500 x 1500 doubles in the format npy."""
    n = 1500
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (n, n)
    head += " " * (117 - len(head)) + "\n"
    rng = random.Random(1)
    out.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    out.write(b"".join(rng.randbytes(6) + b"\xe8\x3f" for _ in range(n * n)))


def write_graph6(out):
    """Four times the complete bipartite graph with 750 + 750 vertices."""
    count = 1500
    bits = "".join("1" if i < count // 2 <= j else "0" for j in range(count) for i in range(j))
    bits += "0" * (-len(bits) % 6)
    text = "~" + "".join(chr(63 + (count >> s & 63)) for s in (12, 6, 0))
    text += "".join(chr(63 + int(bits[k : k + 6], 2)) for k in range(0, len(bits), 6))
    out.write(4 * (text + "\n").encode())


WRITERS = {"big.npy": write_array, "big.g6": write_graph6}


def make(name):
    if os.path.exists(name):
        return
    if name in ("edges.gz", "csv-text"):
        make("edges")
    with open(name, "wb") as out:
        if name in WRITERS:
            WRITERS[name](out)
        else:
            subprocess.run(["sh", "-c", INPUTS[name]], stdout=out, check=True)


def rows():
    out = []

    def add(name, *command, **how):
        out.append(Row(name, list(command), **how))

    for family in (
        "grid 3000 1000", "torus 3000 1000", "hexagon 1000 700 700", "aztec 1000", "hypercube 20", "mycielskian 12", "circulant 300000 0 1 5 7", "derangement 3000", "planar 2000 1000 0.5", "cube 150 150 150",
        "ones 3000", "regular 200000 5", "erdos-renyi 4000 0.2", "band 300000 4",
    ):
        add("pm-gen " + family.split()[0], "pm-gen", *family.split(), "-o", "out")
    add("pm-gen weights", "pm-gen", "cube", "100", "100", "100", "--real", "--seed=1", "-o", "out")
    for text in ("edges", "edges.gz", "mtx", "big.npy", "big.g6", "graphml"):
        add("pm-dm --stats " + text, "pm-dm", "--stats", text)
    for form in ("csv", "dense"):
        add("pm-dm --stats " + form, "pm-dm", "--stats", "--from=" + form, form + "-text")
    for question in ("--blocks", "--coarse", "--permutation", "--matching", "--hall", "--spy=out.svg"):
        add("pm-dm " + question, "pm-dm", question, "edges")
    add("pm-overlap", "pm-overlap", "-o", "out", "edges")
    add("pm-overlap --stats", "pm-overlap", "--stats", "--side=cols", "edges")
    add("pm-overlap --stats after one", "pm-overlap", "--stats", "-o", "out", "one", "edges", keeps=True)
    add("pm-dm", "pm-dm", "edges")
    add("pm-dm -o", "pm-dm", "-o", "out", "edges")
    add("pm-dm tree", "pm-dm", "-o", "out", "tree")
    add("pm-dm after one", "pm-dm", "-o", "out", "one", "edges", keeps=True)
    add("pm-dm waits", "pm-dm", "-o", "out", "-", waits=True)
    add("pm-dm --stats after one", "pm-dm", "--stats", "-o", "out", "one", "edges", keeps=True)
    add("pm-dm after one waits", "pm-dm", "--stats", "-o", "out", "one", "-", waits=True, keeps=True)
    for method in ("frontier", "sort", "skip", "permanent", "elimination", "rcm", "none"):
        add("pm-order " + method, "pm-order", "--method=" + method, "--stats", "large-grid")
    add("pm-order --effort=1", "pm-order", "--effort=1", "--stats", "tree")
    add("pm-order --all", "pm-order", "--all", "middling")
    add("pm-order --factors", "pm-order", "--factors", "mycielskian")
    add("pm-order --scale after one", "pm-order", "--scale", "-o", "out", "one", "mycielskian", keeps=True)
    add("pm-order edges", "pm-order", "-o", "out", "edges")
    add("pm-order after one", "pm-order", "-o", "out", "one", "tree", keeps=True)
    add("pm-decompose", "pm-decompose", "-o", "out", "middling")
    add("pm-decompose large", "pm-decompose", "-o", "out", "edges")
    add("pm-decompose --stats", "pm-decompose", "--stats", "--max-terms=20000", "middling")
    add("pm-decompose after one", "pm-decompose", "-o", "out", "one", "edges", keeps=True)
    add("pm-count plan edges", "pm-count", "--plan", "edges")
    add("pm-count --exists", "pm-count", "--exists", "edges")
    add("pm-count --matching", "pm-count", "--matching", "edges")
    add("pm-count edges", "pm-count", "edges")
    add("pm-count tree", "pm-count", "tree")
    add("pm-count --plan middling", "pm-count", "--plan", "middling")
    add("pm-count grid", "pm-count", "--algorithm=frontier", "grid")
    add("pm-count frontier-hash", "pm-count", "--algorithm=frontier-hash", "grid")
    add("pm-count frontier-rank", "pm-count", "--algorithm=frontier-rank", "grid")
    add("pm-count cube", "pm-count", "cube")
    add("pm-count planar", "pm-count", "--algorithm=planar", "large-grid")
    add("pm-count planar mod", "pm-count", "--mod=1000000007", "large-grid")
    add("pm-count torus", "pm-count", "torus")
    add("pm-count ryser", "pm-count", "--algorithm=ryser", "dense")
    add("pm-count ryser integer", "pm-count", "--algorithm=ryser", "dense-integer")
    add("pm-count ryser real", "pm-count", "--algorithm=ryser", "dense-real")
    add("pm-count quad", "pm-count", "--algorithm=ryser", "--precision=quad", "dense-real")
    for method in ("skipper", "sparyser", "product-tree"):
        add("pm-count " + method, "pm-count", "--algorithm=" + method, "--max-cost=1e12", "dense")
    add("pm-count enumerate sparse", "pm-count", "--algorithm=enumerate", "--max-cost=1e12", "sparse")
    add("pm-count rook", "pm-count", "--algorithm=rook", "board")
    add("pm-count repeated", "pm-count", "--algorithm=repeated", "--row-times=" + ",".join(["3"] * 16),
        "--col-times=" + ",".join(["3"] * 16), "small")
    add("pm-count strip", "pm-count", "--mod=1000000007", "strip")
    add("pm-count strip digits", "pm-count", "long-strip")
    add("pm-count ring", "pm-count", "--mod=1000000007", "ring")
    add("pm-count many", "pm-count", "many")
    add("pm-count after one", "pm-count", "-o", "out", "one", "edges", keeps=True)
    add("pm-count dense after one", "pm-count", "-o", "out", "one", "dense", keeps=True)
    add("pm-count after one waits", "pm-count", "-o", "out", "one", "-", waits=True, keeps=True)
    add("pm-count waits", "pm-count", "-", waits=True)
    for method in ("auto", "look+", "scaling", "scaling+", "scaling++", "beam"):
        add("pm-approx " + method, "pm-approx", "--method=" + method, "--rel-err=1e-9", "--exact-within=0", "cube",
            keeps=True)
    add("pm-approx large", "pm-approx", "edges", keeps=True)
    add("pm-approx -o", "pm-approx", "--rel-err=1e-9", "-o", "out", "one", "middling", keeps=True)
    add("pm-approx --bounds", "pm-approx", "--bounds", "edges")
    add("pm-approx --bounds after one", "pm-approx", "--bounds", "-o", "out", "one", "mycielskian", keeps=True)
    add("pm-approx --method=bethe", "pm-approx", "--method=bethe", "edges")
    add("pm-approx --method=bethe after one", "pm-approx", "--method=bethe", "-o", "out", "one", "mycielskian", keeps=True)
    add("pm-approx --sample", "pm-approx", "--sample=1000000", "dense")
    add("pm-approx --sample grid", "pm-approx", "--sample=1000000", "grid")
    add("pm-approx --guarantee", "pm-approx", "--guarantee=1e-3,1e-3", "--exact-within=0", "--max-cost=1e12", "dense")
    return out


def run(row, seconds):
    """Returns (seconds from the signal to the end, status); (None, status) when the program was done before."""
    with open("said", "wb") as said, open("log", "wb") as log:
        stdin = subprocess.PIPE if row.waits else subprocess.DEVNULL
        p = subprocess.Popen(row.command, stdin=stdin, stdout=said, stderr=log)
    end = os.pidfd_open(p.pid)
    took = None
    if not select.select([end], [], [], seconds)[0]:
        before = time.monotonic()
        p.send_signal(signal.SIGTERM)
        if not select.select([end], [], [], PATIENCE)[0]:
            p.kill()
        took = time.monotonic() - before
    os.close(end)
    if row.waits:
        p.stdin.close()
    return took, p.wait()


def left():
    """The files of -o by name, with their texts; removes them."""
    found = {}
    for name in os.listdir("."):
        if name.startswith("out"):
            with open(name, encoding="utf-8", errors="replace") as file:
                found[name] = file.read()
            os.remove(name)
    return found


def is_ready(row, text):
    """The graph of the only input was ready; a stream then lacks its last line."""
    return text and row.file.startswith(text) and row.file[len(text) :] in ("", "%pm: eof\n")


def whole_answer(row):
    """What the program says when no signal comes."""
    try:
        return subprocess.run(row.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=PATIENCE, check=False).stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return ""


def judge(row, took, status):
    """The failures of one run, besides the time.  An answer is there before the signal, or not at all."""
    files = left()
    with open("said", encoding="utf-8", errors="replace") as said:
        text = said.read()
    with open("log", encoding="utf-8", errors="replace") as log:
        lines = log.readlines()
    message = "".join(line for line in lines if ": reading: about " not in line)  # said where reading takes long
    if took is None or status >= 0:
        row.answer, row.file, row.message = text, files.get("out", ""), message
        return [] if status in (0, 69, 76) else ["it ended by itself with status %d: %s" % (status, message)]
    if status != -signal.SIGTERM:
        return ["status %d after the signal: %s" % (status, message)]
    if row.keeps:
        return []
    if files == {"out": row.file} and row.file and not message:
        return []  # it had its name already
    if list(files) == ["out.partial"] and is_ready(row, files["out.partial"]) and message.endswith("that were ready\n"):
        return []
    out = ["it left %s" % name for name in files]
    is_cut_stream = text.startswith("%") and not text.endswith("eof\n")
    if text and not row.answer and not is_cut_stream:
        row.answer = whole_answer(row)  # the signal may come between the last line and the end
        left()
    if text and text != row.answer and not is_cut_stream:
        out.append("it said %r" % text[:80])
    if message and message != row.message:  # the signal may come between the message of a refusal and the end
        out.append("its message was %r" % message[:200])
    return out


def length_of(row, longest):
    """How long a run takes, up to `longest`."""
    before = time.monotonic()
    took, status = run(row, longest)
    whole = time.monotonic() - before - (took or 0)
    failures = judge(row, took, status)
    return whole, failures


def check(row, count, longest, rng, limit):
    whole, failures = length_of(row, longest)
    times = []
    for _ in range(count):
        at = rng.random() * whole
        took, status = run(row, at)
        failures += ["%.3f s after its start: %s" % (at, why) for why in judge(row, took, status)]
        for _ in range(4):
            if not limit or took is None or took <= limit:
                break
            again, status = run(row, at)
            judge(row, again, status)
            took = min(took, took if again is None else again)
        if took is not None:
            times.append(took)
            if limit and took > limit:
                failures.append("%.3f s after its start: stopped after %.3f s" % (at, took))
    times.sort()
    worst, middle = (times[-1], times[len(times) // 2]) if times else (0, 0)
    print("%-28s %6.3f %6.3f %5d %6.2f" % (row.name, worst, middle, len(times), whole), file=sys.stderr, flush=True)
    return failures


def main():
    count, seed, limit = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    drawn = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    word = sys.argv[5] if len(sys.argv) > 5 else ""
    rng = random.Random(seed)
    table = [row for row in rows() if word in row.name]
    if drawn:
        table = rng.sample(table, min(drawn, len(table)))
    print("%-28s %6s %6s %5s %6s" % ("", "worst", "middle", "runs", "whole"), file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for row in table:
            for name in row.command:
                if name in INPUTS or name in WRITERS:
                    make(name)
            for failure in check(row, count, LONGEST / 10 if drawn else LONGEST, rng, limit):
                print("%s: %s" % (row.name, failure.strip()), flush=True)
        os.chdir("/")


main()
