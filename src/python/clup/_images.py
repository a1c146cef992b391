# SPDX-License-Identifier: BSD-3-Clause
"""Labels of images and volumes: numpy arrays, and arrays of pyopencl's that stay on their device."""
import tempfile

import numpy as np

from ._axes import Neighbours, bonds_of, checked_structure, neighbours_of, unite
from ._host import host_of
from ._library import (OutOfMemoryError, UsageError, check, device_of, device_of_queue, ffi, flags_of, index_of, is_on_device, lib, names_of,
                       real, set_axes, values_of, whole)

_MATCHES = ["equal", "tolerance", "nonzero", "threshold"]
_MOST = 2**32 - 2
# the match whose bonds are the values
_BONDS = object()


class _Unsaid(int):
    """A keyword that was not given: 0."""
    __slots__ = ()


UNSAID = _Unsaid()


def is_held(value, dtype):
    """Whether an array of that type can hold a value, of floats but for rounding."""
    if dtype.kind == "b":
        return value in (0, 1)
    if dtype.kind in "iu":
        return value == value // 1 and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    with np.errstate(all="ignore"):
        return not np.isinf(dtype.type(value)) or np.isinf(value)


def _background_of(value, dtype):
    """A background as an array of that type has it; None for none."""
    if value is UNSAID or value is None:
        return 0 if value is UNSAID else None
    value = real(value, "background")
    if not is_held(value, dtype):
        raise UsageError("background %r is no value of an array of %s" % (value, dtype))
    return float(dtype.type(value)) if dtype.kind == "f" else value


def settle(match, level, background, dtype):
    """The level, and the background or None, for pixels of that type. Refused is what does not go with the match."""
    index_of(_MATCHES, match, "match")
    level = 0 if level is UNSAID else real(level, "level")
    if level != 0 and match not in ("tolerance", "threshold"):
        raise UsageError("level = %r is for match 'tolerance' or 'threshold', not for %r" % (level, match))
    said = background is not UNSAID and (match == "threshold" or background is None or real(background, "background") != 0)
    if said and match not in ("equal", "tolerance"):
        raise UsageError("background = %r is for match 'equal' or 'tolerance', not for %r" % (background, match))
    background = _background_of(background, dtype)
    return level, background if match in ("equal", "tolerance") else None


def _checked(dtype):
    """dtype, if it is one of those that are labelled."""
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise TypeError("%s type not supported" % ("Complex" if dtype.kind == "c" else dtype))
    return dtype


def prepare(image):
    """Values as the library takes them: in C's order and the machine's, of a type that it knows."""
    values = host_of(image)
    _checked(values.dtype)
    if values.dtype.kind == "f" and values.dtype.itemsize == 2:
        values = values.astype(np.float32)
    values = np.ascontiguousarray(values, values.dtype.newbyteorder("=")).reshape(values.shape)
    return values.view(np.uint8) if values.dtype.kind == "b" else values


def _unused(values):
    """A number of their type that is none of them, of floats of 32 and 64 bits one from 1 on."""
    if values.dtype.kind == "f":
        bits = "u%d" % values.dtype.itemsize
        one = np.ones(1, values.dtype).view(bits)
        return float((np.array([_unused(values.view(bits) - one)], bits) + one).view(values.dtype)[0])
    # values are sorted: at the first index where one is not least + index, that number is unused
    least, found = np.iinfo(values.dtype).min, np.unique(values)
    far = found.astype(np.uint64) - np.uint64(least % 2**64)
    gaps = np.flatnonzero(far != np.arange(found.size, dtype=np.uint64))
    return least + (int(gaps[0]) if gaps.size else found.size)


def _filled(image, match, level, background):
    """A masked array without its mask, of values that have no clusters where it was masked; and the background."""
    mask, values = np.ma.getmaskarray(image), np.array(np.ma.getdata(image))
    level, background = settle(match, level, background, _checked(values.dtype))
    if match == "nonzero":
        values[mask] = 0
        return values, UNSAID
    if match == "threshold":
        values[mask] = np.nan if values.dtype.kind == "f" else False if values.dtype.kind == "b" else np.iinfo(values.dtype).min
        return values, UNSAID
    if background is None:
        values = prepare(values)
        if values.dtype.kind in "iu" and values.dtype.itemsize < 8:
            values = values.astype("i%d" % (2 * values.dtype.itemsize))
        background = _unused(values)
    values[mask] = background
    return values, background


