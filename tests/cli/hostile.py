# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile inputs of every format through every program under --max-memory and --time-limit.

hostile.py COUNT SEED: checks COUNT inputs, each with one program and one limit, and prints a line for each
failure: more memory than 1.2 times the limit and 32 MiB, more time than the limit and what the system may need,
an exit status that the manual does not have, a file that is left, or an answer together with a failure of the
only input.  Prints nothing when all is well; the greatest share of the memory goes to standard error.

hostile.py make SEED NUMBER FILE: writes input NUMBER to FILE and prints the kind, the limit in MiB, and the command.
The kernel counts the memory of the process that starts a program as the program's; so inputs are made elsewhere.
"""

import io
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib

MIB = 1 << 20
STATUSES = {0, 1, 64, 65, 66, 69, 71, 75, 76}
SECONDS = 3  # --time-limit; the machine may be busy: PATIENCE more until it counts as deaf
PATIENCE = 20


def number(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return str(rng.randrange(-9, 10))
    if kind == 1:
        return "0x1p%d" % rng.choice([1 << 25, -(1 << 25), 10**9, -(10**9), 1000])
    if kind == 2:
        return "0x1.%xp%d" % (rng.getrandbits(60), rng.randrange(-(1 << 24), 1 << 24))
    if kind == 3:
        return "9" * rng.choice([100, 10000, 1000000])
    if kind == 4:
        return "%d/%d" % (rng.getrandbits(100), rng.getrandbits(50) + 1)
    if kind == 5:
        return repr(rng.random())
    if kind == 6:
        return "1e%d" % rng.randrange(-400, 400)
    if kind == 7:
        return "0x%x" % rng.getrandbits(rng.choice([64, 4000, 400000]))
    return "%d+%dj" % (rng.randrange(9), rng.randrange(9))


def size(rng):
    return rng.choice([0, 1, 2, 30, 1000, 10**5, 10**6, 2 * 10**7, 2**31 - 1, 2**31, 10**18])


def pairs(rng, n, count):
    return [(rng.randrange(n) + 1, rng.randrange(n) + 1) for _ in range(count)]


def edges(rng):
    n = rng.choice([2, 5, 30, 3000, 10**6])
    count = rng.choice([3, 60, 3000, 100000])
    values = [number(rng) for _ in range(3)] if rng.random() < 0.5 and count < 4000 else None
    lines = []
    if rng.random() < 0.3:
        lines.append("# pm-edges %d %d" % (size(rng), size(rng)))
    for i, j in pairs(rng, n, count):
        lines.append("%d %d %s" % (i, j, rng.choice(values)) if values else "%d %d" % (i, j))
    return "\n".join(lines) + "\n"


def spread_duplicates(rng):
    n, e = rng.choice([3, 20, 60]), rng.choice([1 << 20, 1 << 25, 10**9])
    return "".join(
        "%d %d 0x1p%d\n%d %d 0x1p-%d\n" % (i, j, e // 2, i, j, e // 2) for i in range(n) for j in range(n)
    )


def labels(rng):
    long = "v" * rng.choice([10, 1000, 100000])
    return "".join("%s%d %s%d\n" % (long, i, long, i) for i in range(rng.choice([10, 300])))


def mtx(rng):
    rows, cols, count = size(rng), size(rng), rng.choice([0, 3, 100, 5000])
    field = rng.choice(["pattern", "integer", "real", "complex"])
    form = rng.choice(["coordinate", "coordinate", "array"])
    head = "%%%%MatrixMarket matrix %s %s %s\n" % (form, field, rng.choice(["general", "symmetric"]))
    if form == "array":
        return head + "%d %d\n" % (rows, cols) + "1\n" * count
    value = {"pattern": "", "integer": " 3", "real": " 0x1p70000", "complex": " 1 2"}[field]
    n = max(1, min(rows, cols, 10**6))
    return head + "%d %d %d\n" % (rows, cols, count) + "".join(
        "%d %d%s\n" % (i, j, value) for i, j in pairs(rng, n, count)
    )


def stream(rng):
    parts = ["%%pm: stream %d\n" % rng.choice([1, 2])]
    depth = 0
    for _ in range(rng.choice([2, 10, 200])):
        kind = rng.randrange(7)
        if kind == 0 and depth < 60:
            parts.append("%%pm: begin %s\n" % rng.choice(["product", "sum"]))
            depth += 1
        elif kind == 1 and depth:
            parts.append("%pm: end\n")
            depth -= 1
        elif kind == 2:
            parts.append("%%pm: factor %s\n" % rng.choice(["0x1p67108864", "0x1p-67108864", number(rng)]))
        elif kind == 3:
            parts.append("%%pm: times %d\n" % rng.choice([0, 1, 7, 300000000, 10**30]))
        elif kind == 4:
            parts.append("%%pm: name %s\n" % ("n" * rng.choice([1, 100000])))
        else:
            parts.append(
                "%%%%MatrixMarket matrix coordinate integer general\n2 2 4\n1 1 %d\n1 2 1\n2 1 5\n2 2 7\n"
                % rng.getrandbits(rng.choice([3, 60, 2000]))
            )
    parts.extend("%pm: end\n" * depth)
    parts.append("%pm: eof\n")
    return "".join(parts)


def repeated(rng):
    times = " ".join(str(rng.choice([1, 5, 10**6, 2**31 - 1])) for _ in range(3))
    return (
        "%%pm: stream 2\n%%%%MatrixMarket matrix coordinate pattern general\n%%pm: row-times %s\n"
        "%%pm: col-times %s\n3 3 9\n%s%%pm: eof\n"
        % (times, times, "".join("%d %d\n" % (i, j) for i in (1, 2, 3) for j in (1, 2, 3)))
    )


def graph6_size(n):
    if n < 63:
        return chr(63 + n)
    if n < 258048:
        return "~" + "".join(chr(63 + (n >> k & 63)) for k in (12, 6, 0))
    return "~~" + "".join(chr(63 + (n >> k & 63)) for k in (30, 24, 18, 12, 6, 0))


def sparse6(rng):
    n = rng.choice([2, 62, 1000, 10**6, 2 * 10**7, 2**31 - 1])
    k = max(1, (n - 1).bit_length())
    bits = "".join("1" + format(rng.randrange(n), "0%db" % k) for _ in range(rng.choice([1, 30])))
    bits += "1" * (-len(bits) % 6)
    code = "".join(chr(63 + int(bits[i : i + 6], 2)) for i in range(0, len(bits), 6))
    return ":" + graph6_size(n) + code + "\n"


def graph6(rng):
    n = rng.choice([4, 60, 1000, 4000])
    return graph6_size(n) + rng.choice(["?", "~"]) * ((n * (n - 1) // 2 + 5) // 6) + "\n"


def dimacs(rng):
    return "p edge %d %d\n" % (size(rng), size(rng)) + "".join(
        "e %d %d\n" % p for p in pairs(rng, 1000, rng.choice([3, 3000]))
    )


def dense(rng):
    n = rng.choice([2, 5, 30, 300])
    pool = [number(rng) for _ in range(2)] if n < 50 else ["1", "0"]
    return "\n".join(" ".join(rng.choice(pool) for _ in range(n)) for _ in range(n)) + "\n"


def csv(rng):
    return "left,right,weight\n" + "".join(
        '"%s%d",%d,%s\n' % ("x" * rng.choice([1, 10000]), i % 50, j, number(rng)[:1000])
        for i, j in pairs(rng, 40, rng.choice([5, 500]))
    )


def graphml(rng):
    n = rng.choice([3, 1000, 30000])
    return (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        + "".join('<node id="n%d"/>' % i for i in range(n))
        + "".join('<edge source="n%d" target="n%d"/>' % (i, (i + 1) % n) for i in range(n))
        + "</graph></graphml>\n"
    )


def gml(rng):
    n = rng.choice([3, 3000])
    return "graph [\n" + "".join("node [ id %d ]\n" % i for i in range(n)) + "".join(
        "edge [ source %d target %d ]\n" % (i, (i + 1) % n) for i in range(n)
    ) + "]\n"


def pajek(rng):
    return "*Vertices %d\n*Edges\n1 2\n2 3\n" % rng.choice([3, 10**5, 10**8, 2**31 - 1])


def npy_head(text):
    head = text + " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()


def npy(rng):
    rows, cols = rng.choice([2, 30, 2000, 10**6, 2**31 - 1]), rng.choice([2, 30, 2000, 10**9])
    kind = rng.choice(["<f8", "|b1", "<i8", "<c16", ">u4", "<U4"])
    data = bytes(rng.getrandbits(8) for _ in range(1000)) * rng.choice([1, 30, 3000])
    return npy_head("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }"
                    % (kind, rng.choice(["True", "False"]), rows, cols)) + data


def npz(rng):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        n = rng.choice([10, 3000, 7000])
        z.writestr("a.npy", npy_head("{'descr': '|b1', 'fortran_order': False, 'shape': (%d, %d), }" % (n, n))
                   + b"\1" * (n * n))
    return out.getvalue()


def gzip_bomb(rng):
    text = rng.choice([b"1 1\n", b"7", b" ", b"\n", b"1 "]) * (rng.choice([1, 30]) * MIB)
    c = zlib.compressobj(9, zlib.DEFLATED, 31)
    return c.compress(b"1 2 " + text) + c.flush()


def noise(rng):
    return bytes(rng.getrandbits(8) for _ in range(rng.choice([1, 100, 10000])))


def cut(rng):
    text = rng.choice(MAKERS[:-1])(rng)
    text = text.encode() if isinstance(text, str) else text
    return text[: rng.randrange(len(text) + 1)]


MAKERS = [edges, spread_duplicates, labels, mtx, stream, repeated, sparse6, graph6, dimacs, dense, csv,
          graphml, gml, pajek, npy, npz, gzip_bomb, noise, cut]
FROM = {csv: "csv", dense: "dense"}

PROGRAMS = {
    "pm-count": [[], ["--exists"], ["--plan"], ["--json"], ["--mod=1000003"], ["--saturate"],
                 ["--count=maximum"], ["--max-cost=2"], ["--row-times=1,2"], ["--matching"]],
    "pm-approx": [[], ["--bounds"], ["--exact-within=0", "--samples=50"], ["--sample=3"],
                  ["--guarantee=0.5,0.5", "--max-cost=2"], ["--json"]],
    "pm-dm": [[], ["--json"], ["--graph"]],
    "pm-decompose": [[], ["--until-n=3"]],
    "pm-overlap": [[], ["--stats"], ["--side=cols", "--weight=product"]],
    "pm-order": [[], ["--stats"], ["--effort=1"], ["--method=rcm"]],
}
FAMILIES = [["grid", "3000", "3000"], ["cube", "21"], ["ones", "4000"], ["torus", "2000", "2000"],
            ["regular", "300000", "9"], ["erdos-renyi", "200000", "0.0001"], ["band", "1000000", "3"],
            ["grid", "2147483647", "2147483647"], ["grid", "6", "6"]]


def command(rng, path, turn):
    """A program with its options, and the format's own; inputs of every kind in turn."""
    maker = MAKERS[turn % len(MAKERS)]
    if rng.random() < 0.05:
        return ["pm-gen"] + rng.choice(FAMILIES), "pm-gen"
    content = maker(rng)
    with open(path, "wb") as f:
        f.write(content.encode() if isinstance(content, str) else content)
    program = rng.choice(list(PROGRAMS))
    options = list(rng.choice(PROGRAMS[program]))
    if maker in FROM and rng.random() < 0.8:
        options.append("--from=" + FROM[maker])
    elif maker in (edges, spread_duplicates, gzip_bomb) and rng.random() < 0.7:
        options.append("--duplicates=sum")
    return [program] + options + [path], maker.__name__


