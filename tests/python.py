# SPDX-License-Identifier: BSD-3-Clause
"""The package clup against scipy, numpy and the program: TAP lines. python.py CLUP, the program."""
import doctest
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
from scipy import ndimage

import clup
import clup.graph
from tap import done, ok, raises


def same(a, b):
    return a.dtype == b.dtype and np.array_equal(a, b)


def documented():
    for name in "_analysis", "_contacts", "_images", "_label", "_objects", "_regions", "_lattices", "_result", "_runs", "_simulation", "graph", "measure":
        found = doctest.testmod(importlib.import_module("clup." + name))
        ok(found.attempted > 0 and found.failed == 0, "%d examples of %s are as they say" % (found.attempted, name))


def random_images(seed, many):
    """Arrays of 1 to 3 axes of any dtype, in any order, and random numbers."""
    random = np.random.default_rng(seed)
    for _ in range(many):
        axes = random.integers(1, 4)
        dtype = random.choice(["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", ">i4", ">f2", ">f4", ">f8"])
        values = random.integers(0, random.integers(2, 5), random.integers(1, [0, 60, 25, 12][axes], axes))
        image = values.astype(dtype)
        if dtype in ("u8", "i8", "f8"):
            image = image * [1, 2**40, 0.1][random.integers(0, 2 + (dtype == "f8"))]
        image = [image, np.asfortranarray(image), image[::-1], image[..., ::-1]][random.integers(0, 4)].astype(dtype, copy=False)
        yield random, image


def like_scipy():
    """Any image, structure and output."""
    wrong = []
    for random, image in random_images(1, 150):
        structure = None
        if random.random() < 0.6:
            structure = random.random((3,) * image.ndim) < 0.4
            structure |= structure[(slice(None, None, -1),) * image.ndim]
            if random.random() < 0.5:
                structure = ndimage.generate_binary_structure(image.ndim, random.integers(1, image.ndim + 1))
        output = [None, np.int32, np.int64, np.uint16, np.float64][random.integers(0, 5)]
        labels, n = clup.label(image, structure, output)
        expected = ndimage.label(image != 0, structure, output)
        if n != expected[1] or not same(labels, expected[0]):
            wrong.append((image.shape, image.dtype, structure, output))
    ok(not wrong, "150 images of any dtype, structures and outputs: labels are scipy's %s" % wrong[:2])
    image = np.random.default_rng(2).random((30, 40)) < 0.5
    expected, n = ndimage.label(image)
    for dtype in np.int32, np.uint32, np.int16, np.float32:
        output = np.full(image.shape, 7, dtype)
        ok(clup.label(image, output=output) == n and np.array_equal(output, expected), "labels go into an array of %s" % output.dtype)
    wide = np.zeros((30, 80), np.int32)
    ok(clup.label(image, output=wide[:, ::2]) == n and np.array_equal(wide[:, ::2], expected), "and into one with gaps")


def by_definition():
    """Equal values: of each value, the clusters of what has it."""
    wrong = []
    for random, image in random_images(3, 60):
        near = random.integers(1, image.ndim + 1)
        background = [None, 0, 1, 2, 3, 0.5][random.integers(0, 6 if image.dtype.kind == "f" else 5)]
        background = None if image.dtype.kind == "b" and background and background > 1 else background
        labels, n = clup.label(image, match="equal", connectivity=int(near), background=background)
        structure, parts = ndimage.generate_binary_structure(image.ndim, near), 0
        right = np.array_equal(labels == 0, image == background if background is not None else np.zeros(image.shape, bool))
        for value in np.unique(image):
            if background is None or value != background:
                part, m = ndimage.label(image == value, structure)
                parts += m
                pairs = {*zip(part[part > 0].tolist(), labels[part > 0].tolist())}
                right = right and len(pairs) == m == len({b for _, b in pairs})
        first = np.unique(labels[labels > 0], return_index=True)[1]
        if not (right and parts == n and (np.diff(first) > 0).all()):
            wrong.append((image.shape, image.dtype, near, background))
    ok(not wrong, "60 images of equal values, by definition %s" % wrong[:2])
    image = np.random.default_rng(4).integers(0, 5, (20, 30)).astype(np.uint8)
    ok(clup.label(image, match="threshold", level=2)[1] == ndimage.label(image > 2)[1], "pixels above a level")
    ok(clup.label(image * 0.1, match="threshold", level=0.15)[1] == ndimage.label(image > 1)[1], "of 64 bits")
    ok(clup.label(image, match="tolerance", level=1, background=None)[1] < clup.label(image, match="equal", background=None)[1],
       "a tolerance joins more than equality")
    inside = np.zeros((3, 9), bool)
    inside[1, :2] = inside[1, -2:] = inside[::2, 4:7:2] = True
    found = [clup.label(inside, periodic=around)[1] for around in (False, True, (True, False), (False, True))]
    ok(found == [6, 3, 4, 5], "periodic axes are in numpy's order: %s" % found)
    cross = [[0, 1, 0]] * 3
    ok(clup.label(np.ones((5, 4)), [[0, 0, 0], [1, 1, 1], [0, 0, 0]])[1] == 5 and clup.label(np.ones((5, 4)), cross)[1] == 4,
       "structures are in numpy's order")
    ok(same(clup.measure.label(image), clup.label(image, match="equal", connectivity=2)[0]) and
       clup.measure.label(image, 1, True, 1)[1] == clup.label(image, match="equal", background=1)[1],
       "clup.measure.label has skimage's defaults and arguments")


