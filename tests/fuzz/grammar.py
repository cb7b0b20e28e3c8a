# SPDX-License-Identifier: GPL-3.0-or-later
"""Random inputs of every format: valid, nearly valid and wrong ones, with options that read them."""

import gzip
import io
import struct
import zipfile

FORMATS = ["edges", "csv", "dense", "mtx", "dimacs", "graph6", "pm-stream", "npy", "npz"]
LETTERS = "abcxyz_"


class Grammar:
    def __init__(self, rng):
        self.rng = rng

    def maybe(self, p=0.1):
        return self.rng.random() < p

    def pick(self, *choices):
        return self.rng.choice(choices)

    # ---- words ----

    def integer(self):
        r = self.rng
        return self.pick(lambda: str(r.randrange(-9, 10)), lambda: str(r.randrange(4)), lambda: "1",
                         lambda: str(r.randrange(-10**30, 10**30)), lambda: "+%d" % r.randrange(9),
                         lambda: "00%d" % r.randrange(9), lambda: "-0", lambda: "9223372036854775808")()

    def real(self):
        r = self.rng
        return self.pick(lambda: repr(r.gauss(0, 1)), lambda: "%d.%d" % (r.randrange(9), r.randrange(99)), self.integer,
                         lambda: "%de%d" % (r.randrange(-9, 9), r.randrange(-330, 330)), lambda: self.pick("1.", ".5", "-.5e1", "+1E+2"),
                         lambda: float(r.gauss(0, 1)).hex(), lambda: "0x%x" % r.getrandbits(70),
                         lambda: "-0x.%xp%d" % (r.getrandbits(30), r.randrange(-2000, 2000)),
                         lambda: self.pick("5e-324", "2e-324", "1e-400", "1e308", "1.8e308", "0e9999", "0.1e-5", "1e+", ".", "+", "0x", "0x.p1",
                                           "nan", "inf", "1d5", "1_0", "NA", "0x1p", "1e1e1"))()

    def complex(self):
        unit = self.pick("i", "j", "J")
        sign = self.pick("+", "-")
        part = self.real().lstrip("+-")
        return self.pick(self.real, lambda: self.real() + sign + part + unit, lambda: self.real() + unit, lambda: self.pick("i", "-i", "+j", "1+i", "2-j"),
                         lambda: "%s%sroot(%d)%s" % (self.pick("", "-", self.real()), self.pick("", "*"), self.rng.randrange(14),
                                                     self.pick("", "^%d" % self.rng.randrange(-20, 20))),
                         lambda: "(%s,%s)" % (self.real(), self.real()), lambda: "(%s%s%s%s)" % (self.real(), sign, part, unit))()

    def value(self, field):
        word = {"integer": self.integer, "real": self.real, "complex": self.complex}[field]()
        return self.pick("", "x", "1 2", "--1") if self.maybe(0.005) else word

    def mild(self, field):
        """A value that is nearly always right."""
        r = self.rng
        return {"integer": str(r.randrange(-3, 9)), "real": self.pick("0.5", "0x1.8p3", "2", repr(r.random())),
                "complex": self.pick("1+2i", "-i", "(1,2)", "3", "root(5)^2", "-0.5*root(3)")}[field] if self.maybe(0.8) else self.value(field)

    def word(self):
        r = self.rng
        return self.pick(lambda: str(r.randrange(1, 6)), lambda: r.choice(LETTERS), lambda: r.choice(LETTERS) + str(r.randrange(4)),
                         lambda: self.pick("01", "-3", "+1", "-0", "1.5", "12345678901234567890", "\xe9", "a:b", "1:2"))()

    def blanks(self):
        return self.pick(" ", " ", " ", " ", " ", " ", "\t", "  ", " \t")

    # ---- edge lists and tables ----

    def pairs(self):
        r = self.rng
        n, count = r.randrange(1, 7), r.randrange(0, 12)
        base = self.pick(0, 1, 1, 5)
        words = [str(base + k) for k in range(n)] if self.maybe(0.6) else [self.word() for _ in range(n)]
        all_pairs = [(a, b) for a in words for b in words]
        pairs = [r.choice(all_pairs) for _ in range(count)] if self.maybe(0.3) else r.sample(all_pairs, min(count, len(all_pairs)))
        if self.maybe(0.4):  # two disjoint sets: a bipartite graph
            pairs = [(a, b + "0") for a, b in pairs]
        if self.maybe():
            pairs += [(b, a) for a, b in pairs]
        return pairs

    def edges(self):
        field = self.pick("pattern", "pattern", "integer", "real", "complex")
        blank = self.pick(" ", "  ", "\t") if self.maybe(0.9) else None
        out = []
        if self.maybe(0.2):
            out.append(self.pick("# pm-edges %d %d", "# pm-edges %d %d", "# pm-graph %d", "#pm-edges %d %d", "# pm-edges %d",
                                 "# pm-edges: %d %d", "# PM-GRAPH %d").replace("%d", "{}")
                       .format(self.rng.randrange(9), self.rng.randrange(9)))
        for a, b in self.pairs():
            cells = [a, b]
            if field != "pattern" and not self.maybe(0.01):
                cells.append("{'weight': %s}" % self.mild(field) if self.maybe(0.02) else self.mild(field))
            if self.maybe(0.005):
                cells.append(self.word())
            out.append("".join(c + (blank or self.blanks()) for c in cells[:-1]) + cells[-1])
            if self.maybe(0.05):
                out.append(self.pick("", "# a comment", "% 1 2", "  ", " # x", "#"))
        return self.text(out)

    def csv(self):
        delimiter = self.pick(",", ";", "\t", "|")
        width = self.pick(2, 2, 3, 3, 4)
        field = self.pick("integer", "real")

        def cell(text):
            if self.maybe(0.15):
                text = '"' + text.replace('"', '""') + '"'
            return self.pick(" ", "") + text + self.pick("", " ") if self.maybe(0.1) else text

        odd = ['x"y', "a b", "u,v", "q;", "", '"', "l\nm"]
        rows = []
        header = self.pick("yes", "no")
        if header == "yes":
            rows.append(["a", "b", "w", "c"][:width])
        for a, b in self.pairs():
            cells = [a, b, self.mild(field), self.word()][:width]
            if self.maybe(0.02):
                cells[self.rng.randrange(2)] = self.rng.choice(odd)
            if self.maybe(0.01):
                cells.append("1")
            rows.append(cells)
        columns = self.pick("-", "-", "1,2", "2,1", "a,b", "b,a,w", "1,2,3", "1,2,w", "1,9", "0,1")
        options = {"header": header, "delimiter": ord(delimiter), "columns": columns}
        return self.text([delimiter.join(map(cell, r)) for r in rows]), options

    def dense(self):
        n, m = self.rng.randrange(1, 5), self.rng.randrange(1, 5)
        m = n if self.maybe(0.6) else m
        field = self.pick("integer", "integer", "real", "complex")
        separator = self.pick(" ", "\t", ",", ";", ", ", " ; ")
        cells = [[self.mild(field) if self.maybe(0.6) else "0" for _ in range(m)] for _ in range(n)]
        if n == m and self.maybe(0.4):
            for i in range(n):
                for j in range(i + 1):
                    cells[i][j] = cells[j][i] if i != j else "0"
        if self.maybe(0.03):
            cells[-1].append("1")
        out = []
        for row in cells:
            out.append(separator.join(row))
            if self.maybe(0.04):
                out.append(self.pick("", "# c", "% c"))
        return self.text(out)

    # ---- Matrix Market and streams ----

    def mtx_lines(self, head=(), may_be_graph=False):
        r = self.rng
        layout = self.pick("coordinate", "coordinate", "array")
        field = self.pick("pattern", "integer", "real", "complex", "unsigned-integer")
        symmetry = self.pick("general", "general", "symmetric", "skew-symmetric", "hermitian")
        if not self.maybe(0.05):
            field = "integer" if layout == "array" and field == "pattern" else field
            symmetry = "general" if symmetry[0] in "sh" and (field == "pattern" or (symmetry[0] == "h" and field != "complex")) else symmetry
        symmetry = "symmetric" if may_be_graph and self.maybe(0.3) else symmetry
        n = r.randrange(0, 5)
        m = n if symmetry != "general" or self.maybe(0.5) else r.randrange(0, 5)
        is_graph = may_be_graph and symmetry == "symmetric" and self.maybe(0.6)
        out = ["%%%%MatrixMarket matrix %s %s %s" % (layout, field, symmetry)]
        out += (head(n, 0) if is_graph and self.maybe(0.95) else head(n, m)) if head else []
        out += ["%pm: graph" + (self.pick("", " loops") if self.maybe(0.97) else " x")] * is_graph
        if is_graph and self.maybe(0.4):
            out.append("%pm: vertex-times " + " ".join(self.pick("0", "1", "1", "2") for _ in range(n + self.maybe(0.03))))
        if is_graph and self.maybe(0.05 if "vertex" not in out[-1] else 0.4):
            out.append("%pm: vertex-loops " + " ".join(self.pick("0", "0", "0", "1") for _ in range(n)) + " x" * self.maybe(0.03))
        out += ["% a comment"] if self.maybe() else []
        cells = [(i, j) for j in range(m) for i in range(n)]
        if symmetry != "general":
            cells = [(i, j) for i, j in cells if i > j or (i == j and symmetry[:2] != "sk")]
        if is_graph and self.maybe(0.9):
            cells = [(i, j) for i, j in cells if (i + j) % 2 or layout == "array"]  # bipartite
        if layout == "coordinate":
            cells = r.sample(cells, r.randrange(len(cells) + 1))
            if cells and self.maybe(0.15):
                cells.append(r.choice(cells))
        kind = {"unsigned-integer": "integer", "complex": "real"}.get(field, field)
        body = []
        for i, j in cells:
            words = ["%d %d" % (i + 1, j + 1)] if layout == "coordinate" else []
            if kind != "pattern":
                words.append(self.mild(kind))
            if field == "complex" and symmetry != "hermitian" and self.maybe(0.05):
                words[-1] = self.pick("root(5)^2", "-1/2*root(3)", "2*root(4)", "0.5root(12)^7")
            if field == "complex":
                words.append("0" if i == j and symmetry == "hermitian" and not self.maybe(0.05) else self.mild(kind))
            body.append(self.blanks().join(words))
        count = len(body) + (self.pick(-1, 1) if self.maybe(0.02) else 0)
        out.append("%d %d" % (n, m) + (" %d" % count if layout == "coordinate" else ""))
        return out + body

    def mtx(self):
        return self.text(self.mtx_lines())

    def label(self):
        return self.pick("a", "b%d" % self.rng.randrange(99), "x\\sy", "\\e", "\\\\", "\\xe9", "7", "\\x0a") if not self.maybe(0.01) else self.pick("\\q", "\\x00", "\\x1", "\\")

    def head(self, version):
        def lines(n, m):
            out = []
            for key, count in (("rows", n), ("cols", m)):
                if self.maybe(0.3):
                    labels = [self.label() for _ in range(count + (self.maybe(0.02)))]
                    cut = self.rng.randrange(len(labels) + 1) if self.maybe(0.3) else 0
                    out += ["%%pm: %s %s" % (key, " ".join(part)) for part in (labels[:cut], labels[cut:]) if part]
                    if self.maybe(0.03):
                        out.append("%%pm: %s be\\" % key)
                        out.append("%%pm: %s gin" % key)
            if self.maybe(0.2) and n + m:
                order = ["r%d" % (i + 1) for i in range(n)] + ["c%d" % (j + 1) for j in range(m)]
                self.rng.shuffle(order)
                out.append("%pm: order " + " ".join(order[:-1] if self.maybe(0.05) else order))
            if self.maybe():
                out.append("%pm: name " + self.label())
            if version >= 2 and (m or not n) and self.maybe(0.2):
                out.append("%pm: count " + self.pick("maximum", "saturate", "saturate rows", "saturate cols", "perfect"))
            if version >= 2 and (m or not n) and self.maybe(0.2):
                out.append("%%pm: %s-times %s" % self.pick(("row", " ".join(self.pick("0", "1", "2") for _ in range(n))),
                                                           ("col", " ".join(self.pick("0", "1", "3") for _ in range(m)))))
            return out

        return lines

    def factor(self):
        r = self.rng
        one = lambda: self.pick(self.integer(), "%d/%d" % (r.randrange(-9, 9), r.randrange(1, 9)), "0x1.8p%d" % r.randrange(-99, 99),
                                "-0x.8/3", "0x1p-3/7") if not self.maybe(0.03) else self.pick("1/0", "0.1", "1e6", "1/-2", "0x", "x")
        return "%pm: factor " + one() + (" " + one() if self.maybe(0.2) else "")

    def period(self):
        n, fault = self.rng.randrange(1, 4), self.maybe(0.1)
        out = ["%pm: begin " + self.pick("strip", "ring") + " " + self.pick("1", "2", "3", "7", "0" if fault else "4")]
        for _ in range(3 if not self.maybe(0.05) else self.rng.randrange(5)):
            cells = [(i + 1, j + 1) for i in range(n) for j in range(n) if self.maybe(0.5)]
            field = self.pick("pattern", "pattern", "integer")
            out += ["%%%%MatrixMarket matrix coordinate %s general" % field] + ["% a comment"] * self.maybe(0.2)
            out += ["%pm: made-by x"] * self.maybe(0.1) + ["%pm: rows a b c"] * (fault and self.maybe(0.3))
            out += ["%d %d %d" % (n, n + (fault and self.maybe(0.3)), len(cells))]
            out += ["%d %d" % c + ("" if field == "pattern" else " %d" % self.rng.randrange(-2, 3)) for c in cells]
            out += [""] * self.maybe(0.1)
        return out + ["%pm: end" + (" x" if fault and self.maybe(0.3) else "")]

    def nodes(self, version, depth):
        out = []
        for _ in range(self.rng.randrange(4 - depth)):
            before = [self.factor()] if self.maybe(0.4) else []
            before += ["%pm: times " + self.pick("0", "1", "3", "123456789012345678901", "07")] if self.maybe(0.2) else []
            before += ["%pm: name " + self.label()] if self.maybe(0.15) else []
            said = ["%pm: exact " + self.pick("real", "complex", "roots", *["integer"] * self.maybe(0.05))] if self.maybe(0.3 if version == 3 else 0.01) else []
            before = said + before
            kind = self.pick("matrix", "matrix", "group", "leaf", *["period"] * (version >= 2))
            if kind == "leaf":
                out += said + [self.factor()] + [x for x in before[len(said):] if "factor" not in x]
                out += ["%pm: factor 1"] if self.maybe(0.3) else []
            elif kind == "matrix":
                out += before + self.mtx_lines(self.head(version), version >= 2)
            elif kind == "period":
                out += before + self.period()
            else:
                out += before + ["%pm: begin " + self.pick("product", "sum")] + self.nodes(version, depth + 1) + ["%pm: end"]
            if self.maybe(0.05):
                out.append(self.pick("", "% comment", "%pm: made-by x", "%pm: stream 2", "%pm: stream 3", "%pm: exact real", "%pm: end", "%pm:times 2"))
        return out

    def stream(self):
        version = self.pick(1, 1, 2, 3)
        out = ["%%pm: stream %d" % version] + (["%pm: made-by test \\x41"] if self.maybe(0.3) else [])
        out += self.nodes(version, 0)
        return self.text(out + (["%pm: eof"] if not self.maybe(0.02) else []))

    # ---- graphs on one set ----

    def one_set(self, n):
        """Edges that are often bipartite."""
        cells = [(i, j) for j in range(n) for i in range(j)]
        if self.maybe(0.8):
            side = [self.rng.randrange(2) for _ in range(n)]
            cells = [(i, j) for i, j in cells if side[i] != side[j]]
        return [c for c in cells if self.maybe(0.5)]

    def dimacs(self):
        n = self.rng.randrange(8)
        edges = [(i, j) if self.maybe(0.5) else (j, i) for i, j in self.one_set(n)]
        edges += [self.rng.choice(edges)] if edges and self.maybe() else []
        edges += [(j, i) for i, j in edges] if self.maybe() else []
        out = ["c comment"] if self.maybe(0.3) else []
        out.append("p %s %d %d" % (self.pick("edge", "col"), n, len(edges) + (self.maybe(0.03))))
        return self.text(out + ["e %d %d" % (i + 1, j + 1) for i, j in edges])

    def graph6(self):
        out = []
        for _ in range(self.rng.randrange(1, 4)):
            n = self.rng.randrange(9) if self.maybe(0.9) else self.rng.randrange(60, 70)
            edges = self.one_set(n)
            size = [n] if n < 63 else [63, n >> 12, n >> 6 & 63, n & 63]
            if self.maybe(0.5):
                has = set(edges)
                bits = "".join("01"[(i, j) in has] for j in range(n) for i in range(j))
                out.append("".join(chr(63 + c) for c in size) + self.six(bits, "0"))
            else:
                out.append(":" + "".join(chr(63 + c) for c in size) + self.six(self.sparse6(n, edges), "1"))
        kind = ">>sparse6<<" if out[0][0] == ":" else ">>graph6<<"
        if self.maybe(0.2):
            out[0] = kind + out[0]
        return self.text(out)

    @staticmethod
    def six(bits, padding):
        bits += padding * (-len(bits) % 6)
        return "".join(chr(63 + int(bits[k:k + 6], 2)) for k in range(0, len(bits), 6))

    def sparse6(self, n, edges):
        k = max(n - 1, 0).bit_length()
        bits, v = "", 0
        for i, j in sorted(edges, key=lambda e: (e[1], e[0])):
            if j == v + 1:
                bits += "1" + format(i, "0%db" % k)
            elif j == v:
                bits += "0" + format(i, "0%db" % k)
            else:
                bits += "1" + format(j, "0%db" % k) + "0" + format(i, "0%db" % k)
            v = j
        return bits

    # ---- arrays ----

    def array(self, dtype=None, shape=None, values=None):
        r = self.rng
        codes = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "i4": "i", "i8": "q", "u8": "Q", "f2": "e", "f4": "f", "f8": "d", "c8": "ff", "c16": "dd"}
        dtype = dtype or r.choice(list(codes))
        if shape is None:
            shape = (r.randrange(4), r.randrange(4)) if self.maybe(0.5) else (r.randrange(1, 4),) * 2
            shape = (r.randrange(3),) + shape if self.maybe() else shape
        order = "|" if dtype in ("b1", "i1", "u1") else self.pick("<", ">")
        code = codes[dtype]
        count = 1
        for d in shape:
            count *= d
        if values is None:
            top = {"i": 127, "u": 255, "b": 1}.get(dtype[0])
            low = -128 if dtype[0] == "i" else 0
            values = [r.choice([0, 1, r.randint(low, top)]) if top else r.choice([0.0, 1.0, r.gauss(0, 1), -0.0]) for _ in range(count * len(code))]
            if not top and values and self.maybe(0.03):
                values[0] = float(self.pick("nan", "inf"))
            if self.maybe(0.4) and len(shape) == 2 and shape[0] == shape[1] and len(code) == 1:
                for i in range(shape[0]):
                    for j in range(i + 1):
                        values[i * shape[0] + j] = values[j * shape[0] + i] if i != j else 0
        fortran = self.maybe(0.2) and len(shape) == 2
        head = "{'descr': '%s%s', 'fortran_order': %s, 'shape': (%s), }" % (
            order, dtype, fortran, ", ".join(map(str, shape)) + ("," if len(shape) == 1 else ""))
        head += " " * (-(len(head) + 11) % 64) + "\n"
        body = struct.pack(("<" if order == "|" else order) + code * count, *values)
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body

    @staticmethod
    def string(text):
        head = "{'descr': '|S%d', 'fortran_order': False, 'shape': (), }" % len(text)
        head += " " * (-(len(head) + 11) % 64) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + text.encode()

    def npz(self):
        members = {}
        if self.maybe(0.4):
            members = {name: self.array() for name in "abc"[: self.rng.randrange(1, 4)]}
        else:
            n, m = self.rng.randrange(1, 5), self.rng.randrange(1, 5)
            cells = [(i, j) for i in range(n) for j in range(m) if self.maybe(0.5)]
            cells += cells[:1] if self.maybe() else []
            cells.sort()
            kind = self.pick("csr", "csc", "coo")
            dtype = self.pick("b1", "i8", "f8", "c16")
            width = 2 if dtype == "c16" else 1
            members = {"data": self.array(dtype, (len(cells),), [self.rng.randrange(2 if dtype == "b1" else 5) for _ in range(width * len(cells))]),
                       "shape": self.array("i8", (2,), [n, m]), "format": self.string(kind)}
            number = self.pick("i4", "i8")
            if kind == "coo":
                members["row"] = self.array(number, (len(cells),), [i for i, _ in cells])
                members["col"] = self.array(number, (len(cells),), [j for _, j in cells])
            else:
                outer = n if kind == "csr" else m
                side = 0 if kind == "csr" else 1
                cells.sort(key=lambda c: c[side])
                members["indices"] = self.array(number, (len(cells),), [c[1 - side] + (self.maybe(0.003)) for c in cells])
                members["indptr"] = self.array(number, (outer + 1,), [sum(c[side] < k for c in cells) for k in range(outer + 1)])
        if self.maybe(0.15):  # libFuzzer changes the bytes of archives
            name = self.rng.choice(sorted(set(members) - {"format"}))
            members[name] = self.spoil(members[name])
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", self.pick(zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)) as z:
            for name, body in members.items():
                z.writestr(zipfile.ZipInfo(name + ".npy"), body, z.compression)
        return out.getvalue()

    # ---- the whole ----

    def text(self, lines):
        end = "\r\n" if self.maybe() else "\n"
        return (end.join(lines) + ("" if self.maybe() else end)).encode("latin-1", "replace")

    def spoil(self, data):
        """A few bytes are wrong."""
        r = self.rng
        at = r.randrange(len(data) + 1)
        change = self.pick("cut", "byte", "delete", "insert", "repeat", "number")
        if change == "cut":
            return data[:at]
        if change == "byte" and data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([r.choice(b" \t\n%#,-+.0123456789eixj\"'\\{}()\0\xff\r")]) + data[at + 1:]
        if change == "insert":
            return data[:at] + bytes([r.choice(b" \t\n%#,-+.0123456789eixj\"'\\{}()\0\xff\r")]) + data[at:]
        if change == "repeat":
            lines = data.split(b"\n")
            lines.insert(r.randrange(len(lines) + 1), r.choice(lines))
            return b"\n".join(lines)
        if change == "number":
            return data[:at] + self.integer().encode() + data[at:]
        return data[:at] + data[at + r.randrange(1, 4):]

    def make(self, name):
        """(bytes of the text, bytes of the file, options)"""
        options = {"from": name, "pattern": self.maybe(0.15), "graph": self.maybe(0.25), "bipartite": False,
                   "duplicates": self.pick("error", "error", "sum", "ignore"), "columns": "-", "delimiter": 0, "header": "-"}
        options["bipartite"] = not options["graph"] and self.maybe(0.05)
        method = {"pm-stream": self.stream, "npy": self.array}.get(name) or getattr(self, name)
        data = method()
        if isinstance(data, tuple):
            data, more = data
            options.update(more)
        if name != "npz" and self.maybe(0.15):
            data = self.spoil(data)
        packed = gzip.compress(data, 1, mtime=0) + b"\0" * self.pick(0, 0, 512) if data and name != "npz" and self.maybe(0.05) else data
        if name in ("mtx", "pm-stream", "npy", "npz") and self.maybe(0.2):
            options["from"] = "-"  # these are recognised by their first bytes
        return data, packed, options
