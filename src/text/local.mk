libpm_a_SOURCES += \
	src/text/escape.c \
	src/text/escape.h \
	src/text/kept_lines.c \
	src/text/kept_lines.h \
	src/text/line_sample.c \
	src/text/line_sample.h \
	src/text/number.c \
	src/text/number.h \
	src/text/printable.c \
	src/text/printable.h \
	src/text/quote.c \
	src/text/quote.h \
	src/text/root_read.c \
	src/text/root_read.h \
	src/text/scalar.c \
	src/text/scalar.h \
	src/text/short_decimal.c \
	src/text/short_decimal.h \
	src/text/source.c \
	src/text/source.h \
	src/text/value_read.c \
	src/text/value_read.h \
	src/text/zlib_memory.c \
	src/text/zlib_memory.h
