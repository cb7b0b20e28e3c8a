# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow readers of matrices: Matrix Market, text, NumPy and SciPy."""

import ast
import io
import re
import struct
import zipfile
from fractions import Fraction

from slow_values import Bad, Unknown, lines, numbers_from, one_set, real, root, scalar, two_sides, widest

ZERO = Fraction(0)
ONE = Fraction(1)


def matrix(nrows, ncols, field, entries, opt, is_pairs=False):
    """A matrix, which is an adjacency matrix under --graph, or the edges of one (is_pairs)."""
    rows, cols = numbers_from(1, nrows), numbers_from(1, ncols)
    if not opt["graph"]:
        return two_sides(rows, cols, field, entries, opt)
    if nrows != ncols:
        raise Bad("an adjacency matrix is square")
    if is_pairs:
        return one_set(rows, field, entries, opt)
    node = two_sides(rows, cols, field, entries, opt)
    at = node["at"]
    if any(i == j for i, j in at):
        raise Bad("a loop")
    above = all(i < j for i, j in at)
    below = all(i > j for i, j in at)
    if not (above or below) and any(at.get((j, i)) != v for (i, j), v in at.items()):
        raise Bad("not symmetric")
    half = [(min(i, j), max(i, j)) + v for (i, j), v in at.items()]
    once = dict.fromkeys(half)
    return one_set(rows, node["field"], list(once), dict(opt, duplicates="error", pattern=False, bipartite=False))


# ---- Matrix Market ----

SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def banner(line):
    if re.search("[\v\f\r]", line):
        raise Unknown("other blanks")
    words = line.split()
    if len(words) != 5 or words[0] != "%%MatrixMarket":
        if words and words[0].lower() == "%%matrixmarket" and words[0] != "%%MatrixMarket":
            raise Unknown("a banner in other letters")
        raise Bad("no banner")
    what, layout, field, symmetry = [w.lower() for w in words[1:]]
    if what != "matrix" or layout not in ("coordinate", "array") or symmetry not in SYMMETRIES:
        raise Bad("a banner")
    if field == "double":
        raise Unknown("another name of real")
    if field not in ("pattern", "integer", "unsigned-integer", "real", "complex"):
        raise Bad("a field")
    if field == "pattern" and (layout == "array" or symmetry in ("skew-symmetric", "hermitian")):
        raise Bad("no such matrix")
    if symmetry == "hermitian" and field != "complex":
        raise Bad("no such matrix")
    return layout, field, symmetry


def natural(word):
    if not re.match(r"[0-9]+\Z", word):
        raise Bad("no size")
    return int(word)


def value_of(words, field):
    if field == "pattern":
        if words:
            raise Bad("a value in a pattern")
        return ONE, ZERO
    if len(words) != (2 if field == "complex" else 1):
        raise Bad("values of an entry")
    if field == "complex" and "root(" in words[0]:
        _, x, y = root(words[0])
        return x, y + real(words[1])[1]
    parts = [real(w) for w in words]
    if "integer" in field and parts[0][0] != "integer":
        raise Bad("no integer")
    if field == "unsigned-integer" and words[0][0] == "-":
        raise Bad("a sign")
    return parts[0][1], parts[1][1] if field == "complex" else ZERO


def mtx_body(source, first, on_comment, opt):
    """The matrix after its banner: (nrows, ncols, field, entries).  source: an iterator of lines."""
    layout, field, symmetry = banner(first)
    if opt["graph"] and not opt["pattern"] and symmetry not in ("general", "symmetric"):
        raise Bad("no adjacency matrix")
    sizes = None
    for line in source:
        if line.startswith("%pm:"):
            on_comment(line)
        elif line.strip() and not line.startswith("%"):
            sizes = line.split()
            break
    if sizes is None or len(sizes) != (3 if layout == "coordinate" else 2):
        raise Bad("no sizes")
    sizes = [natural(w) for w in sizes]
    if max(sizes[:2]) > 100000:
        raise Unknown("large sizes")
    nrows, ncols = sizes[:2]
    if symmetry != "general" and nrows != ncols:
        raise Bad("not square")
    if layout == "array":
        least = 1 if symmetry == "skew-symmetric" else 0
        cells = [(i, j) for j in range(ncols) for i in range(0 if symmetry == "general" else j + least, nrows)]
        count = len(cells)
    else:
        count = sizes[2]
    entries, seen = [], 0
    while seen < count:
        line = next(source, None)
        if line is None:
            raise Bad("cut")
        words = line.split()
        if not words:
            continue
        if line.lstrip().startswith("%"):
            raise Unknown("a comment between entries")
        if layout == "array":
            (i, j), rest = cells[seen], words
        else:
            if len(words) < 2:
                raise Bad("an entry")
            i, j, rest = natural(words[0]) - 1, natural(words[1]) - 1, words[2:]
            if not (0 <= i < nrows and 0 <= j < ncols):
                raise Bad("outside the matrix")
        x, y = value_of(rest, field)
        seen += 1
        if symmetry != "general" and i < j:
            raise Unknown("above the diagonal")
        if i == j and (symmetry == "skew-symmetric" or (symmetry == "hermitian" and y)):
            if (x, y) == (0, 0):
                raise Unknown("an entry 0 that cannot be")
            raise Bad("a value on the diagonal")
        entries.append((i, j, x, y))
        if symmetry != "general" and i != j and not opt["graph"]:  # a graph has an edge for each entry
            sign = -1 if symmetry == "skew-symmetric" else 1
            entries.append((j, i, sign * x, (-y if symmetry == "hermitian" else sign * y)))
    return nrows, ncols, field.replace("unsigned-", ""), entries


