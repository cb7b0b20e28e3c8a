libpm_a_SOURCES += \
	src/arrays/adjacency_graph.c \
	src/arrays/array_memory.c \
	src/arrays/array_memory.h \
	src/arrays/dense_text.c \
	src/arrays/npy.c \
	src/arrays/npy_element.c \
	src/arrays/npy_element.h \
	src/arrays/npy_head.c \
	src/arrays/npy_head.h \
	src/arrays/npy_matrices.c \
	src/arrays/npy_matrices.h \
	src/arrays/npz.c \
	src/arrays/npz_member.c \
	src/arrays/npz_member.h \
	src/arrays/row_builder.c \
	src/arrays/row_builder.h \
	src/arrays/scipy_sparse.c \
	src/arrays/scipy_sparse.h \
	src/arrays/times_read.c \
	src/arrays/times_read.h \
	src/arrays/zip_archive.c \
	src/arrays/zip_archive.h
