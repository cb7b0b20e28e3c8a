libpm_a_SOURCES += \
	include/pm/dyadic.h \
	include/pm/field.h \
	include/pm/fraction.h \
	include/pm/value.h \
	src/number/bits.c \
	src/number/bits.h \
	src/number/cnum.c \
	src/number/cnum.h \
	src/number/crt.c \
	src/number/dd.h \
	src/number/decimal.c \
	src/number/decimal.h \
	src/number/decimal_double.c \
	src/number/decimal_double.h \
	src/number/dyadic.c \
	src/number/exact_sum.c \
	src/number/exact_sum.h \
	src/number/fraction.c \
	src/number/prime.c \
	src/number/prime.h \
	src/number/value.c \
	src/number/value_log.c \
	src/number/value_text.c \
	src/number/xreal.c
