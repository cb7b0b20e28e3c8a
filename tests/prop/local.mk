check_PROGRAMS += tests/prop/prop_reduce
TESTS += tests/prop/prop_reduce
tests_prop_prop_reduce_SOURCES = tests/prop/prop_reduce.c
tests_prop_prop_reduce_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
