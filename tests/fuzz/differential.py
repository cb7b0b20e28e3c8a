# SPDX-License-Identifier: GPL-3.0-or-later
"""Random inputs of every format, read by pmkit and by slow readers that were written from its manual.

differential.py COUNT SEED DUMP: COUNT inputs of every format; DUMP is the program dump_readings.  Prints a line for
each format with the numbers of inputs by outcome to standard error, and the differences to standard output.

differential.py write COUNT SEED FOLDER: the inputs as files FOLDER/FORMAT/NUMBER, for fuzz targets.
"""

import json
import os
import random
import subprocess
import sys
from fractions import Fraction

import slow_lists
import slow_matrices
import slow_stream
from grammar import FORMATS, Grammar
from slow_values import Bad, Unknown, real

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # factors have thousands of digits

READERS = {"edges": slow_lists.edges, "csv": slow_lists.csv, "dimacs": slow_lists.dimacs, "graph6": slow_lists.graph6,
           "mtx": slow_matrices.mtx, "dense": slow_matrices.dense, "npy": slow_matrices.npy, "npz": slow_matrices.npz,
           "pm-stream": slow_stream.stream}
DATA, UNABLE = 2, 4  # pm_status
SHOWN = 20


def record(data, o):
    flags = "".join(c for c, on in (("p", o["pattern"]), ("g", o["graph"]), ("b", o["bipartite"]),
                                    ("s", o["duplicates"] == "sum"), ("i", o["duplicates"] == "ignore")) if on)
    head = "%s %s %s %d %s %d\n" % (flags or "-", o["from"], o["columns"], o["delimiter"], o["header"], len(data))
    return head.encode() + data


def read_all(dump, inputs):
    """The answers of the program, until it ends."""
    run = subprocess.run([dump], input=b"".join(record(packed, o) for _, packed, o in inputs), capture_output=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()], run


def value(words):
    return tuple(real(w)[1] for w in words) + (Fraction(0),) * (2 - len(words)) if words else (Fraction(1), Fraction(0))


def program_matrix(n):
    at = {(e[0], e[1]): value(e[2:]) for e in n["entries"]}
    if not n["one_set"]:
        return {"one_set": False, "field": n["field"], "rows": n["rows"], "cols": n["cols"], "at": at}
    # Which class of a component is on the left does not matter: an edge is a set of two labels.
    rows = [x or "" for x in n["rows"]]
    return {"one_set": True, "field": n["field"], "vertices": sorted(rows + n["cols"]),
            "at": {frozenset((rows[i], n["cols"][j])): v for (i, j), v in at.items()}}


def program_nodes(answer, is_stream):
    out = []
    for n in answer["nodes"]:
        node = {"kind": n["kind"]}
        if n["kind"] == "matrix":
            node.update(program_matrix(n))
            if is_stream:
                shift = len(n["rows"])
                node.update(order=[v if v >= 0 else shift - 1 - v for v in n["order"]], matchings=n["matchings"])
        if is_stream and n["kind"] != "close":
            node.update(factor=tuple(map(Fraction, n["factor"])), factor_field=n["factor_field"], times=int(n["times"]), name=n["name"])
        out.append(node)
    return out


def expected_nodes(nodes, is_stream):
    out = []
    for n in nodes:
        n = dict({"kind": "matrix"}, **n)
        if is_stream and n["kind"] != "close":
            n["name"] = n["name"] or ""
        if is_stream and n["kind"] == "matrix":
            n["order"] = n["order"]
        out.append(n)
    return out


def expected(name, data, options):
    """("nodes", list), ("bad", why) or ("unknown", why)"""
    try:
        return "nodes", READERS[name](data, options)
    except Bad as e:
        return "bad", str(e)
    except Unknown as e:
        return "unknown", str(e)


def difference(name, want, answer):
    """What is wrong, or None."""
    kind, what = want
    status = answer["status"]
    if status not in (0, DATA, UNABLE, 1, 7):
        return "status %d" % status
    if (status != 0) != bool(answer["message"]) or "\n" in answer["message"]:
        return "message %r" % answer["message"]
    if kind == "unknown":
        return None
    if kind == "bad":
        return "read, but it is wrong: %s" % what if status == 0 else None
    if status:
        return "refused: " + answer["message"]
    got = program_nodes(answer, name == "pm-stream")
    what = expected_nodes(what, name == "pm-stream")
    if len(got) != len(what):
        return "%d nodes, expected %d" % (len(got), len(what))
    for a, b in zip(got, what):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                return "%s is %s, expected %s" % (key, show(a.get(key)), show(b.get(key)))
    return None


def show(x):
    if isinstance(x, dict):
        return "{%s}" % ", ".join("%s: %s" % (sorted(k), " ".join(map(str, v))) for k, v in x.items())
    return repr(x)


def compare(dump, name, count, seed):
    grammar = Grammar(random.Random("%s %s" % (seed, name)))
    inputs = [grammar.make(name) for _ in range(count)]
    answers, run = read_all(dump, inputs)
    outcomes = {"nodes": 0, "bad": 0, "unknown": 0}
    found = 0
    for (data, packed, options), answer in zip(inputs, answers):
        want = expected(name, data, options)
        outcomes[want[0]] += 1
        wrong = difference(name, want, answer)
        if wrong:
            found += 1
            if found <= SHOWN:
                print("%s: %s\n  input %r, options %r" % (name, wrong, packed, {k: v for k, v in options.items() if v}))
    if len(answers) != count or run.returncode:
        print("%s: status %d after %d inputs: %s" % (name, run.returncode, len(answers), run.stderr.decode(errors="replace")[-2000:]))
        if len(answers) < count:
            print("  input %r, options %r" % inputs[len(answers)][1:])
    print("# %s: %d read, %d wrong, %d not decided by the manual, %d differences"
          % (name, outcomes["nodes"], outcomes["bad"], outcomes["unknown"], found), file=sys.stderr)


def write(count, seed, folder):
    for name in FORMATS:
        grammar = Grammar(random.Random("%s %s" % (seed, name)))
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        for k in range(count):
            with open(os.path.join(folder, name, str(k)), "wb") as f:
                f.write(grammar.make(name)[1])


def main():
    if sys.argv[1] == "write":
        write(int(sys.argv[2]), sys.argv[3], sys.argv[4])
        return
    for name in FORMATS:
        compare(sys.argv[3], name, int(sys.argv[1]), sys.argv[2])


main()
