# SPDX-License-Identifier: BSD-3-Clause
"""Results: dictionaries that are also tables, arrays with named axes, and what notebooks show."""
import base64
import math
import struct
import zlib

import numpy as np

from ._library import check, ffi, lib, values_of

# the numbers that an observable has, beside its mean, and its values, one for each sweep or sample
_NUMBERS = ("mean", "error", "tau_int", "low", "high")
_VALUES = ("series", "values")
# what tells systems and points from each other
_PLACES = ("beta", "p", "step")
# the most rows of a table, and pixels along an edge of a picture, in a notebook
_ROWS, _PIXELS = 20, 256


def gathered(systems, several, **common):
    """A Result of what was found of each system, and of what all have in common: of several a list of each value."""
    if not several:
        return Result({**common, **systems[0]})
    return Result({**common, **{name: {key: [system[name][key] for system in systems] for key in values}
                                for name, values in systems[0].items()}})


def written(mean, error):
    """A number with its error as the program prints it: 1.4987(23), 0.52(3)."""
    if not (math.isfinite(mean) and math.isfinite(error) and error > 0):
        return "%.9g" % mean
    text = "%.1e" % error
    # two digits of an error that begins with 1 or 2, else one
    last = int(text.split("e")[1]) - (text[0] < "3")
    return "%.*f(%.0f)" % (max(-last, 0), round(mean, -last), round(error, -last) / 10.0 ** min(last, 0))


