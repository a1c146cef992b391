#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the readers of images, of edges, or of job files in TOML, with libFuzzer and clang's sanitizers, from the files in tests/fuzz/corpus.
#
#   tests/fuzz.sh [SECONDS [FOLDER [image|edges|toml [EXTENSION]]]]
#                  runs for SECONDS (60); the program, the growing corpus and the findings go to FOLDER
#                  (build-fuzz). EXTENSION, such as tif, jpg, nii, npz or pam, starts from the files of
#                  the corpus that have it
#
# CC is clang; CFLAGS, PNG_LIBS, ZLIB_LIBS, TIFF_LIBS, JPEG_LIBS, JANSSON_LIBS and CRYPTO_LIBS are honoured. TIFF and JPEG are read where
# their headers are there.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1:-60}
out=${2:-build-fuzz}
what=${3:-image}
extension=${4:-}
: "${CC:=clang}" "${CFLAGS:=-O1 -g}" "${PNG_LIBS=-lpng}" "${ZLIB_LIBS=-lz}" "${TIFF_LIBS=-ltiff}" "${JPEG_LIBS=-ljpeg}" "${JANSSON_LIBS=-ljansson}" "${CRYPTO_LIBS=-lcrypto}"
readers=
for file in alpha deflate image input jpeg mapped nifti npy npz pam png pnm pixels raw tiff tiff_page tiff_read edges edges_npz edges_text zip; do readers="$readers $top/src/io/$file.c"; done
case $what in
    image) sources="$top/src/base/*.c $top/src/ocl/host_memory.c $readers" corpus=$top/tests/fuzz/corpus libraries="$PNG_LIBS $ZLIB_LIBS $JANSSON_LIBS $CRYPTO_LIBS" ;;
    edges) sources="$top/src/base/*.c $top/src/ocl/host_memory.c $readers" corpus=$top/tests/fuzz/edges libraries="$PNG_LIBS $ZLIB_LIBS $JANSSON_LIBS $CRYPTO_LIBS" ;;
    toml) sources="$top/src/base/*.c" corpus= libraries="$JANSSON_LIBS $CRYPTO_LIBS" ;;
    *)
        echo "fuzz.sh: '$what' is none of image, edges and toml" >&2
        exit 2
        ;;
esac
growing=$what$extension
mkdir -p "$out/$growing"
out=$(cd "$out" && pwd)
if [ -n "$extension" ]; then
    mkdir -p "$out/seeds$extension"
    cp "$corpus"/*".$extension" "$out/seeds$extension"
    corpus=$out/seeds$extension
fi

echo '#define PACKAGE_VERSION "fuzz"' > "$out/config.h"
# has NAME HEADER LIBRARY: uses an optional library where its header is there
has() {
    # flags are lists
    # shellcheck disable=SC2086
    if printf '#include <stdio.h>\n#include <%s>\n' "$2" | $CC $CFLAGS -E - > /dev/null 2>&1; then
        echo "#define HAVE_$1 1" >> "$out/config.h"
        libraries="$libraries $3"
    fi
}
if [ "$what" != toml ]; then
    has TIFF tiffio.h "$TIFF_LIBS"
    has JPEG jpeglib.h "$JPEG_LIBS"
fi
# the flags are lists
# shellcheck disable=SC2086
$CC -std=gnu11 $CFLAGS -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DCLUP_FUZZER -I"$out" -I"$top/include" -I"$top/src" -I"$top/cl" \
    -I"$top/tests" -o "$out/fuzz_$what" "$top/tests/fuzz/fuzz_$what.c" $sources $libraries -lm
cd "$out"
# shellcheck disable=SC2086
exec nice "$out/fuzz_$what" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -dict="$top/tests/fuzz/$what.dict" -artifact_prefix="$out/" "$out/$growing" $corpus
