libpm_a_SOURCES += \
	src/spgemm/overlap.c \
	src/spgemm/overlap.h \
	src/spgemm/overlap_device.c \
	src/spgemm/overlap_device.h \
	src/spgemm/product.c \
	src/spgemm/product.h \
	src/spgemm/product_gpu.c \
	src/spgemm/product_gpu.h \
	src/spgemm/product_gpu_text.c \
	src/spgemm/product_gpu_text.h \
	src/spgemm/product_row.c \
	src/spgemm/product_row.h
