libpm_a_SOURCES += \
	src/order/anneal.c \
	src/order/by_touch.c \
	src/order/column_permanent.c \
	src/order/column_skip.c \
	src/order/column_sort.c \
	src/order/columns.h \
	src/order/cost.c \
	src/order/frontier.h \
	src/order/graph.c \
	src/order/greedy.c \
	src/order/heap.c \
	src/order/heap.h \
	src/order/natural.c \
	src/order/partition.c \
	src/order/partition.h \
	src/order/pattern.c \
	src/order/pattern.h \
	src/order/rcm.c \
	src/order/rcm.h \
	src/order/search.c \
	src/order/states.c