def run(arguments, limit, folder):
    """(exit status, seconds, bytes, standard error); killed when it is deaf."""
    full = arguments[:1] + ["--max-memory=%dM" % limit, "--time-limit=%d" % SECONDS,
                            "--output=" + os.path.join(folder, "out")] + arguments[1:]
    errors = open(os.path.join(folder, "err"), "w+", errors="replace")
    begin = time.monotonic()
    process = subprocess.Popen(full, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30)))
    killer = threading.Timer(SECONDS + PATIENCE, process.kill)
    killer.start()
    _, status, usage = os.wait4(process.pid, 0)
    killer.cancel()
    process.returncode = 0
    seconds = time.monotonic() - begin
    errors.seek(0)
    text = errors.read(4000)
    errors.close()
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return code, seconds, usage.ru_maxrss * 1024, text, full


def make(seed, number_, path):
    rng = random.Random("%s %s" % (seed, number_))
    arguments, kind = command(rng, path, int(seed) + int(number_))
    print("\n".join([kind, str(rng.choice([1, 10, 50, 200]))] + arguments))


def check(seed, number_, folder):
    """(share of the memory, exit status, message or "")."""
    made = subprocess.run([sys.executable, sys.argv[0], "make", str(seed), str(number_),
                           os.path.join(folder, "input")], stdout=subprocess.PIPE, check=True)
    kind, limit, *arguments = made.stdout.decode().split("\n")[:-1]
    limit = int(limit)
    code, seconds, memory, text, full = run(arguments, limit, folder)
    room = 1.2 * limit * MIB + 32 * MIB
    left = sorted(set(os.listdir(folder)) - {"input", "err", "out", "out.partial"})
    why = []
    if code == -signal.SIGKILL:
        why.append("deaf")
    elif code not in STATUSES:
        why.append("status %d" % code)
    if memory > room:
        why.append("%d MiB under %d MiB" % (memory / MIB, limit))
    if left:
        why.append("left " + " ".join(left))
    if code > 1 and not text:
        why.append("no message")
    shown = " ".join(full).replace(folder + "/", "")
    message = "input %d (%s): %s: %s: %.1f s: %s" % (number_, kind, ", ".join(why), shown, seconds,
                                                     text[:200].replace("\n", " | "))
    return memory / room, code, message if why else ""


def main():
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
        return
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    worst, refused = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number_ in range(count):
            share, code, message = check(seed, number_, folder)
            worst = max(worst, share)
            refused += code in (69, 71)
            if message:
                print(message, flush=True)
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))
    print("# %d inputs, %d refused for memory or cost; at most %.0f %% of 1.2 x --max-memory + 32 MiB"
          % (count, refused, 100 * worst), file=sys.stderr)


main()
