bin_PROGRAMS += pm-approx
pm_approx_SOURCES = \
	src/pm-approx/approx_bounds.c \
	src/pm-approx/approx_check.c \
	src/pm-approx/approx_compare.c \
	src/pm-approx/approx_estimate.c \
	src/pm-approx/approx_exact.c \
	src/pm-approx/approx_exact.h \
	src/pm-approx/approx_item.c \
	src/pm-approx/approx_item.h \
	src/pm-approx/approx_options.c \
	src/pm-approx/approx_options.h \
	src/pm-approx/approx_sample.c \
	src/pm-approx/approx_tasks.h \
	src/pm-approx/approx_texts.c \
	src/pm-approx/approx_texts.h \
	src/pm-approx/approx_trace.c \
	src/pm-approx/approx_trace.h \
	src/pm-approx/pm-approx.c
pm_approx_LDADD = $(CLI_LIBS) $(GSL_LIBS)
