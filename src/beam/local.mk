libpm_a_SOURCES += \
	src/beam/beam.c \
	src/beam/beam.h \
	src/beam/beam_gpu_kernel.c \
	src/beam/beam_gpu_kernel.h \
	src/beam/beam_gpu.c \
	src/beam/beam_gpu.h \
	src/beam/beam_model.h \
	src/beam/beam_order.c \
	src/beam/beam_order.h \
	src/beam/beam_plan.c \
	src/beam/beam_plan.h \
	src/beam/beam_score.c \
	src/beam/beam_score.h \
	src/beam/beam_thin.c \
	src/beam/beam_thin.h \
	src/beam/state_lists.c \
	src/beam/state_lists.h
