libpm_a_SOURCES += \
	src/planar/deletion.c \
	src/planar/deletion.h \
	src/planar/determinant_sum.c \
	src/planar/determinant_sum.h \
	src/planar/replacement_path.c \
	src/planar/replacement_path.h \
	src/planar/embedding.h \
	src/planar/faces.c \
	src/planar/faces.h \
	src/planar/deleted_edges.c \
	src/planar/deleted_edges.h \
	src/planar/kasteleyn.c \
	src/planar/kasteleyn.h \
	src/planar/kasteleyn_matrix.c \
	src/planar/kasteleyn_matrix.h \
	src/planar/patches.c \
	src/planar/patches.h \
	src/planar/pfaffian_matrix.c \
	src/planar/pfaffian_matrix.h \
	src/planar/plain_matching.c \
	src/planar/plain_matching.h \
	src/planar/planar.c \
	src/planar/planar_run.c \
	src/planar/planar_run.h \
	src/planar/splitting.c \
	src/planar/splitting.h \
	src/planar/embedding_torus.c \
	src/planar/plain_graph.c \
	src/planar/plain_graph.h
# libplanarity is used by one file.
if HAVE_PLANARITY
libpm_a_SOURCES += src/planar/embedding.c
else
libpm_a_SOURCES += src/planar/embedding_none.c
endif
