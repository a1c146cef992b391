# SPDX-License-Identifier: BSD-3-Clause
"""What the widget does with arrays. Nothing of napari's is needed."""
import numpy as np

import clup

MATCHES = ["nonzero", "threshold", "equal", "tolerance"]
LEVELS = ["otsu", "triangle", "li", "level"]


def _without_small(labels, counts, frames, smallest):
    """Labels without clusters of fewer pixels, the others numbered anew, in each image of a batch from 1 on."""
    shape = labels.shape
    images = labels.reshape(int(np.prod(shape[:frames])), *shape[frames:])
    for image, count in zip(images, np.ravel(counts).tolist()):
        kept = np.bincount(image.ravel(), minlength=count + 1) >= smallest
        kept[0] = False
        image[...] = (np.cumsum(kept) * kept)[image]
    return images.reshape(shape)


def labelled(image, match="threshold", by="otsu", level=0.0, diagonal=True, periodic=False, frames=0, smallest=0):
    """Labels of an image as the form says; equal and tolerance have the background 0. UsageError where it says what cannot be."""
    axes = image.ndim - frames
    if axes < 1:
        raise clup.UsageError("%d axes of %d count images: none is left for pixels" % (frames, image.ndim))
    keywords = {"match": match, "connectivity": axes if diagonal else 1, "periodic": periodic, "batch": frames}
    if match == "tolerance":
        keywords["level"] = level
    if match == "threshold":
        keywords["level"] = level if by == "level" else clup.threshold(image, by)
    labels, counts = clup.label(image, **keywords)
    labels, counts = np.array(labels), np.asarray(counts)
    return _without_small(labels, counts, frames, smallest) if smallest > 1 else labels


def features_of(labels, image, scale):
    """A table of the regions of labels, in the lengths of a scale: {"index": labels, name: column, ...}."""
    names = ["label", "area", "centroid", "intensity_mean", "intensity_max"]
    if labels.ndim == 2:
        names += ["eccentricity", "solidity"]
    table = clup.regionprops_table(labels, np.asarray(image), properties=names, spacing=np.abs(scale))
    return {"index": table.pop("label"), **table}