def mtx(data, opt):
    source = iter(lines(data))
    if opt["from"] == "-" and not data.startswith(b"%%MatrixMarket"):
        raise Unknown("another format")

    def comment(line):
        raise Unknown("a line of a stream")

    nrows, ncols, field, entries = mtx_body(source, next(source), comment, opt)
    for line in source:
        if line.strip():
            if line.startswith("%"):
                raise Unknown("a comment after the matrix")
            raise Bad("more than the matrix")
    return [matrix(nrows, ncols, field, entries, opt, is_pairs=True)]


# ---- text ----


def dense(data, opt):
    rows = []
    kinds = set()
    for line in lines(data):
        text = line.strip(" \t")
        if re.search("[\v\f\r]", line):
            raise Unknown("other blanks")
        if not text or text[0] in "#%":
            continue
        flat = re.sub(r"(?<!root)\([^()]*\)", lambda m: re.sub(" *([(),]) *", r"\1", m.group()).replace(",", "@"), text)
        has = {c for c in ",;" if c in flat}
        if not has and re.search(r"[ \t]", flat):
            has = {" "}
        kinds |= has
        if len(kinds) > 1:
            raise Unknown("several separators")
        words = re.split("[ \t]+", flat) if kinds <= {" "} else re.split("[%s]" % "".join(kinds), flat)
        rows.append([scalar(w.strip(" \t").replace("@", ",")) for w in words])
    if not rows:
        raise Unknown("no rows")
    if any(len(r) != len(rows[0]) for r in rows):
        raise Bad("rows of several lengths")
    return [from_rows(rows, opt)]


def from_rows(rows, opt, field=None, ncols=0):
    field = field or widest([v[0] for r in rows for v in r])
    entries = [(i, j, v[1], v[2]) for i, r in enumerate(rows) for j, v in enumerate(r) if (v[1], v[2]) != (0, 0)]
    return matrix(len(rows), len(rows[0]) if rows else ncols, field, entries, opt)


# ---- NumPy and SciPy ----

ELEMENTS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
            "f2": "e", "f4": "f", "f8": "d", "c8": "ff", "c16": "dd"}


def array(data):
    """(dtype, shape, values in C order), a value is (field, re, im)."""
    if not data.startswith(b"\x93NUMPY") or len(data) < 10:
        raise Bad("no array")
    if data[6:8] not in (b"\1\0", b"\2\0", b"\3\0"):
        raise Bad("another version")
    wide = data[6] > 1
    start = 12 if wide else 10
    if len(data) < start:
        raise Bad("cut")
    length = struct.unpack("<I" if wide else "<H", data[8:start])[0]
    head = data[start:start + length]
    if len(head) != length:
        raise Bad("cut")
    if not re.match(rb"\{'descr': '[<>|=][a-z0-9]+', 'fortran_order': (True|False), 'shape': \(((0|[1-9][0-9]*), )*((0|[1-9][0-9]*),?)?\), \} *\n?\Z", head):
        raise Unknown("a head that numpy.save does not write")
    head = ast.literal_eval(head.decode("latin-1"))
    descr, shape = head["descr"], head["shape"]
    if not isinstance(shape, tuple):
        raise Unknown("a shape")
    if descr[:1] not in "<>|=" or descr[1:] not in ELEMENTS:
        raise Bad("elements")
    if descr[0] in "|=" and descr[1:] not in ("b1", "i1", "u1"):
        raise Unknown("an order of bytes")
    code = ELEMENTS[descr[1:]]
    count = 1
    for d in shape:
        count *= d
    if count > 1 << 20:
        raise Unknown("large sizes")
    order = ">" if descr[0] == ">" else "<"
    need = count * struct.calcsize(order + code)
    body = data[start + length:]
    if len(body) != need:
        raise Bad("another length")
    raw = struct.unpack(order + code * count, body)
    if descr[1] == "c":
        raw = [complex(*raw[k:k + 2]) for k in range(0, len(raw), 2)]
    if descr[1] == "b" and any(b > 1 for b in body):
        raise Unknown("a bool that is not 0 or 1")
    if head["fortran_order"] and len(shape) > 1:
        if len(shape) > 2:
            raise Unknown("a batch in the order of Fortran")
        raw = [raw[j * shape[0] + i] for i in range(shape[0]) for j in range(shape[1])]
    return descr[1:], shape, raw


