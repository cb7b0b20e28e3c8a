# The device interface: the same functions with CUDA and without.
libpm_a_SOURCES += \
	src/gpu/gpu.h \
	src/gpu/gpu_model.c \
	src/gpu/gpu_model.h \
	src/gpu/gpu_pace.c \
	src/gpu/gpu_pace.h \
	src/gpu/gpu_queue.c \
	src/gpu/gpu_queue.h \
	src/gpu/gpu_use.c \
	src/gpu/gpu_use.h \
	src/gpu/idle_modules.c \
	src/gpu/idle_modules.h \
	src/gpu/kernel_cache.c \
	src/gpu/kernel_cache.h \
	src/gpu/kernel_text.h \
	src/gpu/kernel_text_make.c
libpm_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
if HAVE_CUDA
libpm_a_SOURCES += \
	src/gpu/precompiled.h src/gpu/cuda_driver.h src/gpu/cuda_failure.h \
	src/gpu/gpu_context.h src/gpu/gpu_module.h src/gpu/nvrtc.h \
	src/gpu/cuda_driver.c src/gpu/cuda_failure.c src/gpu/gpu_compile.c \
	src/gpu/gpu_context.c src/gpu/gpu_devices.c src/gpu/gpu_module.c src/gpu/gpu_prepare.c src/gpu/gpu_run.c \
	src/gpu/gpu_session.c src/gpu/gpu_spread.c src/gpu/nvrtc.c
else
libpm_a_SOURCES += src/gpu/gpu_none.c
endif

# Kernels whose text depends on nothing but a few choices are compiled ahead of time too, for machines
# without the run-time compiler: LANES-PARTS-BITS of the frontier (src/frontier/frontier_gpu_text.h).
if HAVE_NVCC
frontier_precompiled = 1-1-64 2-1-64 3-1-64 4-1-64 5-1-64 6-1-64 7-1-64 8-1-64 0-1-64 0-2-64 \
	1-1-32 2-1-32
noinst_PROGRAMS = write_frontier_gpu_text
write_frontier_gpu_text_SOURCES = src/frontier/write_frontier_gpu_text.c \
	src/frontier/frontier_gpu_text.c src/frontier/frontier_gpu_text.h \
	src/gpu/kernel_text.h src/gpu/kernel_text_make.c src/core/text_stream.c src/core/text_stream.h \
	src/core/alloc.c src/core/memory.c
nodist_write_frontier_gpu_text_SOURCES = kernel_text.c
write_frontier_gpu_text_LDADD =
nodist_libpm_a_SOURCES += precompiled_kernels.c
CLEANFILES += precompiled_kernels.c $(frontier_precompiled:%=frontier_%.cu) $(frontier_precompiled:%=frontier_%.fatbin)
.SECONDARY: $(frontier_precompiled:%=frontier_%.cu) $(frontier_precompiled:%=frontier_%.fatbin)
frontier_%.cu: write_frontier_gpu_text$(EXEEXT)
	$(AM_V_GEN)./write_frontier_gpu_text$(EXEEXT) $* > $@-t && mv -f $@-t $@
frontier_%.fatbin: frontier_%.cu
	$(AM_V_GEN)$(NVCC) -fatbin -w -std=c++17 --fmad=false $(NVCC_CODE) -o $@ $<
precompiled_kernels.c: $(frontier_precompiled:%=frontier_%.fatbin) $(srcdir)/build-aux/embed.sh
	$(AM_V_GEN){ for k in $(frontier_precompiled); do n=`echo $$k | tr - _`; \
	    $(SHELL) $(srcdir)/build-aux/embed.sh text_$$n frontier_$$k.cu; \
	    $(SHELL) $(srcdir)/build-aux/embed.sh code_$$n frontier_$$k.fatbin bytes; \
	  done; \
	  echo '#include "gpu/precompiled.h"'; echo 'const pm_precompiled_kernel pm_precompiled_kernels[] = {'; \
	  for k in $(frontier_precompiled); do n=`echo $$k | tr - _`; \
	    echo "{text_$$n, code_$$n, sizeof code_$$n},"; \
	  done; echo '{0}};'; } > $@-t && mv -f $@-t $@
else
EXTRA_DIST += src/frontier/write_frontier_gpu_text.c
endif

# The texts of cuda/ as strings, for the run-time compiler.
nodist_libpm_a_SOURCES += kernel_text.c
CLEANFILES += kernel_text.c
kernel_texts = \
	cuda/beam.cuh \
	cuda/beam_step.h \
	cuda/block.cuh \
	cuda/degree_masks.h \
	cuda/degree_thread.cuh \
	cuda/degree_warp.cuh \
	cuda/dense.cuh \
	cuda/frontier.cuh \
	cuda/frontier_step.h \
	cuda/hafnian.cuh \
	cuda/hafnian_task.h \
	cuda/iteration_arrays.h \
	cuda/lanes.h \
	cuda/linear_entry.h \
	cuda/mask_step.h \
	cuda/masks.cuh \
	cuda/message_step.h \
	cuda/messages.cuh \
	cuda/narrow.cuh \
	cuda/necklace.cuh \
	cuda/necklace_step.h \
	cuda/numbers.cuh \
	cuda/philox_block.h \
	cuda/phases.cuh \
	cuda/placed.cuh \
	cuda/prelude.cuh \
	cuda/repeated.cuh \
	cuda/residues.cuh \
	cuda/sample_sequence.h \
	cuda/scaling_thread.cuh \
	cuda/scaling_warp.cuh \
	cuda/semiring.cuh \
	cuda/sparse.cuh \
	cuda/spgemm_arrays.h \
	cuda/spgemm_places.cuh \
	cuda/spgemm_rows.cuh \
	cuda/spgemm_terms.cuh \
	cuda/spmv_arrays.h \
	cuda/spmv_coo.cuh \
	cuda/spmv_csr.cuh \
	cuda/spmv_terms.cuh \
	cuda/term.cuh \
	cuda/thin_rule.h \
	cuda/thread_launch.h \
	cuda/thread_samples.cuh \
	cuda/tree.cuh \
	cuda/vector_step.h \
	cuda/vectors.cuh \
	cuda/warp_launch.h \
	cuda/warp_samples.cuh \
	cuda/words.cuh
EXTRA_DIST += $(kernel_texts)
kernel_text.c: $(kernel_texts) build-aux/embed.sh
	$(AM_V_GEN)for text in $(kernel_texts); do \
	  name=$${text##*/}; \
	  $(SHELL) $(srcdir)/build-aux/embed.sh pm_text_$${name%.*} $(srcdir)/$$text || exit; \
	done > $@-t && mv -f $@-t $@
