libpm_a_SOURCES += \
	src/ledger/largest.c \
	src/ledger/largest.h \
	src/ledger/ledger.c \
	src/ledger/ledger.h \
	src/ledger/ledger_records.c \
	src/ledger/ledger_records.h \
	src/ledger/ledger_read.c \
	src/ledger/ledger_text.h \
	src/ledger/ledger_write.c \
	src/ledger/ranges.c \
	src/ledger/ranges.h \
	src/ledger/state_store.h \
	src/ledger/ledger_task.c
