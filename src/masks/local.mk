libpm_a_SOURCES += \
	src/masks/mask_compile.h \
	src/masks/mask_flat.c \
	src/masks/mask_key.c \
	src/masks/mask_key.h \
	src/masks/mask_places.c \
	src/masks/mask_program.c \
	src/masks/mask_program.h \
	src/masks/mask_run.c \
	src/masks/mask_run.h \
	src/masks/mask_setup.c \
	src/masks/mask_setup.h \
	src/masks/mask_vertex.c \
	src/masks/masks.c \
	src/masks/masks_gpu.c \
	src/masks/masks_gpu_kernel.c \
	src/masks/masks_gpu_kernel.h
