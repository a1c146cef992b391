dnl SPDX-License-Identifier: BSD-3-Clause
# CLUP_CHECK_WINDOWS
# ------------------
# Whether the host is Windows, by mingw-w64: sets clup_windows, WINDOWS_CPPFLAGS, by which the functions of POSIX are those of src/base/windows, and the
# conditional WINDOWS.
AC_DEFUN([CLUP_CHECK_WINDOWS], [
  AS_CASE([$host_os], [mingw*], [clup_windows=yes], [clup_windows=no])
  WINDOWS_CPPFLAGS=
  AS_IF([test $clup_windows = yes],
    [WINDOWS_CPPFLAGS='-I$(srcdir)/src/base/windows -include base/windows/posix.h -D__USE_MINGW_ANSI_STDIO=1 -D_WIN32_WINNT=0x0A00 -D_FILE_OFFSET_BITS=64'])
  AC_SUBST([WINDOWS_CPPFLAGS])
  AM_CONDITIONAL([WINDOWS], [test $clup_windows = yes])
])

# CLUP_CHECK_OPENCL
# -----------------
# Finds the OpenCL headers and the ICD loader, on macOS its framework; sets OPENCL_CFLAGS and OPENCL_LIBS, which the caller may preset. With
# --enable-opencl-dlopen the loader is loaded when it is first called, and need not be there; tests, which call it themselves, and have functions in
# place of some of the loader's, are linked with TEST_OPENCL_LIBS then.
AC_DEFUN([CLUP_CHECK_OPENCL], [
  AC_ARG_VAR([OPENCL_CFLAGS], [compiler flags for the OpenCL headers])
  AC_ARG_VAR([OPENCL_LIBS], [linker flags for the OpenCL ICD loader, -lOpenCL when not set, or -framework OpenCL on macOS])
  AC_ARG_ENABLE([opencl-dlopen],
    [AS_HELP_STRING([--enable-opencl-dlopen], [load the OpenCL ICD loader when it is first called, rather than link with it])])
  AS_IF([test "x$enable_opencl_dlopen" = xyes && test "$clup_windows" = yes],
    [AC_MSG_ERROR([--enable-opencl-dlopen is for other systems: on Windows the linker delays the loading of OpenCL.dll (packaging/windows/build.sh)])])
  clup_saved_LIBS=$LIBS
  AS_IF([test "$clup_windows" = no],
    [AC_SEARCH_LIBS([dlopen], [dl], [], [AC_MSG_ERROR([dlopen is missing (package libc6-dev)])])])
  LIBS=$clup_saved_LIBS
  AS_CASE([$ac_cv_search_dlopen], [-*], [DL_LIBS=$ac_cv_search_dlopen], [DL_LIBS=])
  AC_SUBST([DL_LIBS])
  AS_IF([test "x$enable_opencl_dlopen" = xyes], [
    OPENCL_LIBS=$DL_LIBS
    clup_opencl_when="${DL_LIBS:+ }(loaded when it is first called)"
    AC_DEFINE([CLUP_OPENCL_DLOPEN], [1], [Define to 1 when the OpenCL ICD loader is loaded when it is first called.])
  ])
  AS_CASE([$host_os],
    [darwin*], [clup_opencl_libs="-framework OpenCL"; clup_opencl_header=OpenCL/opencl.h],
    [clup_opencl_libs=-lOpenCL; clup_opencl_header=CL/cl.h])
  : "${OPENCL_LIBS=$clup_opencl_libs}"
  AS_IF([test "x$enable_opencl_dlopen" = xyes], [TEST_OPENCL_LIBS="-Wl,--allow-multiple-definition $clup_opencl_libs"], [TEST_OPENCL_LIBS=])
  AC_SUBST([TEST_OPENCL_LIBS])
  clup_saved_CPPFLAGS=$CPPFLAGS
  clup_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $OPENCL_CFLAGS"
  LIBS="$OPENCL_LIBS $LIBS"
  AC_CHECK_HEADER([$clup_opencl_header], [],
    [AC_MSG_ERROR([the OpenCL headers $clup_opencl_header are missing (Debian and Ubuntu: opencl-headers; Fedora: opencl-headers; Arch: opencl-headers)])],
    [#define CL_TARGET_OPENCL_VERSION 120])
  AC_MSG_CHECKING([for the OpenCL ICD loader])
  AS_IF([test "x$enable_opencl_dlopen" = xyes], [AC_MSG_RESULT([when the library runs])], [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif]], [[cl_uint n; return clGetPlatformIDs(0, 0, &n);]])],
    [AC_MSG_RESULT([$OPENCL_LIBS])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([an OpenCL ICD loader is missing (Debian and Ubuntu: ocl-icd-opencl-dev; Fedora: ocl-icd-devel; Arch: ocl-icd)])])])
  CPPFLAGS=$clup_saved_CPPFLAGS
  LIBS=$clup_saved_LIBS
])

