libpm_a_SOURCES += \
	include/pm/alloc.h include/pm/dyadic.h include/pm/matrix.h include/pm/run.h \
	include/pm/status.h include/pm/value.h src/core/cache_folder.h src/core/dd.h \
	src/core/alloc.c src/core/cache_folder.c src/core/cache_trim.c src/core/decimal.c src/core/decimal.h src/core/dyadic.c \
	src/core/labels.c src/core/matrix.c src/core/isa.c src/core/philox.c src/core/isa.h src/core/philox.h src/core/philox_block.h \
	src/core/clock.h src/core/product.c src/core/rng.h src/core/run.c src/core/select.c src/core/size.c src/core/size.h src/core/status.c \
	src/core/triples.c src/core/value.c src/core/value_text.c src/core/vectorised.h \
	src/core/xreal.c