class Blocks:
    """An array that is read and written piece by piece, as those of h5py and zarr are."""

    def __init__(self, values, chunks):
        self.values, self.chunks, self.shape, self.dtype, self.ndim, self.most = values, chunks, values.shape, values.dtype, values.ndim, 0

    def __getitem__(self, place):
        self.most = max(self.most, self.values[place].nbytes)
        return self.values[place].copy()

    def __setitem__(self, place, values):
        self.values[place] = values


def by_blocks():
    image = np.random.default_rng(7).integers(0, 3, (80, 200000)).astype(np.int64)
    expected, n = clup.label(image, match="equal", connectivity=8)
    read, written = Blocks(image, (7, 64)), Blocks(np.empty(image.shape, np.uint32), None)
    ok(clup.label(read, match="equal", connectivity=8, output=written) == n and np.array_equal(written.values, expected),
       "an array that is read in blocks, and labels that are written in blocks")
    ok(read.most < image.nbytes / 2 and read.most % (7 * 200000 * 8) == 0, "of whole chunks, %d bytes at most" % read.most)
    image = image[:9, :3000].reshape(9, 50, 60)
    ok(same(clup.label(Blocks(image, (2, 2, 2)), match="equal", connectivity=26)[0], clup.label(image, match="equal", connectivity=26)[0]),
       "labels are numpy's without an output")
    raises(ValueError, "output shape", clup.label, image, output=Blocks(image[:8], None))
    raises(ValueError, "insufficient bit-depth", clup.label, image, match="equal", output=Blocks(np.empty(image.shape, np.uint8), None))
    ok(clup.label(Blocks(np.zeros((0, 3), bool), (1, 1)))[1] == 0, "there may be none")


def wide():
    """Values of 64 bits that no double tells apart."""
    for least in 2**64 - 4, 2**63 - 2, 2**53:
        image = np.array([[0, 1, 1, 3], [0, 0, 2, 2]], np.uint64) + np.uint64(least)
        ok(clup.label(image, match="equal", background=least)[0].tolist() == [[0, 1, 1, 2], [0, 0, 3, 3]] and
           clup.label(image, match="threshold", level=least + 1)[0].tolist() == [[0, 0, 0, 1], [0, 0, 1, 1]] and
           clup.label(image, match="tolerance", level=1, background=None)[1] == 1, "values from %d on" % least)
        ok(clup.regionprops_table(image)["label"].tolist() == [least, least + 1, least + 2, least + 3], "and their regions")
    image = np.array([-2**63, -2**63 + 1, 5, -1])
    ok(clup.label(image, match="equal", background=-2**63)[0].tolist() == [0, 1, 2, 3] and
       clup.measure.label(image, 2**63, True, 1)[1] == 4, "signed ones, and a background that there is not")
    image = np.array([0.1, np.nextafter(0.1, 1), 0.1, -0.0, 0.0])
    ok(clup.label(image, match="equal", background=0)[0].tolist() == [1, 2, 3, 0, 0] and
       clup.label(image, match="tolerance", level=1e-16, background=None)[0].tolist() == [1, 1, 1, 2, 2], "doubles")


def regions():
    wrong = []
    for random, image in random_images(5, 60):
        if image.dtype.kind not in "biu":
            continue
        table = clup.regionprops_table(image, image * 2.0, properties=("label", "area", "bbox", "centroid", "inertia_tensor", "intensity_mean"))
        names = [value for value in np.unique(image) if value != 0]
        right = np.array_equal(table["label"], np.array(names, np.int64))
        for k, value in enumerate(names):
            places = np.argwhere(image == value)
            away = places - places.mean(axis=0)
            moments = away.T @ away / len(places)
            inertia = np.trace(moments) * np.eye(image.ndim) - moments
            expected = [len(places), *places.min(axis=0), *places.max(axis=0) + 1, *places.mean(axis=0), *inertia.ravel(), 2.0 * value]
            columns = [column[k] for name, column in table.items() if name != "label"]
            right = right and np.allclose(columns, expected, rtol=1e-9, atol=1e-9)
        if not right:
            wrong.append((image.shape, image.dtype))
    ok(not wrong, "regions of random labels: sizes, boxes, centroids, moments and means %s" % wrong[:2])
    labels = np.array([[0, 3, 3], [1, 0, 3]])
    found = clup.statistics(labels)
    ok(found["voxel_counts"].tolist() == [2, 1, 0, 3] and found["bounding_boxes"][2] is None and np.isnan(found["centroids"][2]).all() and
       found["bounding_boxes"][0] == (slice(0, 2), slice(0, 2)), "statistics of labels with gaps, and of the background")
    table = clup.regionprops_table([[1, 1, 1, 1], [0, 0, 0, 2]], properties=(
        "num_pixels", "area_bbox", "extent", "axis_major_length", "axis_minor_length", "eccentricity", "orientation", "equivalent_diameter_area"))
    ok(np.allclose([abs(column[0]) for column in table.values()], [4, 4, 1, 4 * 1.25**0.5, 0, 1, np.pi / 2, (16 / np.pi) ** 0.5]),
       "lengths, eccentricity and orientation of a line")
    image = np.random.default_rng(6).integers(0, 3, (6, 12, 9)).astype(np.uint16)
    pieces, n = clup.label(image, match="equal", connectivity=26)
    sizes = np.bincount(pieces.ravel())
    ok(np.array_equal(clup.dust(image, 5), np.where(sizes[pieces] < 5, 0, image)), "dust")
    largest = clup.largest_k(image, 3)
    ok(np.bincount(largest.ravel())[1:].tolist() == sorted(sizes[1:])[-3:], "the three largest, the smallest of them first")
    ok(clup.regionprops_table(np.zeros((3, 0), int))["label"].size == 0 and clup.regionprops_table(np.zeros((3, 3), int))["label"].size == 0,
       "no regions")


