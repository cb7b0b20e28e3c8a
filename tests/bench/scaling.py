#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The dynamic division of a long count among ranks, simulated; doc/scaling.md says what follows from it.

    scaling.py divide [--seconds=W] [--ranks=P,P,...] ...     efficiency against the number of ranks
    scaling.py server [--service=S]                           where rank 0 is the limit, and what helps
    scaling.py losses [--loss-hours=H] ...                    lost ranks, and the interval of checkpoints
    scaling.py job [--hours=H] ...                            both at once: slow ranks, lost ranks, checkpoints
    scaling.py check FILE                                     predictions beside measurements

Rank 0 owns the ledger.  A rank asks for a range, computes it, and brings its sum with the next request.  A
range is sized to take --range seconds, and is at most 1 / --guide of an equal share of what is left, but at
least --least seconds.  Rank 0 serves one request after another.  All times are seconds.

Long runs are not simulated as a whole: after --turns ranges of each rank the middle of the run is left out, at
the rate of these; the beginning and the end are simulated.
Needs Python 3 and nothing else; the same seed prints the same tables."""

import argparse
import bisect
import heapq
import math
import random
import statistics
import sys


class Division:
    """What a run is divided by; see the options of the same names."""

    def __init__(self, a):
        self.range, self.least, self.guide = a.range, a.least, a.guide
        self.latency, self.service, self.scan = a.latency, a.service, a.scan
        self.start, self.overhead, self.jitter = a.start, a.overhead, a.jitter
        self.slow, self.slow_share, self.node = a.slow, a.slow_share, a.node
        self.turns, self.times, self.spread = a.turns, a.times, a.spread


def add_loss_options(p):
    p.add_argument("--loss-hours", type=float, default=50700, help="mean time between losses of one rank")
    p.add_argument("--interval", type=float, default=60, help="between checkpoints")
    p.add_argument("--write", type=float, default=0.05, help="seconds that a checkpoint costs")
    p.add_argument("--restart", type=float, default=120, help="seconds until a job runs again")
    p.add_argument("--parts", type=int, default=100)


def add_division_options(p):
    p.add_argument("--range", type=float, default=0.5, help="seconds of a range (0.5)")
    p.add_argument("--least", type=float, default=0.02, help="seconds of a range, at least (0.02)")
    p.add_argument("--guide", type=float, default=2, help="ranges of an equal share of what is left (2)")
    p.add_argument("--latency", type=float, default=1.5e-3, help="of a request and its answer: both sides look 1000 times a second")
    p.add_argument("--service", type=float, default=6.5e-6, help="of a request on rank 0")
    p.add_argument("--scan", type=float, default=0.06e-9,
                   help="of a request on rank 0, for each rank: its separate ranges are looked through")
    p.add_argument("--start", type=float, default=2.4, help="of a rank before its first request: device and kernel")
    p.add_argument("--spread", type=float, default=0.5, help="by which the starts of ranks differ")
    p.add_argument("--overhead", type=float, default=1e-3, help="of a range on a device beside its work")
    p.add_argument("--jitter", type=float, default=0.01, help="standard deviation of a range's time, relative")
    p.add_argument("--times", help="a file with measured times of equal pieces, one a line, in place of --jitter")
    p.add_argument("--slow", type=float, default=1.2, help="how many times longer slow ranks take")
    p.add_argument("--slow-share", type=float, default=0.02, help="the share of slow ranks")
    p.add_argument("--node", type=int, default=1, help="ranks that share a server of their own, below rank 0")
    p.add_argument("--turns", type=int, default=12, help="ranges of each rank before the middle is left out")
    p.add_argument("--seed", type=int, default=1)


def factors_of(d, rng):
    """A function that draws the time of a range, relative to the expected one."""
    if d.times:
        with open(d.times, encoding="ascii") as f:
            seen = [float(line) for line in f if line.strip() and not line.startswith("#")]
        if not seen or min(seen) <= 0:
            sys.exit(f"scaling.py: {d.times}: expected positive times")
        mean = statistics.fmean(seen)
        return lambda: rng.choice(seen) / mean
    # A lognormal distribution of mean 1: times have a longer tail above than below.
    sigma = math.sqrt(math.log(1 + d.jitter * d.jitter))
    return (lambda: rng.lognormvariate(-sigma * sigma / 2, sigma)) if sigma else (lambda: 1.0)


def slowness(d, ranks):
    """The factors of all ranks; slow ones are spread evenly."""
    slow = round(ranks * d.slow_share)
    return [d.slow if (k + 1) * slow // ranks > k * slow // ranks else 1.0 for k in range(ranks)]


def simulate(work, slow, d, rng, arrivals=None):
    """Seconds until the last sum is on rank 0.  work: seconds of one rank of factor 1; slow: the factors of all
    ranks.  Servers of nodes take ranges for all of their ranks at a time.
    arrivals: a list that gets, for each range that arrives before the middle is left out, the time, the work, the rank,
    and the time when the rank had asked for it."""
    draw = factors_of(d, rng)
    ranks = len(slow)
    speed = sum(1 / s for s in slow)
    nodes = -(-ranks // d.node)
    serve = d.service + d.scan * (nodes if d.node > 1 else ranks)
    serve_node = d.service + d.scan * d.node
    simulated = min(work, speed * d.range * d.turns + speed * d.range * 4)
    skipped, left = work - simulated, simulated
    skip_at = simulated - speed * d.range * d.turns / 2  # what is left where the middle is left out
    free, ended = 0.0, 0.0
    node_free, node_left = [0.0] * nodes, [0.0] * nodes
    asked = [None] * ranks  # when a rank asked for the range that it has, once it has had one, and its size
    cycle_seconds, cycle_work = [0.0] * ranks, [0.0] * ranks  # of ranges before the middle is left out
    events = [(d.start + d.spread * (rng.random() if ranks > 1 else 0), k) for k in range(ranks)]
    heapq.heapify(events)
    while events:
        now, k = heapq.heappop(events)
        ended = max(ended, now)
        if asked[k] and left > skip_at:
            cycle_seconds[k] += now - asked[k][0]
            cycle_work[k] += asked[k][1]
            if arrivals is not None:
                arrivals.append((now, asked[k][1], k, asked[k][0]))
        total_left = left + (skipped if left > skip_at else 0)
        if d.node > 1:
            m = k // d.node
            at = max(now, node_free[m])
            if node_left[m] <= 0 and left > 0:
                at = max(at + d.latency / 2, free)
                free = at + serve
                node_left[m] = min(left, max(d.least, min(d.range, total_left / (d.guide * speed))) * d.node)
                left -= node_left[m]
                at = free + d.latency / 2
            size = min(node_left[m], max(d.least, min(d.range, total_left / (d.guide * speed))) / slow[k])
            node_free[m] = at + serve_node
            node_left[m] -= size
            answered = node_free[m] + d.latency / 2
        else:
            free = max(now, free) + serve
            size = min(left, max(d.least, min(d.range, total_left / (d.guide * speed))) / slow[k])
            left -= size
            answered = free + d.latency / 2
        ended = max(ended, answered)
        if size <= 0:
            continue
        asked[k] = (now, size)
        heapq.heappush(events, (answered + d.overhead + size * slow[k] * draw() + d.latency / 2, k))
    if skipped > 0:
        rates = [w / t for w, t in zip(cycle_work, cycle_seconds) if t > 0]
        ended += skipped / (ranks * statistics.fmean(rates))
    return ended


def efficiency(work, ranks, d, seed):
    """The ideal seconds and those of the run."""
    slow = slowness(d, ranks)
    return work / sum(1 / s for s in slow), simulate(work, slow, d, random.Random(f"{seed} {ranks}"))


def numbers(text):
    return [int(float(t)) for t in text.split(",")]


def divide(a):
    d = Division(a)
    rows = [("ranks", "seconds", "ideal", "efficiency", "with the start")]
    for ranks in numbers(a.ranks):
        ideal, ended = efficiency(a.seconds, ranks, d, a.seed)
        rows.append((ranks, f"{ended:.6g}", f"{ideal:.6g}", f"{ideal / (ended - d.start):.4f}", f"{ideal / ended:.4f}"))
    return rows


def server(a):
    """Efficiency where one server has to answer all; then longer ranges, servers of nodes, and parts."""
    d = Division(a)
    rows = [("ranks", "requests/s", "answers/s", "one server", f"ranges of {a.longer:g} s", f"nodes of {a.nodes}",
             f"{a.parts} parts")]
    for ranks in numbers(a.ranks):
        work = a.seconds_a_rank * ranks
        serve = d.service + d.scan * ranks

        def with_(p, parts=1, **change):
            e = Division(a)
            for name, value in change.items():
                setattr(e, name, value)
            ideal, ended = efficiency(work / parts, p, e, a.seed)
            return f"{ideal / (ended - e.start):.4f}"

        parts = min(a.parts, ranks)
        rows.append((ranks, f"{ranks / d.range:.4g}", f"{1 / serve:.4g}", with_(ranks),
                     with_(ranks, range=a.longer), with_(ranks, node=a.nodes), with_(ranks // parts, parts)))
    return rows


# ---- lost ranks ----


def run_with_losses(needed, between, interval, write, restart, rng):
    """Seconds of a job that needs `needed` seconds, loses a rank after exponential times of mean `between`, and
    starts again from its last checkpoint."""
    now, saved = 0.0, 0.0
    lost_at = rng.expovariate(1 / between)
    while True:
        segment = min(interval, needed - saved)
        cost = segment + (write if saved + segment < needed else 0)
        if now + cost <= lost_at:
            now += cost
            saved += segment
            if saved >= needed:
                return now
            continue
        now = lost_at
        while True:  # a start can fail too
            lost_at = now + rng.expovariate(1 / between)
            if now + restart <= lost_at:
                now += restart
                break
            now = lost_at


def expected(needed, between, interval, write, restart):
    """The same by Daly's formula (2006, eq. 13): the expected time with exponential failures."""
    return between * math.exp(restart / between) * (math.exp((interval + write) / between) - 1) * needed / interval


