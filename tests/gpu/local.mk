# For a machine with a GPU; elsewhere they say so and do nothing.
if HAVE_CMOCKA
check_PROGRAMS += tests/gpu/gpu_agree tests/gpu/gpu_samples
tests_gpu_gpu_agree_SOURCES = tests/unit/testing.h tests/prop/answers.h tests/prop/matrices.h \
	tests/gpu/gpu_agree.c
tests_gpu_gpu_agree_LDADD = $(CLI_LIBS) $(CMOCKA_LIBS)
tests_gpu_gpu_samples_SOURCES = tests/unit/testing.h tests/unit/device_text.h tests/unit/as_c.h \
	tests/prop/graphs.h tests/prop/sampled.h tests/gpu/gpu_samples.c
tests_gpu_gpu_samples_LDADD = libpmcli.a $(APPROX_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/gpu/bench_gpu.sh tests/gpu/bench_frontier_gpu.sh \
	tests/gpu/bench_samples_gpu.sh tests/gpu/gpu_session.sh

.PHONY: check-gpu bench-gpu gpu-session
# Every kernel against the CPU; then some of them under a checker of memory and races.
check-gpu: tests/gpu/gpu_agree tests/gpu/gpu_samples
	@$(TEST_ENV) for t in gpu_agree gpu_samples; do ./tests/gpu/$$t || exit; done; \
	  if command -v compute-sanitizer > /dev/null; then \
	    for tool in memcheck racecheck; do \
	      for t in gpu_agree gpu_samples; do \
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
	  $(SHELL) $(srcdir)/tests/gpu/bench_samples_gpu.sh
# Both in one go, for a card that is lent for minutes.
gpu-session: all tests/gpu/gpu_agree tests/gpu/gpu_samples
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/gpu/gpu_session.sh
