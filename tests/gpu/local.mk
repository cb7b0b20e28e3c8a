# For a machine with a GPU; elsewhere they say so and do nothing.
if HAVE_CMOCKA
check_PROGRAMS += tests/gpu/gpu_agree
tests_gpu_gpu_agree_SOURCES = tests/unit/testing.h tests/prop/answers.h tests/prop/matrices.h \
	tests/gpu/gpu_agree.c
tests_gpu_gpu_agree_LDADD = $(LIBPM_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/gpu/bench_gpu.sh tests/gpu/bench_frontier_gpu.sh tests/gpu/gpu_session.sh

.PHONY: check-gpu bench-gpu gpu-session
# Every kernel against the CPU; then some of them under a checker of memory and races.
check-gpu: tests/gpu/gpu_agree
	@$(TEST_ENV) ./tests/gpu/gpu_agree && \
	  if command -v compute-sanitizer > /dev/null; then \
	    for tool in memcheck racecheck; do \
	      PM_TEST_FEW=1 compute-sanitizer --tool $$tool --error-exitcode 9 ./tests/gpu/gpu_agree \
	        || exit; \
	    done; \
	  else \
	    echo 'check-gpu: no compute-sanitizer, not run under it'; \
	  fi
bench-gpu: all
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/gpu/bench_gpu.sh; \
	  $(SHELL) $(srcdir)/tests/gpu/bench_frontier_gpu.sh
# Both in one go, for a card that is lent for minutes.
gpu-session: all tests/gpu/gpu_agree
	@$(TEST_ENV) $(SHELL) $(srcdir)/tests/gpu/gpu_session.sh
