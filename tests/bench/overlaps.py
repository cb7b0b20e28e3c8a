# SPDX-License-Identifier: GPL-3.0-or-later
"""pm-overlap beside A A^T by SciPy and, for small graphs, the projections of networkx.

  python3 overlaps.py        with pm-gen and pm-overlap on the PATH

For each graph: seconds of the whole program with --stats, its start and the reading included, on one and
on all cores; of the product of SciPy alone, without reading, on one core; and of the list of all pairs in
a file.  The number of pairs and of cycles of length 4 must be the same.  Each time is the least of three.
Then all pairs of a small graph with the weights of Newman and Jaccard, whole program against the call of
networkx alone; the weights must agree.
"""
import subprocess
import sys
import tempfile
import time

try:
    import networkx
    import numpy
    import scipy.sparse
    from networkx.algorithms import bipartite
except ImportError as missing:
    print(f'# overlaps: {missing.name} is not installed')
    sys.exit(0)

GRAPHS = ('regular 200000 8', 'erdos-renyi 20000 0.002', 'regular 20000 60', 'erdos-renyi 5000 0.05')
folder = tempfile.TemporaryDirectory()
graph, pairs = folder.name + '/graph', folder.name + '/pairs'


def least(call):
    best = 1e9
    for _ in range(3):
        begun = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begun)
    return best, result


def overlap(*options):
    return subprocess.run(['pm-overlap', *options, graph], check=True, capture_output=True,
                          text=True).stdout


def generate(arguments):
    with open(graph, 'w', encoding='ascii') as f:
        subprocess.run(['pm-gen', '--seed=1', '--to=edges', *arguments.split()], check=True, stdout=f)
    return numpy.loadtxt(graph, dtype=int, comments=('#', '%'))


def scipy_figures(a):
    c = scipy.sparse.triu(a @ a.T, 1).tocsr()
    return c.nnz, int((c.data * (c.data - 1) // 2).sum())


print(f'{"graph":26} {"pairs":>10} {"-t 1":>8} {"all":>8} {"SciPy":>8} {"ratio":>6} {"list":>8}')
for g in GRAPHS:
    edges = generate(g)
    n = edges.max() + 1
    a = scipy.sparse.csr_array((numpy.ones(len(edges), dtype=numpy.int64), edges.T), shape=(n, n))
    one, out = least(lambda: overlap('-t', '1', '--stats', '--table=pairs,four_cycles'))
    every, same = least(lambda: overlap('--stats', '--table=pairs,four_cycles'))
    other, _ = least(lambda: a @ a.T)
    listed, _ = least(lambda: overlap('--output=' + pairs))
    figures = tuple(map(int, out.splitlines()[1].split('\t')))
    if same != out or figures != scipy_figures(a):
        sys.exit(f'{g}: {figures} and {scipy_figures(a)} differ')
    print(f'{g:26} {figures[0]:10} {one:8.3f} {every:8.3f} {other:8.3f} {other / one:6.2f} {listed:8.3f}',
          flush=True)

edges = generate('erdos-renyi 2000 0.005')
b = networkx.Graph()
b.add_nodes_from(range(edges[:, 0].max() + 1), bipartite=0)
b.add_edges_from((i, ('c', j)) for i, j in edges.tolist())
rows = [v for v, side in b.nodes(data='bipartite') if side == 0]
CALLS = {
    'newman': lambda: bipartite.collaboration_weighted_projected_graph(b, rows),
    'jaccard': lambda: bipartite.overlap_weighted_projected_graph(b, rows),
}
print(f'{"weight":26} {"pairs":>10} {"ours":>8} {"networkx":>8} {"ratio":>6}')
for weight, call in CALLS.items():
    own, out = least(lambda: overlap('--weight=' + weight))
    other, projected = least(call)
    lines = [line.split('\t') for line in out.splitlines()[1:]]
    if len(lines) != projected.number_of_edges() or not all(
            abs(float(w) - projected[int(i)][int(k)]['weight']) <= 1e-12 for i, k, w in lines):
        sys.exit(f'{weight}: networkx has other pairs')
    print(f'{weight:26} {len(lines):10} {own:8.3f} {other:8.3f} {other / own:6.1f}')
