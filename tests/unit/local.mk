# The double of src/gpu.
HOST_GPU = tests/unit/as_c.h tests/unit/host_gpu.h tests/unit/host_gpu.c \
	tests/unit/kept_texts.h tests/unit/kept_texts.c
check_PROGRAMS += tests/unit/unit_expression
TESTS += tests/unit/unit_expression
tests_unit_unit_expression_SOURCES = tests/unit/testing.h tests/unit/unit_expression.c
tests_unit_unit_expression_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_evaluate tests/unit/unit_stream
TESTS += tests/unit/unit_evaluate tests/unit/unit_stream
tests_unit_unit_evaluate_SOURCES = tests/unit/testing.h tests/unit/unit_evaluate.c
tests_unit_unit_evaluate_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_stream_SOURCES = tests/unit/testing.h tests/unit/unit_stream.c
tests_unit_unit_stream_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_dyadic tests/unit/unit_matrix tests/unit/unit_value
TESTS += tests/unit/unit_dyadic tests/unit/unit_matrix tests/unit/unit_value
tests_unit_unit_dyadic_SOURCES = tests/unit/testing.h tests/unit/unit_dyadic.c
tests_unit_unit_dyadic_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_matrix_SOURCES = tests/unit/testing.h tests/unit/unit_matrix.c
tests_unit_unit_matrix_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_value_SOURCES = tests/unit/testing.h tests/unit/unit_value.c
tests_unit_unit_value_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_dm tests/unit/unit_reduce
TESTS += tests/unit/unit_dm tests/unit/unit_reduce
tests_unit_unit_dm_SOURCES = tests/unit/unit_dm.c
tests_unit_unit_dm_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_reduce_SOURCES = tests/unit/unit_reduce.c
tests_unit_unit_reduce_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_read
TESTS += tests/unit/unit_read
tests_unit_unit_read_SOURCES = tests/unit/testing.h tests/unit/unit_read.c
tests_unit_unit_read_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

# The library alone, in a host program.
check_PROGRAMS += tests/unit/unit_library
TESTS += tests/unit/unit_library
tests_unit_unit_library_SOURCES = tests/unit/unit_library.c
tests_unit_unit_library_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/unit_frontier
TESTS += tests/unit/unit_frontier
tests_unit_unit_frontier_SOURCES = tests/unit/unit_frontier.c tests/prop/matrices.h
tests_unit_unit_frontier_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_philox
TESTS += tests/unit/unit_philox
tests_unit_unit_philox_SOURCES = tests/unit/testing.h tests/unit/unit_philox.c
tests_unit_unit_philox_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/unit_sweep
TESTS += tests/unit/unit_sweep
tests_unit_unit_sweep_SOURCES = tests/unit/testing.h tests/unit/unit_sweep.c tests/prop/answers.h \
	tests/prop/matrices.h
tests_unit_unit_sweep_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_gpu_pace
TESTS += tests/unit/unit_gpu_pace
tests_unit_unit_gpu_pace_SOURCES = tests/unit/unit_gpu_pace.c
tests_unit_unit_gpu_pace_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_dense_exact
TESTS += tests/unit/unit_dense_exact
tests_unit_unit_dense_exact_SOURCES = tests/unit/testing.h tests/prop/matrices.h \
	tests/unit/unit_dense_exact.c
tests_unit_unit_dense_exact_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_dense_float
TESTS += tests/unit/unit_dense_float
tests_unit_unit_dense_float_SOURCES = tests/unit/testing.h tests/prop/answers.h tests/prop/matrices.h \
	tests/unit/unit_dense_float.c
tests_unit_unit_dense_float_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_tree
TESTS += tests/unit/unit_tree
tests_unit_unit_tree_SOURCES = tests/unit/testing.h tests/prop/answers.h tests/prop/matrices.h tests/unit/unit_tree.c
tests_unit_unit_tree_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_sparse_ryser
TESTS += tests/unit/unit_sparse_ryser
tests_unit_unit_sparse_ryser_SOURCES = tests/unit/testing.h tests/prop/answers.h tests/prop/matrices.h \
	tests/unit/unit_sparse_ryser.c
