# The tests, table by table.  A program of a table has one source, its own name and ".c", unless it is
# named below; all are linked with $(TEST_LIBS).  Every test speaks TAP.
#   unit   one module each             prop   identities on random input
#   cli    the programs from outside   fuzz   readers, any bytes
#   bench  figures ("make bench")      gpu    needs a card ("make check-gpu")
#   reference  textbook methods that a student can read first; real matrices with known counts
#   support    what tests share; of other folders a test includes reference/textbook.h only

# ---- what tests share ----
check_LIBRARIES += libpmtest.a libpmhost.a libpmfuzz.a
TEST_LIBS = libpmtest.a libpmcli.a $(APPROX_LIBS) $(CMOCKA_LIBS)
EXTRA_DIST += tests/support/cmocka.sh tests/support/failing.c tests/support/kills.bash tests/support/random-inputs.sh \
	tests/support/tap.sh tests/support/timed-driver.sh tests/support/transcript.sh
libpmtest_a_SOURCES = tests/support/graphs.h tests/support/graphs.c
# Devices that compile kernels as C, in place of src/gpu.
libpmhost_a_SOURCES =
if HAVE_CMOCKA
libpmtest_a_SOURCES += \
	tests/support/answers.h tests/support/answers.c \
	tests/support/as_c.h tests/support/as_c.c \
	tests/support/aztec_diamonds.h tests/support/aztec_diamonds.c \
	tests/support/csr_shapes.h tests/support/csr_shapes.c \
	tests/support/cusparse.h tests/support/cusparse.c \
	tests/support/cusparse_library.h tests/support/cusparse_library.c \
	tests/support/cusparse_spgemm.h tests/support/cusparse_spgemm.c \
	tests/support/cyclic_blocks.h tests/support/cyclic_blocks.c \
	tests/support/device_text.h tests/support/device_text.c \
	tests/support/domino_shuffling.h tests/support/domino_shuffling.c \
	tests/support/frontier_shares.h tests/support/frontier_shares.c \
	tests/support/general_graphs.h tests/support/general_graphs.c \
	tests/support/hafnian_kernels.h \
	tests/support/iterations.h tests/support/iterations.c \
	tests/support/ledger_texts.h tests/support/ledger_texts.c \
	tests/support/matrices.h tests/support/matrices.c \
	tests/support/matching_frequencies.h tests/support/matching_frequencies.c \
	tests/support/moments.h tests/support/moments.c \
	tests/support/node_lists.h tests/support/node_lists.c \
	tests/support/orders.h tests/support/orders.c \
	tests/support/placements.h \
	tests/support/planar_graphs.h tests/support/planar_graphs.c \
	tests/support/png_image.h tests/support/png_image.c \
	tests/support/positive.h tests/support/positive.c \
	tests/support/rationals.h tests/support/rationals.c \
	tests/support/readings.h tests/support/readings.c \
	tests/support/repeats.h tests/support/repeats.c \
	tests/support/sampled.h tests/support/sampled.c \
	tests/support/spgemm_kernels.h tests/support/spgemm_kernels.c \
	tests/support/spmv_kernels.h tests/support/spmv_kernels.c \
	tests/support/triangulations.h tests/support/triangulations.c \
	tests/support/testing.h tests/support/testing.c \
	tests/support/total_support.h tests/support/total_support.c \
	tests/reference/textbook.h tests/reference/textbook_hafnian.c \
	tests/reference/textbook_hopcroft_karp.c \
	tests/reference/textbook_ryser.c tests/reference/textbook_transfer_matrix.c
libpmhost_a_SOURCES += \
	tests/support/device_works.h tests/support/device_works.c \
	tests/support/host_frontier.h tests/support/host_frontier.c \
	tests/support/host_gpu.h tests/support/host_gpu.c \
	tests/support/host_samples.h tests/support/host_samples.c \
	tests/support/kept_texts.h tests/support/kept_texts.c \
	tests/support/memory_states.h tests/support/memory_states.c
endif

