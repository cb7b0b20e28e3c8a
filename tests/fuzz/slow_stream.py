# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow reader of pm-stream(5): a list of nodes, as the program gives them one after another."""

import re
from fractions import Fraction

from slow_matrices import mtx_body
from slow_values import HEX, INTEGER, SPREAD, Bad, Unknown, check_bipartite, lines, numbers_from, two_sides

DEPTH = 1000


def unescape(text):
    out, at = "", 0
    while at < len(text):
        if text[at] != "\\":
            out += text[at]
            at += 1
            continue
        m = re.match(r"\\(?:([\\se])|x([0-9a-fA-F]{2}))", text[at:])
        if not m or m.group(2) == "00":
            raise Bad("an escape")
        out += {"\\": "\\", "s": " ", "e": ""}[m.group(1)] if m.group(1) else chr(int(m.group(2), 16))
        at += m.end()
    return out


def number(text):
    """(is_real, value) of a factor."""
    above, bar, below = text.partition("/")
    if bar and not re.match(r"[0-9]+\Z", below):
        raise Bad("a denominator")
    if bar and int(below) == 0:
        raise Bad("a denominator 0")
    if INTEGER.match(above):
        value, is_real = Fraction(int(above)), False
    else:
        m = HEX.match(above)
        if not m:
            raise Bad("a factor")
        if re.match(r"[+-]?0X|.*P", above):
            raise Unknown("capital letters")
        if m.group(5) is not None and abs(int(m.group(5))) > SPREAD:
            raise Unknown("a large exponent")
        digits = (m.group(2) or "") + (m.group(3) or m.group(4) or "")
        value = Fraction(int(digits, 16)) * Fraction(2) ** (int(m.group(5) or 0) - 4 * len(m.group(3) or m.group(4) or ""))
        value, is_real = -value if above.startswith("-") else value, True
    return is_real, value / int(below) if bar else value


class Head:
    """The lines of a matrix."""

    def __init__(self, version):
        self.version, self.labels, self.order, self.name = version, {"rows": [], "cols": []}, [], None
        self.open, self.seen, self.matchings, self.times, self.graph, self.loops = None, set(), 0, {}, None, None

    def line(self, line):
        if len(line) > 1000:
            raise Bad("a long line")
        words = line[4:].split()
        if not words:
            raise Bad("an empty line of a head")
        what, words = words[0], words[1:]
        if self.open and what != self.open:
            raise Bad("a label goes on in another line")
        if what in self.labels:
            self.rows(what, words)
        elif what == "order":
            for w in words:
                if not re.match(r"[rc][0-9]+\Z", w):
                    raise Bad("an order")
                self.order.append((w[0], int(w[1:])))
            self.seen.add("order")
        elif what == "name":
            if self.name is not None:
                raise Bad("two names")
            self.name = unescape(re.match(r"%pm:[ \t]*name[ \t]*(.*?)[ \t]*\Z", line).group(1))
        elif what == "made-by":
            pass  # it has no meaning for readers
        elif what == "count" and self.version >= 2:
            kinds = {("maximum",): 4, ("saturate",): 1, ("saturate", "rows"): 2, ("saturate", "cols"): 3}
            if tuple(words) not in kinds:
                raise Bad("a count")
            if self.matchings:
                raise Unknown("two lines count")
            self.matchings = kinds[tuple(words)]
        elif what in ("row-times", "col-times", "vertex-times") and self.version >= 2:
            if not all(re.match(r"[0-9]+\Z", w) for w in words):
                raise Bad("times")
            self.times.setdefault(what, []).extend(map(int, words))
            if sum(map(int, words)) > 1000:
                raise Unknown("many copies")
        elif what == "vertex-loops" and self.version >= 2:
            if not all(INTEGER.match(w) for w in words):
                raise Bad("a loop") if "x" in words else Unknown("loops that are no integers")
            self.loops = (self.loops or []) + [int(w) for w in words]
        elif what == "graph" and self.version >= 2:
            if words not in ([], ["loops"]) or self.graph is not None:
                raise Bad("a line graph")
            self.graph = words
        elif self.version >= 2 and what in ("row-places", "col-places"):
            raise Unknown("lines that are not followed here")
        else:
            raise Bad("a line of a head")

    def rows(self, what, words):
        goes_on = bool(words) and words[-1].endswith("\\") and (len(words[-1]) - len(words[-1].rstrip("\\"))) % 2 == 1
        if goes_on:
            words[-1] = words[-1][:-1]
        if self.open:
            if not words:
                raise Unknown("nothing after a label that goes on")
            words[0] = self.part + words[0]
        self.open = None
        if goes_on:
            self.open, self.part = what, words.pop()
            if not self.part:
                raise Unknown("a label that begins in the next line")
        self.labels[what] += [unescape(w) for w in words]
        self.seen.add(what)


