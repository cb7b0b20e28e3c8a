libpm_a_SOURCES += \
	src/pairing/pairing.c \
	src/pairing/pairing_graph.c \
	src/pairing/pairing_graph.h \
	src/pairing/pairing_state.c \
	src/pairing/pairing_state.h \
	src/pairing/random_pfaffian.c
