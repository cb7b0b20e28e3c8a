bin_PROGRAMS += pm-overlap
pm_overlap_SOURCES = \
	src/pm-overlap/overlap_answers.c \
	src/pm-overlap/overlap_options.c \
	src/pm-overlap/overlap_options.h \
	src/pm-overlap/overlap_tasks.h \
	src/pm-overlap/pm-overlap.c
pm_overlap_LDADD = $(CLI_LIBS)
