libpm_a_SOURCES += \
	src/matchings/hub_matching.c \
	src/matchings/hub_matching.h \
	src/matchings/matchings.c \
	src/matchings/matchings.h \
	src/matchings/planar_matching.c \
	src/matchings/planar_matching.h \
	src/matchings/planar_region.c \
	src/matchings/planar_region.h \
	src/matchings/uniform.c \
	src/matchings/uniform.h
