bin_PROGRAMS += pm-count
pm_count_SOURCES = \
	src/pm-count/count_options.c \
	src/pm-count/count_options.h \
	src/pm-count/given_times.c \
	src/pm-count/given_times.h \
	src/pm-count/pm-count.c \
	src/pm-count/task_count.c \
	src/pm-count/task_exists.c \
	src/pm-count/task_matching.c \
	src/pm-count/tasks.h
pm_count_LDADD = $(CLI_LIBS)
