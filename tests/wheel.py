# SPDX-License-Identifier: BSD-3-Clause
"""What a wheel does in an empty environment, for wheel.sh: wheel.py device, intel, no-loader or no-platform. Prints TAP."""
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile

import numpy as np
import tap

import clup

# of the serial reference: 32 x 32 Ising spins at the critical temperature after 100 + 50 sweeps with seed 7
SPINS = "eac6244f0c883fe15b26455bfa6093909327226f67786d576a0c202486515558"
SIMULATION = "simulate --model ising --size 32 --beta-ratio 1 --sweeps 50 --seed 7".split()
PROGRAM = os.path.join(os.environ.get("CLUP_SCRIPTS") or sysconfig.get_path("scripts"), "clup")


def program(*words):
    """Exit code, standard output and standard error of the program in the wheel."""
    made = subprocess.run([*os.environ.get("CLUP_RUN", "").split(), PROGRAM, *words], capture_output=True, text=True, check=False)
    return made.returncode, made.stdout, made.stderr


def spins_of(*words):
    """The hash of the file of spins that the program writes."""
    code, _, errors = program(*SIMULATION, *words, "--save-spins", "spins.npy")
    if code:
        return errors
    with open("spins.npy", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def with_device(options):
    """A labelling and a simulation with its files, beside another HDF5 in the process; options are the program's."""
    image = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 1, 1], [1, 0, 0, 0, 1]])
    labels, n = clup.label(image)
    tap.ok(n == 3 and labels.dtype == np.int32 and np.array_equal(labels, [[1, 1, 0, 0, 2], [0, 1, 0, 2, 2], [3, 0, 0, 0, 2]]), "labels are scipy's")
    import h5py
    with clup.Simulation((32, 32), model="ising", beta=np.log1p(np.sqrt(2)) / 2, seed=7) as simulation:
        simulation.sweep(100)
        simulation.measure(50)
        spins = simulation.spins
    whole = clup.simulate((32, 32), model="ising", beta=0.44, seed=7, sweeps=50, series="series.h5")
    half = clup.simulate((32, 32), model="ising", beta=0.44, seed=7, sweeps=25, checkpoint="checkpoint.h5")
    rest = clup.resume("checkpoint.h5", sweeps=50)
    tap.ok(half["sweeps"] == 25 and rest["energy"]["mean"] == whole["energy"]["mean"] and np.array_equal(rest["spins"], whole["spins"]), "a checkpoint goes on with the same numbers")
    with h5py.File("series.h5", "r") as file:
        names = []
        file.visit(names.append)
    tap.ok(any("nergy" in name for name in names), "h5py reads a series, in the same process")
    tap.ok(spins_of(*options) == SPINS, "the program's spins %s are the known ones" % (" ".join(options) or "on a device"))
    np.save("known.npy", spins)
    with open("spins.npy", "rb") as first, open("known.npy", "rb") as second:
        tap.ok(np.array_equal(np.load(first), np.load(second)), "and so are those of Python")


def without_device():
    """What needs none: the program's serial reference and its readers of files."""
    tap.ok(program("--version")[1].split() == ["clup", clup.__version__], "the program has the package's version")
    tap.ok(spins_of("--reference") == SPINS, "the program's serial reference has the known spins")
    code, _, errors = program(*SIMULATION, "--reference", "--series", "series.h5")
    tap.ok(code == 0 and program("analyse", "series.h5")[0] == 0, "it writes a series as HDF5 and analyses it %s" % errors)


def fails_with(words):
    """The package and the program say the same."""
    tap.raises(clup.DeviceError, words, clup.label, np.eye(3))
    code, _, errors = program("simulate")
    tap.ok(code == 3 and words in errors, "the program as well: %s" % errors.strip())


with tempfile.TemporaryDirectory() as folder:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    os.chdir(folder)
    case = sys.argv[1]
    without_device()
    if case == "device":
        with_device([])
    elif case == "intel":  # which the package finds, not the program
        with_device(["--reference"])
    elif case == "no-loader":
        fails_with("no OpenCL ICD loader (")
        fails_with("install one (Debian and Ubuntu: ocl-icd-libopencl1;")
    else:
        fails_with("no OpenCL platform: install the driver of the GPU, or PoCL for the CPU (Debian and Ubuntu: pocl-opencl-icd;")
tap.done()
