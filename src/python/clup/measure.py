"""Functions with the arguments of skimage.measure."""
import numpy as np

from ._images import label as _label
from ._regions import regionprops_table

__all__ = ["label", "regionprops_table"]


def label(label_image, background=None, return_num=False, connectivity=None, *, periodic=False, device=None):
    """Labels clusters of equal values as skimage.measure.label does: labels, and their number where return_num.

    background None is 0; another one that the image cannot hold, such as -1 of unsigned values, is none. connectivity
    None joins pixels that differ in any coordinates. periodic and device are those of clup.label.

    >>> label([[1, 1, 2], [0, 2, 1]], return_num=True)[1]
    2
    """
    near = np.ndim(label_image) if connectivity is None else connectivity
    found = _label(label_image, match="equal", connectivity=near, background=0 if background is None else background,
                   periodic=periodic, device=device)
    return found if return_num else found[0]