def _sum(value):
    """A number as the library takes it: a double, and of a whole one what is left of it."""
    if not isinstance(value, (int, np.integer)):
        return float(value), 0
    return float(int(value) >> 11 << 11), int(value) & 0x7FF


def _of_file(shape, dtype):
    """An array in a file without a name, in $TMPDIR: the system writes there what it has no memory for."""
    with tempfile.TemporaryFile() as file:
        return np.memmap(file, dtype, "w+", shape=shape) if np.prod(shape) else np.empty(shape, dtype)


def _rows(array):
    """Slices of the first axis, of some 64 MB, in whole chunks where there are such."""
    row = max(1, int(np.prod(array.shape[1:])) * array.dtype.itemsize)
    chunk = int(np.ravel((getattr(array, "chunks", None) or (1,))[0])[0])
    step = max(1, 2**26 // row // chunk) * chunk
    return [np.s_[first:first + step] for first in range(0, array.shape[0], step)] if array.ndim else [...]


def _from_blocks(array):
    """The values of an array that is read piece by piece, such as those of h5py and zarr."""
    values = _of_file(array.shape, prepare(np.empty((0,) * array.ndim, array.dtype)).dtype)
    for rows in _rows(array):
        values[rows] = prepare(array[rows])
    return values


def threshold(image, method="otsu", *, device=None):
    """A threshold between the dark and the bright pixels of an image of any number of axes, as skimage.filters.threshold_otsu,
    threshold_triangle or threshold_li find it: method is "otsu", "triangle" or "li". label(image, match="threshold",
    level="otsu") labels what is above it.

    Integers have a bin each, and differ by less than 2^24; floats have 256 bins, and with li one for each value.

    >>> threshold([[1, 2, 1, 9], [8, 9, 2, 1]])
    2.0
    """
    if isinstance(image, np.ma.MaskedArray):
        image = image.compressed()
    return _level_of(prepare(image), index_of(names_of(lib.clup_threshold_name), method, "threshold"), device)


def _level_of(values, method, device):
    """The threshold of prepared values."""
    if not values.size:
        raise UsageError("an image without pixels has no threshold")
    image, level, more = ffi.new("clup_image *"), ffi.new("double *"), ffi.new("int64_t *")
    # pixels along three axes at most: some of the others together
    sides = [values.size] if values.size < 2**32 else [*values.shape]
    while len(sides) > 3:
        sides[:2] = [sides[0] * sides[1]]
    if max(sides) >= 2**32:
        raise UsageError("an image of %s pixels is too large for a threshold" % " x ".join(map(str, values.shape)))
    image.size, image.axes, image.channels, image.pixels = (sides[::-1] + [1, 1])[:3], 2 + (len(sides) > 2), 1, values_of(values)
    image.dtype = 1 + index_of(names_of(lib.clup_dtype_name, 1), "%s%d" % (values.dtype.kind, 8 * values.dtype.itemsize), "dtype")
    check(lib.clup_threshold(device_of(device).context, image, method, level, more))
    return int(level[0]) + more[0] if more[0] else level[0]


def problem_of(shape, dtype, connectivity, match, level, background, periodic):
    """The library's description of what to label, which was settled; shape and periodic in numpy's order."""
    problem = ffi.new("clup_label_problem *")
    set_axes(problem, shape, periodic)
    problem.dtype = 1 + index_of(names_of(lib.clup_dtype_name, 1), "%s%d" % (dtype.kind, 8 * dtype.itemsize), "dtype")
    problem.connectivity, problem.channels = connectivity, 1
    problem.match = lib.CLUP_MATCH_BONDS if match is _BONDS else _MATCHES.index(match)
    problem.level, problem.level_more = _sum(level)
    if background is not None:
        problem.has_background, (problem.background[0], problem.background_more[0]) = 1, _sum(background)
    return problem


def run(device, problem, values, labels):
    """Labels values into labels, uint32 of the same shape; how many clusters there are."""
    clusters = ffi.new("uint32_t *")
    if values.size <= _MOST:
        try:
            check(lib.clup_labelling_run(device.labelling_of(problem), values_of(values), lib.CLUP_LABELS_NUMBERED,
                                         values_of(labels), clusters, ffi.NULL))
            return clusters[0]
        except OutOfMemoryError:
            device.labelling = None
    check(lib.clup_label_image(device.context, problem, values_of(values), 0, values_of(labels), clusters, ffi.NULL))
    return clusters[0]


def _run_images(device, problem, images, values, labels, each):
    """Labels so many images, one after the other in values; how many clusters each has."""
    before, numbering = np.zeros(images + 1, np.uint64), lib.CLUP_NUMBER_EACH if each else lib.CLUP_NUMBER_THROUGHOUT
    check(lib.clup_label_batch(device.context, problem, images, values_of(values), numbering, values_of(labels),
                               ffi.cast("uint64_t *", before.ctypes.data), ffi.NULL, ffi.NULL))
    return np.diff(before.astype(np.int64))


def _counts(labels, images):
    """How many clusters each of some images has, of labels that are numbered throughout."""
    last = np.maximum.accumulate(labels.reshape(images, -1).max(axis=1).astype(np.int64))
    return np.diff(last, prepend=0)


def _label_batch(device, values, labels, images, near, match, level, background, periodic, each):
    """Labels so many images along the first axis of values by some neighbours; how many clusters each has."""
    around, apart = flags_of(periodic, values.ndim - 1), values.ndim - near.inner
    used, problem_match = values, match
    if near.structure is not None:
        if match != "nonzero":
            raise UsageError("a structure like this is for match 'nonzero' alone")
        used, problem_match = bonds_of(values, near.structure, apart), _BONDS
    bonds = problem_match is _BONDS
    problem = problem_of(values.shape[apart:], used.dtype, near.near, problem_match, level, None if bonds else background,
                         around[apart - 1:])
    whole_images = int(np.prod(values.shape[:apart]))
    direct = each and not bonds and not near.outer and whole_images == images
    counts = _run_images(device, problem, whole_images, used, labels, direct)
    if direct or not bonds and not near.outer and whole_images == images:
        return counts
    count = int(counts.sum())
    if bonds:  # each pixel that is 0 is a cluster by itself: these are dropped
        inside = values != 0
        kept = np.zeros(count + 1, bool)
        kept[labels[inside]] = True
        labels[...] = np.cumsum(kept, dtype=np.uint32)[labels] * inside
        count = int(kept.sum())
    if near.outer:
        unite(device, values, labels, count, [(0,) + step for step in near.outer], (False, *around), match, level)
    counts = _counts(labels, images)
    if each:
        before = (np.cumsum(counts) - counts).astype(np.uint32).reshape((images,) + (1,) * (labels.ndim - 1))
        np.subtract(labels, before, out=labels, where=labels > 0)
    return counts


def _label_array(image, connectivity, match, level, background, periodic, lead, each):
    """Labels of an array of pyopencl's, in a new one of its queue's, and how many clusters each image of a batch has."""
    if not image.dtype.isnative or not image.flags.c_contiguous:
        raise UsageError("an array on a device is in C's order and the machine's byte order")
    shape, images = image.shape[lead:], int(np.prod(image.shape[:lead]))
    device, (level, background) = device_of_queue(image.queue), settle(match, level, background, image.dtype)
    problem = problem_of(shape, image.dtype, neighbours_of(len(shape), connectivity), match, level, background, periodic)
    problem.batch = images
    labels = type(image)(image.queue, image.shape, np.uint32, allocator=image.allocator)
    buffers = [ffi.cast("struct _cl_mem *", array.data.int_ptr) for array in (image, labels)]
    labelling, before = device.labelling_of(problem), np.zeros(images + 1, np.uint32)
    check(lib.clup_labelling_enqueue(labelling, *buffers, lib.CLUP_LABELS_NUMBERED, 0, ffi.NULL, ffi.NULL))
    check(lib.clup_labelling_before(labelling, ffi.cast("uint32_t *", before.ctypes.data)))
    if each:
        check(lib.clup_labelling_number_each(labelling, buffers[1]))
    counts = np.diff(before.astype(np.int64))
    return labels, counts.reshape(image.shape[:lead]) if lead else int(counts[0])


def batch_of(batch, number, most):
    """How many axes count images, and whether clusters are numbered anew in each."""
    lead = whole(int(batch) if isinstance(batch, (bool, np.bool_)) else batch, "batch", 0, max(most, 0))
    return lead, index_of(["each", "throughout"], number, "number") == 0


def label(input, structure=None, output=None, *, connectivity=None, match="nonzero", level=UNSAID, background=UNSAID,
          periodic=False, batch=0, number="each", device=None):
    """clup.label of an array of numpy's, h5py's, zarr's or pyopencl's."""
    if is_on_device(input):
        if structure is not None or output is not None or device is not None:
            raise UsageError("structure, output and device are for numpy arrays")
        return _label_array(input, connectivity, match, level, background, periodic, *batch_of(batch, number, input.ndim - 1))
    if structure is not None and connectivity is not None:
        raise UsageError("structure and connectivity = %r both say which neighbours are joined" % (connectivity,))
    into = output if hasattr(output, "__setitem__") else None
    if isinstance(into, np.ma.MaskedArray):
        raise UsageError("output is a masked array, whose mask would hide labels")
    found_by = index_of(names_of(lib.clup_threshold_name), level, "level") if isinstance(level, str) else None
    if found_by is not None and match != "threshold":
        raise UsageError("level = %r is for match 'threshold', not for %r" % (level, match))
    if isinstance(input, np.ma.MaskedArray):
        if found_by is not None and input.size:
            level, found_by = _level_of(prepare(input.compressed()), found_by, device), None
        input, background = _filled(input, match, 0 if found_by is not None else level, background)
    blocks = hasattr(input, "dtype") and hasattr(input, "chunks") and input.ndim > 0
    input = input if blocks else np.asarray(input)
    level, background = settle(match, 0 if found_by is not None else level, background, _checked(np.dtype(input.dtype)))
    values = _from_blocks(input) if blocks else prepare(input)
    if found_by is not None and values.size:
        level = _level_of(values, found_by, device)
    lead, each = batch_of(batch, number, values.ndim)
    if into is not None and into.shape != values.shape:
        raise UsageError("output shape %s is not that of input, %s" % (into.shape, values.shape))
    direct = (isinstance(into, np.ndarray) and into.flags.c_contiguous and into.flags.writeable and
              into.dtype in (np.int32, np.uint32))
    room = _of_file if blocks and into is not None else np.empty
    labels = into.view(np.uint32) if direct else room(values.shape, np.uint32)
    images, shape = int(np.prod(values.shape[:lead])), values.shape[lead:] or (1,)
    if structure is not None and values.ndim == lead:
        checked_structure(structure, 0)
    near = Neighbours(shape, structure if values.ndim > lead else None, connectivity, flags_of(periodic, len(shape)))
    counts = np.zeros(images, np.int64)
    if values.size and not lead and near.structure is None and near.inner == len(shape):
        problem = problem_of(shape, values.dtype, near.near, match, level, background, periodic)
        counts[0] = run(device_of(device), problem, values.reshape(shape), labels.reshape(shape))
    elif values.size:
        counts = _label_batch(device_of(device), values.reshape(images, *shape), labels.reshape(images, *shape), images, near, match,
                              level, background, periodic, each)
    found = counts.reshape(values.shape[:lead]) if lead else int(counts.sum())
    count = int(counts.sum() if lead == 0 or not each else counts.max(initial=0))
    dtype = np.dtype(into.dtype if into is not None else np.int32 if output is None and count < 2**31 else output or np.int64)
    if dtype.kind not in "iuf" or dtype.kind in "iu" and count > np.iinfo(dtype).max:
        raise UsageError("insufficient bit-depth in requested output type")
    if into is None:
        return (labels.view(dtype) if dtype in (np.int32, np.uint32) else labels.astype(dtype)), found
    for rows in _rows(into) if not direct else ():
        into[rows] = labels[rows]
    return found