# ---- unit ----
UNIT_TESTS = $(HOST_TESTS) \
	tests/unit/unit_copies \
	tests/unit/unit_copies_irreducible \
	tests/unit/unit_gpu_compile \
	tests/unit/unit_spgemm \
	tests/unit/unit_gpu_source \
	tests/unit/unit_dense_float \
	tests/unit/unit_frontier_in_place \
	tests/unit/unit_allowed_edges \
	tests/unit/unit_approx_text \
	tests/unit/unit_frontier_gpu \
	tests/unit/unit_beam_gpu \
	tests/unit/unit_repeated \
	tests/unit/unit_order \
	tests/unit/unit_planner \
	tests/unit/unit_bethe_estimate \
	tests/unit/unit_bethe_ascent \
	tests/unit/unit_bethe_point \
	tests/unit/unit_column_forest \
	tests/unit/unit_fill_cycles \
	tests/unit/unit_linear_step \
	tests/unit/unit_single_step \
	tests/unit/unit_dense_exact \
	tests/unit/unit_edge_runs \
	tests/unit/unit_tree \
	tests/unit/unit_reading_memory \
	tests/unit/unit_arguments \
	tests/unit/unit_band_layers \
	tests/unit/unit_blossom \
	tests/unit/unit_chosen_keys \
	tests/unit/unit_closed_walks \
	tests/unit/unit_coarse \
	tests/unit/unit_contracted \
	tests/unit/unit_decompose \
	tests/unit/unit_dm \
	tests/unit/unit_dyadic \
	tests/unit/unit_edge_values \
	tests/unit/unit_elementary \
	tests/unit/unit_evaluate \
	tests/unit/unit_exact_sum \
	tests/unit/unit_expression \
	tests/unit/unit_fetch_ahead \
	tests/unit/unit_frontier \
	tests/unit/unit_glynn \
	tests/unit/unit_gpu_pace \
	tests/unit/unit_graph_beam \
	tests/unit/unit_guarantee \
	tests/unit/unit_hafnian \
	tests/unit/unit_hafnian_few \
	tests/unit/unit_idle_modules \
	tests/unit/unit_integer_set \
	tests/unit/unit_joined_rows \
	tests/unit/unit_interval \
	tests/unit/unit_kernel_cache \
	tests/unit/unit_log10 \
	tests/unit/unit_matrix \
	tests/unit/unit_memory \
	tests/unit/unit_messages \
	tests/unit/unit_moments \
	tests/unit/unit_number \
	tests/unit/unit_pairing \
	tests/unit/unit_philox \
	tests/unit/unit_prime \
	tests/unit/unit_ranges \
	tests/unit/unit_read \
	tests/unit/unit_read_bytes \
	tests/unit/unit_readings \
	tests/unit/unit_read_arrays \
	tests/unit/unit_read_tables \
	tests/unit/unit_recurrence \
	tests/unit/unit_roots \
	tests/unit/unit_root_least \
	tests/unit/unit_ranks \
	tests/unit/unit_reduce \
	tests/unit/unit_rook \
	tests/unit/unit_root_norm \
	tests/unit/unit_label_map \
	tests/unit/unit_level_file \
	tests/unit/unit_landlock \
	tests/unit/unit_line_factors \
	tests/unit/unit_line_products \
	tests/unit/unit_layers \
	tests/unit/unit_ledger \
	tests/unit/unit_ledger_text \
	tests/unit/unit_necklace \
	tests/unit/unit_network \
	tests/unit/unit_sample_ledger \
	tests/unit/unit_samplers \
	tests/unit/unit_figure \
	tests/unit/unit_long_answers \
	tests/unit/unit_sandbox \
	tests/unit/unit_side_by_side \
	tests/unit/unit_single \
	tests/unit/unit_sinkhorn \
	tests/unit/unit_size \
	tests/unit/unit_sparse_ryser \
	tests/unit/unit_spmv \
	tests/unit/unit_spy \
	tests/unit/unit_stream \
	tests/unit/unit_exact_stream \
	tests/unit/unit_sweep \
	tests/unit/unit_symmetric \
	tests/unit/unit_value \
	tests/unit/unit_write \
	tests/unit/unit_xreal
