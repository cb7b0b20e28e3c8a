bin_PROGRAMS += pm-decompose
pm_decompose_SOURCES = \
	src/pm-decompose/decompose_figures.c \
	src/pm-decompose/decompose_map.c \
	src/pm-decompose/decompose_options.c \
	src/pm-decompose/decompose_options.h \
	src/pm-decompose/decompose_stats.c \
	src/pm-decompose/decompose_tasks.h \
	src/pm-decompose/pm-decompose.c
pm_decompose_LDADD = $(CLI_LIBS)
