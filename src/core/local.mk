libpm_a_SOURCES += \
	include/pm/alloc.h include/pm/dyadic.h include/pm/matrix.h include/pm/run.h \
	include/pm/status.h include/pm/value.h \
	src/core/alloc.c src/core/dyadic.c src/core/matrix.c src/core/run.c \
	src/core/status.c src/core/value.c src/core/xreal.c
