#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When a property of a device cannot be read, clup devices lists the device with the name of the
# property, and the device is not used.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
shim=$(dirname "$CLUP")/tests/.libs/info.so
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export ASAN_OPTIONS

"$CLUP" devices --list > all
sed 1d all > others
device=$(sed -n '1s/ .*//p' all)
# with_failing NUMBER COMMAND...
with_failing() {
    number=$1
    shift
    SHIM_INFO=$number LD_PRELOAD=$shim "$@"
}

while read -r number call; do
    error="$call: CL_OUT_OF_RESOURCES (-5)"
    with_failing "$number" fails 1 "run-time error: device $device cannot be used: $error" simulate --size 8 --sweeps 1 --device "$device"
    with_failing "$number" "$CLUP" devices --list > list 2> err
    is "$? $(cat err)" "0 " "the list is made all the same"
    is "$(sed -n 1p list | grep -cF ", cannot be used: $error")" 1 "and says so"
    is "$(sed 1d list | sed 's/  (default)$//')" "$(cat others)" "and has the other devices and platforms"
    is "$(with_failing "$number" "$CLUP" devices --property error | sed -n '1s/^[0-9:]* *//p')" "$error" "it is a property"
done << 'END'
102B clGetDeviceInfo(CL_DEVICE_NAME)
102C clGetDeviceInfo(CL_DEVICE_VENDOR)
102D clGetDeviceInfo(CL_DRIVER_VERSION)
1000 clGetDeviceInfo(CL_DEVICE_TYPE)
1002 clGetDeviceInfo(CL_DEVICE_MAX_COMPUTE_UNITS)
1023 clGetDeviceInfo(CL_DEVICE_LOCAL_MEM_SIZE)
902 clGetPlatformInfo(CL_PLATFORM_NAME)
END

# what nothing depends on
for number in 103D 100C 903; do
    with_failing "$number" "$CLUP" simulate --size 8 --sweeps 1 --device "$device" > out 2> err
    is "$? $(cat err)" "0 " "query $number may fail"
done
is "$(with_failing 103D "$CLUP" devices --property opencl_c | sed -n '1s/^[0-9:]* *//p')" - "and is not known then"
is "$("$CLUP" devices --property error | grep -vc -- '-$')" 0 "no device here has an error"
with_failing 0 fails 3 ": clGetDeviceIDs: CL_OUT_OF_RESOURCES (-5)" devices

done_testing
