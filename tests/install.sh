#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which files make install installs and make uninstall removes, the symbols of the library, links in
# the pages, the commands in first-steps.md, programs outside of the tree that are built with
# pkg-config, and that clup runs directly after make install.
. "$srcdir/tests/tap.sh"
: "${MAKE:=make}" "${CC:=cc}"

# tests/mpi.sh copies what make install links anew; -o, since make takes an open file for its jobserver
lock=./clup-mpi
[ -e $lock ] || lock=./clup
flock -o $lock $MAKE -s install DESTDIR="$scratch/root" > "$scratch/log" 2>&1
ok $? "make install"
prefix=$(sed -n 's/^prefix *= *//p' Makefile | head -n 1)
tree=$(cd "$scratch/root$prefix" && find . -type f -o -type l | sed -n 's|^\./||p' | grep -v '^lib/libclup\(_mpi\)\{0,1\}\.' | LC_ALL=C sort)
# with MPI
mpi() { if [ -x ./clup-mpi ]; then printf '%s\nx' "$1"; else printf x; fi; }
program=$(mpi bin/clup-mpi)
header=$(mpi include/clup_mpi.h)
flags=$(mpi lib/pkgconfig/clup_mpi.pc)
is "$tree" "bin/clup
${program%x}include/clup.h
include/clup/analysis.h
include/clup/base.h
include/clup/batch.h
include/clup/checkpoint.h
include/clup/cluster.h
include/clup/contact.h
include/clup/device.h
include/clup/estimate.h
include/clup/graph.h
include/clup/image.h
include/clup/label.h
include/clup/observable.h
include/clup/percolation.h
include/clup/plan.h
include/clup/problem.h
include/clup/processes.h
include/clup/region.h
include/clup/scaling.h
include/clup/selftest.h
include/clup/series.h
include/clup/simulation.h
include/clup/tempering.h
include/clup/threshold.h
include/clup/tune.h
${header%x}lib/cmake/clup/clupConfig.cmake
lib/cmake/clup/clupConfigVersion.cmake
lib/pkgconfig/clup.pc
${flags%x}share/bash-completion/completions/clup
share/doc/clup/LICENSE
share/doc/clup/README.md
share/doc/clup/design/adding-a-kernel.md
share/doc/clup/design/compatibility.md
share/doc/clup/design/portability.md
share/doc/clup/design/releasing.md
share/doc/clup/design/roofline.json
share/doc/clup/design/roofline.md
share/doc/clup/design/roofline.png
share/doc/clup/design/speed.md
share/doc/clup/glossary.md
share/doc/clup/guide/analysis.md
share/doc/clup/guide/bench.md
share/doc/clup/guide/checkpoints.md
share/doc/clup/guide/examples/components.c
share/doc/clup/guide/examples/devices.c
share/doc/clup/guide/examples/exponents.sh
share/doc/clup/guide/examples/exponents.toml
share/doc/clup/guide/examples/frames.c
share/doc/clup/guide/examples/grains.py
share/doc/clup/guide/examples/ising.py
share/doc/clup/guide/examples/label.c
share/doc/clup/guide/examples/model.c
share/doc/clup/guide/examples/nuclei.py
share/doc/clup/guide/examples/percolation.c
share/doc/clup/guide/examples/simulation.c
share/doc/clup/guide/examples/split.py
share/doc/clup/guide/examples/temperatures.c
share/doc/clup/guide/examples/tour.ipynb
share/doc/clup/guide/examples/tracks.py
share/doc/clup/guide/first-steps.md
share/doc/clup/guide/graph.md
share/doc/clup/guide/install.md
share/doc/clup/guide/jobs.md
share/doc/clup/guide/label.md
share/doc/clup/guide/library.md
share/doc/clup/guide/models/ashkin-teller.toml
share/doc/clup/guide/models/blume-capel.toml
share/doc/clup/guide/models/clock-5.toml
share/doc/clup/guide/models/potts-field.toml
share/doc/clup/guide/percolate.md
share/doc/clup/guide/plans.md
share/doc/clup/guide/processes.md
share/doc/clup/guide/python.md
share/doc/clup/guide/read_series.py
share/doc/clup/guide/scale.md
share/doc/clup/guide/simulate.md
share/doc/clup/guide/tempering.md
share/doc/clup/guide/windows.md
share/doc/clup/labels.png
share/doc/clup/notebook/README.md
share/doc/clup/notebook/images.md
share/doc/clup/notebook/paper.md
share/doc/clup/notebook/percolation.md
share/doc/clup/notebook/processes.md
share/doc/clup/notebook/processors.md
share/doc/clup/notebook/small.md
share/doc/clup/notebook/sweeps.md
share/doc/clup/notebook/volumes.md
share/doc/clup/result.schema.json
share/doc/clup/results/README.md
share/doc/clup/results/long.md
share/doc/clup/spins.png
share/man/man1/clup.1
share/zsh/site-functions/_clup" "all is installed, and nothing else"
test -f "$scratch/root$prefix/lib/libclup.so"
ok $? "with the library"
is "$(nm -D --defined-only "$scratch/root$prefix/lib/libclup.so" | awk '{print $3}' | grep -v '^clup_')" "" "the library's symbols are clup_'s"
is "$(grep 'clup is ready' "$scratch/log")" "" "with DESTDIR nothing is said about the loader"

