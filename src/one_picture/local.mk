libpmcli_a_SOURCES += \
	src/one_picture/matching_picture.c \
	src/one_picture/matching_picture.h \
	src/one_picture/one_picture.c \
	src/one_picture/one_picture.h
