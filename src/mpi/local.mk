libpmcli_a_SOURCES += \
	src/mpi/division.c \
	src/mpi/division.h \
	src/mpi/mpi_calls.h \
	src/mpi/mpi_load.c \
	src/mpi/mpi_load.h \
	src/mpi/rank_client.c \
	src/mpi/rank_client.h \
	src/mpi/rank_message.c \
	src/mpi/rank_message.h \
	src/mpi/rank_place.c \
	src/mpi/rank_place.h \
	src/mpi/rank_server.c \
	src/mpi/rank_server.h \
	src/mpi/ranks.c \
	src/mpi/ranks.h
EXTRA_DIST += src/mpi/mpi_calls.c

# The module is loaded by a program that a launcher of MPI has started.
if HAVE_MPI
moduledir = $(pkglibexecdir)
module_DATA = pm-mpi.so
CLEANFILES += pm-mpi.so
pm-mpi.so: src/mpi/mpi_calls.c src/mpi/mpi_calls.h config.h
	$(AM_V_CC)$(MPICC) -std=c17 -Wall -Wextra -O2 -fPIC -shared $(DEFS) $(DEFAULT_INCLUDES) \
	  -I$(top_srcdir)/src -o $@ $(srcdir)/src/mpi/mpi_calls.c
endif
