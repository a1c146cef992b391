# SPDX-License-Identifier: BSD-3-Clause
"""Labels of dask arrays, block by block, and equal to those of the whole array.

Each block is labelled by itself. Then pairs of labels are found that belong together where blocks meet, all labels get the
numbers that they have in the whole array, and each block is renumbered. What is kept of a block meanwhile are its labels, in
as few bytes as their number needs; of all blocks together a few numbers for each of their clusters.
"""
import itertools
from functools import partial
from operator import getitem

import numpy as np

from ._axes import is_connectivity, matches, pairs_of, united, whole_structure
from ._images import UNSAID, batch_of, label, prepare
from ._library import UsageError, device_of, flags_of

_MOST = 2**32 - 2


def is_lazy(array):
    """Whether an array is one of dask's."""
    return hasattr(array, "__dask_graph__") and hasattr(array, "numblocks")


def _of_dask():
    """The modules of dask that are needed."""
    try:
        import dask.array
        import dask.base
        import dask.highlevelgraph
    except ImportError as error:
        raise ImportError("this needs dask with its arrays, which is not installed: pip install dask[array]") from error
    return dask


def _ends_of(array):
    """The first and the last layer of an array along each axis: {(axis, -1 or 1): layer}."""
    ends = {}
    for axis in range(array.ndim):
        along = (np.s_[:],) * axis
        ends[axis, -1], ends[axis, 1] = array[(*along, np.s_[:1])].copy(), array[(*along, np.s_[-1:])].copy()
    return ends


def _of_block(block, origin, shape, structure, keywords, lead):
    """What is found of a block that begins at origin of an array: its labels, where their first pixels are in the array, and
    labels and values at its ends."""
    labels, counts = label(block, structure, np.uint32, batch=lead, number="throughout", **keywords)
    count = int(np.sum(counts))
    # labels are in the order of first pixels, so that each is the first one that is larger than all before
    most = np.maximum.accumulate(labels.ravel())
    places = np.flatnonzero(np.diff(most, prepend=most.dtype.type(0)))
    at = [along + first for along, first in zip(np.unravel_index(places, labels.shape), origin)] if labels.ndim else []
    firsts = np.ravel_multi_index(at, shape).astype(np.int64) if len(places) and at else np.zeros(len(places), np.int64)
    values = _ends_of(prepare(np.ma.getdata(block))) if keywords["match"] in ("equal", "tolerance") else None
    kept = labels.astype(np.min_scalar_type(count), copy=False)
    return kept, firsts, (_ends_of(labels), values)


def _crossed(ends, to, step, side):
    """The pixels at an end of a block from which a step leads to the block in the direction to (side 0), or at which it arrives
    there (side 1)."""
    axis = next(k for k, along in enumerate(to) if along)
    sign = 1 if side == 0 else -1
    place = []
    for k, (across, along) in enumerate(zip(to, step)):
        if across:
            place.append(np.s_[:] if k == axis else np.s_[-1:] if sign * across > 0 else np.s_[:1])
        else:
            place.append({0: np.s_[:], 1: np.s_[:-1], -1: np.s_[1:]}[sign * along])
    return ends[axis, sign * to[axis]][tuple(place)]


def _meeting(here, others, directions, match, level):
    """Of a block, an array of pairs of labels that belong together, for each block that it meets in some directions."""
    found = []
    for (labels, values), (to, steps) in zip(others, directions):
        pairs = [np.empty((0, 2), np.uint32)]
        for step in steps:
            a, b = _crossed(here[0], to, step, 0), _crossed(labels, to, step, 1)
            both = (a > 0) & (b > 0)
            if values is not None:
                both &= matches(_crossed(here[1], to, step, 0), _crossed(values, to, step, 1), match, level)
            pairs.append(pairs_of(a[both], b[both]))
        found.append(np.unique(np.concatenate(pairs), axis=0))
    return found


def _numbered(firsts, pairs, beside, pixels, images, each, most, device):
    """For each block its labels' numbers in the whole array, [labels + 1]; at the end how many clusters each image has."""
    before = np.cumsum([0, *map(len, firsts)])
    total = int(before[-1])
    if total > _MOST:
        raise UsageError("%d clusters in all blocks are too many: take larger blocks" % total)
    firsts, rank = np.concatenate([np.zeros(0, np.int64), *firsts]), np.zeros(total + 1, np.uint32)
    order = np.argsort(firsts)
    rank[1 + order] = np.arange(1, total + 1, dtype=np.uint32)
    ends = [np.empty((0, 2), np.uint32)]
    for block, (found, others) in enumerate(zip(pairs, beside)):
        ends.extend(rank[few + before[[block, other]]] for few, other in zip(found, others))
    ends = np.concatenate(ends)
    numbers, count = united(device_of(device), total, ends) if len(ends) else (np.arange(total + 1, dtype=np.uint32), total)
    # where each cluster has its first pixel: clusters are in the order of the smallest ranks
    begun = np.flatnonzero(np.diff(np.maximum.accumulate(numbers)))
    image = firsts[order[begun]] // pixels
    counts = np.bincount(image, minlength=images)
    if each and images:
        numbers[1:] -= (np.cumsum(counts) - counts)[image].astype(np.uint32)[numbers[1:] - 1]
    if (int(counts.max(initial=0)) if each else count) > most:
        raise UsageError("insufficient bit-depth in requested output type")
    tables = [np.concatenate([rank[:1], numbers[rank[first + 1:end + 1]]]) for first, end in zip(before[:-1], before[1:])]
    return (*tables, counts)


