libpm_a_SOURCES += \
	include/pm/expand.h include/pm/reduce.h src/decompose/addend.h src/decompose/addend_pool.h \
	src/decompose/allowance.h src/decompose/block_edit.h src/decompose/bound.h src/decompose/canonical.h \
	src/decompose/cnum.h src/decompose/expansion.h src/decompose/fraction.h \
	src/decompose/reduce_graph.h src/decompose/tree_path.h \
	src/decompose/addend.c src/decompose/addend_pool.c src/decompose/allowance.c \
	src/decompose/block_edit.c src/decompose/blocks.c src/decompose/bound.c src/decompose/canonical.c \
	src/decompose/cnum.c src/decompose/degree1.c src/decompose/degree2.c \
	src/decompose/expand.c src/decompose/expansion.c src/decompose/fraction.c \
	src/decompose/reduce.c src/decompose/reduce_graph.c src/decompose/signs.c src/decompose/split.c \
	src/decompose/tree_path.c src/decompose/twins.c
