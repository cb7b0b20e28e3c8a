libpm_a_SOURCES += \
	include/pm/dm.h \
	src/dm/by_columns.c \
	src/dm/by_columns.h \
	src/dm/connected.c \
	src/dm/connected.h \
	src/dm/cut.c \
	src/dm/dulmage_mendelsohn.c \
	src/dm/existence.c \
	src/dm/existence.h \
	src/dm/hall.c \
	src/dm/matching.c \
	src/dm/near_paths.c \
	src/dm/near_paths.h \
	src/dm/one_block.c \
	src/dm/one_block.h \
	src/dm/push_relabel.c \
	src/dm/push_relabel.h \
	src/dm/short_paths.c \
	src/dm/short_paths.h
