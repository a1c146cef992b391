#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup graph as a user meets it: small graphs whose components are known by hand, files of all formats, exit codes and messages.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1

# fails CODE TEXT ARGUMENT...: exit code, one line on stderr that has TEXT, nothing on stdout, no files
fails() {
    code=$1
    text=$2
    shift 2
    mkdir -p made
    "$CLUP" graph "$@" > out 2> err < /dev/null
    is $? "$code" "clup graph $* exits with $code"
    grep -qF -- "$text" err
    ok $? "and says '$text': $(cat err)"
    is "$(wc -l < err) $(wc -c < out | tr -d ' ') $(ls made | wc -l | tr -d ' ')" "1 0 0" "in one line, and makes nothing"
}

bytes() { for byte in "$@"; do printf "\\$(printf %03o "$byte")"; done; }
# array DESCR SHAPE: the header of a .npy file
array() {
    text="{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
    printf '\223NUMPY\001\000'
    bytes $((${#text} + 1)) 0
    printf '%s\n' "$text"
}
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }
sha() { for word in "$@"; do bytes "$word" 0 0 0; done | sha256sum | cut -d' ' -f1; }
# finds WHAT VERTICES EDGES COMPONENTS LARGEST SINGLE LABEL.. -- ARGUMENT..: on the device and by the reference
finds() {
    what=$1 wanted="$2 $3 $4 $5 $6"
    shift 6
    labels=
    while [ "$1" != -- ]; do
        labels="$labels $1"
        shift
    done
    shift
    for where in "" --reference; do
        "$CLUP" graph label "$@" --json $where > out.json 2> err
        is "$? $(value vertices out.json) $(value edges out.json) $(value components out.json) $(value largest out.json) $(value single_vertices out.json)" \
            "0 $wanted" "$what $where: numbers"
        # shellcheck disable=SC2086
        is "$(value labels_sha256 out.json)" "$(sha $labels)" "and labels"
    done
}

printf 'from,to,weight\n0,3,1.5\n\n# a comment\n1;2\n3 0\r\n' > table.csv
finds "a table" 4 3 2 2 0 0 1 1 0 -- table.csv
finds "more vertices" 6 3 4 2 2 0 1 1 0 2 3 -- table.csv --vertices 6
printf '4 4\n' > loop.txt
finds "a loop" 5 1 5 1 5 0 1 2 3 4 -- loop.txt
printf '%%%%MatrixMarket matrix coordinate real Symmetric\n%% a comment\n5 5 3\n5 1 0.5\n\n2 3 1\n4 2 7e-3\n' > m.mtx
finds "Matrix Market" 5 3 2 3 0 0 1 1 1 0 -- m.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 0\n' > none.mtx
finds "a matrix without entries" 3 0 3 1 3 0 1 2 -- none.mtx
{ array '<i4' '3, 2' && bytes 3 0 0 0 1 0 0 0 0 0 0 0 4 0 0 0 1 0 0 0 4 0 0 0; } > e.npy
finds "a NumPy array" 5 3 2 4 1 0 0 1 0 0 -- e.npy
{ array '>u8' '1, 2' && bytes 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0; } > big.npy
finds "of the other byte order" 3 1 2 2 1 0 1 0 -- big.npy
: > empty.txt
finds "an empty file" 2 0 2 1 2 0 1 -- empty.txt --vertices 2
"$CLUP" graph label - --json < table.csv > out.json
is "$? $(value components out.json)" "0 2" "standard input"

"$CLUP" graph label table.csv > table 2> err
is "$? $(sed -n 's/^  components  *//p; s/^  largest  *//p; s/^  single vertices  *//p' table | tr '\n' ';') $(wc -c < err)" \
    "0 2;2 vertices, 50 % of the graph;0; 0" "the table"
"$CLUP" graph label table.csv -n 6 -o labels.npy --sizes sizes.npy > table
is "$? $(tail -c 6 labels.npy | od -An -tu1 | tr -s ' ') $(tail -c 4 sizes.npy | od -An -tu1 | tr -s ' ')" "0  0 1 1 0 2 3  2 2 1 1" "labels and sizes"
"$CLUP" graph label table.csv -n 6 -o - | cmp -s - labels.npy
ok $? "labels to standard output, and nothing else"

fails 2 "label EDGES is missing" label
fails 2 "'count' is no task; there is label" count table.csv
fails 2 "unexpected argument 'm.mtx'" label table.csv m.mtx
fails 2 "--vertices '3': 'table.csv' has 4" label table.csv --vertices 3
fails 2 "--vertices '0'" label table.csv --vertices 0
fails 2 "--vertices '4294967296'" label table.csv --vertices 4294967296
fails 2 "--output 'made/l.png' is no .npy" label table.csv --output made/l.png
fails 2 "both name 'made/l.npy'" label table.csv --output made/l.npy --sizes made/l.npy
fails 2 "both need standard output" label table.csv --output - --json
fails 2 "'empty.txt' has no edges: give --vertices" label empty.txt --output made/l.npy
fails 1 "cannot write" label table.csv --output made/there/l.npy
fails 1 "missing.txt: No such file" label missing.txt
bytes 1 2 0 3 10 > binary
fails 1 "is neither a text nor a NumPy array" label binary
text() { printf "$1" > wrong.txt; fails 1 "$2" label wrong.txt --output made/l.npy; }
text '0 1\n2 three\n' "line 2: 'three' is no number of a vertex"
text '0 1\n\n7\n' "line 3 has no number of a vertex"
text '0 -1\n' "line 1: '-1' is no number of a vertex"
text '0 1.5\n' "line 1: '1.5' is no number of a vertex"
text '0 4294967295\n' "line 1: the vertex 4294967295 is not one of 0 to 4294967294"
text '0 99999999999999999999\n' "line 1: '99999999999999999999' is no number of a vertex"
text '%%%%MatrixMarket matrix array real general\n2 2\n' "'array' is no sparse matrix"
text '%%%%MatrixMarket matrix coordinate real general\n' "ends before the size"
text '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' "2 rows and 3 columns"
text '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n' "has 1 entries, not 2"
text '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n' "the vertex 0 is not one of 1 to 2"
text '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n' "line 3: the vertex 3 is not one of 1 to 2"
npy() { { array "$1" "$2" && bytes $3; } > wrong.npy; fails 1 "$4" label wrong.npy --output made/l.npy; }
npy '<f4' '1, 2' "0 0 0 0 0 0 0 0" "edges are integers of 32 or 64 bits, not f32"
npy '<i4' '1, 3' "0 0 0 0 0 0 0 0 0 0 0 0" "has the shape (edges, 2)"
npy '<i4' '2,' "0 0 0 0 0 0 0 0" "has the shape (edges, 2)"
npy '<i4' '2, 2' "0 0 0 0 0 0 0 0" "wrong.npy: "
npy '<i4' '1, 2' "0 0 0 0 255 255 255 255" "edge 0 has the vertex -1"
npy '<u4' '1, 2' "0 0 0 0 255 255 255 255" "edge 0 has the vertex 4294967295, above 2^32 - 2"
done_testing
