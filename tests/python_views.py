# SPDX-License-Identifier: BSD-3-Clause
"""Results of the package clup as tables, arrays with named axes and pictures: TAP lines."""
import base64
import builtins
import pickle
import re
import struct
import zlib

import numpy as np

import clup
from clup._result import coloured, png, written
from tap import done, ok, raises


def pixels_of(data):
    """The pixels of a PNG as png() writes it."""
    width, height = struct.unpack(">II", data[16:24])
    length, = struct.unpack(">I", data[33:37])
    rows = np.frombuffer(zlib.decompress(data[41:41 + length]), np.uint8).reshape(height, 1 + 3 * width)
    return rows[:, 1:].reshape(height, width, 3)


def missing(name, call):
    """What a call raises where there is no such module."""
    real = builtins.__import__

    def none(asked, *rest):
        if asked == name:
            raise ImportError(asked)
        return real(asked, *rest)

    builtins.__import__ = none
    try:
        raises(ImportError, "needs %s, which is not installed: pip install %s" % (name, name), call)
    finally:
        builtins.__import__ = real


one = clup.simulate((6, 8), beta=0.7, sweeps=30, observables=("energy", "correlation_x"), measure={"first": lambda spins: spins[0, 0]})
several = clup.simulate((4, 6, 8), lattice="cubic", model="heisenberg", beta=[0.5, 0.7], replicas=2, sweeps=30)
drawn, at = clup.percolate(8, [0.4, 0.5], samples=20), clup.percolate(8, 0.5, samples=20)
curves = clup.percolation_curves(8, samples=5)

ok(isinstance(one, dict) and np.isclose(one["energy"]["mean"], np.mean(one["energy"]["series"])) and one.observables == ["energy", "first"], "a result is a dictionary")
ok(pickle.loads(pickle.dumps(several)).vectors and np.array_equal(pickle.loads(pickle.dumps(one))["spins"], one["spins"]), "that can be pickled")

for mean, error, text in ((1.49871, 0.00234, "1.4987(23)"), (0.5231, 0.0298, "0.52(3)"), (0.5231, 0.0996, "0.52(10)"), (12345.6, 17.2, "12346(17)"),
                          (12345.6, 47.2, "12350(50)"), (-0.5, 0.034, "-0.50(3)"), (2.0, 0.0, "2"), (np.nan, 1.0, "nan"), (1.5, np.nan, "1.5"), (1.0, 1.0, "1.0(10)")):
    ok(written(mean, error) == text, "%r and %r are %s, not %s" % (mean, error, text, written(mean, error)))

pixels = np.random.default_rng(1).integers(0, 256, (5, 9, 3)).astype(np.uint8)
data = png(pixels)
ok(np.array_equal(pixels_of(data), pixels), "a PNG has its pixels")
chunks = [(data[k + 4:k + 8], data[k + 4:k + 8 + n], data[k + 8 + n:k + 12 + n]) for k, n in ((8, 13), (33, struct.unpack(">I", data[33:37])[0]))]
ok([kind for kind, _, _ in chunks] == [b"IHDR", b"IDAT"] and all(struct.pack(">I", zlib.crc32(whole)) == sum_of for _, whole, sum_of in chunks) and data[-8:-4] == b"IEND",
   "and the sums of its parts")
