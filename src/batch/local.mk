libpmcli_a_SOURCES += \
	src/batch/bundle.c \
	src/batch/bundle.h \
	src/batch/node_buffer.c \
	src/batch/node_buffer.h \
	src/batch/parallel.c \
	src/batch/parallel.h \
	src/batch/query.c \
	src/batch/query.h \
	src/batch/thread_pool.c \
	src/batch/thread_pool.h
