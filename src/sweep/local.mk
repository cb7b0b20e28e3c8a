libpm_a_SOURCES += \
	src/sweep/content.c \
	src/sweep/content.h \
	src/sweep/float_kind.h \
	src/sweep/gpu_arithmetic.c \
	src/sweep/gpu_arithmetic.h \
	src/sweep/gpu_records.c \
	src/sweep/gpu_records.h \
	src/sweep/gpu_sweep.c \
	src/sweep/gpu_sweep.h \
	src/sweep/line_classes.c \
	src/sweep/line_classes.h \
	src/sweep/ryser_driver.c \
	src/sweep/ryser_driver.h \
	src/sweep/shared_sweep.c \
	src/sweep/shared_sweep.h \
	src/sweep/square.c \
	src/sweep/square.h \
	src/sweep/sum.c \
	src/sweep/sum.h \
	src/sweep/sum_bits.c \
	src/sweep/sum_bits.h \
	src/sweep/sweep.c \
	src/sweep/sweep.h \
	src/sweep/term.c \
	src/sweep/term.h
