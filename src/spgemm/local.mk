libpm_a_SOURCES += \
	src/spgemm/overlap.c \
	src/spgemm/overlap.h \
	src/spgemm/product.c \
	src/spgemm/product.h \
	src/spgemm/product_row.c \
	src/spgemm/product_row.h
