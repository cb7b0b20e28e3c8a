libpm_a_SOURCES += \
	src/rook/rook.c \
	src/rook/rook_board.c \
	src/rook/rook_board.h \
	src/rook/rook_numbers.c \
	src/rook/rook_numbers.h \
	src/rook/rook_program.c
