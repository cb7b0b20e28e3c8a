libpm_a_SOURCES += \
	src/sparse/enumerate.c \
	src/sparse/skip.c \
	src/sparse/skip.h \
	src/sparse/skip_predict.c \
	src/sparse/skip_problem.h \
	src/sparse/skipper.c \
	src/sparse/skipper.h \
	src/sparse/sparse_gpu.c \
	src/sparse/sparse_gpu_kernel.c \
	src/sparse/sparse_gpu_kernel.h \
	src/sparse/sparse_ryser.c \
	src/sparse/sparse_ryser.h \
	src/sparse/sparyser.c \
	src/sparse/transversals.c \
	src/sparse/transversals.h