def _renumbered(labels, numbers, dtype):
    return numbers[labels].astype(dtype, copy=False)


def _shaped(counts, shape):
    return counts.reshape(shape) if shape else np.int64(counts.sum())


def _directions(structure, lead):
    """The blocks that a block meets, one of each two opposite ones: [(direction, steps that lead there)]."""
    steps = [tuple(int(k) - 1 for k in place) for place in np.argwhere(structure)]
    found = []
    for to in itertools.product((-1, 0, 1), repeat=structure.ndim):
        there = [(0,) * lead + step for step in steps if all(not across or across == along for across, along in zip(to, step))]
        if to > (0,) * len(to) and there:
            found.append(((0,) * lead + to, there))
    return found


def _beyond(place, to, blocks, around):
    """The block in a direction from another one; None where there is none."""
    other = []
    for at, along, many, wraps in zip(place, to, blocks, around):
        if not 0 <= at + along < many and not wraps:
            return None
        other.append((at + along) % many)
    return tuple(other)


def label_blocks(array, structure, output, connectivity, match, level, background, periodic, batch, number, device):
    """clup.label of a dask array: labels and numbers of clusters as dask arrays, which nothing was computed of yet."""
    dask = _of_dask()
    if hasattr(output, "__setitem__"):
        raise UsageError("output of a dask array is a dtype, since labels are computed later: to_zarr and store() put them into an array")
    if isinstance(level, str):
        raise UsageError("level = %r of a dask array needs all of it: say clup.threshold(array, %r)" % (level, level))
    if any(length != length for length in array.shape):
        raise UsageError("the blocks of this dask array have unknown lengths: array.compute_chunk_sizes() finds them")
    keywords = {"connectivity": connectivity, "match": match, "device": device}
    keywords.update((key, value) for key, value in (("level", level), ("background", background)) if value is not UNSAID)
    # whatever is not valid is said at once
    label(np.empty((0,) * array.ndim, array.dtype), structure, output, periodic=periodic, batch=batch, number=number, **keywords)
    lead, each = batch_of(batch, number, array.ndim)
    axes = array.ndim - lead
    near = whole_structure(structure, connectivity, axes) if axes else np.ones((), bool)
    if match != "nonzero" and structure is not None and not is_connectivity(near):
        raise UsageError("a structure like this is for match 'nonzero' alone")
    if 0 in array.shape:
        array = array.rechunk(array.shape)
    elif any(0 in lengths for lengths in array.chunks):
        array = array.rechunk(tuple(tuple(filter(None, lengths)) for lengths in array.chunks))
    dtype = np.dtype(np.int32 if output is None else output)
    most = 2**64 if dtype.kind == "f" else int(np.iinfo(dtype).max)
    around = [False] * lead + [*map(bool, flags_of(periodic, axes))] if axes else [False] * lead
    images, pixels = int(np.prod(array.shape[:lead])), max(1, int(np.prod(array.shape[lead:])))

    name = "clup-label-" + dask.base.tokenize(array.name, near, dtype, sorted(keywords.items()), around, lead, each)
    of_block, of_ends, all_numbers, of_counts = (name + part for part in ("-block", "-meeting", "-numbers", "-count"))
    origins = [np.cumsum([0, *lengths])[:-1].tolist() for lengths in array.chunks]
    places = [*np.ndindex(*array.numblocks)]
    index, directions, beside, graph = {place: k for k, place in enumerate(places)}, _directions(near, lead), [], {}
    for place in places:
        origin = [firsts[k] for firsts, k in zip(origins, place)]
        of_one = partial(_of_block, origin=origin, shape=array.shape, structure=structure, keywords=keywords, lead=lead)
        graph[(of_block, *place)] = (of_one, (array.name, *place))
        met = [(to, steps, _beyond(place, to, array.numblocks, around)) for to, steps in directions]
        met = [one for one in met if one[2] is not None]
        beside.append([index[other] for _, _, other in met])
        meeting = partial(_meeting, directions=[(to, steps) for to, steps, _ in met], match=match, level=keywords.get("level", 0))
        graph[(of_ends, *place)] = (meeting, (getitem, (of_block, *place), 2), [(getitem, (of_block, *other), 2) for _, _, other in met])
    numbered = partial(_numbered, beside=beside, pixels=pixels, images=images, each=each, most=most, device=device)
    graph[(all_numbers,)] = (numbered, [(getitem, (of_block, *place), 1) for place in places], [(of_ends, *place) for place in places])
    for place in places:
        numbers = (getitem, (all_numbers,), index[place])
        graph[(name, *place)] = (partial(_renumbered, dtype=dtype), (getitem, (of_block, *place), 0), numbers)
    of_collections, Array = dask.highlevelgraph.HighLevelGraph.from_collections, dask.array.Array
    labels = Array(of_collections(name, graph, dependencies=[array]), name, array.chunks, dtype=dtype)
    counted = {(of_counts,) + (0,) * lead: (partial(_shaped, shape=array.shape[:lead]), (getitem, (all_numbers,), len(places)))}
    counts = Array(of_collections(of_counts, counted, dependencies=[labels]), of_counts, [(length,) for length in array.shape[:lead]], dtype=np.int64)
    return labels, counts
