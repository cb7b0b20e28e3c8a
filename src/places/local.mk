libpmcli_a_SOURCES += \
	src/places/place.c \
	src/places/place.h
