libpm_a_SOURCES += \
	src/frontier/frontier.c \
	src/frontier/frontier_gpu.c \
	src/frontier/frontier_gpu_kernel.c \
	src/frontier/frontier_gpu_kernel.h \
	src/frontier/frontier_gpu_plan.c \
	src/frontier/frontier_gpu_plan.h \
	src/frontier/frontier_gpu_text.c \
	src/frontier/frontier_gpu_text.h \
	src/frontier/frontier_hash.c \
	src/frontier/frontier_hash.h \
	src/frontier/frontier_plan.c \
	src/frontier/frontier_plan.h \
	src/frontier/frontier_program.c \
	src/frontier/frontier_program.h \
	src/frontier/frontier_rank.c \
	src/frontier/frontier_rank.h \
	src/frontier/frontier_permute.c \
	src/frontier/frontier_permute.h \
	src/frontier/narrow_moduli.c \
	src/frontier/narrow_moduli.h \
	src/frontier/ring.h \
	src/frontier/ring_float.c \
	src/frontier/ring_narrow.c \
	src/frontier/ring_residues.c
