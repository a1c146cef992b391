#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the site is made of, without the tools that make it: the references name every function of the headers, every option of
# the program and every public name of the Python package; no page is left out; links that lead nowhere, and requests to other
# hosts, are found; and make site says which tools are missing.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v python3)" python3
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
mkdir "$scratch/reports"
python3 "$srcdir/doc/site/stage.py" "$srcdir" "$scratch/site" "$scratch/reports" 2> "$scratch/err"
ok $? "pages and references are made: $(tail -n 1 "$scratch/err")"

# declared HEADER..: the functions that headers declare
declared() { cat "$@" | grep -v '^#' | tr '\n' ' ' | grep -oE 'CLUP_API [^;]*;' | sed 's/^\([^(]*\)(.*/\1/; s/.*[ *]//' | LC_ALL=C sort; }
# described FOLDER: the functions that pages of the reference of C describe
described() { sed -n '/^\.\. c:function::/,/^$/p' "$1"/*.rst | sed -n 's/^\(\.\. c:function::\)\{0,1\} *\([^(]*\)(.*/\2/p' | sed 's/.*[ *]//' | LC_ALL=C sort; }
[ "$(declared "$srcdir"/include/clup/*.h | wc -l)" -gt 200 ]
ok $? "the headers have functions"
is "$(described "$scratch/site/reference/c")" "$(declared "$srcdir"/include/clup/*.h)" "the reference of C has each of them once"
for one in 'c:struct:: clup_problem' 'c:enumerator:: CLUP_ERROR_USAGE = 2' 'c:member:: uint32_t size\[3\]' 'c:macro:: CLUP_NOBODY' 'c:type:: int clup_watch('; do
    grep -q "$one" "$scratch"/site/reference/c/*.rst
    ok $? "and $one"
done
is "$(sed -n '/c:enumerator:: CLUP_ERROR_MEMORY/,/c:enumerator:: CLUP_ERROR_VERIFY/s/^ *\(the memory.*\)/\1/p' "$scratch/site/reference/c/base.rst")" \
    "the memory of the host or the device is too small, or the device's largest allocation is" "with the comment behind it"

options_of() { grep -oE -- '--[a-z][a-z-]*' | LC_ALL=C sort -u; }
for command in $("$CLUP" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | grep -v clup); do
    is "$(sed -n '/^\.\. option::/,/^$/p' "$scratch/site/reference/program/$command.rst" | options_of)" "$("$CLUP" "$command" --help | sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | grep -v '^--help$' | LC_ALL=C sort -u)" "the reference of clup $command has its options"
done
grep -q '^``6``$' "$scratch/site/reference/program/index.rst"
ok $? "and the reference of the program its exit codes"

names=$(sed -n '/^__all__/,/\]/p' "$srcdir/src/python/clup/__init__.py" | grep -oE '"[A-Za-z_]+"' | tr -d '"' | grep -v -x -e measure -e graph | LC_ALL=C sort)
is "$(sed -n 's/^\.\. auto[a-z]*:: clup\.\([A-Za-z_]*\)$/\1/p' "$scratch"/site/reference/python/*.rst | grep -v -x -e measure -e graph | LC_ALL=C sort)" "$names" "the reference of Python has each public name"

# each page is in a table of contents, or is the first one
for page in $(cd "$scratch/site" && find guide design notebook results reference glossary.md -name '*.md' -o -name '*.rst' | sed 's/\.[a-z]*$//' | LC_ALL=C sort); do
    cat "$scratch"/site/index.md "$scratch/site/$(dirname "$page")"/index.* 2> "$scratch/none" | grep -qE "^ *(.*<)?($page|$(basename "$page"))>?\$" || echo "$page"
done > "$scratch/lost"
is "$(grep -v '^results/index$' "$scratch/lost")" "" "each page is in a table of contents"

# the check of links
mkdir -p "$scratch/html/b"
echo '<h1 id="top">A</h1><a href="b/two.html#here">two</a><a href="#top">top</a><a href="https://example.org/x">another host, for the reader to follow</a>' > "$scratch/html/one.html"
echo '<p id="here">B</p><a href="../one.html">one</a><img src="../one.png">' > "$scratch/html/b/two.html"
: > "$scratch/html/one.png"
is "$(python3 "$srcdir/doc/site/check.py" "$scratch/html" 2>&1)" "2 pages, 4 links within them" "a site with links that are right"
# finds TEXT LINE: what a page with that line more is told
finds() {
    echo "$2" > "$scratch/html/three.html"
    python3 "$srcdir/doc/site/check.py" "$scratch/html" > "$scratch/out" 2>&1
    is "$? $(grep -c "$1" "$scratch/out")" "1 1" "$1"
}
finds 'nowhere.html is not there' '<a href="nowhere.html">x</a>'
finds 'one.html#nowhere has no such place' '<a href="one.html#nowhere">x</a>'
finds 'fetches https://fonts' '<link rel="stylesheet" href="https://fonts.example.org/a.css">'
finds 'fetches //cdn' '<script src="//cdn.example.org/a.js"></script>'
rm "$scratch/html/three.html"
echo '@import url(https://example.org/a.css);' > "$scratch/html/a.css"
is "$(python3 "$srcdir/doc/site/check.py" "$scratch/html" 2>&1 | grep -c 'a.css fetches https')" "1" "a style sheet that asks another host"

# without tools
mkdir "$scratch/empty"
printf '#!/bin/sh\nexit 1\n' > "$scratch/nothing"
chmod +x "$scratch/nothing"
sources=$(cd "$srcdir" && pwd)
(cd "$scratch/empty" && sh "$sources/doc/site/make.sh" "$sources" "$CLUP" "$scratch/nothing" 0) > "$scratch/out" 2>&1
is "$? $(head -n 1 "$scratch/out" | sed 's|^make site: [^ ]* ||')" "1 has no sphinx furo myst-parser numpy cffi. With packages of PyPI:" "make site names what it lacks"
is "$(ls "$scratch/empty")" "" "and makes nothing"
done_testing
