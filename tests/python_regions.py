# SPDX-License-Identifier: BSD-3-Clause
"""Properties of regions in Python: exact sums of random images as rationals, and scikit-image's values where that is installed.

python_regions.py PROGRAM [IMAGES]: 200 images, or so many.
"""
import itertools
import sys
import warnings
from fractions import Fraction

import numpy as np
from scipy import spatial

import clup
from tap import done, ok, raises

IMAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 200
# sums are whole numbers; what follows from them is rounded a few times
NEAR = 2.0**-48
try:
    import skimage.measure
except ImportError:
    skimage = None


def random_image(random):
    """Labels, intensities and lengths of pixels, the latter two exact in binary."""
    axes = random.integers(1, 4)
    shape = tuple(random.integers(1, {1: 60, 2: 40, 3: 14}[axes], axes))
    labels = random.integers(0, random.integers(2, 6), shape)
    if random.random() < 0.5:
        block = int(random.integers(2, 8))
        labels = np.kron(labels, np.ones((block,) * axes, int))[tuple(slice(size) for size in shape)]
    kind = random.choice(["u1", "i2", "u4", "i8", "f4", "f8"])
    intensity = (random.standard_normal(shape) * 100).astype(kind) if kind[0] != "u" else random.integers(0, 256, shape).astype(kind)
    spacing = tuple(int(random.integers(1, 9)) / 4 for _ in shape) if random.random() < 0.5 else (1.0,) * axes
    return labels * random.choice([1, 3]), intensity, spacing


def exactly(places, weights, centre, powers):
    """The sum of weights times powers of distances from a centre."""
    total = Fraction(0)
    for place, weight in zip(places, weights):
        for distance, middle, power in zip(place, centre, powers):
            weight *= (distance - middle) ** power
        total += weight
    return total


def central_right(column, places, weights, centre):
    """Whether central moments are what rationals give, but for roundings of sums of as large terms."""
    places = [[float(distance) for distance in place] for place in places]
    for powers in itertools.product(range(4), repeat=len(centre)):
        wanted = exactly([[Fraction(distance) for distance in place] for place in places], weights, centre, powers)
        size = sum(abs(float(weight)) * np.prod([max(abs(distance - float(middle)), 1) ** power for distance, middle, power in
                                                 zip(place, centre, powers)]) for place, weight in zip(places, weights))
        if abs(Fraction(float(column(powers))) - wanted) > NEAR * Fraction(size):
            return False
    return True