def losses(a):
    rows = [("ranks", "losses a day", "hours between", "best interval, Young", "Daly", "searched",
             "efficiency at it", f"at {a.interval:g} s", "formula", f"{a.parts} parts", "no checkpoint")]
    for ranks in numbers(a.ranks):
        between = a.loss_hours * 3600 / ranks
        needed = a.seconds / ranks if a.seconds else a.hours * 3600
        young = math.sqrt(2 * a.write * between)
        daly = young * (1 + math.sqrt(a.write / (2 * between)) / 3 + a.write / (18 * between)) - a.write
        grid = [young * 2 ** (k / 4) for k in range(-12, 13)]
        best = min(grid, key=lambda t: expected(needed, between, t, a.write, a.restart))

        def mean(interval, between=between, write=a.write):
            rng = random.Random(f"{a.seed} {ranks} {interval}")
            times = [run_with_losses(needed, between, interval, write, a.restart, rng) for _ in range(a.rounds)]
            return needed / statistics.fmean(times)

        whole = math.exp(-(needed / between)) if needed / between < 700 else 0
        # Without a checkpoint the mean is M e^(R/M) (e^(T/M) - 1): not simulated, it can take for ever.
        none = needed / (between * math.exp(a.restart / between) * math.expm1(needed / between)) if whole else 0
        rows.append((ranks, f"{86400 / between:.3g}", f"{between / 3600:.3g}", f"{young:.3g}", f"{daly:.3g}",
                     f"{best:.3g}", f"{mean(best):.4f}", f"{mean(a.interval):.4f}",
                     f"{needed / expected(needed, between, a.interval, a.write, a.restart):.4f}",
                     f"{mean(a.interval, between * min(a.parts, ranks)):.4f}", f"{none:.2g}"))
    return rows


