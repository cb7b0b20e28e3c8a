# What holds for every program, page and source file; then each program's own behaviour.
EXTRA_DIST += tests/cli/tap.sh tests/cli/programs.sh tests/cli/man.sh tests/cli/hygiene.sh \
	tests/cli/registries.sh
TESTS += tests/cli/programs.sh tests/cli/man.sh tests/cli/hygiene.sh \
	tests/cli/registries.sh

EXTRA_DIST += tests/cli/permanent.awk tests/cli/same_values.awk tests/cli/filters.bash \
	$(CLI_BATS)
CLI_BATS = tests/cli/bad-input.bats tests/cli/pm-count.bats tests/cli/pm-decompose.bats \
	tests/cli/pm-dm.bats \
	tests/cli/pm-gen.bats tests/cli/pm-approx.bats tests/cli/pm-order.bats
if HAVE_BATS
TESTS += $(CLI_BATS)
endif

# Planar graphs and tori.
EXTRA_DIST += tests/cli/planar.sh
TESTS += tests/cli/planar.sh

# Known answers of families, and those that README shows.
EXTRA_DIST += tests/cli/known.sh tests/cli/readme.sh
TESTS += tests/cli/known.sh tests/cli/readme.sh

# Estimates of counts of thousands of digits.
EXTRA_DIST += tests/cli/extremes.sh
EXPENSIVE_TESTS += tests/cli/extremes.sh
