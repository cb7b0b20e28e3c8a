libpm_a_SOURCES += \
	include/pm/expression.h \
	src/expression/evaluate.c \
	src/expression/evaluate.h \
	src/expression/groups.c \
	src/expression/node.c \
	src/expression/node_value.c \
	src/expression/node_value.h \
	src/expression/walk.c
