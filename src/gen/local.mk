bin_PROGRAMS += pm-gen
pm_gen_SOURCES = \
	src/pm-gen.c src/gen/family.h src/gen/request.h src/gen/weights.h \
	src/gen/dense.c src/gen/families.c src/gen/lattice.c src/gen/mycielski.c \
	src/gen/random_graph.c src/gen/region.c src/gen/request.c src/gen/weights.c
