libpm_a_SOURCES += \
	include/pm/reduce.h \
	src/reduce/block_edit.c \
	src/reduce/block_edit.h \
	src/reduce/blocks.c \
	src/reduce/bound.c \
	src/reduce/bound.h \
	src/reduce/degree1.c \
	src/reduce/degree2.c \
	src/reduce/fetch_lists.h \
	src/reduce/matching_block.c \
	src/reduce/matching_block.h \
	src/reduce/members.c \
	src/reduce/members.h \
	src/reduce/plain_blocks.c \
	src/reduce/plain_blocks.h \
	src/reduce/reduce.c \
	src/reduce/reduce_graph.c \
	src/reduce/reduce_graph.h \
	src/reduce/signs.c \
	src/reduce/split.c \
	src/reduce/twins.c
