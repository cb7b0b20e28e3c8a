libpm_a_SOURCES += \
	src/elimination/delays.c \
	src/elimination/delays.h \
	src/elimination/determinant.c \
	src/elimination/determinant.h \
	src/elimination/determinant_batches.c \
	src/elimination/determinant_batches.h \
	src/elimination/determinant_primes.c \
	src/elimination/determinant_primes.h \
	src/elimination/dissection.h \
	src/elimination/elimination.c \
	src/elimination/elimination.h \
	src/elimination/front_avx2.c \
	src/elimination/front_avx512.c \
	src/elimination/front_body.h \
	src/elimination/front_kernel.h \
	src/elimination/front_portable.c \
	src/elimination/integer_entries.c \
	src/elimination/integer_entries.h \
	src/elimination/paired_matrix.c \
	src/elimination/paired_matrix.h \
	src/elimination/permutation.h \
	src/elimination/residue_determinant.c \
	src/elimination/residue_determinant.h \
	src/elimination/root_inverse.c \
	src/elimination/root_inverse.h \
	src/elimination/rooted_graph.c \
	src/elimination/rooted_graph.h \
	src/elimination/supernodes.c \
	src/elimination/supernodes.h
# METIS is used by one file.
if HAVE_PLANARITY
libpm_a_SOURCES += src/elimination/dissection.c
else
libpm_a_SOURCES += src/elimination/dissection_none.c
endif
