libpm_a_SOURCES += \
	src/spmv/conjugate_gradients.c \
	src/spmv/conjugate_gradients.h \
	src/spmv/csr.c \
	src/spmv/csr.h \
	src/spmv/multiply.c \
	src/spmv/multiply.h
