libpm_a_SOURCES += \
	src/general/allowed_edges.c \
	src/general/allowed_edges.h \
	src/general/alternating_forest.c \
	src/general/alternating_forest.h \
	src/general/blossom.c \
	src/general/blossom.h \
	src/general/cut_pieces.c \
	src/general/cut_pieces.h \
	src/general/doubled.c \
	src/general/doubled.h \
	src/general/elementary.c \
	src/general/elementary.h \
	src/general/gallai_edmonds.c \
	src/general/gallai_edmonds.h \
	src/general/general.c \
	src/general/general.h \
	src/general/general_blocks.c \
	src/general/general_blocks.h \
	src/general/general_bound.c \
	src/general/general_bound.h \
	src/general/general_graph.c \
	src/general/general_graph.h \
	src/general/general_prune.c \
	src/general/general_rules.c
