#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup label of several images: the frames of a stack and many files, labelled as each alone is; numbering, tables, thresholds, exit codes.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1

bytes() { for byte in "$@"; do printf "\\$(printf %03o "$byte")"; done; }
# value KEY FILE: a number or a text of JSON
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }
# hashes FILE: those of all images of a report
hashes() { tr ',' '\n' < "$1" | sed -n 's/.*"labels_sha256":"\([0-9a-f]*\)".*/\1/p' | tr '\n' ' '; }
# fails CODE TEXT ARGUMENT...
fails() {
    code=$1 text=$2
    shift 2
    "$CLUP" label "$@" > out 2> err < /dev/null
    is "$? $(wc -c < out | tr -d ' ')" "$code 0" "clup label $* exits with $code"
    grep -qF -- "$text" err
    ok $? "and says '$text': $(cat err)"
}

# ---- three frames of 37 x 21 pixels, and a file of each ----

awk 'BEGIN { s = 7; for (i = 0; i < 3 * 37 * 21; i++) { s = (s * 75 + 74) % 65537; print (s % 5 < 2) ? 0 : s % 3 + 1 } }' > values
for k in 0 1 2; do
    {
        printf 'P2 37 21 9\n'
        sed -n "$((k * 777 + 1)),$((k * 777 + 777))p" values
    } > "frame$k.pgm"
done
# shellcheck disable=SC2046 # words
bytes $(cat values) > stack.raw
shape="--shape 37x21x3 --dtype u8"
for options in "" "--connectivity 8" "--match equal --connectivity 8 --periodic x" "--min-size 3" "--match threshold=1.5"; do
    wanted=
    total=0
    for k in 0 1 2; do
        # shellcheck disable=SC2086 # options
        "$CLUP" label "frame$k.pgm" $options -q --json > alone
        wanted="$wanted$(hashes alone)"
        total=$((total + $(value components alone | head -n 1)))
    done
    # shellcheck disable=SC2086 # options
    "$CLUP" label stack.raw $shape --batch $options -q --json > frames
    is "$(hashes frames)" "$wanted" "frames of a stack are labelled as each alone: $options"
    # shellcheck disable=SC2086 # options
    "$CLUP" label frame0.pgm frame1.pgm frame2.pgm $options -q --json > files
    is "$(hashes files)" "$wanted" "so are files: $options"
    grep -q "\"components\":$total,\"images\":\[{\"file\":\"frame0.pgm\"," files && grep -q "\"components\":$total,\"images\":\[{\"frame\":0," frames
    ok $? "and components are those of all: $total"
done

# ---- files of labels, and tables ----

"$CLUP" label frame0.pgm frame1.pgm frame2.pgm -o each -q --stats each.csv > /dev/null
is "$?" 0 "labels go to a folder"
for k in 0 1 2; do
    "$CLUP" label "frame$k.pgm" -q -o "alone$k.npy" --stats "alone$k.csv" > /dev/null
    cmp -s "alone$k.npy" "each/frame$k.npy"
    ok $? "each/frame$k.npy is what that file alone gives"
done
for k in 0 1 2; do sed "1d; s/^/frame$k.pgm,/" "alone$k.csv"; done > rows
is "$(head -n 1 each.csv)" "image,$(head -n 1 alone0.csv)" "the first column of the table is the image"
tail -n +2 each.csv | cmp -s - rows
ok $? "and its rows are those of each file alone"
"$CLUP" label frame0.pgm frame1.pgm frame2.pgm -o on/ -q --number throughout --stats on.json > /dev/null
first=$(($(wc -l < alone0.csv) - 1)) second=$(($(wc -l < alone1.csv) - 1))
grep -q "^{\"image\":\"frame1.pgm\",\"label\":$((first + 1))," on.json && grep -q "^{\"image\":\"frame2.pgm\",\"label\":$((first + second + 1))," on.json
ok $? "with --number throughout, labels go on from file to file"
# shellcheck disable=SC2086 # options
"$CLUP" label stack.raw $shape --batch -q --number throughout -o stack.npy --stats stack.csv > out
for k in 0 1 2; do tail -c 777 "on/frame$k.npy"; done > wanted
tail -c 2331 stack.npy | cmp -s - wanted
ok $? "a stack is one array, with the labels of the files"
is "$(cut -d, -f1,2 stack.csv | tail -n 1)" "2,$(($(wc -l < stack.csv) - 1))" "frames of a table are numbers from 0 on"
grep -q "images  *3 frames, numbered throughout" out
ok $? "the table says so"

