libpmcli_a_SOURCES += \
	src/checkpoint/checkpoint.c \
	src/checkpoint/checkpoint.h \
	src/checkpoint/checkpoint_file.c \
	src/checkpoint/checkpoint_file.h \
	src/checkpoint/checkpoint_report.c \
	src/checkpoint/ledger_head.c \
	src/checkpoint/ledger_head.h \
	src/checkpoint/level_file.c \
	src/checkpoint/level_file.h \
	src/checkpoint/level_head.c \
	src/checkpoint/level_head.h \
	src/checkpoint/long_run.c \
	src/checkpoint/long_run.h \
	src/checkpoint/part_filter.c \
	src/checkpoint/part_filter.h \
	src/checkpoint/part_stream.c \
	src/checkpoint/part_stream.h \
	src/checkpoint/recorded_source.c \
	src/checkpoint/recorded_source.h
