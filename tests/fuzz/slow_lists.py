# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow readers of edge lists, tables of edges, and graphs on one set: edges, csv, dimacs, graph6 and sparse6."""

import re
from fractions import Fraction

from slow_values import (DECIMAL, HEX, INTEGER, Bad, Unknown, in_order, is_integer_label, lines, numbers_from, one_set, real, scalar,
                         two_sides, widest)

ONE = (Fraction(1), Fraction(0))


def size(text, what):
    if not re.match(r"[0-9]+\Z", text):
        raise Bad("%s: no size" % what)
    if int(text) > 2**31 - 1:
        raise Unknown("a size beyond what is read")
    return int(text)


INTEGER_LABEL = re.compile(r"(0|-?[1-9][0-9]*)\Z")


def looks_like_number(text):
    return any(form.match(text) for form in (INTEGER, DECIMAL, HEX))


def positions(labels, count):
    """(labels of the side, position of each label).  count: of the size line, or None."""
    if count is None:
        names = in_order(labels)
        return names, {name: k for k, name in enumerate(names)}
    if all(map(is_integer_label, labels)):
        for name in labels:
            if not 1 <= int(name) <= count:
                raise Bad("a number beyond the size line")
        return numbers_from(1, count), {name: int(name) - 1 for name in labels}
    if all(map(looks_like_number, labels)) and any(map(INTEGER_LABEL.match, labels)):
        raise Bad("a number beyond the size line, or in another spelling")
    if len(labels) > count:
        raise Bad("more names than the size line says")
    return labels + [""] * (count - len(labels)), {name: k for k, name in enumerate(labels)}


def first_seen(words):
    return list(dict.fromkeys(words))


def from_labels(edges, opt, sizes, joined, has_weights):
    """edges: (left, right, (field, re, im))."""
    fields = [w[0] for _, _, w in edges]
    field = widest(fields) if has_weights else "pattern"
    if joined:
        names = first_seen(x for e in edges for x in e[:2])
        labels, at = positions(names, sizes[0] if sizes else None)
        found = [(at[a], at[b], w[1], w[2]) for a, b, w in edges]
        keys = labels if "" not in labels else [x or "#%d" % k for k, x in enumerate(labels)]
        node = one_set(keys, field, found, opt)
        node["vertices"] = sorted(labels)
        return [node]
    rows, row_at = positions(first_seen(e[0] for e in edges), sizes[0] if sizes else None)
    cols, col_at = positions(first_seen(e[1] for e in edges), sizes[1] if sizes else None)
    return [two_sides(rows, cols, field, [(row_at[a], col_at[b], w[1], w[2]) for a, b, w in edges], opt)]


# ---- edge lists ----

ATTRIBUTE = re.compile(r"""\s*(['"])([A-Za-z_]+)\1:\s*([-+0-9.eExXpPa-fA-FjJ()]+|(['"])[A-Za-z ]*\4|None|True|False)\s*(,|$)""")


def attributes(text):
    """The weight in {'weight': 2.5}, or None."""
    if not text.endswith("}"):
        raise Bad("attributes without an end")
    body, weight = text[1:-1], None
    while body.strip():
        m = ATTRIBUTE.match(body)
        if not m:
            raise Unknown("attributes")
        if m.group(2) == "weight":
            if weight is not None or m.group(4) or m.group(3) in ("None", "True", "False"):
                raise Unknown("a weight that is no number")
            weight = m.group(3)
        body = body[m.end():]
        if m.group(5) == "," and not body.strip():
            raise Unknown("a comma at the end of attributes")
    return weight


def cut(line):
    """The fields of a line; a weight in attributes is the third one."""
    words = re.split("[ \t]+", line.strip(" \t"))
    if len(words) > 2 and words[2].startswith("{"):
        rest = re.match(r"[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+(.*?)[ \t]*\Z", line).group(1)
        weight = attributes(rest)
        return words[:2] + ([weight] if weight is not None else [])
    return words


def visible_ends(*labels):
    if any(c < " " or c == "\x7f" for label in labels for c in (label[0], label[-1])):
        raise Bad("an invisible character at an end of a label")


