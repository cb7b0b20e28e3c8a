libpm_a_SOURCES += \
	src/layers/band_layers.c \
	src/layers/band_layers.h \
	src/layers/characteristic.c \
	src/layers/characteristic.h \
	src/layers/components.c \
	src/layers/components.h \
	src/layers/find_layers.c \
	src/layers/find_layers.h \
	src/layers/layer_parts.c \
	src/layers/layer_parts.h \
	src/layers/layered.c \
	src/layers/layered.h \
	src/layers/layers_bound.c \
	src/layers/layers_bound.h \
	src/layers/layers_count.c \
	src/layers/layers_count.h \
	src/layers/mod_sum.h \
	src/layers/periodic.c \
	src/layers/recurrence.c \
	src/layers/recurrence.h \
	src/layers/strands.c \
	src/layers/strands.h \
	src/layers/sweep_states.c \
	src/layers/sweep_states.h \
	src/layers/transfer.c \
	src/layers/transfer.h
