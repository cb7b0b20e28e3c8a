libpm_a_SOURCES += \
	src/sampler/gsl_philox.c \
	src/sampler/gsl_philox.h \
	src/sampler/batch_sink.h \
	src/sampler/moments.c \
	src/sampler/moments.h \
	src/sampler/moments_draw.c \
	src/sampler/moments_record.c \
	src/sampler/neighbours.c \
	src/sampler/neighbours.h \
	src/sampler/pareto.c \
	src/sampler/pareto.h \
	src/sampler/sampler.c \
	src/sampler/sampler.h \
	src/sampler/sampler_backend.c \
	src/sampler/sampler_backend.h \
	src/sampler/scaled_entries.c \
	src/sampler/scaled_entries.h \
	src/sampler/thread_samples_gpu.c \
	src/sampler/thread_samples_gpu.h \
	src/sampler/vertex_key.c \
	src/sampler/vertex_key.h \
	src/sampler/warp_samples_gpu.c \
	src/sampler/warp_samples_gpu.h \
	src/sampler/warp_samples_gpu_kernel.c \
	src/sampler/warp_samples_gpu_kernel.h \
	src/sampler/weight.h
