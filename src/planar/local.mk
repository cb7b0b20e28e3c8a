libpm_a_SOURCES += \
	src/planar/adjacency.h src/planar/determinant.h src/planar/determinant_many.h src/planar/dissection.h \
	src/planar/elimination.h src/planar/embedding.h src/planar/faces.h src/planar/front_body.h \
	src/planar/front_kernel.h src/planar/integers.h src/planar/kasteleyn.h src/planar/pairing.h \
	src/planar/supernodes.h src/planar/union_find.h \
	src/planar/adjacency.c src/planar/determinant.c src/planar/determinant_many.c src/planar/elimination.c \
	src/planar/faces.c src/planar/front_avx2.c src/planar/front_avx512.c \
	src/planar/front_portable.c src/planar/integers.c src/planar/kasteleyn.c src/planar/pairing.c \
	src/planar/supernodes.c src/planar/torus.c
# libplanarity and METIS are behind one door each.
if HAVE_PLANARITY
libpm_a_SOURCES += src/planar/dissection.c src/planar/embedding.c
else
libpm_a_SOURCES += src/planar/dissection_none.c src/planar/embedding_none.c
endif
