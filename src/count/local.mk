libpm_a_SOURCES += \
	include/pm/count.h \
	src/count/block_count.c \
	src/count/block_count.h \
	src/count/calibrate.c \
	src/count/calibrate_gpu.c \
	src/count/planner.c \
	src/count/planner.h \
	src/count/count.c \
	src/count/count_classes.c \
	src/count/count_classes.h \
	src/count/order_figures.c \
	src/count/order_figures.h \
	src/count/order_methods.c \
	src/count/order_methods.h \
	src/count/rate_cache.c \
	src/count/rate_cache.h \
	src/count/registry.c \
	src/count/registry.h \
	src/count/sample.c \
	src/count/sample.h \
	src/count/verify.c \
	src/count/whole_count.c \
	src/count/whole_count.h
