# SPDX-License-Identifier: BSD-3-Clause
"""Properties of the regions of label images, as columns and as objects."""
import re

import numpy as np

from ._host import host_of
from ._images import label
from ._library import UsageError, check, device_of, device_of_queue, ffi, is_on_device, lib, made, names_of, text, values_of
from ._named import lengths_of

# names that skimage had before
_OLD = {
    "filled_area": "area_filled", "FilledArea": "area_filled", "filled_image": "image_filled", "FilledImage": "image_filled",
    "intensity_image": "image_intensity", "IntensityImage": "image_intensity", "Image": "image", "Slice": "slice", "Coordinates": "coords",
    "bbox_area": "area_bbox", "convex_area": "area_convex", "equivalent_diameter": "equivalent_diameter_area", "local_centroid": "centroid_local",
    "major_axis_length": "axis_major_length", "minor_axis_length": "axis_minor_length", "max_intensity": "intensity_max",
    "mean_intensity": "intensity_mean", "min_intensity": "intensity_min", "weighted_centroid": "centroid_weighted",
    "weighted_local_centroid": "centroid_weighted_local", "weighted_moments": "moments_weighted",
    "weighted_moments_central": "moments_weighted_central", "weighted_moments_hu": "moments_weighted_hu",
    "weighted_moments_normalized": "moments_weighted_normalized", "std_intensity": "intensity_std",
    "Area": "area", "BoundingBox": "bbox", "BoundingBoxArea": "area_bbox", "Centroid": "centroid",
    "CentralMoments": "moments_central", "ConvexArea": "area_convex", "Eccentricity": "eccentricity",
    "EquivDiameter": "equivalent_diameter_area", "EulerNumber": "euler_number", "Extent": "extent", "FeretDiameter": "feret_diameter_max",
    "FeretDiameterMax": "feret_diameter_max", "HuMoments": "moments_hu", "InertiaTensor": "inertia_tensor",
    "InertiaTensorEigvals": "inertia_tensor_eigvals", "Label": "label", "LocalCentroid": "centroid_local",
    "MajorAxisLength": "axis_major_length", "MaxIntensity": "intensity_max", "MeanIntensity": "intensity_mean",
    "MinIntensity": "intensity_min", "MinorAxisLength": "axis_minor_length", "Moments": "moments", "NormalizedMoments": "moments_normalized",
    "Orientation": "orientation", "Perimeter": "perimeter", "CroftonPerimeter": "perimeter_crofton", "Solidity": "solidity",
    "WeightedCentralMoments": "moments_weighted_central", "WeightedCentroid": "centroid_weighted",
    "WeightedHuMoments": "moments_weighted_hu", "WeightedLocalCentroid": "centroid_weighted_local", "WeightedMoments": "moments_weighted",
    "WeightedNormalizedMoments": "moments_weighted_normalized"}

# channels that the library takes at once
_CHANNELS = 4

# labels up to which there may be a row for each, whatever the image's size
ROWS = 2**20


def labels_of(labels):
    """Labels as an array, if they are some."""
    if isinstance(labels, np.ma.MaskedArray):
        raise UsageError("labels are a masked array: say with filled() what is where it is masked")
    labels = host_of(labels)
    if labels.dtype.kind not in "biu" or not 1 <= labels.ndim <= 3:
        raise UsageError("labels are 1 to 3 axes of whole numbers, not %d of %s" % (labels.ndim, labels.dtype))
    return labels


def _problem_of(shape, names, spacing, values):
    """What the library is asked for, and what it is made of."""
    problem, words = ffi.new("clup_region_problem *"), ffi.new("char[]", ",".join(names).encode())
    problem.axes, problem.properties = len(shape), words
    problem.size = [*reversed(shape), 1, 1][:3]
    problem.spacing = [*reversed(spacing.tolist()), 1, 1][:3]
    if values is not None:
        problem.dtype = names_of(lib.clup_dtype_name, 1).index(values.dtype.kind + str(8 * values.dtype.itemsize)) + 1
        problem.channels = values.shape[-1]
    return problem, words


def _columns_of(regions):
    """Copies of the columns: {name: array}."""
    columns, rows = {}, lib.clup_regions_rows(regions)
    for k in range(lib.clup_regions_columns(regions)):
        column = lib.clup_regions_column(regions, k)
        kind, numbers = (np.float64, column.numbers) if column.whole == ffi.NULL else (np.int64, column.whole)
        columns[text(column.name)] = np.frombuffer(ffi.buffer(numbers, 8 * rows), kind).copy() if rows else np.zeros(0, kind)
    return columns


