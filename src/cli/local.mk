libpm_a_SOURCES += \
	src/cli/answers.h src/cli/calibration.h src/cli/console.h src/cli/count_options.h src/cli/inputs.h src/cli/json.h \
	src/cli/obstruction.h src/cli/options.h src/cli/output.h src/cli/shared.h src/cli/signals.h \
	src/cli/tasks.h src/cli/threads.h \
	src/cli/answers.c src/cli/calibration.c src/cli/console.c src/cli/count_options.c src/cli/exit.c src/cli/help.c \
	src/cli/inputs.c src/cli/json.c src/cli/obstruction.c src/cli/options.c src/cli/output.c \
	src/cli/shared.c src/cli/signals.c src/cli/task_count.c src/cli/task_exists.c \
	src/cli/task_matching.c src/cli/threads.c src/cli/version.c
bin_PROGRAMS += pm-count
pm_count_SOURCES = src/pm-count.c
