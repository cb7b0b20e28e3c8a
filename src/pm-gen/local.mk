bin_PROGRAMS += pm-gen
pm_gen_SOURCES = \
	src/pm-gen/cells.c \
	src/pm-gen/dense.c \
	src/pm-gen/families.c \
	src/pm-gen/family.h \
	src/pm-gen/fullerene.c \
	src/pm-gen/gaussian_state.c \
	src/pm-gen/haar_columns.c \
	src/pm-gen/haar_columns.h \
	src/pm-gen/lattice.c \
	src/pm-gen/mycielski.c \
	src/pm-gen/one_set_families.c \
	src/pm-gen/pm-gen.c \
	src/pm-gen/random_graph.c \
	src/pm-gen/random_one_set.c \
	src/pm-gen/region.c \
	src/pm-gen/request.c \
	src/pm-gen/request.h \
	src/pm-gen/schur.c \
	src/pm-gen/strips.c \
	src/pm-gen/strips.h \
	src/pm-gen/unitary.c \
	src/pm-gen/weights.c \
	src/pm-gen/weights.h
pm_gen_LDADD = $(CLI_LIBS)
