#!/bin/sh
# A folder of src/ includes only itself and what stands above it in this list; the program includes only the public header.
. "$srcdir/tests/tap.sh"
layers="base ocl model label plan update observe io"

# Prints "FILE includes WHAT" for each include in src/ under $1 that runs upward.
upward() {
    (
        cd "$1/src" || exit 1
        allowed=clup.h
        for layer in $layers; do
            allowed="$allowed $layer/"
            for file in "$layer"/*.[ch]; do
                sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r what; do
                    case "$what" in
                    config.h | *.clh) continue ;;
                    esac
                    found=no
                    for prefix in $allowed; do
                        case "$what" in "$prefix"*) found=yes ;; esac
                    done
                    [ $found = yes ] || echo "$file includes $what"
                done
            done
        done
        for file in cli/*.[ch]; do
            sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | grep -v -e '^cli/' -e '^clup\.h$' | sed "s|^|$file includes |"
        done
    )
}

is "$(upward "$srcdir")" "" "no include runs upward"
folders=$(cd "$srcdir/src" && ls -d */ | tr -d / | grep -v '^ocl$' | sort | tr '\n' ' ')
is "$folders" "$(echo $layers cli | tr ' ' '\n' | grep -v '^ocl$' | sort | tr '\n' ' ')" "every folder of src/ has its place in the list"

# the check itself sees an arrow that runs back
for plant in "base/status.c ocl/context.h" "ocl/context.c model/state.h" "label/sew.c observe/measure.h" "cli/main.c base/status.h"; do
    rm -rf "$scratch/src"
    cp -R "$srcdir/src" "$scratch/src"
    chmod -R u+w "$scratch/src"
    file=${plant% *}
    what=${plant#* }
    echo "#include \"$what\"" >> "$scratch/src/$file"
    is "$(upward "$scratch")" "$file includes $what" "an include of $what in $file is found"
done
done_testing
