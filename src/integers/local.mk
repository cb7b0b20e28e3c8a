libpm_a_SOURCES += \
	src/integers/exact_node.c \
	src/integers/exact_node.h \
	src/integers/integer_scale.c \
	src/integers/integer_scale.h \
	src/integers/root_primes.c \
	src/integers/root_primes.h \
	src/integers/scale_factor.c \
	src/integers/scale_factor.h \
	src/integers/vertex_scale.c \
	src/integers/vertex_scale.h
