libpm_a_SOURCES += \
	include/pm/io.h \
	src/io/attributes.c \
	src/io/attributes.h \
	src/io/banner.c \
	src/io/banner.h \
	src/io/dimacs.c \
	src/io/directions.c \
	src/io/directions.h \
	src/io/edge_sides.c \
	src/io/edge_sides.h \
	src/io/edge_table.c \
	src/io/edge_table.h \
	src/io/edges_read.c \
	src/io/edges_write.c \
	src/io/foreign.c \
	src/io/formats.h \
	src/io/graph6.c \
	src/io/graph_layout.c \
	src/io/graph_layout.h \
	src/io/helper_process.c \
	src/io/helper_process.h \
	src/io/mtx_read.c \
	src/io/mtx_write.c \
	src/io/one_set.c \
	src/io/one_set.h \
	src/io/onesided.c \
	src/io/put.c \
	src/io/put.h \
	src/io/reader.c \
	src/io/reading_memory.c \
	src/io/reading_memory.h \
	src/io/stream_extras.c \
	src/io/stream_graph.c \
	src/io/stream_head.c \
	src/io/stream_period.c \
	src/io/stream_read.c \
	src/io/stream_vertices.c \
	src/io/stream_write.c \
	src/io/unread.c \
	src/io/unread.h \
	src/io/vertex_loops.c \
	src/io/vertex_loops.h
# Only this program is linked to igraph, which is slow to load.
if HAVE_IGRAPH
pkglibexec_PROGRAMS += pm-igraph-read
pm_igraph_read_SOURCES = src/io/igraph_read.c src/io/igraph_memory.c
pm_igraph_read_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
pm_igraph_read_LDADD = libpm.a $(GMP_LIBS) $(ZLIB_LIBS) $(IGRAPH_LIBS) -ldl
endif
