libpm_a_SOURCES += \
	include/pm/reduce.h src/decompose/bound.h src/decompose/cnum.h src/decompose/reduce_graph.h \
	src/decompose/blocks.c src/decompose/bound.c src/decompose/cnum.c \
	src/decompose/degree1.c src/decompose/degree2.c src/decompose/reduce.c \
	src/decompose/reduce_graph.c src/decompose/split.c src/decompose/twins.c