tests_unit_unit_sparse_ryser_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_spy
TESTS += tests/unit/unit_spy
tests_unit_unit_spy_SOURCES = tests/unit/testing.h tests/unit/unit_spy.c
tests_unit_unit_spy_LDADD = $(CLI_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_size
TESTS += tests/unit/unit_size
tests_unit_unit_size_SOURCES = tests/unit/testing.h tests/unit/unit_size.c
tests_unit_unit_size_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_order
TESTS += tests/unit/unit_order
tests_unit_unit_order_SOURCES = tests/unit/testing.h tests/prop/matrices.h tests/unit/unit_order.c
tests_unit_unit_order_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_decompose
TESTS += tests/unit/unit_decompose
tests_unit_unit_decompose_SOURCES = tests/unit/testing.h tests/unit/unit_decompose.c
tests_unit_unit_decompose_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
if HAVE_PLANARITY
check_PROGRAMS += tests/unit/unit_planar
TESTS += tests/unit/unit_planar
endif
tests_unit_unit_planar_SOURCES = tests/unit/testing.h tests/prop/matrices.h \
	tests/prop/planar_graphs.h tests/unit/unit_planar.c
tests_unit_unit_planar_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_gpu_source
TESTS += tests/unit/unit_gpu_source
tests_unit_unit_gpu_source_SOURCES = tests/unit/testing.h tests/unit/device_text.h tests/unit/as_c.h tests/prop/answers.h tests/prop/matrices.h \
	tests/unit/unit_gpu_source.c
tests_unit_unit_gpu_source_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
if HAVE_CUDA
check_PROGRAMS += tests/unit/unit_gpu_door
TESTS += tests/unit/unit_gpu_door
endif
tests_unit_unit_gpu_door_SOURCES = tests/unit/testing.h tests/unit/counting_driver.h \
	tests/unit/counting_driver.c tests/unit/unit_gpu_door.c
tests_unit_unit_gpu_door_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
tests_unit_unit_gpu_door_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_idle_modules
TESTS += tests/unit/unit_idle_modules
tests_unit_unit_idle_modules_SOURCES = tests/unit/testing.h tests/unit/unit_idle_modules.c
tests_unit_unit_idle_modules_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_kernel_cache
TESTS += tests/unit/unit_kernel_cache
tests_unit_unit_kernel_cache_SOURCES = tests/unit/testing.h tests/unit/unit_kernel_cache.c
tests_unit_unit_kernel_cache_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_approx
TESTS += tests/unit/unit_approx
tests_unit_unit_approx_SOURCES = tests/unit/testing.h tests/prop/graphs.h tests/unit/unit_approx.c
tests_unit_unit_approx_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_beam_device
TESTS += tests/unit/unit_beam_device
tests_unit_unit_beam_device_SOURCES = tests/unit/testing.h $(HOST_GPU) tests/prop/graphs.h \
	tests/prop/matrices.h tests/prop/positive.h tests/prop/sampled.h tests/unit/unit_beam_device.c
tests_unit_unit_beam_device_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_beam_gpu
TESTS += tests/unit/unit_beam_gpu
tests_unit_unit_beam_gpu_SOURCES = tests/unit/testing.h tests/unit/device_text.h tests/unit/as_c.h \
	tests/prop/graphs.h tests/prop/matrices.h tests/prop/positive.h tests/unit/unit_beam_gpu.c
tests_unit_unit_beam_gpu_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_frontier_gpu
TESTS += tests/unit/unit_frontier_gpu
tests_unit_unit_frontier_gpu_SOURCES = tests/unit/testing.h tests/unit/device_text.h tests/unit/as_c.h \
	tests/prop/matrices.h tests/unit/unit_frontier_gpu.c
tests_unit_unit_frontier_gpu_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_rook
TESTS += tests/unit/unit_rook
tests_unit_unit_rook_SOURCES = tests/unit/unit_rook.c tests/prop/answers.h tests/prop/matrices.h
tests_unit_unit_rook_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_approx_text tests/unit/unit_samples_gpu \
	tests/unit/unit_scalings_gpu
TESTS += tests/unit/unit_approx_text tests/unit/unit_samples_gpu \
	tests/unit/unit_scalings_gpu
tests_unit_unit_approx_text_SOURCES = tests/unit/testing.h tests/unit/device_text.h tests/unit/as_c.h \
	tests/prop/graphs.h tests/unit/unit_approx_text.c
tests_unit_unit_approx_text_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_samples_gpu_SOURCES = tests/unit/testing.h $(HOST_GPU) \
	tests/unit/host_samples.h tests/prop/graphs.h tests/prop/sampled.h \
	tests/unit/unit_samples_gpu.c
tests_unit_unit_samples_gpu_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
tests_unit_unit_scalings_gpu_SOURCES = tests/unit/testing.h $(HOST_GPU) \
	tests/unit/host_samples.h tests/prop/graphs.h tests/prop/matrices.h tests/prop/positive.h \
	tests/prop/sampled.h tests/unit/unit_scalings_gpu.c
tests_unit_unit_scalings_gpu_LDADD = $(APPROX_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/unit_gpu_failure
TESTS += tests/unit/unit_gpu_failure
tests_unit_unit_gpu_failure_SOURCES = tests/unit/testing.h $(HOST_GPU) tests/prop/answers.h \
	tests/prop/matrices.h tests/unit/unit_gpu_failure.c
tests_unit_unit_gpu_failure_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
