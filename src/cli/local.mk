libpm_a_SOURCES += \
	src/cli/answers.h src/cli/ask.h src/cli/backends.h src/cli/batch.h src/cli/calibration.h src/cli/console.h \
	src/cli/count_options.h src/cli/dm_options.h src/cli/dm_tasks.h src/cli/inputs.h \
	src/cli/json.h src/cli/mapper.h src/cli/obstruction.h src/cli/options.h src/cli/output.h \
	src/cli/shared.h src/cli/signals.h src/cli/spy.h src/cli/stack.h src/cli/tasks.h src/cli/terminal.h \
	src/cli/threads.h \
	src/cli/answers.c src/cli/ask.c src/cli/backends.c src/cli/batch.c src/cli/calibration.c src/cli/console.c \
	src/cli/count_options.c src/cli/dm_ask.c src/cli/dm_blocks.c src/cli/dm_coarse.c \
	src/cli/dm_hall.c src/cli/dm_map.c src/cli/dm_matching.c src/cli/dm_options.c \
	src/cli/dm_permutation.c src/cli/dm_picture.c src/cli/dm_stats.c src/cli/exit.c \
	src/cli/help.c src/cli/inputs.c src/cli/json.c src/cli/mapper.c src/cli/obstruction.c \
	src/cli/options.c src/cli/output.c src/cli/shared.c src/cli/signals.c src/cli/spy.c \
	src/cli/stack.c src/cli/spy_braille.c src/cli/spy_png.c src/cli/spy_svg.c src/cli/task_count.c \
	src/cli/task_exists.c src/cli/task_matching.c src/cli/terminal.c src/cli/threads.c \
	src/cli/version.c
bin_PROGRAMS += pm-count pm-dm
pm_count_SOURCES = src/pm-count.c
pm_dm_SOURCES = src/pm-dm.c

libpm_a_SOURCES += \
	src/cli/decompose_options.h src/cli/decompose_tasks.h \
	src/cli/decompose_figures.c src/cli/decompose_map.c src/cli/decompose_options.c \
	src/cli/decompose_stats.c
bin_PROGRAMS += pm-decompose
pm_decompose_SOURCES = src/pm-decompose.c

libpm_a_SOURCES += \
	src/cli/order_figures.h src/cli/order_methods.h src/cli/order_options.h src/cli/order_tasks.h \
	src/cli/order_figures.c src/cli/order_map.c src/cli/order_methods.c src/cli/order_options.c \
	src/cli/order_stats.c
bin_PROGRAMS += pm-order
pm_order_SOURCES = src/pm-order.c

libpm_a_SOURCES += \
	src/cli/approx_item.h src/cli/approx_options.h src/cli/approx_tasks.h src/cli/approx_texts.h \
	src/cli/approx_trace.h \
	src/cli/approx_bounds.c src/cli/approx_check.c src/cli/approx_estimate.c src/cli/approx_item.c src/cli/approx_sample.c \
	src/cli/approx_options.c src/cli/approx_texts.c src/cli/approx_trace.c
bin_PROGRAMS += pm-approx
pm_approx_SOURCES = src/pm-approx.c
pm_approx_LDADD = $(APPROX_LIBS)
