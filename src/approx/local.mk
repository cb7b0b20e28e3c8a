libpm_a_SOURCES += \
	src/approx/beam.h \
	src/approx/beam_order.h \
	src/approx/beam_plan.h \
	src/approx/beam_score.h \
	src/approx/beam_thin.h \
	src/approx/bethe.h \
	src/approx/bounds.h \
	src/approx/bregman.h \
	src/approx/doubly_stochastic.h \
	src/approx/interval.h \
	src/approx/moments.h \
	src/approx/rounded_sum.h \
	src/approx/sampler.h \
	src/approx/scaled_entries.h \
	src/approx/states.h \
	src/approx/beam.c \
	src/approx/beam_order.c \
	src/approx/beam_plan.c \
	src/approx/beam_score.c \
	src/approx/beam_thin.c \
	src/approx/bethe.c \
	src/approx/bounds.c \
	src/approx/bregman.c \
	src/approx/doubly_stochastic.c \
	src/approx/scaled_entries.c \
	src/approx/states.c
