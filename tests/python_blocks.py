# SPDX-License-Identifier: BSD-3-Clause
"""Labels of dask arrays by blocks, against those of the computed arrays: TAP lines."""
import builtins
import pickle

import dask
import dask.array as da
import numpy as np
from scipy import ndimage

import clup
import clup._blocks
from tap import done, ok, raises


def random_chunks(random, shape):
    """Lengths of blocks along each axis, also of one pixel."""
    chunks = []
    for length in shape:
        cuts = random.integers(0, length, random.integers(0, 4)) if length else []
        chunks.append(tuple(np.diff(np.unique([0, *cuts, length])).tolist()) or (0,))
    return tuple(chunks)


def random_keywords(random, axes, dtype):
    """Which pixels belong together."""
    match = str(random.choice(["nonzero", "threshold", "equal", "tolerance"]))
    keywords = {"match": match, "connectivity": int(random.integers(1, axes + 1))}
    if match in ("threshold", "tolerance") and dtype.kind != "b":
        keywords["level"] = 1
    if match in ("equal", "tolerance"):
        keywords["background"] = [None, 0, 1][random.integers(0, 3)]
    if random.random() < 0.4:
        keywords["periodic"] = [bool(flag) for flag in random.random(axes) < 0.6]
    return keywords


def differs(image, chunks, **keywords):
    """Whether labels by blocks are other ones than those of the whole; what they are of."""
    labels, n = clup.label(da.from_array(image, chunks=chunks), **keywords)
    expected = clup.label(image, **keywords)
    labels, n = dask.compute(labels, n)
    right = labels.dtype == expected[0].dtype and np.array_equal(labels, expected[0]) and np.array_equal(n, expected[1])
    return [] if right else [(image.shape, image.dtype, chunks, keywords)]


