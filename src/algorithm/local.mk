libpm_a_SOURCES += \
	include/pm/backend.h \
	src/algorithm/algorithm.h \
	src/algorithm/on_gpu.c \
	src/algorithm/on_gpu.h \
	src/algorithm/plan.c \
	src/algorithm/rates.c \
	src/algorithm/rates.h
