#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the site: make.sh SOURCES CLUP PYTHON VERSION, in a build folder that has python/. The site is in site/html.
set -eu
sources=$1
clup=$2
python=$3
version=$4

fail() {
    echo "make site: $1" >&2
    exit 1
}
missing=
for module in sphinx furo myst_parser numpy cffi; do
    "$python" -c "import $module" 2> /dev/null || missing="$missing $(echo $module | tr _ -)"
done
[ -z "$missing" ] || fail "$python has no$missing. With packages of PyPI:
    python3 -m venv site-tools && site-tools/bin/pip install sphinx furo myst-parser numpy cffi
    make site PYTHON=\$PWD/site-tools/bin/python"
# furo 2022.12.07 of Debian 12 has no dark colours, and asks the host for a style sheet beside the site
style=$("$python" -c 'import furo, os; print(os.path.join(os.path.dirname(furo.__file__), "theme/furo/static/styles/furo.css"))')
grep -q 'prefers-color-scheme: *dark' "$style" || fail "the furo of $python has no dark style sheet; take that of PyPI:
    python3 -m venv site-tools && site-tools/bin/pip install sphinx furo myst-parser numpy cffi
    make site PYTHON=\$PWD/site-tools/bin/python"
command -v gnuplot > /dev/null || fail "gnuplot is missing (Debian and Ubuntu: gnuplot-nox)"
[ -f python/clup/_abi.py ] || fail "python/clup is missing: configure has found no Python with cffi"

# the pages are of these sources alone; the last site stays until the new one is complete
rm -rf site/source site/new site/reports site/doctrees
mkdir -p site/source
for result in $(cd "$sources/doc/results" && find . -name '*.json' | sed 's|^\./||' | LC_ALL=C sort); do
    mkdir -p "$(dirname "site/reports/$result")"
    "$clup" bench --report "$sources/doc/results/$result" --out "site/reports/${result%.json}" > /dev/null
done
export PYTHONDONTWRITEBYTECODE=1
"$python" "$sources/doc/site/stage.py" "$sources" site/source site/reports
CLUP_SITE=$(cd "$sources/doc/site" && pwd)
CLUP_INCLUDE=$(cd "$sources/include" && pwd)
CLUP_PACKAGE=$PWD/python
CLUP_VERSION=$version
: "${CLUP_LIBRARY:=$PWD/.libs/libclup.so}"
export CLUP_SITE CLUP_INCLUDE CLUP_PACKAGE CLUP_VERSION CLUP_LIBRARY
"$python" -m sphinx -q -W --keep-going -c "$CLUP_SITE" -d site/doctrees -b html site/source site/new || fail "Sphinx found what is wrong, see above"
"$python" "$CLUP_SITE/check.py" site/new || fail "links lead nowhere, see above"
rm -rf site/html
mv site/new site/html
echo "site/html/index.html: the site"
