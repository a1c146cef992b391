#!/bin/sh
# Fuzzes the readers of images with libFuzzer and clang's sanitizers, from the files in tests/fuzz/corpus.
#
#   tests/fuzz.sh [SECONDS [FOLDER]]   60 seconds; the program, the corpus that grows, and what is found go to FOLDER (build-fuzz)
#
# CC is clang; CFLAGS and PNG_LIBS are honoured.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1:-60}
out=${2:-build-fuzz}
mkdir -p "$out/corpus"
out=$(cd "$out" && pwd)
: "${CC:=clang}" "${CFLAGS:=-O1 -g}" "${PNG_LIBS=-lpng}"

echo '#define PACKAGE_VERSION "fuzz"' > "$out/config.h"
# the flags are lists
# shellcheck disable=SC2086
$CC -std=gnu11 $CFLAGS -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DCLUP_FUZZER -I"$out" -I"$top/include" -I"$top/src" \
    -I"$top/tests" -o "$out/fuzz_image" "$top/tests/fuzz/fuzz_image.c" "$top"/src/base/*.c "$top"/src/io/*.c $PNG_LIBS -lm
cd "$out"
exec nice "$out/fuzz_image" -max_total_time="$seconds" -max_len=2048 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -dict="$top/tests/fuzz/image.dict" -artifact_prefix="$out/" "$out/corpus" "$top/tests/fuzz/corpus"
