libpm_a_SOURCES += \
	src/spmv/csr.c \
	src/spmv/csr.h \
	src/spmv/multiply.c \
	src/spmv/multiply.h
