libpm_a_SOURCES += \
	src/degree/degree_gpu.c \
	src/degree/degree_gpu.h \
	src/degree/degree_gpu_kernel.c \
	src/degree/degree_gpu_kernel.h \
	src/degree/degree_lists.c \
	src/degree/degree_lists.h \
	src/degree/degree_model.h \
	src/degree/hub_bound.c \
	src/degree/hub_bound.h \
	src/degree/hub_plus_plus.c \
	src/degree/hub_root.c \
	src/degree/hub_root.h \
	src/degree/integer_state.c
