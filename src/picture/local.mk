libpmcli_a_SOURCES += \
	src/picture/drawing.h \
	src/picture/drawing_colours.c \
	src/picture/drawing_png.c \
	src/picture/drawing_svg.c \
	src/picture/drawing_text.c \
	src/picture/figure.c \
	src/picture/figure.h \
	src/picture/loops.c \
	src/picture/loops.h \
	src/picture/png.c \
	src/picture/png.h \
	src/picture/spy.c \
	src/picture/spy.h \
	src/picture/spy_braille.c \
	src/picture/spy_png.c \
	src/picture/spy_svg.c
