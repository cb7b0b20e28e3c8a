libpm_a_SOURCES += \
	src/copies/copies.c \
	src/copies/copies_avx2.c \
	src/copies/copies_avx512.c \
	src/copies/copies_body.h \
	src/copies/copies_entries.c \
	src/copies/copies_entries.h \
	src/copies/copies_numbers.h \
	src/copies/copies_portable.c \
	src/copies/copies_problem.h \
	src/copies/copies_sweep.c \
	src/copies/copies_sweep.h \
	src/copies/copies_tables.c \
	src/copies/copies_tables.h \
	src/copies/vertex_classes.c \
	src/copies/vertex_classes.h \
	src/copies/walks.c \
	src/copies/walks.h \
	src/copies/walks_body.h \
	src/copies/walks_problem.h \
	src/copies/walks_run.c \
	src/copies/walks_run.h
