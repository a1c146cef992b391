# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any number of axes, any structure, and batches, against scipy.ndimage.label: TAP lines."""
import itertools

import numpy as np
from scipy import ndimage

import clup
from tap import done, ok, raises


def symmetric(structure):
    """A structure with what is opposite to its elements."""
    return structure | structure[(slice(None, None, -1),) * structure.ndim]


def random_structure(random, axes):
    """Any symmetric one, those of a connectivity, and those without neighbours along an axis."""
    structure = symmetric(random.random((3,) * axes) < random.choice([0.1, 0.3, 0.6]))
    if random.random() < 0.4:
        structure = ndimage.generate_binary_structure(axes, int(random.integers(1, axes + 1)))
    if random.random() < 0.4:
        structure = structure.copy()
        structure[(slice(None),) * int(random.integers(0, axes)) + ([0, 2],)] = False
    return structure


def like_scipy():
    random, wrong = np.random.default_rng(5), []
    for _ in range(80):
        shape = tuple(random.integers(1, 6, random.integers(1, 6)))
        image = (random.random(shape) < 0.5).astype(random.choice([np.uint8, np.int32, np.float32]))
        structure = random_structure(random, image.ndim)
        labels, n = clup.label(image, structure)
        expected, m = ndimage.label(image, structure)
        if n != m or not np.array_equal(labels, expected):
            wrong.append((shape, structure.astype(int).tolist()))
    ok(not wrong, "80 arrays of 1 to 5 axes, any structure: labels are scipy's %s" % wrong[:1])
    image = np.random.default_rng(6).random((3, 4, 5, 6, 7)) < 0.3
    found = [clup.label(image, connectivity=near)[1] for near in range(1, 6)]
    ok(found == [ndimage.label(image, ndimage.generate_binary_structure(5, near))[1] for near in range(1, 6)],
       "connectivities of five axes: %s" % found)
    output = np.zeros(image.shape, np.int32)
    ok(clup.label(image, output=output) == ndimage.label(image)[1] and np.array_equal(output, ndimage.label(image)[0]),
       "labels of five axes go into an array")


def flooded(values, structure, match, level, around):
    """Labels by flooding from each pixel in raster order."""
    labels, count = np.zeros(values.shape, np.int64), 0
    steps = [tuple(step) for step in np.argwhere(structure) - 1 if any(step)]
    for first in np.ndindex(values.shape):
        if labels[first] or values[first] == 0:
            continue
        count += 1
        labels[first], queue = count, [first]
        while queue:
            at = queue.pop()
            for step in steps:
                to = [a + b for a, b in zip(at, step)]
                if any(not 0 <= k < length and not wraps for k, length, wraps in zip(to, values.shape, around)):
                    continue
                to = tuple(k % length for k, length in zip(to, values.shape))
                apart = abs(int(values[at]) - int(values[to]))
                if not labels[to] and values[to] != 0 and (match == "nonzero" or apart <= level):
                    labels[to] = count
                    queue.append(to)
    return labels, count


def by_definition():
    random, wrong = np.random.default_rng(7), []
    for match, around in itertools.product(("nonzero", "equal", "tolerance"), ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 1), (1, 1, 1, 1))):
        near, level = int(random.integers(1, 5)), int(match == "tolerance")
        values = random.integers(0, 5, (3, 2, 4, 5)).astype(random.choice([np.uint8, np.int16, np.uint64, np.float64]))
        labels, n = clup.label(values, match=match, connectivity=near, periodic=around, **({"level": level} if level else {}))
        expected, m = flooded(values, ndimage.generate_binary_structure(4, near), match, level, around)
        if n != m or not np.array_equal(labels, expected):
            wrong.append((match, around, near, values.dtype, n, m))
    for place in range(4):  # no neighbour along an axis of one pixel, which is none of the structure's
        values = random.integers(0, 4, [1 if axis == place else 4 for axis in range(4)])
        for near in range(1, 5):
            labels, n = clup.label(values, match="equal", connectivity=near)
            expected, m = flooded(values, ndimage.generate_binary_structure(4, near), "equal", 0, (0, 0, 0, 0))
            if n != m or not np.array_equal(labels, expected):
                wrong.append((values.shape, near))
    ok(not wrong, "four axes, any match, periodic axes, also of one pixel: as flooded %s" % wrong)


def batches():
    random, wrong = np.random.default_rng(8), []
    for _ in range(30):
        lead, axes = int(random.integers(1, 3)), int(random.integers(1, 5))
        shape = tuple(random.integers(1, 6, lead + axes))
        image, structure = random.random(shape) < 0.5, random_structure(random, axes)
        for number in ("each", "throughout"):
            labels, counts = clup.label(image, structure, batch=lead, number=number)
            before = 0
            for place in np.ndindex(shape[:lead]):
                expected, n = ndimage.label(image[place], structure)
                expected = np.where(expected > 0, expected + (before if number == "throughout" else 0), 0)
                before += n
                if counts[place] != n or not np.array_equal(labels[place], expected):
                    wrong.append((shape, lead, number))
    ok(not wrong, "30 batches of 1 to 4 axes, in both numberings: as each image alone %s" % wrong[:2])
    stack = random.integers(0, 3, (4, 20, 31)).astype(np.uint8)
    labels, counts = clup.label(stack, match="equal", connectivity=2, periodic="x", batch=True)
    alone = [clup.label(frame, match="equal", connectivity=2, periodic="x") for frame in stack]
    ok(counts.tolist() == [n for _, n in alone] and all(np.array_equal(a, b[0]) for a, b in zip(labels, alone)),
       "a batch of equal values, periodic along x")
    labels, counts = clup.label(stack, periodic=True, batch=1)
    ok(counts.tolist() == [clup.label(frame, periodic=True)[1] for frame in stack], "periodic along all axes")
    ok(clup.label(np.zeros((3, 0, 4)), batch=True)[1].tolist() == [0, 0, 0], "images without pixels")
    ok(clup.label(np.ones((2, 3)), batch=2)[1].tolist() == [[1, 1, 1]] * 2, "images of a pixel")
    output = np.zeros(stack.shape, np.int32)
    ok(clup.label(stack, output=output, batch=True).sum() == sum(output.reshape(4, -1).max(axis=1)), "labels go into an array")


def errors():
    usage, image = clup.UsageError, np.ones((2, 2, 2, 2))
    raises(usage, "batch = 5 is not 0 to 4", clup.label, image, batch=5)
    raises(usage, "number 'x' is none of each, throughout", clup.label, image, batch=1, number="x")
    raises(usage, "connectivity 5 is none of 1 to 4", clup.label, image, connectivity=5)
    raises(usage, "is for match 'nonzero' alone", clup.label, image, np.eye(9).reshape((3,) * 4) > 0, match="equal")


like_scipy()
by_definition()
batches()
errors()
done()