# CLUP_CHECK_LIBRARY(PREFIX, NAME, MODULE, LIBRARY, HEADER, BODY, MISSING)
# -----------------------------------------------------------------------
# Finds the library NAME, without which nothing is built; sets PREFIX_CFLAGS and PREFIX_LIBS, which the caller may preset, and PREFIX_REQUIRES, its MODULE
# for pkg-config, unless PREFIX_LIBS was preset. BODY, with HEADER, is what it must compile and link; MISSING says what to install.
AC_DEFUN([CLUP_CHECK_LIBRARY], [
  AC_ARG_VAR([$1_CFLAGS], [compiler flags for $2])
  AC_ARG_VAR([$1_LIBS], [linker flags for $2, -l$4 when not set])
  $1_REQUIRES=
  AS_IF([test -z "${$1_LIBS+set}"], [$1_LIBS=-l$4; $1_REQUIRES=$3])
  AC_SUBST([$1_REQUIRES])
  clup_saved_CPPFLAGS=$CPPFLAGS
  clup_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $$1_CFLAGS"
  LIBS="$$1_LIBS $LIBS"
  AC_MSG_CHECKING([for $2])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([$5], [$6])],
    [AC_MSG_RESULT([$$1_LIBS])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$7])])
  CPPFLAGS=$clup_saved_CPPFLAGS
  LIBS=$clup_saved_LIBS
])

