# The one door to CUDA: the same functions with it and without.
libpm_a_SOURCES += src/gpu/gpu.h src/gpu/gpu_queue.h src/gpu/gpu_queue.c src/gpu/gpu_use.h \
	src/gpu/gpu_use.c src/gpu/idle_modules.h src/gpu/idle_modules.c src/gpu/kernel_cache.h \
	src/gpu/kernel_cache.c
libpm_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
if HAVE_CUDA
libpm_a_SOURCES += \
	src/gpu/ahead.h src/gpu/cuda_driver.h src/gpu/cuda_failure.h src/gpu/gpu_code.h \
	src/gpu/gpu_context.h src/gpu/gpu_module.h src/gpu/nvrtc.h \
	src/gpu/cuda_driver.c src/gpu/cuda_failure.c src/gpu/gpu_code.c src/gpu/gpu_compile.c \
	src/gpu/gpu_context.c src/gpu/gpu_devices.c src/gpu/gpu_module.c src/gpu/gpu_run.c \
	src/gpu/gpu_session.c src/gpu/nvrtc.c
else
libpm_a_SOURCES += src/gpu/gpu_none.c
endif

# Kernels whose text depends on nothing but a few choices are compiled ahead of time too, for machines
# without the run-time compiler: LANES-PARTS of the frontier (src/count/frontier_text.h).
if HAVE_NVCC
frontier_ahead = 1-1 2-1 4-1 8-1 0-1 0-2
noinst_PROGRAMS = write_frontier_text
write_frontier_text_SOURCES = src/count/write_frontier_text.c src/count/frontier_text.c \
	src/count/frontier_text.h src/sweep/kernel_text.h
nodist_write_frontier_text_SOURCES = kernel_text.c
write_frontier_text_LDADD =
nodist_libpm_a_SOURCES += kernels_ahead.c
CLEANFILES += kernels_ahead.c $(frontier_ahead:%=frontier_%.cu) $(frontier_ahead:%=frontier_%.fatbin)
.SECONDARY: $(frontier_ahead:%=frontier_%.cu) $(frontier_ahead:%=frontier_%.fatbin)
frontier_%.cu: write_frontier_text$(EXEEXT)
	$(AM_V_GEN)./write_frontier_text$(EXEEXT) $* > $@-t && mv -f $@-t $@
frontier_%.fatbin: frontier_%.cu
	$(AM_V_GEN)$(NVCC) -fatbin -w -std=c++17 --fmad=false $(NVCC_CODE) -o $@ $<
kernels_ahead.c: $(frontier_ahead:%=frontier_%.fatbin) $(srcdir)/build-aux/embed.sh
	$(AM_V_GEN){ for k in $(frontier_ahead); do n=`echo $$k | tr - _`; \
	    $(SHELL) $(srcdir)/build-aux/embed.sh text_$$n frontier_$$k.cu; \
	    $(SHELL) $(srcdir)/build-aux/embed.sh code_$$n frontier_$$k.fatbin bytes; \
	  done; \
	  echo '#include "gpu/ahead.h"'; echo 'const pm_ahead_kernel pm_ahead_kernels[] = {'; \
	  for k in $(frontier_ahead); do n=`echo $$k | tr - _`; \
	    echo "{text_$$n, code_$$n, sizeof code_$$n},"; \
	  done; echo '{0}};'; } > $@-t && mv -f $@-t $@
else
EXTRA_DIST += src/count/write_frontier_text.c
endif