def measured(numbers, most, names, spacing, values, device):
    """Columns of the regions with numbers 1 to most: of properties by their names. Arrays are numpy's, or pyopencl's both."""
    if is_on_device(numbers):
        problem, _words = _problem_of(numbers.shape, names, spacing, values)
        regions = made("regions", lib.clup_regions_create, device_of_queue(numbers.queue).context, problem)
        check(lib.clup_regions_measure(regions, *(ffi.NULL if array is None else ffi.cast("struct _cl_mem *", array.data.int_ptr)
                                                  for array in (numbers, values)), most))
        return _columns_of(regions)
    if not numbers.size:
        # no region, but the columns of one
        numbers, most = np.zeros((1,) * numbers.ndim, np.uint32), 0
        values = None if values is None else np.zeros((*numbers.shape, values.shape[-1]), values.dtype)
    problem, _words = _problem_of(numbers.shape, names, spacing, values)
    regions = made("regions", lib.clup_regions_create, device_of(device).context, problem)
    check(lib.clup_regions_measure_host(regions, ffi.cast("uint32_t *", numbers.ctypes.data),
                                        ffi.NULL if values is None else values_of(values), most))
    return _columns_of(regions)


def _spacing_of(spacing, axes):
    """Lengths of a pixel along each axis."""
    if spacing is None:
        return np.ones(axes)
    lengths = np.asarray(spacing)
    if lengths.dtype.kind not in "iuf" or lengths.shape not in ((), (axes,)) or not (np.isfinite(lengths) & (lengths > 0)).all():
        raise UsageError("spacing = %r is no positive number, nor one for each of %d axes" % (spacing, axes))
    return np.broadcast_to(lengths.astype(float), (axes,))


def _values_of(intensity, labels):
    """Intensities as the library takes them, with an axis of channels at the end, and whether they had one."""
    if intensity is None:
        return None, False
    values = host_of(intensity)
    if values.shape[:labels.ndim] != labels.shape or values.ndim > labels.ndim + 1:
        raise UsageError("the intensity image has the shape %s, labels %s" % (values.shape, labels.shape))
    if values.dtype.kind not in "biuf" or values.dtype.itemsize > 8 or isinstance(intensity, np.ma.MaskedArray):
        raise UsageError("the intensity image is one of numbers without a mask, not %s" % values.dtype)
    if values.dtype.kind in "bf" and values.dtype.itemsize < 4:
        values = values.astype(np.uint8 if values.dtype.kind == "b" else np.float32)
    return np.ascontiguousarray(values.reshape(*labels.shape, -1 if values.size else 1), values.dtype.newbyteorder("=")), values.ndim > labels.ndim


class _Table:
    """The regions of a label image. Properties are measured when they are first asked for, of all regions at once."""

    def __init__(self, labels, intensity, spacing, device):
        if is_on_device(labels):
            self._take(labels, intensity, spacing, device)
            return
        spacing = lengths_of(labels, spacing, "spacing")
        self.labels = labels_of(labels)
        self.spacing, self.device = _spacing_of(spacing, self.labels.ndim), device
        self.values, self.in_channels = _values_of(intensity, self.labels)
        self.offset = np.zeros(self.labels.ndim, int)
        self.names, self._columns = None, {}
        known = self.labels.max(initial=0)
        if known <= max(self.labels.size, ROWS):
            numbers = np.maximum(self.labels, 0) if self.labels.dtype.kind == "i" else self.labels
        else:
            self.names, numbers = np.unique(np.maximum(self.labels, 0), return_inverse=True)
            numbers = numbers.reshape(self.labels.shape) + (self.names[0] > 0)
            self.names = self.names[self.names > 0]
            known = len(self.names)
        self._numbers, self._most = np.ascontiguousarray(numbers, np.uint32).reshape(self.labels.shape), int(known)
        self.label = self._label()

    def _take(self, labels, intensity, spacing, device):
        """Takes arrays of pyopencl's. Labels are read once, for the largest; values when a region's pixels are asked for."""
        if device is not None:
            raise UsageError("device is for numpy arrays")
        if labels.dtype != np.uint32 or not 1 <= labels.ndim <= 3 or not labels.size:
            raise UsageError("labels on a device are 1 to 3 axes of uint32, not %d of %s" % (labels.ndim, labels.dtype))
        self.in_channels = intensity is not None and intensity.ndim > labels.ndim
        if intensity is not None and (not is_on_device(intensity) or intensity.shape[:labels.ndim] != labels.shape or
                                      intensity.dtype.kind not in "iuf" or intensity.dtype.itemsize == 2 and intensity.dtype.kind == "f" or
                                      self.in_channels and (intensity.ndim > labels.ndim + 1 or intensity.shape[-1] > _CHANNELS)):
            raise UsageError("intensities are where labels are, numbers for each of their pixels, in up to %d channels" % _CHANNELS)
        self._on_device, self.names, self._columns, self.device = labels, None, {}, None
        self.values = intensity if intensity is None or self.in_channels else intensity.reshape(*intensity.shape, 1)
        self.spacing, self.offset = _spacing_of(spacing, labels.ndim), np.zeros(labels.ndim, int)
        self._numbers, self._most = labels, int(labels.get().max())
        self.label = self._label()

    def __getattr__(self, name):
        if name == "labels":
            self.labels = self._on_device.get()
            return self.labels
        raise AttributeError(name)

    def _label(self):
        found = measured(self._numbers, self._most, ["label"], self.spacing, None, self.device)["label"]
        if self.names is None:
            return found
        return self.names.astype(np.int64) if not self.names.size or self.names[-1] < 2**63 else self.names

    def measure(self, names):
        """Measures properties that are not known yet."""
        names = [name for name in dict.fromkeys(names) if name not in self._columns and name != "label"]
        if not names:
            return
        groups = [self.values] if self.values is None or is_on_device(self.values) else [
            np.ascontiguousarray(self.values[..., first:first + _CHANNELS]) for first in range(0, self.values.shape[-1], _CHANNELS)]
        for which, values in enumerate(groups):
            found = measured(self._numbers, self._most, names, self.spacing, values, self.device)
            for name in names:
                of_values = _is_of_values(name)
                columns = self._columns.setdefault(name, {})
                for column in (column for column in found if column == name or column.startswith(name + "-")):
                    place = tuple(map(int, column[len(name):].split("-")[1:]))
                    if of_values and self.in_channels:
                        place = (*place, which * _CHANNELS) if values.shape[-1] == 1 else (*place[:-1], which * _CHANNELS + place[-1])
                    columns[place] = found[column]

    def columns(self, name):
        """The columns of a property by their places: {(): array}, {(0,): array, (1,): array}, ...."""
        self.measure([name])
        return {(): self.label} if name == "label" else self._columns[name]

    def array(self, name):
        """A property of all regions: [regions, ...]."""
        columns = self.columns(name)
        shape = tuple(np.max(list(columns), axis=0) + 1) if () not in columns else ()
        found = np.empty((len(self.label), *shape), next(iter(columns.values())).dtype)
        for place, column in columns.items():
            found[(slice(None), *place)] = column
        return found


