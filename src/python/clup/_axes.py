# SPDX-License-Identifier: BSD-3-Clause
"""Neighbours of pixels of arrays of any number of axes: which of their axes a device labels at once, and unions along the others."""
import numpy as np

from ._library import UsageError, check, ffi, lib, made, values_of, whole

_NEIGHBOURS = {1: [4], 2: [4, 8], 3: [6, 18, 26]}
# the neighbours that a bit of CLUP_MATCH_BONDS stands for, as steps along x, y and z
_STEPS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (-1, 1, 0), (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1),
          (1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, 1)]


def neighbours_of(axes, connectivity):
    """Neighbours of a pixel, from their number or from how many coordinates differ at most."""
    if axes > 3:
        raise UsageError("an image has 3 axes at most here, not %d" % axes)
    known = _NEIGHBOURS[axes]
    if connectivity is None:
        return known[0]
    connectivity = whole(connectivity, "connectivity")
    if connectivity in range(1, axes + 1):
        return known[connectivity - 1]
    if connectivity in _NEIGHBOURS[max(axes, 2)]:
        return connectivity
    raise UsageError("connectivity %r is none of 1 to %d and %s" % (connectivity, axes, known))


def _far(axes):
    """How many coordinates differ from the middle, of each element of a structure."""
    return np.abs(np.indices((3,) * axes) - 1).sum(axis=0) if axes else np.zeros((), int)


def checked_structure(structure, axes):
    """A structuring element as booleans; UsageError for what is none of so many axes."""
    structure = np.asarray(structure, bool)
    if structure.ndim != axes:
        raise UsageError("structure and input must have equal rank")
    if structure.shape != (3,) * axes:
        raise UsageError("structure dimensions must be equal to 3")
    if not np.array_equal(structure, structure[(slice(None, None, -1),) * axes]):
        raise UsageError("structuring element is not symmetric")
    return structure


def _structure_of(axes, connectivity):
    """The structuring element of a connectivity, for more than three axes."""
    connectivity = 1 if connectivity is None else whole(connectivity, "connectivity")
    if connectivity not in range(1, axes + 1):
        raise UsageError("connectivity %r is none of 1 to %d" % (connectivity, axes))
    return _far(axes) <= connectivity


def whole_structure(structure, connectivity, axes):
    """The structuring element of so many axes that structure or, where it is None, connectivity says."""
    if structure is not None:
        return checked_structure(structure, axes)
    if 1 <= axes <= 3:
        connectivity = 1 + _NEIGHBOURS[axes].index(neighbours_of(axes, connectivity)) if axes > 1 else 1
    return _structure_of(axes, connectivity)


def is_connectivity(structure):
    """Whether a structuring element is one of those that connectivities stand for."""
    return _rank_of(structure) is not None


def _rank_of(structure, flat=()):
    """The connectivity that a structuring element stands for where there are no neighbours along the axes in flat; None for
    another one."""
    far, axes = _far(structure.ndim), structure.ndim
    at, ranks = tuple(1 if axis in flat else np.s_[:] for axis in range(axes)), range(min(axes, 1), axes + 1)
    return next((rank for rank in ranks if np.array_equal((structure | (far == 0))[at], (far <= rank)[at])), None)


class Neighbours:
    """The neighbours of pixels of an array: inner axes, the last ones, are labelled by a device, an image for each place
    along the others; outer are the steps between images, along axes in numpy's order; structure is that of the inner axes,
    None where near, a number of neighbours, says it."""

    def __init__(self, shape, structure, connectivity, around):
        self.outer, self.structure, self.inner, self.near = [], None, len(shape), None
        if structure is None and len(shape) <= 3:
            self.near = neighbours_of(len(shape), connectivity)
            return
        full = checked_structure(structure, len(shape)) if structure is not None else _structure_of(len(shape), connectivity)
        full = full.copy()
        flat = [axis for axis, length in enumerate(shape) if length == 1 and not around[axis]]
        for axis in flat:  # there is no neighbour along it
            full[(slice(None),) * axis + ([0, 2],)] = False
        self._divide(full, flat)

    def _divide(self, full, flat):
        """Finds the inner axes, as few of the last three as have steps among them."""
        axes = full.ndim
        steps = [tuple(int(k) - 1 for k in place) for place in np.argwhere(full) if tuple(place) > (1,) * axes]
        self.inner = min(axes, 3)
        while self.inner > 1 and not any(step[axes - self.inner] for step in steps if not any(step[:axes - self.inner])):
            self.inner -= 1
        apart = axes - self.inner
        self.outer = [step for step in steps if any(step[:apart])]
        structure = full[(1,) * apart]
        rank = _rank_of(structure, [axis - apart for axis in flat])
        if rank:
            self.near = _NEIGHBOURS[self.inner][rank - 1]
        else:
            self.near, self.structure = max(_NEIGHBOURS[self.inner]), structure


