# Real matrices with verified counts, from the folder that $PM_DATA names.
EXTRA_DIST += tests/reference/references.sh tests/data/small-references.tsv
TESTS += tests/reference/references.sh
EXPENSIVE_TESTS += tests/reference/references.sh

# The same through every filter.
EXTRA_DIST += tests/reference/pipes.sh
EXPENSIVE_TESTS += tests/reference/pipes.sh