# ---- a file that is bad; kinds that differ; thresholds ----

echo nothing > bad.pgm
printf 'P2 2 1 9\n1 0\n' > small.pgm
"$CLUP" label frame0.pgm bad.pgm small.pgm frame1.pgm -o some -q > out 2> err
is "$? $(ls some | tr '\n' ' ')" "1 frame0.npy frame1.npy small.npy " "the others are labelled where a file is bad, which the exit code says"
grep -q "bad.pgm: the format is none of" err
ok $? "and the message: $(cat err)"
cmp -s some/frame1.npy each/frame1.npy
ok $? "kinds may differ"
"$CLUP" label frame0.pgm -q --match threshold=otsu --json > found
"$CLUP" label frame0.pgm -q --match "threshold=$(value level found)" --json > given
is "$(value level_by found) $(hashes found)" "otsu $(hashes given)" "a threshold by otsu is a level: $(value level found)"
"$CLUP" label frame0.pgm -q --match threshold=triangle | grep -q "match threshold [0-9]* by triangle"
ok $? "which is said"
for k in 0 1; do "$CLUP" label "frame$k.pgm" -q --match threshold=li --json > alone && hashes alone; done > wanted
is "$("$CLUP" label frame0.pgm frame1.pgm -q --match threshold=li --json > found && hashes found)" "$(tr -d '\n' < wanted)" "each file has its own threshold"
# shellcheck disable=SC2086 # options
"$CLUP" label stack.raw $shape --batch -q --match threshold=li --json > found
"$CLUP" label stack.raw $shape -q --match threshold=li --json > whole
is "$(value level found)" "$(value level whole)" "a stack has one"

fails 2 "--number goes with --batch or several files" frame0.pgm --number each
fails 2 "is neither each nor throughout" stack.raw --batch --number none
fails 2 "--batch is for one file" frame0.pgm frame1.pgm --batch
fails 2 "is no stack of frames, it has 2 axes" frame0.pgm --batch
fails 2 "would both be written to 'each/frame0.npy'" frame0.pgm ./frame0.pgm -o each
fails 2 "is no folder, for the labels of 2 files" frame0.pgm frame1.pgm -o x.npy
fails 2 "is no folder, for the labels of 2 files" frame0.pgm frame1.pgm -o x.tif

# ---- what is read is not written ----

mkdir arrays
"$CLUP" label frame0.pgm -q -o arrays/zero.npy > /dev/null
"$CLUP" label frame1.pgm -q -o arrays/one.npy > /dev/null
cksum arrays/*.npy > before
fails 2 "'arrays/one.npy' is an input as well" arrays/one.npy arrays/zero.npy -o arrays
is "$(cksum arrays/*.npy)" "$(cat before)" "and they are as they were"
ln -s zero.npy arrays/link.npy
fails 2 "is an input as well" arrays/link.npy frame1.pgm frame0.pgm -o arrays
gzip -c frame0.pgm > packed.pgm.gz
"$CLUP" label packed.pgm.gz frame1.pgm -q -o packed > /dev/null
is "$? $(echo packed/*)" "0 packed/frame1.npy packed/packed.npy" "the name of a packed file without both extensions"
"$CLUP" label frame0.pgm frame1.pgm --largest 1 --max-size 99 --clear-border -q --json > rule
is "$(value max_size rule) $(value clear_border rule) $(value most_components rule)" "99 true 1" "the report of a batch has the rule"
fails 2 "--contacts and --stats both name 'x.csv'" frame0.pgm --stats x.csv --contacts x.csv
fails 2 "labels of a stack are one file" frame0.pgm --batch -o each
fails 2 "a stack is no PNG" frame0.pgm --batch -o x.png
fails 2 "--colour is for one image" frame0.pgm frame1.pgm --colour x.png
fails 2 "with a number T, or otsu, triangle or li" frame0.pgm --match threshold=mean
fails 2 "'small.pgm' has not been labelled" frame0.pgm small.pgm --connectivity 6
done_testing