def touching(labels, rank, periodic, lengths):
    """What touches, by the definition: {(a, b): [area, pairs of pixels]} from both sides of each pair."""
    found, axes = {}, labels.ndim
    for step in np.ndindex(*[3] * axes):
        step = np.array(step) - 1
        far = np.abs(step).sum()
        if not 1 <= far <= rank:
            continue
        other = np.roll(labels, -step, range(axes))
        for axis in range(axes):
            ends = [slice(None)] * axes
            ends[axis] = slice(-1, None) if step[axis] > 0 else slice(0, 1)
            if step[axis] and not periodic[axis]:
                other[tuple(ends)] = 0
        area = np.prod([length for length, d in zip(lengths, step) if d == 0]) if far == 1 else 0
        both = (labels != 0) & (other != 0) & (labels != other)
        for a, b in zip(labels[both].tolist(), other[both].tolist()):
            one = found.setdefault((min(a, b), max(a, b)), [0, 0])
            one[0] += area / 2
            one[1] += 0.5
    return found


def neighbourhood():
    """Which labels touch, what remains of objects, and each of them."""
    random = np.random.default_rng(9)
    for shape, largest, dtype, connectivity in (((40,), 4, "u1", 1), ((9, 14), 5, "u2", 1), ((11, 8), 300, "i4", 2), ((5, 6, 7), 4, "u4", 3),
                                                ((6, 5, 4), 90, "i8", 2), ((4, 4, 5), 3, "?", 3)):
        labels, axes = random.integers(0, largest, shape).astype(dtype), len(shape)
        lengths, periodic = (0.5, 2.0, 3.0)[:axes], random.random(axes) < 0.5
        for values in (labels, labels - 2, labels * 2**33) if dtype == "i8" else (labels,):
            wanted = touching(values, connectivity, periodic, lengths)
            given = {"connectivity": connectivity, "periodic": periodic.tolist()}
            ok(clup.contacts(values, anisotropy=lengths, **given) == {pair: area for pair, (area, _) in wanted.items()} and
               clup.contacts(values, surface_area=False, **given) == {pair: count for pair, (_, count) in wanted.items()} and
               clup.region_graph(values, **given) == set(wanted), "%d pairs of %s that touch, %s" % (len(wanted), dtype, shape))
    ok(clup.contacts(np.zeros((0, 3), int)) == {} == clup.contacts(np.ones((3, 3), int)), "nothing touches")
    plane = [[1, 2], [2, 3]]
    ok(clup.region_graph(plane, 26) == clup.region_graph(plane, 8) == {(1, 2), (2, 3), (1, 3)} and clup.region_graph(plane, 6) == {(1, 2), (2, 3)},
       "connectivities of volumes in the plane")
    raises(clup.UsageError, "anisotropy = (1,) is no positive number", clup.contacts, plane, anisotropy=(1,))
    raises(clup.UsageError, "anisotropy = 0 is no positive number", clup.contacts, plane, anisotropy=0)
    raises(clup.UsageError, "connectivity 5", clup.contacts, plane, 5)
    image = random.integers(0, 3, (7, 12))
    for faces in True, False:
        structure = ndimage.generate_binary_structure(2, 1 if faces else 2)
        ok(np.array_equal(clup.measure.binary_fill_holes(image, connectivity=1 if faces else 2), ndimage.binary_fill_holes(image, structure)),
           "holes filled as by scipy")
    holes, n = ndimage.label(image == 0)
    sizes = np.bincount(holes.ravel())
    ok(np.array_equal(clup.measure.remove_small_holes(image, max_size=2), (image != 0) | (sizes <= 2)[holes]), "small holes")
    objects, n = ndimage.label(image != 0)
    sizes = np.bincount(objects.ravel())
    ok(np.array_equal(clup.measure.remove_small_objects(image != 0, max_size=3), (image != 0) & (sizes > 3)[objects]) and
       np.array_equal(clup.measure.remove_small_objects(objects, max_size=3), objects * (sizes > 3)[objects]), "small objects")
    pieces, n = clup.label(image, match="equal", connectivity=2)
    at = np.unique(np.concatenate([pieces[:2].ravel(), pieces[-2:].ravel(), pieces[:, :2].ravel(), pieces[:, -2:].ravel()]))
    ok(np.array_equal(clup.measure.clear_border(image, 1, 9), np.where(np.isin(pieces, at), 9, image)), "objects at the border")
    ok(clup.measure.clear_border([[1, 0, 2]], mask=np.array([[True, True, False]])).tolist() == [[1, 0, 0]], "where a mask is not")
    raises(clup.UsageError, "buffer_size = 7 is not less", clup.measure.clear_border, image, 7)
    raises(clup.UsageError, "mask is no array of booleans", clup.measure.clear_border, image, mask=image)
    raises(clup.UsageError, "an image of float64 has no objects", clup.measure.remove_small_objects, image * 1.5)
    colours = random.integers(1, 9, (7, 12, 3))
    boxes = dict(enumerate(ndimage.find_objects(objects), 1))
    crops = list(clup.measure.each(objects, colours))
    ok([number for number, _ in crops] == list(boxes) and
       all(np.array_equal(crop, colours[boxes[k]] * (objects[boxes[k]] == k)[..., None]) for k, crop in crops), "each object by itself")
    raises(clup.UsageError, "the image has the shape (7, 12, 3), labels (12,)", clup.measure.each, objects[0], colours)


