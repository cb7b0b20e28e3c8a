libpm_a_SOURCES += \
	include/pm/dm.h src/dm/columns.h \
	src/dm/columns.c src/dm/decompose.c src/dm/hall.c src/dm/matching.c