for model, keywords in ("potts", {"q": 7}), ("xy", {}), ("heisenberg", {}), ("ising", {"disorder": "site-dilute=0.3"}):
    found = clup.simulate((6, 8), model=model, beta=0.7, sweeps=2, start="random", **keywords)
    spins, picture = found["spins"], coloured(found["spins"], found.model, found.states)
    seen = picture[::len(picture) // 6, ::len(picture) // 6]
    states = np.unique(spins.reshape(48, -1), axis=0)
    ok(seen.shape == (6, 8, 3) and (model in ("xy", "heisenberg") or len(np.unique(seen.reshape(-1, 3), axis=0)) == len(states)),
       "a picture of %s spins has a colour for each state" % model)
    if model == "ising":
        ok(((seen == 255).all(-1) == (spins == 255)).all(), "vacant sites are white")
        ok(np.array_equal(np.unique(seen.reshape(-1, 3), axis=0), [[0, 92, 170], [230, 150, 0], [255, 255, 255]]), "and the others blue and orange, as in the program's pictures")
    if model == "xy":
        right = np.abs(np.rint(255 * (0.48 + 0.45 * np.cos(spins[..., None] - 2 * np.pi / 3 * np.arange(3)))) - seen)
        ok(right.max() <= 1, "angles have their hues")
    if model == "heisenberg":
        ok(np.corrcoef(seen.sum(-1).ravel(), spins[..., 2].ravel())[0, 1] > 0.9, "and vectors are brighter with their z")
ok(coloured(np.zeros((3000, 10), np.uint8), 0, 2).shape[0] <= 256 and coloured(np.zeros(9, np.uint8), 0, 2).ndim == 3, "large ones are small, and rows are pictures")

html = one._repr_html_()
ok("<th>first</th>" in html and written(one["energy"]["mean"], one["energy"]["error"]) in html and "30 sweeps" in html, "a table for notebooks")
inside = base64.b64decode(re.search("base64,([^\"]*)", html).group(1))
ok(np.array_equal(pixels_of(inside), coloured(one["spins"], one.model, one.states)), "with a picture of the spins")
ok(clup.simulate(8, beta=np.linspace(0.5, 0.6, 30), sweeps=5)._repr_html_().count("<tr>") == 22, "of many systems the first ones")
ok(all("<table>" in found._repr_html_() for found in (several, drawn, at, curves, clup.simulate(4, sweeps=0))), "of all results")

missing("pandas", one.to_dataframe)
missing("xarray", one.to_xarray)
try:
    import pandas
except ImportError:
    print("# without pandas")
else:
    frame = several.to_dataframe()
    ok(list(frame.columns[:4]) == ["beta", "energy", "energy_error", "energy_tau_int"] and frame["beta"].tolist() == [0.5, 0.5, 0.7, 0.7] and
       frame["energy"].tolist() == several["energy"]["mean"], "a DataFrame of means")
    frame = several.to_dataframe(series=True)
    ok(len(frame) == 120 and np.allclose(frame.groupby("system")["energy"].mean(), several["energy"]["mean"]), "and of series")
    ok(len(one.to_dataframe()) == 1 and "correlation_x" not in one.to_dataframe() and one.to_dataframe(True)["first"].tolist() == one["first"]["series"].tolist(),
       "of one system")
    ok(drawn.to_dataframe()["p"].tolist() == [0.4, 0.5] and len(drawn.to_dataframe(True)) == 40 and len(curves.to_dataframe()) == 129 and len(at.to_dataframe()) == 1,
       "of percolation")
    raises(ValueError, "there are no series", curves.to_dataframe, True)
try:
    import xarray
except ImportError:
    print("# without xarray")
else:
    dataset = several.to_xarray()
    ok(dataset["spins"].dims == ("system", "z", "y", "x", "component") and dataset["energy_series"].shape == (4, 30) and dataset["beta"].dims == ("system",),
       "a Dataset has named axes")
    dataset = one.to_xarray()
    ok(dataset["correlation_x"].dims == ("system", "correlation_x_at") and dataset["correlation_x_at"].values.tolist() == [1, 2, 3, 4] and
       np.array_equal(dataset["spins"][0], one["spins"]) and dataset.attrs["sweeps"] == 30, "with observables of several values")
    ok(drawn.to_xarray()["clusters"].dims == ("p",) and curves.to_xarray()["clusters"].dims == ("step",) and float(drawn.to_xarray()["clusters"].sel(p=0.4)) ==
       drawn["clusters"]["mean"][0], "of percolation")
done()
