#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What zsh completes on TAB, in a terminal, with the script that clup completion prints.
. "$srcdir/tests/tap.sh"
need_tool "$ZSH" zsh

mkdir "$scratch/functions" "$scratch/files" "$scratch/files/folder"
touch "$scratch/files/c.npy" "$scratch/files/b.png" "$scratch/files/c.json"
"$CLUP" completion zsh > "$scratch/functions/_clup"
ok $? "clup completion zsh"
"$ZSH" -n "$scratch/functions/_clup"
ok $? "zsh can read it"

# completed LINE: the line after TAB. The terminal's shell prints it between marks when its last key is pressed.
cat > "$scratch/setup" <<END
cd $scratch/files
fpath=($scratch/functions \$fpath)
autoload -Uz compinit && compinit -u -D
zstyle ':completion:*' list false
unsetopt beep auto_list auto_menu zle_bracketed_paste
show() { print -r -- "<<\$BUFFER>>"; exit }
zle -N show
bindkey '^I' complete-word '^X' show
PS1='ready> '
END
cat > "$scratch/terminal" <<'END'
zmodload zsh/zpty || exit
zpty shell "$1" -f -i
zpty -w shell "TERM=dumb; . $2"
zpty -r -m shell out '*ready> *'
zpty -w -n shell "$3"$'\t\x18'
zpty -r -m shell out '*<<*>>*'
out=${${out##*<<}%%>>*}
print -r -- "$out"
zpty -d shell
END
completed() { timeout 60 "$ZSH" -f "$scratch/terminal" "$ZSH" "$scratch/setup" "$1"; }

is "$(completed 'clup perc')" "clup percolate " "a command"
is "$(completed 'clup simulate --latt')" "clup simulate --lattice=" "an option with a value"
is "$(completed 'clup simulate --ref')" "clup simulate --reference " "a flag"
is "$(completed 'clup simulate --lattice tri')" "clup simulate --lattice triangular " "a choice"
is "$(completed 'clup simulate --lattice=tri')" "clup simulate --lattice=triangular " "the same after ="
is "$(completed 'clup simulate --consolidate relax_')" "clup simulate --consolidate relax_multithread " "a kernel"
is "$(completed 'clup simulate --json --size ')" "clup simulate --json --size " "nothing for a number"
is "$(completed 'clup plan --rng fib')" "clup plan --rng fibonacci " "a generator"
is "$(completed 'clup label --match thr')" "clup label --match threshold=" "the beginning of a value"
is "$(completed 'clup label b')" "clup label b.png " "a file"
is "$(completed 'clup label -o c')" "clup label -o c.npy " "the file with one of the extensions"
is "$(completed 'clup label b.png --stats c')" "clup label b.png --stats c.json " "after an operand"
is "$(completed 'clup completion z')" "clup completion zsh " "a shell"
done_testing
