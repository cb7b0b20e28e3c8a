libpm_a_SOURCES += \
	src/calibration/calibrate.c \
	src/calibration/calibrate.h \
	src/calibration/calibrate_gpu.c \
	src/calibration/rate_cache.c \
	src/calibration/rate_cache.h \
	src/calibration/sample.c \
	src/calibration/sample.h
