libpm_a_SOURCES += \
	include/pm/expand.h \
	src/expand/addend.c \
	src/expand/addend.h \
	src/expand/addend_pool.c \
	src/expand/addend_pool.h \
	src/expand/allowance.c \
	src/expand/allowance.h \
	src/expand/canonical.c \
	src/expand/canonical.h \
	src/expand/expand.c \
	src/expand/expansion.c \
	src/expand/expansion.h \
	src/expand/tree_path.c \
	src/expand/tree_path.h
