dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_MPI
dnl ----------
dnl --with-mpi[=PATH]    no (default) | yes | the compiler of MPI (mpicc.openmpi, /opt/mpich/bin/mpicc)
dnl Sets MPICC and the conditional HAVE_MPI.  Only the module pm-mpi.so is compiled with MPICC; pm-count loads it
dnl when a launcher of MPI has started it.
AC_DEFUN([PM_ARG_MPI], [
AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi@<:@=MPICC@:>@], [divide counts between the ranks of MPI jobs, by this compiler of MPI (default: no)])],
  [], [with_mpi=no])
AC_ARG_VAR([MPICC], [the compiler of MPI])
have_mpi=no
pm_mpi_summary=no
AS_IF([test "$with_mpi" != no], [
  AS_IF([test "$with_mpi" != yes], [MPICC=$with_mpi])
  AC_CHECK_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich], [:])
  AC_MSG_CHECKING([for MPI])
  cat > conftest.c <<'PM_EOF'
#include <mpi.h>
#if defined OMPI_MAJOR_VERSION
PM_MPI "Open MPI" OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION
#elif defined MPICH_VERSION
PM_MPI "MPICH" MPICH_VERSION
#else
PM_MPI "MPI" MPI_VERSION.MPI_SUBVERSION
#endif
PM_EOF
  pm_mpi_summary=`$MPICC -E conftest.c 2>&AS_MESSAGE_LOG_FD | sed -n 's/^PM_MPI //p' dnl
    | tr -d '"' | sed 's/ *@<:@.@:>@ */./g'`
  rm -f conftest.c
  AS_IF([test -n "$pm_mpi_summary"],
    [have_mpi=yes; AC_MSG_RESULT([$pm_mpi_summary])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([--with-mpi was given, but $MPICC does not find mpi.h])])
  AC_DEFINE([HAVE_MPI], [1], [Define to 1 if the module for MPI is built.])
  AC_DEFINE_UNQUOTED([PM_MPI_NAME], ["$pm_mpi_summary"], [The name and version of MPI.])
])
AM_CONDITIONAL([HAVE_MPI], [test $have_mpi = yes])
])
