#!/bin/sh
# A folder of src/ includes only itself and what stands above it in this list, and takes functions and tables from there alone; the programs, which are
# bench, cli and mpi, include only the public header and itself. The list is that of doc/adding-a-kernel.md and HACKING.md.
. "$srcdir/tests/tap.sh"
layers="base ocl model label plan update observe io bench cli mpi python"

# Prints "FILE includes WHAT" for each include in src/ under $1 that runs upward.
upward() {
    (
        cd "$1/src" || exit 1
        allowed=clup.h
        for layer in $layers; do
            allowed="$allowed $layer/"
            case "$layer" in
            bench) allowed="clup.h bench/" ;;
            cli) allowed="clup.h bench/ cli/" ;;
            mpi) allowed="clup.h clup_mpi.h cli/ mpi/" ;;
            esac
            for file in "$layer"/*.[ch]; do
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

# The symbols of the objects of src/ under $1 whose sources are there: "OBJECT: SYMBOL TYPE ..". Those of libraries are in a folder of libtool's.
symbols() {
    (
        cd "$1/src" || exit 1
        for object in */.libs/*.o */*.o; do
            name=${object##*/}
            [ -e "$srcdir/src/${object%%/*}/${name%.o}.c" ] && echo "$object"
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

is "$(upward "$srcdir")" "" "no include runs upward"
folders=$(cd "$srcdir/src" && ls -d */ | tr -d / | grep -v '^ocl$' | sort | tr '\n' ' ')
is "$folders" "$(echo "$layers" | tr ' ' '\n' | grep -v '^ocl$' | sort | tr '\n' ' ')" "every folder of src/ has its place in the list"
for page in doc/adding-a-kernel.md HACKING.md; do
    is "$(sed -n 's|^ *src/\([a-z]*\)/ .*|\1|p' "$srcdir/$page" | tr '\n' ' ')" "$layers " "which is that of $page"
done

# the check itself sees an arrow that runs back
for plant in "base/status.c ocl/context.h" "ocl/context.c model/state.h" "label/sew.c observe/measure.h" "cli/main.c base/status.h" "bench/fit.c base/status.h" "bench/fit.c cli/cli.h"; do
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
for plant in "label/sew.o base clup_pass_launch_groups model/launch.o" "io/npy.o ocl clup_image_measure io/image.o" "cli/label.o observe cli_fail cli/main.o" "bench/fit.o io bench_fail bench/status.o"; do
    # shellcheck disable=SC2086
    set -- $plant
    sed -E "s|^${1%%/*}/(\.libs/)?${1##*/}|$2/${1##*/}|" "$scratch/symbols" | taken_upward | grep -qx "$2/${1##*/} takes $3 of $4"
    ok $? "that $1 takes $3 would be found in $2"
done
done_testing
