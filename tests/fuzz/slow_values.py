# SPDX-License-Identifier: GPL-3.0-or-later
"""What the slow readers share: numbers, lines, and matrices from entries.

The slow readers are written from the manual pages.  They raise Bad for an input that the manual calls an error, and
Unknown where the manual leaves open what is read; then any answer is right but a crash.
"""

import re
from fractions import Fraction

INTEGER = re.compile(r"[+-]?[0-9]+\Z")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
HEX = re.compile(r"([+-]?)0[xX](?:([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?|\.([0-9a-fA-F]+))(?:[pP]([+-]?[0-9]+))?\Z")
SPREAD = 1 << 16  # larger binary exponents are not followed here


class Bad(Exception):
    pass


class Unknown(Exception):
    pass


def real(text):
    """(field, value) of a real number."""
    if INTEGER.match(text):
        return "integer", Fraction(int(text))
    if DECIMAL.match(text):
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise Bad("not finite")
        if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
            raise Bad("rounded to 0")
        return "real", Fraction(value)
    m = HEX.match(text)
    if m:
        sign, whole, after, only, exponent = m.groups()
        after = after or only or ""
        exponent = int(exponent or 0)
        if abs(exponent) > SPREAD:
            raise Unknown("a large exponent")
        value = Fraction(int((whole or "") + after, 16)) * Fraction(2) ** (exponent - 4 * len(after))
        return "real", -value if sign == "-" else value
    raise Bad("no number: %r" % text)


def root_parts(n, k):
    """cos and sin of 2 pi k / n to some 390 bits, as fractions."""
    bits = 400
    one = 1 << bits

    def arctan(x):
        power, total, j = one // x, 0, 1
        while power:
            total += power // j if j % 4 == 1 else -(power // j)
            power //= x * x
            j += 2
        return total

    angle = (16 * arctan(5) - 4 * arctan(239)) * 2 * (k % n) // n
    parts, term, j = [0, 0], one, 0
    while term:
        parts[j % 2] += term if j % 4 < 2 else -term
        j += 1
        term = term * angle // one // j
    return Fraction(parts[0], one), Fraction(parts[1], one)


def root(text):
    """A number and a root of unity, as the manual rounds them."""
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    m = re.match(r"([^*]*?)\*?root\(([0-9]+)\)(?:\^(-?[0-9]+))?\Z", text)
    if not m or m.group(1) in ("+-", "-+"):
        raise Unknown("sums with roots of unity, and wrong ones")
    factor, n, k = m.group(1), int(m.group(2)), int(m.group(3) or 1)
    if "root(" in factor or re.search(r"[+-]", factor[1:]):
        raise Unknown("sums with roots of unity, and wrong ones")
    if factor in ("", "+", "-") and text[len(factor)] == "*":
        raise Bad("a sign and no factor")
    if 12 < n <= 1000:
        raise Unknown("normal forms of higher orders")
    if n < 1 or n > 1000 or len(m.group(3) or "") > 17:
        raise Bad("the order of a root")
    c = Fraction(-1 if factor == "-" else 1) if factor in ("", "+", "-") else real(factor)[1]
    if c == 0:
        return "complex", Fraction(0), Fraction(0)
    size, e = abs(c), 0
    while Fraction(2) ** (e + 1) <= size:
        e += 1
    while Fraction(2) ** e > size:
        e -= 1
    re_part, im_part = root_parts(n, k)
    grid = Fraction(2) ** (e - 128)
    if 4 * k % n == 0:  # they are whole, and stay as they are
        return "complex", c * round(re_part), c * round(im_part)
    if 2 * k % n == 0:
        return "complex", c * round(re_part), Fraction(0)
    return "complex", round(c * re_part / grid) * grid, round(c * im_part / grid) * grid


def scalar(text):
    """(field, re, im) of a number that may be complex."""
    if "root(" in text:
        return root(text)
    if "*" in text or "+-" in text or "-+" in text:
        raise Unknown("other ways to write complex numbers")
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(" \t")
        if "," in text:
            parts = text.split(",")
            if len(parts) != 2:
                raise Bad("a pair has two numbers")
            return "complex", real(parts[0].strip(" \t"))[1], real(parts[1].strip(" \t"))[1]
        if not text or text[-1] not in "ijIJ":
            raise Unknown("a real number in parentheses")
    if text and text[-1] in "ijIJ":
        body = text[:-1]
        is_hex = re.match("[+-]?0[xX]", body)
        split = 0
        for k in range(1, len(body)):
            if body[k] in "+-" and body[k - 1] not in ("pP" if is_hex else "eE"):
                split = k
                break
        re_part = real(body[:split])[1] if split else Fraction(0)
        factor = body[split:]
        if factor in ("", "+", "-"):
            return "complex", re_part, Fraction(-1 if factor == "-" else 1)
        return "complex", re_part, real(factor)[1]
    field, value = real(text)
    return field, value, Fraction(0)


