libpm_a_SOURCES += \
	src/bounds/bethe.c \
	src/bounds/bethe_ascent.c \
	src/bounds/bethe_ascent.h \
	src/bounds/bethe.h \
	src/bounds/bethe_gpu.c \
	src/bounds/bethe_gpu.h \
	src/bounds/bethe_point.c \
	src/bounds/bethe_point.h \
	src/bounds/bounds.c \
	src/bounds/bounds.h \
	src/bounds/bregman.c \
	src/bounds/bregman.h \
	src/bounds/degree_terms.c \
	src/bounds/degree_terms.h \
	src/bounds/hafnian_bounds.c \
	src/bounds/hafnian_bounds.h \
	src/bounds/heavy_matching.c \
	src/bounds/heavy_matching.h \
	src/bounds/loop_bounds.c \
	src/bounds/loop_bounds.h \
	src/bounds/rounded_rows.c \
	src/bounds/rounded_rows.h \
	src/bounds/rounded_sum.h
