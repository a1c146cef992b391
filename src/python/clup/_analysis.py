# SPDX-License-Identifier: BSD-3-Clause
"""Analysis of series: errors, expressions, covariances, other temperatures, peaks and crossings."""
import os
import re

import numpy as np

from ._library import UsageError, check, ffi, lib, made, names_of, numbers, real, text, values_of, watch
from ._result import Result
from ._simulation import Simulation

PEAKS, CROSSINGS = ("specific_heat", "susceptibility"), ("binder", "xi_over_l")
_FIELDS = ("count", "mean", "error", "tau_int", "tau_error", "naive_error", "binning_error", "plateau", "jackknife_error", "blocks", "low", "high", "bias")


def _analysed(call, *arguments):
    """What an analysis has, as a dictionary."""
    analysis = ffi.new("clup_analysis *")
    check(call(*arguments, analysis))
    return {**{field: getattr(analysis, field) for field in _FIELDS}, "binning": np.array([*analysis.binning[0:analysis.levels]]),
            "is_short": bool(analysis.is_short)}


def _one_series(values, what):
    """A series as float64 of one axis."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        raise UsageError("%s is no series of finite numbers along one axis" % what)
    return np.ascontiguousarray(array, float)


def _record_of_series(series, beta, shape):
    """A record of one system that has series, which a dictionary names."""
    problem = ffi.new("clup_problem *", {"q": 2, "beta": 0 if beta is None else real(beta, "beta")})
    axes = [1, 1] if shape is None else [*np.ravel(shape)][::-1]
    if len(axes) == 1:
        axes *= 2
    if len(axes) not in (2, 3):
        raise UsageError("shape = %r has not 2 or 3 axes" % (shape,))
    problem.lattice = lib.CLUP_LATTICE_SQUARE if len(axes) == 2 else lib.CLUP_LATTICE_CUBIC
    problem.size, problem.periodic = [*map(int, axes), 1][:3], [1, 1, 1]
    record = made("record", lib.clup_record_create, problem)
    for name, values in series.items():
        if name in ("beta", "sites", "covariance"):
            raise UsageError("a series is not called %r" % name)
        values = _one_series(values, "the series %r" % (name,))
        check(lib.clup_record_set_series(record, 0, str(name).encode(), values_of(values), len(values)))
    return record


def _record_of(source):
    """The record of a file or of a simulation, and what it is called."""
    if isinstance(source, Simulation):
        return source.record(), None
    return made("record", lib.clup_record_read, os.fsencode(source)), os.fspath(source)


def _size_of(record):
    """The sites along each axis as a text, such as "16x16"."""
    problem, size = lib.clup_record_problem(record), ffi.new("char[]", lib.CLUP_FIELD_TEXT)
    check(lib.clup_problem_get(problem, b"size", size))
    return text(lib.clup_graph_called(problem.graph)) or text(size)


def _system(record, system, expressions, covariance):
    """All series of a system, the functions of their means, and expressions."""
    problem, found = lib.clup_record_problem(record), {}
    names = names_of(lambda row: lib.clup_record_observable(record, row))
    held = [name for name in names if lib.clup_record_series(record, system, name.encode()) != ffi.NULL]
    has_values = lib.clup_record_count(record, system) > 0
    for name in [*held, *names_of(lambda row: lib.clup_analysis_function(record, system, row))] if has_values else ():
        watch()
        found[name] = _analysed(lib.clup_analysis_observable, record, system, name.encode())
    for expression in expressions if has_values else ():
        found[expression] = _analysed(lib.clup_analysis_expression, record, system, expression.encode())
    percolates = problem.model in (lib.CLUP_BOND_PERCOLATION, lib.CLUP_SITE_PERCOLATION)
    result = Result({"p" if percolates else "beta": problem.betas[system] if problem.betas != ffi.NULL else problem.beta, **found})
    if covariance and has_values:
        matrix, blocks = np.empty((len(names), len(names))), ffi.new("unsigned *")
        check(lib.clup_analysis_covariance(record, system, values_of(matrix), blocks))
        result["covariance"] = {"names": names, "matrix": matrix, "blocks": blocks[0]}
    return result


def _place(found):
    """A peak or a crossing; None in place of numbers that were not found."""
    keys = "beta", "beta_error", "value", "value_error", "from", "to"
    return {"found": bool(found.found), **{key: getattr(found, key) for key in keys}}


class _Scan:
    """Means of one size at other temperatures."""

    def __init__(self, size, records):
        self.size, pointers = size, ffi.new("clup_record *[]", records)
        self.sites = lib.clup_problem_sites(lib.clup_record_problem(records[0]))
        self.reweighting = made("reweighting", lambda out: lib.clup_reweighting_create(pointers, len(records), out))
        self.names = names_of(lambda row: lib.clup_reweighting_name(self.reweighting, row))

    def at(self, betas, peaks):
        values, errors = np.empty((2, len(betas), len(self.names)))
        coverage, found = ffi.new("clup_coverage *"), {"overlap": [], "independent": [], "covered": []}
        for k, beta in enumerate(betas):
            watch()
            check(lib.clup_reweighting_at(self.reweighting, beta, values_of(values[k]), values_of(errors[k]), coverage))
            for key, column in found.items():
                column.append(getattr(coverage, key))
        result = Result({"size": self.size, "beta": betas, **{name: {"mean": values[:, k].copy(), "error": errors[:, k].copy()}
                                                              for k, name in enumerate(self.names)}})
        result.update({key: np.array(column, bool if key == "covered" else float) for key, column in found.items()})
        result["blocks"] = lib.clup_reweighting_blocks(self.reweighting)
        result["peaks"] = {}
        for name in peaks if betas.max() > betas.min() else ():
            if name in self.names:
                place = ffi.new("clup_place *")
                check(lib.clup_reweighting_peak(self.reweighting, name.encode(), betas.min(), betas.max(), place))
                result["peaks"][name] = _place(place)
        return result

    def crossings(self, other, betas, names):
        for name in names if betas.max() > betas.min() else ():
            if name in self.names and name in other.names:
                place = ffi.new("clup_place *")
                check(lib.clup_reweighting_crossing(self.reweighting, other.reweighting, name.encode(), betas.min(), betas.max(), place))
                yield {"observable": name, "sizes": [self.size, other.size], **_place(place)}


def analyse(data, *, expressions=(), covariance=False, reweight=None, peaks=PEAKS, crossings=CROSSINGS, beta=None, shape=None):
    """Analyses series, as clup analyse does (doc/guide/analysis.md).

    data         a series, an array of one axis; {name: series} of one system, as many values of each; a file of series, F.h5 or F.csv, or
                 a clup.Simulation; or a sequence of files and simulations
    expressions  one or several in the means of series, such as "1 - m4/(3*m2^2)"
    covariance   whether the covariance matrix of the means is wanted
    reweight     inverse temperatures at which means are wanted, of all systems of a size together
    peaks, crossings  names of observables whose highest value, and whose crossing between successive sizes, are wanted there
    beta, shape  of {name: series}: what beta and sites stand for in expressions

    Of one series the result is a dictionary: count, mean, error (by tau_int), tau_int, tau_error, naive_error, binning (errors by bins of
    1, 2, 4, .. values), plateau (the level that is used) and binning_error, jackknife_error and blocks, low and high (95 %), bias, is_short
    (clup_analysis in clup/analysis.h). Errors are one standard deviation, and tau_int is in values.
    Of {name: series} it is a Result with such a dictionary for each name, for each function of means that they determine, such as
    binder, and for each expression; "covariance" is {"names": .., "matrix": float64 (names, names), "blocks": ..}.
    Of files and simulations it is {"files": [{"file": .., "size": "16x16", "systems": [such a Result, of each system]}]}; each has "beta"
    as well, or "p" of percolation. With reweight there is "reweighted" as well, a list with a Result for each size, smaller ones first:
    beta, mean and error of each observable there, arrays; overlap, independent and covered, which tell whether the data reach so far
    (clup_coverage); and peaks, {name: place}. "crossings" are places with "observable" and "sizes". A place has found, beta, beta_error,
    value and value_error (NaN where it is not found), and from and to, between which it was searched.

    UsageError for what is no series, expressions that have no value, and files that do not go together; Error for those that cannot be read.

    >>> values = np.random.default_rng(1).normal(size=4000)
    >>> found = analyse({"x": values, "x2": values**2}, expressions="x2 - x^2")
    >>> abs(found["x2 - x^2"]["mean"] - 1) < 4 * found["x2 - x^2"]["error"], abs(analyse(values)["tau_int"] - 0.5) < 0.1
    (True, True)
    """
    expressions = [expressions] if isinstance(expressions, str) else list(expressions)
    if isinstance(data, dict):
        _no_reweighting(reweight)
        for expression in expressions:
            for word, value in ("beta", beta), ("sites", shape):
                if value is None and word not in data and re.search(r"\b%s\b" % word, expression):
                    raise UsageError("the expression %r has %s: say %s" % (expression, word, "beta" if word == "beta" else "shape"))
        return _system(_record_of_series(data, beta, shape), 0, expressions, covariance)
    for name, value in ("beta", beta), ("shape", shape):
        if value is not None:
            raise UsageError("%s is for a dictionary of series" % name)
    if not isinstance(data, (str, os.PathLike, Simulation)):
        first = next(iter(data), None) if isinstance(data, (list, tuple)) else None
        if not isinstance(first, (str, os.PathLike, Simulation)):
            _no_reweighting(reweight)
            if expressions or covariance:
                raise UsageError("expressions and covariances are of series with names: {name: series}")
            values = _one_series(data, "data")
            return _analysed(lib.clup_analysis_of, values_of(values), len(values))
    return _of_files([data] if isinstance(data, (str, os.PathLike, Simulation)) else data, expressions, covariance, reweight, peaks, crossings)


def _no_reweighting(reweight):
    if reweight is not None:
        raise UsageError("reweight is for files and simulations, which say what was simulated")


def _of_files(sources, expressions, covariance, reweight, peaks, crossings):
    records, found = [], {"files": []}
    for source in sources:
        record, name = _record_of(source)
        records.append((_size_of(record), record))
        found["files"].append({"file": name, "size": records[-1][0],
                               "systems": [_system(record, k, expressions, covariance) for k in range(lib.clup_record_systems(record))]})
    if reweight is None:
        return found
    betas = numbers(reweight, "reweight")
    sizes = dict.fromkeys(size for size, _ in records)
    scans = sorted((_Scan(size, [record for other, record in records if other == size]) for size in sizes), key=lambda scan: scan.sites)
    found["reweighted"] = [scan.at(betas, peaks) for scan in scans]
    found["crossings"] = [crossing for scan, larger in zip(scans, scans[1:]) for crossing in scan.crossings(larger, betas, crossings)]
    return found
