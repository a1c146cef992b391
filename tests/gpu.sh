#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds clup with only a C compiler, awk, jansson, OpenSSL and an OpenCL loader, and runs on one
# device: the identity contract, the labels, the exact values, every kernel with poisoned memory,
# pictures, and the time of a sweep. For machines with a GPU and few tools; without libpng, PNG
# files are refused.
#
#   tests/gpu.sh [FOLDER]   results and objects go to FOLDER (build-gpu)
#
# CLUP_DEVICE names the device (gpu). CC, CFLAGS, CPPFLAGS, LDFLAGS, LIBS, JANSSON_LIBS, CRYPTO_LIBS,
# PNG_LIBS and ZLIB_LIBS are honoured. TESTS lists the tests to run; POISON the bytes of CLUP_POISON with
# which clup selftest runs; SIZES the lattices to time, separated by commas.
#
# PICTURES is the number of pictures (0), of up to LARGEST (8192) pixels a side, to label. As many
# processes label them as there are processors, at most 16; a third of the processes have poisoned
# memory: see tests/t_pictures.c. PHOTOGRAPHS lists files with gray pixels of 8 bits to use as
# pictures, such as those of scikit-image's package: PHOTOGRAPHS=$(ls folder/*.pgm)
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-build-gpu}
mkdir -p "$out/obj" "$out/cache"
out=$(cd "$out" && pwd)
: "${CC:=cc}" "${CFLAGS:=-O2}" "${CPPFLAGS:=}" "${LDFLAGS:=}" "${LIBS:=}" "${CLUP_DEVICE:=gpu}" "${TESTS=t_source t_identity t_exact t_methods t_labels}"
: "${JANSSON_LIBS=-ljansson}" "${CRYPTO_LIBS=-lcrypto}" "${PNG_LIBS=-lpng}" "${ZLIB_LIBS=-lz}"
: "${SIZES=512,2048,8192}" "${POISON=0x33 0xFF 0}" "${PICTURES:=0}" "${LARGEST:=8192}" "${PHOTOGRAPHS:=}"
export CLUP_DEVICE CLUP_CACHE_DIR="$out/cache" srcdir="$top"

# The NVIDIA driver without its entry for the loader
if [ ! -e /etc/OpenCL/vendors/nvidia.icd ] && ldconfig -p 2>/dev/null | grep -q libnvidia-opencl.so.1; then
    mkdir -p "$out/vendors"
    cp /etc/OpenCL/vendors/*.icd "$out/vendors" 2>/dev/null || true
    echo libnvidia-opencl.so.1 > "$out/vendors/nvidia.icd"
    export OCL_ICD_VENDORS="$out/vendors"
fi

version=$(sed -n 's/^AC_INIT(\[clup\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
# what configure finds out, without what is optional
printf '#define PACKAGE_VERSION "%s"\n#define CLUP_CLONES\n' "$version" > "$out/config.h"
LC_ALL=C awk -f "$top/m4/embed.awk" "$top"/cl/*/*.cl "$top"/cl/*/*.clh "$top/src/plan/shipped.json" > "$out/embedded.c"
flags="-std=gnu11 -D_GNU_SOURCE $CFLAGS $CPPFLAGS -I$out -I$top/include -I$top/src -I$top/cl"
export XDG_DATA_HOME="$out/data"
sources=$(ls "$top"/src/*/*.c "$top"/src/*/*/*.c "$top"/tests/t_*.c "$out/embedded.c" | grep -v /src/mpi/)
# shellcheck disable=SC2086
if ! echo '#include <png.h>' | $CC $flags -E - > /dev/null 2>&1; then
    PNG_LIBS=
    cat > "$out/no_png.c" << 'end'
#include "io/image.h"
int clup_png_is(const clup_input *input) { return input->bytes[0] == 0x89; }
clup_status clup_png_decode(clup_input *input, const clup_image_options *options, clup_image *image) { (void)options; (void)image; return clup_input_fail(input, "this build reads no PNG"); }
clup_status clup_png_encode(const clup_image *image, clup_text *file) { (void)image; (void)file; return clup_fail(CLUP_ERROR_USAGE, "this build writes no PNG"); }
end
    sources=$(echo "$sources" | grep -v '/src/io/png\.c$'; echo "$out/no_png.c")
