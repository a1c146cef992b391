# SPDX-License-Identifier: BSD-3-Clause
"""Labels of arrays of xarray's, and lengths by their coordinates: TAP lines."""
import dask.array as da
import numpy as np
import xarray

import clup
from tap import done, ok, raises

random = np.random.default_rng(1)
values = random.integers(0, 3, (4, 20, 31)).astype(np.int16)
image = xarray.DataArray(values, dims=("time", "lat", "lon"), name="rain", attrs={"units": "mm"},
                         coords={"time": [1, 2, 3, 5], "lat": np.linspace(50, 40.5, 20), "lon": np.linspace(0, 7.5, 31), "season": "spring"})


def keeps():
    labels, n = clup.label(image, match="equal", connectivity=2)
    expected = clup.label(values, match="equal", connectivity=2)
    ok(n == expected[1] and np.array_equal(labels.values, expected[0]), "labels are those of the values")
    ok(labels.dims == image.dims and labels.name == "rain" and set(labels.coords) == set(image.coords) and labels.coords["lat"].equals(image.coords["lat"]),
       "with the dimensions, the coordinates and the name")
    ok(labels.attrs == {} and image.attrs == {"units": "mm"} and np.array_equal(image.values, values), "but without the unit of the values, which stay as they are")
    packed = image.copy()
    packed.encoding = {"dtype": "int8", "scale_factor": 0.5, "_FillValue": 0}
    found = clup.label(packed, match="equal", batch="time")
    ok([one.encoding for one in found] == [{}, {}] and packed.encoding["_FillValue"] == 0, "nor the encoding of its file, in which 0 may stand for no value")
    labels = clup.measure.label(image)
    ok(labels.dims == image.dims and np.array_equal(labels.values, clup.measure.label(values)), "so do those of clup.measure.label")
    output = np.zeros(values.shape, np.int32)
    ok(clup.label(image, match="equal", connectivity=2, output=output) == n and np.array_equal(output, expected[0]), "labels go into an array")


def by_names():
    found = [clup.label(image, match="equal", periodic=around)[1] for around in (False, "lon", "lat,lon", ["lat", "lon"])]
    expected = [clup.label(values, match="equal", periodic=around)[1] for around in (False, (False, False, True), *[(False, True, True)] * 2)]
    ok(found == expected and len(set(found)) == 3, "periodic dimensions by their names: %s" % found)
    labels, counts = clup.label(image, connectivity=2, batch="time")
    expected = clup.label(values, connectivity=2, batch=True)
    ok(np.array_equal(labels.values, expected[0]) and counts.dims == ("time",) and counts.values.tolist() == expected[1].tolist() and
       counts.coords["time"].values.tolist() == [1, 2, 3, 5] and "lat" not in counts.coords, "a batch by its dimension: numbers have its coordinate")
    turned, counts = clup.label(image.transpose("lat", "lon", "time"), connectivity=2, batch="time", periodic="lon")
    expected = clup.label(values, connectivity=2, batch=True, periodic="x")
    ok(turned.dims == ("lat", "lon", "time") and np.array_equal(turned.transpose("time", "lat", "lon").values, expected[0]) and
       counts.values.tolist() == expected[1].tolist(), "which may be any of them")
    for shape in (4, 0, 3), (0, 2, 3):
        labels, counts = clup.label(xarray.DataArray(np.zeros(shape, np.uint8), dims=("time", "y", "x"), coords={"time": range(shape[0]), "y": range(shape[1])}), batch="time")
        ok(labels.shape == shape and counts.values.tolist() == [0] * shape[0] and set(counts.coords) == {"time"}, "images without pixels, and no images: %s" % (shape,))
    several = image.assign_coords(day=("time", [1, 1, 2, 2]), hour=("time", [0, 12, 0, 12]), height=(("time", "lat"), np.ones((4, 20)))).drop_vars("time").set_index(time=["day", "hour"])
    counts = clup.label(several, batch="time")[1]
    ok(counts.sel(day=2, hour=12).item() == clup.label(values[3])[1] and "height" not in counts.coords and counts.coords["season"] == "spring", "coordinates of several levels")
    counts = clup.label(image, batch=1)[1]
    ok(counts.dims == ("time",) and counts.values.tolist() == clup.label(values, batch=1)[1].tolist(), "or a number of axes")
    for call, text in ((lambda: clup.label(image, batch="t"), "batch names 't', which is none of the dimensions time, lat, lon"),
                       (lambda: clup.label(image, periodic="lon,depth"), "periodic names 'depth'"), (lambda: clup.label(image, periodic=("lon", "lon")), "twice"),
                       (lambda: clup.label(image.to_dataset()), "label one of its variables"),
                       (lambda: clup.measure.label(image.to_dataset(), background=1), "label one of its variables"),
                       (lambda: clup.label(image, batch="time", output=np.zeros(values.shape, int)), "output is a dtype")):
        raises(clup.UsageError, text, call)


def lazily():
    lazy = image.copy(data=da.from_array(values, chunks=(2, 7, 9)))
    labels, n = clup.label(lazy, match="equal", connectivity=3, background=None)
    expected = clup.label(values, match="equal", connectivity=3, background=None)
    ok(labels.chunks == lazy.chunks and labels.dims == image.dims and int(n) == expected[1] and np.array_equal(labels.values, expected[0]), "of dask arrays they are lazy")
    labels, counts = clup.label(lazy, batch="time")
    ok(counts.chunks is not None and counts.values.tolist() == clup.label(values, batch=1)[1].tolist(), "and so are the numbers of a batch")


def lengths():
    labels = clup.label(image[0], connectivity=2)[0]
    names = ("label", "area", "centroid", "axis_major_length")
    found = clup.regionprops_table(labels, image[0], properties=(*names, "intensity_mean"), spacing="coords")
    expected = clup.regionprops_table(labels.values, values[0], properties=(*names, "intensity_mean"), spacing=(0.5, 0.25))
    ok(all(np.allclose(found[name], expected[name], rtol=1e-12) for name in expected) and np.isclose(found["area"].sum(), (values[0] != 0).sum() * 0.125),
       "the spacing of coordinates, also of those that go down")
    ok(clup.regionprops_table(labels)["label"].size and clup.regionprops_table(labels, properties="area")["area"].sum() == (values[0] != 0).sum(), "which is not taken unasked")
    cells = clup.label(image[0], match="equal", background=None)[0]
    theirs = clup.contacts(cells.values, connectivity=4, anisotropy=(0.5, 0.25))
    mine = clup.contacts(cells, connectivity=4, anisotropy="coords")
    ok(mine.keys() == theirs.keys() and np.allclose([*mine.values()], [*theirs.values()]), "areas of contacts by coordinates")
    ok([region.area for region in clup.regionprops(labels, spacing="coords")] == found["area"].tolist(), "and regions as objects")
    raises(clup.UsageError, "coordinates along time are not equally far", clup.regionprops_table, image, spacing="coords")
    raises(clup.UsageError, "lat has no two coordinates that are numbers", clup.regionprops_table, image[0].drop_vars("lat"), spacing="coords")
    raises(clup.UsageError, "'coords' is for arrays of xarray's", clup.regionprops_table, values, spacing="coords")


keeps()
by_names()
lazily()
lengths()
done()
