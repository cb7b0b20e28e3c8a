libpm_a_SOURCES += \
	src/bethe_estimate/bethe_estimate.c \
	src/bethe_estimate/bethe_estimate.h \
	src/bethe_estimate/closed_four.c \
	src/bethe_estimate/closed_four.h \
	src/bethe_estimate/closed_small.c \
	src/bethe_estimate/closed_small.h \
	src/bethe_estimate/closed_walks.c \
	src/bethe_estimate/closed_walks.h \
	src/bethe_estimate/contracted.c \
	src/bethe_estimate/contracted.h \
	src/bethe_estimate/log_determinant.c \
	src/bethe_estimate/log_determinant.h \
	src/bethe_estimate/short_cycles.c \
	src/bethe_estimate/short_cycles.h \
	src/bethe_estimate/spanning_trees.c \
	src/bethe_estimate/spanning_trees.h
