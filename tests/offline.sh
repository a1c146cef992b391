#!/bin/sh
# Every kernel compiles for GPUs that are not here: with ocloc for Intel's of the oldest and the newest kind that it knows, with clang for AMD's.
. "$srcdir/tests/tap.sh"
need_tool "$OCLOC" "ocloc (intel-opencl-icd)"
need_tool "$AMD_CLANG" clang
cl=$srcdir/cl

# All that a file may be built with.
definitions() {
    tile="TILE_X=32u TILE_Y=8u TILE_Z=8u AXES=3u"
    [ "${3#LATTICE_CUBIC}" != "$3" ] || tile="TILE_X=16u TILE_Y=16u TILE_Z=1u AXES=2u"
    states="STATES=3u PLANES=2u"
    case $4 in
    pixels) states="STATES=2u PLANES=1u BLOCK=1u MATCH_EQUAL" ;;
    blocks)
        states="STATES=256u PLANES=8u BLOCK=2u EARLY MATCH_NONZERO"
        [ "$3" = LATTICE_CUBIC_26 ] || states="STATES=16u PLANES=4u BLOCK=2u EARLY MATCH_NONZERO" ;;
    esac
    for definition in $1 $2 LATTICE=$3 $states FIELD=32u $tile WORD_ITEMS=64 SITE_ITEMS=256 MEASURE_ITEMS=256 GROUP_ITEMS=256u GROUP_TILES=2u TABLE_BYTES=16384u PIXEL=uchar CHANNELS=3u; do
        printf -- '-D%s ' "$definition"
    done
}

cd "$scratch" || exit 1
for file in "$cl"/*.cl; do
    name=$(basename "$file" .cl)
    layouts="LAYOUT_WORD LAYOUT_CHAR"
    generators=RNG_PHILOX
    # kernels that draw with any generator work on one layout alone
    if grep -q generator_open "$file"; then
        layouts=LAYOUT_CHAR
        generators="RNG_PHILOX RNG_LCG RNG_FIBONACCI RNG_MWC"
    fi
    if grep -q runs.clh "$file"; then
        layouts=LAYOUT_WORD
    fi
    # those whose code depends on the lattice
    lattices=LATTICE_SQUARE
    case $name in
    source_fk | source_bond | source_site | source_image | local_runs | consolidate_union | consolidate_wraps | action_sizes | action_measure | measure_*)
        lattices="LATTICE_SQUARE LATTICE_CUBIC" ;;
    esac
    # those of images, whose sites are pixels or blocks of them
    sites=spins
    case $name in
    source_bytes | source_bits | *_bands) sites=pixels layouts=LAYOUT_WORD ;;
    source_image | source_foreground | local_runs_image | action_number_* | action_measure)
        sites="pixels blocks" layouts=LAYOUT_WORD lattices=LATTICE_SQUARE_8
        case $name in local_runs_image | *_border) ;; *) lattices="LATTICE_SQUARE_8 LATTICE_CUBIC_26" ;; esac ;;
    esac
    for kind in $(for layout in $layouts; do for generator in $generators; do for lattice in $lattices; do for site in $sites; do
        echo "$layout,$generator,$lattice,$site"; done; done; done; done); do
        # four words
        # shellcheck disable=SC2046
        options="-cl-std=CL1.2 $(definitions $(echo "$kind" | tr , ' '))"
        for device in skl dg2; do
            "$OCLOC" compile -q -file "$file" -device $device -output "$name" -options "$options -I $cl" > log 2>&1
            status=$?
            [ $status -eq 0 ] && ! grep -qi 'error' log
            ok $? "$name, $kind for Intel $device" || sed 's/^/# /' log
        done
        for cpu in gfx90a gfx1030; do
            "$AMD_CLANG" -x cl $options -I "$cl" -target amdgcn-amd-amdhsa -mcpu=$cpu -Xclang -finclude-default-header -nogpulib -O2 -S \
                -o "$name.s" "$file" > log 2>&1 && grep -q "^$name:" "$name.s"
            ok $? "$name, $kind for AMD $cpu"
            sed 's/^/# /' log
        done
    done
done
done_testing
