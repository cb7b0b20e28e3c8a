check_PROGRAMS += tests/prop/prop_reduce
TESTS += tests/prop/prop_reduce
tests_prop_prop_reduce_SOURCES = tests/prop/prop_reduce.c
tests_prop_prop_reduce_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/prop/prop_count
TESTS += tests/prop/prop_count
tests_prop_prop_count_SOURCES = tests/prop/prop_count.c tests/prop/answers.h tests/prop/matrices.h
tests_prop_prop_count_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/prop/prop_dm
TESTS += tests/prop/prop_dm
tests_prop_prop_dm_SOURCES = tests/prop/prop_dm.c tests/prop/matrices.h
tests_prop_prop_dm_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/prop/prop_order
TESTS += tests/prop/prop_order
tests_prop_prop_order_SOURCES = tests/prop/prop_order.c tests/prop/answers.h tests/prop/matrices.h
tests_prop_prop_order_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

if HAVE_IGRAPH
check_PROGRAMS += tests/prop/prop_dm_igraph
TESTS += tests/prop/prop_dm_igraph
tests_prop_prop_dm_igraph_SOURCES = tests/prop/prop_dm_igraph.c tests/prop/matrices.h
tests_prop_prop_dm_igraph_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
tests_prop_prop_dm_igraph_LDADD = $(LIBPM_LIBS) $(IGRAPH_LIBS) $(CMOCKA_LIBS)
endif

check_PROGRAMS += tests/prop/prop_decompose
TESTS += tests/prop/prop_decompose
tests_prop_prop_decompose_SOURCES = tests/prop/answers.h tests/prop/matrices.h \
	tests/prop/prop_decompose.c
tests_prop_prop_decompose_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
if HAVE_PLANARITY
check_PROGRAMS += tests/prop/prop_planar
TESTS += tests/prop/prop_planar
endif
tests_prop_prop_planar_SOURCES = tests/prop/prop_planar.c tests/prop/answers.h \
	tests/prop/matrices.h tests/prop/planar_graphs.h
tests_prop_prop_planar_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/prop/prop_beam tests/prop/prop_bounds tests/prop/prop_uniform
TESTS += tests/prop/prop_beam tests/prop/prop_bounds tests/prop/prop_uniform
tests_prop_prop_beam_SOURCES = tests/prop/matrices.h tests/prop/positive.h tests/prop/prop_beam.c
tests_prop_prop_beam_LDADD = $(LIBPM_LIBS) $(GSL_LIBS) $(CMOCKA_LIBS)
tests_prop_prop_bounds_SOURCES = tests/prop/matrices.h tests/prop/positive.h tests/prop/prop_bounds.c
tests_prop_prop_bounds_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
tests_prop_prop_uniform_SOURCES = tests/prop/matrices.h tests/prop/positive.h tests/prop/prop_uniform.c
tests_prop_prop_uniform_LDADD = $(LIBPM_LIBS) $(GSL_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/prop/prop_approx
TESTS += tests/prop/prop_approx
tests_prop_prop_approx_SOURCES = tests/prop/graphs.h tests/prop/matrices.h tests/prop/prop_approx.c
tests_prop_prop_approx_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/prop/coverage.long
EXPENSIVE_TESTS += tests/prop/coverage.long
tests_prop_coverage_long_SOURCES = tests/prop/coverage.c tests/prop/graphs.h
tests_prop_coverage_long_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/prop/coverage_stop.long
EXPENSIVE_TESTS += tests/prop/coverage_stop.long
tests_prop_coverage_stop_long_SOURCES = tests/prop/coverage_stop.c tests/prop/graphs.h
tests_prop_coverage_stop_long_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/prop/prop_estimate
TESTS += tests/prop/prop_estimate
tests_prop_prop_estimate_SOURCES = tests/prop/graphs.h tests/prop/matrices.h tests/prop/positive.h \
	tests/prop/prop_estimate.c
tests_prop_prop_estimate_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
