# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of xarray's: which axes their names stand for, how long a pixel is, and labels with their coordinates."""
import numpy as np

from ._library import UsageError, numbers


def is_named(array):
    """Whether an array is one of xarray's."""
    return hasattr(array, "dims") and hasattr(array, "coords") and hasattr(array, "to_netcdf")


def one_of(array):
    """An array of xarray's, if it is one and no Dataset."""
    if not hasattr(array, "data"):
        raise UsageError("a Dataset is several images: label one of its variables")
    return array


def _named(names, dims, what):
    """Names of dimensions as a list, from one, from several with commas between them, or from a sequence."""
    words = [names] if names in dims else names.replace(",", " ").split() if isinstance(names, str) else [*names]
    for word in words:
        if word not in dims:
            raise UsageError("%s names %r, which is none of the dimensions %s" % (what, word, ", ".join(map(str, dims))))
    if len(set(words)) < len(words):
        raise UsageError("%s names a dimension twice" % what)
    return words


def _is_names(value):
    return isinstance(value, str) or isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, str) for one in value)


def label_named(label, array, output, periodic, batch, **keywords):
    """clup.label, as label has it, of an array of xarray's: labels as an array with its dimensions, coordinates and name, and of a
    batch their numbers as one with the dimensions of the batch. periodic and batch may name dimensions."""
    dims = one_of(array).dims
    lead = _named(batch, dims, "batch") if _is_names(batch) else None
    if lead is not None:
        if hasattr(output, "__setitem__"):
            raise UsageError("output is a dtype where batch names dimensions")
        turned, batch = array.transpose(*lead, ...), len(lead)
    else:
        turned = array
    if _is_names(periodic):
        named = _named(periodic, turned.dims[int(batch):], "periodic")
        periodic = [dim in named for dim in turned.dims[int(batch):]]
    found = label(turned.data, output=output, periodic=periodic, batch=batch, **keywords)
    labels, counts = found if isinstance(found, tuple) else (None, found)
    if batch:
        kept = turned.dims[:int(batch)]
        coords = turned.coords.to_dataset()
        coords = coords.drop_vars([name for name, coord in coords.coords.items() if not set(coord.dims) <= {*kept}]).coords
        counts = type(array)(counts, coords, kept, turned.name)
    return counts if labels is None else (_like(turned, labels).transpose(*dims), counts)


def _like(array, values):
    """Values with the dimensions, coordinates and name of an array, but without what else is said of that."""
    found = array.copy(deep=False, data=values)
    found.attrs, found.encoding = {}, {}
    return found


def lengths_of(array, lengths, what):
    """Lengths along each axis, of which "coords" stands for the distances of an array's coordinates."""
    if not isinstance(lengths, str):
        return lengths
    if lengths != "coords" or not is_named(array):
        raise UsageError("%s = %r is no number: 'coords' is for arrays of xarray's" % (what, lengths))
    found = []
    for dim in array.dims:
        at = numbers(array[dim].values, "the coordinate %s" % dim) if dim in array.coords and array[dim].dtype.kind in "iuf" else None
        if at is None or len(at) < 2:
            raise UsageError("%s = 'coords', but %s has no two coordinates that are numbers" % (what, dim))
        apart = np.diff(at)
        length = (at[-1] - at[0]) / (len(at) - 1)
        if not length or np.abs(apart - length).max() > 1e-4 * abs(length):
            raise UsageError("%s = 'coords', but coordinates along %s are not equally far from each other" % (what, dim))
        found.append(abs(length))
    return found