def without_values():
    """NaNs, and what is masked."""
    nan = np.nan
    image = np.array([[nan, nan, 1, 1, 2], [nan, 0, 0, 0, 2]])
    for values in image, image.astype(np.float32), image.astype(">f2"):
        ok(clup.label(values)[0].tolist() == ndimage.label(values.astype(float))[0].tolist(), "a NaN of %s is not 0, as in scipy" % values.dtype)
        ok(clup.label(values, match="threshold", level=0.5)[0].tolist() == [[0, 0, 1, 1, 1], [0, 0, 0, 0, 1]], "nor above a level")
        expected = [[0, 0, 1, 1, 2], [0, 3, 3, 3, 2]]
        ok(clup.label(values, match="equal", background=nan)[0].tolist() == expected and
           clup.label(values, match="tolerance", level=0.5, background=nan)[0].tolist() == expected and
           clup.measure.label(values, nan, connectivity=1).tolist() == expected, "it may be the background")
        ok(clup.label(values, match="equal")[1] == 5, "else each is a cluster")
    volume = np.where(np.random.default_rng(9).random((12, 40, 35)) < 0.4, nan, 1).astype(np.float32)
    ok(clup.label(volume, match="equal", background=nan, connectivity=26)[1] == ndimage.label(volume == 1, np.ones((3, 3, 3)))[1],
       "of a volume as well")
    ok(clup.label(np.array([[0.1, 1]], np.float16), match="equal", background=0.1)[0].tolist() == [[0, 1]], "a background is rounded as values are")
    wrong = []
    for random, image in random_images(10, 60):
        mask = random.random(image.shape) < 0.3
        hidden = np.ma.array(image, mask=mask)
        inside = (image != 0) & ~mask
        if not np.array_equal(clup.label(hidden)[0], ndimage.label(inside)[0]):
            wrong.append((image.dtype, "nonzero"))
        # of each value the clusters of what has it and is not masked
        for background in None, 0:
            parts = sum(ndimage.label((image == value) & ~mask)[1] for value in np.unique(image) if background is None or value != 0)
            labels, n = clup.label(hidden, match="equal", background=background)
            if n != parts or (labels != 0).tolist() != (~mask & ((image != 0) | (background is None))).tolist():
                wrong.append((image.dtype, "equal", background))
    ok(not wrong, "60 masked images: masked values have no clusters %s" % wrong[:3])
    every = np.ma.array(np.arange(256, dtype=np.uint8)[None], mask=np.arange(256)[None] == 7)
    ok(clup.label(every, match="equal", background=None)[1] == 255, "where all values of a type are in use, too")
    ok(clup.label(np.ma.array([[5, 1, 7]], mask=[[0, 0, 1]]), match="threshold", level=2)[0].tolist() == [[1, 0, 0]], "above a level")


def as_peers():
    """What scikit-image and cc3d say of small cases."""
    for rows, columns, expected in (1, 6, np.pi / 2), (2, 6, np.pi / 2), (6, 2, 0):
        found = clup.regionprops_table(np.pad(np.ones((rows, columns), int), 2), properties="orientation")["orientation"]
        ok(found.tolist() == [expected], "orientation of %d x %d pixels is %g" % (rows, columns, expected))
    column = clup.regionprops_table(np.arange(1, 256, dtype=np.uint8)[None], properties=("label",))["label"]
    ok(column.dtype == np.int64 and (column + 1).max() == 256, "the column label is int64")
    ok(clup.regionprops_table([[-1, -1, 0, 3, 7 * 10**9]])["label"].tolist() == [3, 7 * 10**9], "negative labels are no regions, large ones are")
    found = clup.regionprops_table([[1, 1], [2, 2]], spacing=(2, 1), properties=("area", "centroid", "orientation", "extent", "area_bbox", "num_pixels"))
    ok(np.allclose([*found.values()], [[4, 4], [0, 2], [0.5, 0.5], [np.pi / 2] * 2, [1, 1], [4, 4], [2, 2]]), "spacing, of each axis")
    found = clup.regionprops_table([[1, 1, 1]], np.array([[2**62, 4, -(2**62)]]), "intensity_mean")["intensity_mean"]
    ok(found.tolist() == [4 / 3], "means of integers are of exact sums")
    image = np.array([[5, 5, 0, 7]])
    ok(clup.dust(image, (1, 2), connectivity=4).tolist() == [[0, 0, 0, 7]] and clup.dust(image, [1, 3]).tolist() == image.tolist(), "dust of a range")
    column = np.array([[1, 0], [0, 0], [1, 0]])
    ok([clup.label(column, periodic=axes)[1] for axes in ("x", "y", "x,y", (True, False))] == [2, 1, 1, 1], "axes by their names")
    spins = [clup.simulate((4, 6), beta=0.5, sweeps=10, periodic=axes)["spins"].tolist() for axes in ("x", (False, True), True)]
    ok(spins[0] == spins[1] != spins[2], "of lattices as well")
    ok(clup.measure.label(np.array([[1, 1, 0]], np.uint8), -1).tolist() == [[1, 1, 2]], "a background that unsigned values cannot have is none")
    ok(clup.label(image, level=0, background=0)[1] == 2, "what is said and is so anyway is no error")


