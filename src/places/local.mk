libpmcli_a_SOURCES += \
	src/places/graph_places.c \
	src/places/graph_places.h \
	src/places/place.c \
	src/places/place.h \
	src/places/place_file.c \
	src/places/place_file.h
