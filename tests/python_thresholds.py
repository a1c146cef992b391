# SPDX-License-Identifier: BSD-3-Clause
"""Thresholds against their definitions, and against scikit-image's where that is installed: TAP lines."""
import os
import subprocess
import sys

import numpy as np

import clup
from tap import done, ok, raises


def histogram_of(image):
    """Counts and the middle of each bin: a bin for each integer, 256 bins of floats."""
    if image.dtype.kind == "f":
        counts, edges = np.histogram(image, 256)
        return counts, (edges[1:] + edges[:-1]) / 2
    values = image.ravel().astype(object) - int(image.min())
    counts = np.bincount(values.astype(np.int64))
    return counts, np.arange(len(counts))


def otsu(counts, middles):
    """The first bin after which the variance between classes is largest."""
    best, most = 0, -1
    for k in range(len(counts) - 1):
        low, high = counts[:k + 1], counts[k + 1:]
        apart = np.average(middles[:k + 1], weights=low) - np.average(middles[k + 1:], weights=high)
        between = float(low.sum()) * float(high.sum()) * apart**2
        if between > most * (1 + 1e-12):
            best, most = k, between
    return middles[best]


def li(image):
    """Li's iteration on the values themselves."""
    values = np.sort(image.ravel().astype(np.float64))
    values = values - values[0]
    tolerance = 0.5 if image.dtype.kind != "f" else np.diff(np.unique(values)).min() / 2
    level, after = -2 * tolerance, values.mean()
    while abs(after - level) > tolerance:
        level = after
        dark, bright = values[values <= level].mean(), values[values > level].mean()
        if dark == 0:
            break
        after = (dark - bright) / (np.log(dark) - np.log(bright))
    return after + float(image.min())


def images():
    """Two clouds of values in any type."""
    random = np.random.default_rng(3)
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8") * 3:
        values = np.concatenate([random.normal(40, 10, 400), random.normal(90, 14, int(random.integers(20, 900)))])
        values = np.clip(values, 0, 126) - (40 if kind[0] == "i" else 0)
        yield (values * (30 if kind in ("u2", "i4") else 1)).astype(kind)


def by_definition():
    wrong = []
    for image in images():
        counts, middles = histogram_of(image)
        least = 0 if image.dtype.kind == "f" else int(image.min())
        if clup.threshold(image) != otsu(counts, middles) + least:
            wrong.append(("otsu", image.dtype))
        if abs(clup.threshold(image, "li") - li(image)) > 1e-6 * 4000:
            wrong.append(("li", image.dtype))
    ok(not wrong, "30 images of ten types: otsu and li as defined %s" % wrong)
    random = np.random.default_rng(5)
    for dtype in np.float32, np.float64:
        image = np.repeat(np.arange(257) / 256, random.integers(0, 30, 257) + [1] * 257).astype(dtype)
        ok(clup.threshold(image) == otsu(*histogram_of(image)), "values where bins begin, %s" % np.dtype(dtype))
    # a peak on the left, and a tail of single pixels: the line from (0, 100) to (9, 1) is farthest from bin 1
    image = np.repeat(np.arange(10), [100] + [1] * 9).astype(np.uint8)
    ok(clup.threshold(image, "triangle") == 1 and clup.threshold(9 - image, "triangle") == 8, "triangle, a tail on either side")
    for most in (2**60, -2**62):
        image = (np.random.default_rng(1).integers(0, 200, 3000) + most).astype(np.int64)
        ok(clup.threshold(image) == otsu(*histogram_of(image)) + int(image.min()), "integers of more than 53 bits")
    ok([clup.threshold(np.full((3, 3), 7.5), method) for method in ("otsu", "triangle", "li")] == [7.5] * 3, "one value alone")
    image = np.array([0.0, 1, 1, 5, 6, np.nan, np.inf])
    ok(clup.threshold(image, "li") == clup.threshold(image[:5], "li"), "li leaves out what is not finite")


def in_label():
    image = np.random.default_rng(4).normal(100, 30, (40, 50)).clip(0, 255).astype(np.uint8)
    for method in ("otsu", "triangle", "li"):
        labels, n = clup.label(image, match="threshold", level=method)
        expected, m = clup.label(image > clup.threshold(image, method))
        ok(n == m and np.array_equal(labels, expected), "label above the threshold %s" % method)


def like_skimage():
    try:
        from skimage import filters
    except ImportError:
        print("# without scikit-image")
        return
    wrong = []
    for image in images():
        for method in ("otsu", "triangle", "li"):
            # where its least value is taken away, an i1 overflows
            expected = getattr(filters, "threshold_" + method)(image.astype(np.int64) if image.dtype == np.int8 else image)
            if abs(float(expected) - clup.threshold(image, method)) > (1e-5 * 4000 if method == "li" else 0 if image.dtype != np.float32 else 1e-3):
                wrong.append((method, image.dtype, expected))
    ok(not wrong, "as scikit-image's %s" % wrong)
    example = os.path.join(os.environ["srcdir"], "doc/guide/examples/split.py")
    said = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True).stdout
    ok(said.startswith("3 components, 6 discs\n") and said.count("pixels about") == 6, "the guide's example divides what touches: %s" % said.split("\n")[0])


def errors():
    usage = clup.UsageError
    raises(usage, "threshold 'x' is none of otsu, triangle, li", clup.threshold, [1, 2], "x")
    raises(usage, "level = 'otsu' is for match 'threshold'", clup.label, [1, 2], level="otsu")
    raises(usage, "level 'mean' is none of otsu", clup.label, [1, 2], match="threshold", level="mean")
    raises(usage, "1 values are not finite", clup.threshold, [1, np.nan])
    raises(usage, "2 values are not finite", clup.threshold, [np.inf, np.nan], "li")
    raises(usage, "are 16777216 apart", clup.threshold, np.array([0, 2**24]))
    raises(usage, "without pixels", clup.threshold, np.zeros((0, 3)))


by_definition()
in_label()
like_skimage()
errors()
done()
