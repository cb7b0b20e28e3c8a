libpm_a_SOURCES += \
	src/repeated/repeated.c \
	src/repeated/repeated_digits.c \
	src/repeated/repeated_digits.h \
	src/repeated/repeated_exact.c \
	src/repeated/repeated_exact.h \
	src/repeated/repeated_exact_avx2.c \
	src/repeated/repeated_exact_avx512.c \
	src/repeated/repeated_exact_body.h \
	src/repeated/repeated_exact_portable.c \
	src/repeated/repeated_exact_problem.h \
	src/repeated/repeated_float.c \
	src/repeated/repeated_float.h \
	src/repeated/repeated_float_avx2.c \
	src/repeated/repeated_float_avx512.c \
	src/repeated/repeated_float_body.h \
	src/repeated/repeated_float_entries.c \
	src/repeated/repeated_float_entries.h \
	src/repeated/repeated_float_portable.c \
	src/repeated/repeated_float_problem.h \
	src/repeated/repeated_float_terms.h \
	src/repeated/repeated_powers.c \
	src/repeated/repeated_powers.h \
	src/repeated/repeated_rounding.c \
	src/repeated/repeated_rounding.h \
	src/repeated/repeated_weights.c \
	src/repeated/repeated_weights.h
