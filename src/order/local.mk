libpm_a_SOURCES += \
	src/order/columns.h src/order/frontier.h \
	src/order/anneal.c src/order/column_permanent.c \
	src/order/column_skip.c src/order/column_sort.c src/order/cost.c src/order/graph.c src/order/greedy.c \
	src/order/search.c src/order/states.c
