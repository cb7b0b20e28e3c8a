libpm_a_SOURCES += \
	src/network/configuration.c \
	src/network/configuration.h \
	src/network/switching.c \
	src/network/switching.h
