# The one door to CUDA: the same functions with it and without.
libpm_a_SOURCES += src/gpu/gpu.h src/gpu/kernel_cache.h src/gpu/kernel_cache.c
libpm_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
if HAVE_CUDA
libpm_a_SOURCES += \
	src/gpu/cuda_driver.h src/gpu/nvrtc.h \
	src/gpu/cuda_driver.c src/gpu/gpu_compile.c src/gpu/gpu_devices.c src/gpu/gpu_run.c \
	src/gpu/gpu_session.c src/gpu/nvrtc.c
else
libpm_a_SOURCES += src/gpu/gpu_none.c
endif
