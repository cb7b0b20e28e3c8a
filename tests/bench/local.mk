EXTRA_PROGRAMS += tests/bench/bench_frontier
BENCHMARKS += tests/bench/bench_frontier
tests_bench_bench_frontier_SOURCES = tests/bench/bench_frontier.c
EXTRA_DIST += tests/bench/real_graphs.sh
BENCHMARKS += tests/bench/real_graphs.sh
