# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs with random options, good and wrong ones, and random inputs.

option_lines.py COUNT SEED: runs COUNT command lines and prints a line for each that ends in a way that the manual
does not have: killed by a signal, another exit status, a failure without one clear line on standard error, an answer
together with a failure, a success without an answer, or a wrong option that is taken.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

from grammar import FORMATS, Grammar

PROGRAMS = ["pm-count", "pm-approx", "pm-dm", "pm-decompose", "pm-order", "pm-overlap"]
STATUSES = {0, 1, 64, 65, 66, 69, 71, 74, 75, 76}
GOES_ON = {1, 75, 76}  # with an answer, or an estimate
ONE_GRAPH = {"edges", "csv", "dense", "mtx", "dimacs"}  # of other inputs some graphs may have answers and others not
SECONDS = 120
# Not tried: what reads or writes other files, or takes all the time that it may.
LEFT_OUT = {"help", "version", "files-from", "null", "output", "trace", "plot", "spy", "draw", "positions", "calibrate", "gpus", "list",
            "backend", "placement", "time-limit", "time-limit-each", "max-memory", "progress", "effort", "guarantee",
            "rel-err", "samples", "threads"}
WORDS = ["", "x", "0", "1", "2", "-1", "3,1", "1,2", "1,2,3", "a,b", "1e3", "0x10", "9999999999999999999999", "yes", "no", "tab", ";",
         "all", "none", "auto", "given", "rows", "cols", "name", "value,error", "@/nonexistent", "1,", ",", "\xe9", "0.5", "nan"]
VALUES = {
    "from": FORMATS + ["graphml", "ncol", "nothing"],
    "duplicates": ["error", "sum", "ignore", "add"],
    "columns": ["1,2", "2,1,3", "a,b", "1", "1,2,3,4"],
    "delimiter": [";", "tab", ",", ",,"],
    "header": ["yes", "no", "maybe"],
    "row-times": ["1", "1,1", "2,0,1", "x"],
    "col-times": ["1", "1,1", "2,0,1", "-1"],
    "vertex-times": ["1", "1,1", "2,0,1", "x"],
    "mod": ["2", "97", "1", "4611686018427387905"],
    "count": ["perfect", "maximum", "minimum"],
    "algorithm": ["auto", "glynn", "frontier", "ryser", "enumerate", "nothing"],
    "precision": ["single", "double", "kahan", "dq", "quad", "exact", "100", "63", "half"],
    "digits": ["1", "50", "0"],
    "order": ["auto", "given", "taken"],
    "reduce": ["all", "none", "dm", "dm,twins", "degree1,", "x"],
    "table": ["name,value", "value", "nothing", "value,value"],
    "seed": ["0", "7", "-1", "18446744073709551616"],
    "sample": ["1", "3", "0"],
    "runs": ["1", "9"],
    "method": ["auto", "nothing"],
    "states": ["1", "100", "0"],
    "until-n": ["0", "3"],
    "min-degree": ["1", "3"],
    "max-terms": ["1", "100"],
    "max-cost": ["1", "0", "x"],
    "exact-within": ["0", "1"],
    "confidence": ["0.9", "1", "2"],
    "side": ["rows", "cols", "columns"],
    "weight": ["common", "jaccard", "cosine", "overlap", "newman", "product", "sum"],
    "at-least": ["0", "0.5", "-1", "x", "inf"],
    "saturate": ["rows", "cols", "columns"],
    "array": ["a", "b", ""],
    "scale-interval": ["1", "0"],
    "scale-sweeps": ["1", "x"],
    "complete": ["1", "0"],
}


def options_of(program):
    """(name, value is wanted: "no", "yes" or "may")"""
    text = subprocess.run([program, "--help"], capture_output=True, check=True, text=True).stdout
    found = re.findall(r"^ {2,6}(?:-., )?--([a-z-]+)(\[=|=)?", text, re.M)
    return [(name, {"": "no", "=": "yes", "[=": "may"}[sign]) for name, sign in found if name not in LEFT_OUT]


def line(rng, options):
    """(words, has a name that no program has)"""
    words, wrong = [], False
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 5])):
        name, wants = rng.choice(options)
        value = rng.choice(VALUES.get(name, WORDS) if rng.random() < 0.97 else WORDS)
        if wants == "no" or (wants == "may" and rng.random() < 0.5):
            value = None
        if rng.random() < 0.01:
            value, wrong = ("x" if wants == "no" else value), wrong or wants == "no"
        if rng.random() < 0.01:
            name, wrong = name + "q", True
        words.append("--" + name + ("" if value is None else "=" + value))
    return words, wrong


def fault(program, words, wrong, run, has_one_graph):
    out, err = run.stdout, run.stderr.decode("utf-8", "replace")
    lines = err.splitlines()
    told = [x for x in lines if x.startswith(program + ": ") and len(x) > len(program) + 10]
    if run.returncode not in STATUSES:
        return "status %d" % run.returncode
    if wrong and run.returncode != 64:
        return "status %d for a wrong option" % run.returncode
    if run.returncode == 64 and has_one_graph:
        # how the input was read may be said beside why the option does not go with it
        why = [x for x in lines if ": read as " not in x]
        if len(told) - len(lines) + len(why) != 1 or len(why) > 2 or (len(why) == 2 and not why[1].startswith("Try ")):
            return "usage in %d lines" % len(lines)
    if run.returncode and run.returncode not in GOES_ON and not told:
        return "a failure without a line that says why"
    if any(not x.startswith(program + ": ") for x in lines if not x.startswith("Try ")):
        return "a line of somebody else"
    if run.returncode and run.returncode not in GOES_ON and out and has_one_graph and not is_header(out):
        return "an answer together with status %d" % run.returncode
    if run.returncode == 1 and "--exit-status" not in words:
        return "status 1 without --exit-status"
    return None


def is_header(out):
    """Objects of failures, titles of a table, or a stream that says that it is cut: no answer."""
    lines = out.decode("utf-8", "replace").splitlines()
    if lines[0].startswith("{"):
        return all("failure" in json.loads(x) for x in lines)
    return all(x.startswith("#") for x in lines) or (lines[0].startswith("%pm: stream") and lines[-1] != "%pm: eof")


def main():
    count, seed = int(sys.argv[1]), sys.argv[2]
    rng = random.Random("%s options" % seed)
    grammar = Grammar(rng)
    options = {p: options_of(p) for p in PROGRAMS}
    statuses = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input")
        for _ in range(count):
            program = rng.choice(PROGRAMS)
            name = rng.choice(FORMATS)
            _, data, own = grammar.make(name)
            with open(path, "wb") as f:
                f.write(data)
            words, wrong = line(rng, options[program])
            if own["from"] != "-" and rng.random() < 0.8:
                words.append("--from=" + name)
            command = [program, "--time-limit=20", "--max-memory=500M"] + words + [path]
            try:
                run = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                print("%r: runs on\n  input %r" % (command[:-1], data))
                continue
            statuses[run.returncode] = statuses.get(run.returncode, 0) + 1
            wrong = fault(program, words, wrong, run, name in ONE_GRAPH)
            if wrong:
                print("%s: %s\n  input %r\n  stderr %r, stdout %r"
                      % (" ".join(command[:-1]), wrong, data[:600], run.stderr[:400], run.stdout[:200]))
    print("# statuses: " + ", ".join("%d: %d" % x for x in sorted(statuses.items())), file=sys.stderr)


main()
