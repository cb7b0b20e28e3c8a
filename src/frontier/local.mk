libpm_a_SOURCES += \
	src/frontier/frontier.c \
	src/frontier/frontier_device.c \
	src/frontier/frontier_device.h \
	src/frontier/frontier_flat.c \
	src/frontier/frontier_flat.h \
	src/frontier/frontier_gpu.c \
	src/frontier/frontier_hash.c \
	src/frontier/frontier_hash.h \
	src/frontier/frontier_plan.c \
	src/frontier/frontier_plan.h \
	src/frontier/frontier_program.c \
	src/frontier/frontier_program.h \
	src/frontier/frontier_rank.c \
	src/frontier/frontier_rank.h \
	src/frontier/frontier_text.c \
	src/frontier/frontier_text.h \
	src/frontier/rank_permute.c \
	src/frontier/ring.h \
	src/frontier/ring_float.c \
	src/frontier/ring_residues.c