def lattices(program):
    def run(*words):
        return json.loads(subprocess.run([program, *words, "--reference", "-q", "--json"], stdout=subprocess.PIPE, check=True).stdout)

    found = clup.simulate((9, 12), sweeps=20, thermalize=5, seed=4, q=3, beta=1.0, observables=("energy", "abs_m", "clusters"))
    said = run("simulate", "--size", "12x9", "--sweeps", "20", "--thermalize", "5", "--seed", "4", "--q", "3", "--beta", "1",
               "--observables", "clusters")
    from hashlib import sha256
    ok(sha256(found["spins"].tobytes()).hexdigest() == said["spins_sha256"], "spins are those of the program")
    ok(all(found[name]["mean"] == said["observables"][name]["mean"] and found[name]["error"] == said["observables"][name]["error"]
           for name in ("energy", "abs_m", "clusters")), "and so are means and errors")
    spins, series = found["spins"], found["energy"]["series"]
    energy = -np.mean((spins == np.roll(spins, -1, 0)).astype(int) + (spins == np.roll(spins, -1, 1)))
    ok(np.isclose(series[-1], energy) and np.isclose(series.mean(), found["energy"]["mean"]), "series, which end with the spins")
    ising = clup.simulate((9, 12), model="ising", beta=0.4, sweeps=20, thermalize=5, seed=4)
    with open("own.toml", "w") as file:
        file.write("states = 3\nbonds = [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]\nsites = [-0.25, 0, 0]\n"
                   "involutions = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]\n")
    own, potts = (clup.simulate((9, 12), beta=0.8, sweeps=20, seed=4, **model) for model in ({"model": "own.toml"}, {"q": 3, "field": 0.25}))
    ok((own["spins"] == potts["spins"]).all() and np.allclose(own["energy"]["series"], potts["energy"]["series"], atol=1e-6), "a model of one's own")
    raises(clup.Error, "No such file", clup.simulate, 8, model="nowhere.toml", beta=1)
    potts = clup.simulate((9, 12), beta=0.8, sweeps=20, thermalize=5, seed=4)
    coupled = [clup.simulate((9, 12), model="ising", beta=0.4, sweeps=20, seed=4, coupling=coupling, disorder="pm=0.25", device=device)
               for coupling, device in (([1, -0.5], None), ("1,-0.5", None))]
    ok((coupled[0]["spins"] == coupled[1]["spins"]).all() and (coupled[0]["spins"] != ising["spins"]).any(), "simulate with couplings and disorder")
    ok((ising["spins"] == potts["spins"]).all() and np.allclose(ising["energy"]["series"], 2 + 2 * potts["energy"]["series"]) and
       np.isclose(clup.simulate(8, model="ising", sweeps=2)["beta"], 0.44068679350977),
       "the Ising model has the spins of two states at twice the beta, and energies of its own")
    several = clup.simulate(8, beta=[0.5, 0.9], replicas=2, sweeps=30, periodic=(True, False), lattice="triangular")
    ok(several["beta"] == [0.5, 0.5, 0.9, 0.9] and several["spins"].shape == (4, 8, 8) and len(several["energy"]["mean"]) == 4,
       "several temperatures and replicas")
    ok(clup.simulate((3, 4, 5), lattice="cubic", algorithm="wolff", start="random", sweeps=10, every=5)["energy"]["series"].size == 2,
       "a volume, Wolff's algorithm, and what is measured at times")
    warm = [clup.simulate((9, 12), beta=0.8, sweeps=20, thermalize=5, seed=4, algorithm=algorithm, heat_bath=sweeps)["spins"]
            for algorithm, sweeps in (("heat-bath", 0), ("sw", 2))]
    said = [run("simulate", "--size", "12x9", "--sweeps", "20", "--thermalize", "5", "--seed", "4", "--beta", "0.8", *words)["spins_sha256"]
            for words in (("--algorithm", "heat-bath"), ("--heat-bath", "2"))]
    ok([sha256(spins.tobytes()).hexdigest() for spins in warm] == said, "the heat bath, alone and beside clusters")
    signs = np.where(np.arange(2 * 108).reshape(2, 9, 12) % 3, 1, -1).astype(np.int8)
    np.save("signs.npy", signs.reshape(2, -1))
    given = [clup.simulate((9, 12), model="ising", beta=0.4, sweeps=20, seed=4, thermalize=0, replicas=2, bond_couplings=signs, houdayer=2)["spins"],
             clup.simulate((9, 12), model="xy", beta=0.8, sweeps=20, seed=4, thermalize=0, replicas=2, overrelaxation=2)["spins"]]
    said = [[system["spins_sha256"] for system in run("simulate", "--size", "12x9", "--sweeps", "20", "--thermalize", "0", "--seed", "4", *words)["replicas"]]
            for words in (("--model", "ising", "--beta", "0.4", "--replicas", "2", "--bond-couplings", "signs.npy", "--houdayer", "2"),
                          ("--model", "xy", "--beta", "0.8", "--replicas", "2", "--overrelaxation", "2"))]
    of_xy = np.rint(given[1] * (2**32 / (2 * np.pi))).astype(np.uint64).astype(np.uint32)
    ok([[sha256(system.tobytes()).hexdigest() for system in systems] for systems in (given[0], of_xy)] == said, "couplings of bonds, moves of pairs, overrelaxation")
    raises(clup.UsageError, "(directions, *shape)", lambda: clup.simulate((9, 12), model="ising", sweeps=1, bond_couplings=signs[0]))
    diluted = [clup.simulate((9, 12), model=model, beta=0.4, sweeps=5, disorder="site-dilute=0.25")["spins"] for model in ("ising", "heisenberg")]
    vacant = [diluted[0] == 255, np.isnan(diluted[1]).all(-1)]
    ok((vacant[0] == vacant[1]).all() and 10 < vacant[0].sum() < 50 and np.isin(diluted[0][~vacant[0]], (0, 1)).all(), "vacant sites have no spins")
    pierced = [clup.simulate((8, 12), model=model, lattice="kagome", beta=0.4, sweeps=5)["spins"] for model in ("ising", "xy")]
    hole = np.add.outer(2 * (np.arange(8) % 2), np.arange(12) % 2) == 3
    ok(((pierced[0] == 255) == hole).all() and (np.isnan(pierced[1]) == hole).all(), "nor have the holes of a lattice")
    found = clup.percolate((9, 12), [0.4, 0.5], samples=7, seed=2, kind="site")
    said = run("percolate", "--size", "12x9", "--ps", "0.4,0.5", "--samples", "7", "--seed", "2", "--kind", "site")
    ok(all(np.isclose(found[name]["mean"][k], point["observables"][name]["mean"], rtol=1e-12) and
           np.isclose(found[name]["error"][k], point["observables"][name]["error"], rtol=1e-9)
           for k, point in enumerate(said["points"]) for name in ("clusters", "occupied", "wrap_x", "mean_size")),
       "percolation is that of the program")


