libpm_a_SOURCES += \
	src/product_tree/codegen_gpu.c \
	src/product_tree/product_tree.c \
	src/product_tree/product_tree.h \
	src/product_tree/product_tree_gpu.c \
	src/product_tree/row_plan.c \
	src/product_tree/row_plan.h \
	src/product_tree/tree.c \
	src/product_tree/tree.h \
	src/product_tree/tree_avx2.c \
	src/product_tree/tree_avx512.c \
	src/product_tree/tree_body.h \
	src/product_tree/tree_build.c \
	src/product_tree/tree_build.h \
	src/product_tree/tree_gpu.c \
	src/product_tree/tree_gpu.h \
	src/product_tree/tree_gpu_cells.c \
	src/product_tree/tree_gpu_kernel.c \
	src/product_tree/tree_gpu_kernel.h \
	src/product_tree/tree_gpu_steps.c \
	src/product_tree/tree_gpu_text.c \
	src/product_tree/tree_gpu_text.h \
	src/product_tree/tree_gpu_writer.h \
	src/product_tree/tree_plan.c \
	src/product_tree/tree_plan.h \
	src/product_tree/tree_portable.c \
	src/product_tree/tree_program.c \
	src/product_tree/tree_program.h
