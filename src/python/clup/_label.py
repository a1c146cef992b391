# SPDX-License-Identifier: BSD-3-Clause
"""Labels of arrays of any package."""
from . import _images
from ._blocks import is_lazy, label_blocks
from ._host import host_of, is_foreign, like, room_in
from ._images import UNSAID
from ._named import is_named, label_named


def label(input, structure=None, output=None, *, connectivity=None, match="nonzero", level=UNSAID, background=UNSAID,
          periodic=False, batch=0, number="each", device=None):
    """Labels the clusters of an image or volume: (labels, number of clusters).

    Clusters are numbered 1, 2, ... in the order of their first pixels; the background is 0. Without keywords it is
    scipy.ndimage.label, and returns what that does.

    input         array of any number of axes, of integers, booleans or floats, whose masked values, if it has a mask,
                  have no clusters; or one of h5py's or zarr's, which is read piece by piece; or one of pyopencl's, of 1
                  to 3 axes, whose labels are one as well (uint32), on the same device; or one of dask's, whose labels,
                  those of the whole array, and their number are dask arrays that are computed later; or a DataArray of
                  xarray's, whose labels have its dimensions, coordinates and name; or one of another package that has
                  __dlpack__ or __cuda_array_interface__, such as torch and cupy, whose labels are one of that package
    structure     which neighbours are joined: an array of 3 along each axis, symmetric. None: connectivity says it
    output        dtype of the labels (int32), or an array, also of h5py's or zarr's, to put them into; only their
                  number is returned then
    connectivity  how many coordinates of neighbours may differ, 1 (the default) to the number of axes; or how many
                  neighbours a pixel has: 4, 8, 6, 18 or 26
    match         "nonzero": what is not 0 is joined; "threshold": what is above level; "equal": equal values;
                  "tolerance": values that differ by level at most
    level         a number, 0 if not said; another with "threshold" and "tolerance" alone. With "threshold" also "otsu",
                  "triangle" or "li", see threshold: of all images of a batch together
    background    the value without clusters, 0 if not said, None for none; another than 0 with "equal" and "tolerance"
                  alone
    periodic      True, a flag for each axis of an image, or their names ("x", "x,y"; x is the last axis): the image goes
                  on at the other end
    batch         how many of the first axes count images, each of which is labelled by itself; True is 1. structure,
                  connectivity and periodic are of the other axes, and the number of clusters is an array with one for
                  each image
    number        "each": the clusters of each image of a batch are numbered from 1 on; "throughout": on from image to image
    device        as the program's --device, such as "gpu"; None is the default one

    A NaN is not 0, as in scipy, nor above any level; it equals nothing and is near nothing, so that with "equal" and
    "tolerance" each is a cluster of one pixel, but all are background with background=nan.

    Raises UsageError (a ValueError) for arguments that are not valid, DeviceError without a device, OutOfMemoryError.

    >>> labels, n = label([[1, 1, 0, 2], [0, 0, 0, 2], [3, 0, 0, 0]])
    >>> n
    3
    >>> labels.tolist()
    [[1, 1, 0, 2], [0, 0, 0, 2], [3, 0, 0, 0]]
    >>> label([[1, 1, 2], [1, 2, 2]], match="equal", background=None)[1]
    2
    >>> label([[[1, 0], [0, 1]], [[1, 1], [0, 1]]], batch=True)[1]
    array([2, 1])
    """
    keywords = {"structure": structure, "output": output, "connectivity": connectivity, "match": match, "level": level,
                "background": background, "periodic": periodic, "batch": batch, "number": number, "device": device}
    if is_named(input):
        return label_named(label, input, **keywords)
    if is_lazy(input):
        return label_blocks(input, **keywords)
    if is_foreign(output):
        keywords["output"] = room_in(output)
    if not is_foreign(input):
        return _images.label(input, **keywords)
    found = _images.label(host_of(input), **keywords)
    return (like(found[0], input), found[1]) if isinstance(found, tuple) else found
