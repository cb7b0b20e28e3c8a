bin_PROGRAMS += pm-order
pm_order_SOURCES = \
	src/pm-order/order_map.c \
	src/pm-order/order_options.c \
	src/pm-order/order_options.h \
	src/pm-order/order_scale.c \
	src/pm-order/order_switch.c \
	src/pm-order/order_stats.c \
	src/pm-order/order_tasks.h \
	src/pm-order/pm-order.c
pm_order_LDADD = $(CLI_LIBS)
