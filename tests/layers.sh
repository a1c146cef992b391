#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A folder of src/ includes only itself and what is above it in this list, and uses functions and
# tables from there alone. The programs, which are bench, cli and mpi, include only the public
# headers, program.h and themselves. The list is also in doc/design/adding-a-kernel.md and
# HACKING.md.
# A folder of cl/ includes only itself and what stands before it in a list of HACKING.md.
# No two files use each other, directly or through others: neither objects of src/, by symbols, nor
# headers, by includes.
. "$srcdir/tests/tap.sh"
families="core forest model sites border image bands resident heat houdayer paper measure vector interface graph"
layers="base ocl core family plan update label graph estimate run io bench cli mpi python"

# Prints "FILE includes WHAT" for each include in src/ under $1 that runs upward.
upward() {
    (
        cd "$1/src" || exit 1
        allowed="clup.h clup/ program.h"
        for layer in $layers; do
            allowed="$allowed $layer/"
            case "$layer" in
            bench) allowed="clup.h clup/ program.h bench/" ;;
            cli) allowed="clup.h clup/ program.h bench/ cli/" ;;
            mpi) allowed="clup.h clup/ program.h clup_mpi.h cli/ mpi/" ;;
            esac
            for file in $(find "$layer" -name '*.[ch]' | LC_ALL=C sort); do
                [ -e "$file" ] || continue
                sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r what; do
                    case "$what" in
                    config.h | *.clh) case "$layer" in bench | cli) ;; *) continue ;; esac ;;
                    esac
                    found=no
                    for prefix in $allowed; do
                        case "$what" in "$prefix"*) found=yes ;; esac
                    done
                    [ $found = yes ] || echo "$file includes $what"
                done
            done
        done
    )
}