_PROPERTIES = names_of(lib.clup_region_property)


def _is_property(name):
    return name in _PROPERTIES or re.fullmatch(r"intensity_p\d+(\.\d+)?", name, re.ASCII) is not None


def _name_of(name):
    name = _OLD.get(name, name)
    if not _is_property(name):
        raise UsageError("property %r is none of %s" % (name, ", ".join(_PROPERTIES)))
    return name


def regionprops_table(label_image, intensity_image=None, properties=("label", "bbox"), *, cache=True, separator="-", extra_properties=None,
                      spacing=None, device=None):
    """Properties of the regions of a label image as columns, under the names of skimage.measure.regionprops_table.

    Arrays are numpy's, or pyopencl's, labels of uint32 there. A region is all pixels of one label above 0; columns are in the
    order of labels. The column label is int64, or uint64 where that is too small. intensity_image may have an axis of channels after those of the labels. spacing is the length of a
    pixel, or one along each axis; "coords" stands for the distances of the coordinates of labels that are an array of
    xarray's. Properties are those of clup's program, which have the names and definitions of
    skimage's, and the names that these had before; "all" stands for all that there are for such an image. "intensity_p25" and so on
    are percentiles, those of numpy.percentile.
    extra_properties are functions of the mask of a region, and of its intensities. cache changes nothing.

    >>> table = regionprops_table([[1, 1, 0], [0, 0, 7]], properties=("label", "area", "centroid"))
    >>> {name: column.tolist() for name, column in table.items()}
    {'label': [1, 7], 'area': [2.0, 1.0], 'centroid-0': [0.0, 1.0], 'centroid-1': [0.5, 2.0]}
    """
    found, table = _Table(label_image, intensity_image, spacing, device), {}
    if isinstance(properties, str):
        properties = _all_of(found) if properties == "all" else [properties]
    filled = ("area_filled", "filled_area", "FilledArea")
    found.measure([_name_of(name) for name in properties if name not in filled])
    for name in properties:
        if name in filled:
            table[name] = np.array([region.area_filled for region in _regions_of(found)], float)
            continue
        for place, column in found.columns(_name_of(name)).items():
            table[separator.join([name, *map(str, place)])] = column
    for function in extra_properties or ():
        numbers = np.array([region.call(function) for region in _regions_of(found)])
        for place in np.ndindex(numbers.shape[1:]):
            table[separator.join([function.__name__, *map(str, place)])] = numbers[(slice(None), *place)]
    return table


