libpm_a_SOURCES += \
	src/sweep/content.h src/sweep/dense_exact.h src/sweep/dense_exact_ifma.h src/sweep/dense_exact_limbs.h \
	src/sweep/dense_exact_plan.h src/sweep/dense_exact_range.h src/sweep/dense_exact_tile.h \
	src/sweep/dense_float.h src/sweep/dense_float_body.h src/sweep/dense_float_entries.h \
	src/sweep/dense_float_lanes.h src/sweep/dense_float_problem.h src/sweep/dense_float_tile.h \
	src/sweep/equilibrate.h \
	src/sweep/skip.h src/sweep/sparse_ryser.h src/sweep/square.h src/sweep/sum.h src/sweep/sweep.h \
	src/sweep/term.h src/sweep/transversals.h src/sweep/tree.h src/sweep/tree_body.h \
	src/sweep/tree_plan.h src/sweep/tree_program.h src/sweep/content.c src/sweep/dense_exact.c \
	src/sweep/dense_exact_avx2.c src/sweep/dense_exact_avx512.c src/sweep/dense_exact_avx512ifma.c \
	src/sweep/dense_exact_plan.c src/sweep/dense_exact_portable.c src/sweep/dense_exact_terms.c \
	src/sweep/dense_float.c src/sweep/dense_float_avx2.c src/sweep/dense_float_avx512.c \
	src/sweep/dense_float_entries.c src/sweep/dense_float_portable.c src/sweep/equilibrate.c \
	src/sweep/skip.c \
	src/sweep/sparse_ryser.c src/sweep/square.c src/sweep/sum.c src/sweep/sweep.c src/sweep/term.c \
	src/sweep/transversals.c src/sweep/tree.c src/sweep/tree_avx2.c src/sweep/tree_avx512.c src/sweep/tree_portable.c src/sweep/tree_plan.c \
	src/sweep/tree_program.c
# On GPUs; the texts of cuda/ go into the library for the run-time compiler.
libpm_a_SOURCES += \
	include/pm/placement.h \
	src/sweep/dense_gpu.h src/sweep/gpu_arithmetic.h src/sweep/gpu_records.h \
	src/sweep/gpu_pace.h src/sweep/gpu_sweep.h src/sweep/kernel_text.h src/sweep/row_plan.h \
	src/sweep/sparse_gpu.h \
	src/sweep/tree_gpu.h src/sweep/tree_source.h \
	src/sweep/dense_gpu.c src/sweep/gpu_arithmetic.c src/sweep/gpu_records.c \
	src/sweep/gpu_pace.c src/sweep/gpu_sweep.c src/sweep/row_plan.c src/sweep/sparse_gpu.c \
	src/sweep/tree_gpu.c \
	src/sweep/tree_source.c
nodist_libpm_a_SOURCES += kernel_text.c
CLEANFILES += kernel_text.c
kernel_texts = cuda/prelude.cuh cuda/block.cuh cuda/term.cuh cuda/dense.cuh cuda/placed.cuh cuda/sparse.cuh \
	cuda/residues.cuh cuda/numbers.cuh \
	cuda/beam.cuh cuda/degrees.cuh cuda/frontier.cuh cuda/samples.cuh cuda/scaled_masks.cuh cuda/scalings.cuh cuda/degree_lines.cuh cuda/warps.cuh \
	cuda/words.cuh
# Headers that are text of kernels too.
shared_texts = src/count/frontier_step.h src/core/philox_block.h src/approx/beam_step.h \
	src/approx/degree_masks.h src/approx/lanes.h src/approx/samples_launch.h \
	src/approx/lines_launch.h src/approx/stream.h src/approx/thin_rule.h
EXTRA_DIST += $(kernel_texts)
kernel_text.c: $(kernel_texts) $(shared_texts) build-aux/embed.sh
	$(AM_V_GEN)for text in $(kernel_texts) $(shared_texts); do \
	  name=$${text##*/}; \
	  $(SHELL) $(srcdir)/build-aux/embed.sh pm_text_$${name%.*} $(srcdir)/$$text || exit; \
	done > $@-t && mv -f $@-t $@
