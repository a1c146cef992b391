#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the mean of every series in a file of clup simulate --series F.h5: read_series.py F.h5."""
import sys
import h5py

with h5py.File(sys.argv[1], "r") as file:
    names = file["clup/observables"][()].decode().split(",")
    clones = file["simulation/realizations/0/clones"]
    for number in sorted(clones, key=int):
        system = clones[number]
        for name in names:
            values = system["results/%s/timeseries/data" % name][:]
            print(number, repr(float(system["beta"][()])), name, len(values), repr(float(values.mean())))
