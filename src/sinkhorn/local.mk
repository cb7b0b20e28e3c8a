libpm_a_SOURCES += \
	src/sinkhorn/coarse.c \
	src/sinkhorn/coarse.h \
	src/sinkhorn/column_forest.c \
	src/sinkhorn/column_forest.h \
	src/sinkhorn/curtis_reid.c \
	src/sinkhorn/curtis_reid.h \
	src/sinkhorn/doubly_stochastic.c \
	src/sinkhorn/doubly_stochastic.h \
	src/sinkhorn/fill_cycles.c \
	src/sinkhorn/fill_cycles.h \
	src/sinkhorn/joined_rows.c \
	src/sinkhorn/joined_rows.h \
	src/sinkhorn/line_factors.c \
	src/sinkhorn/line_factors.h \
	src/sinkhorn/linear_step.c \
	src/sinkhorn/linear_step.h \
	src/sinkhorn/newton.h \
	src/sinkhorn/newton_equations.c \
	src/sinkhorn/newton_step.c \
	src/sinkhorn/single_step.c \
	src/sinkhorn/single_step.h \
	src/sinkhorn/sinkhorn.c \
	src/sinkhorn/sinkhorn.h \
	src/sinkhorn/stochastic_units.h \
	src/sinkhorn/sweeps.c \
	src/sinkhorn/sweeps.h