# Linked with the devices above.
HOST_TESTS = \
	tests/unit/unit_beam_device \
	tests/unit/unit_frontier_devices \
	tests/unit/unit_levels \
	tests/unit/unit_gpu_count \
	tests/unit/unit_gpu_failure \
	tests/unit/unit_goes_on \
	tests/unit/unit_hafnian_gpu \
	tests/unit/unit_masks_gpu \
	tests/unit/unit_necklace_gpu \
	tests/unit/unit_part_failure \
	tests/unit/unit_gpu_rates \
	tests/unit/unit_repeated_gpu \
	tests/unit/unit_samples_gpu \
	tests/unit/unit_scalings_gpu \
	tests/unit/unit_shared_sweep \
	tests/unit/unit_spgemm_gpu \
	tests/unit/unit_spmv_gpu \
	tests/unit/unit_workspace_gpu
# The library alone, in a host program.
UNIT_TESTS += tests/unit/unit_library
tests_unit_unit_library_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
if HAVE_PLANARITY
UNIT_TESTS += tests/unit/unit_pfaffian tests/unit/unit_planar tests/unit/unit_root_inverse
endif
if HAVE_CUDA
UNIT_TESTS += tests/unit/unit_gpu_driver
endif
tests_unit_unit_gpu_driver_SOURCES = tests/unit/unit_gpu_driver.c \
	tests/support/counting_driver.h tests/support/counting_driver.c
tests_unit_unit_gpu_driver_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)

# With every device: "make check-kernels".
KERNEL_TESTS = tests/unit/ahead_of_time.sh tests/unit/unit_approx_text \
	tests/unit/unit_frontier_gpu tests/unit/unit_gpu_compile
EXTRA_DIST += tests/unit/ahead_of_time.sh

# ---- prop ----
PROP_TESTS = \
	tests/prop/prop_approx \
	tests/prop/prop_beam \
	tests/prop/prop_bounds \
	tests/prop/prop_count \
	tests/prop/prop_decompose \
	tests/prop/prop_dm \
	tests/prop/prop_estimate \
	tests/prop/prop_exact \
	tests/prop/prop_general \
	tests/prop/prop_ledger \
	tests/prop/prop_matchings \
	tests/prop/prop_order \
	tests/prop/prop_reduce \
	tests/prop/prop_roots \
	tests/prop/prop_sampled_families \
	tests/prop/prop_uniform
if HAVE_PLANARITY
PROP_TESTS += tests/prop/prop_domino_shuffling tests/prop/prop_planar tests/prop/prop_planar_general \
	tests/prop/prop_planar_matching tests/prop/prop_torus
endif
if HAVE_IGRAPH
PROP_TESTS += tests/prop/prop_dm_igraph
endif
tests_prop_prop_dm_igraph_SOURCES = tests/prop/prop_dm_igraph.c
tests_prop_prop_dm_igraph_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
tests_prop_prop_dm_igraph_LDADD = $(TEST_LIBS) $(IGRAPH_LIBS)

# With the families of pm-gen, as objects of that program without its main file.
tests_prop_prop_sampled_families_LDADD = \
	src/pm-gen/cells.$(OBJEXT) \
	src/pm-gen/dense.$(OBJEXT) \
	src/pm-gen/families.$(OBJEXT) \
	src/pm-gen/fullerene.$(OBJEXT) \
	src/pm-gen/gaussian_state.$(OBJEXT) \
	src/pm-gen/haar_columns.$(OBJEXT) \
	src/pm-gen/lattice.$(OBJEXT) \
	src/pm-gen/mycielski.$(OBJEXT) \
	src/pm-gen/one_set_families.$(OBJEXT) \
	src/pm-gen/random_graph.$(OBJEXT) \
	src/pm-gen/random_one_set.$(OBJEXT) \
	src/pm-gen/region.$(OBJEXT) \
	src/pm-gen/schur.$(OBJEXT) \
	src/pm-gen/unitary.$(OBJEXT) \
	src/pm-gen/weights.$(OBJEXT) \
	$(TEST_LIBS)