def as_whole():
    random, wrong = np.random.default_rng(1), {2: [], 3: [], 1: [], 4: []}
    for axes, many in (2, 60), (3, 40), (1, 10), (4, 8):
        for _ in range(many):
            dtype = np.dtype(random.choice(["?", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", ">i4"]))
            shape = tuple(random.integers(1, [0, 60, 30, 12, 6][axes], axes))
            image = random.integers(0, random.integers(2, 5), shape).astype(dtype)
            wrong[axes] += differs(image, random_chunks(random, shape), **random_keywords(random, axes, dtype))
    for axes, cases in wrong.items():
        ok(not cases, "arrays of %d axes in random blocks, all matches, connectivities and periodic axes: as the whole %s" % (axes, cases[:1]))
    wrong = []
    for _ in range(20):
        shape = tuple(random.integers(1, 12, random.integers(2, 4)))
        structure = random.random((3,) * len(shape)) < 0.4
        structure |= structure[(slice(None, None, -1),) * len(shape)]
        image = random.random(shape) < 0.6
        labels, n = clup.label(da.from_array(image, chunks=random_chunks(random, shape)), structure)
        expected = ndimage.label(image, structure)
        wrong += [] if np.array_equal(labels.compute(), expected[0]) and int(n) == expected[1] else [(shape, structure)]
    ok(not wrong, "any structure: as scipy %s" % wrong[:1])
    # one cluster that goes through all blocks again and again
    turns = np.zeros((41, 40), bool)
    turns[::2] = turns[1::4, -1] = turns[3::4, 0] = True
    labels, n = clup.label(da.from_array(turns, chunks=(5, 7)))
    ok(int(n) == 1 and np.array_equal(labels.compute(), turns), "a line that turns through all blocks is one cluster")


def batches():
    random, wrong = np.random.default_rng(2), []
    for _ in range(25):
        lead, axes = int(random.integers(1, 3)), int(random.integers(1, 4))
        shape = tuple(random.integers(1, 7, lead + axes))
        image = random.integers(0, 3, shape).astype(np.uint8)
        keywords = random_keywords(random, axes, image.dtype)
        wrong += differs(image, random_chunks(random, shape), batch=lead, number=str(random.choice(["each", "throughout"])), **keywords)
    ok(not wrong, "batches, numbered in each image or throughout %s" % wrong[:1])
    frames = random.random((4, 9, 8)) < 0.5
    labels, counts = clup.label(da.from_array(frames, chunks=(3, 4, 5)), batch=True)
    ok(counts.shape == (4,) and counts.compute().tolist() == [ndimage.label(frame)[1] for frame in frames], "with a lazy number for each image")


def without_values():
    random, wrong = np.random.default_rng(3), []
    for match in "equal", "tolerance":
        image = random.integers(0, 3, (20, 23)).astype(np.float32)
        image[random.random(image.shape) < 0.2] = np.nan
        wrong += differs(image, (7, 6), match=match, background=np.nan) + differs(image, (7, 6), match=match)
    ok(not wrong, "NaNs %s" % wrong)
    for match, background in ("nonzero", 0), ("equal", None), ("equal", 1):
        hidden = np.ma.array(random.integers(0, 3, (20, 23)), mask=random.random((20, 23)) < 0.3)
        said = {"match": match, "connectivity": 2, **({"background": background} if match == "equal" else {})}
        labels, n = clup.label(da.from_array(hidden, chunks=(6, 5), asarray=False), **said)
        expected = clup.label(hidden, **said)
        ok(int(n) == expected[1] and np.array_equal(labels.compute(), expected[0]), "masked blocks, match %s" % match)


def lazily():
    loaded = []

    def block(where):
        loaded.append(where)
        return np.ones((4, 5), np.uint8)

    parts = [[da.from_delayed(dask.delayed(block)((i, j)), (4, 5), np.uint8) for j in range(3)] for i in range(2)]
    labels, n = clup.label(da.block(parts), output=np.uint16)
    ok(not loaded and labels.chunks == ((4, 4), (5, 5, 5)) and labels.dtype == np.uint16 and n.shape == (), "nothing is computed before it is asked for")
    found = dask.compute(labels, n)
    ok(sorted(loaded) == [(i, j) for i in range(2) for j in range(3)] and found[0].dtype == np.uint16 and int(found[1]) == 1,
       "labels and their number take each block once")
    image = np.random.default_rng(4).integers(0, 3, (30, 31))
    array = da.from_array(image, chunks=(11, 8))
    labels, n = clup.label(array, match="threshold", level=1)
    expected = clup.label(image, match="threshold", level=1)
    ok(labels.name == clup.label(array, match="threshold", level=1)[0].name != clup.label(array, match="threshold", level=0)[0].name,
       "the same question has the same name")
    ok(np.array_equal(labels[9:20, 5].compute(), expected[0][9:20, 5]), "a part of it has its numbers in the whole")
    ok(np.array_equal(labels.compute(scheduler="sync"), expected[0]) and np.array_equal((labels + 1).sum().compute(), (expected[0] + 1).sum()),
       "by another scheduler, and as a part of a larger question")
    again = pickle.loads(pickle.dumps((labels, n)))
    ok(int(again[1]) == expected[1] and np.array_equal(again[0].compute(), expected[0]), "what is to be computed can be sent to other processes")
    ok(np.array_equal(clup.measure.label(array).compute(), clup.measure.label(image)), "clup.measure.label does so as well")
    for shape in (0, 5), (3, 0), ():
        labels, n = clup.label(da.zeros(shape, dtype=np.uint8))
        ok(int(n) == 0 and labels.compute().shape == shape, "an array of shape %s" % (shape,))
    ok(int(clup.label(da.ones((), dtype=np.uint8))[1]) == 1, "and one number")
    holes = da.from_array(np.ones((4, 3)), chunks=((2, 0, 2), (3,)))
    ok(0 in holes.chunks[0] and int(clup.label(holes)[1]) == 1, "a block without pixels between others")


def errors():
    usage, array = clup.UsageError, da.from_array(np.eye(8), chunks=3)
    raises(usage, "output of a dask array is a dtype", clup.label, array, output=np.zeros((8, 8), int))
    raises(usage, "clup.threshold(array, 'otsu')", clup.label, array, match="threshold", level="otsu")
    raises(usage, "unknown lengths", clup.label, array[array[:, 0] > 0])
    raises(usage, "connectivity 3 is none of", clup.label, array, connectivity=3)
    raises(usage, "is for match 'nonzero' alone", clup.label, array, [[0, 1, 0], [0, 1, 0], [0, 1, 0]], match="equal")
    raises(usage, "insufficient bit-depth", clup.label(da.from_array(np.arange(600) % 2, chunks=50), output=np.uint8)[0].compute)
    raises(usage, "background = 1 is for match", clup.label, array, background=1)
    real = builtins.__import__

    def none(asked, *rest):
        if asked.startswith("dask"):
            raise ImportError(asked)
        return real(asked, *rest)

    builtins.__import__ = none
    try:
        raises(ImportError, "needs dask with its arrays, which is not installed: pip install dask[array]", clup.label, array)
    finally:
        builtins.__import__ = real


as_whole()
batches()
without_values()
lazily()
errors()
done()
