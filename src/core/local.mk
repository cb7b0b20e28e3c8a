libpm_a_SOURCES += \
	include/pm/alloc.h \
	include/pm/run.h \
	include/pm/settings.h \
	include/pm/status.h \
	src/core/alloc.c \
	src/core/cache_folder.c \
	src/core/cache_folder.h \
	src/core/clock.h \
	src/core/isa.c \
	src/core/isa.h \
	src/core/float_lanes.h \
	src/core/lanes.h \
	src/core/log_factorial.c \
	src/core/log_factorial.h \
	src/core/machine.h \
	src/core/message.c \
	src/core/message.h \
	src/core/philox.c \
	src/core/philox.h \
	src/core/power_of_two.h \
	src/core/rng.h \
	src/core/run.c \
	src/core/settings.c \
	src/core/size.c \
	src/core/size.h \
	src/core/status.c \
	src/core/vectorised.h
