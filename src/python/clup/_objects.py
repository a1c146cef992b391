# SPDX-License-Identifier: BSD-3-Clause
"""Which objects of an image remain, which holes are filled, and each object by itself, under the names of scikit-image, scipy and
cc3d."""
import numpy as np

from ._host import host_of
from ._images import label
from ._library import UsageError, real, whole
from ._regionprops import regionprops_table


def _image_of(image, kinds="biu"):
    if isinstance(image, np.ma.MaskedArray):
        raise UsageError("the image is a masked array: say with filled() what is where it is masked")
    image = host_of(image)
    if image.dtype.kind not in kinds:
        raise UsageError("an image of %s has no objects: it is one of whole numbers or booleans" % image.dtype)
    return image


def _border(shape, width):
    """Which pixels are at an end of an axis, or up to width pixels from there."""
    border = np.zeros(shape, bool)
    for axis in range(border.ndim):
        along = np.moveaxis(border, axis, 0)
        along[:width + 1] = True
        along[-(width + 1):] = True
    return border


def clear_border(labels, buffer_size=0, bgval=0, mask=None, *, device=None):
    """A copy of labels in which objects at the border are bgval, as skimage.segmentation.clear_border.

    An object is a cluster of equal values, of pixels that may differ in all coordinates. The border are buffer_size + 1
    pixels at each end of each axis, or where mask is given the pixels at which it is False.

    >>> clear_border([[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]).tolist()
    [[0, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    """
    image, width = _image_of(labels), whole(buffer_size, "buffer_size", 0)
    if mask is None and any(width >= length for length in image.shape):
        raise UsageError("buffer_size = %d is not less than each length of %s" % (width, image.shape))
    kept = None if mask is None else host_of(mask)
    if kept is not None and (kept.shape != image.shape or kept.dtype.kind != "b"):
        raise UsageError("mask is no array of booleans of the shape %s" % (image.shape,))
    numbers, count = label(image, match="equal", connectivity=image.ndim, output=np.uint32, device=device)
    cleared = np.zeros(count + 1, bool)
    cleared[numbers[_border(image.shape, width) if kept is None else ~kept]] = True
    return np.where(cleared[numbers], bgval, image).astype(image.dtype)


def remove_small_objects(ar, *, max_size=64, connectivity=1, device=None):
    """A copy without the objects of max_size pixels or fewer, as skimage.morphology.remove_small_objects.

    Objects are the clusters of booleans, and otherwise all pixels of one number, wherever they are.

    >>> remove_small_objects(np.array([[1, 1, 0, 1]], bool), max_size=1).tolist()
    [[True, True, False, False]]
    """
    image, most = _image_of(ar), real(max_size, "max_size")
    if image.size and image.min() < 0:
        raise UsageError("labels are not negative, as %d is" % image.min())
    if image.dtype.kind == "b":
        numbers, count = label(image, connectivity=connectivity, output=np.uint32, device=device)
        sizes = np.bincount(numbers.ravel(), minlength=count + 1)
    else:
        _, numbers, sizes = np.unique(image, return_inverse=True, return_counts=True)
        numbers = numbers.reshape(image.shape)
    return np.where((sizes <= most)[numbers], 0, image).astype(image.dtype)


def remove_small_holes(ar, *, max_size=64, connectivity=1, device=None):
    """Booleans with the clusters of the background of max_size pixels or fewer filled, as
    skimage.morphology.remove_small_holes: those at the border as well.

    >>> remove_small_holes([[1, 1, 1], [1, 0, 1], [1, 1, 1]], max_size=1).all()
    True
    """
    image, most = _image_of(ar) != 0, real(max_size, "max_size")
    numbers, count = label(~image, connectivity=connectivity, output=np.uint32, device=device)
    return image | (np.bincount(numbers.ravel(), minlength=count + 1) <= most)[numbers]


def binary_fill_holes(input, *, connectivity=1, device=None):
    """Booleans with the clusters of the background filled that do not touch the border, as scipy.ndimage.binary_fill_holes:
    connectivity is that of the background, whose value in scipy is 1 if no structure is given.

    >>> binary_fill_holes([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]]).astype(int).tolist()
    [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    """
    image = _image_of(input, "biuf") != 0
    numbers, count = label(~image, connectivity=connectivity, output=np.uint32, device=device)
    outside = np.zeros(count + 1, bool)
    outside[numbers[_border(image.shape, 0)]] = True
    return image | ~outside[numbers]


def each(labels, image=None, *, device=None):
    """Goes through the labels above 0, in their order: (label, what is in its box), with 0 where another label is.

    The box is that of image, whose first axes are those of labels, or of labels where it is None. cc3d.each has images of
    the whole size.

    >>> [(number, crop.tolist()) for number, crop in each([[1, 1, 0], [0, 1, 2]], [[5, 6, 7], [8, 9, 1]])]
    [(1, [[5, 6], [0, 9]]), (2, [[1]])]
    """
    labels = _image_of(labels)
    image = labels if image is None else host_of(image)
    if image.shape[:labels.ndim] != labels.shape:
        raise UsageError("the image has the shape %s, labels %s" % (image.shape, labels.shape))
    boxes = regionprops_table(labels, properties=("label", "bbox"), device=device)
    ends = [boxes["bbox-%d" % k].tolist() for k in range(2 * labels.ndim)]
    return _crops(labels, image, boxes["label"].tolist(), ends)


def _crops(labels, image, numbers, ends):
    for k, number in enumerate(numbers):
        box = tuple(slice(ends[axis][k], ends[labels.ndim + axis][k]) for axis in range(labels.ndim))
        inside = (labels[box] == number).reshape([*labels[box].shape, *[1] * (image.ndim - labels.ndim)])
        yield number, np.where(inside, image[box], 0).astype(image.dtype)
