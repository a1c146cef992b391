# SPDX-License-Identifier: BSD-3-Clause
"""What regions of labels are: sizes, boxes, centroids, moments; and images without the small ones."""
import numpy as np

from ._images import label, neighbours_of, prepare, problem_of, run
from ._library import UsageError, check, device_of, ffi, lib, real, values_of, whole

_FIELDS = {"size": "u8", "first": "3u4", "last": "3u4", "centroid": "3f8", "moments": "6f8"}
_CLUSTER = np.dtype({"names": [*_FIELDS], "formats": [*_FIELDS.values()], "itemsize": ffi.sizeof("clup_cluster"),
                     "offsets": [ffi.offsetof("clup_cluster", name) for name in _FIELDS]})
# where the central moment of two axes x, y, z stands
_PLACES = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])

# labels up to which statistics has a row for each, whatever the image's size
_ROWS = 2**20

# the square of the length of an axis is the sum of the eigenvalues of the inertia tensor, largest
# first, each times the factor here
_LENGTHS = {2: {"axis_major_length": [16, 0], "axis_minor_length": [0, 16]},
            3: {"axis_major_length": [10, 10, -10], "axis_minor_length": [-10, 10, 10]}}


def _labels_of(labels):
    """Labels as an array, if they are some."""
    if isinstance(labels, np.ma.MaskedArray):
        raise UsageError("labels are a masked array: say with filled() what is where it is masked")
    labels = np.asarray(labels)
    if labels.dtype.kind not in "biu" or not 1 <= labels.ndim <= 3:
        raise UsageError("labels are 1 to 3 axes of whole numbers, not %d of %s" % (labels.ndim, labels.dtype))
    return labels


def measure(labels, device=None, background=0):
    """The regions of equal labels, in their order, but the background: (labels, sizes, first, last, centroids, moments).

    Coordinates are in numpy's order, moments[region, axis, axis] central ones in pixels^2. Regions may be of several
    pieces: the pieces are what the device measures.
    """
    values = prepare(labels)
    pieces, known, turned = np.empty(0, _CLUSTER), values.ravel()[:0], np.arange(values.ndim)[::-1]
    if values.size:
        chosen, numbers = device_of(device), np.empty(values.shape, np.uint32)
        near = neighbours_of(values.ndim, values.ndim)
        problem = problem_of(values.shape, values.dtype, near, "equal", 0, background, False)
        count = run(chosen, problem, values, numbers)
        pieces, known = np.empty(count, _CLUSTER), np.empty(count + 1, values.dtype)
        if chosen.labelling is None:
            raise UsageError("the device has no room for an image of %d pixels and its regions" % values.size)
        check(lib.clup_labelling_measure_run(chosen.labelling, count, values_of(pieces)))
        known[numbers] = values
        known = known[1:]
    names, of = np.unique(known, return_inverse=True)
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(len(names)))

    def together(operation, values):
        return operation.reduceat(values[order], starts, axis=0)

    sizes, centers = pieces["size"], pieces["centroid"][:, turned]
    counts = together(np.add, sizes)
    means = together(np.add, sizes[:, None] * centers) / counts[:, None]
    aside = centers - means[of]
    central = pieces["moments"][:, _PLACES[turned][:, turned]] + aside[:, :, None] * aside[:, None, :]
    moments = together(np.add, sizes[:, None, None] * central) / counts[:, None, None]
    first = together(np.minimum, pieces["first"][:, turned]).astype(np.int64)
    last = together(np.maximum, pieces["last"][:, turned]).astype(np.int64)
    return names, counts, first, last, means, moments


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
    labels = _labels_of(labels)
    if labels.size and labels.min() < 0:
        raise UsageError("labels are not negative, as %d is" % labels.min())
    if labels.size and labels.max() > max(labels.size, _ROWS):
        raise UsageError("label %d of an image of %d pixels: statistics has a row for each label up to the largest; regionprops_table "
                         "has one for each that is there" % (labels.max(), labels.size))
    names, counts, first, last, means, _ = measure(labels, device, None)
    most = int(names[-1]) + 1 if len(names) else 1
    voxels, boxes, centers = np.zeros(most, np.uint64), [None] * most, np.full((most, labels.ndim), np.nan)
    voxels[names], centers[names] = counts, means
    for name, low, high in zip(names.tolist(), first.tolist(), last.tolist()):
        boxes[name] = tuple(slice(a, b + 1) for a, b in zip(low, high))
    return {"voxel_counts": voxels, "bounding_boxes": boxes, "centroids": centers}


def _spacing_of(spacing, axes):
    """Lengths of a pixel along each axis."""
    if spacing is None:
        return np.ones(axes)
    lengths = np.asarray(spacing)
    if lengths.dtype.kind not in "iuf" or lengths.shape not in ((), (axes,)) or not (np.isfinite(lengths) & (lengths > 0)).all():
        raise UsageError("spacing = %r is no positive number, nor one for each of %d axes" % (spacing, axes))
    return np.broadcast_to(lengths.astype(float), (axes,))


