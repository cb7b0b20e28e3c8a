# One libFuzzer target a reader: "./configure CC=clang --enable-fuzzing", then for example
#   tests/fuzz/edges -dict=tests/fuzz/reader.dict NEW-FOLDER tests/fuzz/corpus/edges
# Without libFuzzer they replay the files that they are given.
EXTRA_DIST += tests/fuzz/replay.sh tests/fuzz/reader.dict tests/fuzz/corpus tests/fuzz/replay.c
TESTS += tests/fuzz/replay.sh
FUZZ_TARGETS = tests/fuzz/any tests/fuzz/dimacs tests/fuzz/edges tests/fuzz/graph6 \
	tests/fuzz/mtx tests/fuzz/stream
check_PROGRAMS += $(FUZZ_TARGETS)

if HAVE_LIBFUZZER
FUZZ_MAIN =
else
FUZZ_MAIN = tests/fuzz/replay.c
endif
FUZZ_SOURCES = tests/fuzz/check_reader.h tests/fuzz/check_reader.c $(FUZZ_MAIN)
tests_fuzz_any_SOURCES = tests/fuzz/fuzz_any.c $(FUZZ_SOURCES)
tests_fuzz_any_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_dimacs_SOURCES = tests/fuzz/fuzz_dimacs.c $(FUZZ_SOURCES)
tests_fuzz_dimacs_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_edges_SOURCES = tests/fuzz/fuzz_edges.c $(FUZZ_SOURCES)
tests_fuzz_edges_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_graph6_SOURCES = tests/fuzz/fuzz_graph6.c $(FUZZ_SOURCES)
tests_fuzz_graph6_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_mtx_SOURCES = tests/fuzz/fuzz_mtx.c $(FUZZ_SOURCES)
tests_fuzz_mtx_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_stream_SOURCES = tests/fuzz/fuzz_stream.c $(FUZZ_SOURCES)
tests_fuzz_stream_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
