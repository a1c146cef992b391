#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that the program reads and writes: endless files, pipes, devices, links, full disks, modes,
# and names with characters that cannot be printed.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
bytes() { for byte in "$@"; do printf "\\$(printf %03o "$byte")"; done; }
printf 'P5\n4 3\n255\n' > gray.pgm
bytes 3 0 3 3 0 3 0 0 7 7 0 3 >> gray.pgm

# ends CODE TEXT WHAT: what a command left: its exit code, within a minute, and one line on stderr that has TEXT, nothing on stdout
ends() {
    grep -qF -- "$2" err
    is "$(cat code) $? $(wc -l < err | tr -d ' ') $(wc -c < out | tr -d ' ')" "$1 0 1 0" "$3: $(cat err)"
}
# label ARGUMENT...: runs it, a minute at most
label() {
    timeout 60 "$CLUP" label "$@" > out 2> err
    echo $? > code
}

# what has no end, and is no image
unknown="the format is none of PNG, TIFF, JPEG, PNM (P1 to P7), NIfTI and NumPy's .npy and .npz"
for file in /dev/zero /dev/urandom; do
    label $file < /dev/null
    ends 1 "$file: $unknown" "$file"
done
yes | label -
ends 1 "standard input: $unknown" "a pipe without end"
label . < /dev/null
ends 1 ".: Is a directory" "a folder"
label /dev/null < /dev/null
ends 1 "/dev/null: the file is empty" "nothing"
mkfifo pipe
yes > pipe 2> /dev/null &
label pipe
ends 1 "pipe: $unknown" "a named pipe"
if [ "$(id -u)" -ne 0 ]; then
    cp gray.pgm secret.pgm
    chmod 000 secret.pgm
    label secret.pgm
    ends 1 "secret.pgm: Permission denied" "a file that may not be read"
