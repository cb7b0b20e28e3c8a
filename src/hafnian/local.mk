libpm_a_SOURCES += \
	src/hafnian/hafnian.c \
	src/hafnian/hafnian_avx2.c \
	src/hafnian/hafnian_avx512.c \
	src/hafnian/hafnian_body.h \
	src/hafnian/hafnian_complex.h \
	src/hafnian/hafnian_double.h \
	src/hafnian/hafnian_entries.c \
	src/hafnian/hafnian_entries.h \
	src/hafnian/hafnian_gpu.c \
	src/hafnian/hafnian_gpu_kernel.c \
	src/hafnian/hafnian_gpu_kernel.h \
	src/hafnian/hafnian_kernel.h \
	src/hafnian/hafnian_levels.c \
	src/hafnian/hafnian_levels.h \
	src/hafnian/hafnian_paths.h \
	src/hafnian/hafnian_portable.c \
	src/hafnian/hafnian_primes.c \
	src/hafnian/hafnian_primes.h \
	src/hafnian/hafnian_ranked.h \
	src/hafnian/hafnian_real.h \
	src/hafnian/hafnian_residue.h \
	src/hafnian/hafnian_row.h \
	src/hafnian/hafnian_run.c \
	src/hafnian/hafnian_run.h \
	src/hafnian/hafnian_size.h \
	src/hafnian/hafnian_small.c \
	src/hafnian/hafnian_small_body.h