def edges(data, opt):
    sizes, joined, found, counts = None, opt["graph"], [], set()
    for line in lines(data):
        text = line.strip(" \t")
        if re.search("[\v\f\r]", line):
            raise Unknown("other blanks")
        if not text:
            continue
        if text[0] in "#%":
            m = re.match(r"#[ \t]*pm-(edges|graph)(?:[ \t]|\Z)", text)
            if not m and re.match(r"[#% \t]*pm[-_ \t]*(edges?|graphs?)[^0-9A-Za-z]*[0-9]", text, re.I):
                raise Bad("a comment that resembles a size line")
            if not m:
                continue
            if found or sizes or line[0] != "#":
                raise Unknown("a size line that is not in front")
            words = text[m.end():].split()
            if len(words) != (2 if m.group(1) == "edges" else 1):
                raise Bad("a size line")
            sizes = [size(w, "size line") for w in words]
            if max(sizes) > 100000:
                raise Unknown("large sizes")
            if m.group(1) == "edges" and opt["graph"]:
                raise Unknown("--graph and two sides")
            if m.group(1) == "graph" and opt["bipartite"]:
                raise Unknown("--bipartite and one set")
            joined = joined or m.group(1) == "graph"
            continue
        if "\t" in text and re.search(" |\t\t", line):
            raise Unknown("two ways to cut")  # of this rule the manual has more than is worth doing twice
        words = cut(text)
        if not 2 <= len(words) <= 3:
            raise Bad("an edge has two labels and perhaps a weight")
        counts.add(len(words))
        visible_ends(*words[:2])
        found.append((words[0], words[1], scalar(words[2]) if len(words) == 3 else ("pattern",) + ONE))
    if len(counts) > 1:
        raise Bad("weights in some lines only")
    if not found and not sizes:
        raise Unknown("no edges")
    return from_labels(found, opt, sizes, joined, counts == {3})


# ---- tables of edges ----


def records(text, delimiter):
    """RFC 4180: fields in quotes hold anything; blanks around a field are dropped."""
    out, record, at, n = [], [], 0, len(text)
    while at < n:
        while at < n and text[at] in " \t" and text[at] != delimiter:
            at += 1
        if at < n and text[at] == '"':
            at += 1
            field = ""
            while True:
                stop = text.find('"', at)
                if stop < 0:
                    raise Bad("a quote without an end")
                field += text[at:stop]
                at = stop + 1
                if at < n and text[at] == '"':
                    field += '"'
                    at += 1
                else:
                    break
            while at < n and text[at] in " \t" and text[at] != delimiter:
                at += 1
            if text.startswith("\r\n", at):
                at += 1
            if at < n and text[at] not in (delimiter, "\n"):
                raise Bad("bytes after a quote")
        else:
            start = at
            while at < n and text[at] not in (delimiter, "\n"):
                at += 1
            field = text[start:at]
            if at < n and text[at] == "\n" and field.endswith("\r"):
                field = field[:-1]
            field = field.strip(" \t")
        record.append(field)
        if at >= n or text[at] == "\n":
            out.append(record)
            record = []
        elif at + 1 >= n:
            out.append(record + [""])
            record = []
        at += 1
    if record:
        out.append(record)
    return [r for r in out if r != [""]]


def csv(data, opt):
    if opt["header"] == "-" or not opt["delimiter"]:
        raise Unknown("what is recognised")  # tests/unit/unit_read_tables.c
    if b"\r" in data.replace(b"\r\n", b"") or b"\v" in data or b"\f" in data:
        raise Unknown("other blanks")
    lines(data)
    table = records(data.decode("latin-1"), chr(opt["delimiter"]))
    if not table:
        raise Unknown("no records")
    if any(len(r) != len(table[0]) for r in table):
        raise Bad("records of several lengths")
    head = table.pop(0) if opt["header"] == "yes" else None
    width = len(head or (table[0] if table else []))
    if not table:
        raise Unknown("no edges")
    if opt["columns"] != "-":
        chosen = []
        for word in opt["columns"].split(","):
            if re.match(r"[0-9]+\Z", word):
                column = int(word) - 1
            elif head and head.count(word) == 1:
                column = head.index(word)
            else:
                raise Bad("no such column")
            if not 0 <= column < width:
                raise Bad("no such column")
            chosen.append(column)
    elif width in (2, 3):
        chosen = list(range(width))
    else:
        raise Bad("which columns?")
    found = []
    if any("\r\n" in x for r in table for x in r):
        raise Unknown("the bytes of a line break in a label")
    for r in table:
        a, b = r[chosen[0]], r[chosen[1]]
        if not a or not b:
            raise Bad("an empty label")
        visible_ends(a, b)
        if len(chosen) == 3:
            found.append((a, b, scalar(r[chosen[2]])))
        else:
            found.append((a, b, ("pattern",) + ONE))
    return from_labels(found, opt, None, opt["graph"], len(chosen) == 3)