# broken_links FILE..: what a page links to and is not there
broken_links() {
    for page in "$@"; do
        grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '^https\{0,1\}:' | while read -r target; do
            [ -e "$(dirname "$page")/$target" ] || echo "$page: $target"
        done
    done
}
is "$(broken_links "$srcdir"/*.md "$srcdir"/doc/*.md "$srcdir"/doc/*/*.md)" "" "the pages' links lead somewhere"
is "$(broken_links "$scratch/root$prefix/share/doc/clup"/*.md "$scratch/root$prefix/share/doc/clup"/*/*.md)" "" "and where they are installed"
# but rows of tables, which cannot be broken
is "$(awk 'length($0) > 100 && !/^ *[|]/ {print FILENAME ": " FNR}' "$srcdir"/*.md "$srcdir"/doc/*.md "$srcdir"/doc/guide/*.md "$srcdir"/doc/design/*.md "$srcdir"/doc/notebook/*.md)" \
    "" "the pages have lines of up to 100 columns"
[ "$(wc -l < "$srcdir/README.md")" -lt 100 ]
ok $? "README.md has fewer than 100 lines"

mkdir "$scratch/programs"
first=$srcdir/doc/guide/first-steps.md
sed -n '/^    printf .P1/,/^$/p' "$first" | sed 's|build/clup|"$CLUP"|' > "$scratch/commands"
(cd "$scratch/programs" && . "$scratch/commands") > "$scratch/log"
is "$(cut -d, -f1-6 "$scratch/programs/components.csv")" "$(sed -n 's/^    \(label,.*\)/\1/p; s/^    \([0-9,]*\)$/\1/p' "$first")" "the first labelling of first-steps.md"
"$CLUP" simulate --size 256 --sweeps 1000 -q > "$scratch/out"
is "$(sed -n 's/^ *\(energy\|abs_m\|spins, sha256\)  */\1 /p' "$scratch/out")" "$(sed -n 's/^      \(energy\|abs_m\|spins, sha256\)  */\1 /p' "$first")" "its first simulation"
sed -n '/--save-spins spins.png/,/^$/p' "$first" | sed 's|build/clup|"$CLUP"|' > "$scratch/commands"
is "$(sed -n '/--save-spins spins.png/,/^$/p' "$srcdir/README.md")" "$(sed -n '/--save-spins spins.png/,/^$/p' "$first")" "README.md shows the same commands for its pictures"
(cd "$scratch/programs" && . "$scratch/commands") > "$scratch/log"
for name in spins labels; do
    is "$("$CLUP" label "$scratch/programs/$name.png" --match equal -q --json | sed 's/.*"labels_sha256":"\([0-9a-f]*\)".*/\1/')" \
        "$("$CLUP" label "$srcdir/doc/$name.png" --match equal -q --json | sed 's/.*"labels_sha256":"\([0-9a-f]*\)".*/\1/')" "doc/$name.png is what its commands draw"
done

