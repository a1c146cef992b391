#!/bin/sh
# install-hint.sh LIBDIR SONAME LIBTOOL: what programs of the user's own need, printed at the end of make install where the loader
# does not find the library yet. clup itself has a run path.
libdir=$1 soname=$2 libtool=$3

# glibc's loader lists what it would load, and runs nothing
if LD_TRACE_LOADED_OBJECTS=1 LD_PRELOAD=$soname env 2> /dev/null | grep -qF "$soname => $libdir/"; then
    exit 0
fi
echo
# folders of ld.so.conf are searched by way of ldconfig's cache
if "$libtool" --config | sed -n 's/^sys_lib_dlsearch_path_spec="\(.*\)"$/ \1 /p' | grep -qF " $libdir "; then
    echo "clup is ready. For programs of your own, run 'ldconfig' as root: it tells the loader of $soname in $libdir."
else
    echo "clup is ready. Link programs of your own with -Wl,-rpath,$libdir: the loader does not look there for $soname."
fi
