libpm_a_SOURCES += \
	src/order/frontier.h \
	src/order/anneal.c src/order/cost.c src/order/graph.c src/order/greedy.c \
	src/order/search.c src/order/states.c
