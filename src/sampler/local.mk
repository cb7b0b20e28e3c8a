libpm_a_SOURCES += \
	src/sampler/moments_draw.c \
	src/sampler/vertex_key.c \
	src/sampler/vertex_key.h \
	src/sampler/gsl_philox.c \
	src/sampler/gsl_philox.h \
	src/sampler/lines_gpu.c \
	src/sampler/lines_gpu.h \
	src/sampler/lines_gpu_kernel.c \
	src/sampler/lines_gpu_kernel.h \
	src/sampler/neighbours.c \
	src/sampler/neighbours.h \
	src/sampler/mask_gpu.c \
	src/sampler/mask_gpu.h \
	src/sampler/moments.c \
	src/sampler/moments.h \
	src/sampler/pareto.c \
	src/sampler/pareto.h \
	src/sampler/sampler.c \
	src/sampler/sampler.h \
	src/sampler/sampler_backend.c \
	src/sampler/sampler_backend.h \
	src/sampler/scaled_entries.c \
	src/sampler/scaled_entries.h \
	src/sampler/weight.h
