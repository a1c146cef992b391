#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds clup for conda, with the variables that conda-build and rattler-build set.
set -euo pipefail

./configure --prefix="$PREFIX" PYTHON="$PYTHON"
make -j "${CPU_COUNT:-1}"
make install
rm -f "$PREFIX/lib/libclup.la"

# the Python package loads a library that is beside it: a link to the one in lib
name=$(sed -n "s/^dlname='\(.*\)'/\1/p" libclup.la)
cp -R python/clup "$SP_DIR"
rm -rf "$SP_DIR/clup/__pycache__"
ln -s "../../../$name" "$SP_DIR/clup/$name"
mkdir -p "$SP_DIR/clup-$PKG_VERSION.dist-info"
printf 'Metadata-Version: 2.1\nName: clup\nVersion: %s\nRequires-Dist: numpy\nRequires-Dist: cffi\n' "$PKG_VERSION" > "$SP_DIR/clup-$PKG_VERSION.dist-info/METADATA"
echo conda > "$SP_DIR/clup-$PKG_VERSION.dist-info/INSTALLER"
