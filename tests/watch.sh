#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup simulate --watch: the spins on a pseudo-terminal, in colours and as glyphs, scaled to its size; the terminal is given back at the
# end and after signals; a file of pictures in place of a terminal. What is simulated stays the same, bit for bit.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
python=$(command -v python3)
need_tool "$python" python3
run="simulate --reference --size 16x12 --sweeps 40 --thermalize 10 --seed 3 -q"
# on_screen COLUMNS ROWS [WISHES] -- ARGUMENT..: the screen after clup ARGUMENT.., as JSON
on_screen() {
    "$python" "$srcdir/tests/screen.py" "$@" > screen.json
}
get() { "$JQ" -c "$1" screen.json; }
unset LC_ALL LC_CTYPE
LANG=C.UTF-8
TERM=xterm
COLORTERM=truecolor
export LANG TERM COLORTERM

# ---- what is drawn ----
# shellcheck disable=SC2086
on_screen 16 7 -- "$CLUP" $run --watch 10 --save-spins spins.npy
is "$(get '[.code,.hidden,.shown,.taken,.given,.restored_last,.frames]')" "[0,1,1,1,1,true,5]" "a frame every 10 sweeps; screen and cursor are given back"
is "$(get '[.picture_right,.bottom,.caption]')" '[16,7,"sweep 50"]' "a site is half a character"
is "$(get '[.characters[]|explode|unique]|unique')" "[[9600]]" "by the upper half block"
cat > compare.py <<'END_OF_PYTHON'
import json
import sys

