bin_PROGRAMS += pm-dm
pm_dm_SOURCES = \
	src/pm-dm/dm_blocks.c \
	src/pm-dm/dm_coarse.c \
	src/pm-dm/dm_degrees.c \
	src/pm-dm/dm_degrees.h \
	src/pm-dm/dm_map.c \
	src/pm-dm/dm_matching.c \
	src/pm-dm/dm_options.c \
	src/pm-dm/dm_options.h \
	src/pm-dm/dm_permutation.c \
	src/pm-dm/dm_picture.c \
	src/pm-dm/dm_query.c \
	src/pm-dm/dm_stats.c \
	src/pm-dm/dm_tasks.h \
	src/pm-dm/pm-dm.c
pm_dm_LDADD = $(CLI_LIBS)
