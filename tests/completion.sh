#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The completions that bash offers for a command line, with the script that clup completion prints.
# They have all commands and options of --help.
. "$srcdir/tests/tap.sh"
bash=$(command -v bash)
need_tool "$bash" bash

"$CLUP" completion bash > "$scratch/clup.bash"
ok $? "clup completion bash"
"$bash" -n "$scratch/clup.bash"
ok $? "bash can read it"
mkdir "$scratch/files" "$scratch/files/folder"
touch "$scratch/files/a.npy" "$scratch/files/b.png" "$scratch/files/two words.png" "$scratch/files/c.json"

# offers WORD..: what is offered for the last of these words, sorted, a line each
cat > "$scratch/offers" <<'END'
. ../clup.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_clup
printf '%s\n' "${COMPREPLY[@]}"
END
offers() { (cd "$scratch/files" && "$bash" ../offers "$@" | LC_ALL=C sort | paste -s -d, -); }

commands=$("$CLUP" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | grep -v clup | LC_ALL=C sort | paste -s -d, -)
is "$(offers clup '')" "--help,--version,$commands" "the commands"
for command in $(echo "$commands" | tr , ' '); do
    {
        echo --help
        "$CLUP" "$command" --help | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p'
    } | LC_ALL=C sort -u | paste -s -d, - > "$scratch/options"
    is "$(offers clup "$command" --)" "$(cat "$scratch/options")" "the options of clup $command"
done

is "$(offers clup sim)" "simulate" "a command that was begun"
is "$(offers clup simulate --latt)" "--lattice" "an option"
is "$(offers clup simulate --lattice '')" "bcc,chain,checkerboard,cubic,cubic-18,cubic-26,diamond,fcc,folder,honeycomb,hypercubic,kagome,lieb,square,square-8,square-octagon,triangular,union-jack" "choices, from the argument's text"
is "$(offers clup simulate --lattice tr)" "triangular" "a choice that was begun"
is "$(offers clup simulate --lattice = tr)" "triangular" "the same after ="
is "$(offers clup simulate --lattice =)" "bcc,chain,checkerboard,cubic,cubic-18,cubic-26,diamond,fcc,folder,honeycomb,hypercubic,kagome,lieb,square,square-8,square-octagon,triangular,union-jack" "and with nothing after ="
is "$(offers clup simulate --consolidate rel)" "relax,relax_multithread" "kernels of a stage, from the library's table"
is "$(offers clup plan --rng f)" "fibonacci" "generators"
is "$(offers clup bench --device g)" "gpu" "kinds of devices"
is "$(offers clup simulate --size '')" "" "nothing for a number"
is "$(offers clup simulate --open x,)" "x,x,x,y,x,z" "axes after a comma"
is "$(offers clup label --match t)" "threshold=,tolerance=" "the beginning of a value"
is "$(offers clup label --dtype f)" "f32,f64" "what may have an ending"
is "$(offers clup label '')" "a.npy,b.png,c.json,folder,two words.png" "files"
is "$(offers clup label -o '')" "-,a.npy,b.png,folder,two words.png" "files with the extensions of the argument's text, by the short form"
is "$(offers clup label b.png --stats c)" "c.json" "a file that was begun"
is "$(offers clup simulate --json '')" "$(offers clup simulate --)" "options after a flag"
is "$(offers clup completion '')" "bash,zsh" "shells"
is "$(offers clup compare '') $(offers clup compare x.json '')" "c.json,folder c.json,folder" "results, each time"
while read -r option list; do
    known=$("$CLUP" --version --json | sed "s/.*\"$list\":\[\([^]]*\)\].*/\1/" | tr -d '"' | tr , '\n' | LC_ALL=C sort | paste -s -d, -)
    # a graph is what --graph says; lattices of cells are no lattices to the library, and are files too
    [ "$option" = lattice ] && known=$(echo "$known" | sed 's/fcc,graph,honeycomb/fcc,folder,honeycomb,hypercubic/')
    is "$(offers clup simulate "--$option" '')" "$known" "all $list that the library has"
done << 'END'
lattice lattices
algorithm algorithms
rng rng
bonds bonds
END

"$CLUP" completion fish > "$scratch/out" 2> "$scratch/err"
is "$? $(cat "$scratch/out" "$scratch/err")" "2 clup: no completion for 'fish': there is bash and zsh" "another shell"
done_testing