fi
# an image that does not end, by what its header says
(printf 'P5 4 3 255\nabcdefghijkl'; cat /dev/zero) | label -
ends 1 "the file goes on after its image" "a PGM that goes on"
(printf 'P5 4 3 255\nabcdefghijkl'; yes '') | label -
ends 1 "does not end after" "with white space"
(printf 'P5 #'; cat /dev/zero) | label -
ends 1 "does not end after 65536 bytes" "a comment without end"
(printf 'P2 4 3 255\n'; yes ' ') | label -
ends 1 "does not end after" "values that do not come"
npy() {
    header="{'descr': '|u1', 'fortran_order': False, 'shape': ($1), }"
    printf '\223NUMPY\001\000'
    bytes $((${#header} + 1)) 0
    echo "$header"
}
(npy '3, 4'; cat /dev/zero) | label -
ends 1 "the array has 13 bytes or more, 4 x 3 x 1 pixels of 1 need 12" "a NumPy array that goes on"
(printf '\223NUMPY\002\000\377\377\377\377'; cat /dev/zero) | label -
ends 1 "the header has 4294967295 bytes, more than" "a NumPy header of 4 GiB"
label /dev/zero --shape 4x3 --dtype u8
ends 1 "/dev/zero: the file has 13 bytes or more, 4 x 3 x 1 pixels of 1 need 12" "raw data that go on"
# a chunk of no use, again and again
"$CLUP" label gray.pgm -o gray.png > out
head -c 33 gray.png > head.png
{ printf '\000\000\002\000teSt' && head -c 512 /dev/zero; } > chunk
printf '\132\075\124\113' > crc
cat chunk crc > once
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do cat once once > more && mv more once; done
(cat head.png; while cat once; do :; done) 2> /dev/null | label -
ends 1 "standard input: the PNG does not end after 67108864 bytes" "a PNG that does not end"

# no more is read than the header says, and a byte that would be too many: the rest is left for the next command
left() {
    { "$CLUP" label - > out 2> err; wc -c | tr -d ' '; } < "$1"
}
head -c 1000 /dev/zero > zeros
is "$(left zeros)" 992 "8 bytes of what is no image are read"
{ npy '3, 4' && head -c 112 /dev/zero; } > long.npy
is "$(left long.npy)" 99 "and of an array, one that is too many"
{ cat gray.pgm && head -c 100 /dev/zero; } > long.pgm
is "$(left long.pgm)" 99 "of a PGM as well"
{ cat gray.png && head -c 100 /dev/zero; } > long.png
is "$(left long.png)" 100 "and of a PNG none behind its end"

# written to what is there
mkfifo labels.npy
cat labels.npy > taken &
label gray.pgm -o labels.npy
wait
"$CLUP" label gray.pgm -o - > wanted
is "$(cat code) $(cmp taken wanted) $([ -p labels.npy ] && echo pipe)" "0  pipe" "a named pipe has the labels, and remains"
rm labels.npy
label gray.pgm -o labels.npy --connectivity 5
is "$(cat code) $(ls labels.npy 2> /dev/null)" "2 " "wrong usage makes nothing"
ln -s /dev/null null.npy
label gray.pgm -o null.npy
is "$(cat code) $([ -c /dev/null ] && [ -h null.npy ] && echo device)" "0 device" "and so does a device"
ln -s /dev/full full.npy
ln -s /dev/full full.csv
for option in "-o full.npy" "--stats full.csv"; do
    label gray.pgm $option
    ends 1 "No space left on device" "a full device, $option"
done
"$CLUP" label gray.pgm --stats - > /dev/full 2> err
is "$? $(grep -c 'No space left' err)" "1 1" "a full device under --stats -"
"$CLUP" simulate -q --size 8 --sweeps 2 --save-spins - > /dev/full 2> err
is "$? $(grep -c 'No space left' err)" "1 1" "and under --save-spins -"

# replaced: modes, links, what may not be written
for mode in 600 640 444; do
    [ $mode = 444 ] && [ "$(id -u)" -ne 0 ] && continue
    rm -f kept.npy
    echo before > kept.npy
    chmod $mode kept.npy
    label gray.pgm -o kept.npy
    is "$(cat code) $(stat -c %a kept.npy) $(cmp kept.npy wanted)" "0 $mode " "a file keeps its mode, $mode"
done
rm -f kept.npy
(umask 027 && label gray.pgm -o kept.npy)
is "$(stat -c %a kept.npy)" 640 "a new one has what umask leaves"
mkdir there
ln -s there/real.npy link.npy
label gray.pgm -o link.npy
is "$(cat code) $([ -h link.npy ] && echo link) $(cmp there/real.npy wanted)" "0 link " "a link to a file that is not there makes it"
echo before > there/real.npy
label gray.pgm -o link.npy
is "$(cat code) $([ -h link.npy ] && echo link) $(cmp there/real.npy wanted)" "0 link " "and to one that is there replaces it"
if [ "$(id -u)" -ne 0 ]; then
    chmod 444 there/real.npy
    label gray.pgm -o link.npy
    ends 1 "cannot write 'link.npy': Permission denied" "a file that may not be written is not replaced"
    chmod 555 there
    label gray.pgm -o there/new.npy
    ends 1 "cannot write 'there/new.npy': Permission denied" "nor made in a folder that may not be"
    chmod 755 there
fi
is "$(find . -name '*.[0-9]*.[0-9]*')" "" "no temporary file is left"

# names that do not print
name=$(printf 'a\nb\033[31m\177\377\342\200\256\tc')
escaped='a\nb\x1b[31m\x7f\xff\u202e\tc'
label "$name.png"
ends 1 "$escaped.png: No such file or directory" "a name that does not print"
label gray.pgm -o "$name"
ends 2 "--output '$escaped': the extension" "as a value"
label gray.pgm -o "nowhere/$name.npy"
ends 1 "cannot write 'nowhere/$escaped.npy'" "as a file to write"
label gray.pgm "--$name"
is "$(cat code) $(wc -l < err | tr -d ' ')" "2 1" "as an option"
timeout 60 "$CLUP" "$name" > out 2> err
echo $? > code
ends 2 "$escaped" "as a command"
label gray.pgm --device "$name"
ends 3 "no device matches '$escaped'" "as a device"
cp gray.pgm "$name.pgm"
label --json "$name.pgm"
is "$(cat code) $(wc -l < out | tr -d ' ') $(grep -cF '"file":"a\u000ab\u001b[31m' out) $(grep -cF '\ufffd' out)" "0 1 1 1" "in JSON"
label Übung.png
ends 1 "Übung.png: No such file or directory" "letters are not escaped"
done_testing
