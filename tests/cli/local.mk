# What holds for every program, page and source file.
EXTRA_DIST += tests/cli/tap.sh tests/cli/programs.sh tests/cli/man.sh tests/cli/hygiene.sh
TESTS += tests/cli/programs.sh tests/cli/man.sh tests/cli/hygiene.sh
