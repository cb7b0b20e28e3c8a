EXTRA_DIST += tests/fuzz/replay.sh tests/fuzz/replay.c
TESTS += tests/fuzz/replay.sh
check_PROGRAMS += $(FUZZ_TARGETS)
