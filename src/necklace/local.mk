libpm_a_SOURCES += \
	src/necklace/necklace.c \
	src/necklace/necklace_sum.c \
	src/necklace/necklace_sum.h
