libpm_a_SOURCES += \
	src/edges/edge_line.c \
	src/edges/edge_line.h \
	src/edges/edge_rule.c \
	src/edges/edge_rule.h \
	src/edges/edge_run.c \
	src/edges/edge_run.h \
	src/edges/edge_runs.c \
	src/edges/edge_runs.h \
	src/edges/integer_set.c \
	src/edges/integer_set.h \
	src/edges/label_map.c \
	src/edges/label_map.h \
	src/edges/label_spelling.c \
	src/edges/label_spelling.h \
	src/edges/number_block.c \
	src/edges/number_block.h
