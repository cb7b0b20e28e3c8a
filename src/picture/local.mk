libpmcli_a_SOURCES += \
	src/picture/png.c \
	src/picture/png.h \
	src/picture/spy.c \
	src/picture/spy.h \
	src/picture/spy_braille.c \
	src/picture/spy_png.c \
	src/picture/spy_svg.c
