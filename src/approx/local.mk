# Linked with $(APPROX_LIBS).
APPROX_LIBS = $(LIBPM_LIBS) $(GSL_LIBS)
libpm_a_SOURCES += \
	src/approx/degree_lists.h \
	src/approx/degree_masks.h \
	src/approx/fewest.h \
	src/approx/hub_bound.h \
	src/approx/interval.h \
	src/approx/lists.h \
	src/approx/methods.h \
	src/approx/moments.h \
	src/approx/sampler.h \
	src/approx/stream.h \
	src/approx/weight.h \
	src/approx/complete.h \
	src/approx/pareto.h \
	src/approx/remainder.h \
	src/approx/degree_lists.c \
	src/approx/fewest.c \
	src/approx/hub_bound.c \
	src/approx/integer_state.c \
	src/approx/lists.c \
	src/approx/complete.c \
	src/approx/draw.c \
	src/approx/moments.c \
	src/approx/pareto.c \
	src/approx/remainder.c \
	src/approx/scaling.c \
	src/approx/registry.c