# ---- a whole job ----


class Run:
    """The work that rank 0 has received, against the time since the start of a job: the beginning range by range, then
    a line, at the rate of all ranks in these ranges; and how long after the line the last sum comes."""

    def __init__(self, ranks, d, seed):
        slow = slowness(d, ranks)
        speed = sum(1 / s for s in slow)
        work = speed * d.range * (d.turns + 4)
        arrivals = []
        ended = simulate(work, slow, d, random.Random(f"{seed} {ranks}"), arrivals)
        self.ideal = 1 / speed  # seconds of the job for a second of work
        self.times, self.done, total = [0.0], [0.0], 0.0
        cycle_work, cycle_seconds = [0.0] * ranks, [0.0] * ranks
        for now, size, k, asked in arrivals:
            total += size
            self.times.append(now)
            self.done.append(total)
            cycle_work[k] += size
            cycle_seconds[k] += now - asked
        self.rate = ranks * statistics.fmean(w / t for w, t in zip(cycle_work, cycle_seconds) if t > 0)
        half = len(self.times) // 2  # the ranks may still be in step: the line is the mean of many arrivals
        self.begin = statistics.fmean(self.times[half:]) - statistics.fmean(self.done[half:]) / self.rate
        self.tail = ended - self.line(work)

    def line(self, work):
        return self.begin + work / self.rate

    def received(self, seconds):
        if seconds >= self.times[-1]:
            return max(self.done[-1], (seconds - self.begin) * self.rate)
        return self.done[bisect.bisect_right(self.times, seconds) - 1]

    def seconds(self, work):
        """Until the last sum of so much work."""
        return self.line(work) + self.tail


