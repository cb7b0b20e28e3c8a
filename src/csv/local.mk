libpm_a_SOURCES += \
	src/csv/csv.c \
	src/csv/csv_columns.c \
	src/csv/csv_columns.h \
	src/csv/csv_delimiter.c \
	src/csv/csv_delimiter.h \
	src/csv/csv_record.c \
	src/csv/csv_record.h
