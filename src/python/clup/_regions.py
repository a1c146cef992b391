# SPDX-License-Identifier: BSD-3-Clause
"""Sizes, boxes and centroids of labels; and images without the small ones."""
import numpy as np

from ._host import host_of
from ._images import label
from ._library import UsageError, real, whole
from ._regionprops import ROWS, labels_of, measured


def statistics(labels, *, device=None):
    """Voxel counts, boxes and centroids of labels 0 to their largest, as cc3d.statistics has them.

    Returns {"voxel_counts": [n + 1], "bounding_boxes": [n + 1] tuples of slices, "centroids": [n + 1, axes]} in numpy's
    order of axes; the background, 0, is one of them. Of a label that is not there the count is 0, the box None and
    the centroid NaN. A label above 2^20 and above the number of pixels is a UsageError, as the table would be far larger
    than the image: regionprops_table takes any labels.

    >>> found = statistics([[1, 1, 0], [0, 2, 2]])
    >>> found["voxel_counts"].tolist(), found["centroids"][1].tolist()
    ([2, 2, 2], [0.0, 0.5])
    >>> found["bounding_boxes"][2]
    (slice(1, 2, None), slice(1, 3, None))
    """
    labels = labels_of(labels)
    if labels.size and labels.min() < 0:
        raise UsageError("labels are not negative, as %d is" % labels.min())
    if labels.size and labels.max() > max(labels.size, ROWS):
        raise UsageError("label %d of an image of %d pixels: statistics has a row for each label up to the largest; regionprops_table "
                         "has one for each that is there" % (labels.max(), labels.size))
    axes, most = labels.ndim, int(labels.max(initial=0)) + 1
    found = measured(labels.astype(np.uint32) + np.uint32(1), most, ["label", "num_pixels", "bbox", "centroid"], np.ones(axes), None, device)
    names, counts = found["label"] - 1, found["num_pixels"]
    box = np.stack([found["bbox-%d" % place] for place in range(2 * axes)], axis=1)
    means = np.stack([found["centroid-%d" % axis] for axis in range(axes)], axis=1)
    voxels, boxes, centers = np.zeros(most, np.uint64), [None] * most, np.full((most, labels.ndim), np.nan)
    voxels[names], centers[names] = counts, means
    for name, ends in zip(names.tolist(), box.tolist()):
        boxes[name] = tuple(slice(a, b) for a, b in zip(ends[:axes], ends[axes:]))
    return {"voxel_counts": voxels, "bounding_boxes": boxes, "centroids": centers}


def dust(image, threshold, *, connectivity=None, device=None):
    """A copy of an image in which clusters of equal values of fewer than threshold pixels are 0, as cc3d.dust.

    threshold may be a pair (least, end): clusters of least to end - 1 pixels remain. connectivity is that of label, and
    all neighbours for None.

    >>> dust([[5, 5, 0], [0, 0, 7]], 2, connectivity=4).tolist()
    [[5, 5, 0], [0, 0, 0]]
    """
    pair = isinstance(threshold, (tuple, list, np.ndarray)) and np.ndim(threshold) > 0
    if pair and len(threshold) != 2:
        raise UsageError("threshold = %r is no number, nor two" % (threshold,))
    least, end = [real(one, "threshold") for one in (threshold if pair else (threshold, np.inf))]
    if least != least or end != end:
        raise UsageError("threshold = %r is no number" % (threshold,))
    image, labels, sizes = _clusters_of(image, connectivity, device)
    return np.where(((sizes >= least) & (sizes < end))[labels], image, 0).astype(image.dtype)


def largest_k(image, k, *, connectivity=None, device=None):
    """Labels of the k largest clusters of equal values, 1 the smallest of them to k, as cc3d.largest_k.

    >>> largest_k([[5, 5, 0], [0, 0, 7]], 1, connectivity=4).tolist()
    [[1, 1, 0], [0, 0, 0]]
    """
    k = whole(k, "k", 0)
    _, labels, sizes = _clusters_of(image, connectivity, device)
    largest = np.argsort(sizes[1:], kind="stable")[max(0, len(sizes) - 1 - k):] + 1
    names = np.zeros(len(sizes), np.uint32)
    names[largest] = np.arange(1, len(largest) + 1)
    return names[labels]


def _clusters_of(image, connectivity, device):
    if isinstance(image, np.ma.MaskedArray):
        raise UsageError("the image is a masked array: say with filled() what is where it is masked")
    image = host_of(image)
    near = image.ndim if connectivity is None else connectivity
    labels, count = label(image, match="equal", connectivity=near, device=device, output=np.uint32)
    return image, labels, np.bincount(labels.ravel(), minlength=count + 1)