def copies_of(head, times, n, labels, at):
    """The edges, the number and the labels of the copies of the vertices."""
    if len(times) != n or head.order or "order" in head.seen:
        raise Bad("a count for each vertex, and no order")
    loops = head.loops
    if loops is not None and (len(loops) != n or head.graph != ["loops"]):
        raise Bad("loops of a graph without them, or not one for each vertex")
    if loops is None and head.graph == ["loops"]:
        loops = [at.get((v, v), 0) for v in range(n)]
    if any(x and t for x, t in zip(loops or [], times)):
        raise Bad("loops")
    copies = [v for v in range(n) for _ in range(times[v])]
    if head.labels["rows"] and len(set(copies)) < len(copies):
        raise Unknown("copies of one name")
    labels = [labels[v] for v in copies] if head.labels["rows"] else numbers_from(1, len(copies))
    new = {(a, b): at[v, w] for a, v in enumerate(copies) for b, w in enumerate(copies) if a != b and (v, w) in at}
    return new, len(copies), labels


def one_set_of(head, nrows, ncols, labels, field, entries, opt):
    """A matrix with a line graph, which must be bipartite here: (node, order)."""
    times = head.times.get("vertex-times")
    if head.matchings or set(head.times) - {"vertex-times"} or head.labels["cols"] or nrows != ncols:
        raise Bad("lines that do not go with a graph")
    if opt["bipartite"]:
        raise Bad("one set of vertices under --bipartite")
    node = two_sides(range(nrows), range(ncols), field, entries, opt)
    at = node["at"]
    if any((j, i) not in at for i, j in at):
        raise Bad("not symmetric")
    if any(at[j, i] != v for (i, j), v in at.items()):
        raise Bad("not symmetric")
    if opt["pattern"]:
        weights = two_sides(range(nrows), range(ncols), field, entries, dict(opt, pattern=False))["at"]
        if any(weights.get((j, i)) != v for (i, j), v in weights.items()):
            raise Unknown("the pattern of unequal weights")
    if times is not None:
        at, nrows, labels = copies_of(head, times, nrows, labels, at)
    if any(i == j for i, j in at):
        raise Bad("loops")
    colour = check_bipartite(labels, sorted(at))
    side = [colour.get(v, 0) for v in range(nrows)]
    rows = [v for v in range(nrows) if not side[v]]
    cols = [v for v in range(nrows) if side[v]]
    order = [len(rows) + cols.index(v - 1) if side[v - 1] else rows.index(v - 1) for _, v in head.order]
    if len(set(labels)) < nrows:
        raise Unknown("vertices of one name")
    return {"one_set": True, "field": node["field"], "vertices": sorted(labels),
            "at": {frozenset((labels[i], labels[j])): v for (i, j), v in at.items()}}, order


