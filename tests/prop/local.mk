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

if HAVE_PLANARITY
check_PROGRAMS += tests/prop/prop_planar
TESTS += tests/prop/prop_planar
endif
tests_prop_prop_planar_SOURCES = tests/prop/prop_planar.c tests/prop/answers.h \
	tests/prop/matrices.h tests/prop/planar_graphs.h
tests_prop_prop_planar_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