def _means_of(names, labels, counts, intensity):
    """The mean of each region's intensities: of integers from exact sums."""
    order = np.argsort(labels, axis=None, kind="stable")
    order = order[np.searchsorted(labels.ravel()[order], 1):]
    values, starts = intensity.ravel()[order], np.searchsorted(labels.ravel()[order], names)
    if not names.size or values.dtype.kind == "f":
        return (np.add.reduceat(values.astype(float), starts) if names.size else np.zeros(0)) / counts
    # halves of 32 bits, whose sums fit 64
    values = values.astype(np.uint64 if values.dtype.kind in "bu" else np.int64)
    high, low = (np.add.reduceat(half, starts) for half in (values >> 32, values & 0xFFFFFFFF))
    return high / counts * 2.0**32 + low / counts


def _properties(labels, intensity, spacing, device):
    """Functions that give each property of the regions, by skimage's names."""
    names, counts, first, last, means, moments = measure(labels, device)
    regions = np.flatnonzero(names > 0)
    names, counts, first, last, means, moments = (array[regions] for array in (names, counts, first, last, means, moments))
    means, moments, pixel = means * spacing, moments * np.outer(spacing, spacing), np.prod(spacing)
    axes, sizes, boxes = labels.ndim, counts * pixel, np.prod(last + 1 - first, axis=1)
    inertia = np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(axes) - moments

    def roots():
        return np.clip(np.linalg.eigvalsh(inertia)[:, ::-1], 0, None)

    def orientation():
        a, b, c = inertia[:, 0, 0], inertia[:, 0, 1], inertia[:, 1, 1]
        return np.where(a == c, np.where(b < 0, np.pi / 4, -np.pi / 4), np.arctan2(0.0 - 2 * b, c - a) / 2)

    def eccentricity():
        large, small = roots().T
        return np.sqrt(1 - np.divide(small, large, out=np.ones_like(large), where=large > 0))

    found = {
        "label": lambda: names.astype(np.int64) if not names.size or names[-1] < 2**63 else names, "area": lambda: sizes, "num_pixels": lambda: counts.astype(np.int64),
        "bbox": lambda: np.hstack([first, last + 1]), "area_bbox": lambda: boxes * pixel,
        "extent": lambda: counts / boxes, "centroid": lambda: means, "inertia_tensor": lambda: inertia,
        "inertia_tensor_eigvals": roots,
        "equivalent_diameter_area": lambda: (2 * axes * sizes / np.pi) ** (1 / axes) if axes > 1 else sizes.copy(),
    }
    for name, weights in _LENGTHS.get(axes, {}).items():
        found[name] = lambda weights=weights: np.sqrt(np.clip(roots() @ weights, 0, None))
    if axes == 2:
        found.update(orientation=orientation, eccentricity=eccentricity)
    if intensity is not None:
        found["intensity_mean"] = lambda: _means_of(names, labels, counts, intensity)
    return found


def regionprops_table(label_image, intensity_image=None, properties=("label", "bbox"), *, separator="-", spacing=None,
                      device=None):
    """Properties of the regions of a label image as columns, under the names of skimage.measure.regionprops_table.

    A region is all pixels of one label above 0; columns are in the order of labels. The column label is int64, or uint64
    where that is too small. spacing is the length of a pixel, or one along each axis, for areas, centroids, moments and
    what follows from them. Known are label, area, num_pixels, bbox, area_bbox, extent, centroid, inertia_tensor,
    inertia_tensor_eigvals, equivalent_diameter_area, axis_major_length and axis_minor_length (2 or 3 axes), orientation and
    eccentricity (2 axes), and intensity_mean.

    >>> table = regionprops_table([[1, 1, 0], [0, 0, 7]], properties=("label", "area", "centroid"))
    >>> {name: column.tolist() for name, column in table.items()}
    {'label': [1, 7], 'area': [2.0, 1.0], 'centroid-0': [0.0, 1.0], 'centroid-1': [0.5, 2.0]}
    """
    labels = _labels_of(label_image)
    intensity = None if intensity_image is None else np.asarray(intensity_image)
    if intensity is not None and intensity.shape != labels.shape:
        raise UsageError("the intensity image has the shape %s, labels %s" % (intensity.shape, labels.shape))
    if intensity is not None and (intensity.dtype.kind not in "biuf" or isinstance(intensity_image, np.ma.MaskedArray)):
        raise UsageError("the intensity image is one of numbers without a mask, not %s" % intensity.dtype)
    found, table = _properties(labels, intensity, _spacing_of(spacing, labels.ndim), device), {}
    for name in [properties] if isinstance(properties, str) else properties:
        if name not in found:
            raise UsageError("property %r is none of %s" % (name, ", ".join(found)))
        column = found[name]()
        for place in np.ndindex(column.shape[1:]):
            table[separator.join([name, *map(str, place)])] = column[(slice(None), *place)]
    return table


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
    image = np.asarray(image)
    near = image.ndim if connectivity is None else connectivity
    labels, count = label(image, match="equal", connectivity=near, device=device, output=np.uint32)
    return image, labels, np.bincount(labels.ravel(), minlength=count + 1)
