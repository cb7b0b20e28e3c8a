libpm_a_SOURCES += \
	src/glynn/glynn.c \
	src/glynn/glynn_avx2.c \
	src/glynn/glynn_avx512.c \
	src/glynn/glynn_body.h \
	src/glynn/glynn_entries.c \
	src/glynn/glynn_entries.h \
	src/glynn/glynn_kernel.h \
	src/glynn/glynn_portable.c
