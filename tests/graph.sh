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
# archives as scipy.sparse.save_npz writes them. packed FILE stored|deflated: its bytes, and those of gzip's, whose ends have the checksum and the size
little() { value=$1 count=$2 && while [ "$count" -gt 0 ]; do bytes $((value % 256)) && value=$((value / 256)) count=$((count - 1)); done; }
length() { wc -c < "$1" | tr -d ' '; }
# archive STORED|DEFLATED (0|8) FILE..: an archive of the files
archive() {
    method=$1 && shift
    : > directory
    offset=0
    for file in "$@"; do
        gzip -nc "$file" > gz
        if [ "$method" = 8 ]; then head -c $(($(length gz) - 8)) gz | tail -c +11 > packed; else cp "$file" packed; fi
        { little "$method" 2 && little 0 4 && tail -c 8 gz | head -c 4 && little "$(length packed)" 4 && little "$(length "$file")" 4 && little ${#file} 2; } > numbers
        { printf 'PK\003\004' && little 20 2 && little 0 2 && cat numbers && little 0 2 && printf %s "$file" && cat packed; } > piece
        { printf 'PK\001\002' && little 20 2 && little 20 2 && little 0 2 && cat numbers && little 0 8 && little 0 4 && little "$offset" 4 && printf %s "$file"; } >> directory
        cat piece
        offset=$((offset + $(length piece)))
    done
    cat directory
    printf 'PK\005\006' && little 0 4 && little $# 2 && little $# 2 && little "$(length directory)" 4 && little "$offset" 4 && little 0 2
}
numbers() { type=$1 width=$2 && shift 2 && array "$type" "$#," && for word in "$@"; do little "$word" "$width"; done; }
{ array '|S3' '' && printf csr; } > format.npy
numbers '<i8' 8 5 5 > shape.npy
numbers '<i4' 4 0 1 1 2 2 3 > indptr.npy
numbers '<i4' 4 3 4 0 > indices.npy
archive 8 indices.npy indptr.npy format.npy shape.npy > csr.npz
finds "a sparse matrix, deflated" 5 3 2 4 1 0 1 0 0 0 -- csr.npz
archive 0 indices.npy indptr.npy format.npy shape.npy > stored.npz
finds "stored" 5 3 2 4 1 0 1 0 0 0 -- stored.npz
numbers '<i8' 8 1 1 > shape.npy && numbers '<i8' 8 0 0 > indptr.npy && numbers '<i8' 8 > indices.npy
archive 8 shape.npy indices.npy indptr.npy format.npy > one.npz
finds "one vertex" 1 0 1 1 1 0 -- one.npz
{ array '<U3' '' && bytes 99 0 0 0 111 0 0 0 111 0 0 0; } > format.npy
numbers '<i8' 8 4 4 > shape.npy && numbers '<i8' 8 1 3 > row.npy && numbers '<u4' 4 1 0 > col.npy
archive 8 shape.npy row.npy col.npy format.npy > coo.npz
finds "by rows and columns" 4 2 3 2 2 0 1 2 0 -- coo.npz
{ array '<i4' '0, 2'; } > none.npy
finds "an array without edges" 2 0 2 1 2 0 1 -- none.npy --vertices 2
printf '\357\273\277from,to\n0,3\n' > mark.csv
finds "a table with UTF-8's mark" 4 1 3 2 2 0 1 2 0 -- mark.csv
printf '%%%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 7\n' > u.mtx
finds "unsigned integers" 2 1 1 2 0 0 0 -- u.mtx
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

# a ring of three vertices with a loop and a second edge: its curve by hand
printf '0 1\n1 2\n2 0\n1 1\n0 1\n' > ring.txt
"$CLUP" graph percolate ring.txt --simple --samples 4 -q --steps - > steps.csv 2> err
is "$? $(cut -d , -f 1-4 steps.csv | tr '\n' ' ')$(cat err)" "0 step,clusters,clusters_error,largest_cluster 0,1,0,0.3333333333333333 1,0.6666666666666666,0,0.6666666666666666 2,0.3333333333333333,0,1 3,0.3333333333333333,0,1 " "each step of a ring"
"$CLUP" graph percolate ring.txt --samples 2 -q --kind site --steps - | cut -d , -f 1-2 > steps.csv
"$CLUP" graph percolate ring.txt --simple --algorithm direct --ps 0.3,0.6 --samples 30 --seed 4 -q --series samples.csv > direct
"$CLUP" analyse samples.csv --format csv | awk -F, '$2 == "clusters" || $2 == "largest_cluster" { printf "%s %.12g\n", $8, $11 }' > analysed
awk -F, '/^[0-9]/ { n[$1]++; clusters[$1] += $3; largest[$1] += $4 } END { for (k = 0; k < 2; k++) printf "%s %.12g\n%s %.12g\n", k ? 0.6 : 0.3, clusters[k] / n[k], k ? 0.6 : 0.3, largest[k] / n[k] }' samples.csv > means
is "$(grep -c '^[01],' samples.csv) $(awk '{ printf "%.6f %.10f ", $1, $2 }' analysed)" "60 $(awk '{ printf "%.6f %.10f ", $1, $2 }' means)" "samples, whose values clup analyse reads"
is "$(tr '\n' ' ' < steps.csv)" "step,clusters 0,0 1,0.3333333333333333 2,0.3333333333333333 3,0.3333333333333333 " "vertices of a ring"
"$CLUP" graph percolate ring.txt --ps 0.5 --samples 4000 --json -q > out.json
"$CLUP" graph percolate ring.txt --ps 0.5 --samples 4000 --json -q --reference > host.json
# two edges are the same, so that pairs are connected with 3/4, 1/2 and 1/2: no pair with 1/16, one with 5/16, and two or three with 10/16
is "$(sed 's/.*"clusters":{"mean":\([0-9.]*\),"error":\([0-9.]*\),.*/\1 \2/' out.json | awk '{ wanted = (3 * 1 + 2 * 5 + 1 * 10) / 16 / 3; d = ($1 - wanted) / $2; print(d < 5 && d > -5) }')" 1 "the mean number of clusters at p = 1/2"
is "$(sed 's/.*"points*"//; s/"wall_s".*//' out.json | sed 's/.*"observables"//')" "$(sed 's/"wall_s".*//; s/.*"observables"//' host.json)" "the same on the host"
"$CLUP" graph percolate ring.txt --ps 0.2,0.8 --samples 300 -q > table
is "$? $(grep -c '^ *0\.[28]  ' table)" "0 2" "a line for each p"
"$CLUP" graph label ring.txt --simple --json > out.json
is "$(value edges out.json)" 3 "a simple graph has three edges"
fails 2 "give --ps, --steps or both" percolate ring.txt
fails 2 "p = 1.5 is not between 0 and 1" percolate ring.txt --ps 1.5
fails 2 "graph percolate has no --sizes" percolate ring.txt --ps 0.5 --sizes s.npy
fails 2 "graph label has no --ps" label ring.txt --ps 0.5
fails 2 "--steps 'made/s.txt' is no .csv" percolate ring.txt --steps made/s.txt
fails 2 "both need standard output" percolate ring.txt --steps - --json
fails 2 "--series needs --algorithm direct" percolate ring.txt --ps 0.5 --series s.csv
fails 2 "--series 's.txt': the extension is not .h5 or .csv" percolate ring.txt --ps 0.5 --algorithm direct --series s.txt
fails 2 "'empty.txt' has no edges: give --vertices" percolate empty.txt --ps 0.5
fails 2 "--device goes without --reference" percolate ring.txt --ps 0.5 --reference --device cpu
fails 1 "cannot write" percolate ring.txt --steps made/there/s.csv

fails 2 "label|percolate|simulate EDGES is missing" label
fails 2 "'count' is no task; there are label, percolate and simulate" count table.csv
fails 2 "unexpected argument 'm.mtx'" label table.csv m.mtx
fails 2 "--vertices '3': 'table.csv' has 4" label table.csv --vertices 3
fails 2 "--vertices '0'" label table.csv --vertices 0
fails 2 "--vertices '4294967296'" label table.csv --vertices 4294967296
fails 2 "--output 'made/l.png' is no .npy" label table.csv --output made/l.png
fails 2 "both name 'made/l.npy'" label table.csv --output made/l.npy --sizes made/l.npy
fails 2 "both need standard output" label table.csv --output - --json
fails 2 "'empty.txt' has no edges: give --vertices" label empty.txt --output made/l.npy
fails 2 "'none.npy' has no edges: give --vertices" label none.npy --output made/l.npy
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
npy '<f4' '1, 2' "0 0 0 0 0 0 0 0" "numbers of the type f32, not integers of 32 or 64 bits"
npy '<i4' '1, 3' "0 0 0 0 0 0 0 0 0 0 0 0" "has the shape (edges, 2)"
npy '<i4' '2,' "0 0 0 0 0 0 0 0" "has the shape (edges, 2)"
npy '<i4' '2, 2' "0 0 0 0 0 0 0 0" "wrong.npy: the array has 8 bytes, its 4 numbers need 16"
npy '<i4' '1, 2' "0 0 0 0 255 255 255 255" "edge 0 has the vertex -1"
npy '<u4' '1, 2' "0 0 0 0 255 255 255 255" "edge 0 has the vertex 4294967295, above 2^32 - 2"
npz() { cp "$1" wrong.npz; fails 1 "$2" label wrong.npz --output made/l.npy; }
head -c 400 csr.npz > short.npz
npz short.npz "wrong.npz: the archive's directory is damaged"
sed 's/PK\x01\x02/PK\x01\x03/' csr.npz > torn.npz
npz torn.npz "the archive's directory is damaged"
{ head -c 200 stored.npz && bytes 9 && tail -c +202 stored.npz; } > flipped.npz
npz flipped.npz "npy is damaged"
archive 9 shape.npy format.npy > method.npz
npz method.npz "is compressed by method 9; there is deflate"
archive 0 row.npy > lone.npz
npz lone.npz "the archive has no sparse matrix"
archive 8 row.npy format.npy shape.npy > half.npz
npz half.npz "the archive has no col.npy"
numbers '<u4' 4 1 > col.npy && archive 8 shape.npy row.npy col.npy format.npy > uneven.npz
npz uneven.npz "row.npy has 2 entries, col.npy 1"
numbers '<u4' 4 1 4 > col.npy && archive 8 shape.npy row.npy col.npy format.npy > far.npz
npz far.npz "col.npy: entry 1 is the vertex 4, there are 4"
{ array '|S3' '' && printf bsr; } > format.npy
archive 8 shape.npy format.npy > bsr.npz
npz bsr.npz "sparse matrices of the format bsr are not read; there is csr, csc and coo"
{ array '|S3' '' && printf csc; } > format.npy
numbers '<i4' 4 0 1 0 1 1 > indptr.npy && numbers '<i4' 4 2 > indices.npy && archive 8 shape.npy indptr.npy indices.npy format.npy > falls.npz
npz falls.npz "indptr.npy falls, or leads too far, at 1"
numbers '<i4' 4 0 1 1 1 2 > indptr.npy && archive 8 shape.npy indptr.npy indices.npy format.npy > beyond.npz
npz beyond.npz "indptr.npy leads from 0 to 2, not from 0 to 1"
numbers '<i8' 8 4 5 > shape.npy && archive 8 shape.npy indptr.npy indices.npy format.npy > oblong.npz
npz oblong.npz "4 rows and 5 columns"
# ---- spins on graphs ----
# simulates ARGUMENT..: prints the hash of the spins and energy
simulates() {
    "$CLUP" "$@" -q --json > out.json 2> err || cat err
    echo "$(value spins_sha256 out.json) $(sed -n 's/.*"energy":{"mean":\([^,]*\),.*/\1/p' out.json)"
}
printf '%s\n' '0,1,1.5' '1,2,-0.5' '2,3,0.25' '3,0,1' '0,0,1' '2,4,-2' '1,2,0.125' > ring.csv
"$CLUP" simulate --graph ring.csv --beta 0.7 --sweeps 20 --seed 3 -q --save-spins spins.npy > out 2> err
is "$?" 0 "spins on a graph"
"$CLUP" simulate --graph ring.csv --beta 0.7 --sweeps 2 -q --json | grep -q '"lattice":"graph","size":\[5\],'
ok $? "which is as large as there are vertices"
grep -q '^  problem  *graph of 5 vertices;' out
ok $? "which is named in the report"
grep -aq "'shape': (5, )" spins.npy
ok $? "and saved, one axis of vertices"
usual="--model ising --beta 0.7 --sweeps 20 --seed 3"
# shellcheck disable=SC2086
wanted=$(simulates simulate --graph ring.csv $usual --bond-couplings ring.csv --reference)
# shellcheck disable=SC2086
is "$(simulates graph simulate ring.csv $usual --bond-couplings ring.csv)" "$wanted" "the same by graph simulate, on the device and by the reference"
printf '%%%%MatrixMarket matrix coordinate real general\n5 5 7\n1 2 1.5\n2 3 -0.5\n3 4 0.25\n4 1 1\n1 1 1\n3 5 -2\n2 3 .125\n' > ring.mtx
# shellcheck disable=SC2086
is "$(simulates simulate --graph ring.mtx $usual --bond-couplings ring.mtx)" "$wanted" "and as a Matrix Market file"
{ array '<f8' '7,' && bytes 0 0 0 0 0 0 248 63 0 0 0 0 0 0 224 191 0 0 0 0 0 0 208 63 0 0 0 0 0 0 240 63 0 0 0 0 0 0 240 63 0 0 0 0 0 0 0 192 0 0 0 0 0 0 192 63; } > J.npy
# shellcheck disable=SC2086
is "$(simulates simulate --graph ring.csv $usual --bond-couplings J.npy)" "$wanted" "and with couplings as an array"
{ array '|S3' '' && printf coo; } > format.npy
numbers '<i8' 8 5 5 > shape.npy && numbers '<i4' 4 0 1 2 3 0 2 1 > row.npy && numbers '<i4' 4 1 2 3 0 0 4 2 > col.npy
cp J.npy data.npy && archive 8 shape.npy row.npy col.npy data.npy format.npy > ring.npz
# shellcheck disable=SC2086
is "$(simulates simulate --graph ring.npz $usual --bond-couplings ring.npz)" "$wanted" "and as a sparse matrix"
numbers '<i4' 4 1 2 3 > data.npy && archive 8 shape.npy row.npy col.npy data.npy format.npy > short.npz
# shellcheck disable=SC2086
is "$(simulates simulate --graph ring.csv $usual)" "$(simulates simulate --graph ring.csv $usual --coupling 1)" "without couplings they are 1"
"$CLUP" simulate --graph ring.csv --model ising --beta 0.7 --sweeps 10 --seed 3 --bond-couplings ring.csv -q --checkpoint run.h5 --series run.csv > out
grep -q ' sha256:[0-9a-f]*$' out
ok $? "results name the graph"
is "$(simulates resume run.h5 --sweeps 20 --graph ring.csv --bond-couplings ring.csv | cut -d' ' -f1)" "${wanted% *}" "a run goes on from its checkpoint"
"$CLUP" analyse run.csv > out 2> err
ok $? "and its series are analysed: $(cat err)"
# spins_fail CODE TEXT ARGUMENT..
spins_fail() {
    code=$1 text=$2
    shift 2
    "$CLUP" "$@" -q > out 2> err
    is "$? $(wc -c < out | tr -d ' ')" "$code 0" "clup $* exits with $code"
    grep -qF -- "$text" err
    ok $? "and says '$text': $(cat err)"
}
spins_fail 2 "is not known: its file has to be given again" resume run.h5 --bond-couplings ring.csv
spins_fail 2 "'run.h5' has another graph" resume run.h5 --graph table.csv
spins_fail 2 "--graph 'nowhere.csv' is no graph" simulate --graph nowhere.csv
spins_fail 2 "the graph has no edges" simulate --graph none.mtx
spins_fail 2 "--size does not go with --graph" simulate --graph ring.csv --size 5 --beta 1
spins_fail 2 "--lattice does not go with --graph" simulate --graph ring.csv --lattice cubic --beta 1
spins_fail 2 "--lattice does not go with --graph" simulate --lattice square --graph ring.csv --beta 1
spins_fail 2 "--open does not go with --graph" simulate --graph ring.csv --open x --beta 1
spins_fail 2 "--graph EDGES says which" simulate --lattice graph --beta 1
spins_fail 2 "there are no pictures of graphs" simulate --graph ring.csv --beta 1 --save-spins ring.png
spins_fail 2 "are not timed here" bench --sweeps --lattice hypercubic
spins_fail 2 "unknown option" graph simulate --nothing ring.csv
"$CLUP" graph simulate --help | grep -q -- --bond-couplings
ok $? "clup graph simulate --help has the options"
spins_fail 2 "give --beta" simulate --graph ring.csv
spins_fail 2 "of graphs there are clusters and signed" simulate --graph ring.csv --beta 1 --observables modes
spins_fail 2 "there is no heat bath" simulate --graph ring.csv --beta 1 --heat-bath 1
spins_fail 2 "is not there for graphs" simulate --graph ring.csv --beta 1 --model xy
spins_fail 2 "no vacant sites" simulate --graph ring.csv --beta 1 --disorder site-dilute=0.1
spins_fail 2 "there are couplings for 1 x 7 bonds: the graph has 3 edges" simulate --graph table.csv --beta 1 --bond-couplings ring.csv
spins_fail 2 "line 1 has no weight of an edge" simulate --graph ring.csv --beta 1 --bond-couplings loop.txt
printf '0 1 %0500d\n' 1 > long.txt
printf '0 1 0.%040de41\n1 2 -2\n' 1 > small.txt
printf '0 1 10\n1 2 -2\n' > same.txt
spins_fail 2 "is no weight of an edge" simulate --graph ring.csv --beta 1 --bond-couplings long.txt
is "$(simulates simulate --graph same.txt --model ising --beta 1 --sweeps 9 --bond-couplings small.txt)" "$(simulates simulate --graph same.txt --model ising --beta 1 --sweeps 9 --bond-couplings same.txt)" "a long weight is read to its end"
spins_fail 2 "the entries of the matrix are no real numbers" simulate --graph ring.csv --beta 1 --bond-couplings none.mtx
spins_fail 2 "data.npy is no array of 7 numbers" simulate --graph ring.csv --beta 1 --bond-couplings short.npz
spins_fail 2 "there are couplings for 3 x 2 bonds" simulate --graph e.npy --beta 1 --bond-couplings e.npy
# lattices of cells
printf 'name = "honeycomb"\nsites = 2\nbonds = [[0, 1, [0, 0]], [1, 0, [1, 0]], [1, 0, [0, 1], 0.5]]\n' > hc.toml
for lattice in "hypercubic --size 3x4x2x3 --open y,4" "hc.toml --size 5" "hc.toml --size 5x3 --open x"; do
    # shellcheck disable=SC2086
    wanted=$(simulates simulate --lattice $lattice $usual --reference)
    # shellcheck disable=SC2086
    is "$(simulates simulate --lattice $lattice $usual)" "$wanted" "--lattice $lattice: the reference's spins"
    # shellcheck disable=SC2086
    "$CLUP" simulate --lattice $lattice --model ising --beta 0.7 --sweeps 10 --seed 3 -q --checkpoint cells.h5 --series cells.csv > out
    mv hc.toml away.toml
    is "$(simulates resume cells.h5 --sweeps 20 | cut -d' ' -f1)" "${wanted% *}" "and a checkpoint has the lattice"
    "$CLUP" analyse cells.csv > out2 2> err
    ok $? "its series too: $(cat err)"
    mv away.toml hc.toml
done
grep -q '^  problem  *honeycomb 5x3, open along x;' out
ok $? "a report names the lattice"
for options in "hypercubic --size 4x3x5x4 --open 4 --kind site" "hc.toml --size 6x5"; do
    # shellcheck disable=SC2086
    "$CLUP" percolate --algorithm newman-ziff --lattice $options --ps 0.3,0.6 --samples 20 -q --steps found.csv > out
    # shellcheck disable=SC2086
    "$CLUP" percolate --algorithm newman-ziff --lattice $options --ps 0.3,0.6 --samples 20 -q --steps wanted.csv --reference > out2
    cmp -s found.csv wanted.csv && grep -q wrap_either out
    ok $? "percolation on $options: the reference's steps, with wrapping"
done
"$CLUP" percolate --algorithm newman-ziff --lattice hypercubic --size 4x3x5x4 --ps 0.3 --samples 20 -q --json | grep -q '"lattice":"graph","size":\[240\],"called":"hypercubic 4x3x5x4, periodic"'
ok $? "JSON says which lattice"
"$CLUP" simulate --lattice hypercubic --size 4x4x4x4 --model ising --sweeps 3 -q --json | grep -q '"beta":0.149693785,'
ok $? "the critical temperature of a lattice of four axes is known"
"$CLUP" percolate --lattice hypercubic --size 4x4x4x4 --kind site --samples 3 -q | grep -q 'p = 0.19688561 = p_c'
ok $? "and its critical probability"
spins_fail 2 "of q = 3 on the hypercubic 4x4x4x4, periodic lattice is not known: give --beta" simulate --lattice hypercubic --size 4x4x4x4 --q 3
# sizes of one problem are lattices of one cell: name, command of each file
unlike() {
    "$CLUP" analyse "$1" "$2" > out 2> err
    is "$? $(wc -c < out | tr -d ' ')" "2 0" "$1 and $2 are not sizes of one problem"
    grep -qF 'lattices differ' err
    ok $? "said so: $(cat err)"
}
for run in "flat hypercubic 4x4" "space hypercubic 4x4x4" "open hypercubic 6x6 --open x" "large hypercubic 6x8" "hc hc.toml 4x4" "hc6 hc.toml 6x6"; do
    # shellcheck disable=SC2086
    set -- $run
    name=$1 lattice=$2 size=$3
    shift 3
    "$CLUP" simulate --lattice "$lattice" --size "$size" "$@" --model ising --beta 0.3 --sweeps 50 -q --series "$name.csv" > out
done
unlike flat.csv space.csv
unlike flat.csv open.csv
unlike flat.csv hc.csv
for pair in "flat.csv large.csv" "hc.csv hc6.csv"; do
    # shellcheck disable=SC2086
    "$CLUP" analyse $pair --reweight 0.29,0.3 --json > out 2> err
    ok $? "$pair are sizes of one problem: $(cat err)"
done
grep -q '"size":\[72\],"called":"honeycomb 6x6, periodic"' out
ok $? "and JSON says which"
printf '%s\n' 'sweeps = 10' 'beta = 0.5' '[[points]]' 'graph = "ring.csv"' '[[points]]' 'lattice = "hypercubic"' 'size = "3x3x3x3"' '[[points]]' 'size = 8' > graphs.toml
"$CLUP" run graphs.toml > out 2> err
is "$? $(cat err)" "0 " "a job of graphs"
grep -q ': graph ring.csv, ' out
ok $? "says the graph while it runs"
is "$(sed 's/.*,//;s/:.*//' graphs/table.csv | tr '\n' ' ')" "graph sha256 hypercubic 3x3x3x3; periodic none " "its table names them"
# direct samples: on a lattice of a cell, and of a list of edges, as by the reference
direct() { "$CLUP" "$@" --json -q 2> err | sed 's/.*"samples_asked"//;s/"wall_s".*//'; }
is "$(direct percolate --lattice hypercubic --size 4x3x5x4 --open z --p 0.2 --samples 50)" "$(direct percolate --lattice hypercubic --size 4x3x5x4 --open z --p 0.2 --samples 50 --reference)" "samples of a hypercubic lattice"
"$CLUP" percolate --lattice hypercubic --size 4x3x5x4 --p 1 --samples 2 -q > out
is "$(awk '$1 == "wrap_both" || $1 == "clusters" || $1 == "128" { print $1, $NF }' out)" "clusters 0.004166666667(0)
wrap_both 1(0)
128 0.004166666667(0)" "all bonds make one cluster that wraps, which the sizes show"
is "$(direct graph percolate ring.txt --algorithm direct --ps 0,0.3,1 --samples 50)" "$(direct graph percolate ring.txt --algorithm direct --ps 0,0.3,1 --samples 50 --reference)" "samples on a graph"
"$CLUP" graph percolate ring.txt --algorithm direct --ps 0.3 --samples 50 -q > out 2> err
is "$? $(cat err) $(grep -c 'samples at each p\|sites of a cluster\|wrap' out)" "0  2" "have sizes of clusters, and do not wrap"
fails 2 "--steps needs --algorithm newman-ziff" percolate ring.txt --algorithm direct --ps 0.5 --steps -
fails 2 "direct needs --ps" percolate ring.txt --algorithm direct
fails 2 "is not newman-ziff" percolate ring.txt --algorithm other --ps 0.5
fails 2 "graph label has no --algorithm" label ring.txt --algorithm direct
fails 2 "the graph has no edges" percolate none.mtx --algorithm direct --ps 0.5
spins_fail 2 "give --p" percolate --lattice hc.toml --size 4x4
spins_fail 2 "needs --size NxMxKx.." simulate --lattice hypercubic --size 4 --beta 1
spins_fail 2 "hc.toml needs --size" simulate --lattice hc.toml --beta 1
spins_fail 2 "a size along 3 axes: 'hc.toml' has 2" simulate --lattice hc.toml --size 4x4x4 --beta 1
spins_fail 2 "an axis is open that 'hc.toml', of 2 axes, has not" simulate --lattice hc.toml --size 4x4 --open z --beta 1
spins_fail 2 "is not a list of axes" simulate --lattice hc.toml --size 4x4 --open 9 --beta 1
spins_fail 2 "--open: the square lattice has 2 axes" simulate --open 4 --beta 1
spins_fail 2 "--size has 4 axes, the cubic lattice 3" simulate --lattice cubic --size 4x4x4x4 --beta 1
spins_fail 2 "--lattice does not go with --graph" simulate --lattice hypercubic --size 4x4 --graph ring.csv --beta 1
spins_fail 2 "is not N, NxM or NxMxK" simulate --lattice hypercubic --size 1x1x1x1x1x1x1x1x1 --beta 1
printf 'bonds = [[0, 0, [1, 0]], [0, 0, [-1, 0]]]\n' > twice.toml
spins_fail 2 "'twice.toml', line 1: bonds has one bond twice" simulate --lattice twice.toml --size 4 --beta 1
spins_fail 1 "nowhere.toml" simulate --lattice nowhere.toml --size 4 --beta 1
spins_fail 2 "graph bonds" simulate --graph ring.csv --beta 1 --bonds word
done_testing
