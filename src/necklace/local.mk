libpm_a_SOURCES += \
	src/necklace/necklace.c \
	src/necklace/necklace_gpu.c \
	src/necklace/necklace_gpu_kernel.c \
	src/necklace/necklace_gpu_kernel.h \
	src/necklace/necklace_job.c \
	src/necklace/necklace_job.h \
	src/necklace/necklace_sum.c \
	src/necklace/necklace_sum.h \
	src/necklace/necklace_terms.c \
	src/necklace/necklace_terms.h