def read_matrix(source, first, version, node, opt):
    head = Head(version)
    nrows, ncols, field, entries = mtx_body(source, first, head.line, opt)
    if head.open:
        raise Bad("a label without an end")
    sides = []
    for key, n in (("rows", nrows), ("cols", ncols)):
        if key in head.seen and len(head.labels[key]) != n:
            raise Bad("labels for each row or none")
        sides.append(head.labels[key] or numbers_from(1, n))
    if "order" in head.seen:
        columns = range(1, ncols + 1) if head.graph is None else ()
        want = sorted([("r", i) for i in range(1, nrows + 1)] + [("c", j) for j in columns])
        if sorted(head.order) != want:
            raise Bad("an order has every vertex once")
    if head.name is not None:
        if node["name"] is not None:
            raise Bad("two names")
        node["name"] = head.name
    order = [i - 1 if side == "r" else (nrows + i - 1) for side, i in head.order]
    if head.graph is None:
        out = two_sides(sides[0], sides[1], field, entries, opt)
    else:
        out, order = one_set_of(head, nrows, ncols, sides[0], field, entries, opt)
    if head.loops is not None and "vertex-times" not in head.times:
        raise Bad("vertex-loops without vertex-times")
    if head.graph is None and "vertex-times" in head.times:
        raise Bad("vertex-times of rows and columns")
    if head.times and head.graph is None:
        if head.order:
            raise Bad("an order of copies")
        for k, (key, n) in enumerate((("row-times", nrows), ("col-times", ncols))):
            times = head.times.get(key, [1] * n)
            if len(times) != n:
                raise Bad("a count for each row")
            copies = [i for i in range(n) for _ in range(times[i])]
            side = ("rows", "cols")[k]
            out[side] = [sides[k][i] for i in copies] if head.labels[side] else numbers_from(1, len(copies))
            where = {}
            for new, old in enumerate(copies):
                where.setdefault(old, []).append(new)
            out["at"] = {(a, key[1]) if k == 0 else (key[0], a): v
                         for key, v in out["at"].items() for a in where.get(key[k], [])}
    out.update(values=field != "pattern", kind="matrix", order=order, matchings=head.matchings, **node)
    return out


def next_line(source):
    for line in source:
        if line.strip() and (not line.startswith("%") or line.startswith(("%pm:", "%%MatrixMarket"))):
            return line
        if line.lower().startswith("%%matrixmarket"):
            raise Unknown("a banner in other letters")
    raise Bad("no end of a period")


def no_head(line):
    if line[4:].split()[:1] != ["made-by"]:
        raise Bad("a line in a matrix of a period")


def read_period(source, words, node, opt):
    """Three matrices: a part in its own columns, in those of the next one, of the one before; written out."""
    if len(words) != 2 or not re.match(r"[0-9]+\Z", words[1]) or not 0 < int(words[1]) < 2**63:
        raise Bad("the number of parts")
    length, ring, parts, size = int(words[1]), words[0] == "ring", [], None
    weights = dict(opt, pattern=False)  # the pattern is that of the sums
    for _ in range(3):
        line = next_line(source)
        if not line.startswith("%%MatrixMarket"):
            raise Bad("no matrix of a period")
        nrows, ncols, field, entries = mtx_body(source, line, no_head, weights)
        if size not in (None, (nrows, ncols)):
            raise Bad("sizes of a period")
        size = nrows, ncols
        parts.append(two_sides(range(nrows), range(ncols), field, entries, weights))
    line = next_line(source)
    if not line.startswith("%pm:") or line[4:].split() != ["end"]:
        raise Bad("no end of a period")
    if length * max(*size, 1) > 300:
        raise Unknown("a long period")
    fields = ["pattern", "integer", "real", "complex"]
    field = max((p["field"] for p in parts), key=fields.index)
    at = {}
    for k in range(length):
        for part, step in zip(parts, (0, 1, -1)):
            other = (k + step) % length if ring else k + step
            for (i, j), (x, y) in part["at"].items() if 0 <= other < length else ():
                key = k * size[0] + i, other * size[1] + j
                if key in at and field == "pattern":
                    field = "integer"
                old = at.get(key, (0, 0))
                at[key] = old[0] + x, old[1] + y
    at = {key: (1, 0) if opt["pattern"] else value for key, value in at.items() if value != (0, 0)}
    return dict(one_set=False, field="pattern" if opt["pattern"] else field, rows=numbers_from(1, length * size[0]),
                cols=numbers_from(1, length * size[1]), at=at, values=field != "pattern", kind="matrix", order=[], matchings=0, **node)


def empty():
    return {"factor": (Fraction(1), Fraction(0)), "factor_field": "integer", "times": 1, "name": None}


def check_pattern(nodes):
    """--pattern is for whole graphs, not for parts with factors."""
    depth = 0
    for n in nodes:
        depth += (n["kind"] in ("product", "sum")) - (n["kind"] == "close")
        if n["kind"] == "number" or (n["kind"] != "close" and n["factor"] != (1, 0)) or (depth and n.get("values")):
            raise Bad("no pattern of a graph")


