libpm_a_SOURCES += \
	src/general/general.c \
	src/general/general.h \
	src/general/general_blocks.c \
	src/general/general_blocks.h \
	src/general/general_bound.c \
	src/general/general_bound.h \
	src/general/general_graph.c \
	src/general/general_graph.h \
	src/general/general_matching.c \
	src/general/general_matching.h \
	src/general/general_rules.c