# CLUP_CHECK_JANSSON
# ------------------
# jansson from 2.11 on, which reads and writes the tune database and says what errors are: JANSSON_CFLAGS, JANSSON_LIBS.
AC_DEFUN([CLUP_CHECK_JANSSON], [
  CLUP_CHECK_LIBRARY([JANSSON], [jansson], [jansson], [jansson], [[#include <jansson.h>]],
    [[json_error_t error; json_t *root = json_loads("[]", 0, &error); return root != NULL ? 0 : (int)json_error_code(&error);]],
    [jansson, a JSON library, is missing, or older than 2.11 (Debian and Ubuntu: libjansson-dev; Fedora: jansson-devel; Arch: jansson)])
])

# CLUP_CHECK_PNG
# --------------
# libpng, which reads and writes images: PNG_CFLAGS, PNG_LIBS.
AC_DEFUN([CLUP_CHECK_PNG], [
  CLUP_CHECK_LIBRARY([PNG], [libpng], [libpng], [png], [[#include <png.h>]],
    [[png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, 0, 0, 0); png_set_user_limits(png, 1, 1); png_destroy_read_struct(&png, 0, 0);]],
    [libpng is missing (Debian and Ubuntu: libpng-dev; Fedora: libpng-devel; Arch: libpng)])
])

# CLUP_CHECK_ZLIB
# ---------------
# zlib, which unpacks NumPy's archives: ZLIB_CFLAGS, ZLIB_LIBS.
AC_DEFUN([CLUP_CHECK_ZLIB], [
  CLUP_CHECK_LIBRARY([ZLIB], [zlib], [zlib], [z], [[#include <zlib.h>]],
    [[z_stream stream = {0}; return inflateInit2(&stream, -MAX_WBITS);]],
    [zlib is missing (Debian and Ubuntu: zlib1g-dev; Fedora: zlib-devel; Arch: zlib)])
])

# CLUP_CHECK_SHA256
# -----------------
# What computes SHA-256, OpenSSL's libcrypto or, with --with-sha256=libmd, libmd, which is much smaller: CRYPTO_CFLAGS, CRYPTO_LIBS.
AC_DEFUN([CLUP_CHECK_SHA256], [
  AC_ARG_WITH([sha256], [AS_HELP_STRING([--with-sha256=LIBRARY], [what computes SHA-256: libcrypto, of OpenSSL (as it is unless told), or libmd])],
    [], [with_sha256=libcrypto])
  AS_CASE([$with_sha256],
    [libcrypto], [
      CLUP_CHECK_LIBRARY([CRYPTO], [libcrypto], [libcrypto], [crypto], [[#include <openssl/sha.h>]],
        [[unsigned char hash[SHA256_DIGEST_LENGTH]; return SHA256((const unsigned char *)"", 0, hash) == 0;]],
        [libcrypto, of OpenSSL, is missing (Debian and Ubuntu: libssl-dev; Fedora: openssl-devel; Arch: openssl)])],
    [libmd], [
      CLUP_CHECK_LIBRARY([CRYPTO], [libmd], [libmd], [md], [[#include <sha2.h>]],
        [[SHA2_CTX state; unsigned char hash[SHA256_DIGEST_LENGTH]; SHA256Init(&state); SHA256Final(hash, &state); return 0;]],
        [libmd is missing (Debian and Ubuntu: libmd-dev; Fedora: libmd-devel; Arch: libmd)])
      AC_DEFINE([CLUP_SHA256_LIBMD], [1], [Define to 1 when libmd computes SHA-256.])],
    [AC_MSG_ERROR([--with-sha256=$with_sha256 is neither libcrypto nor libmd])])
])

# CLUP_CHECK_HDF5
# ---------------
# Finds HDF5, which reads and writes series, unless --without-hdf5 was given; sets HDF5_CFLAGS and HDF5_LIBS, which the caller may preset, HAVE_HDF5, and
# HDF5_REQUIRES, its module for pkg-config, unless either was preset or pkg-config does not know it. Its name for pkg-config, and the folder of its headers, differ between distributions.
AC_DEFUN([CLUP_CHECK_HDF5], [
  AC_ARG_WITH([hdf5], [AS_HELP_STRING([--without-hdf5], [leave out series in HDF5 files, of clup simulate --series])], [], [with_hdf5=check])
  AC_ARG_VAR([HDF5_CFLAGS], [compiler flags for HDF5, those of pkg-config when neither is set])
  AC_ARG_VAR([HDF5_LIBS], [linker flags for HDF5, -lhdf5 where pkg-config does not know it])
  clup_hdf5=no
  HDF5_REQUIRES=
  AS_IF([test "x$with_hdf5" != xno], [
    AC_CHECK_TOOL([CLUP_PKG_CONFIG], [pkg-config])
    clup_hdf5_modules="hdf5-serial hdf5"
    # what the caller presets is taken as it is
    AS_IF([test -n "$HDF5_CFLAGS$HDF5_LIBS" || test -z "$CLUP_PKG_CONFIG"], [clup_hdf5_modules=])
    AC_MSG_CHECKING([for HDF5])
    clup_saved_CPPFLAGS=$CPPFLAGS
    clup_saved_LIBS=$LIBS
    clup_preset_cflags=$HDF5_CFLAGS
    clup_preset_libs=$HDF5_LIBS
    for clup_module in $clup_hdf5_modules none; do
      AS_IF([test $clup_hdf5 = no], [
        AS_IF([test $clup_module = none],
          [HDF5_CFLAGS=$clup_preset_cflags HDF5_LIBS=${clup_preset_libs:--lhdf5}],
          [HDF5_CFLAGS=`$CLUP_PKG_CONFIG --cflags $clup_module 2> /dev/null`
           HDF5_LIBS=`$CLUP_PKG_CONFIG --libs $clup_module 2> /dev/null`])
        CPPFLAGS="$clup_saved_CPPFLAGS $HDF5_CFLAGS"
        LIBS="$HDF5_LIBS $clup_saved_LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
#if H5_VERS_MAJOR == 1 && H5_VERS_MINOR < 10
#error "too old"
#endif]], [[unsigned major, minor, release; H5get_libversion(&major, &minor, &release); return H5Fget_file_image(-1, 0, 0) < 0;]])],
          [clup_hdf5=yes
           AS_IF([test $clup_module != none], [HDF5_REQUIRES=$clup_module])])
      ])
    done
    CPPFLAGS=$clup_saved_CPPFLAGS
    LIBS=$clup_saved_LIBS
    AS_IF([test $clup_hdf5 = yes], [AC_MSG_RESULT([$HDF5_LIBS])
      AC_DEFINE([HAVE_HDF5], [1], [Define to 1 when series are read and written as HDF5.])], [AC_MSG_RESULT([no])])
    AS_IF([test $clup_hdf5 = no && test "x$with_hdf5" = xyes],
      [AC_MSG_ERROR([HDF5 from 1.10 on is missing (Debian and Ubuntu: libhdf5-dev; Fedora: hdf5-devel; Arch: hdf5)])])
  ])
  AS_IF([test $clup_hdf5 = no], [HDF5_CFLAGS= HDF5_LIBS=])
])

# CLUP_STATIC_LINK
# ----------------
# What a program needs besides libclup.a, for clup.pc and for CMake: sets CLUP_REQUIRES, modules of pkg-config; CLUP_LIBS_PRIVATE, the linker flags of what is no
# such module; and CLUP_STATIC_LIBS, the linker flags of all of it.
AC_DEFUN([CLUP_STATIC_LINK], [
  CLUP_REQUIRES= CLUP_LIBS_PRIVATE=$OPENCL_LIBS
  for clup_needed in JANSSON PNG ZLIB CRYPTO HDF5 TIFF JPEG; do
    eval "clup_module=\$${clup_needed}_REQUIRES clup_flags=\$${clup_needed}_LIBS"
    AS_IF([test -n "$clup_module"], [CLUP_REQUIRES="${CLUP_REQUIRES:+$CLUP_REQUIRES }$clup_module"],
      [test -n "$clup_flags"], [CLUP_LIBS_PRIVATE="$CLUP_LIBS_PRIVATE $clup_flags"])
  done
  CLUP_LIBS_PRIVATE="$CLUP_LIBS_PRIVATE $LIBS"
  AC_CHECK_TOOL([CLUP_PKG_CONFIG], [pkg-config])
  AS_IF([test -n "$CLUP_PKG_CONFIG" && clup_flags=`$CLUP_PKG_CONFIG --static --libs $CLUP_REQUIRES 2> /dev/null`],
    [CLUP_STATIC_LIBS="$clup_flags $CLUP_LIBS_PRIVATE"],
    [CLUP_STATIC_LIBS="$JANSSON_LIBS $PNG_LIBS $ZLIB_LIBS $CRYPTO_LIBS $HDF5_LIBS $TIFF_LIBS $JPEG_LIBS $OPENCL_LIBS $LIBS"])
  AC_SUBST([CLUP_REQUIRES])
  AC_SUBST([CLUP_LIBS_PRIVATE])
  AC_SUBST([CLUP_STATIC_LIBS])
])

# CLUP_CHECK_OPTIONAL(PREFIX, NAME, WITH, MODULE, LIBRARY, PROLOGUE, BODY, HELP, MISSING)
# --------------------------------------------------------------------------------------
# Finds the library NAME unless --without-WITH was given; sets PREFIX_CFLAGS and PREFIX_LIBS, which the caller may preset, HAVE_PREFIX, and PREFIX_REQUIRES, its
# MODULE for pkg-config, unless PREFIX_LIBS was preset. BODY, with PROLOGUE, is what it must compile and link; HELP says what is left out, MISSING what to install.
AC_DEFUN([CLUP_CHECK_OPTIONAL], [
  AC_ARG_WITH([$3], [AS_HELP_STRING([--without-$3], [$8])], [], [with_$3=check])
  AC_ARG_VAR([$1_CFLAGS], [compiler flags for $2])
  AC_ARG_VAR([$1_LIBS], [linker flags for $2, -l$5 when not set])
  $1_REQUIRES=
  clup_found=no
  AS_IF([test "x$with_$3" != xno], [
    AS_IF([test -z "${$1_LIBS+set}"], [$1_LIBS=-l$5; $1_REQUIRES=$4])
    clup_saved_CPPFLAGS=$CPPFLAGS
    clup_saved_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $$1_CFLAGS"
    LIBS="$$1_LIBS $LIBS"
    AC_MSG_CHECKING([for $2])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([$6], [$7])], [clup_found=yes])
    CPPFLAGS=$clup_saved_CPPFLAGS
    LIBS=$clup_saved_LIBS
    AS_IF([test $clup_found = yes], [AC_MSG_RESULT([$$1_LIBS])
      AC_DEFINE([HAVE_$1], [1], [Define to 1 when $2 reads images.])], [AC_MSG_RESULT([no])])
    AS_IF([test $clup_found = no && test "x$with_$3" = xyes], [AC_MSG_ERROR([$9])])
  ])
  AS_IF([test $clup_found = no], [$1_CFLAGS= $1_LIBS= $1_REQUIRES=])
  AC_SUBST([$1_REQUIRES])
])

# CLUP_CHECK_TIFF
# ---------------
# libtiff from 4.5 on, whose errors are told to who opens a file: TIFF_CFLAGS, TIFF_LIBS, HAVE_TIFF.
AC_DEFUN([CLUP_CHECK_TIFF], [
  CLUP_CHECK_OPTIONAL([TIFF], [libtiff], [tiff], [libtiff-4], [tiff], [[#include <tiffio.h>]],
    [[TIFFOpenOptions *options = TIFFOpenOptionsAlloc(); TIFFOpenOptionsSetMaxSingleMemAlloc(options, 1); TIFFOpenOptionsFree(options);]],
    [leave out the reading of TIFF files],
    [libtiff from 4.5 on is missing (Debian and Ubuntu: libtiff-dev; Fedora: libtiff-devel; Arch: libtiff)])
])

# CLUP_CHECK_JPEG
# ---------------
# libjpeg, of libjpeg-turbo or others: JPEG_CFLAGS, JPEG_LIBS, HAVE_JPEG.
AC_DEFUN([CLUP_CHECK_JPEG], [
  CLUP_CHECK_OPTIONAL([JPEG], [libjpeg], [jpeg], [libjpeg], [jpeg], [[#include <stdio.h>
#include <jpeglib.h>]],
    [[struct jpeg_error_mgr errors; return jpeg_std_error(&errors) == NULL;]],
    [leave out the reading of JPEG files],
    [libjpeg is missing (Debian: libjpeg62-turbo-dev; Ubuntu: libjpeg-dev; Fedora: libjpeg-turbo-devel; Arch: libjpeg-turbo)])
])

# CLUP_CHECK_MPI
# --------------
# With --with-mpi finds MPI, by pkg-config or by mpicc; sets MPI_CFLAGS and MPI_LIBS, which the caller may preset, and the conditional HAVE_MPI.
AC_DEFUN([CLUP_CHECK_MPI], [
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi], [build libclup_mpi and clup-mpi, for several processes])], [], [with_mpi=no])
  AC_ARG_VAR([MPI_CFLAGS], [compiler flags for MPI])
  AC_ARG_VAR([MPI_LIBS], [linker flags for MPI])
  clup_mpi=no
  AS_IF([test "x$with_mpi" != xno], [
    AS_IF([test -z "$MPI_LIBS"], [
      for clup_module in ompi-c ompi mpich; do
        AS_IF([test -z "$MPI_LIBS" && pkg-config --exists $clup_module 2> /dev/null],
          [MPI_CFLAGS=`pkg-config --cflags $clup_module` MPI_LIBS=`pkg-config --libs $clup_module`])
      done
      AS_IF([test -z "$MPI_LIBS" && mpicc --showme:link > /dev/null 2>&1],
        [MPI_CFLAGS=`mpicc --showme:compile` MPI_LIBS=`mpicc --showme:link`])
    ])
    AC_MSG_CHECKING([for MPI])
    clup_saved_CPPFLAGS=$CPPFLAGS
    clup_saved_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
    LIBS="$LIBS $MPI_LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Request request; return MPI_Ibarrier(MPI_COMM_WORLD, &request);]])], [clup_mpi=yes])
    CPPFLAGS=$clup_saved_CPPFLAGS
    LIBS=$clup_saved_LIBS
    AC_MSG_RESULT([$clup_mpi])
    AS_IF([test $clup_mpi = no],
      [AC_MSG_ERROR([MPI 3 is missing (Debian and Ubuntu: libopenmpi-dev and openmpi-bin; Fedora: openmpi-devel; Arch: openmpi); MPI_CFLAGS and MPI_LIBS say where else it is])])
  ])
  AM_CONDITIONAL([HAVE_MPI], [test $clup_mpi = yes])
])

# CLUP_CHECK_PYTHON
# -----------------
# Finds a Python with cffi and numpy, of python3 and the system's own, unless PYTHON says which; sets the conditional HAVE_PYTHON.
AC_DEFUN([CLUP_CHECK_PYTHON], [
  AC_ARG_VAR([PYTHON], [Python with cffi and numpy, for the package clup])
  AC_MSG_CHECKING([for Python with cffi and numpy])
  clup_python=no
  for clup_candidate in "$PYTHON" python3 /usr/bin/python3; do
    AS_IF([test "$clup_python" = no && "$clup_candidate" -c 'import cffi, numpy' > /dev/null 2>&1], [clup_python=$clup_candidate])
  done
  AC_MSG_RESULT([$clup_python])
  AS_IF([test "$clup_python" = no], [PYTHON=], [PYTHON=$clup_python])
  AM_CONDITIONAL([HAVE_PYTHON], [test -n "$PYTHON"])
])

# CLUP_CHECK_CLONES
# -----------------
# Defines CLUP_CLONES for functions that are compiled once more for processors with AVX2, which has no other roundings, and chosen when the program starts; nothing
# where the compiler and the C library cannot do that.
AC_DEFUN([CLUP_CHECK_CLONES], [
  AC_MSG_CHECKING([whether functions can be compiled for AVX2 as well])
  clup_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror"
  AC_LINK_IFELSE([AC_LANG_SOURCE([[__attribute__((target_clones("avx2", "default"))) double twice(double x) { return 2 * x; }
int main(int argc, char **argv) { (void)argv; return (int)twice(argc); }]])],
    [AC_MSG_RESULT([yes])
     AC_DEFINE([CLUP_CLONES], [__attribute__((target_clones("avx2", "default")))], [For functions that are compiled for several processors])],
    [AC_MSG_RESULT([no])
     AC_DEFINE([CLUP_CLONES], [])])
  CFLAGS=$clup_saved_CFLAGS
])

# CLUP_CHECK_ROUNDING
# -------------------
# Sets ROUNDING_CFLAGS, by which products and sums are rounded one by one. Compilers for processors that have an instruction for both, as all of ARM's with 64 bits,
# take it otherwise, and thresholds of random numbers might differ from those of other machines in the last bit.
AC_DEFUN([CLUP_CHECK_ROUNDING], [
  AC_MSG_CHECKING([whether $CC accepts -ffp-contract=off])
  clup_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror -ffp-contract=off"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); ROUNDING_CFLAGS=-ffp-contract=off], [AC_MSG_RESULT([no]); ROUNDING_CFLAGS=])
  CFLAGS=$clup_saved_CFLAGS
  AC_SUBST([ROUNDING_CFLAGS])
])

# CLUP_ARG_SANITIZERS
# -------------------
# --enable-asan and --enable-ubsan; sets SANITIZE_CFLAGS.
AC_DEFUN([CLUP_ARG_SANITIZERS], [
  AC_ARG_ENABLE([asan], [AS_HELP_STRING([--enable-asan], [build with AddressSanitizer])])
  AC_ARG_ENABLE([ubsan], [AS_HELP_STRING([--enable-ubsan], [build with UndefinedBehaviorSanitizer])])
  clup_sanitizers=
  AS_IF([test "x$enable_asan" = xyes], [clup_sanitizers="address"])
  AS_IF([test "x$enable_ubsan" = xyes], [clup_sanitizers="${clup_sanitizers:+$clup_sanitizers,}undefined"])
  AS_IF([test -n "$clup_sanitizers"],
    [SANITIZE_CFLAGS="-fsanitize=$clup_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AC_SUBST([SANITIZE_CFLAGS])
  AM_CONDITIONAL([SANITIZED], [test -n "$clup_sanitizers"])
])

# CLUP_ARG_WERROR
# ---------------
# --enable-werror; sets WARN_CFLAGS to the warnings that the compiler knows.
AC_DEFUN([CLUP_ARG_WERROR], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat warnings as errors])])
  WARN_CFLAGS=
  clup_saved_CFLAGS=$CFLAGS
  for clup_flag in -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wvla -fvisibility=hidden; do
    AC_MSG_CHECKING([whether $CC accepts $clup_flag])
    CFLAGS="$clup_saved_CFLAGS -Werror $clup_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
      [AC_MSG_RESULT([yes]); WARN_CFLAGS="$WARN_CFLAGS $clup_flag"], [AC_MSG_RESULT([no])])
  done
  CFLAGS=$clup_saved_CFLAGS
  # formats are those of POSIX, and not Microsoft's, for which the compiler takes them there
  AS_IF([test "$clup_windows" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Wno-format"])
  clup_warnings=shown
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"; clup_warnings=errors])
  AC_SUBST([WARN_CFLAGS])
])

# CLUP_RUN_PATH
# -------------
# Sets RUN_PATH_LDFLAGS, by which the program finds the library right after make install. libtool gives a program a run path where libdir
# is not in ld.so.conf; in a folder that is, such as /usr/local/lib, the loader finds a new library only after ldconfig. The system's own
# folders need no run path, and a distribution wants none.
AC_DEFUN([CLUP_RUN_PATH], [
  AS_CASE([$prefix], [NONE], [clup_prefix=$ac_default_prefix], [clup_prefix=$prefix])
  AS_CASE([$exec_prefix], [NONE], [clup_exec_prefix=$clup_prefix], [clup_exec_prefix=$exec_prefix])
  # libdir names exec_prefix, which names prefix
  clup_libdir=`prefix=$clup_prefix; eval "exec_prefix=$clup_exec_prefix"; eval "echo $libdir"`
  AS_CASE([$clup_libdir], [/lib*|/usr/lib*], [RUN_PATH_LDFLAGS=], [RUN_PATH_LDFLAGS='-R $(libdir)'])
  AC_SUBST([RUN_PATH_LDFLAGS])
])

# CLUP_CHECK_AMD
# --------------
# For the tests: a clang that compiles and links for AMD's GPUs with ROCm's device libraries, whose version must suit it; sets AMD_CLANG and
# AMD_LIBRARY, the libraries' folder, both of which the caller may preset, and empties AMD_CLANG where none does.
AC_DEFUN([CLUP_CHECK_AMD], [
  AC_ARG_VAR([AMD_CLANG], [clang that compiles for AMD's GPUs with the libraries in AMD_LIBRARY, for the tests])
  AC_ARG_VAR([AMD_LIBRARY], [folder of ROCm's device libraries, with ockl.bc, for the tests])
  AC_MSG_CHECKING([for clang and device libraries for AMD's GPUs])
  clup_clangs=${AMD_CLANG-"clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14"}
  clup_libraries=${AMD_LIBRARY-"`ls -d /usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode /usr/amdgcn/bitcode /opt/rocm*/amdgcn/bitcode 2> /dev/null`"}
  AMD_CLANG= AMD_LIBRARY=
  echo '__kernel void k(__global uint *x) { x[[get_global_id(0)]] = 1; }' > conftest.cl
  for clup_library in $clup_libraries; do
    for clup_clang in $clup_clangs; do
      AS_IF([test -z "$AMD_CLANG" && $clup_clang -x cl -target amdgcn-amd-amdhsa -mcpu=gfx90a --rocm-device-lib-path="$clup_library" -o conftest.co conftest.cl > /dev/null 2>&1],
        [AMD_CLANG=$clup_clang AMD_LIBRARY=$clup_library])
    done
  done
  rm -f conftest.cl conftest.co
  AC_MSG_RESULT([${AMD_CLANG:-no} $AMD_LIBRARY])
])
