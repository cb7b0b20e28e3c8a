# The one door to CUDA: two files with the same functions.
libpm_a_SOURCES += src/gpu/gpu.h
libpm_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
if HAVE_CUDA
libpm_a_SOURCES += src/gpu/gpu_cuda.c
else
libpm_a_SOURCES += src/gpu/gpu_none.c
endif
