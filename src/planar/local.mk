libpm_a_SOURCES += \
	src/planar/adjacency.h src/planar/deletion.h src/planar/determinant.h \
	src/planar/determinant_many.h src/planar/determinant_sum.h src/planar/detours.h src/planar/dissection.h \
	src/planar/elimination.h src/planar/embedding.h src/planar/faces.h src/planar/few_edges.h \
	src/planar/front_body.h src/planar/front_kernel.h src/planar/integers.h \
	src/planar/kasteleyn.h src/planar/merging.h src/planar/pairing.h src/planar/small_determinant.h src/planar/splitting.h \
	src/planar/supernodes.h src/planar/union_find.h src/planar/written.h \
	src/planar/adjacency.c src/planar/deletion.c src/planar/determinant.c \
	src/planar/determinant_many.c src/planar/determinant_sum.c src/planar/detours.c src/planar/elimination.c \
	src/planar/faces.c src/planar/few_edges.c src/planar/front_avx2.c \
	src/planar/front_avx512.c src/planar/front_portable.c src/planar/integers.c \
	src/planar/kasteleyn.c src/planar/merging.c src/planar/pairing.c src/planar/small_determinant.c src/planar/splitting.c \
	src/planar/supernodes.c src/planar/torus.c src/planar/written.c
# libplanarity and METIS are behind one door each.
if HAVE_PLANARITY
libpm_a_SOURCES += src/planar/dissection.c src/planar/embedding.c
else
libpm_a_SOURCES += src/planar/dissection_none.c src/planar/embedding_none.c
endif
