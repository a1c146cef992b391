# SPDX-License-Identifier: BSD-3-Clause
"""Divides discs that touch: markers and measures by clup, distances by SciPy, the watershed by scikit-image.

python3 split.py
"""
import numpy as np
from scipy import ndimage
from skimage.segmentation import watershed

import clup


def discs(centers, radius, shape):
    """A picture of bright discs on a dark background, with some noise."""
    y, x = np.indices(shape)
    bright = np.zeros(shape, bool)
    for down, right in centers:
        bright |= (y - down) ** 2 + (x - right) ** 2 <= radius**2
    noise = np.random.default_rng(1).normal(0, 8, shape)
    return np.clip(60 + 120 * bright + noise, 0, 255).astype(np.uint8)


image = discs([(40, 36), (40, 74), (73, 55), (120, 128), (120, 164), (40, 150)], 20, (160, 200))

# what is bright, and which components it has: discs that touch are one
above = image > clup.threshold(image, "otsu")
touching = clup.label(above)[1]

# a marker is where the background is far: the middle of each disc
distance = ndimage.distance_transform_edt(above)
markers, count = clup.label(distance, match="threshold", level=0.7 * distance.max())

# regions grow from the markers until they meet
labels = watershed(-distance, markers, mask=above)

table = clup.regionprops_table(labels, properties=("label", "area", "centroid"))
print("%d components, %d discs" % (touching, count))
for k in range(count):
    print("disc %d: %4d pixels about (%.1f, %.1f)" % (table["label"][k], table["area"][k], table["centroid-0"][k], table["centroid-1"][k]))