FIELDS = ["pattern", "integer", "real", "complex"]


def widest(fields):
    return max(fields, key=FIELDS.index) if fields else "integer"


def lines(data):
    """The lines of a text: without their ends, which are LF or CRLF."""
    if not data:
        raise Bad("no bytes")
    if b"\0" in data:
        raise Bad("a zero byte")
    text = data.decode("latin-1")
    if text.startswith("\xef\xbb\xbf"):
        raise Unknown("a byte order mark")
    parts = text.split("\n")
    if parts[-1] == "":
        parts.pop()
    parts = [p[:-1] if p.endswith("\r") else p for p in parts]
    if any("\r" in p for p in parts):
        raise Bad("a carriage return alone")
    return parts


def is_integer_label(text):
    return re.match(r"(0|-?[1-9][0-9]{0,17})\Z", text) is not None


def in_order(labels):
    """Labels of a side: sorted if all are integers, else as they first appear."""
    return sorted(labels, key=int) if all(map(is_integer_label, labels)) else labels


class Entries:
    """Entries in any order, with values (re, im), and what repeated ones mean."""

    def __init__(self, field, how, pattern):
        self.field, self.how, self.pattern = field, how, pattern
        self.at = {}
        self.repeated = False

    def add(self, key, value):
        if key not in self.at:
            self.at[key] = value
            return
        self.repeated = True
        if self.how == "error":
            raise Bad("a repeated edge")
        old = self.at[key]
        if self.how == "sum":
            self.at[key] = (old[0] + value[0], old[1] + value[1])
        elif old != value:
            raise Bad("repeated edges with unequal weights")

    def finish(self):
        """(field, entries without zeros)"""
        at = {k: v for k, v in self.at.items() if v != (0, 0)}
        if self.pattern:
            return "pattern", dict.fromkeys(at, (Fraction(1), Fraction(0)))
        return "integer" if self.field == "pattern" and self.repeated and self.how == "sum" else self.field, at


def two_sides(rows, cols, field, entries, opt):
    """entries: (row, column, re, im) with positions; the node."""
    e = Entries(field, opt["duplicates"], opt["pattern"])
    for i, j, x, y in entries:
        e.add((i, j), (x, y))
    field, at = e.finish()
    return {"one_set": False, "field": field, "rows": rows, "cols": cols, "at": at}


def one_set(labels, field, entries, opt):
    """The same for edges of a graph on one set of vertices.  Keys of the answer are sets of two labels."""
    if opt["bipartite"]:
        raise Bad("one set of vertices under --bipartite")
    how = opt["duplicates"]
    e = Entries(field, how, opt["pattern"])
    both_ways = {}
    for i, j, x, y in entries:
        if (x, y) == (0, 0):
            raise Unknown("an entry 0 in a graph on one set")
        if how == "sum":
            i, j = min(i, j), max(i, j)
        e.add((i, j), (x, y))
        both_ways.setdefault(frozenset((i, j)), set()).add((x, y))
    field, directed = e.finish()
    at = {}
    for (i, j), value in directed.items():
        if i == j:
            raise Bad("a loop")
        if how != "sum" and not opt["pattern"] and len(both_ways[frozenset((i, j))]) > 1:
            raise Bad("unequal weights in both directions")
        at[frozenset((labels[i], labels[j]))] = value
    check_bipartite(labels, directed)
    return {"one_set": True, "field": field, "vertices": sorted(labels), "at": at}


def check_bipartite(labels, edges):
    """The colours of the vertices with edges; in each component the smallest one has colour 0."""
    near = {}
    for i, j in edges:
        near.setdefault(i, []).append(j)
        near.setdefault(j, []).append(i)
    colour = {}
    for start in sorted(near):
        if start in colour:
            continue
        colour[start] = 0
        todo = [start]
        while todo:
            v = todo.pop()
            for w in near[v]:
                if w not in colour:
                    colour[w] = 1 - colour[v]
                    todo.append(w)
                elif colour[w] == colour[v]:
                    raise Bad("an odd cycle")
    return colour


def numbers_from(first, n):
    return [str(k) for k in range(first, first + n)]
