dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_INSTRUMENT
dnl -----------------
dnl --enable-native       tune for this machine
dnl --enable-werror       warnings are errors
dnl --enable-sanitizers   AddressSanitizer and UndefinedBehaviorSanitizer
dnl --enable-fuzzing      fuzz targets with libFuzzer (CC=clang), sanitized
dnl --enable-coverage     gcov counters, "make coverage"
dnl Sets INSTRUMENT_CFLAGS, INSTRUMENT_LDFLAGS, FUZZ_LDFLAGS and the conditional HAVE_LIBFUZZER.
AC_DEFUN([PM_ARG_INSTRUMENT], [
INSTRUMENT_CFLAGS=
INSTRUMENT_LDFLAGS=
FUZZ_LDFLAGS=
pm_instrument_summary=
pm_sanitize=

AC_ARG_ENABLE([native],
  [AS_HELP_STRING([--enable-native], [tune for this machine (-march=native)])],
  [], [enable_native=no])
AS_IF([test "$enable_native" = yes], [INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -march=native"])

AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
  [], [enable_werror=no])
AS_IF([test "$enable_werror" = yes], [INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -Werror"])

AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers], [address and undefined behaviour sanitizers])],
  [], [enable_sanitizers=no])
AS_IF([test "$enable_sanitizers" = yes], [pm_sanitize=address,undefined])

AC_ARG_ENABLE([fuzzing],
  [AS_HELP_STRING([--enable-fuzzing], [fuzz targets with libFuzzer; needs CC=clang])],
  [], [enable_fuzzing=no])
AS_IF([test "$enable_fuzzing" = yes], [
  pm_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -fsanitize=fuzzer"
  AC_MSG_CHECKING([for libFuzzer])
  AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stddef.h>
      #include <stdint.h>
      int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
      int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
      { return bytes && size > 9 ? 0 : 0; }]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([--enable-fuzzing needs a compiler with libFuzzer, for example CC=clang])])
  CFLAGS=$pm_save_CFLAGS
  pm_sanitize=address,undefined,fuzzer-no-link
  FUZZ_LDFLAGS=-fsanitize=fuzzer
])
AM_CONDITIONAL([HAVE_LIBFUZZER], [test "$enable_fuzzing" = yes])

AS_IF([test -n "$pm_sanitize"], [
  INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fsanitize=$pm_sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer"
  INSTRUMENT_LDFLAGS="$INSTRUMENT_LDFLAGS -fsanitize=$pm_sanitize"
])
AM_CONDITIONAL([SANITIZED], [test -n "$pm_sanitize"])

AC_ARG_ENABLE([coverage],
  [AS_HELP_STRING([--enable-coverage], [count executed lines; see "make coverage"])],
  [], [enable_coverage=no])
AS_IF([test "$enable_coverage" = yes], [
  AC_CHECK_PROGS([GCOV], [gcov], [:])
  AS_IF([test "$GCOV" = :], [AC_MSG_ERROR([--enable-coverage needs gcov])])
  INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS --coverage -fprofile-update=atomic"
  INSTRUMENT_LDFLAGS="$INSTRUMENT_LDFLAGS --coverage"
])

pm_instrument_summary=$INSTRUMENT_CFLAGS
AC_SUBST([INSTRUMENT_CFLAGS])
AC_SUBST([INSTRUMENT_LDFLAGS])
AC_SUBST([FUZZ_LDFLAGS])
])
