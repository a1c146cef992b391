#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup label as a user meets it: tiny images whose labels are known by hand, files and pipes, exit codes and messages.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1

# fails CODE TEXT ARGUMENT...: exit code, one line on stderr that has TEXT, nothing on stdout, no files
fails() {
    code=$1
    text=$2
    shift 2
    mkdir -p made
    "$CLUP" label "$@" > out 2> err < /dev/null
    is $? "$code" "clup label $* exits with $code"
    grep -qF -- "$text" err
    ok $? "and says '$text': $(cat err)"
    is "$(wc -l < err) $(wc -c < out | tr -d ' ') $(ls made | wc -l | tr -d ' ')" "1 0 0" "in one line, and makes nothing"
}

# bytes OCTAL...: numbers as bytes; sha WORD...: the hash of numbers below 256 in 32 bits
bytes() { for byte in "$@"; do printf "\\$(printf %03o "$byte")"; done; }
sha() { for word in "$@"; do bytes "$word" 0 0 0; done | sha256sum | cut -d' ' -f1; }
# value KEY FILE: a number or a text of JSON
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }
# labels TEXT COMPONENTS LARGEST LABEL... -- ARGUMENT...
labels() {
    what=$1 components=$2 largest=$3
    shift 3
    wanted=
    while [ "$1" != -- ]; do
        wanted="$wanted $1"
        shift
    done
    shift
    "$CLUP" label -q --json "$@" > out 2> err
    # shellcheck disable=SC2086
    is "$? $(value components out) $(value largest out) $(value labels_sha256 out) $(wc -c < err | tr -d ' ')" "0 $components $largest $(sha $wanted) 0" "$what"
}

# 3 0 3 3
# 0 3 0 0
# 7 7 0 3
printf 'P5\n4 3\n255\n' > gray.pgm
bytes 3 0 3 3 0 3 0 0 7 7 0 3 >> gray.pgm
labels "foreground, 4 neighbours" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- gray.pgm
gzip -c gray.pgm > gray.pgm.gz
labels "a packed file" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- gray.pgm.gz
"$CLUP" label gray.pgm -q -o labels.tif --overlay overlay.png > out 2> err
is "$? $(wc -c < err | tr -d ' ') $(dd if=overlay.png bs=1 skip=1 count=3 2> /dev/null)" "0 0 PNG" "a TIFF of labels, and the image with boundaries"
"$CLUP" label - -q --json --match equal < labels.tif > out 2> err
if grep -q "built without libtiff" err; then
    ok 0 "a TIFF is not read: $(cat err)"
else
    is "$(value components out) $(value labels_sha256 out)" "4 $(sha 1 0 2 2 0 3 0 0 3 3 0 4)" "labels are read back"
    cat < labels.tif | "$CLUP" label - -q --json --match equal > piped 2> err
    is "$(value labels_sha256 piped)" "$(value labels_sha256 out)" "from a pipe, too"
    "$CLUP" label labels.tif -q --json --page 2 > out 2> err
    is "$? $(cat err)" "1 clup: run-time error: labels.tif: there is no page 2, of 1" "one page, which is not there"