# ---- graphs on one set ----


def dimacs(data, opt):
    problem, found = None, []
    for line in lines(data):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if problem is None:
            if len(words) != 4 or words[0] != "p" or words[1] not in ("edge", "col"):
                raise Bad("no problem line")
            problem = size(words[2], "problem"), int(words[3]) if words[3].isdigit() else -1
            if problem[1] < 0:
                raise Bad("no number of edges")
            if problem[0] > 100000:
                raise Unknown("large sizes")
            continue
        if len(words) != 3 or words[0] != "e" or not all(re.match(r"[0-9]+\Z", w) for w in words[1:]):
            raise Bad("no edge")
        u, v = int(words[1]), int(words[2])
        if not (1 <= u <= problem[0] and 1 <= v <= problem[0]):
            raise Bad("no such vertex")
        found.append((u - 1, v - 1) + ONE)
    if problem is None or len(found) != problem[1]:
        raise Bad("another number of edges")
    return [one_set(numbers_from(1, problem[0]), "pattern", found, opt)]


def graph6(data, opt):
    nodes = []
    for k, line in enumerate(lines(data)):
        kind = ":" if line.startswith(":") else ""
        for head in (">>graph6<<", ">>sparse6<<"):
            if line.startswith(head):
                if k:
                    raise Unknown("a head in the middle")
                line = line[len(head):]
                kind = ":" if line.startswith(":") else ""
                if (head == ">>sparse6<<") != (kind == ":"):
                    raise Unknown("a head of the other format")
        if not line:
            raise Unknown("an empty line")
        codes = [ord(c) - 63 for c in line[len(kind):]]
        if any(not 0 <= c <= 63 for c in codes):
            raise Bad("a byte that is no code")
        bits = "".join(format(c, "06b") for c in codes)
        marks = 0 if codes[:1] != [63] else 1 if codes[1:2] != [63] else 2
        digits = (1, 3, 6)[marks] * 6
        if len(bits) < 6 * marks + digits:
            raise Bad("the number of vertices is cut")
        n = int(bits[6 * marks:6 * marks + digits], 2)
        bits = bits[6 * marks + digits:]
        if n > 5000:
            raise Unknown("large sizes")
        nodes.append(one_set(numbers_from(1, n), "pattern", (sparse6_edges if kind else graph6_edges)(n, bits), opt))
    return nodes


def graph6_edges(n, bits):
    need = n * (n - 1) // 2
    if len(bits) != (need + 5) // 6 * 6:
        raise Bad("another length")
    if "1" in bits[need:]:
        raise Unknown("padding that is not 0")
    pairs = [(i, j) for j in range(n) for i in range(j)]
    return [(i, j) + ONE for (i, j), b in zip(pairs, bits) if b == "1"]


def sparse6_edges(n, bits):
    k = max(n - 1, 0).bit_length()
    if k == 0:
        raise Unknown("sparse6 of at most one vertex")
    v, at, found = 0, 0, []
    while at + 1 + k <= len(bits):
        b, x = int(bits[at]), int(bits[at + 1:at + 1 + k], 2)
        at += 1 + k
        v += b
        if v >= n or x >= n:
            if "0" in bits[at - 1 - k:] or len(bits) - at + 1 + k > 5:
                raise Unknown("neither an edge nor padding")
            break
        if x > v:
            v = x
        else:
            found.append((x, v) + ONE)
    else:
        if "0" in bits[at:] or len(bits) - at > 5:
            raise Unknown("padding that is not 1")
    return found