def stream(data, opt):
    nodes = stream_nodes(data, opt)
    if opt["pattern"]:
        check_pattern(nodes)
    for n in nodes:
        n.pop("values", None)
    return nodes


def stream_nodes(data, opt):
    if opt["from"] == "-" and not re.match(rb"%pm:[ \t]*stream[ \t]", data):
        raise Unknown("another format")
    if opt["graph"]:
        raise Bad("a stream has matrices, and no graphs on one set")
    text = lines(data)
    if any(re.search("[\v\f\r]", line) for line in text):
        raise Unknown("other blanks")
    source = iter(text)
    m = re.match(r"%pm:[ \t]*stream[ \t]+([0-9]+)[ \t]*\Z", next(source))
    if not m or m.group(1) not in ("1", "2", "3"):
        raise Bad("no stream")
    version, nodes, depth = int(m.group(1)), [], 0
    node, given, made_by = empty(), set(), False
    for line in source:
        if not line.strip():
            continue
        if line.startswith("%%MatrixMarket"):
            nodes.append(read_matrix(source, line, version, node, opt))
            node, given = empty(), set()
            continue
        if not line.startswith("%"):
            raise Bad("a line that is no node")
        if not line.startswith("%pm:"):
            if line.lower().startswith("%%matrixmarket"):
                raise Unknown("a banner in other letters")
            continue
        words = line[4:].split()
        what, words = (words[0], words[1:]) if words else ("", [])
        leaf = "factor" in given
        if what in ("factor", "end", "eof", "stream", "part", "exact") and given and (leaf or what != "factor"):
            if not leaf:
                raise Bad("lines of a node without a node")
            nodes.append(dict(node, kind="number"))
            node, given = empty(), set()
        if what == "exact":
            if version < 3 or len(words) != 1 or words[0] not in ("real", "complex", "roots"):
                raise Bad("exact")
            given.add("exact")
        elif what == "factor":
            if given - {"exact"}:
                raise Bad("factor comes first")
            if len(words) not in (1, 2):
                raise Bad("a factor")
            parts = [number(w) for w in words]
            node["factor"] = (parts[0][1], parts[1][1] if len(parts) > 1 else Fraction(0))
            node["factor_field"] = "complex" if len(parts) > 1 else "real" if parts[0][0] else "integer"
            given.add("factor")
        elif what == "times":
            if len(words) != 1 or not re.match(r"[0-9]+\Z", words[0]) or "times" in given:
                raise Bad("times")
            node["times"] = int(words[0])
            given.add("times")
        elif what == "name":
            if "name" in given:
                raise Bad("two names")
            node["name"] = unescape(re.match(r"%pm:[ \t]*name[ \t]*(.*?)[ \t]*\Z", line).group(1))
            given.add("name")
        elif what == "begin":
            if version >= 2 and words and words[0] in ("strip", "ring"):
                nodes.append(read_period(source, words, node, opt))
                node, given = empty(), set()
                continue
            if len(words) != 1 or words[0] not in ("product", "sum"):
                raise Bad("begin")
            depth += 1
            if depth > DEPTH:
                raise Bad("too deep")
            nodes.append(dict(node, kind=words[0]))
            node, given = empty(), set()
        elif what == "end":
            if words or not depth:
                raise Bad("end")
            depth -= 1
            nodes.append({"kind": "close"})
        elif what == "eof":
            if words or depth:
                raise Bad("eof")
            if any(rest.strip() for rest in source):
                raise Bad("more after eof")
            return nodes
        elif what == "stream":
            if words not in (["1"], ["2"], ["3"]) or given:
                raise Bad("stream")
            if words == ["1"]:
                raise Unknown("version 1 again")
            version = max(version, int(words[0]))
        elif what == "made-by":
            if nodes or given or made_by:
                raise Unknown("made-by not in front")
            made_by = True
        elif what in ("part", "graph"):
            raise Unknown("reserved lines")
        else:
            raise Bad("an unknown line")
    raise Bad("no eof")
