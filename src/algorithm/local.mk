libpm_a_SOURCES += \
	include/pm/backend.h \
	src/algorithm/algorithm.h \
	src/algorithm/gpu_plan.c \
	src/algorithm/gpu_plan.h \
	src/algorithm/narrow_moduli.c \
	src/algorithm/narrow_moduli.h \
	src/algorithm/plan.c \
	src/algorithm/rates.c \
	src/algorithm/rates.h
