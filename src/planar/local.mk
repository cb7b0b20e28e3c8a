libpm_a_SOURCES += \
	src/planar/deletion.c \
	src/planar/deletion.h \
	src/planar/determinant_sum.c \
	src/planar/determinant_sum.h \
	src/planar/detours.c \
	src/planar/detours.h \
	src/planar/embedding.h \
	src/planar/faces.c \
	src/planar/faces.h \
	src/planar/few_edges.c \
	src/planar/few_edges.h \
	src/planar/kasteleyn.c \
	src/planar/kasteleyn.h \
	src/planar/pairing.c \
	src/planar/pairing.h \
	src/planar/planar.c \
	src/planar/planar_run.c \
	src/planar/planar_run.h \
	src/planar/splitting.c \
	src/planar/splitting.h \
	src/planar/torus.c \
	src/planar/union_find.h \
	src/planar/written.c \
	src/planar/written.h
# libplanarity is used by one file.
if HAVE_PLANARITY
libpm_a_SOURCES += src/planar/embedding.c
else
libpm_a_SOURCES += src/planar/embedding_none.c
endif
