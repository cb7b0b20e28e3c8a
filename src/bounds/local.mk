libpm_a_SOURCES += \
	src/bounds/bethe.c \
	src/bounds/bethe.h \
	src/bounds/bethe_estimate.c \
	src/bounds/bethe_estimate.h \
	src/bounds/bethe_gpu.c \
	src/bounds/bethe_gpu.h \
	src/bounds/bounds.c \
	src/bounds/bounds.h \
	src/bounds/bregman.c \
	src/bounds/bregman.h \
	src/bounds/curtis_reid.c \
	src/bounds/curtis_reid.h \
	src/bounds/doubly_stochastic.c \
	src/bounds/doubly_stochastic.h \
	src/bounds/line_factors.c \
	src/bounds/line_factors.h \
	src/bounds/log_determinant.c \
	src/bounds/log_determinant.h \
	src/bounds/rounded_rows.c \
	src/bounds/rounded_rows.h \
	src/bounds/rounded_sum.h \
	src/bounds/short_cycles.c \
	src/bounds/short_cycles.h \
	src/bounds/sinkhorn.c \
	src/bounds/sinkhorn.h
