libpm_a_SOURCES += \
	src/matchings/hub_matching.c \
	src/matchings/hub_matching.h \
	src/matchings/matchings.c \
	src/matchings/matchings.h \
	src/matchings/uniform.c \
	src/matchings/uniform.h
