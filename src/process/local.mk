libpmcli_a_SOURCES += \
	src/process/ending.c \
	src/process/ending.h \
	src/process/environment.c \
	src/process/environment.h \
	src/process/landlock.c \
	src/process/landlock.h \
	src/process/new_file.c \
	src/process/new_file.h \
	src/process/sandbox.c \
	src/process/sandbox.h \
	src/process/scratch_file.c \
	src/process/scratch_file.h \
	src/process/signals.c \
	src/process/signals.h \
	src/process/terminal.c \
	src/process/terminal.h \
	src/process/wait_policy.c \
	src/process/wait_policy.h \
	src/process/write_failure.c \
	src/process/write_failure.h