def job_seconds(work, run, between, interval, write, restart, rng):
    """Seconds of a job that ends whenever a rank is lost, and begins again with the sums of its last checkpoint.  Ranges
    that were under way are lost too."""
    now, saved = 0.0, 0.0
    while True:
        lost_after = rng.expovariate(1 / between)
        needed = run.seconds(work - saved)
        whole = needed + write * (needed // interval)
        if whole <= lost_after:
            return now + whole
        checkpoints = int(lost_after // (interval + write))
        if checkpoints:
            saved += min(work - saved, run.received(checkpoints * interval))
        now += lost_after + restart


def job(a):
    rows = [("ranks", "division", "loss every, s", "ideal, s", "whole job", "efficiency", "last of the parts")]
    for ranks in numbers(a.ranks):
        for name, parts, change in (("one server", 1, {}), (f"ranges of {a.longer:g} s", 1, {"range": a.longer}),
                                    (f"nodes of {a.nodes}", 1, {"node": a.nodes}), (f"{a.parts} parts", a.parts, {})):
            each = ranks // parts
            d = Division(a)
            for key, value in change.items():
                setattr(d, key, value)
            run = Run(each, d, a.seed)
            ideal = a.hours * 3600
            between = a.loss_hours * 3600 / each
            rng = random.Random(f"{a.seed} {ranks} {name}")
            times = [[job_seconds(ideal / run.ideal, run, between, a.interval, a.write, a.restart, rng)
                      for _ in range(parts)] for _ in range(a.rounds)]
            mean = statistics.fmean(statistics.fmean(t) for t in times)
            last = statistics.fmean(max(t) for t in times)
            rows.append((ranks, name, f"{between:.4g}", f"{ideal:g}", f"{mean:.6g}", f"{ideal / mean:.4f}",
                         f"{ideal / last:.4f}"))
    return rows


# ---- measurements ----


def check(a):
    """Lines of FILE: name, ranks, seconds of one rank without its start, seconds of a start, measured seconds; then
    perhaps the factors of the ranks, with commas, where they are not 1."""
    rows = [("run", "ranks", "predicted", "measured", "predicted / measured")]
    with open(a.file, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines, 1):
        if len(line) < 5:
            sys.exit(f"scaling.py: {a.file}: line {number} of the figures: expected 5 fields or 6")
        name, ranks, seconds, start, measured = line[0], int(line[1]), float(line[2]), float(line[3]), float(line[4])
        d = Division(a)
        d.start = start
        factors = [float(x) for x in line[5].split(",")] if len(line) > 5 else [1.0] * ranks
        if len(factors) != ranks:
            sys.exit(f"scaling.py: {a.file}: line {number} of the figures: expected {ranks} factors")
        predicted = simulate(seconds, factors, d, random.Random(a.seed))
        rows.append((name, ranks, f"{predicted:.3f}", f"{measured:.3f}", f"{predicted / measured:.3f}"))
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    sub = p.add_subparsers(dest="what", required=True)
    q = sub.add_parser("divide")
    q.add_argument("--seconds", type=float, default=3.156e7, help="of the whole count on one rank")
    q.add_argument("--ranks", default="1,2,4,192,1000,100000")
    add_division_options(q)
    q.set_defaults(run=divide)
    q = sub.add_parser("server")
    q.add_argument("--ranks", default="1000,10000,30000,100000")
    q.add_argument("--seconds-a-rank", type=float, default=300)
    q.add_argument("--longer", type=float, default=5)
    q.add_argument("--nodes", type=int, default=100)
    q.add_argument("--parts", type=int, default=100)
    add_division_options(q)
    q.set_defaults(run=server)
    q = sub.add_parser("losses")
    q.add_argument("--ranks", default="192,1000,10000,100000")
    q.add_argument("--hours", type=float, default=24, help="of the job, without losses")
    q.add_argument("--seconds", type=float, default=0, help="of the whole count on one rank, in place of --hours")
    q.add_argument("--rounds", type=int, default=200)
    q.add_argument("--seed", type=int, default=1)
    add_loss_options(q)
    q.set_defaults(run=losses)
    q = sub.add_parser("job")
    q.add_argument("--ranks", default="1000,100000")
    q.add_argument("--hours", type=float, default=24, help="of the job, if nothing were lost")
    q.add_argument("--longer", type=float, default=5)
    q.add_argument("--nodes", type=int, default=100)
    q.add_argument("--rounds", type=int, default=50)
    add_loss_options(q)
    add_division_options(q)
    q.set_defaults(run=job)
    q = sub.add_parser("check")
    q.add_argument("file")
    add_division_options(q)
    q.set_defaults(run=check)
    a = p.parse_args()
    rows = a.run(a)
    print("# " + "\t".join(str(x) for x in rows[0]))
    for row in rows[1:]:
        print("\t".join(str(x) for x in row))


if __name__ == "__main__":
    main()
