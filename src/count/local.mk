libpm_a_SOURCES += \
	include/pm/count.h \
	src/count/algorithm.h src/count/chooser.h src/count/evaluate.h src/count/frontier_device.h \
	src/count/frontier_flat.h src/count/frontier_hash.h src/count/frontier_plan.h \
	src/count/frontier_rank.h src/count/frontier_step.h src/count/moduli.h src/count/on_gpu.h src/count/prime.h \
	src/count/product_tree.h src/count/program.h src/count/rates.h src/count/ring.h \
	src/count/swept.h \
	src/count/calibrate.c src/count/chooser.c src/count/count.c src/count/enumerate.c \
	src/count/evaluate.c src/count/frontier.c src/count/frontier_device.c \
	src/count/frontier_flat.c src/count/frontier_gpu.c src/count/frontier_hash.c \
	src/count/frontier_plan.c src/count/frontier_rank.c src/count/moduli.c src/count/on_gpu.c src/count/planar.c \
	src/count/prime.c src/count/product_tree.c src/count/product_tree_gpu.c \
	src/count/program.c src/count/rank_permute.c src/count/rates.c src/count/registry.c \
	src/count/ring_float.c src/count/ring_residues.c src/count/ryser.c src/count/ryser_gpu.c \
	src/count/skipper.c src/count/sparyser.c src/count/swept.c src/count/verify.c
