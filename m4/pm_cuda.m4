dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_CUDA
dnl -----------
dnl --with-cuda[=DIR]    yes | no | auto (default) | toolkit directory
dnl --with-cuda-arch=L   list of SM numbers, e.g. "80 90"; PTX of the last one is added.
dnl Sets NVCC, CUDA_CPPFLAGS, CUDA_GENCODE, CUDART_LIBS, CUDA_LIBDIR and the
dnl conditional HAVE_CUDA.  Never asks for libcuda.so: the static runtime opens
dnl the driver by itself at run time, so one binary serves both kinds of machine.
AC_DEFUN([PM_ARG_CUDA], [
AC_ARG_VAR([NVCC], [CUDA compiler])
AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler])
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@], [build the GPU backend; DIR is the toolkit (default: auto)])],
  [], [with_cuda=auto])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST], [GPU architectures (default: all of 80 90 100 120 that nvcc knows)])],
  [], [with_cuda_arch="80 90 100 120"])

pm_have_cuda=no
pm_cuda_dir=
AS_CASE([$with_cuda],
  [no], [],
  [yes|auto], [pm_cuda_path=$PATH:/usr/local/cuda/bin],
  [pm_cuda_path=$with_cuda/bin; pm_cuda_dir=$with_cuda])

AS_IF([test "$with_cuda" != no], [
  AC_PATH_PROG([NVCC], [nvcc], [], [$pm_cuda_path])
  AS_IF([test -n "$NVCC"], [
    dnl The toolkit root is where the nvcc binary lives, unless DIR was given.
    AS_IF([test -z "$pm_cuda_dir"],
      [pm_cuda_dir=`dirname "$NVCC"`; pm_cuda_dir=`cd "$pm_cuda_dir/.." && pwd -P`])
    CUDA_CPPFLAGS="-isystem $pm_cuda_dir/include"
    for pm_d in lib64 lib targets/x86_64-linux/lib; do
      AS_IF([test -f "$pm_cuda_dir/$pm_d/libcudart_static.a"],
        [CUDA_LIBDIR=$pm_cuda_dir/$pm_d; break])
    done
    CUDART_LIBS="-L$CUDA_LIBDIR -lcudart_static -lpthread -ldl -lrt"

    pm_save_CPPFLAGS=$CPPFLAGS; pm_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"; LIBS="$CUDART_LIBS $LIBS"
    AC_MSG_CHECKING([for the static CUDA runtime with cudaLibraryLoadData])
    AC_LINK_IFELSE(
      [AC_LANG_PROGRAM([[#include <cuda_runtime_api.h>]],
         [[cudaLibrary_t l; return cudaLibraryLoadData(&l, "", 0, 0, 0, 0, 0, 0);]])],
      [pm_have_cuda=yes])
    AC_MSG_RESULT([$pm_have_cuda])
    CPPFLAGS=$pm_save_CPPFLAGS; LIBS=$pm_save_LIBS

    AS_IF([test $pm_have_cuda = yes], [
      AC_MSG_CHECKING([which GPU architectures nvcc knows])
      pm_archs=; pm_last=
      pm_known=`"$NVCC" --list-gpu-code | tr '\n' ' '`
      for pm_a in $with_cuda_arch; do
        AS_CASE([" $pm_known "], [*" sm_$pm_a "*],
          [CUDA_GENCODE="$CUDA_GENCODE -gencode arch=compute_$pm_a,code=sm_$pm_a"
           pm_archs="$pm_archs $pm_a"; pm_last=$pm_a])
      done
      AC_MSG_RESULT([$pm_archs (PTX: $pm_last)])
      AS_IF([test -z "$pm_last"], [pm_have_cuda=no],
        [CUDA_GENCODE="$CUDA_GENCODE -gencode arch=compute_$pm_last,code=compute_$pm_last"])
    ])
  ])
  AS_IF([test $pm_have_cuda = no && test "$with_cuda" != auto],
    [AC_MSG_ERROR([--with-cuda was given, but no usable CUDA toolkit (12.8 or newer) was found])])
])
AS_IF([test $pm_have_cuda = yes],
  [AC_DEFINE([HAVE_CUDA], [1], [Define to 1 if the GPU backend is built.])
   AC_DEFINE_UNQUOTED([CUDA_LIBDIR], ["$CUDA_LIBDIR"], [Where the toolkit libraries were at build time.])
   pm_cuda_summary="$pm_cuda_dir ($pm_archs )"],
  [CUDART_LIBS=; pm_cuda_summary=no])
test -n "$NVCCFLAGS" || NVCCFLAGS=-O3
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_GENCODE])
AC_SUBST([CUDART_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test $pm_have_cuda = yes])
])