# pkg-config's view of a system whose root is that folder
system_path=$(pkg-config --variable pc_path pkg-config)
PKG_CONFIG_SYSROOT_DIR="$scratch/root" PKG_CONFIG_LIBDIR="$scratch/root$prefix/lib/pkgconfig:$system_path"
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
cp "$scratch/root$prefix/share/doc/clup/guide/examples"/*.c "$scratch/programs"
sed -n '/^```c$/,/^```$/p' "$first" | sed '1d;$d' > "$scratch/programs/first.c"
# what the library was built with
sanitize=$(sed -n 's/^SANITIZE_CFLAGS *= *//p' Makefile)
# build NAME [FLAG..]
build() {
    name=$1
    shift
    # flags are a list
    # shellcheck disable=SC2046,SC2086
    (cd "$scratch/programs" && $CC -std=c99 $sanitize -Wall -Wextra -pedantic -Werror -o "$name" "$name.c" $(pkg-config --cflags --libs clup) "$@") > "$scratch/log" 2>&1
    ok $? "$name is built with pkg-config" || sed 's/^/# /' "$scratch/log"
}
# run NAME [VARIABLE=VALUE..]
run() {
    name=$1
    shift
    env LD_LIBRARY_PATH="$scratch/root$prefix/lib" "$@" "$scratch/programs/$name"
}
build first
is "$(run first)" "4 components" "the program of first-steps.md labels its picture"
build label -lOpenCL
is "$(run label)" "1 1 0 0 2 0 0 3
1 0 0 2 2 0 0 3
0 0 2 0 0 0 3 3
4 0 0 2 0 3 0 0
4 components
1: 3 pixels around (0.33, 0.33)
2: 5 pixels around (3.20, 1.40)
3: 5 pixels around (6.40, 1.60)
4: 1 pixels around (0.00, 3.00)" "label labels its picture and measures what is in it"
build frames -lOpenCL
is "$(run frames)" "frame 0: 0,0..1,1 6,2..7,3
frame 1: 1,0..2,1 6,0..7,0 5,3..6,3
frame 2: 2,1..4,2
6 components; the last of the first frame has the number 2, that of the second 3" "frames labels a film and measures what is in it"
build simulation
run simulation > "$scratch/out"
ok $? "simulation runs"
"$CLUP" simulate --size 64 --json > "$scratch/json"
is "$(sed -n 's/^spins, sha256  //p' "$scratch/out")" "$(sed 's/.*"spins_sha256":"\([0-9a-f]*\)".*/\1/' "$scratch/json")" "its spins are those of the program"
is "$(awk '/^energy/ {print $2}' "$scratch/out")" "$(sed 's/.*"energy":{"mean":\([^,]*\),.*/\1/' "$scratch/json" | awk '{printf "%.5f\n", $1}')" "and its energy"
is "$(awk '/^energy/ {print $6}' "$scratch/out")" "-1.71197" "the exact energy is Kaufman's"
build temperatures
"$CLUP" simulate --size 64 --betas 0.84,0.88,0.92 --observables wrap_one --json > "$scratch/json"
means() {
    grep -o "\"$1\":{\"mean\":[^,]*" "$scratch/json" | sed 's/.*://' | awk '{printf "%.5f\n", $1}'
}
is "$(LD_LIBRARY_PATH="$scratch/root$prefix/lib" "$scratch/programs/temperatures" wrap_one | awk '{print $4, $8}')" "$(means energy > "$scratch/energies"; means wrap_one | paste -d ' ' "$scratch/energies" -)" "temperatures finds what the program finds, and an observable by its name"
is "$(LD_LIBRARY_PATH="$scratch/root$prefix/lib" "$scratch/programs/temperatures" magic 2>&1)" "temperatures: there is no observable 'magic'" "or says that there is none"
build model
is "$(run model | sed 's/ .*//; 1q')" "states" "a model of one's own is simulated"
for name in ashkin-teller blume-capel; do
    LD_LIBRARY_PATH="$scratch/root$prefix/lib" "$scratch/programs/model" "$scratch/root$prefix/share/doc/clup/guide/models/$name.toml" > "$scratch/out"
    "$CLUP" simulate --model "$scratch/root$prefix/share/doc/clup/guide/models/$name.toml" --size 64 --beta 0.55 --heat-bath 1 --json > "$scratch/json"
    is "$(awk '/^energy/ {print $2}' "$scratch/out")" "$(means energy)" "and that of $name has the energy of the program's"
