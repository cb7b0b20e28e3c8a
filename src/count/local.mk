libpm_a_SOURCES += \
	include/pm/count.h \
	src/count/algorithm.h src/count/evaluate.h src/count/frontier_hash.h \
	src/count/frontier_rank.h src/count/prime.h src/count/program.h src/count/ring.h \
	src/count/count.c src/count/evaluate.c src/count/frontier.c src/count/frontier_hash.c \
	src/count/frontier_rank.c src/count/prime.c src/count/program.c src/count/rank_permute.c \
	src/count/registry.c src/count/ring_float.c src/count/ring_residues.c src/count/ryser.c
