#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# quickstart, in its own folder with stubs for the programs that it starts: it prints one line for
# each step, and the whole log when a step fails; tells a user which commands root must run; and
# counts each failure once. Also .ci/run, which lets quickstart see the distribution's programs
# alone.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
unset CLUP_CHECK_FORMAT
mkdir -p tree/.ci tree/tests tree/m4 bin state
cp "$srcdir/quickstart" tree
cp "$srcdir/.ci/run" tree/.ci
touch tree/configure.ac tree/Makefile.am tree/tests/tests.am tree/m4/clup.m4
for tool in sh awk cat chmod cut date dirname env grep head mkdir nproc rm sed seq sleep sort tail touch wc; do
    ln -s "$(command -v $tool)" bin
done

# stub NAME: a program that prints much and then does what is read
stub() {
    { printf '%s\n' "#!$scratch/bin/sh" "state=$scratch/state" "noise() { seq 300 | sed 's/^/noise of $1 /'; }" && cat; } > "bin/$1"
    chmod +x "bin/$1"
}
stub dpkg-query << 'END'
grep -qxF "$4" $state/installed && echo "install ok installed"
END
stub id << 'END'
cat $state/id
END
stub apt-get << 'END'
echo "apt-get $*" >> $state/ran
noise
[ ! -e $state/offline ] || exit 100
for word in "$@"; do case $word in -* | install | update) ;; *) echo "$word" >> $state/installed ;; esac done
END
stub autoreconf << 'END'
noise
cat > configure << 'END_OF_CONFIGURE'
#!/bin/sh
seq 300 | sed 's/^/noise of configure /'
echo "echo '$*'" > config.status
chmod +x config.status
touch Makefile
END_OF_CONFIGURE
chmod +x configure
END
stub make << 'END'
echo "make $*" >> $state/ran
noise
[ ! -e $state/broken ] || exit 2
printf '#!/bin/sh\necho "spins, sha256  abc of $*"\n' > build/clup
chmod +x build/clup
case " $* " in
*" check "*TESTS=*) ;;
*" check "*) mkdir -p build/tests && . $state/results ;;
esac
END
# quickstart ARGUMENT...
quickstart() { (cd tree && PATH=$scratch/bin HOME=$scratch "$scratch/bin/sh" ./quickstart "$@") > out 2> err < /dev/null; }
# calm: how many lines a run has printed, of those that are noise none
calm() { echo "$(grep -c noise out err | tr '\n' ' ')$(($(wc -l < out) < 15))"; }
count_of() { grep -c "$1" "$2"; }

# ---- from nothing to a first simulation ----
: > state/installed
echo 0 > state/id
quickstart --no-install
is "$? $(sed -n 's/^== missing packages: gcc \(libc6-dev\) .*/\1/p' out) $(ls tree)" "1 libc6-dev $(ls tree)" "--no-install lists the packages and makes nothing"
[ ! -e tree/build ]
ok $? "nor a folder"
quickstart
is "$? $(cat err)" "0 " "installs, builds and runs"
is "$(calm)" "out:0 err:0 1" "a line a step: $(wc -l < out)"
is "$(sed -n 's/^== log of what follows: //p' out)" "build/quickstart.log" "the log has a name"
is "$(for step in apt-get autoreconf configure make; do count_of "^noise of $step" tree/build/quickstart.log; done | tr '\n' ' ')" "600 300 300 300 " "and has it all"
is "$(sed -n 's/: [0-9]* s$//p' out | cut -c 4- | sed 's/[0-9][0-9]*/N/' | tr '\n' ,)" "reading the lists of packages,installing N packages,making configure,configuring,building," "each step says what it does, and how long that took"
is "$(tail -n 1 out)" "spins, sha256  abc of simulate --size 256 --sweeps 1000" "the simulation is what is left to see"
: > state/ran
quickstart
is "$? $(grep -c apt-get state/ran) $(sed -n 's/: [0-9]* s$//p' out | tr '\n' ,)" "0 0 == building," "a second time it only builds"

# ---- what goes wrong ----
touch state/broken
quickstart
code=$?
is "$code $(count_of '^noise of make' err) $(grep -c '^quickstart: failed with exit code 2: make -C build' err) $(grep -c 'spins' out)" "2 300 1 0" "a step that fails ends it with all of the log"
rm state/broken
# root's lines are those that install what is missing
sed -i '/^jq$/d; /^make$/d; /^libpng-dev$/d' state/installed
echo 1000 > state/id
: > state/ran
quickstart
is "$? $(grep -cE '^    apt-get' err) $(cat state/ran)" "1 2 " "without sudo nothing is run"
is "$(sed -n 's/^    \(apt-get .*\)/\1/p' err)" "apt-get update
apt-get install -y --no-install-recommends make libpng-dev" "and both lines that root has to run are printed"
stub sudo << 'END'
[ ! -e $state/refused ] || { echo "you are not in the sudoers file" >&2; exit 1; }
echo 0 > $state/id
"$@"
END
touch state/refused
quickstart
is "$? $(grep -c 'not in the sudoers file' err) $(grep -cE '^    apt-get' err)" "1 1 2" "nor where sudo refuses, which is said"
rm state/refused
quickstart
is "$? $(cat err) $(sed -n 's/^    //p' out; cat state/ran | grep apt-get)" "0  apt-get update
apt-get install -y --no-install-recommends make libpng-dev" "with sudo they are run"
touch state/offline
sed -i '/^make$/d' state/installed
echo 0 > state/id
quickstart
is "$? $(count_of '^noise of apt-get' err) $(grep -c 'exit code 100: apt-get update' err)" "1 300 1" "where there are no packages to be had the log says why"
rm state/offline

