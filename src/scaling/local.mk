libpm_a_SOURCES += \
	src/scaling/complete.c \
	src/scaling/complete.h \
	src/scaling/remainder.c \
	src/scaling/remainder.h \
	src/scaling/scaling_gpu_kernel.c \
	src/scaling/scaling_gpu_kernel.h \
	src/scaling/scaling.c \
	src/scaling/scaling_gpu.c \
	src/scaling/scaling_gpu.h \
	src/scaling/scaling_model.h