data = open("spins.npy", "rb").read()
spins = data[-192:]
screen = json.load(open("screen.json"))
colours = json.loads(sys.argv[1])
wrong = 0
for y in range(12):
    for x in range(16):
        row = screen["upper" if y % 2 == 0 else "lower"][y // 2]
        wrong += row[x] != colours[spins[16 * y + x]]
print(wrong, "wrong")
END_OF_PYTHON
is "$("$python" compare.py '["2;0;92;170","2;230;150;0"]')" "0 wrong" "the last frame has the spins that are saved, in 24 bits"
# shellcheck disable=SC2086
COLORTERM='' TERM=xterm-256color on_screen 16 7 -- "$CLUP" $run --watch 10 --save-spins spins.npy
is "$("$python" compare.py '["5;25","5;172"]')" "0 wrong" "in the nearest of 256 colours"
# shellcheck disable=SC2086
COLORTERM='' on_screen 16 13 -- "$CLUP" $run --watch 10 --save-spins spins.npy
is "$(get '.characters|join("")')" "\"$(tail -c 192 spins.npy | tr '\000\001' '.#')\"" "as two glyphs where there are no colours"
# shellcheck disable=SC2086
LC_ALL=C on_screen 16 13 -- "$CLUP" $run --watch 10
is "$(get '[([.characters[]|explode|unique]|unique),.bottom]')" "[[[32]],13]" "without UTF-8 by spaces on colours"
# shellcheck disable=SC2086
on_screen 50 40 -- "$CLUP" $run --watch 50
is "$(get '[.picture_right,.bottom,.upper[0][0:3]==[.upper[0][0],.upper[0][0],.upper[0][0]]]')" "[48,19,true]" "a large terminal has a site three times as large"
on_screen 20 11 -- "$CLUP" simulate --reference --size 200x90 --sweeps 4 --thermalize 0 -q --watch 2 --beta-ratio 3
is "$(get '[.picture_right,.bottom,.code]')" "[20,6,0]" "a large lattice is scaled down"
is "$(get '[.upper[][]]|unique|length')" 1 "to the most frequent colours: one of an ordered lattice"
on_screen 20 20 resize=10x20 -- "$CLUP" simulate --reference --size 20x10 --sweeps 300 --thermalize 0 -q --watch 1
is "$(get '[.code,.picture_right,.restored_last]')" "[0,10,true]" "a terminal that changes its size has the next frame in its new size"
on_screen 1 1 -- "$CLUP" simulate --reference --size 20x10 --sweeps 3 --thermalize 0 -q --watch 1
is "$(get .code)" 0 "even of one character"
on_screen 20 21 -- "$CLUP" simulate --reference --lattice cubic --size 20x10x5 --sweeps 3 --thermalize 0 -q --watch 1 --plane y=3
is "$(get '[.code,.picture_right,.bottom]')" "[0,20,4]" "a plane of a volume"
on_screen 20 21 -- "$CLUP" simulate --reference --model xy --beta 1 --size 20 --sweeps 3 -q --watch 1 --replicas 3
is "$(get '[.code,.picture_right,.bottom]')" "[0,20,11]" "angles, of the first of several systems"
on_screen 16 13 -- "$CLUP" simulate --reference --size 16 --anneal 0.5,0.9 --sweeps 5 --thermalize 5 -q --watch 5
is "$(get '[.code,.frames]')" "[0,4]" "a schedule"

# ---- ends ----
long="simulate --reference --size 64 --sweeps 100000000 --thermalize 0 -q --watch 10"
# shellcheck disable=SC2086
on_screen 64 40 signal=INT -- "$CLUP" $long
is "$(get '[.code,.hidden,.shown,.given,.restored_last]')" "[130,1,1,1,true]" "SIGINT gives the terminal back"
get .rest | grep -q 'clup: interrupted: [0-9]* of 100000000 sweeps measured'
ok $? "before the message"
# shellcheck disable=SC2086
on_screen 64 40 signal=TERM -- "$CLUP" $long
is "$(get '[.code,.shown,.given]')" "[130,1,1]" "and so does SIGTERM"
# sweeps so long that the second signal comes before the first is heeded
on_screen 64 40 signal=INT,INT -- "$CLUP" simulate --reference --size 1500 --sweeps 100000000 --thermalize 0 -q --watch 1
is "$(get '[.code,.shown,.given]|.[0]|.==-2 or .==130')$(get '[.shown,.given]')" "true[1,1]" "and a second SIGINT, which ends the program at once"

# ---- what is simulated ----
for more in "--measure-every 7 --observables sk" "--algorithm wolff" "--tempering 0.8:0.9:3"; do
    # shellcheck disable=SC2086
    "$CLUP" $run $more --json --series plain.csv > plain.json
    # shellcheck disable=SC2086
    "$CLUP" $run $more --json --series shown.csv --watch 3:watch.png > shown.json 2> err
    is "$? $(cat err) $("$JQ" -Sc 'del(.timing)' shown.json)" "0  $("$JQ" -Sc 'del(.timing)' plain.json)" "results are those of a run without pictures: $more"
    is "$(grep '^[0-9]' shown.csv | cksum)" "$(grep '^[0-9]' plain.csv | cksum)" "and so are the series"
done
# shellcheck disable=SC2086
"$CLUP" $run --watch 50:watch.png --save-spins spins.png > out
cmp -s watch.png spins.png
ok $? "a file has the picture of --save-spins"
# shellcheck disable=SC2086
"$CLUP" $run --watch only.png > out && [ -s only.png ]
ok $? "every sweep without a number"
ln -s /dev/full full.png
# shellcheck disable=SC2086
"$CLUP" $run --watch 10:full.png > out 2> err
is "$? $(grep -c 'No space left.*; the run goes on' err) $(wc -l < err | tr -d ' ')" "0 1 1" "a full disk does not end the run, and is said once"
ls ./*.png.* > left 2> ls.err
is "$(cat left)" "" "no file is left half-written"

# ---- refused ----
# shellcheck disable=SC2086
"$CLUP" $run --watch 10 > out 2> err
is "$? $(cat err)" "2 clup: --watch: standard error is no terminal; --watch N:F.png draws to a file" "what is no terminal"
TERM=dumb on_screen 80 24 -- "$CLUP" simulate --reference --size 8 --watch 10
is "$(get '[.code,.hidden]')" "[2,0]" "a terminal that cannot move its cursor"
for wrong in 0 -1 x 10:x.gif :x.png 1.5 10:; do
    # shellcheck disable=SC2086
    "$CLUP" $run --watch "$wrong" > out 2> err
    is "$? $(grep -c "^clup: --watch '$wrong' " err) $(wc -l < err | tr -d ' ')" "2 1 1" "--watch $wrong: $(cat err)"
done
fails 2 "--save-spins and --watch are the same file" simulate --size 8 --save-spins a.png --watch 2:a.png
fails 2 "no pictures of graphs" simulate --lattice hypercubic --size 4x4x4x4 --beta 0.1 --watch 2:a.png
fails 1 "nowhere/a.png" simulate --size 8 --watch 2:nowhere/a.png
# ---- until errors are reached ----
until="simulate --reference --size 8 --beta 0.6 --until energy=3% --sweeps 5000 --thermalize 10 --seed 3 -q --json"
# shellcheck disable=SC2086
"$CLUP" $until | "$JQ" -c '[.sweeps,.until,.spins_sha256]' > alone
# shellcheck disable=SC2086
"$CLUP" $until --watch 50:until.png 2> err | "$JQ" -c '[.sweeps,.until,.spins_sha256]' > watched
is "$(cat err watched)" "$(cat alone)" "--until ends after as many sweeps where they are watched"
is "$([ -s until.png ] && echo drawn)" drawn "and they are drawn"
done_testing
