# SPDX-License-Identifier: BSD-3-Clause
"""Which regions of labels touch, under the names of cc3d."""
import numpy as np

from ._axes import neighbours_of
from ._library import UsageError, check, device_of, device_of_queue, ffi, is_on_device, lib, set_axes
from ._named import lengths_of
from ._regionprops import labels_of

_FIELDS = {"a": "u4", "b": "u4", "faces": "3u8", "edges": "u8", "corners": "u8", "area": "f8"}
_CONTACT = np.dtype({"names": [*_FIELDS], "formats": [*_FIELDS.values()], "itemsize": ffi.sizeof("clup_contact"),
                     "offsets": [ffi.offsetof("clup_contact", name) for name in _FIELDS]})
# neighbours in the plane of cc3d's names for those of a volume of one layer
_IN_PLANE = {6: 4, 18: 8, 26: 8}


def _near(axes, connectivity):
    if connectivity is None:
        return neighbours_of(axes, axes)
    return neighbours_of(axes, _IN_PLANE.get(connectivity, connectivity) if axes < 3 else connectivity)


def _lengths(anisotropy, axes):
    """The length of a pixel along x, y and z, of a number for all axes, or of one for each and more."""
    lengths = np.asarray(1 if anisotropy is None else anisotropy)
    if lengths.dtype.kind not in "iuf" or lengths.ndim > 1 or lengths.ndim == 1 and not axes <= lengths.size <= max(axes, 3) or not (
            np.isfinite(lengths) & (lengths > 0)).all():
        raise UsageError("anisotropy = %r is no positive number, nor one for each of %d axes" % (anisotropy, axes))
    lengths = np.broadcast_to(lengths, axes).tolist() if lengths.ndim == 0 else lengths[:axes].tolist()
    return [*reversed(lengths), 1, 1][:3]


def _numbered(labels):
    """Labels as uint32, and what they stand for; None where they are themselves. The order of those that are not 0 stays."""
    if labels.dtype.kind == "b" or labels.dtype.itemsize < 4 and labels.dtype.kind == "u":
        return labels.astype(np.uint32), None
    if labels.dtype == np.uint32 or not labels.size or labels.min() >= 0 and labels.max() < 2**32:
        return np.ascontiguousarray(labels, np.uint32), None
    names, of = np.unique(labels, return_inverse=True)
    numbers = np.cumsum(names != 0, dtype=np.uint32) * (names != 0)
    return numbers[of].reshape(labels.shape), np.concatenate([np.zeros(1, names.dtype), names[names != 0]])


def touching(labels, connectivity=None, anisotropy=None, periodic=False, device=None):
    """Pairs of labels that touch, as arrays: the smaller and the larger one, faces along each axis in numpy's order, edges,
    corners, and areas."""
    on_device, anisotropy = is_on_device(labels), lengths_of(labels, anisotropy, "anisotropy")
    if on_device and (device is not None or labels.dtype != np.uint32 or not labels.flags.c_contiguous or not 1 <= labels.ndim <= 3):
        raise UsageError("labels on a device are 1 to 3 axes of uint32 in C's order, and say which device")
    values, names = (labels, None) if on_device else _numbered(labels_of(labels))
    axes, problem, found = values.ndim, ffi.new("clup_contact_problem *"), ffi.new("clup_contacts *")
    set_axes(problem, values.shape, periodic)
    problem.connectivity, problem.spacing = _near(axes, connectivity), _lengths(anisotropy, axes)
    pairs = np.empty(0, _CONTACT)
    if values.size:
        if on_device:
            buffer = ffi.cast("struct _cl_mem *", values.data.int_ptr)
            check(lib.clup_contacts_find_buffer(device_of_queue(values.queue).context, problem, buffer, found, ffi.NULL))
        else:
            labels_at = ffi.cast("uint32_t *", values.ctypes.data)
            check(lib.clup_contacts_find(device_of(device).context, problem, labels_at, found, ffi.NULL))
        try:
            pairs = np.frombuffer(ffi.buffer(found.pairs, found.count * _CONTACT.itemsize), _CONTACT).copy() if found.count else pairs
        finally:
            lib.clup_contacts_clear(found)
    ends = [pairs[end] if names is None else names[pairs[end]] for end in ("a", "b")]
    return (*ends, pairs["faces"][:, :axes][:, ::-1], pairs["edges"], pairs["corners"], pairs["area"])


def contacts(labels, connectivity=None, surface_area=True, anisotropy=None, *, periodic=False, device=None):
    """The labels that touch and on which area, {(a, b): area} with a < b, as cc3d.contacts.

    labels        array of 1 to 3 axes of whole numbers, of which 0 touches nothing; or one of pyopencl's, of uint32
    connectivity  that of label, and all neighbours for None; in the plane 6, 18 and 26 as well, which stand for 4, 8 and 8
    surface_area  False: how many pairs of pixels are neighbours, in place of the area of those that share a face. A pair that
                  only edges or corners join has the area 0
    anisotropy    the length of a pixel, for all axes or along each of them, in numpy's order; 1 for None; "coords" for the
                  distances of the coordinates of an array of xarray's
    periodic, device  those of label

    cc3d (seen with 4.1.1) counts some pairs at the ends of axes twice with surface_area=False; areas are the same.

    >>> contacts([[1, 1, 2], [0, 3, 2]], connectivity=4)
    {(1, 2): 1.0, (1, 3): 1.0, (2, 3): 1.0}
    """
    a, b, faces, edges, corners, area = touching(labels, connectivity, anisotropy, periodic, device)
    sums = area if surface_area else (faces.sum(axis=1) + edges + corners).astype(float)
    return dict(zip(zip(a.tolist(), b.tolist()), sums.tolist()))


def region_graph(labels, connectivity=None, *, periodic=False, device=None):
    """The set of pairs (a, b), a < b, of labels that touch, as cc3d.region_graph. The arguments are those of contacts.

    >>> sorted(region_graph([[1, 1, 2], [0, 3, 2]]))
    [(1, 2), (1, 3), (2, 3)]
    """
    a, b = touching(labels, connectivity, None, periodic, device)[:2]
    return set(zip(a.tolist(), b.tolist()))
