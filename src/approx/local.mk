libpm_a_SOURCES += \
	src/approx/beam.h \
	src/approx/beam_order.h \
	src/approx/beam_plan.h \
	src/approx/beam_thin.h \
	src/approx/interval.h \
	src/approx/moments.h \
	src/approx/sampler.h \
	src/approx/scaled_entries.h \
	src/approx/states.h \
	src/approx/beam.c \
	src/approx/beam_order.c \
	src/approx/beam_plan.c \
	src/approx/beam_thin.c \
	src/approx/scaled_entries.c \
	src/approx/states.c
