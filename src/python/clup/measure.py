# SPDX-License-Identifier: BSD-3-Clause
"""Functions with the names and arguments of scikit-image, and of scipy.ndimage and cc3d."""
import numpy as np

from ._blocks import is_lazy
from ._host import host_of, is_foreign, like
from ._images import is_held
from ._label import label as _label
from ._library import real
from ._named import is_named, one_of
from ._objects import binary_fill_holes, clear_border, each, remove_small_holes, remove_small_objects
from ._regionprops import regionprops, regionprops_table

__all__ = ["label", "regionprops", "regionprops_table", "clear_border", "remove_small_objects", "remove_small_holes", "binary_fill_holes", "each"]


def label(label_image, background=None, return_num=False, connectivity=None, *, periodic=False, device=None):
    """Labels clusters of equal values as skimage.measure.label does: labels, and their number where return_num.

    background None is 0; a whole number that the image cannot hold, such as -1 of unsigned values, is none, and NaN
    that of floats. connectivity None joins pixels that differ in any coordinates. Masked values are background. Arrays of
    dask's, xarray's and other packages are as in clup.label.
    periodic and device are those of clup.label.

    >>> label([[1, 1, 2], [0, 2, 1]], return_num=True)[1]
    2
    """
    kept = isinstance(label_image, np.ma.MaskedArray) or is_lazy(label_image) or is_named(label_image)
    image = one_of(label_image) if is_named(label_image) else label_image if kept else host_of(label_image)
    none = background is not None and image.dtype.kind in "biu" and real(background, "background") % 1 == 0 and not is_held(
        background, image.dtype)
    found = _label(image, match="equal", connectivity=image.ndim if connectivity is None else connectivity, periodic=periodic,
                   background=None if none else 0 if background is None else background, device=device)
    labels = like(found[0], label_image) if is_foreign(label_image) else found[0]
    return (labels, found[1]) if return_num else labels