# What takes minutes.
LONG_TESTS = tests/prop/coverage.long tests/prop/coverage_stop.long
tests_prop_coverage_long_SOURCES = tests/prop/coverage.c
tests_prop_coverage_stop_long_SOURCES = tests/prop/coverage_stop.c
if HAVE_PLANARITY
LONG_TESTS += tests/prop/aztec_large.long
endif
tests_prop_aztec_large_long_SOURCES = tests/prop/aztec_large.c

# ---- gpu: they say so, and do nothing, where there is no card ----
GPU_TESTS = tests/gpu/gpu_agree tests/gpu/gpu_iterations tests/gpu/gpu_samples tests/gpu/gpu_spgemm \
	tests/gpu/gpu_spmv
EXTRA_DIST += tests/gpu/bench_gpu.sh tests/gpu/bench_frontier_gpu.sh tests/gpu/bench_levels.sh \
	tests/gpu/bench_samples_gpu.sh tests/gpu/bench_first_second.sh tests/gpu/gpu_session.sh tests/gpu/kills.sh

if HAVE_CMOCKA
check_PROGRAMS += $(UNIT_TESTS) $(PROP_TESTS)
if SANITIZED
EXTRA_PROGRAMS += $(LONG_TESTS) $(GPU_TESTS)
else
check_PROGRAMS += $(LONG_TESTS) $(GPU_TESTS)
endif
EXPENSIVE_TESTS += $(LONG_TESTS)
endif
$(UNIT_TESTS) $(PROP_TESTS) $(LONG_TESTS) $(GPU_TESTS): LDADD = $(TEST_LIBS)
$(UNIT_TESTS) $(PROP_TESTS) $(LONG_TESTS) $(GPU_TESTS): libpmtest.a libpmcli.a
$(HOST_TESTS): LDADD = libpmhost.a $(TEST_LIBS)
$(HOST_TESTS): libpmhost.a

# ---- cli and reference ----
CLI_TESTS = tests/cli/programs.sh tests/cli/registries.sh \
	tests/cli/failing-memory.sh tests/cli/hostile.sh tests/cli/moved.sh tests/cli/planar.sh tests/cli/scaling.sh \
	tests/cli/stop-moments.sh \
	tests/cli/known.sh tests/cli/numpy.sh tests/cli/readme.sh tests/cli/tutorial.sh tests/reference/general.sh tests/reference/references.sh
# Of sources, of the form of what is printed, and of memory: not under sanitizers, which have nothing to find there or take memory.
FORM_TESTS = tests/cli/hygiene.sh tests/cli/man.sh tests/cli/peaks.sh tests/cli/schema.sh
CLI_BATS = tests/cli/pm-count-stops.bats tests/cli/pm-approx-methods.bats tests/cli/pm-count.bats \
	tests/cli/pm-approx-long.bats tests/cli/limits.bats tests/cli/long-runs.bats tests/cli/batches.bats \
	tests/cli/levels.bats tests/cli/side-by-side.bats tests/cli/outputs.bats tests/cli/safe.bats \
	tests/cli/periods.bats tests/cli/pm-decompose.bats tests/cli/pm-order.bats tests/cli/bad-input.bats \
	tests/cli/formats.bats tests/cli/exact.bats tests/cli/exact-streams.bats tests/cli/exact-estimates.bats tests/cli/roots.bats tests/cli/general.bats tests/cli/general-pipes.bats tests/cli/general-structure.bats tests/cli/general-estimates.bats tests/cli/endings.bats tests/cli/huge-entries.bats tests/cli/locale.bats \
	tests/cli/multiplicities.bats tests/cli/vertex-times.bats tests/cli/network.bats tests/cli/own-files.bats tests/cli/part-inputs.bats \
	tests/cli/pm-approx.bats tests/cli/pm-decompose-large.bats tests/cli/pm-dm.bats tests/cli/pm-gen.bats tests/cli/places.bats tests/cli/pictures.bats \
	tests/cli/pm-overlap.bats tests/cli/pm-order-scale.bats tests/cli/readings.bats \
	tests/cli/rectangular.bats tests/cli/terminal.bats tests/cli/trust.bats