fi
labels "8 neighbours" 2 6 1 0 1 1 0 1 0 0 1 1 0 2 -- gray.pgm --connectivity 8
labels "equal values, 0 the background" 5 2 1 0 2 2 0 3 0 0 4 4 0 5 -- gray.pgm --match equal
labels "with 8 neighbours" 3 4 1 0 1 1 0 1 0 0 2 2 0 3 -- --connectivity 8 gray.pgm --match equal
labels "equal values without a background" 8 3 1 2 3 3 4 5 6 6 7 7 6 8 -- gray.pgm --match equal --background none
labels "another background" 4 3 0 1 0 0 2 0 3 3 4 4 3 0 -- gray.pgm --match equal --background 3
labels "values 4 apart, 0 the background" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- gray.pgm --match tolerance=4
labels "values 3 apart" 2 10 1 1 1 1 1 1 1 1 2 2 1 1 -- gray.pgm --match tolerance=3 --background none
labels "above 3" 1 2 0 0 0 0 0 0 0 0 1 1 0 0 -- gray.pgm --match threshold=3
labels "above 2.5" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- gray.pgm --match threshold=2.5
labels "bits are bonds" 3 8 1 1 2 2 1 2 2 2 2 2 2 3 -- gray.pgm --match bonds
printf 'P1\n5 4\n11110\n10011\n11101\n10111\n' > holes.pbm
labels "holes are filled" 1 18 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 0 1 1 1 -- holes.pbm --fill-holes
labels "holes of one pixel" 1 16 1 1 1 1 0 1 0 0 1 1 1 1 1 1 1 1 0 1 1 1 -- holes.pbm --fill-holes=1
labels "x periodic" 2 4 1 0 1 1 0 2 0 0 2 2 0 2 -- gray.pgm --periodic x
labels "y periodic" 2 4 1 0 2 2 0 1 0 0 1 1 0 2 -- gray.pgm --periodic y
labels "x and y periodic" 1 7 1 0 1 1 0 1 0 0 1 1 0 1 -- gray.pgm --periodic y,x
labels "two pixels or more" 2 3 0 0 1 1 0 2 0 0 2 2 0 0 -- gray.pgm --min-size 2
labels "two pixels or fewer" 2 2 0 0 0 0 0 0 0 0 1 1 0 2 -- gray.pgm --max-size 2 --match equal --connectivity 8
labels "the two largest" 2 3 0 0 1 1 0 2 0 0 2 2 0 0 -- gray.pgm --largest 2
labels "of equal ones the first" 3 3 1 0 2 2 0 3 0 0 3 3 0 0 -- gray.pgm --largest 3
labels "none at the border" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -- gray.pgm --clear-border
labels "four pixels or more" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -- gray.pgm --min-size 4

