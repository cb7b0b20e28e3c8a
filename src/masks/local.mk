libpm_a_SOURCES += \
	src/masks/mask_flat.c \
	src/masks/mask_flat.h \
	src/masks/mask_program.c \
	src/masks/mask_program.h \
	src/masks/mask_run.c \
	src/masks/mask_run.h \
	src/masks/masks.c
