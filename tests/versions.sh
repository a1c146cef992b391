#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One version everywhere: what configure.ac says is what the manual, NEWS, the citation, the records for
# archives and the recipes of packages say. Recipes need the libraries that configure needs.
. "$srcdir/tests/tap.sh"
version=$(sed -n 's/^AC_INIT(\[clup\], \[\([0-9.]*\)\].*/\1/p' "$srcdir/configure.ac")
cd "$srcdir" || exit 1
is "$(expr "$version" : '[0-9]*\.[0-9]*\.[0-9]*$' | sed 's/^[1-9].*/three numbers/')" "three numbers" "configure.ac has a version: $version"
# says FILE SCRIPT: what sed finds in a file, which must be the version
says() { is "$(sed -n "$2" "$1" | head -n 1)" "$version" "$1"; }
says doc/clup.1 's/^\.TH CLUP 1 "[0-9]*" "clup \([0-9.]*\)".*/\1/p'
says NEWS 's/^clup \([0-9.]*\)$/\1/p'
says CITATION.cff 's/^version: //p'
says .zenodo.json 's/^  "version": "\(.*\)",$/\1/p'
says packaging/conda/recipe/recipe.yaml 's/^  version: "\(.*\)"$/\1/p'
says packaging/spack/spack_repo/clup/packages/clup/package.py 's/^    version("\([0-9.]*\)".*/\1/p'
says packaging/guix/clup.scm 's/^  (version "\(.*\)")$/\1/p'
says packaging/nix/package.nix 's/^  version = "\(.*\)";$/\1/p'
# what the archive of a release does not have
[ ! -e debian/changelog ] || says debian/changelog '1s/^clup (\([0-9.]*\)-.*/\1/p'
is "$(sed -n 's/^| \([0-9.]*\) | yes |$/\1/p' SECURITY.md | head -n 1)" "${version%.*}" "SECURITY.md"

# needs FILE: which libraries a recipe does not name
needs() {
    for library in hdf5 jansson jpeg png tiff 'ocl.icd' 'opencl.headers' 'zlib'; do
        grep -q "$library" "$1" || echo "$1: no $library"
    done
}
is "$(for recipe in packaging/conda/recipe/recipe.yaml packaging/spack/spack_repo/clup/packages/clup/package.py packaging/guix/clup.scm packaging/nix/package.nix \
    packaging/container/Containerfile packaging/container/clup.def; do needs $recipe; done)" "" "each recipe names the libraries that configure looks for"
sed '/jansson/d' packaging/nix/package.nix > "$scratch/package.nix"
is "$(needs "$scratch/package.nix")" "$scratch/package.nix: no jansson" "and one that does not is found"
done_testing
