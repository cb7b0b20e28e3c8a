libpm_a_SOURCES += \
	src/approx/beam.c \
	src/approx/beam.h \
	src/approx/beam_order.c \
	src/approx/beam_order.h \
	src/approx/beam_plan.c \
	src/approx/beam_plan.h \
	src/approx/beam_thin.c \
	src/approx/beam_thin.h \
	src/approx/block.c \
	src/approx/block.h \
	src/approx/choose.c \
	src/approx/choose.h \
	src/approx/estimate.c \
	src/approx/estimate.h \
	src/approx/expression.c \
	src/approx/expression.h \
	src/approx/interval.h \
	src/approx/moments.h \
	src/approx/sampler.h \
	src/approx/scaled_entries.c \
	src/approx/scaled_entries.h \
	src/approx/states.c \
	src/approx/states.h