def png(pixels):
    """The bytes of a PNG of pixels, uint8 (height, width, 3)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


def coloured(spins, model, states):
    """Pixels of the spins of one system. Of two axes the whole, of more the first plane; large ones are thinned out.

    The colours are those of the library's pictures (clup_spin_colours), by the number of the model and of its states. Vacant sites are
    white.
    """
    components = model == lib.CLUP_HEISENBERG
    plane = spins
    while plane.ndim > 2 + components:
        plane = plane[0]
    if plane.ndim < 2 + components:
        plane = plane[None]
    step = max(1, -(-max(plane.shape[:2]) // _PIXELS))
    plane = plane[::step, ::step]
    height, width = plane.shape[:2]
    if plane.dtype != np.uint8:
        vacant = np.isnan(plane)
        known = np.where(vacant, 0, plane)
        vacant = vacant.any(-1) if components else vacant
        plane = np.rint(known * 2.0**30).astype(np.int32) if components else np.rint(known * (2**32 / (2 * np.pi))).astype(np.int64).astype(np.uint32)
    else:
        vacant = plane == 255
    plane, pixels = np.ascontiguousarray(plane), np.empty((height, width, 3), np.uint8)
    problem = ffi.new("clup_problem *", {"model": model, "q": states})
    check(lib.clup_spin_colours(problem, ffi.cast("uint8_t *", values_of(plane)), height * width, ffi.cast("uint8_t *", values_of(pixels))))
    pixels[vacant] = 255
    scale = max(1, 128 // max(height, width))
    return np.repeat(np.repeat(pixels, scale, 0), scale, 1)


def _needed(name, what):
    """A module that is no dependency; ImportError, which says so, where it is not installed."""
    try:
        return __import__(name)
    except ImportError:
        raise ImportError("%s needs %s, which is not installed: pip install %s" % (what, name, name)) from None


class Result(dict):
    """What was found: a dictionary, found["energy"]["mean"], with a few views of it.

    >>> import clup
    >>> clup.simulate(8, beta=[0.5, 0.6], sweeps=50).observables
    ['energy', 'abs_m']
    """

    # the number of the model whose spins there are, and of its states
    model, states = lib.CLUP_POTTS, 256

    @property
    def vectors(self):
        """Whether spins have a last axis of components."""
        return self.model == lib.CLUP_HEISENBERG

    @property
    def observables(self):
        """The names of what has one mean, of each system or point."""
        return [name for name, values in self.items() if isinstance(values, dict) and "mean" in values and "at" not in values]

    def _place(self):
        """The key that tells systems or points apart: "beta", "p" or "step"."""
        return next(key for key in _PLACES if key in self)

    def _columns(self):
        """A column for each number of all observables, with a value for each system."""
        place = self._place()
        columns = {place: np.atleast_1d(self[place])}
        for name in self.observables:
            for key in _NUMBERS:
                if key in self[name]:
                    columns[name if key == "mean" else name + "_" + key] = np.atleast_1d(np.asarray(self[name][key], float))
        return columns

    def _series(self):
        """The values of each observable that has as many as the first one, float64 (systems, values)."""
        found, length = {}, None
        for name in self.observables:
            for key in _VALUES:
                if key in self[name]:
                    one = self[name][key]
                    values = [np.atleast_1d(system) for system in (one if isinstance(one, list) else [one])]
                    length = len(values[0]) if length is None else length
                    if all(len(system) == length for system in values):
                        found[name] = np.array(values)
        return found

    def to_dataframe(self, series=False):
        """A pandas.DataFrame.

        Without series a row for each system or p, and columns beta (p, step), energy, energy_error, energy_tau_int, energy_low,
        energy_high and so on. With series a row for each measured sweep or sample: system, beta (p), number, and a column for each
        observable. Observables with several values, such as correlation_x, are left out: to_xarray has them.

        Raises ImportError without pandas, and ValueError where series are asked for that there are none of.
        """
        pandas = _needed("pandas", "to_dataframe")
        if not series:
            return pandas.DataFrame(self._columns())
        values = self._series()
        if not values:
            raise ValueError("there are no series")
        systems, count = next(iter(values.values())).shape
        place = self._place()
        return pandas.DataFrame({"system": np.repeat(np.arange(systems), count), place: np.repeat(np.atleast_1d(self[place]), count),
                                 "number": np.tile(np.arange(count), systems),
                                 **{name: array.ravel() for name, array in values.items()}})

    def to_xarray(self):
        """An xarray.Dataset: with the axis "system" (of percolation "p" or "step") the means, errors and so on (energy, energy_error, ..)
        and the coordinate beta; with one more the series (energy_series, axis "number"), the spins ("spins", axes "z", "y", "x" or "site_0", ..), and observables
        with several values, whose axis is called as they are, with their places as coordinate. Raises ImportError without xarray."""
        xarray = _needed("xarray", "to_xarray")
        place = self._place()
        columns = self._columns()
        axis = "system" if place == "beta" else place
        variables = {name: (axis, values) for name, values in columns.items() if name != place}
        coordinates = {place: (axis, columns[place])}
        for name, values in self._series().items():
            variables[name + "_series"] = ((axis, "number"), values)
        several = np.ndim(self[place]) > 0
        for name, values in self.items():
            if isinstance(values, dict) and "at" in values:
                coordinates[name + "_at"] = (name + "_at", values["at"][0] if several else values["at"])
                for key in set(_NUMBERS) & set(values):
                    variables[name if key == "mean" else name + "_" + key] = ((axis, name + "_at"),
                                                                              np.array(values[key] if several else [values[key]]))
        if "spins" in self:
            spins = self["spins"] if several else self["spins"][None]
            axes = spins.ndim - 1 - self.vectors
            names = [*"zyx"[3 - axes:]] if axes <= 3 else ["site_%d" % axis for axis in range(axes)]
            variables["spins"] = ((axis, *names, *(["component"] * self.vectors)), spins)
        return xarray.Dataset(variables, coordinates, {key: self[key] for key in ("sweeps", "samples", "device") if key in self})

    def _picture(self):
        """A small picture of the spins of the first system, as an element of HTML; "" where there is none."""
        if "spins" not in self or not self["spins"].size:
            return ""
        several = np.ndim(self[self._place()]) > 0
        pixels = coloured(self["spins"][0] if several else self["spins"], self.model, self.states)
        return '<img alt="spins" style="image-rendering: pixelated" src="data:image/png;base64,%s">' % base64.b64encode(png(pixels)).decode()

    def _repr_html_(self):
        """A table of means with their errors, the first systems of many, and a picture of the first one's spins."""
        place, names = self._place(), self.observables
        columns = self._columns()
        count = len(columns[place])
        rows = ["<tr><th>%s</th>%s</tr>" % (place, "".join("<th>%s</th>" % name for name in names))]
        for k in range(min(count, _ROWS)):
            cells = "".join("<td>%s</td>" % written(columns[name][k], columns.get(name + "_error", columns[name] * 0)[k]) for name in names)
            rows.append("<tr><td>%.9g</td>%s</tr>" % (columns[place][k], cells))
        if count > _ROWS:
            rows.append('<tr><td colspan="%d">.. %d in all</td></tr>' % (1 + len(names), count))
        said = ", ".join("%d %s" % (self[key], key) for key in ("sweeps", "samples") if key in self)
        return '<table>%s</table>%s<p>%s</p>' % ("".join(rows), self._picture(), said)
