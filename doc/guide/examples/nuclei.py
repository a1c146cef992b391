# SPDX-License-Identifier: BSD-3-Clause
"""Nuclei of a fluorescence picture, from a TIFF to a table and an overlay: nuclei.py [IMAGE.tif [MASK.tif]].

Writes nuclei.csv, labels as nuclei.tif, and the picture with boundaries, overlay.tif. MASK.tif has the nuclei as somebody drew
them; it is compared. Without files those that the package stardist comes with are taken: pip install --no-deps stardist.
"""
import csv
import importlib.util
import os
import sys

import numpy as np
import tifffile
from scipy import ndimage

import clup


def files():
    """The files that are given, or those of stardist, which need not be imported for that."""
    if len(sys.argv) > 1:
        return sys.argv[1:3]
    package = importlib.util.find_spec("stardist")
    if package is None:
        sys.exit("nuclei.py: give a TIFF, or install stardist, which has one: pip install --no-deps stardist")
    folder = os.path.join(package.submodule_search_locations[0], "data", "images")
    return [os.path.join(folder, name) for name in ("img2d.tif", "mask2d.tif")]


def nuclei_of(picture):
    """Labels of nuclei that are brighter than their surroundings and up to some 30 pixels wide."""
    smooth = ndimage.gaussian_filter(picture.astype(np.float32), 1)
    above = (smooth > ndimage.gaussian_filter(smooth, 15)) & (smooth > 0.5 * clup.threshold(smooth, "otsu"))
    above = clup.measure.remove_small_objects(clup.measure.binary_fill_holes(above), max_size=30)
    # the middle of each nucleus is far from the background; what is nearest to it belongs to it
    far = ndimage.gaussian_filter(ndimage.distance_transform_edt(above), 2)
    middles, _ = clup.label((far == ndimage.maximum_filter(far, 9)) & above, connectivity=2)
    nearest = ndimage.distance_transform_edt(middles == 0, return_distances=False, return_indices=True)
    return np.where(above, middles[tuple(nearest)], 0)


def overlay_of(picture, labels):
    """The picture in gray, with the boundaries of labels in yellow."""
    gray = np.clip(picture * (255 / max(1, np.percentile(picture, 99.5))), 0, 255).astype(np.uint8)
    colours = np.repeat(gray[..., None], 3, axis=-1)
    colours[(labels > 0) & (ndimage.minimum_filter(labels, 3) != labels)] = 255, 220, 0
    return colours


def found_again(labels, mask):
    """How many nuclei of a mask share more than half of their pixels, of those of both, with one of labels."""
    both = np.zeros((int(mask.max()) + 1, int(labels.max()) + 1))
    np.add.at(both, (mask.ravel().astype(int), labels.ravel()), 1)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
    share = (both / np.maximum(either, 1))[1:, 1:]
    return int((share.max(axis=1, initial=0) > 0.5).sum())


paths = files()
picture = tifffile.imread(paths[0])
labels = nuclei_of(picture)
table = clup.regionprops_table(labels, picture, properties=("label", "area", "centroid", "eccentricity", "solidity", "intensity_mean"))
touching = clup.region_graph(labels)

with open("nuclei.csv", "w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(table)
    rows.writerows(zip(*(column.tolist() for column in table.values())))
tifffile.imwrite("nuclei.tif", labels.astype(np.uint16))
tifffile.imwrite("overlay.tif", overlay_of(picture, labels))

print("%d nuclei, %d pairs touch; area %.0f pixels in the median" % (len(table["label"]), len(touching), np.median(table["area"])))
if len(paths) > 1:
    mask = tifffile.imread(paths[1])
    print("%d of the %d nuclei that were drawn are found" % (found_again(labels, mask), len(np.unique(mask)) - 1))