# npy TYPE SHAPE: a header of NumPy's
npy() {
    header="{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
    printf '\223NUMPY\001\000'
    bytes $((${#header} + 1)) 0
    echo "$header"
}
{ npy '|u1' '2, 2, 2' && bytes 9 0 0 0 0 0 0 9; } > corners.npy
labels "opposite corners of a cube are no neighbours of 6" 2 1 1 0 0 0 0 0 0 2 -- corners.npy
labels "nor of 18" 2 1 1 0 0 0 0 0 0 2 -- corners.npy --connectivity 18
labels "but of 26" 1 2 1 0 0 0 0 0 0 1 -- corners.npy --connectivity 26
{ npy '|u1' '2, 2, 2' && bytes 1 0 0 1 0 1 1 0; } > cube.npy
labels "every other site of a cube has no neighbour of 6" 4 1 1 0 0 2 0 3 4 0 -- cube.npy --connectivity 6
labels "they are all neighbours of 18" 1 4 1 0 0 1 0 1 1 0 -- cube.npy --connectivity 18
bytes 1 0 1 > column
labels "the ends of a column" 2 1 1 0 2 -- column --shape 1x1x3 --dtype u8
labels "meet where z is periodic" 1 2 1 0 1 -- column --shape 1x1x3 --dtype u8 --periodic z
labels "not where x and y are" 2 1 1 0 2 -- column --shape 1x1x3 --dtype u8 --periodic x,y

bytes 1 0 0 0 0 1 > words
labels "raw words, the last byte first" 2 1 1 0 2 -- words --shape 3x1 --dtype u16 --match threshold=0
labels "or last" 1 1 1 0 0 -- words --shape 3x1 --dtype u16be --match threshold=1
bytes 255 254 128 > signed
labels "signed values" 1 1 1 0 0 -- signed --shape 3x1 --dtype i8 --match threshold=-2
bytes 0 0 0 128 0 0 0 63 0 0 64 191 > floats
labels "-0, 0.5 and -0.75 as floats" 1 2 0 1 1 -- floats --shape 3x1 --dtype f32
labels "0.5 apart" 2 2 1 1 2 -- floats --shape 3x1 --dtype f32 --match tolerance=0.5 --background none
bytes 0 0 192 127 0 0 128 63 0 0 0 64 > nans
labels "a NaN is not 0" 1 3 1 1 1 -- nans --shape 3x1 --dtype f32
labels "nor above a level" 1 2 0 1 1 -- nans --shape 3x1 --dtype f32 --match threshold=0
labels "it equals nothing" 3 1 1 2 3 -- nans --shape 3x1 --dtype f32 --match equal
labels "and may be the background" 2 1 0 1 2 -- nans --shape 3x1 --dtype f32 --match equal --background nan
labels "of values that are near as well" 1 2 0 1 1 -- nans --shape 3x1 --dtype f32 --match tolerance=1 --background NaN
"$CLUP" label nans --shape 3x1 --dtype f32 --match equal --background nan --json > out
grep -qF '"background":[null]' out
ok $? "JSON has null for it"
printf '%s' iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAMAAAAsPuSGAAAABlBMVEX///8AAABVwtN+AAAADElEQVR42mNgZGAEAAAIAAMwJT9dAAAAAElFTkSuQmCC | base64 -d > palette.png
labels "colours of a palette" 1 1 0 1 0 -- palette.png --match equal --background 0
labels "or their numbers" 2 1 1 0 2 -- palette.png --palette
printf '%s' iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAQAAACx6dw/AAAAD0lEQVR42mPg/M/JwPofAAZlAhaBbG6hAAAAAElFTkSuQmCC | base64 -d > grays.png
labels "gray with alpha" 3 1 1 2 3 -- grays.png --match equal
labels "which is a channel of its own" 2 1 1 0 2 -- grays.png --match equal --background 9,9,9,0
{ npy '|u1' '4,' && bytes 1 1 0 2; } > row.npy
"$CLUP" label row.npy -o row_labels.npy -q > out 2> err
is "$? $(head -c 128 row_labels.npy | tr -dc '(),0-9' | sed 's/.*\((.*)\).*/\1/') $(tail -c 4 row_labels.npy | od -An -tu1 | tr -d " ")" "0 (4,) 1102" "labels of one axis have one"
printf 'P6 3 1 255\n\001\000\000\001\000\000\000\001\000' > colours.ppm
labels "colours are foreground" 1 3 1 1 1 -- colours.ppm
labels "and differ" 2 2 1 1 2 -- colours.ppm --match equal
labels "one is the background" 1 1 0 0 1 -- colours.ppm --match equal --background 1,0,0
labels "1 in all channels is none of them" 2 2 1 1 2 -- colours.ppm --match equal --background 1
{ npy '|u1' '1, 2, 4' && bytes 0 0 0 9 5 0 0 0; } > alpha.npy
labels "alpha makes no foreground" 1 1 0 1 -- alpha.npy --channels-last
labels "but equal pixels have the same" 2 1 1 2 -- alpha.npy --channels-last --match equal
labels "and a background" 1 1 0 1 -- alpha.npy --channels-last --match equal --background 0,0,0,9
labels "without channels that is a volume" 2 1 0 0 0 1 2 0 0 0 -- alpha.npy

# pipes and files
"$CLUP" label gray.pgm -o labels.npy > out 2> err
is "$? $(wc -c < err | tr -d ' ')" "0 0" "a file of labels"
grep -q '^  components *4$' out && grep -q '^  largest *3 pixels, 25 %' out && grep -q '4 x 3, u8; 4 neighbours; match nonzero' out
ok $? "and a table"
is "$(wc -c < labels.npy | tr -d ' ') $(tail -c 12 labels.npy | od -An -tu1 | tr -d '\n')" "140    1   0   2   2   0   3   0   0   3   3   0   4" "of 128 + 12 bytes"
"$CLUP" label - -o - < gray.pgm > piped 2> err
is "$? $(wc -c < err | tr -d ' ')" "0 0" "standard input to standard output"
cmp -s labels.npy piped
ok $? "has nothing but the labels"
labels "labels are labelled as they are" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- labels.npy --match equal
is "$("$CLUP" label gray.pgm -o - | "$CLUP" label - --match equal --json | sed -n 's/.*"labels_sha256":"\([^"]*\).*/\1/p')" "$(value labels_sha256 out)" "in a pipe, too"
"$CLUP" label gray.pgm --output labels.png --colour colour.png > out
ok $? "a PNG of the labels and a picture"
labels "the PNG has the labels" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- labels.png --match equal
labels "the picture a colour for each" 4 3 1 0 2 2 0 3 0 0 3 3 0 4 -- colour.png --match equal
printf 'P2 4 3 9\n1 0 0 7\n1 0 0 9\n0 3 0 8\n' > stats.pgm
"$CLUP" label stats.pgm --stats stats.csv --min-size 2 > out
ok $? "statistics"
is "$(cat stats.csv)" "label,size,first_x,first_y,last_x,last_y,centroid_x,centroid_y,moment_xx,moment_yy,moment_xy,value_0,spans,wraps
1,2,0,0,0,1,0,0.5,0,0.25,0,1,,
2,3,3,0,3,2,3,1,0,0.66666666666666663,0,8,y," "of the components that are large enough"
"$CLUP" label stats.pgm --stats - --min-size 2 -o other.npy > out 2> err
is "$? $(cmp out stats.csv) $(wc -c < err | tr -d ' ')" "0  0" "- is the same on standard output, and nothing else"
"$CLUP" label stats.pgm --stats stats.json --periodic y --json > out
is "$(sed -n 's/.*"label":3.*"spans":"\([^"]*\)","wraps":"\([^"]*\)".*/\1 \2/p; s/.*"label":2.*"spans":"\([^"]*\)","wraps":"\([^"]*\)".*/\1 \2/p' stats.json | tr '\n' ';')" " y; ;" "a column that winds around a periodic axis"
"$CLUP" label stats.pgm --stats props.csv --props label,area,centroid,perimeter,intensity_mean --min-size 2 --spacing 2,2 > out
ok $? "properties"
is "$(cat props.csv)" "label,area,centroid-0,centroid-1,perimeter,intensity_mean
1,8,1,0,0,1
2,12,2,6,2,8" "with lengths of pixels, of the components that are large enough"
printf 'P2 4 3 9\n5 0 0 1\n7 0 0 2\n0 3 0 6\n' > other.pgm
"$CLUP" label stats.pgm --stats props.json --props intensity_sum,euler_number --intensity other.pgm > out
is "$(tr -d '\n' < props.json)" '{"regions":[{"intensity_sum":12,"euler_number":1},{"intensity_sum":9,"euler_number":1},{"intensity_sum":3,"euler_number":1}]}' \
    "of the values of another image"
"$CLUP" label stats.pgm --stats - --props all > out 2> err
is "$? $(head -n 1 out | tr ',' '\n' | wc -l | tr -d ' ') $(wc -c < err | tr -d ' ')" "0 150 0" "all of them"
cp gray.pgm self.npy
"$CLUP" label self.npy -o self.npy > out
cmp -s self.npy labels.npy
ok $? "a file may be replaced by its labels"
# every other pixel: 512 and 131072 components
for side in 32 512; do
    awk -v n=$side 'BEGIN { print "P1", n, n; for (i = 0; i < n * n; i++) print (i + int(i / n)) % 2 }' > board$side.pbm
done
"$CLUP" label board32.pbm -o labels.npy > out
is "$(wc -c < labels.npy | tr -d ' ')" 2176 "512 labels have 16 bits"
"$CLUP" label board512.pbm -o labels.npy --json > out
is "$(value components out) $(wc -c < labels.npy | tr -d ' ')" "131072 1048704" "131072 have 32"
is "$(value labels_sha256 out)" "$(tail -c 1048576 labels.npy | sha256sum | cut -d' ' -f1)" "the hash is of labels of 32 bits"
is "$(sed 's/"device":{[^}]*},//; s/:[0-9][0-9.e+-]*/:N/g; s/:"[0-9a-f]*"/:"H"/; s/:"[0-9.]*"/:"V"/' out)" \
    '{"schema":"clup/label/1","version":"V","file":"board512.pbm","size":[512,512],"dtype":"u8","channels":N,"connectivity":N,"periodic":[false,false],"match":"nonzero","level":null,"level_by":null,"background":null,"min_size":N,"components":N,"largest":N,"labels_sha256":"H","timing":{"device_ms":N,"transfer_ms":N,"wall_ms":N,"gpixel_per_s":N}}' "JSON has the schema's keys"
"$CLUP" label colours.ppm --json --match tolerance=2.5 --background 1 --periodic y --min-size 2 --connectivity 8 > out
is "$(sed 's/.*"size"/"size"/; s/"components".*//' out)" \
    '"size":[3,1],"dtype":"u8","channels":3,"connectivity":8,"periodic":[false,true],"match":"tolerance","level":2.5,"level_by":null,"background":[1,1,1],"min_size":2,' "and how the image was labelled"

# PoCL compiles kernels at their first launch, which takes seconds; the pixels take microseconds
mkdir cold
POCL_CACHE_DIR=$scratch/cold "$CLUP" label gray.pgm --json > out
awk -v wall="$(value wall_ms out)" 'BEGIN { exit !(wall > 0 && wall < 200) }'
ok $? "compiling is no time of labelling: $(value wall_ms out) ms"
POCL_CACHE_DIR=$scratch/cold "$CLUP" label gray.pgm --match equal --stats stats.csv --json > out
awk -v wall="$(value wall_ms out)" 'BEGIN { exit !(wall > 0 && wall < 200) }'
ok $? "nor with statistics: $(value wall_ms out) ms"

ln -s /dev/full full.npy
mkdir folder.csv
fails 2 "IN is missing"
fails 2 "is no folder, for the labels of 2 files" gray.pgm more -o x.npy
fails 2 "--wings" gray.pgm --wings
fails 2 "needs a value" gray.pgm --match
fails 2 "needs a value" gray.pgm -o
fails 2 "'5' is not 4|8|6|18|26" gray.pgm --connectivity 5
fails 2 "'wings' is no property of regions, which are label, " gray.pgm --stats made.csv --props area,wings
fails 2 "property perimeter needs pixels that are as wide as high" gray.pgm --stats made.csv --props perimeter --spacing 1,2
fails 2 "property surface_crofton is one of volumes" gray.pgm --stats made.csv --props surface_crofton
fails 2 "--props says what --stats writes" gray.pgm --props area
fails 2 "--spacing is for the areas of --contacts and the properties of --props" gray.pgm --stats made.csv --spacing 1,2
fails 2 "--spacing '1,0' is neither a positive number nor one for each axis" gray.pgm --stats made.csv --props area --spacing 1,0
fails 2 "--spacing has 3 lengths, the image 2 axes" gray.pgm --stats made.csv --props area --spacing 1,2,3
fails 2 "--props measures components with open axes" gray.pgm --stats made.csv --props area --periodic x
fails 2 "has 32 x 32 x 1 pixels, the image 4 x 3 x 1" gray.pgm --stats made.csv --props area --intensity board32.pbm
fails 2 "--connectivity 26: the image is in the plane" gray.pgm --connectivity 26 -o made/labels.npy
fails 2 "--connectivity 8: the image is a volume" corners.npy --connectivity 8 --colour made/colour.png
fails 2 "--periodic z: the image is in the plane" gray.pgm --periodic z
fails 2 "'xy' is not" gray.pgm --periodic xy
fails 2 "'w' is not" gray.pgm --periodic w
fails 2 "'x,' is not" gray.pgm --periodic x,
fails 2 "'' is not" gray.pgm --periodic ''
fails 2 "'same' is not equal" gray.pgm --match same
fails 2 "'equal3' is not" gray.pgm --match equal3
fails 2 "'tolerance' is not" gray.pgm --match tolerance
fails 2 "'tolerance=' is not" gray.pgm --match tolerance=
fails 2 "'tolerance=1x' is not" gray.pgm --match tolerance=1x
fails 2 "tolerance of -1" gray.pgm --match tolerance=-1
fails 2 "tolerance of nan" gray.pgm --match tolerance=nan
fails 2 "threshold of 256 is none of u8 pixels, from 0 to 255" gray.pgm --match threshold=256
fails 2 "threshold of -1" gray.pgm --match threshold=-1
fails 2 "background of 256" gray.pgm --match equal --background 256 -o made/labels.npy
fails 2 "background of 0.5" gray.pgm --match equal --background 0.5
fails 2 "'1,' is not" gray.pgm --match equal --background 1,
fails 2 "'1,2,3,4,5' is not" gray.pgm --match equal --background 1,2,3,4,5
fails 2 "3 values, the image 1 channel" gray.pgm --match equal --background 1,2,3
fails 2 "2 values, the image 3 channels" colours.ppm --match equal --background 1,2
fails 2 "goes with --match equal or tolerance" gray.pgm --background 3
fails 2 "goes with --match equal or tolerance" gray.pgm --background none
fails 2 "'0' is not a whole number from 1 to 18446744073709551615" gray.pgm --min-size 0
fails 2 "'-1' is not" gray.pgm --min-size -1
fails 2 "'3x' is not" column --shape 3x --dtype u8
fails 2 "'u128' is not" column --shape 3x1 --dtype u128
fails 2 "both --shape and --dtype" column --shape 3x1
fails 2 "both --shape and --dtype" column --dtype u8
fails 2 "raw data have one channel" column --shape 3x1 --dtype u8 --channels-last
fails 2 "none of .npy, .tif, .tiff and .png" gray.pgm -o made/labels.jpg
fails 2 "none of .npy, .tif, .tiff and .png" gray.pgm -o ''
fails 2 "--json and --output - both need standard output" gray.pgm -o - --json
fails 2 "--json and --stats - both need standard output" gray.pgm --stats - --json
fails 2 "--output - and --stats - both need standard output" gray.pgm --stats - -o -
fails 2 "neither .csv nor .json" gray.pgm --stats made/stats.txt
fails 2 "is no .png" gray.pgm --colour made/colour.npy
fails 2 "is no .png" gray.pgm --colour -
fails 2 "both name" gray.pgm --colour made/labels.png -o made/labels.png
fails 2 "--overlay and --colour both name" gray.pgm --colour made/labels.png --overlay made/labels.png
fails 2 "--overlay 'made/labels.tif' is no .png" gray.pgm --overlay made/labels.tif
fails 2 "'0' is not a whole number" gray.pgm --page 0
fails 1 "a page is wanted, and this is no TIFF" gray.pgm --page 1
fails 2 "raw data have neither pages nor arrays" column --shape 1x1x3 --dtype u8 --page 1
fails 1 "labels.npz: No such file" labels.npz:x
fails 2 "both name" gray.pgm --colour made/labels.png -o made/.././made//labels.png
fails 1 "cannot write 'full.npy'" gray.pgm -o full.npy
fails 1 "cannot write 'folder.csv': Is a directory" gray.pgm --stats folder.csv -o made/labels.npy
fails 2 "a volume is no PNG" corners.npy -o made/labels.png
fails 2 "overflow the 16 bits of a PNG" board512.pbm -o made/labels.png --colour made/colour.png
fails 3 "no device matches 'abacus'" gray.pgm --device abacus -o made/labels.npy
fails 1 "nowhere.pgm: No such file" nowhere.pgm -o made/labels.npy
fails 1 "cannot write 'nowhere/labels.npy'" gray.pgm -o nowhere/labels.npy
fails 1 "cannot write 'nowhere/colour.png'" gray.pgm -o made/labels.npy --colour nowhere/colour.png
# before anything is read
fails 1 "cannot write 'nowhere/labels.npy'" nowhere.pgm -o nowhere/labels.npy
fails 1 "the file is empty" -
fails 1 "the format is none of" column
fails 1 "need 4" column --shape 2x2 --dtype u8
head -c 20 gray.pgm > short.pgm
fails 1 "short.pgm" short.pgm -o made/labels.npy
{ npy '|u1' '1, 1, 2' && bytes 1 2; } > two.npy
fails 1 "two.npy" two.npy --channels-last
printf 'P1\n2 1\n1 0\n' > plain.pbm
fails 1 "channels last is said of NumPy arrays alone" plain.pbm --channels-last
fails 2 "a background of nan is no value of u8 pixels" gray.pgm --match equal --background nan
fails 2 "--palette: raw data have none" column --shape 1x1x3 --dtype u8 --palette
fails 1 "a palette is wanted, and this is neither a PNG nor a TIFF" gray.pgm --palette
fails 1 "the PNG has no palette" grays.png --palette
mkdir broken
cp -R "$srcdir"/cl/. broken
chmod -R u+w broken
echo "syntax error" >> broken/core/lattice.clh
CLUP_CL_PATH=$scratch/broken "$CLUP" label gray.pgm -o broken/labels.npy > out 2> err
is "$? $(ls broken/labels.npy* 2> /dev/null)" "4 " "a kernel that does not compile exits with 4"
# wrong FILE OLD NEW ARGUMENT...: a kernel that is changed is found out before an image is labelled
wrong() {
    cp -R "$srcdir"/cl/. broken
    chmod -R u+w broken
    sed -i "s|$2|$3|" "broken/$1"
    ! cmp -s "broken/$1" "$srcdir/cl/$1"
    ok $? "$1 can be changed"
    shift 3
    (
        CLUP_CL_PATH=$scratch/broken XDG_DATA_HOME=$scratch/broken
        export CLUP_CL_PATH XDG_DATA_HOME
        "$CLUP" label "$@" -o broken/labels.npy > out 2> err
        echo "$? $(grep -c 'gives wrong labels on' err) $(wc -l < err) $(ls broken/labels.npy* 2> /dev/null)"
    ) > result
    is "$(cat result)" "6 1 1 " "and wrong labels by it are found: label $*"
}
awk 'BEGIN { for (i = 0; i < 90 * 20 * 4; i++) printf "%s", i * i % 11 < 5 ? "A" : "B" }' > noise
# what only some kernels have is found out as well, and others are taken
cp -R "$srcdir"/cl/. broken
sed -i 's|old = atomic_min(&labels.high., low)|old = high|' broken/forest/unite.clh
"$CLUP" label noise --shape 90x20x4 --dtype u8 --match equal -o right.npy > out
CLUP_CL_PATH=$scratch/broken XDG_DATA_HOME=$scratch/broken "$CLUP" label noise --shape 90x20x4 --dtype u8 --match equal -o broken/labels.npy > out 2> err
is "$? $(cmp right.npy broken/labels.npy 2>&1) $(grep -c 'gives wrong results on .* left out of plans' err)" "0  1" "kernels that are wrong are left out where others are right"
rm -rf broken/labels.npy broken/clup
# each in what all kernels for the stage share, so that there are no others to take
wrong image/steps.clh 'return whole' 'return 0 * whole' noise --shape 90x20x4 --dtype u8 --match equal --connectivity 18
wrong image/blocks.clh 'bit) - 1)) + 1' 'bit) - 1)) + 2' noise --shape 90x20x4 --dtype u8 --connectivity 26
# PoCL compiles kernels once more for launches of more than 65535 work-items: here, that one alone is wrong
awk 'BEGIN { for (i = 0; i < 66000; i++) printf "%s", i * i % 11 < 5 ? "A" : "B" }' > colours
{ npy '|u1' '1100, 20, 1, 3' && cat colours; } > narrow.npy
wrong image/source_image.cl 'bits = block_foreground' 'bits = (get_global_size(0) <= 65535) * block_foreground' narrow.npy --channels-last --match equal --connectivity 18
"$CLUP" label gray.pgm > /dev/full 2> err
is "$? $(grep -c 'No space left' err)" "1 1" "a full disk under the table exits with 1"
"$CLUP" label gray.pgm -o - > /dev/full 2> err
is "$? $(grep -c 'No space left' err)" "1 1" "and under the labels"
# begun NAME: waits until a temporary file for NAME has bytes, a minute at most
begun() {
    for try in $(seq 1200); do
        for file in "$1".[0-9]*; do
            [ -s "$file" ] && return 0
        done
        sleep 0.05
    done
    return 1
}
# half a million lines
awk -v n=1024 'BEGIN { print "P1", n, n; for (i = 0; i < n * n; i++) print (i + int(i / n)) % 2 }' > board1024.pbm
"$CLUP" label board1024.pbm --stats long.csv > out 2> err &
begun long.csv
kill -INT $!
wait $!
is "$? $(wc -l < long.csv) $(ls long.csv.* 2> /dev/null) $(cat err)" "130 524289  clup: interrupted: all was done" "an interrupt while files are written lets them be whole"
grep -q '^  components *524288$' out
ok $? "and is after the table"
printf before > kept.npy
"$CLUP" label nan --shape 1x1 --dtype f32 -o kept.npy 2> err
is "$? $(cat kept.npy)" "1 before" "a failure leaves an older file"
is "$(ls ./*.[0-9]*.[0-9]* 2> /dev/null)" "" "and no temporary one"

# which components touch, and each by itself
printf 'P2\n4 3\n9\n1 1 1 2\n1 1 1 2\n3 3 2 2\n' > cells.pgm
"$CLUP" label cells.pgm --match equal --connectivity 8 --spacing 0.5,2 --contacts contacts.csv --each cell.png > out 2> err
is "$? $(cat err)$(cat contacts.csv)" "0 label_a,label_b,faces_x,faces_y,edges,area
1,2,2,1,4,4.5
1,3,0,2,3,1
2,3,1,0,0,2" "which components touch"
grep -q '^  contacts  *3 pairs of components that touch' out
ok $? "and how many are said: $(grep contacts out)"
is "$(echo cell-*)" "cell-1.png cell-2.png cell-3.png" "a file for each component"
"$CLUP" label cell-2.png -q --json > out
is "$(grep -o '"size":\[[0-9,]*\]' out) $(value labels_sha256 out)" '"size":[2,3] '"$(sha 0 1 0 1 1 1)" "its box, without other components"
"$CLUP" label cells.pgm --match equal --contacts contacts.npz --json -q > out
"$CLUP" graph label contacts.npz --json -q > graph
is "$(value contacts out) $(value components graph)" "3 2" "a sparse matrix, which clup graph reads: 0 touches nothing"
fails 2 "--contacts 'made/x.txt': the extension is neither .csv nor .npz" gray.pgm --contacts made/x.txt
fails 2 "--each 'made/x.csv': the extension is neither .npy nor .png" gray.pgm --each made/x.csv
fails 2 "--spacing has 3 lengths, the image 2 axes" gray.pgm --contacts made/x.csv --spacing 1,2,3
fails 2 "--spacing '1,0' is neither a positive number nor one for each axis" gray.pgm --contacts made/x.csv --spacing 1,0
fails 2 "--spacing is for the areas of --contacts and the properties of --props" gray.pgm --spacing 2
fails 2 "--fill-holes: --stats are of components with their holes" gray.pgm --fill-holes --stats made/x.csv
fails 2 "--fill-holes '0' is not a whole number" gray.pgm --fill-holes=0
# ---- pictures by size ----
printf 'P2 6 2 9\n1 1 1 0 2 2\n1 0 0 0 0 3\n' > sizes.pgm
"$CLUP" label sizes.pgm -q --colour sizes.png --colour-by size > /dev/null
is "$?" 0 "a picture with colours by size"
"$CLUP" label sizes.pgm -q --colour labels.png > /dev/null
cmp -s sizes.png labels.png
is "$?" 1 "other colours than those by label"
fails 2 "--colour-by goes with --colour" sizes.pgm --colour-by size
fails 2 "is neither label nor size" sizes.pgm --colour sizes.png --colour-by magic
done_testing