def bonds_of(values, structure, apart):
    """Pixels whose bits are the bonds of what is not 0, by a structure of the axes after the first apart."""
    inside, axes, bonds = values != 0, range(apart, values.ndim), np.zeros(values.shape, np.uint16)
    for bit, step in enumerate(step[: structure.ndim][::-1] for step in _STEPS if not any(step[structure.ndim:])):
        if structure[tuple(1 + d for d in step)]:
            bonds |= (inside & np.roll(inside, [-d for d in step], axes)).astype(np.uint16) << bit
    return bonds


def _beside(array, step, around):
    """Two views of an array: pixels, and those a step on from them."""
    for axis, along in enumerate(step):
        if along and around[axis]:
            continue
        here, there = {0: (np.s_[:], np.s_[:]), 1: (np.s_[:-1], np.s_[1:]), -1: (np.s_[1:], np.s_[:-1])}[along]
        step = step[:axis] + ((along, here, there),) + step[axis + 1:]
    rolled = [axis for axis, along in enumerate(step) if not isinstance(along, tuple)]
    moved = np.roll(array, [-step[axis] for axis in rolled], rolled) if rolled else array
    at = [tuple(along[which] if isinstance(along, tuple) else np.s_[:] for along in step) for which in (1, 2)]
    return array[at[0]], moved[at[1]]


def matches(here, there, match, level):
    """Whether values match, as the device decides."""
    if match == "equal":
        return here == there
    if match != "tolerance":
        return True
    with np.errstate(all="ignore"):
        if here.dtype.kind == "f":
            return (here == there) | (np.abs(here - there) <= here.dtype.type(level))
        far = np.maximum(here, there).astype(object if here.dtype.itemsize == 8 else np.int64) - np.minimum(here, there)
        return (far <= level).astype(bool)


def united(device, count, ends):
    """What labels 0 to count become when the labels of each pair in ends, [pairs, 2], are one: numbers in the order of their
    smallest labels, of which 0 stays 0; and how many there are."""
    ends = np.ascontiguousarray(ends, np.uint32)
    components = made("components", lib.clup_components_create, device.context, count + 1)
    check(lib.clup_components_add(components, values_of(ends), lib.CLUP_DTYPE_U32, len(ends)))
    numbers, clusters = np.empty(count + 1, np.uint32), ffi.new("uint32_t *")
    check(lib.clup_components_labels(components, ffi.cast("uint32_t *", numbers.ctypes.data), clusters))
    return numbers, clusters[0] - 1


def pairs_of(here, there):
    """The pairs of labels at the same places of two arrays, each of them once, [pairs, 2]."""
    pairs = np.unique(here.astype(np.uint64) << np.uint64(32) | there)
    return np.stack([pairs >> np.uint64(32), pairs & np.uint64(2**32 - 1)], axis=1).astype(np.uint32)


def unite(device, values, labels, count, steps, around, match, level):
    """Unites clusters of labels 1 to count whose pixels match along some steps, and numbers what there is in the order of
    first pixels; how many there are. around says which axes are periodic."""
    found = [np.empty((0, 2), np.uint32)]
    for step in steps:
        here, there = _beside(labels, step, around)
        both = (here > 0) & (there > 0)
        if match in ("equal", "tolerance"):
            both &= matches(*_beside(values, step, around), match, level)
        found.append(pairs_of(here[both], there[both]))
    numbers, count = united(device, count, np.concatenate(found))
    labels[...] = numbers[labels]
    return count