CLI_LONG = tests/cli/extremes.sh tests/cli/failing-memory.sh tests/cli/hostile.sh tests/cli/numpy.sh tests/cli/slurm.sh tests/cli/stop-moments.sh \
	tests/reference/references.sh \
	tests/reference/pipes.sh
# The long ones come first, the scripts in this order, so that no core waits for the last test.
if HAVE_BATS
TESTS += $(CLI_BATS)
EXPENSIVE_TESTS += tests/cli/expensive.bats tests/cli/peaks.sh
endif
if !SANITIZED
TESTS += $(FORM_TESTS)
endif
TESTS += $(CLI_TESTS)
if HAVE_CMOCKA
TESTS += $(UNIT_TESTS) $(PROP_TESTS)
endif
EXPENSIVE_TESTS += $(CLI_LONG)
# "make check" of a tree without MPI does not run it; bootstrap.sh check-more makes one with MPI.
if HAVE_MPI
TESTS += tests/cli/mpi.sh
endif
EXTRA_DIST += tests/cli/mpi.sh
EXTRA_DIST += $(CLI_TESTS) $(FORM_TESTS) $(CLI_BATS) $(CLI_LONG) tests/cli/expensive.bats tests/cli/permanent.awk \
	tests/cli/same_values.awk tests/cli/schema.py tests/cli/estimates.bash tests/cli/long-estimates.bash \
	tests/cli/hostile.py tests/cli/numpy_matrices.py tests/cli/stop_moments.py tests/cli/filters.bash tests/data/small-references.tsv

# ---- fuzz ----
# One libFuzzer target a reader: "./configure CC=clang --enable-fuzzing", then "make check-fuzz".
# Without libFuzzer they replay the files that they are given.
FUZZ_TARGETS = tests/fuzz/fuzz_any tests/fuzz/fuzz_csv tests/fuzz/fuzz_dense \
	tests/fuzz/fuzz_dimacs tests/fuzz/fuzz_edges tests/fuzz/fuzz_graph6 tests/fuzz/fuzz_ledger \
	tests/fuzz/fuzz_mtx \
	tests/fuzz/fuzz_npy tests/fuzz/fuzz_npz tests/fuzz/fuzz_stream tests/fuzz/fuzz_times
libpmfuzz_a_SOURCES = tests/fuzz/check_reader.h tests/fuzz/check_reader.c
if !HAVE_LIBFUZZER
libpmfuzz_a_SOURCES += tests/fuzz/replay.c
endif
$(FUZZ_TARGETS): LDADD = libpmfuzz.a $(LIBPM_LIBS) $(FUZZ_LDFLAGS)
$(FUZZ_TARGETS): libpmfuzz.a
check_PROGRAMS += $(FUZZ_TARGETS)
TESTS += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/replay.sh tests/fuzz/reader.dict tests/fuzz/corpus
# All targets, FUZZ_SECONDS each, from the corpus and FUZZ_SEEDS inputs of the grammar.
FUZZ_SECONDS = 60
FUZZ_SEEDS = 400
.PHONY: check-fuzz merge-corpus
check-fuzz: $(FUZZ_TARGETS)
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/fuzz/run.sh run $(FUZZ_SECONDS) $(FUZZ_SEEDS) $(FUZZ_TARGETS)
# The inputs that add coverage, of the corpus and of what check-fuzz left, become the corpus.
merge-corpus: $(FUZZ_TARGETS)
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/fuzz/run.sh merge $(FUZZ_TARGETS)
EXTRA_DIST += tests/fuzz/run.sh
# Random inputs of every format against slow readers that were written from the manual.
check_PROGRAMS += tests/fuzz/dump_readings
tests_fuzz_dump_readings_LDADD = $(LIBPM_LIBS)
TESTS += tests/fuzz/differential.sh tests/fuzz/option_lines.sh
EXPENSIVE_TESTS += tests/fuzz/differential.sh tests/fuzz/option_lines.sh
EXTRA_DIST += tests/fuzz/option_lines.sh tests/fuzz/option_lines.py \
	tests/fuzz/differential.sh tests/fuzz/differential.py tests/fuzz/grammar.py \
	tests/fuzz/slow_lists.py tests/fuzz/slow_matrices.py tests/fuzz/slow_stream.py tests/fuzz/slow_values.py