# Prints "FILE includes WHAT" for each include in cl/ under $1 of a folder that comes later, or of no folder.
later_family() {
    (
        cd "$1/cl" || exit 1
        allowed=" "
        for family in $families; do
            allowed="$allowed$family/ "
            grep -o '^#include "[^"]*"' /dev/null "$family"/*.cl* | sed 's/:#include "/ /; s/"$//' | while read -r file what; do
                case "$allowed" in *" ${what%/*}/ "*) ;; *) echo "$file includes $what" ;; esac
            done
        done
    )
}

# The symbols of the objects of src/ under $1 whose sources are there: "OBJECT: SYMBOL TYPE ..". Those of libraries are in a folder of libtool's.
symbols() {
    (
        cd "$1/src" || exit 1
        find . -name '*.o' | sed 's|^\./||' | LC_ALL=C sort | while read -r object; do
            source=$(echo "${object%.o}.c" | sed 's|\.libs/||')
            [ -e "$srcdir/src/$source" ] && echo "$object"
        done | {
            # it may have options
            # shellcheck disable=SC2086
            xargs ${NM:-nm} -A -P
        }
    )
}

# Prints "OBJECT takes SYMBOL of OBJECT" for each that runs upward in a list of symbols, from stdin.
taken_upward() {
    LC_ALL=C awk -v layers="$layers" '
        BEGIN { for (k = split(layers, names, " "); k > 0; k--) place[names[k]] = k }
        function place_of(object) { return place[substr(object, 1, index(object, "/") - 1)] }
        { sub(/:$/, "", $1); sub(/\.libs\//, "", $1) }
        $3 == "U" { takes[++count] = $1 " " $2 }
        $3 ~ /^[A-TV-Z]$/ && !($2 in from) { from[$2] = $1 }
        END {
            for (k = 1; k <= count; k++) {
                split(takes[k], pair, " ")
                if (pair[2] in from && place_of(from[pair[2]]) > place_of(pair[1]))
                    print pair[1] " takes " pair[2] " of " from[pair[2]]
            }
        }'
}

# Prints "OBJECT OBJECT" for each object that takes a symbol of another one in a list of symbols, from stdin.
taken() {
    LC_ALL=C awk '
        { sub(/:$/, "", $1); sub(/\.libs\//, "", $1) }
        $3 == "U" { takes[++count] = $1 " " $2 }
        $3 ~ /^[A-TV-Z]$/ && !($2 in from) { from[$2] = $1 }
        END {
            for (k = 1; k <= count; k++) {
                split(takes[k], pair, " ")
                if (pair[2] in from && from[pair[2]] != pair[1])
                    print pair[1] " " from[pair[2]]
            }
        }'
}

# Prints "HEADER HEADER" for each header of include/, src/ and cl/ under $1 that includes another one.
included() {
    for folder in include src cl; do
        (
            cd "$1/$folder" || exit 1
            find . -name '*.h' -o -name '*.clh' | sed 's|^\./||' | while read -r header; do
                sed -n "s|^#include \"\([^\"]*\)\".*|$header \1|p" "$header"
            done
        )
    done
}

# Prints a line for each circle of the pairs "A B", A uses B, from stdin: all that reach each other.
circles() {
    LC_ALL=C sort -u | LC_ALL=C awk '
        function add(name) { if (!(name in uses)) { uses[name] = ""; names[++count] = name } }
        function visit(start, name,   next_ones, k, n) {
            n = split(uses[name], next_ones, " ")
            for (k = 1; k <= n; k++)
                if (!((start, next_ones[k]) in reached)) {
                    reached[start, next_ones[k]] = 1
                    visit(start, next_ones[k])
                }
        }
        { add($1); add($2); uses[$1] = uses[$1] " " $2 }
        END {
            for (a = 1; a <= count; a++)
                visit(names[a], names[a])
            for (a = 1; a <= count; a++) {
                if (!((names[a], names[a]) in reached) || names[a] in told)
                    continue
                line = ""
                for (b = 1; b <= count; b++)
                    if ((names[a], names[b]) in reached && (names[b], names[a]) in reached) {
                        told[names[b]] = 1
                        line = line (line == "" ? "" : " ") names[b]
                    }
                print line
            }
        }'
}

is "$(upward "$srcdir")" "" "no include runs upward"
is "$(later_family "$srcdir")" "" "nor in cl/"
is "$(cd "$srcdir/cl" && echo */ | tr -d / | tr ' ' '\n' | sort | tr '\n' ' ')" "$(echo "$families" | tr ' ' '\n' | sort | tr '\n' ' ')" "every folder of cl/ has its place in the list"
is "$(sed -n 's|^ \{24\}\([a-z]*\)  .*|\1|p' "$srcdir/HACKING.md" | tr '\n' ' ')" "$families " "which is that of HACKING.md"
is "$(cd "$srcdir/cl" && ls */* | sed 's|.*/||' | sort | uniq -d)" "" "no two files of cl/ have the same name"
cp -R "$srcdir/cl" "$scratch/cl" && chmod -R u+w "$scratch/cl"
echo '#include "measure/pairs.clh"' >> "$scratch/cl/border/nodes.clh"
echo '#include "types.clh"' >> "$scratch/cl/core/spins.clh"
is "$(later_family "$scratch" | tr '\n' ' ')" "core/spins.clh includes types.clh border/nodes.clh includes measure/pairs.clh " "what is not so is found"
folders=$(cd "$srcdir/src" && ls -d */ | tr -d / | grep -v '^ocl$' | sort | tr '\n' ' ')
is "$folders" "$(echo "$layers" | tr ' ' '\n' | grep -v '^ocl$' | sort | tr '\n' ' ')" "every folder of src/ has its place in the list"
for page in doc/design/adding-a-kernel.md HACKING.md; do
    is "$(sed -n 's|^ *src/\([a-z]*\)/ .*|\1|p' "$srcdir/$page" | tr '\n' ' ')" "$layers " "which is that of $page"
done

# the check itself sees an arrow that runs back
for plant in "base/status.c ocl/context.h" "ocl/context.c core/state.h" "family/paper_sew.c run/measure.h" "cli/main.c base/status.h" "bench/draw/fit.c base/status.h" "bench/draw/fit.c cli/cli.h"; do
    rm -rf "$scratch/src"
    cp -R "$srcdir/src" "$scratch/src"
    chmod -R u+w "$scratch/src"
    file=${plant% *}
    what=${plant#* }
    echo "#include \"$what\"" >> "$scratch/src/$file"
    is "$(upward "$scratch")" "$file includes $what" "an include of $what in $file is found"
done

# the same of symbols, in what was built
symbols "$(dirname "$CLUP")" > "$scratch/symbols"
built=${layers% python}
[ -x "$CLUP-mpi" ] || built=${built% mpi}
is "$(cut -d/ -f1 "$scratch/symbols" | uniq | sort -u | tr '\n' ' ')" "$(echo "$built" | tr ' ' '\n' | sort | tr '\n' ' ')" "every folder has objects"
is "$(taken_upward < "$scratch/symbols")" "" "no symbol runs upward"
for plant in "family/paper_sew.o base clup_prepared_launch_groups core/launch.o" "io/npy.o ocl clup_image_measure io/pixels.o" "cli/label/command.o run cli_fail cli/fail.o" "bench/draw/fit.o io bench_fail bench/status.o"; do
    # shellcheck disable=SC2086
    set -- $plant
    sed -E "s|^${1%/*}/(\.libs/)?${1##*/}|$2/${1##*/}|" "$scratch/symbols" | taken_upward | grep -qx "$2/${1##*/} takes $3 of $4"
    ok $? "that $1 takes $3 would be found in $2"
done

# circles, of headers and of objects; and those that are planted are found
sorted() {
    tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' '
}
is "$(included "$srcdir" | circles)" "" "no two headers include each other"
is "$( (included "$srcdir"; echo "core/random.clh core/record.clh"; echo "core/record.clh core/random.clh") | circles | sorted)" "core/random.clh core/record.clh " "two that would are found"
is "$(taken < "$scratch/symbols" | circles)" "" "no two objects use each other"
is "$( (cat "$scratch/symbols"; echo "run/verify_percolation.o: clup_engine_create U") | taken | circles | sorted)" "run/engine.o run/verify_percolation.o " "two that would are found"
is "$( (cat "$scratch/symbols"; echo "core/lattice.o: clup_model_of U") | taken | circles | sorted)" "core/image.o core/lattice.o core/model.o " "and more, of which two use each other by way of a third"
done_testing
