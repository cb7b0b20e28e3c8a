libpm_a_SOURCES += \
	include/pm/matching_kind.h \
	include/pm/matrix.h \
	include/pm/period.h \
	src/matrix/equilibrate.c \
	src/matrix/equilibrate.h \
	src/matrix/exponents.c \
	src/matrix/exponents.h \
	src/matrix/fetch_ahead.c \
	src/matrix/fetch_ahead.h \
	src/matrix/find_entry.h \
	src/matrix/labels.c \
	src/matrix/matrix.c \
	src/matrix/period.c \
	src/matrix/repeat.c \
	src/matrix/repeat_vertices.c \
	src/matrix/same_value.h \
	src/matrix/select.c \
	src/matrix/symmetric.c \
	src/matrix/symmetric.h \
	src/matrix/transposed.c \
	src/matrix/transposed.h \
	src/matrix/triples.c \
	src/matrix/triples_room.c \
	src/matrix/triples_sort.c \
	src/matrix/triples_sort.h \
	src/matrix/written_out.h
