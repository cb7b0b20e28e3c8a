dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_CUDA
dnl -----------
dnl --with-cuda[=DIR]    yes | no | auto (default) | toolkit directory
dnl Only the headers of the toolkit are needed: driver and run-time compiler are opened at run time,
dnl so one binary serves machines with and without them, and nothing of CUDA is linked.
dnl The toolkit's nvcc, where there is one, compiles some kernels ahead of time.
dnl Sets CUDA_CPPFLAGS, DL_LIBS, CUDA_LIBDIR, NVCC, NVCC_CODE and the conditionals HAVE_CUDA, HAVE_NVCC.
AC_DEFUN([PM_ARG_CUDA], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@], [build the GPU backend; DIR is the toolkit (default: auto)])],
  [], [with_cuda=auto])

pm_have_cuda=no
pm_cuda_summary=no
DL_LIBS=
AS_CASE([$with_cuda],
  [no], [pm_cuda_dirs=],
  [yes|auto],
    [pm_nvcc=`command -v nvcc`
     pm_cuda_dirs="/usr/local/cuda /usr"
     AS_IF([test -n "$pm_nvcc"], [pm_cuda_dirs="`dirname "$pm_nvcc"`/.. $pm_cuda_dirs"])],
  [pm_cuda_dirs=$with_cuda])

pm_cuda_dir=
for pm_d in $pm_cuda_dirs; do
  AS_IF([test -z "$pm_cuda_dir" && test -f "$pm_d/include/nvrtc.h"],
    [pm_cuda_dir=`cd "$pm_d" && pwd -P`])
done
AS_IF([test -n "$pm_cuda_dir"], [
  AS_IF([test "$pm_cuda_dir" != /usr], [CUDA_CPPFLAGS="-isystem $pm_cuda_dir/include"])
  CUDA_LIBDIR=$pm_cuda_dir/lib64
  pm_save_CPPFLAGS=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
  AC_MSG_CHECKING([for the headers of CUDA 12.0 or newer])
  AC_COMPILE_IFELSE(
    [AC_LANG_PROGRAM([[#include <cuda.h>
#include <nvrtc.h>
#if CUDA_VERSION < 12000
#error too old
#endif]], [])],
    [pm_have_cuda=yes])
  AC_MSG_RESULT([$pm_have_cuda])
  CPPFLAGS=$pm_save_CPPFLAGS
])
AS_IF([test $pm_have_cuda = yes], [
  pm_save_LIBS=$LIBS
  AC_SEARCH_LIBS([dlopen], [dl], [AS_IF([test "$ac_cv_search_dlopen" = -ldl], [DL_LIBS=-ldl])],
    [pm_have_cuda=no])
  LIBS=$pm_save_LIBS
])
AS_IF([test $pm_have_cuda = yes],
  [AC_DEFINE([HAVE_CUDA], [1], [Define to 1 if the GPU backend is built.])
   AC_DEFINE_UNQUOTED([CUDA_LIBDIR], ["$CUDA_LIBDIR"], [Where the toolkit libraries were at build time.])
   pm_cuda_summary=$pm_cuda_dir],
  [CUDA_CPPFLAGS=
   AS_IF([test "$with_cuda" != auto && test "$with_cuda" != no],
     [AC_MSG_ERROR([--with-cuda was given, but no headers of CUDA 12.0 or newer were found])])])
dnl ---- ahead of time: a device of each generation, and PTX for what comes after ----
NVCC=
NVCC_CODE=
AS_IF([test $pm_have_cuda = yes && test -x "$pm_cuda_dir/bin/nvcc"], [
  NVCC=$pm_cuda_dir/bin/nvcc
  pm_codes=" `"$NVCC" --list-gpu-code 2>/dev/null | tr '\n' ' '`"
  for pm_a in 75 80 90 100 120; do
    AS_CASE([$pm_codes], [*" sm_$pm_a "*],
      [NVCC_CODE="$NVCC_CODE -gencode arch=compute_$pm_a,code=sm_$pm_a"])
  done
  AS_CASE([$pm_codes], [*" sm_75 "*],
    [NVCC_CODE="$NVCC_CODE -gencode arch=compute_75,code=compute_75"], [NVCC=])
  AS_IF(["$NVCC" --help 2>/dev/null | grep compress-mode >/dev/null],
    [NVCC_CODE="-compress-mode=size$NVCC_CODE"])
])
AS_IF([test -n "$NVCC"],
  [AC_DEFINE([HAVE_NVCC], [1], [Define to 1 if kernels are compiled ahead of time.])
   pm_cuda_summary="$pm_cuda_summary, kernels ahead of time"])
AC_SUBST([NVCC])
AC_SUBST([NVCC_CODE])
AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([DL_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test $pm_have_cuda = yes])
])