def _all_of(found):
    """The properties that the library has for an image of this kind."""
    axes = len(found.spacing)
    one = None if found.values is None else np.zeros((*(1,) * axes, 1), found.values.dtype)
    columns = measured(np.zeros((1,) * axes, np.uint32), 0, ["all"], found.spacing, one, found.device)
    return [name for name in _PROPERTIES if any(column == name or column.startswith(name + "-") for column in columns)]


class Region:
    """A region of a label image. Attributes are the properties of regionprops_table, and as of skimage's regions slice, image,
    image_intensity, image_filled, area_filled, coords and coords_scaled."""

    def __init__(self, table, place, functions=()):
        self._table, self._place, self._functions = table, place, {function.__name__: function for function in functions}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._functions:
            return self.call(self._functions[name])
        known = _OLD.get(name, name)
        if (_is_of_values(known) or known == "image_intensity") and self._table.values is None:
            raise AttributeError("Attribute %r unavailable when `intensity_image` has not been specified." % known)
        if known != name and not _is_property(known):
            return getattr(self, known)
        if not _is_property(known):
            raise AttributeError("a region has no attribute %r" % name)
        try:
            found = self._table.array(known)[self._place]
        except UsageError as error:
            raise AttributeError(str(error)) from error
        if known == "centroid":
            found = found + self._table.offset * self._table.spacing
        return tuple(found.tolist()) if known in ("bbox", "centroid", "centroid_local") else found.item() if found.ndim == 0 else found

    def __getitem__(self, name):
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(name) from error

    def __iter__(self):
        known = [*_PROPERTIES, *_OF_PIXELS, *self._functions]
        return iter(sorted(name for name in known if hasattr(self, name)))

    def __eq__(self, other):
        if not isinstance(other, Region):
            return NotImplemented
        return [*self] == [*other] and all(_is_same(self[name], other[name]) for name in self)

    __hash__ = None

    def __dir__(self):
        return [*super().__dir__(), *_PROPERTIES]

    @property
    def slice(self):
        """The box of the region, as slices of the image."""
        box = self.bbox
        return tuple(slice(first, end) for first, end in zip(box[:len(box) // 2], box[len(box) // 2:]))

    @property
    def image(self):
        """Which pixels of the box are of the region."""
        return self._table.labels[self.slice] == self.label

    @property
    def image_intensity(self):
        """The intensities of the box, 0 outside of the region."""
        if self._table.values is None:
            raise AttributeError("image_intensity")
        values = self._table.values.get() if is_on_device(self._table.values) else self._table.values
        values = values[self.slice] * self.image[..., None]
        return values if self._table.in_channels else values[..., 0]

    @property
    def image_filled(self):
        """The same as image, with what is not joined, by any neighbours, to the outside of the box."""
        outside, _ = label(~np.pad(self.image, 1), connectivity=self._table.labels.ndim, device=self._table.device)
        return (outside != 1)[(slice(1, -1),) * outside.ndim]

    @property
    def area_filled(self):
        """The area of image_filled."""
        return float(np.count_nonzero(self.image_filled) * np.prod(self._table.spacing))

    @property
    def coords(self):
        """The coordinates of its pixels, [pixels, axes]."""
        return np.argwhere(self.image) + [ends.start + offset for ends, offset in zip(self.slice, self._table.offset)]

    @property
    def coords_scaled(self):
        """The same in lengths."""
        return self.coords * self._table.spacing

    def call(self, function):
        """A function of the mask, and of intensities if it takes two arguments."""
        both = function.__code__.co_argcount > 1
        return function(self.image, self.image_intensity) if both else function(self.image)


_OF_PIXELS = ["slice", "image", "image_intensity", "image_filled", "area_filled", "coords", "coords_scaled"]


def _is_same(one, other):
    return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f")


def _is_of_values(name):
    return name.startswith("intensity_") or "_weighted" in name


def _regions_of(table, functions=()):
    return [Region(table, place, functions) for place in range(len(table.label))]


def regionprops(label_image, intensity_image=None, cache=True, *, extra_properties=None, spacing=None, offset=None, device=None):
    """The regions of a label image in the order of labels, as objects with the properties of regionprops_table.

    What is asked for of one region is measured of all at once, but for image_filled and area_filled. extra_properties are
    functions that become attributes. offset is where the label image begins, for coordinates and centroids. cache changes
    nothing.

    >>> [region.area for region in regionprops([[1, 1, 0], [0, 0, 7]])]
    [2.0, 1.0]
    """
    table = _Table(label_image, intensity_image, spacing, device)
    if offset is not None:
        table.offset = np.asarray(offset)
        if table.offset.shape != (table.labels.ndim,) or table.offset.dtype.kind not in "iu":
            raise UsageError("offset = %r is not a whole number for each of %d axes" % (offset, table.labels.ndim))
    return _regions_of(table, extra_properties or ())