done
build percolation
run percolation | tr -d , > "$scratch/out"
"$CLUP" percolate --size 64 --json > "$scratch/json"
wanted=$(for name in wrap_x wrap_either wrap_both; do
    sed "s/.*\"$name\":{\"mean\":\([^,]*\),\"error\":\([^,]*\),.*/\1 \2/" "$scratch/json" | awk -v name=$name '{printf "%s %.8f %.8f\n", name, $1, $2}'
done)
is "$(awk '/^wrap/ {print $1, $2, $4}' "$scratch/out")" "$wanted" "percolation finds what the program finds"
build devices
is "$(run devices | sed -n 's/^\* \([0-9:]*\) .*/\1/p')" "$("$CLUP" devices --json | sed 's/.*{"selector":"\([0-9:]*\)","default":true.*/\1/')" "devices chooses the program's device"
for name in simulation temperatures percolation devices; do
    is "$(run $name CLUP_DEVICE=nosuch 2>&1 > "$scratch/out" | grep -c "^$name: .*nosuch") $(cat "$scratch/out")" "1 " "$name says which device is not there"
done
run label OCL_ICD_VENDORS="$scratch" > "$scratch/out" 2>&1
is "$? $(cat "$scratch/out")" "1 label: no device: OpenCL error -1001" "label says that there is none"

$MAKE -s uninstall DESTDIR="$scratch/root" > "$scratch/log" 2>&1
is "$? $(find "$scratch/root" -type f -o -type l)" "0 " "make uninstall takes all away"

# The run path follows from the prefix: configured anew for others, with the objects that there are
unset PKG_CONFIG_SYSROOT_DIR
mkdir "$scratch/source" "$scratch/build"
(cd "$srcdir" && tar -cf - --mode=u+w --exclude=config.status aclocal.m4 config.h.in configure configure.ac Makefile.am Makefile.in m4 src include cl doc tests/tests.am README.md LICENSE) |
    tar -xf - -C "$scratch/source"
tar -cf - --mode=u+w --exclude='*.Plo' --exclude='*.Po' config.h src .libs libclupcore.la | tar -xf - -C "$scratch/build"
eval "set -- $(./config.status --config)"
# install_in PREFIX [DESTDIR]
install_in() {
    rm -rf "$scratch/build/clup" "$scratch/build"/clup-mpi "$scratch/build"/.libs/clup "$scratch/build"/.libs/clup-mpi "$scratch/build"/.libs/libclup.* "$scratch/build"/.libs/libclup_mpi.* "$scratch/build"/libclup.la "$scratch/build"/libclup_mpi.la "$scratch/build"/completion
    $MAKE -s -C "$scratch/build" install DESTDIR="$2" > "$scratch/log" 2>&1
    ok $? "make install in $1" || sed 's/^/# /' "$scratch/log"
}
run_path() { readelf -d "$1" | sed -n 's/.*\(RUNPATH\|RPATH\).*\[\(.*\)\]/\2/p'; }
for place in "$scratch/local" /usr/local /usr; do
    (cd "$scratch/build" && "$scratch/source/configure" -q "$@" --srcdir="$scratch/source" --cache-file="$scratch/cache" --prefix="$place" \
        --exec-prefix="$place" --bindir="$place/bin" --libdir="$place/lib") > "$scratch/log" 2>&1
    ok $? "configure --prefix=$place" || sed 's/^/# /' "$scratch/log"
    if [ "$place" = "$scratch/local" ]; then
        install_in "$place" ""
        is "$(unset LD_LIBRARY_PATH; "$place/bin/clup" --version)" "$("$CLUP" --version)" "clup runs there at once"
        is "$(grep -c -- "clup is ready.*-Wl,-rpath,$place/lib:" "$scratch/log")" "1" "how to link programs of one's own is said"
        PKG_CONFIG_LIBDIR="$place/lib/pkgconfig:$system_path"
        build first "-Wl,-rpath,$place/lib"
        is "$(unset LD_LIBRARY_PATH; "$scratch/programs/first")" "4 components" "and does it"
        LD_LIBRARY_PATH="$place/lib" $MAKE -s -C "$scratch/build" install-data > "$scratch/log" 2>&1
        is "$? $(grep 'clup is ready' "$scratch/log")" "0 " "not where the loader looks there"
    else
        install_in "$place" "$scratch/elsewhere"
        [ "$place" = /usr/local ] && wanted=/usr/local/lib || wanted=
        is "$(run_path "$scratch/elsewhere$place/bin/clup")" "$wanted" "the run path under $place"
    fi
done
done_testing
