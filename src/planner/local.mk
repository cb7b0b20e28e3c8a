libpm_a_SOURCES += \
	include/pm/algorithms.h \
	src/planner/candidates.c \
	src/planner/candidates.h \
	src/planner/gpu_choice.c \
	src/planner/gpu_choice.h \
	src/planner/order_figures.c \
	src/planner/order_figures.h \
	src/planner/order_methods.c \
	src/planner/order_methods.h \
	src/planner/plan_named.c \
	src/planner/plan_named.h \
	src/planner/planner.c \
	src/planner/planner.h \
	src/planner/registry.c \
	src/planner/registry.h