# ---- bench ----
BENCH_COMPILED = tests/bench/bench_accuracy tests/bench/bench_approx tests/bench/bench_beam \
	tests/bench/bench_decompose tests/bench/bench_dense_exact tests/bench/bench_dense_float \
	tests/bench/bench_frontier tests/bench/bench_iterations tests/bench/bench_ledger tests/bench/bench_published tests/bench/bench_reading tests/bench/bench_sparse_ryser \
	tests/bench/bench_spgemm \
	tests/bench/bench_spmv \
	tests/bench/bench_tree
if HAVE_PLANARITY
BENCH_COMPILED += tests/bench/bench_planar
endif
if HAVE_IGRAPH
BENCH_COMPILED += tests/bench/bench_igraph
tests_bench_bench_igraph_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
tests_bench_bench_igraph_LDADD = libpmtest.a libpmcli.a $(APPROX_LIBS) $(IGRAPH_LIBS)
endif
BENCH_SHELL = tests/bench/batches.sh tests/bench/bench_orderings.sh tests/bench/bethe.sh tests/bench/dm.sh \
	tests/bench/multiplicities.sh tests/bench/nearly_full.sh tests/bench/peers.sh tests/bench/planar.sh \
	tests/bench/planner.sh \
	tests/bench/readings.sh tests/bench/real_graphs.sh tests/bench/small.sh
$(BENCH_COMPILED): LDADD = libpmtest.a libpmcli.a $(APPROX_LIBS)
$(BENCH_COMPILED): libpmtest.a libpmcli.a
EXTRA_PROGRAMS += $(BENCH_COMPILED)
BENCHMARKS += $(BENCH_COMPILED) $(BENCH_SHELL)
EXTRA_DIST += tests/bench/bench.h tests/bench/dense.awk tests/bench/exact_peers.py tests/bench/hafnian_peers.py \
	tests/bench/multiplicities.py tests/bench/overlaps.py tests/bench/peers.py tests/bench/small.py \
	tests/bench/readings.awk tests/bench/scaling.py tests/bench/sittings.sh $(BENCH_SHELL)

# ---- targets for a machine with a card ----
.PHONY: check-gpu bench-gpu gpu-session
# Every kernel against the CPU; then some of them under a checker of memory and races.
check-gpu: $(GPU_TESTS)
	@$(TEST_ENV) for t in gpu_agree gpu_iterations gpu_samples gpu_spgemm gpu_spmv; do ./tests/gpu/$$t || exit; done; \
	  if command -v compute-sanitizer > /dev/null; then \
	    for tool in memcheck racecheck; do \
	      for t in gpu_agree gpu_iterations gpu_samples gpu_spgemm gpu_spmv; do \
	        PM_TEST_FEW=1 compute-sanitizer --tool $$tool --error-exitcode 9 ./tests/gpu/$$t \
	          || exit; \
	      done; \
	    done; \
	  else \
	    echo 'check-gpu: no compute-sanitizer, not run under it'; \
	  fi
bench-gpu: all
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/gpu/bench_gpu.sh; \
	  $(SHELL) $(srcdir)/tests/gpu/bench_frontier_gpu.sh; \
	  $(SHELL) $(srcdir)/tests/gpu/bench_samples_gpu.sh; \
	  $(SHELL) $(srcdir)/tests/gpu/bench_first_second.sh
# Both in one go, for a card that is available for minutes only.
gpu-session: all $(GPU_TESTS)
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/gpu/gpu_session.sh
