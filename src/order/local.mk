libpm_a_SOURCES += \
	src/order/block_graph.c \
	src/order/block_graph.h \
	src/order/column_order.c \
	src/order/column_order.h \
	src/order/column_permanent.c \
	src/order/column_rcm.c \
	src/order/column_skip.c \
	src/order/heap.c \
	src/order/heap.h \
	src/order/pattern.c \
	src/order/pattern.h \
	src/order/register_partition.c \
	src/order/register_partition.h \
	src/order/state_count.c \
	src/order/state_count.h \
	src/order/vertex_anneal.c \
	src/order/vertex_cost.c \
	src/order/vertex_greedy.c \
	src/order/vertex_order.c \
	src/order/vertex_order.h \
	src/order/vertex_search.c
