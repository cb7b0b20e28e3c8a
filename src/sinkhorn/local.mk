libpm_a_SOURCES += \
	src/sinkhorn/coarse.c \
	src/sinkhorn/coarse.h \
	src/sinkhorn/curtis_reid.c \
	src/sinkhorn/curtis_reid.h \
	src/sinkhorn/doubly_stochastic.c \
	src/sinkhorn/doubly_stochastic.h \
	src/sinkhorn/folded.c \
	src/sinkhorn/folded.h \
	src/sinkhorn/joined_rows.c \
	src/sinkhorn/joined_rows.h \
	src/sinkhorn/line_factors.c \
	src/sinkhorn/line_factors.h \
	src/sinkhorn/single_step.c \
	src/sinkhorn/single_step.h \
	src/sinkhorn/sinkhorn.c \
	src/sinkhorn/sinkhorn.h