def errors():
    image = np.eye(4)
    usage = clup.UsageError
    raises(ValueError, "match 'x' is none of equal", clup.label, image, match="x")
    raises(usage, "connectivity 5 is none of", clup.label, image, connectivity=5)
    raises(usage, "not symmetric", clup.label, image, [[0, 0, 0], [0, 1, 1], [0, 0, 0]])
    raises(usage, "must have equal rank", clup.label, image, [1, 1, 1])
    raises(usage, "must be equal to 3", clup.label, image, np.ones((5, 5)))
    raises(ValueError, "output shape", clup.label, image, output=np.zeros(3, int))
    raises(usage, "insufficient bit-depth", clup.label, np.arange(400) % 2, output=np.int8)
    raises(TypeError, "Complex type not supported", clup.label, image * 1j)
    raises(TypeError, "type not supported", clup.label, [["a"]])
    raises(usage, "periodic has 1 values for 2 axes", clup.label, image, periodic=(True,))
    for call in (lambda **k: clup.label(image, **k), lambda **k: clup.measure.label(image, **k), lambda **k: clup.simulate(4, sweeps=1, **k),
                 lambda **k: clup.percolate(4, samples=1, **k)):
        raises(usage, "periodic 'z' names other axes than x, y", call, periodic="z")
        raises(usage, "periodic = 2 is no flag", call, periodic=2)
    raises(usage, "structure and connectivity = 1 both", clup.label, image, np.ones((3, 3)), connectivity=1)
    raises(usage, "background = -9999 is for match 'equal'", clup.label, image, background=-9999)
    raises(usage, "background = None is for match 'equal'", clup.label, image, background=None)
    raises(usage, "background = 0 is for match 'equal'", clup.label, image, match="threshold", background=0)
    raises(usage, "level = 3 is for match 'tolerance'", clup.label, image, level=3)
    raises(usage, "level = 3 is for match 'tolerance'", clup.label, image, match="equal", level=3)
    raises(usage, "level 'x' is none of otsu, triangle, li", clup.label, image, match="threshold", level="x")
    raises(usage, "match 2 is none of", clup.label, image, match=2)
    for dtype, background in ("u1", 300), ("u1", -1), ("i8", 2**63), ("i4", 0.5), ("i4", np.nan), ("?", 2), ("f4", 1e300):
        raises(usage, "background %r is no value of an array of" % (background,), clup.label, np.zeros((2, 2), dtype), match="equal",
               background=background)
    raises(usage, "background 0.5 is no value", clup.measure.label, np.zeros((2, 2), int), 0.5)
    for value in 1.0, True, "8", [1]:
        raises(usage, "connectivity = %r is no whole number" % (value,), clup.label, image, connectivity=value)
    raises(usage, "k = 1.0 is no whole number", clup.largest_k, np.ones((2, 2), int), 1.0)
    raises(usage, "k = -1 is not 0 or more", clup.largest_k, np.ones((2, 2), int), -1)
    raises(usage, "threshold = (1,) is no number, nor two", clup.dust, np.ones((2, 2), int), (1,))
    raises(usage, "threshold = nan is no number", clup.dust, np.ones((2, 2), int), np.nan)
    raises(usage, "spacing = (2, 1, 1) is no positive number", clup.regionprops_table, np.ones((2, 2), int), spacing=(2, 1, 1))
    raises(usage, "spacing = 0 is no positive number", clup.regionprops_table, np.ones((2, 2), int), spacing=0)
    for label in 10**8, 7 * 10**9:
        raises(usage, "label %d of an image of 2 pixels" % label, clup.statistics, np.array([[1, label]]))
    hidden = np.ma.array([[1, 2]], mask=[[0, 1]])
    for call in clup.statistics, clup.regionprops_table, lambda values: clup.dust(values, 1), lambda values: clup.largest_k(values, 1):
        raises(usage, "masked array: say with filled()", call, hidden)
    raises(usage, "output is a masked array", clup.label, [[1, 2]], output=np.ma.zeros((1, 2), int))
    for keywords, text in (({"sweeps": 1.5}, "sweeps = 1.5 is no whole number"), ({"seed": -1}, "seed = -1 is not 0 to"),
                           ({"replicas": 0}, "replicas = 0 is not 1"), ({"beta": "x"}, "beta = 'x' is no number"),
                           ({"beta": []}, "beta = [] is no number"), ({"every": 0}, "every = 0 is not 1"), ({"q": 2.5}, "q = 2.5")):
        raises(usage, text, clup.simulate, 4, **keywords)
    raises(usage, "shape = 4.5 is no whole number", clup.simulate, (4.5, 4))
    raises(usage, "p = [] is no number", clup.percolate, 4, [])
    raises(clup.DeviceError, "no device matches 'nosuch'", clup.label, image, device="nosuch")
    raises(usage, "q = 1 is not between", clup.simulate, 8, q=1)
    raises(usage, "the lattice 'square' has 2 axes", clup.simulate, (4, 4, 4))
    raises(usage, "lattice 'ring' is none of square", clup.simulate, 4, lattice="ring")
    raises(usage, "observable 'heat' is none of", clup.simulate, 4, observables="heat")
    raises(usage, "say beta", clup.simulate, 4, lattice="cubic", q=5)
    raises(usage, "p = 2 is not between", clup.percolate, 8, 2.0)
    raises(usage, "samples = 0", clup.percolate, 8, samples=0)
    raises(usage, "property 'solid' is none of label", clup.regionprops_table, [[1]], properties=("solid",))
    raises(usage, "perimeter is one of images in the plane", clup.regionprops_table, [[[1]]], properties=("perimeter",))
    raises(usage, "perimeter needs pixels that are as wide as high", clup.regionprops_table, [[1]], properties=("perimeter",), spacing=(1, 2))
    raises(usage, "intensity_mean needs an image of intensities", clup.regionprops_table, [[1]], properties=("mean_intensity",))
    raises(usage, "the intensity image has the shape (2, 1), labels (1, 1)", clup.regionprops_table, [[1]], [[1], [1]])
    raises(usage, "not negative", clup.statistics, [-1])
    empty = clup.label(np.zeros((0, 3)))
    ok(empty[1] == 0 and empty[0].shape == (0, 3) and clup.label(5)[1] == 1, "an empty image, and a number")


