# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes random matrices with NumPy, SciPy, csv, pandas and networkx, and compares them with what
pm-order prints of the files: python3 numpy_matrices.py COUNT SEED.  Every comparison is exact, so
there are no false alarms."""

import csv
import gzip
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io
import scipy.sparse

try:
    import pandas
except ImportError:
    pandas = None
try:
    import networkx
except ImportError:
    networkx = None

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
REALS = ["f2", "f4", "f8"]
COMPLEXES = ["c8", "c16"]


# ---- what pm-order prints ----

def unescape(text):
    out, k = bytearray(), 0
    raw = text.encode("latin-1")
    while k < len(raw):
        if raw[k : k + 1] != b"\\":
            out += raw[k : k + 1]
            k += 1
        elif raw[k + 1 : k + 2] == b"x":
            out.append(int(raw[k + 2 : k + 4], 16))
            k += 4
        else:
            out += {b"\\": b"\\", b"t": b"\t", b"n": b"\n", b"r": b"\r", b"s": b" ", b"e": b""}[
                raw[k + 1 : k + 2]]
            k += 2
    return out.decode("utf-8", "surrogateescape")


def number(text):
    if "x" in text:
        return float.fromhex(text)
    return int(text) if text.lstrip("-").isdigit() else float(text)


class Matrix:
    """name, field, shape, rows and cols (labels or None), entries {(i, j): value}"""


def parse(text):
    found, m, part = [], None, {}
    for line in text.split("\n"):
        if line.startswith("%%MatrixMarket"):
            m = Matrix()
            m.field, m.entries, m.shape, m.name = line.split()[3], {}, None, None
            m.labels = {"rows": [], "cols": []}
        elif line.startswith("%pm: name "):
            m.name = unescape(line[10:])
        elif line.startswith(("%pm: rows ", "%pm: cols ")):
            m.labels[line[5:9]] += line[10:].split(" ")
        elif line and not line.startswith("%"):
            field = line.split()
            if m.shape is None:
                m.shape = (int(field[0]), int(field[1]))
                found.append(m)
                continue
            at = int(field[0]) - 1, int(field[1]) - 1
            if m.field == "pattern":
                m.entries[at] = 1
            elif m.field == "complex":
                m.entries[at] = complex(number(field[2]), number(field[3]))
            else:
                m.entries[at] = number(field[2])
    for m in found:
        m.labels = {k: [unescape(t) for t in v if t] for k, v in m.labels.items()}
    return found


def read(path, options, through_pipe=[False]):
    """Reads the file by its name and through a pipe, by turns."""
    through_pipe[0] = not through_pipe[0]
    if "--graph" not in options:
        options = [*options, "--bipartite"]
    with open(path, "rb") as file:
        data = file.read()
    given = {"input": data} if through_pipe[0] else {"stdin": subprocess.DEVNULL}
    run = subprocess.run(
        ["pm-order", "--method=none", "--no-version", *options, "-" if through_pipe[0] else path],
        capture_output=True, **given)
    is_empty = b"read as a batch of 0 matrices" in run.stderr
    if run.returncode != 0 or (run.stderr and not is_empty):
        raise AssertionError(f"status {run.returncode}: {run.stderr.decode('latin-1')}")
    return parse(run.stdout.decode("latin-1"))


# ---- random arrays ----

def random_array(r, dtype, shape):
    kind, size = dtype[0], int(dtype[1:])
    count = int(np.prod(shape))
    if kind == "b":
        values = [r.random() < 0.5 for _ in range(count)]
    elif kind in "iu":
        info = np.iinfo(dtype)
        values = [r.choice([0, 0, 1, info.min, info.max, r.randint(info.min, info.max)])
                  for _ in range(count)]
    else:
        values = np.zeros(count, dtype)
        raw = np.frombuffer(r.randbytes(count * size), dtype)
        tame = np.array([r.choice([0, 0, 1, -1, 0.5, r.gauss(0, 1)]) for _ in range(count)], dtype)
        with np.errstate(all="ignore"):
            use = np.isfinite(raw) & np.array([r.random() < 0.3 for _ in range(count)], bool)
        values = np.where(use, raw, tame)
    a = np.array(values, dtype).reshape(shape)
    a = a.astype(a.dtype.newbyteorder(r.choice("<>")))
    return np.asfortranarray(a) if r.random() < 0.5 else np.ascontiguousarray(a)


def random_dtype(r):
    return r.choice(["b1", *INTEGERS, *REALS, *COMPLEXES])


def random_shape(r, low=0):
    return r.randint(low, 7), r.randint(low, 7)


def field_of(dtype):
    return {"b": "pattern", "i": "integer", "u": "integer", "f": "real", "c": "complex"}[
        np.dtype(dtype).kind]


def check(m, a, name=None):
    """m is the array a, exactly."""
    want = {(i, j): a[i, j].item() for i in range(a.shape[0]) for j in range(a.shape[1])
            if a[i, j] != 0}
    if m.field == "pattern":
        want = {at: 1 for at in want}
    assert m.field == field_of(a.dtype), f"field {m.field} of {a.dtype}"
    assert m.shape == a.shape, f"shape {m.shape}, not {a.shape}"
    assert m.entries == want, f"entries {m.entries}, not {want}"
    assert name is None or m.name == name, f"name {m.name}, not {name}"


# ---- NumPy ----

def write_npy(r, file, a):
    version = r.choice([None, (1, 0), (2, 0), (3, 0)])
    np.lib.format.write_array(file, a, version=version, allow_pickle=False)


def one_array(r, path):
    a = random_array(r, random_dtype(r), random_shape(r))
    packed = r.random() < 0.3
    with (gzip.open if packed else open)(path, "wb") as file:
        write_npy(r, file, a)
    m, = read(path, r.choice([[], ["--from=npy"]]))
    check(m, a)


def batch(r, path):
    a = random_array(r, random_dtype(r), (r.randint(0, 4), *random_shape(r)))
    with open(path, "wb") as file:
        write_npy(r, file, a)
    got = read(path, [])
    assert len(got) == a.shape[0]
    for m, want in zip(got, a):
        check(m, want)


def archive(r, path):
    arrays = {f"m {k}" if r.random() < 0.5 else f"m{k}": random_array(
        r, random_dtype(r), random_shape(r)) for k in range(r.randint(1, 4))}
    with open(path, "wb") as file:
        r.choice([np.savez, np.savez_compressed])(file, **arrays)
    if r.random() < 0.2:
        with open(path, "rb") as file:
            data = file.read()
        with gzip.open(path, "wb") as file:
            file.write(data)
    got = read(path, r.choice([[], ["--from=npz"]]))
    assert len(got) == len(arrays)
    for m, (name, a) in zip(got, arrays.items()):
        check(m, a, name)


class Pipe:
    """A file that cannot be seeked, so that zip writes sizes after the data."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def piped_archive(r, path):
    import zipfile

    a = random_array(r, random_dtype(r), random_shape(r))
    with open(path, "wb") as file, zipfile.ZipFile(
            Pipe(file), "w", r.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as z:
        with z.open("a.npy", "w", force_zip64=r.random() < 0.5) as member:
            write_npy(r, member, a)
    m, = read(path, [])
    check(m, a, "a")


def text(r, path):
    kind = r.choice("ifc")
    a = random_array(r, {"i": r.choice(INTEGERS), "f": "f8", "c": "c16"}[kind],
                     random_shape(r, 1))
    a = a.astype(a.dtype.newbyteorder("="))
    delimiter = r.choice([" ", ",", "\t", " ; "])
    number = {"i": "%d", "f": "%.17g", "c": r.choice(["%.17g%+.17gj", "(%.17g,%.17g)"])}[kind]
    if kind == "c" and r.random() < 0.3:  # NumPy's own way to write them
        np.savetxt(path, a, fmt="%.17g")
    else:
        np.savetxt(path, a, fmt=delimiter.join([number] * a.shape[1]),
                   header=r.choice(["", "a matrix"]))
    m, = read(path, ["--from=dense"])
    if kind == "f" and m.field == "integer":
        a = a.astype(object)
        want = {(i, j): a[i, j] for i in range(a.shape[0]) for j in range(a.shape[1]) if a[i, j]}
        assert m.entries == want
        return
    check(m, a)


# ---- SciPy ----

def sparse(r, path):
    a = random_array(r, r.choice(["b1", "i1", "i8", "u8", "f4", "f8", "c8", "c16"]),
                     random_shape(r, 1))
    a = a.astype(a.dtype.newbyteorder("="))
    form = r.choice(["csr", "csc", "coo", "bsr", "dia"])
    s = r.choice([scipy.sparse.coo_array, scipy.sparse.coo_matrix])(a).asformat(form)
    if form == "bsr":
        sizes = [[d for d in range(1, n + 1) if n % d == 0] for n in a.shape]
        s = scipy.sparse.bsr_array(a, blocksize=tuple(r.choice(d) for d in sizes))
    with open(path, "wb") as file:
        scipy.sparse.save_npz(file, s, compressed=r.random() < 0.5)
    m, = read(path, [])
    check(m, a)


def repeated(r, path):
    shape = random_shape(r, 1)
    count = r.randint(0, 12)
    at = [(r.randrange(shape[0]), r.randrange(shape[1])) for _ in range(count)]
    data = [r.randint(-9, 9) for _ in range(count)]
    s = scipy.sparse.coo_matrix(
        (np.array(data, "i8"), ([i for i, _ in at], [j for _, j in at])), shape=shape)
    with open(path, "wb") as file:
        scipy.sparse.save_npz(file, s)
    m, = read(path, ["--duplicates=sum"])
    check(m, s.toarray())


def market(r, path):
    """Matrix Market files; SciPy writes uint64 as unsigned-integer, and bool as integer."""
    a = random_array(r, r.choice(["b1", "i4", "u8", "u8", "f8", "c16"]), random_shape(r, 1))
    a = a.astype(a.dtype.newbyteorder("="))
    if a.dtype.kind == "b":
        a = a.astype("i1")
    if not a.any():  # SciPy writes an empty sparse matrix as real
        a[0, 0] = 1
    s = scipy.sparse.coo_array(a)
    with open(path, "wb") as file:
        # 17 digits: older versions write 16 by default
        scipy.io.mmwrite(file, s if r.random() < 0.5 else a, precision=17)
    m, = read(path, ["--bipartite"])
    check(m, a)


# ---- tables of edges ----

WORDS = ["a", "b c", 'say "x"', "d,e", "f;g", "\u00fc", "tab\there", "x-1", "two\nlines"]


def random_edges(r):
    left = r.sample(WORDS, r.randint(1, len(WORDS)))
    right = r.sample(WORDS, r.randint(1, len(WORDS)))
    pairs = [(u, v) for u in left for v in right if r.random() < 0.5] or [(left[0], right[0])]
    r.shuffle(pairs)
    whole = r.random() < 0.5
    return [(u, v, r.choice([1, -3, 10**25, 7]) if whole else r.choice([0.1, 1e-300, -2.5e9]))
            for u, v in pairs]


def check_edges(m, edges, weighted):
    got = {(m.labels["rows"][i], m.labels["cols"][j]): x for (i, j), x in m.entries.items()}
    want = {(u, v): w if weighted else 1 for u, v, w in edges}
    assert got == want, f"edges {got}, not {want}"


def table(r, path):
    edges, weighted, header = random_edges(r), r.random() < 0.7, r.random() < 0.5
    extra, delimiter = r.random() < 0.3, r.choice([",", ";", "\t", "|"])
    rows = [[u, v] + ([repr(w)] if weighted else []) + (["x"] if extra else [])
            for u, v, w in edges]
    with open(path, "w", encoding=r.choice(["utf-8", "utf-8-sig"]), newline="") as file:
        out = csv.writer(file, delimiter=delimiter, lineterminator=r.choice(["\n", "\r\n"]),
                         quoting=r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
        if header:
            out.writerow(["from", "to"] + ["weight"] * weighted + ["note"] * extra)
        out.writerows(rows)
    options = ["--from=csv", "--header=" + ("yes" if header else "no"),
               "--delimiter=" + ("tab" if delimiter == "\t" else delimiter)]
    if extra or r.random() < 0.3:
        options.append("--columns=1,2" + ",3" * weighted)
    m, = read(path, options)
    check_edges(m, edges, weighted)


def frame(r, path):
    if pandas is None:
        return
    edges = random_edges(r)
    data = pandas.DataFrame(edges, columns=["source", "target", "weight"])
    index = r.random() < 0.5
    data.to_csv(path, sep=r.choice(",;\t"), index=index)
    plain = all("\n" not in u + v for u, v, _ in edges)
    options = ["--from=csv", "--columns=source,target,weight"]
    if plain and not index and r.random() < 0.5:
        options = ["--from=csv"]
    m, = read(path, options)
    check_edges(m, edges, True)


def one_triangle(r, a):
    """A symmetric matrix, or the part of it that is above or below the diagonal."""
    return r.choice([a, np.triu(a), np.tril(a)])


def graph(r, path):
    if networkx is None:
        return
    g = networkx.bipartite.random_graph(r.randint(1, 5), r.randint(1, 5), 0.6,
                                        seed=r.randrange(2**31))
    for u, v in g.edges:
        g[u][v]["weight"] = r.randint(1, 99)
    kind = r.randrange(5)
    if kind == 0:
        s = networkx.to_scipy_sparse_array(g, dtype="i8")
        with open(path, "wb") as file:
            scipy.sparse.save_npz(file, r.choice([s, scipy.sparse.triu(s), scipy.sparse.tril(s)]))
        options = ["--graph"]
        number = {str(k + 1): v for k, v in enumerate(g.nodes)}
    elif kind < 3:
        a = one_triangle(r, networkx.to_numpy_array(g, dtype="i8"))
        with open(path, "wb") as file:
            (np.save if kind == 1 else np.savez)(file, a)
        options = ["--graph"]
        number = {str(k + 1): v for k, v in enumerate(g.nodes)}
    elif kind == 3 and g.number_of_edges() and pandas:
        networkx.to_pandas_edgelist(g).to_csv(path, index=False)
        options = ["--from=csv", "--graph", "--columns=source,target,weight"]
        number = {str(v): v for v in g.nodes}
    else:
        a = one_triangle(r, networkx.to_numpy_array(g, dtype="i8"))
        np.savetxt(path, a, fmt="%d")
        options = ["--from=dense", "--graph"]
        number = {str(k + 1): v for k, v in enumerate(g.nodes)}
    m, = read(path, options)
    labels = [m.labels[k] or [str(i + 1) for i in range(n)]
              for k, n in zip(("rows", "cols"), m.shape)]
    got = {frozenset((number[labels[0][i]], number[labels[1][j]])): x
           for (i, j), x in m.entries.items()}
    want = {frozenset((u, v)): w for u, v, w in g.edges(data="weight")}
    assert got == want, f"edges {got}, not {want}"


def edge_list(r, path):
    """The lists of networkx: attributes as a dictionary, as a column, or none."""
    if networkx is None:
        return
    g = networkx.Graph()
    for u, v, w in random_edges(r):
        u, v = (t.replace(" ", "_").replace("\n", "_").replace("\t", "_") for t in (u, v))
        g.add_edge("l" + u, "r" + v, weight=w)
    edges = [(u, v, w) if u[0] == "l" else (v, u, w) for u, v, w in g.edges(data="weight")]
    kind = r.randrange(4)
    with open(path, "wb") as file:
        if kind == 0:
            networkx.write_edgelist(g, file)
        elif kind == 1:
            networkx.write_weighted_edgelist(g, file, delimiter=r.choice([" ", "\t"]))
        elif kind == 2:
            networkx.write_edgelist(g, file, data=["weight"])
        else:
            networkx.write_edgelist(g, file, data=r.random() < 0.5 and ["none"])
    m, = read(path, ["--graph"])
    weighted = kind < 3
    got = {frozenset((m.labels["rows"][i], m.labels["cols"][j])): x
           for (i, j), x in m.entries.items()}
    want = {frozenset((u, v)): w if weighted else 1 for u, v, w in edges}
    assert got == want, f"edges {got}, not {want}"


KINDS = [one_array, one_array, batch, archive, piped_archive, text, sparse, sparse, repeated,
         market, table, frame, graph, edge_list]


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input")
        for k in range(count):
            kind = KINDS[k % len(KINDS)]
            try:
                kind(random.Random(f"{seed} {k}"), path)
            except AssertionError as why:
                print(f"matrix {k} of seed {seed}, {kind.__name__}: {why}")
                return 1
    return 0


sys.exit(main())