def element(dtype, x):
    if dtype[0] == "b":
        return "pattern", Fraction(int(x)), ZERO
    if dtype[0] in "iu":
        return "integer", Fraction(x), ZERO
    parts = (x.real, x.imag) if dtype[0] == "c" else (x,)
    if any(p != p or p in (float("inf"), float("-inf")) for p in parts):
        raise Bad("not finite")
    return "complex" if dtype[0] == "c" else "real", Fraction(parts[0]), Fraction(parts[1]) if len(parts) > 1 else ZERO


KIND = {"b": "pattern", "i": "integer", "u": "integer", "f": "real", "c": "complex"}


def matrices(data, opt):
    dtype, shape, raw = array(data)
    if len(shape) not in (2, 3):
        raise Bad("neither a matrix nor a batch")
    nrows, ncols = shape[-2:]
    out = []
    for k in range(shape[0] if len(shape) == 3 else 1):
        part = raw[k * nrows * ncols:(k + 1) * nrows * ncols]
        rows = [[element(dtype, x) for x in part[i * ncols:(i + 1) * ncols]] for i in range(nrows)]
        out.append(from_rows(rows, opt, KIND[dtype[0]], ncols))
    return out


def npy(data, opt):
    if not data:
        raise Bad("no bytes")
    if opt["from"] == "-" and not data.startswith(b"\x93NUMPY"):
        raise Unknown("another format")
    return matrices(data, opt)


def npz(data, opt):
    if data[-22:-18] != b"PK\5\6":
        raise Unknown("an archive without an end, which Python may find")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            members = {m.filename: z.read(m) for m in z.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError, struct.error) as e:
        raise Unknown("an archive that Python does not read: %s" % e)
    except Exception as e:  # zlib.error
        raise Unknown(str(e))
    if any(not name.endswith(".npy") for name in members) or not members:
        raise Unknown("other members")
    if "format.npy" in members:
        return [scipy_sparse(members, opt)]
    out = []
    for body in members.values():
        out += matrices(body, opt)
    return out


def vector(members, name):
    if name + ".npy" not in members:
        raise Bad("no %s" % name)
    return array(members[name + ".npy"])


def scipy_sparse(members, opt):
    body = members["format.npy"]
    m = re.search(rb"'descr': '\|S3'.*'shape': \(\), \} *\n(csr|csc|coo)\Z", body)
    if not m:
        raise Unknown("other formats of SciPy")
    kind = m.group(1).decode()
    shape = vector(members, "shape")[2]
    dtype, _, data = vector(members, "data")
    if len(shape) != 2 or min(shape) < 0 or max(shape) > 100000:
        raise Unknown("a shape")
    if kind == "coo":
        rows, cols = vector(members, "row")[2], vector(members, "col")[2]
    else:
        index, start = vector(members, "indices")[2], vector(members, "indptr")[2]
        if len(start) != shape[kind == "csc"] + 1 or start[0] != 0 or start[-1] != len(index) or list(start) != sorted(start):
            raise Bad("indptr")
        outer = [i for i in range(len(start) - 1) for _ in range(start[i + 1] - start[i])]
        rows, cols = (outer, index) if kind == "csr" else (index, outer)
    if not len(rows) == len(cols) == len(data):
        raise Bad("lengths")
    entries = []
    for i, j, x in zip(rows, cols, data):
        if not (0 <= i < shape[0] and 0 <= j < shape[1]):
            raise Bad("outside the matrix")
        if dtype != "b1" or x:  # in a pattern False is no entry
            entries.append((i, j) + element(dtype, x)[1:])
    return matrix(shape[0], shape[1], KIND[dtype[0]], entries, opt)
