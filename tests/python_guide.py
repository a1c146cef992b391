# SPDX-License-Identifier: BSD-3-Clause
"""All code of doc/guide/python.md runs, and what it shows of its output is so: TAP lines.

Blocks are run in their order, in one set of names, to which what they take for granted is added: images, and files of small runs. What
needs a module that is not installed is left out by name. Runs that take long are made shorter.
"""
import builtins
import doctest
import importlib
import multiprocessing
import os
import re
import sys
import time

import numpy as np

import clup
from tap import done, ok

PATH = os.path.join(os.environ["srcdir"], "doc", "guide", "python.md")
random = np.random.default_rng(1)


def work(image):
    return clup.label(image)[1]


def images():
    """Images of all kinds that the page speaks of."""
    volume = random.integers(0, 200, (8, 20, 30)).astype(np.uint8)
    return {"image": volume[0], "segmentation": random.integers(0, 4, volume.shape), "simulated": volume[0] % 2, "frames": volume > 120,
            "temperatures": np.where(random.random((20, 30)) < 0.1, np.nan, random.random((20, 30))), "raster": np.where(volume[0] < 20, -9999, volume[0].astype(int))}


def of_h5py():
    import h5py
    with h5py.File("volume.h5", "w") as file:
        file["grey"], file["labels"] = random.integers(0, 200, (4, 20, 30)), np.zeros((4, 20, 30), np.int32)
    return {"h5py": h5py}


def of_zarr():
    import dask.array
    zarr = importlib.import_module("zarr")
    dask.array.from_array(random.integers(0, 200, (4, 20, 30)), chunks=9).to_zarr("volume.zarr")
    return {"dask": dask, "zarr": zarr}


def of_xarray():
    import xarray
    return {"rain": xarray.DataArray(random.random((3, 8, 9)) * 2, dims=("time", "lat", "lon"), coords={"lat": np.arange(8), "lon": np.arange(9) / 2})}


def of_pyopencl():
    pyopencl = importlib.import_module("pyopencl")
    importlib.import_module("pyopencl.array")
    name = os.environ.get("CLUP_DEVICE", "").lower()
    device = next(d for p in pyopencl.get_platforms() for d in p.get_devices() if name in (p.name + d.name).lower())
    return {"pyopencl": pyopencl, "queue": pyopencl.CommandQueue(pyopencl.Context([device]))}


def of_torch():
    return {"torch": importlib.import_module("torch")}


def series():
    """Series of arrays and files, of which the latter need HDF5."""
    for name, size in ("small.h5", 8), ("large.h5", 16):
        clup.simulate(size, beta=[0.86, 0.88, 0.9], sweeps=200, observables=("energy", "abs_m", "m2", "m4", "binder"), series=name)
    m2 = random.random(500)
    return {"series": random.random(500), "m2": m2, "m4": m2**2}


# what begins a block, and what it takes for granted besides
GIVEN = {"import clup\n": images, 'with h5py.File': of_h5py, "labels, n = clup.label(dask": of_zarr, "labels, counts = clup.label(rain": of_xarray,
         "labels, n = clup.label(pyopencl": of_pyopencl, "labels, n = clup.label(torch": of_torch,
         "clup.statistics(labels)": lambda: {"labels": clup.label(random.random((6, 20, 30)) < 0.2)[0], "image": random.integers(0, 9, (6, 20, 30))},
         "def progress": lambda: {"time": time, "deadline": time.time()}, "found = clup.analyse(series)": series,
         "context = multiprocessing": lambda: {"multiprocessing": multiprocessing, "work": work, "images": [np.eye(3), np.ones((2, 2))]}}


def flat(text):
    """A block without what indents all of it."""
    lines = text.rstrip("\n").split("\n")
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[least:] for line in lines) + "\n"


def main():
    with open(PATH, encoding="utf-8") as file:
        blocks = [flat(block) for block in re.findall(r"(?<=\n\n)((?: {4,}.*\n|\n(?= {4}))+)", file.read())]
    names, seen, ran = {"np": np, "clup": clup}, set(), 0
    for block in blocks:
        first = block.split("\n")[0]
        if re.match(r"(pip|mkdir|\.\./) ?", block):
            continue
        begin = next((begin for begin in GIVEN if block.startswith(begin)), None)
        try:
            seen.add(begin)
            names.update(GIVEN[begin]() if begin else {})
        except (ImportError, clup.Error) as error:
            if isinstance(error, clup.Error) and "HDF5" not in str(error):
                raise
            print("# left out: %s (%s)" % (first, str(error).split("\n")[0]))
            continue
        ran += 1
        if block.startswith(">>>"):
            found = doctest.DocTestRunner(verbose=False).run(doctest.DocTestParser().get_doctest(block, dict(names), "guide", PATH, 0))
            ok(found.attempted and not found.failed, "%s, as the page shows" % first)
            continue
        short = block.replace("sweeps=5000", "sweeps=50").replace("sweeps=10**6", "sweeps=60").replace("measure(5000)", "measure(200)").replace("sweeps=2000", "sweeps=100").replace("samples=200", "samples=5")
        try:
            with open(os.devnull, "w", encoding="utf-8") as nowhere:
                names["print"] = lambda *words, **keywords: builtins.print(*words, **{**keywords, "file": nowhere})
                exec(compile(short, first, "exec"), names)
            ok(True, first)
        except Exception as error:  # whatever it is, the page is wrong
            if isinstance(error, clup.Error) and "HDF5" in str(error):
                print("# left out: %s (%s)" % (first, error))
                continue
            ok(False, "%s: %s: %s" % (first, type(error).__name__, error))
    ok(set(GIVEN) <= seen, "all blocks that something is given for are there %s" % [*set(GIVEN) - seen])
    ok(ran >= 12, "%d blocks are run" % ran)
    done()


if __name__ == "__main__":
    main()