# ---- all tests ----
# results SCRIPT: what make check does
results() { cat > state/results; }
results << 'END'
echo "PASS: tests/t_a 1 - a"
[ ! -e $state/slow ] || sleep 5
printf '%s\n' "PASS: tests/t_a 2 - b" "===" "Testsuite summary for clup" "===" "# TOTAL: 2" "# PASS:  2" "# SKIP:  0" "# XFAIL: 0" "# FAIL:  0" "# XPASS: 0" "# ERROR: 0" "==="
END
quickstart check
is "$? $(cat err) $(tail -n 1 out)" "0  2 passed, 0 failed" "check ends with what has passed and failed"
is "$(calm)" "out:0 err:0 0" "as quietly"
is "$(grep -c -- '^== configuring: ' out) $(tree/build/config.status)" "1 --enable-werror --with-mpi" "with MPI, though it was configured without"
is "$(grep -c 'about [0-9]* minutes on two processors.*; log: build/check.log$' out) $(count_of '^PASS: tests/t_a 2' tree/build/check.log)" "1 1" "it says how long that takes, and the log's name"
: > state/ran
quickstart check
is "$? $(sed -n 's/: [0-9]* s$//p' out | tr '\n' ,)" "0 == building,== building the tests," "a second time it only builds"
quickstart
is "$? $(grep -c configuring out)" "0 0" "nor does a simulation configure again"
touch state/slow
ln -s "$(command -v script)" bin
(cd tree && PATH=$scratch/bin HOME=$scratch "$scratch/bin/script" -qec "$scratch/bin/sh ./quickstart check" /dev/null) > out 2> err < /dev/null
is "$(grep -aoE '[0-9]+ min [0-9]+ s: [0-9]+ passed, [0-9]+ failed' out | head -n 1 | sed 's/.*: //')" "1 passed, 0 failed" "on a terminal it counts as it goes"
rm state/slow
results << 'END'
printf '%s\n' "ok 1 - a" "not ok 2 - b" "FAIL: tests/x.sh 2 - b" "# got 'c'" "# want 'd'" "1..2" > build/tests/x.log
seq -f 'word %g' 50 > build/tests/t_y.log
printf '%s\n' "PASS: tests/x.sh 1 - a" "FAIL: tests/x.sh 2 - b" "ERROR: tests/t_y - missing test plan" "SKIP: tests/z.sh z is not installed" "===" "Testsuite summary for clup" "===" \
    "# TOTAL: 4" "# PASS:  1" "# SKIP:  1" "# XFAIL: 0" "# FAIL:  1" "# XPASS: 0" "# ERROR: 1" "==="
exit 2
END
quickstart check
is "$? $(tail -n 1 out)" "1 1 passed, 3 failed" "what fails, breaks off or is skipped is counted"
is "$(grep -c "^# got 'c'" out) $(grep -c "^# want 'd'" out) $(grep -c '^word' out) $(tail -n 1 out)" "1 1 20 1 passed, 3 failed" "with what was found there, and the last words of what ended without saying"
echo 'exit 2' | results
quickstart check
is "$? $(tail -n 1 out)" "1 0 passed, 1 failed" "nor is it well when nothing was tested"

# ---- a failure is one, for the driver too ----
# driven SCRIPT: what the driver makes of a test
driven() {
    printf '. "%s/tests/tap.sh"\n%s\n' "$srcdir" "$1" > test.sh
    CLUP_CHECK_TOOLS=required CLUP_CHECK_DRIVER=yes XDG_DATA_HOME='' sh "$srcdir/m4/tap-driver.sh" --test-name x --log-file x.log --trs-file x.trs \
        --color-tests no --enable-hard-errors yes --expect-failure no -- sh test.sh
}
is "$(driven 'ok 0 a; ok 1 b; done_testing')" "PASS: x 1 - a
FAIL: x 2 - b" "an assertion that fails is counted once"
is "$(driven 'need_tool "" nosuch')" "FAIL: x 1 - nosuch is installed" "and a tool that is missing"
driven 'ok 0 a; echo 1..1; exit 3' > said
is "$(cat said)" "PASS: x 1 - a
ERROR: x - exited with status 3" "but what ends otherwise than it said is an error"
(unset CLUP_CHECK_DRIVER && XDG_DATA_HOME='' sh test.sh > said)
is "$?" 3 "by hand as well"
printf '. "%s/tests/tap.sh"\nok 1 b; sh -c "echo \\$CLUP_CHECK_DRIVER"; done_testing\n' "$srcdir" > test.sh
is "$(XDG_DATA_HOME='' sh test.sh; echo $?)" "not ok 1 - b

1..1
1" "where no driver counts, the exit code tells"
is "$(CLUP_CHECK_DRIVER=yes XDG_DATA_HOME='' sh test.sh; echo $?)" "not ok 1 - b

1..1
0" "and what a test starts has no driver"
[ "$tap_driver" = yes ] || [ -z "$MAKELEVEL" ]
ok $? "make check says that there is one"

# ---- .ci/run ----
mkdir other
for name in python3 make; do printf '#!/bin/sh\n' > other/$name && chmod +x other/$name; done
cat > tree/quickstart << 'END'
#!/bin/sh
echo "$* $PWD $(command -v python3) $(command -v make) ${PYTHONPATH-} ${CC-} ${OCL_ICD_VENDORS-} $PYTHONNOUSERSITE $http_proxy"
END
is "$(PATH=$scratch/other:$PATH PYTHONPATH=/x CC=false OCL_ICD_VENDORS=/x http_proxy=there tree/.ci/run)" \
    "check $scratch/tree $(PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c 'echo "$(command -v python3) $(command -v make)"')    1 there" "CI takes the distribution's programs, and no setting but the proxies"
done_testing
