dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_OPENMP: OPENMP_CFLAGS for the compiler, OPENMP_LIBS for the linker, PM_OPENMP_STATIC in
dnl config.h, pm_openmp_summary for the summary.
dnl
dnl The library of GCC is linked statically where it is installed so.  It reads OMP_WAIT_POLICY before
dnl main, and only a static one leaves the program a way to set it before that (src/process/wait_policy.c).
AC_DEFUN([PM_OPENMP], [
AC_OPENMP
OPENMP_LIBS=$OPENMP_CFLAGS
pm_openmp_summary=${OPENMP_CFLAGS:-no}
AC_CACHE_CHECK([for a static library of OpenMP], [pm_cv_openmp_static], [
    pm_cv_openmp_static=no
    pm_save_LIBS=$LIBS pm_save_CFLAGS=$CFLAGS
    LIBS="-l:libgomp.a $LIBS"
    AS_CASE([$OPENMP_CFLAGS], [-fopenmp], [
        dnl Without the option for the linker: -fopenmp adds the shared library.
        AC_LANG_CONFTEST([AC_LANG_PROGRAM([[#include <omp.h>]], [[
            int sum = 0;
            #pragma omp parallel reduction(+ : sum)
            sum += omp_get_thread_num();
            return sum < 0;]])])
        AS_IF([$CC $CFLAGS $CPPFLAGS -fopenmp -c conftest.c -o conftest.$OBJEXT >&AS_MESSAGE_LOG_FD 2>&1 &&
               $CC $CFLAGS $LDFLAGS conftest.$OBJEXT -o conftest$EXEEXT $LIBS >&AS_MESSAGE_LOG_FD 2>&1],
            [pm_cv_openmp_static=yes])
        rm -f conftest*])
    LIBS=$pm_save_LIBS CFLAGS=$pm_save_CFLAGS])
AS_IF([test $pm_cv_openmp_static = yes], [
    OPENMP_LIBS="-l:libgomp.a -lpthread"
    pm_openmp_summary="$OPENMP_CFLAGS, static"
    AC_DEFINE([PM_OPENMP_STATIC], [1], [Define if the library of OpenMP is linked statically.])])
AC_SUBST([OPENMP_LIBS])])