def is_exact(labels, intensity, spacing):
    """Whether sums, means, centroids and central moments of all regions are what rationals give."""
    names = ("label", "area", "bbox", "centroid", "moments_central", "intensity_sum", "intensity_mean", "centroid_weighted",
             "moments_weighted_central")
    table = clup.regionprops_table(labels, intensity, properties=names, spacing=spacing)
    axes, lengths, right = labels.ndim, [*map(Fraction, spacing)], True
    for row, value in enumerate(table["label"]):
        at = np.argwhere(labels == value)
        places = [[int(x) * length for x, length in zip(place, lengths)] for place in at]
        weights = [Fraction(one.item()) for one in intensity[labels == value]]
        centroid = [sum(column) / len(at) for column in zip(*places)]
        whole = sum(weights)
        scale = sum(map(abs, weights))
        right &= table["area"][row] == float(len(at) * np.prod(lengths)) and [table["bbox-%d" % k][row] for k in range(2 * axes)] == [
            *at.min(axis=0), *at.max(axis=0) + 1]
        right &= all(abs(Fraction(table["centroid-%d" % k][row]) - centroid[k]) <= NEAR * max(centroid[k], 1) for k in range(axes))
        right &= abs(Fraction(table["intensity_sum"][row]) - whole) <= NEAR * scale and abs(
            Fraction(table["intensity_mean"][row]) * len(at) - whole) <= NEAR * scale
        few = slice(None, None, max(len(at) // 60, 1)) if axes > 2 else slice(None)
        if len(at) <= 60 or few == slice(None):
            right &= central_right(lambda powers: table["moments_central" + "".join("-%d" % p for p in powers)][row], places,
                                   [Fraction(1)] * len(at), centroid)
        if intensity.dtype.kind == "u" and whole > 0 and len(at) <= 200:
            middle = [sum(weight * x for weight, x in zip(weights, column)) / whole for column in zip(*places)]
            right &= all(abs(Fraction(table["centroid_weighted-%d" % k][row]) - middle[k]) <= NEAR * max(middle[k], 1) for k in range(axes))
            right &= central_right(lambda powers: table["moments_weighted_central" + "".join("-%d" % p for p in powers)][row], places,
                                   weights, middle)
    return bool(right)


def exact():
    random, wrong = np.random.default_rng(20), []
    for which in range(IMAGES):
        image = random_image(random)
        if not is_exact(*image):
            wrong.append((which, image[0].shape, image[1].dtype.str, image[2]))
    ok(not wrong, "%d images: areas, boxes, centroids, moments and intensities as rationals give them %s" % (IMAGES, wrong[:3]))


# what scikit-image adds up in floats of the image's type
ROUNDED = {"intensity_mean", "intensity_std", "intensity_median"}
VALUED = ["intensity_min", "intensity_max", *sorted(ROUNDED), "centroid_weighted", "centroid_weighted_local", "moments_weighted",
          "moments_weighted_central"]


def compared(labels, intensity, spacing):
    """Properties that differ from scikit-image's by more than that rounds."""
    plane = ["eccentricity", "euler_number", "area_convex", "solidity", "feret_diameter_max", "moments_hu", "perimeter", "perimeter_crofton"]
    names = ["label", "area", "bbox", "area_bbox", "extent", "equivalent_diameter_area", "centroid", "centroid_local", "inertia_tensor",
             "inertia_tensor_eigvals", "axis_major_length", "axis_minor_length", "moments", "moments_central", *VALUED]
    names += plane[:5 if set(spacing) != {1.0} else None] if labels.ndim == 2 else plane[1:5]
    found, differ = clup.regionprops_table(labels, intensity, properties=names, spacing=spacing), []
    if labels.ndim == 3 and not skimage.measure.regionprops_table(labels, properties=("area_convex",))["area_convex"].all():
        names = [name for name in names if name not in plane[2:5]]  # it finds no hull of voxels in one plane
    for name in names:
        for column, wanted in skimage.measure.regionprops_table(labels, intensity, properties=(name,), spacing=spacing).items():
            near = 1e-4 if name in ROUNDED and intensity.dtype == np.float32 else 1e-6 if "axis" in name else 1e-9
            scale = max(1, np.abs(wanted[np.isfinite(wanted)]).max(initial=1))
            if "central" in name:
                scale = max(scale, np.abs(skimage.measure.regionprops_table(labels, np.abs(intensity), properties=(
                    "moments_weighted" if "weighted" in name else "moments",), spacing=spacing)[column.replace("_central", "")]).max(initial=1))
            if not np.allclose(found[column], wanted, rtol=near, atol=near * scale, equal_nan=True):
                differ.append((column, found[column].tolist()[:2], wanted.tolist()[:2]))
    return differ


def percentiles():
    """Percentiles as numpy's, of integers and floats, by channels too."""
    random, wrong = np.random.default_rng(3), []
    percentages = (0, 2.5, 25, 33.3, 50, 75, 99.9, 100)
    names = ["intensity_p%g" % percentage for percentage in percentages]
    for kind in "u1", "i2", "u4", "f4", "f8":
        labels = random.integers(0, 5, (30, 40))
        values = (random.standard_normal((30, 40, 3)) * 50 + 100).clip(0, 255).astype(kind)
        table = clup.regionprops_table(labels, values, properties=names)
        for label in range(1, 5):
            wanted = np.percentile(values[labels == label].astype(float), percentages, axis=0)
            found = [[table["%s-%d" % (name, channel)][label - 1] for channel in range(3)] for name in names]
            if not (np.asarray(found) == wanted).all():
                wrong.append((kind, label, found[1], wanted[1].tolist()))
    ok(not wrong, "percentiles are numpy's %s" % wrong[:2])
    one = clup.regionprops(np.array([[1, 1, 1]]), np.array([[2, 4, 9]]))[0]
    ok(one.intensity_p25 == 3 and one["intensity_p62.5"] == 5.25, "and attributes of regions")
    raises(clup.UsageError, "percentiles are those of 0 to 100", clup.regionprops_table, [[1]], [[1]], properties=["intensity_p101"])


def hull(mask, spacing):
    """Voxels in the convex hull of the middles of all sides of voxels, and the largest distance of points between these and others, by Qhull."""
    sides = np.concatenate([np.argwhere(mask) + side * step for side in np.eye(3) / 2 for step in (1, -1)])
    beyond = spatial.ConvexHull(sides).equations
    inside = (np.argwhere(np.ones(mask.shape)) @ beyond[:, :3].T + beyond[:, 3] < 1e-9).all(axis=1).reshape(mask.shape)
    padded = np.pad(inside, 1)
    border = [(np.argwhere(padded & ~np.roll(padded, step, axis)) - side * step) * spacing
              for axis, side in enumerate(np.eye(3) / 2) for step in (1, -1)]
    corners = np.concatenate(border)
    corners = corners[spatial.ConvexHull(corners).vertices]
    return inside.sum(), spatial.distance.pdist(corners).max()


def hulls():
    """Hulls of volumes, of regions that are one voxel, a line or a plane too."""
    random, wrong, count = np.random.default_rng(8), [], 0
    for which in range(max(IMAGES // 10, 10)):
        shape, spacing = tuple(random.integers(1, 24, 3)), tuple(int(random.integers(1, 9)) / 4 for _ in range(3))
        labels = random.integers(1, 9, shape) * (random.random(shape) < random.choice([0.02, 0.1, 0.7]))
        if which % 3 == 0:
            z, y, x = np.indices(shape)
            labels = 1 + ((z / 7 - 1)**2 + (y / 9 - 1)**2 + (x / 6 - 1)**2 < 0.8)
        table = clup.regionprops_table(labels, properties=("label", "area", "area_convex", "solidity", "feret_diameter_max"), spacing=spacing)
        for label, area, convex, solidity, diameter in zip(*table.values()):
            pixels, wanted = hull(labels == label, spacing)
            count += 1
            if not (convex == pixels * np.prod(spacing) and solidity == area / convex and abs(diameter - wanted) < 1e-9 * wanted):
                wrong.append((which, label, shape, convex, pixels, diameter, wanted))
    ok(not wrong and count > 20, "%d convex hulls of volumes as Qhull finds them %s" % (count, wrong[:2]))


def as_skimage():
    if skimage is None:
        print("# without scikit-image")
        return
    random, wrong = np.random.default_rng(21), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for which in range(IMAGES // 5):
            labels, intensity, spacing = random_image(random)
            if labels.ndim > 1 and labels.any():
                wrong += compared(labels, intensity, spacing)
    ok(not wrong, "%d images: scikit-image's values %s" % (IMAGES // 5, wrong[:3]))


def objects():
    """Regions as objects, names that there were before, channels, and what the columns are."""
    labels = np.array([[1, 1, 1, 0], [1, 0, 1, 7], [1, 1, 1, 7]])
    colours = np.stack([labels * factor for factor in (1, 2, 3, 4, 5, 6)], axis=-1).astype(np.uint8)
    one, seven = clup.regionprops(labels, colours)
    ok(one.area == 8 and one.bbox == (0, 0, 3, 3) and one.euler_number == 0 and one.area_filled == 9 and seven.label == 7 and
       one["MajorAxisLength"] == one.axis_major_length and seven.coords.tolist() == [[1, 3], [2, 3]] and
       np.array_equal(one.image, labels[:, :3] == 1) and one.image_intensity.shape == (3, 3, 6), "regions as objects")
    ok(seven.intensity_mean.tolist() == [7, 14, 21, 28, 35, 42] and seven.moments_weighted.shape == (4, 4, 6) and
       seven.moments_weighted[0, 0].tolist() == [14, 28, 42, 56, 70, 84] and one.inertia_tensor.shape == (2, 2), "of six channels, and arrays")
    ok(one == clup.regionprops(labels, colours)[0] and one != seven and "perimeter" in [*one], "they are compared by what they are")
    ok(clup.regionprops(labels, offset=(10, 20))[1].centroid == (11.5, 23), "and may begin elsewhere")
    ok([*clup.regionprops_table(labels, labels, properties=("max_intensity", "weighted_centroid"), separator="_")] ==
       ["max_intensity", "weighted_centroid_0", "weighted_centroid_1"], "names that there were before are those of their columns")
    table = clup.regionprops_table(labels, properties="all")
    ok({name: column.dtype.kind for name, column in table.items() if column.dtype.kind == "i"}.keys() == {
        "label", "num_pixels", "euler_number", "bbox-0", "bbox-1", "bbox-2", "bbox-3"} and len(table) > 70 and "intensity_min" not in table,
       "all properties, of which some are whole numbers")
    def corners(mask):
        return mask[0, 0], mask[-1, -1]
    table = clup.regionprops_table(labels, properties=("label", "area_filled"), extra_properties=[corners])
    ok({name: column.tolist() for name, column in table.items()} == {"label": [1, 7], "area_filled": [9, 2], "corners-0": [True, True],
                                                                     "corners-1": [True, True]}, "functions of one's own")
    huge = np.array([[2**63 + 5, 0, 2**63 + 5, 12, 12]], np.uint64)
    table = clup.regionprops_table(huge, properties=("label", "area", "perimeter_crofton"))
    ok(table["label"].tolist() == [12, 2**63 + 5] and table["area"].tolist() == [2, 2] and table["label"].dtype == np.uint64, "huge labels")
    empty = clup.regionprops_table(np.zeros((0, 4), int), np.zeros((0, 4)), properties="all")
    ok(empty["moments-3-3"].shape == (0,) and clup.regionprops(np.zeros((3, 3), int)) == [], "no regions")
    nan = clup.regionprops_table([[1, 1, 2]], [[np.nan, 1, 2]], properties=("intensity_min", "intensity_mean", "intensity_median", "intensity_std"))
    ok(all(np.isnan(column[0]) and column[1] in (2, 0) for column in nan.values()), "a NaN among the values is one of all that they give")
    raises(clup.UsageError, "is not a whole number for each of 2 axes", clup.regionprops, labels, offset=(1,))
    raises(AttributeError, "unavailable when `intensity_image` has not been specified", getattr, clup.regionprops(labels)[0], "intensity_mean")
    raises(AttributeError, "has no attribute 'wings'", getattr, one, "wings")


def without():
    """Columns of no region have the types of those of some."""
    some, none = (clup.regionprops_table(labels, labels * 1.5, properties="all") for labels in (np.eye(4, dtype=int), np.zeros((4, 4), int)))
    ok(some.keys() == none.keys() and all(not none[name].size and none[name].dtype == some[name].dtype for name in some) and none["label"].dtype == np.int64,
       "columns of an image without regions have their types")


for part in exact, percentiles, hulls, as_skimage, objects, without:
    part()
done()