def ended():
    def interrupt():
        time.sleep(2)
        os.kill(os.getpid(), signal.SIGINT)

    # which a shell turns off for what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    begun = time.time()
    thread.start()
    try:
        clup.simulate(256, sweeps=10**8)
    except KeyboardInterrupt:
        pass
    took = time.time() - begun
    thread.join()
    ok(took < 20, "Ctrl-C ends a simulation")
    ok(clup.label(np.eye(3))[1] == 3, "and the next call is as before")
    image, found = np.random.default_rng(7).integers(0, 3, (60, 50)), []
    threads = [threading.Thread(target=lambda: found.append(clup.label(image, match="equal")[1])) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ok(found == [clup.label(image, match="equal")[1]] * 3, "three threads at once")


def forked():
    clup.label(np.eye(3))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # it hangs no longer than that
        try:
            said = "%d" % clup.label(np.eye(5))[1]
        except clup.Error as error:
            said = str(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        ok("start processes by 'spawn'" in said.read(), "a forked child says at once that it is to be spawned")
    os.waitpid(child, 0)
    ok(clup.label(np.eye(3))[1] == 3, "and its parent goes on")


def on_device():
    try:
        import pyopencl
        import pyopencl.array
    except ImportError:
        print("# without pyopencl")
        return
    name = os.environ.get("CLUP_DEVICE", "").lower()
    device = next(d for p in pyopencl.get_platforms() for d in p.get_devices() if name in (p.name + d.name).lower())
    queue = pyopencl.CommandQueue(pyopencl.Context([device]))
    image = np.random.default_rng(8).integers(0, 3, (40, 50)).astype(np.uint8)
    labels, n = clup.label(pyopencl.array.to_device(queue, image), match="equal", connectivity=2)
    expected = clup.label(image, match="equal", connectivity=2)
    ok(n == expected[1] and isinstance(labels, pyopencl.array.Array) and np.array_equal(labels.get(), expected[0]), "arrays of pyopencl's")
    values = np.random.default_rng(8).random((*image.shape, 3)).astype(np.float32)
    there = clup.regionprops_table(labels, pyopencl.array.to_device(queue, values), properties="all")
    here = clup.regionprops_table(labels.get(), values, properties="all")
    ok(there.keys() == here.keys() and all(np.array_equal(there[name], here[name], equal_nan=here[name].dtype.kind == "f") for name in here),
       "and properties of their regions")
    stack = np.random.default_rng(9).integers(0, 2, (5, 21, 30)).astype(np.uint8)
    for number in "each", "throughout":
        labels, counts = clup.label(pyopencl.array.to_device(queue, stack), batch=True, number=number)
        expected = clup.label(stack, batch=True, number=number)
        ok(counts.tolist() == expected[1].tolist() and np.array_equal(labels.get(), expected[0]), "a batch of them, numbered %s" % number)
    raises(clup.UsageError, "dtype 'c64' is none of", clup.label, pyopencl.array.to_device(queue, image.astype(np.complex64)))


def graphs():
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components as theirs
    generator = np.random.default_rng(11)
    for kind in ("any", "path", "star", "loops", "twice", "none"):
        right = True
        for size in (1, 2, 33, 500):
            a, b = generator.integers(0, size, (2, {"none": 0}.get(kind, size)))
            if kind == "path":
                a, b = np.arange(size), np.minimum(np.arange(size) + 1, size - 1)
            elif kind == "star":
                a[:] = size - 1
            elif kind == "loops":
                b = a
            elif kind == "twice":
                a, b = np.repeat(a, 2), np.repeat(b, 2)
            matrix = sparse.coo_matrix((generator.random(a.size) - 0.5, (a, b)), (size, size))
            for graph in (matrix, matrix.tocsr(), matrix.tocsc(), matrix.toarray()):
                wanted, found = theirs(graph, True, "weak"), clup.graph.connected_components(graph)
                right &= wanted[0] == found[0] == clup.graph.connected_components(graph, return_labels=False)
                right &= same(wanted[1], found[1])
        ok(right, "components of a graph as scipy has them: %s" % kind)
    dense = np.array([[0, 1, 0], [0, 0, 0], [np.inf, np.nan, 1]])
    ok(theirs(dense)[0] == clup.graph.connected_components(dense)[0] == 2, "infinity and NaN are no edges")
    masked = np.ma.masked_invalid([[np.nan, 0], [0, np.nan]])
    ok(theirs(masked)[0] == clup.graph.connected_components(masked, connection="Weak")[0] == 1, "all that is not masked is an edge")
    raises(clup.UsageError, "square", clup.graph.connected_components, np.ones((2, 3)))
    raises(clup.UsageError, "neither", clup.graph.connected_components, np.ones((2, 2)), connection="any")
    raises(clup.UsageError, "strongly", clup.graph.connected_components, np.ones((2, 2)), connection="strong")


def curves():
    """Percolation a step at a time: a path, whose curve is known, and a lattice beside samples at p."""
    from scipy import sparse

    path = sparse.diags([np.ones(39), np.ones(39)], [1, -1], shape=(40, 40))
    found = clup.graph.percolation_curves(path, samples=3)
    ok(np.allclose(found["clusters"]["mean"], (40 - np.arange(40)) / 40) and same(found["step"], np.arange(40)), "each edge of a path unites two clusters")
    ok("wrap_x" not in found and found["samples"] == 3, "a graph does not wrap")
    loops = np.array([[5, 1, 0], [1, 0, 0], [0, 0, 0]])
    found = clup.graph.percolation_curves(loops, [0.25, 1], kind="bond", samples=2)
    ok(np.allclose(found["clusters"]["mean"], [(3 - 0.25) / 3, 2 / 3]), "both triangles have one edge, and the diagonal none")
    found, direct = clup.percolation_curves((24, 16), [0.5, 0.6], kind="site", samples=400), clup.percolate((24, 16), [0.5, 0.6], kind="site", samples=400, seed=2)
    worst = max(abs(found[name]["mean"][k] - direct[name]["mean"][k]) / np.hypot(found[name]["error"][k], direct[name]["error"][k])
                for name in ("clusters", "largest_cluster", "wrap_x", "wrap_both") for k in range(2))
    ok(worst < 4.5, "curves at p as samples at p: %.1f errors apart" % worst)
    ok(found["wrap_either"]["mean"].shape == (2,) and found["p"].tolist() == [0.5, 0.6], "arrays over p")
    found = clup.graph.percolate(loops, [0, 1], samples=3)
    ok(np.allclose(found["clusters"]["mean"], [1, 2 / 3]) and "wrap_x" not in found, "samples on a graph, without a bond and with all")
    on_graph, curve = (draw(path, 0.5, samples=400, kind="site") for draw in (clup.graph.percolate, clup.graph.percolation_curves))
    ok(abs(on_graph["clusters"]["mean"] - curve["clusters"]["mean"]) < 4.5 * on_graph["clusters"]["error"] and on_graph["clusters"]["values"].shape == (400,),
       "samples of a path's sites as curves")
    by_name, by_cell = (clup.percolate((5, 6, 7), 0.3, lattice=lattice, samples=20) for lattice in ("cubic", "hypercubic"))
    ok(set(by_name) == set(by_cell) and "wrap_z" in by_cell, "samples of a hypercubic lattice have all that those of a cubic one have")
    raises(clup.UsageError, "has no edges", clup.graph.percolate, np.eye(3), 0.5)
    raises(clup.UsageError, "p = 2 is not", clup.percolation_curves, (4, 4), [2])
    raises(clup.UsageError, "kind", lambda: clup.percolation_curves((4, 4), kind="face"))


def graph_spins():
    """Spins on graphs: a chain is the lattice's, weights are couplings."""
    from scipy import sparse

    chain = sparse.diags([np.ones(39), np.ones(39)], [1, -1], shape=(40, 40))
    common = {"model": "ising", "beta": 0.6, "sweeps": 30, "seed": 5, "start": "random"}
    found = clup.graph.simulate(chain, **common)
    ok(same(found["spins"], clup.simulate((1, 40), lattice="chain", periodic=False, **common)["spins"][0]), "a chain as a graph has the spins of the chain")
    weights = chain.toarray() * np.arange(1, 41)[:, None] / 20
    on_array, on_matrix = (clup.graph.simulate(graph, couplings=how, **common) for graph, how in
                           ((weights, "weights"), (sparse.csr_matrix(np.triu(weights)), np.arange(1, 40) / 20)))
    ok(same(on_array["spins"], on_matrix["spins"]) and not same(on_array["spins"], found["spins"]), "weights of the upper triangle are couplings")
    ok(found["energy"]["mean"] < 0 and found["spins"].shape == (40,), "energy and spins")
    raises(clup.UsageError, "2 couplings for 39 edges", clup.graph.simulate, chain, couplings=[1, 2], **common)
    raises(clup.UsageError, "no lattice", clup.graph.simulate, chain, lattice="square", **common)
    raises(clup.UsageError, "say beta", clup.graph.simulate, chain)
    raises(clup.UsageError, "has no edges", clup.graph.simulate, np.eye(3), beta=1)
    four = clup.simulate((3, 2, 4, 5), lattice="hypercubic", periodic=(True, False, True, True), **common)
    ok(four["spins"].shape == (3, 2, 4, 5) and -4 < four["energy"]["mean"] < 0, "a lattice of four axes")
    with open("cell.toml", "w") as file:
        file.write("sites = 2\nbonds = [[0, 1, [0, 0]], [1, 0, [1, 0], 0.5], [1, 0, [0, 1]]]\n")
    ok(clup.simulate((4, 6), lattice="cell.toml", **common)["spins"].shape == (4, 6, 2), "and one of cells")
    raises(clup.UsageError, "3 flags for 2 axes", clup.simulate, (3, 3), lattice="hypercubic", periodic=(1, 1, 1), **common)
    raises(clup.UsageError, "shape has 1 axes", clup.simulate, 4, lattice="cell.toml", periodic=False, **common)
    raises(clup.UsageError, "of 9 axes", clup.simulate, (1,) * 9, lattice="hypercubic", **common)


documented()
like_scipy()
by_definition()
by_blocks()
wide()
regions()
neighbourhood()
without_values()
as_peers()
graphs()
curves()
graph_spins()
lattices(sys.argv[1])
errors()
ended()
forked()
on_device()
done()