fi
# shellcheck disable=SC2086
if ! echo '#include <zlib.h>' | $CC $flags -E - > /dev/null 2>&1; then
    ZLIB_LIBS=
    cat > "$out/no_zip.c" << 'end'
#include "io/zip.h"
#include "io/deflate.h"
bool clup_zip_is(const clup_input *input) { (void)input; return false; }
clup_status clup_zip_list(const clup_input *archive, const char *extension, clup_text *names, size_t *count) { (void)extension; (void)names; *count = 0; return clup_input_fail(archive, "this build reads no archives"); }
int clup_gzip_is(const clup_input *input) { (void)input; return 0; }
clup_status clup_gzip_open(clup_input *input) { return clup_input_fail(input, "this build reads no gzip"); }
size_t clup_zlib_most(size_t bytes) { return bytes; }
clup_status clup_zlib_pack(const void *from, size_t bytes, void *to, size_t *packed) { (void)from; (void)bytes; (void)to; *packed = 0; return clup_fail(CLUP_ERROR_USAGE, "this build packs nothing"); }
clup_status clup_zip_take(const clup_input *archive, const char *name, uint8_t **bytes, size_t *size) { (void)name; (void)size; *bytes = NULL; return clup_input_fail(archive, "this build reads no archives"); }
end
    sources=$(echo "$sources" | grep -v '/src/io/\(zip\|deflate\)\.c$'; echo "$out/no_zip.c")
fi
for file in $sources; do
    echo "$file" "$out/obj/$(echo "${file#"$top/"}" | sed 's|^src/||; s|^/.*/||; s|\.c$||' | tr / _).o"
done | xargs -P "$(nproc)" -n 2 sh -c "$CC $flags -c \"\$0\" -o \"\$1\""
core=$(ls "$out"/obj/*.o | grep -v -e /cli_ -e /tests_)
# $core and the flags are lists
# shellcheck disable=SC2086
$CC $CFLAGS $LDFLAGS -o "$out/clup" "$out"/obj/cli_*.o $core $LIBS -lOpenCL $JANSSON_LIBS $CRYPTO_LIBS $PNG_LIBS $ZLIB_LIBS -lm
failed=0
# link TEST; told NAME LOG...: what failed, and how many
link() {
    # shellcheck disable=SC2086
    $CC $CFLAGS $LDFLAGS -o "$out/$1" "$out/obj/tests_$1.o" $core $LIBS -lOpenCL $JANSSON_LIBS $CRYPTO_LIBS $PNG_LIBS $ZLIB_LIBS -lm
}
told() {
    name=$1
    shift
    sed -n '1{/^#/p}; /^not ok/p; /^Bail/p' "$@"
    echo "$name: $(cat "$@" | grep -c '^ok') passed, $(cat "$@" | grep -c '^not ok') failed"
}
for test in $TESTS; do
    link "$test"
    (cd "$out" && "./$test" > "$test.log") || failed=1
    told "$test" "$out/$test.log"
done

for byte in $POISON; do
    echo "CLUP_POISON=$byte clup selftest"
    CLUP_POISON=$byte "$out/clup" selftest -q || failed=1
done

if [ "$PICTURES" -gt 0 ]; then
    link t_pictures
    processes=$(nproc)
    [ "$processes" -le 16 ] || processes=16
    each=$(((PICTURES + processes - 1) / processes))
    rm -f "$out"/t_pictures.*.log
    for process in $(seq "$processes"); do
        poison=
        [ $((process % 3)) -ne 0 ] || poison=0x33
        # shellcheck disable=SC2086 # a list of files
        CLUP_POISON=$poison "$out/t_pictures" "$each" "$LARGEST" "$process" $PHOTOGRAPHS > "$out/t_pictures.$process.log" 2>&1 &
    done
    wait
    told t_pictures "$out"/t_pictures.*.log
    [ "$(cat "$out"/t_pictures.*.log | grep -c '^ok')" -ge "$PICTURES" ] || failed=1
fi

[ -z "$SIZES" ] || "$out/clup" bench --sizes "$SIZES"
exit $failed
