#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares clup label with scipy.ndimage, scikit-image, connected-components-3d and OpenCV, and times the library against three of them.

    pip install numpy scipy scikit-image connected-components-3d opencv-python-headless nilearn stardist
    CLUP=build/clup CLUP_LIBRARY=build/.libs/libclup.so tests/peers.py [--seed N] [--rounds N] [--no-times] [--size N] [--volume-size N]

Not part of make check. nilearn (volumes of brains), stardist (nuclei) and scikit-image bring the real images, of which some boxes are cut at random. Images of the same kind are put into one, apart from each other by background, or by values of their own where there
is none, so that one run of the program labels many; each is compared by itself. Partitions agree when labels map to each other one to
one; the peers' numbers may be others. Exit code 1 when any differs."""
import argparse
import ctypes
import glob
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cc3d
import cv2
import nibabel
import numpy as np
import scipy.ndimage
import scipy.sparse.csgraph
import scipy.spatial
import skimage.io
import skimage.measure

CLUP = os.environ.get("CLUP", "clup")
LIBRARY = os.environ.get("CLUP_LIBRARY", "libclup.so")
NEIGHBOURS = {(2, 4): 1, (2, 8): 2, (3, 6): 1, (3, 18): 2, (3, 26): 3}


def clup(image, *options, **variables):
    """Labels, and the JSON object, of an array; variables are put into the environment."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/in.npy", image)
        run = [CLUP, "label", f"{folder}/in.npy", "-o", f"{folder}/out.npy", "--json", "-q", *map(str, options)]
        said = subprocess.run(run, check=True, stdout=subprocess.PIPE, env={**os.environ, **variables})
        return np.load(f"{folder}/out.npy"), json.loads(said.stdout)


def same(a, b):
    """Whether two labellings are the same partition, with the same background."""
    a, b = a.ravel().astype(np.int64), b.ravel().astype(np.int64)
    if np.any((a == 0) != (b == 0)):
        return False
    pairs = len(np.unique(a * (b.max() + 1) + b))
    return pairs == len(np.unique(a)) == len(np.unique(b))


def in_raster_order(labels):
    """Whether labels are 1, 2, ... in the order of their first pixels."""
    found, first = np.unique(labels, return_index=True)
    first = first[found > 0]
    found = found[found > 0]
    return np.array_equal(found, np.arange(1, len(found) + 1)) and bool(np.all(np.diff(first) > 0))


# ---- images -------------------------------------------------------------------------------------


def spiral(side):
    """One path, one pixel wide, from the corner inwards."""
    image = np.zeros((side, side), np.uint8)
    y = x = turns = 0
    dy, dx = 0, 1
    image[0, 0] = 1
    while turns < 2:
        at, far = (y + dy, x + dx), (y + 2 * dy, x + 2 * dx)
        inside = 0 <= at[0] < side and 0 <= at[1] < side
        if inside and not (0 <= far[0] < side and 0 <= far[1] < side and image[far]) and not image[at]:
            y, x = at
            image[at] = 1
            turns = 0
        else:
            dy, dx = dx, -dy
            turns += 1
    return image


def comb(height, width, down):
    image = np.zeros((height, width), np.uint8)
    image[:, ::2] = 1
    image[-1 if down else 0] = 1
    return image


def parity(*shape):
    return (np.indices(shape).sum(0) % 2).astype(np.uint8)


def lone(shape, rng):
    image = np.zeros(shape, np.uint8)
    image[tuple(rng.integers(0, n) for n in shape)] = 1
    return image


def pictures(rng, axes, rounds):
    """Binary images, odd ones and random ones."""
    some = [(1, 1), (1, 57), (57, 1), (2, 2), (31, 33), (33, 31), (64, 64), (7, 129)] if axes == 2 else \
        [(1, 1, 1), (1, 1, 40), (1, 40, 1), (40, 1, 1), (2, 2, 2), (5, 7, 33), (9, 8, 7), (16, 16, 16), (3, 1, 35)]
    images = []
    for shape in some:
        images += [np.zeros(shape, np.uint8), np.ones(shape, np.uint8), parity(*shape), 1 - parity(*shape), lone(shape, rng)]
    if axes == 2:
        images += [spiral(side) for side in (5, 16, 33, 62)] + [comb(31, 45, down) for down in (0, 1)] + [comb(45, 31, down).T.copy() for down in (0, 1)]
    else:
        images += [np.repeat(spiral(17)[None], 3, 0), np.stack([comb(9, 17, z % 2) for z in range(5)])]
    for _ in range(rounds):
        shape = tuple(int(n) for n in rng.integers(1, 60 if axes == 2 else 18, axes))
        images.append((rng.random(shape) < rng.choice([0.1, 0.3, 0.4, 0.5, 0.6, 0.8])).astype(np.uint8))
    return images


def tiled(images):
    """One image with all of them in a column along the first axis, a layer of 0 between, and where each is."""
    most = [max(image.shape[axis] for image in images) for axis in range(images[0].ndim)]
    places, at = [], 0
    for image in images:
        places.append((slice(at, at + image.shape[0]), *(slice(0, n) for n in image.shape[1:])))
        at += image.shape[0] + 1
    whole = np.zeros((at, *most[1:]), images[0].dtype)
    for place, image in zip(places, images):
        whole[place] = image
    return whole, places


# ---- comparisons --------------------------------------------------------------------------------

counts = {}


def compare(peer, what, labels, wanted):
    """A line in the table of peers."""
    agreed, all_of_them = counts.get((peer, what), (0, 0))
    good = same(labels, wanted)
    counts[peer, what] = agreed + good, all_of_them + 1
    if not good:
        print(f"differs: {peer}, {what}, shape {labels.shape}", file=sys.stderr)


def compare_foreground(rng, rounds):
    for (axes, connectivity), reach in NEIGHBOURS.items():
        images = pictures(rng, axes, rounds)
        whole, places = tiled(images)
        labels, said = clup(whole, "--connectivity", connectivity)
        what = f"foreground, {connectivity} neighbours"
        structure = scipy.ndimage.generate_binary_structure(axes, reach)
        assert in_raster_order(labels) and said["components"] == labels.max()
        for image, place in zip(images, places):
            compare("scipy.ndimage", what, labels[place], scipy.ndimage.label(image, structure)[0])
            compare("skimage.measure", what, labels[place], skimage.measure.label(image, connectivity=reach))
            compare("cc3d", what, labels[place], cc3d.connected_components(image, connectivity=connectivity))
            if axes == 2:
                compare("OpenCV", what, labels[place], cv2.connectedComponents(image, connectivity=connectivity)[1])


def compare_values(rng, rounds):
    """Several values, 0 the background; and none, where every image has values of its own."""
    dtypes = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]
    for (axes, connectivity), reach in NEIGHBOURS.items():
        for dtype in dtypes:
            images = [image * rng.integers(1, 3, image.shape) for image in pictures(rng, axes, max(rounds // 4, 1))]
            # least and most, which wrap in arithmetic
            info = np.iinfo(dtype)
            images = [np.choose(image, [0, info.min or 1, info.max]).astype(dtype) for image in images]
            whole, places = tiled(images)
            labels, _ = clup(whole, "--connectivity", connectivity, "--match", "equal")
            what = f"values, {connectivity} neighbours"
            for image, place in zip(images, places):
                compare("skimage.measure", what, labels[place], skimage.measure.label(image.astype(np.int64), connectivity=reach, background=0))
                # whose cc3d 4.1.1 takes no number from 2^63 on
                if dtype != np.uint64:
                    compare("cc3d", what, labels[place], cc3d.connected_components(image, connectivity=connectivity))
        images = [image + 2 * k for k, image in enumerate(pictures(rng, axes, rounds))]
        images = [image.astype(np.int32) for image in images]
        whole, places = tiled(images)
        labels, _ = clup(whole, "--connectivity", connectivity, "--match", "equal", "--background", "none")
        for image, place in zip(images, places):
            # a component of a picture may go on outside of it where both are 0; the pictures' own values are compared
            compare("skimage.measure", f"no background, {connectivity} neighbours", labels[place] * (image > 1),
                    skimage.measure.label(image, connectivity=reach, background=-1) * (image > 1))


def graph(image, axes, connectivity, delta, periodic=()):
    """The components of the graph of neighbours that differ by at most delta, pixels of 0 in all channels left out."""
    values = image if image.ndim > axes else image[..., None]
    values = values if image.dtype == np.float32 else values.astype(np.int64 if image.dtype.kind in "iu" else np.float64)
    inside = np.any(values != 0, -1)
    numbers = np.arange(inside.size).reshape(inside.shape)
    heads, tails = [], []
    for step in np.ndindex(*[3] * axes):
        step = np.array(step) - 1
        if tuple(step) <= (0,) * axes or np.abs(step).sum() > NEIGHBOURS[axes, connectivity]:
            continue
        there = tuple(range(axes))
        back = tuple(-step)
        joined = inside & np.roll(inside, back, there) & np.all(np.abs(values - np.roll(values, back, there)) <= values.dtype.type(delta), -1)
        for axis in set(there) - set(periodic):
            # past the end
            cut = [slice(None)] * axes
            if step[axis] != 0:
                cut[axis] = -1 if step[axis] > 0 else 0
                joined[tuple(cut)] = False
        heads.append(numbers[joined])
        tails.append(np.roll(numbers, back, there)[joined])
    heads, tails = np.concatenate(heads), np.concatenate(tails)
    pairs = scipy.sparse.coo_array((np.ones(len(heads), bool), (heads, tails)), (inside.size, inside.size))
    return (scipy.sparse.csgraph.connected_components(pairs, directed=False)[1].reshape(inside.shape) + 1) * inside


def compare_tolerance(rng, rounds):
    """cc3d's delta joins neighbours that differ by at most delta. In the plane cc3d 4.1.1 with 8 neighbours leaves delta out of account (a 3 beside
    a 6 is joined by a delta of 1): there it gets a volume of one layer and 26."""
    for (axes, connectivity) in NEIGHBOURS:
        what = f"tolerance, {connectivity} neighbours"
        for dtype, delta in ((np.uint8, 1), (np.uint8, 3), (np.int16, 2), (np.float32, 0.125), (np.int64, 2), (np.float64, 0.125)):
            scale = 1 if np.issubdtype(dtype, np.integer) else 1 / 16
            images = [(image * rng.integers(1, 13, image.shape) * scale).astype(dtype) for image in pictures(rng, axes, max(rounds // 4, 1))]
            whole, places = tiled(images)
            labels, _ = clup(whole, "--connectivity", connectivity, "--match", f"tolerance={delta}")
            for image, place in zip(images, places):
                flat = connectivity == 8
                wanted = cc3d.connected_components(image[None] if flat else image, connectivity=26 if flat else connectivity, delta=delta)
                compare("cc3d", what, labels[place], wanted.reshape(image.shape))
                compare("scipy.csgraph", what, labels[place], graph(image, axes, connectivity, delta))
        for dtype, delta in ((np.uint8, 40), (np.float32, 0.3), (np.float64, 0.3)):
            image = rng.random((*([23] * axes), 3))
            image = image.astype(dtype) if np.dtype(dtype).kind == "f" else (image * 255).astype(dtype)
            labels, _ = clup(image, "--connectivity", connectivity, "--match", f"tolerance={delta}", "--channels-last")
            compare("scipy.csgraph", f"colours, {connectivity} neighbours", labels, graph(image, axes, connectivity, delta))


def compare_periodic(rng, rounds):
    """Images in one file cannot share periodic axes: one run an image. cc3d has all axes or none, and no 18 and 26 neighbours then."""
    for (axes, connectivity) in NEIGHBOURS:
        for k in range(max(rounds // 4, 1)):
            shape = tuple(int(n) for n in rng.integers(1 if k % 2 else 3, 40 if axes == 2 else 14, axes))
            image = (rng.random(shape) < rng.choice([0.2, 0.4, 0.6])).astype(np.uint8)
            what = f"periodic, {connectivity} neighbours"
            wrapped = range(axes) if k % 2 == 0 else [axis for axis in range(axes) if rng.random() < 0.5] or [0]
            labels, _ = clup(image, "--connectivity", connectivity, "--periodic", ",".join("xyz"[axes - 1 - axis] for axis in wrapped))
            compare("scipy.csgraph", what, labels, graph(image, axes, connectivity, 1, wrapped))
            if len(wrapped) == axes and connectivity in (4, 8, 6):
                compare("cc3d", what, labels, cc3d.connected_components(image, connectivity=connectivity, periodic_boundary=True))


def real_images():
    """Pictures and volumes that come with packages: of brains, nuclei, coins, pages."""
    folder = {name: importlib.util.find_spec(name).submodule_search_locations[0] for name in ("nilearn", "stardist", "skimage")}
    for path in sorted(glob.glob(folder["nilearn"] + "/datasets/data/*.nii.gz")):
        yield os.path.basename(path), np.ascontiguousarray(np.asarray(nibabel.load(path).dataobj))
    for path in sorted(glob.glob(folder["stardist"] + "/data/images/*.tif") + glob.glob(folder["skimage"] + "/data/*.png")):
        image = skimage.io.imread(path)
        # of colours the first channel, which is an image like others
        yield os.path.basename(path), np.ascontiguousarray(image[..., 0] if image.shape[-1] in (3, 4) else image)


def compare_real(rng, rounds):
    """Boxes of real images: what is above a level, equal values, and values that are close, each as another type."""
    for name, whole in real_images():
        axes = whole.ndim
        if axes not in (2, 3) or whole.dtype.kind not in "uif" or np.isnan(whole).any():
            continue
        for k in range(max(rounds // 10, 1)):
            low = [int(rng.integers(0, n)) for n in whole.shape]
            box = whole[tuple(slice(a, a + int(rng.integers(1, 200 if axes == 2 else 50))) for a in low)]
            connectivity = int(rng.choice([c for a, c in NEIGHBOURS if a == axes]))
            reach, level = NEIGHBOURS[axes, connectivity], float(np.median(box))
            structure = scipy.ndimage.generate_binary_structure(axes, reach)
            wide = box.astype(np.float64 if whole.dtype.kind == "f" else rng.choice([np.int64, np.uint64]) if box.min() >= 0 else np.int64)
            for image in box, wide:
                if image.dtype.byteorder == ">" or image.dtype == np.float16:
                    image = image.astype(image.dtype.newbyteorder("="))
                labels, _ = clup(image, "--connectivity", connectivity, "--match", f"threshold={level!r}")
                assert in_raster_order(labels)
                compare("scipy.ndimage", f"{axes} axes, real, above", labels, scipy.ndimage.label(image > level, structure)[0])
                labels, _ = clup(image, "--connectivity", connectivity, "--match", "equal")
                compare("scipy.csgraph", f"{axes} axes, real, equal", labels, graph(image, axes, connectivity, 0))
                if image.dtype.kind != "f":
                    compare("cc3d", f"{axes} axes, real, equal", labels, cc3d.connected_components(image, connectivity=connectivity))
                delta = float(np.ptp(image[image != 0])) / 16 if np.any(image != 0) else 1.0
                delta = float(int(delta)) if image.dtype.kind != "f" else delta
                labels, _ = clup(image, "--connectivity", connectivity, "--match", f"tolerance={delta!r}")
                compare("scipy.csgraph", f"{axes} axes, real, tolerance", labels, graph(image, axes, connectivity, delta))


# ---- times --------------------------------------------------------------------------------------


class Problem(ctypes.Structure):
    """clup_label_problem."""
    _fields_ = [("size", ctypes.c_uint32 * 3), ("connectivity", ctypes.c_uint), ("periodic", ctypes.c_int * 3), ("dtype", ctypes.c_int), ("channels", ctypes.c_uint),
                ("match", ctypes.c_int), ("level", ctypes.c_double), ("has_background", ctypes.c_int), ("background", ctypes.c_double * 4), ("more", ctypes.c_int64 * 5),
                ("reserved", ctypes.c_uint64 * 3)]


class Labelling:
    """Labels images by the library, from memory to memory; in volumes 0 is background."""

    def __init__(self, image, connectivity, match):
        self.library = ctypes.CDLL(LIBRARY)
        self.context, self.handle = ctypes.c_void_p(), ctypes.c_void_p()
        problem = Problem(size=(*image.shape[::-1], 1)[:3], connectivity=connectivity, dtype={np.uint8: 1, np.uint32: 3}[image.dtype.type], channels=1,
                          match={"equal": 0, "nonzero": 2}[match], has_background=match == "equal" and image.ndim == 3)
        assert self.library.clup_context_create(None, ctypes.byref(self.context)) == 0
        assert self.library.clup_labelling_create(self.context, ctypes.byref(problem), ctypes.byref(self.handle)) == 0

    def label(self, image):
        labels = np.empty(image.shape, np.uint32)
        assert self.library.clup_labelling_run(self.handle, image.ctypes.data_as(ctypes.c_void_p), 0, labels.ctypes.data_as(ctypes.c_void_p), None, None) == 0
        return labels

    def close(self):
        self.library.clup_labelling_free.argtypes = self.library.clup_context_free.argtypes = [ctypes.c_void_p]
        self.library.clup_labelling_free(self.handle)
        self.library.clup_context_free(self.context)


def timed(work):
    """Milliseconds by the wall clock, and of all processors together."""
    start = time.perf_counter(), time.process_time()
    work()
    return 1e3 * (time.perf_counter() - start[0]), 1e3 * (time.process_time() - start[1])


def print_medians(connectivity, works, rounds):
    """A line for each of works, which are done in turn."""
    times = {what: [] for what in works}
    for _ in range(rounds):
        for what, work in works.items():
            times[what].append(timed(work))
    for what, all_of_them in times.items():
        wall, own = (statistics.median(one[k] for one in all_of_them) for k in (0, 1))
        print(f"  {connectivity:2} neighbours  {what:<32}{wall:10.1f}{own:10.1f}", flush=True)


def print_times(side, rounds=9):
    image = (np.random.default_rng(1).random((side, side)) < 0.5).astype(np.uint8)
    cv2.setNumThreads(1)
    device = clup(image[:8])[1]["device"]
    print(f"\n{side} x {side}, each pixel set with probability 0.5; ms, wall clock and processors' time; medians of {rounds} runs, one after the other in turn")
    print(f"clup on {device['name']}, {device['compute_units']} compute units")
    for connectivity in (4, 8):
        structure = scipy.ndimage.generate_binary_structure(2, NEIGHBOURS[2, connectivity])
        ours = {match: Labelling(image, connectivity, match) for match in ("nonzero", "equal")}
        assert same(ours["nonzero"].label(image), scipy.ndimage.label(image, structure)[0])
        first = {match: timed(lambda: Labelling(image, connectivity, match).label(image)) for match in ours}
        print_medians(connectivity, {
            "scipy.ndimage.label": lambda: scipy.ndimage.label(image, structure),
            "cv2.connectedComponents": lambda: cv2.connectedComponents(image, connectivity=connectivity),
            "clup, foreground": lambda: ours["nonzero"].label(image),
            "clup, equal values": lambda: ours["equal"].label(image),
        }, rounds)
        for match, (wall, own) in first.items():
            print(f"  {connectivity:2} neighbours  {'clup, ' + match + ', all made anew':<32}{wall:10.1f}{own:10.1f}")
        for labelling in ours.values():
            labelling.close()


def segmentation(side, rng):
    """A volume of cells as large as those of tissue, with crooked borders, one in a hundred of them background."""
    points = rng.random((max(8, 4000 * side**3 // 512**3), 3)) * side
    names = rng.integers(1, 2**31, len(points), dtype=np.uint32)
    names[rng.random(len(points)) < 0.01] = 0
    tree, coarse = scipy.spatial.cKDTree(points), side // 16 + 1
    shifts = [0.12 * side * scipy.ndimage.zoom(scipy.ndimage.gaussian_filter(rng.standard_normal((coarse,) * 3), 1.5), side / coarse + 0.01, order=1)[:side, :side, :side]
              for _ in range(3)]
    y, x = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    return np.stack([names[tree.query(np.stack([z + shifts[0][z], y + shifts[1][z], x + shifts[2][z]], -1).reshape(-1, 3), workers=-1)[1]].reshape(side, side)
                     for z in range(side)])


def print_volume_times(side, rounds=5):
    rng = np.random.default_rng(1)
    volumes = {"equal": segmentation(side, rng), "nonzero": (rng.random((side,) * 3, np.float32) < 0.3117).astype(np.uint8)}
    print(f"\n{side} x {side} x {side}, cells of a segmentation as u32, and voxels set with probability 0.3117; ms, wall clock and processors' time; "
          f"medians of {rounds} runs, one after the other in turn")
    for match, volume in volumes.items():
        for connectivity in (6, 18, 26):
            ours = Labelling(volume, connectivity, match)
            assert same(ours.label(volume), cc3d.connected_components(volume, connectivity=connectivity))
            what = {"equal": "equal values", "nonzero": "foreground"}[match]
            print_medians(connectivity, {
                f"cc3d, {what}": lambda: cc3d.connected_components(volume, connectivity=connectivity),
                f"clup, {what}": lambda: ours.label(volume),
            }, rounds)
            ours.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=40, help="random images of each kind")
    parser.add_argument("--size", type=int, default=4096, help="side of the image that is timed")
    parser.add_argument("--volume-size", type=int, default=256, help="side of the volumes that are timed")
    parser.add_argument("--no-times", action="store_true")
    wish = parser.parse_args()
    rng = np.random.default_rng(wish.seed)
    for comparison in (compare_foreground, compare_values, compare_tolerance, compare_periodic, compare_real):
        comparison(rng, wish.rounds)
    print(f"seed {wish.seed}; images that agree")
    for (peer, what), (agreed, all_of_them) in sorted(counts.items()):
        print(f"  {peer:<18}{what:<32}{agreed:6} of {all_of_them}")
    agreed, all_of_them = (sum(count[k] for count in counts.values()) for k in (0, 1))
    print(f"  {'all':<50}{agreed:6} of {all_of_them}")
    if not wish.no_times:
        print_times(wish.size)
        print_volume_times(wish.volume_size)
    return agreed != all_of_them


if __name__ == "__main__":
    sys.exit(main())
