#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Matrices that NumPy, SciPy, csv, pandas and networkx write are read back exactly; the examples of
# pmkit(7) with NumPy and SciPy.  PYTHON: the interpreter to use.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
python=${PYTHON:-python3}

# missing MODULE...: those that cannot be imported
missing()
{
    for module; do
        "$python" -c "import $module" 2> /dev/null || printf ' %s' "$module"
    done
}

# The literal blocks of the page that use Python: commands begin with "$ ", what they print follows.
examples()
{
    awk '
        /^\.Bd -literal/ { text = ""; inside = 1; next }
        /^\.Ed/          { if (inside && text ~ /python3/) printf "%s", text; inside = 0 }
        inside           { text = text $0 "\n" }' "${top_builddir:?}/man/pmkit.7" \
        | sed 's/\\e/\\/g'
}

# Runs the commands and writes what the block shows.
replay()
{
    examples > "$scratch/wanted"
    test -s "$scratch/wanted" || echo "no example"
    mkdir "$scratch/bin" "$scratch/work"
    printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$python")" > "$scratch/bin/python3"
    chmod +x "$scratch/bin/python3"
    ( cd "$scratch/work" || exit
      PATH=$scratch/bin:$PATH
      sed -n 's/^\$ //p' "$scratch/wanted" | while IFS= read -r command; do
          printf '$ %s\n' "$command"
          sh -c "$command" < /dev/null 2>&1
      done ) > "$scratch/got"
    diff "$scratch/wanted" "$scratch/got"
}

if ! command -v "$python" > /dev/null; then
    skip "arrays of NumPy and SciPy" "no python3"
elif test -n "$(missing numpy scipy.sparse)"; then
    skip "arrays of NumPy and SciPy" "no Python module$(missing numpy scipy.sparse)"
else
    test -z "$(missing pandas networkx)" \
        || skip "tables of pandas, graphs of networkx" "no Python module$(missing pandas networkx)"
    rounds=${PM_TEST_ROUNDS:-1} few=${PM_EXPENSIVE:+2000}
    count=$(awk -v n="${few:-150}" -v r="$rounds" 'BEGIN { printf "%d", n * r < 12 ? 12 : n * r }')
    seed=${PM_TEST_SEED:-$(date +%s)}
    echo "# seed $seed, $count matrices"
    empty "random matrices are read exactly" \
        "$("$python" "$srcdir/tests/cli/numpy_matrices.py" "$count" "$seed" 2>&1)"
    empty "the examples of pmkit(7)" "$(replay)"
fi
done_testing
