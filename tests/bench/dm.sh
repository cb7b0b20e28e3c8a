#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Seconds and bytes an edge (peak memory of the whole process, reading included) of pm-dm on random
# graphs of 1e5, 1e6 and 1e7 edges, or as many as DM_EDGES says; beside SciPy's maximum matching and
# strong components, which together are the fine decomposition, where python3 has SciPy (the seconds
# of these alone, reading not included).
#   regular: 4 random permutations, one block;  sparse: Erdos-Renyi of mean degree 4, all three
#   parts;  planted: the diagonal and 3 random entries in each row.
if ! command -v /usr/bin/time > /dev/null; then
    echo '# dm: /usr/bin/time (Debian: time) is not installed'
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

planted()
{
    awk -v n="$1" 'BEGIN {
        srand(1)
        print "# pm-edges", n, n
        for (i = 1; i <= n; i++) {
            print i, i
            for (k = 0; k < 3; k++) {
                j = 1 + int(rand() * n)
                if (j != i && !((i, j) in seen)) print i, j
                seen[i, j]
            }
            split("", seen)
        }
    }'
}

graph()
{
    case $1 in
    regular) pm-gen regular "$2" 4 --seed=1 ;;
    sparse) pm-gen erdos-renyi "$2" "$(awk "BEGIN { print 4 / $2 }")" --seed=1 ;;
    planted) planted "$2" ;;
    esac
}

scipy_seconds()
{
    python3 - "$1" << 'END' 2> "$folder/why" || echo '-'
import sys, time
import numpy, scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching
with open(sys.argv[1]) as f:
    n = int(f.readline().split()[2])
    e = numpy.loadtxt(f, dtype=numpy.int32, comments='#', ndmin=2) - 1
a = sparse.csr_matrix((numpy.ones(len(e), numpy.int8), (e[:, 0], e[:, 1])), shape=(n, n))
start = time.time()
q = maximum_bipartite_matching(a, perm_type='column')
if (q >= 0).all():
    connected_components(a[:, q], directed=True, connection='strong')
print('%.2f' % (time.time() - start))
END
}

printf '# kind\tedges\tseconds of pm-dm\tof --stats\tbytes an edge\tof --stats\tSciPy\n'
for edges in ${DM_EDGES:-100000 1000000 10000000}; do
    for kind in regular sparse planted; do
        graph $kind $((edges / 4)) > "$folder/graph"
        nnz=$(grep -vc '^#' "$folder/graph")
        /usr/bin/time -f '%e %M' -o "$folder/stream" pm-dm "$folder/graph" > "$folder/out" || exit
        /usr/bin/time -f '%e %M' -o "$folder/stats" pm-dm --stats "$folder/graph" > "$folder/out" \
            || exit
        paste "$folder/stream" "$folder/stats" | awk -v kind=$kind -v nnz="$nnz" \
            -v scipy="$(scipy_seconds "$folder/graph")" -v OFS='\t' \
            '{ print kind, nnz, $1, $3, $2 * 1024 / nnz, $4 * 1024 / nnz, scipy }'
    done
done
