libpm_a_SOURCES += \
	src/spmv/conjugate_gradients.c \
	src/spmv/conjugate_gradients.h \
	src/spmv/csr.c \
	src/spmv/csr.h \
	src/spmv/device_choice.c \
	src/spmv/device_choice.h \
	src/spmv/folded.c \
	src/spmv/folded.h \
	src/spmv/line_products.h \
	src/spmv/multiply.c \
	src/spmv/multiply.h \
	src/spmv/semiring.c \
	src/spmv/semiring.h \
	src/spmv/spmv_gpu.c \
	src/spmv/spmv_gpu.h \
	src/spmv/spmv_gpu_kernel.c \
	src/spmv/spmv_gpu_kernel.h \
	src/spmv/workspace.c \
	src/spmv/workspace.h \
	src/spmv/workspace_gpu.c \
	src/spmv/workspace_gpu.h \
	src/spmv/workspace_steps.c
