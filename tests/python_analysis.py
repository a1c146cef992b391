# SPDX-License-Identifier: BSD-3-Clause
"""Analysis and percolation by the package clup beside the program: TAP lines. python_analysis.py CLUP, the program."""
import json
import subprocess
import sys

import numpy as np

import clup
from clup._library import ffi, lib
from tap import ctrl_c, done, ok, raises

HDF5 = lib.clup_hdf5_version() != ffi.NULL
program = sys.argv[1]


def run(*words):
    return json.loads(subprocess.run([program, *words, "-q", "--json"], stdout=subprocess.PIPE, check=True).stdout)


def near(a, b):
    return np.allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-12, equal_nan=True)


def correlated(seed, count, keep):
    """A series with rho(t) = keep^t, of which tau_int is (1 + keep)/(1 - keep)/2."""
    noise, values = np.random.default_rng(seed).normal(size=count), np.zeros(count)
    for k in range(1, count):
        values[k] = keep * values[k - 1] + noise[k]
    return values


def of_series():
    values = correlated(1, 40000, 0.8)
    found = clup.analyse(values)
    ok(found["count"] == 40000 and np.isclose(found["mean"], values.mean()) and abs(found["tau_int"] - 4.5) < 5 * found["tau_error"] < 1.5,
       "tau_int of a series is 4.5: %.2f" % found["tau_int"])
    for name in "error", "binning_error", "jackknife_error":
        ok(abs(found[name] / (25 / 40000) ** 0.5 - 1) < 0.15, "%s is that of the process" % name)
    ok(found["binning"][0] < found["binning_error"] == found["binning"][found["plateau"]] and not found["is_short"], "errors by bins grow to it")
    ok(clup.analyse(values[:40])["is_short"] and clup.analyse([1, 2, 3])["mean"] == 2, "short series")
    x, y = correlated(2, 20000, 0.5), correlated(3, 20000, 0.5)
    found = clup.analyse({"x": x + 2, "y": x + y + 3}, expressions=("y/x", "log(x) + sites*beta"), covariance=True, beta=0.5, shape=(4, 6))
    ok(np.isclose(found["y/x"]["mean"], found["y"]["mean"] / found["x"]["mean"], rtol=1e-4) and
       np.isclose(found["log(x) + sites*beta"]["mean"], np.log(found["x"]["mean"]) + 12, rtol=1e-4), "expressions")
    expected = found["x"]["error"] * np.hypot(1 - 1.5, 1) / 2
    ok(abs(found["y/x"]["error"] / expected - 1) < 0.1, "with errors that know of correlations")
    matrix = found["covariance"]["matrix"]
    ok(found["covariance"]["names"] == ["x", "y"] and np.allclose(matrix, matrix.T) and abs(matrix[0, 1] / matrix[0, 0] - 1) < 0.3 and
       abs(matrix[0, 0] ** 0.5 / found["x"]["error"] - 1) < 0.3, "covariances")
    found = clup.analyse({"m2": y**2, "m4": y**4})
    ok(np.isclose(found["binder"]["mean"], 1 - np.mean(y**4) / (3 * np.mean(y**2) ** 2), atol=1e-3), "functions of means that are known by their names")
    for data, keywords, text in (([], {}, "values"), ([1, np.nan], {}, "no series of finite numbers"), (np.ones((2, 3)), {}, "along one axis"), ("abc", {}, "abc"),
                                 ({"x": [1, 2], "y": [1]}, {}, "y"), ({"x": [1.0, 2]}, {"expressions": "x +"}, "x +"), ({"x": [1.0, 2]}, {"expressions": "x*sites"}, "say shape"),
                                 ({"x": [1.0, 2]}, {"expressions": "beta*x"}, "say beta"), ([1, 2], {"reweight": 1}, "reweight is for files"),
                                 ([1, 2], {"expressions": "x"}, "series with names"), ([1, 2], {"beta": 1}, "beta is for a dictionary"),
                                 ({"beta": [1, 2]}, {}, "a series is not called 'beta'"), ({"X y": [1, 2]}, {}, "X y"), ({"x": [1]}, {"shape": (1,) * 4}, "has not 2 or 3 axes")):
        raises(clup.Error, text, clup.analyse, data, **keywords)


def of_files():
    extension = ".h5" if HDF5 else ".csv"
    files = ["small" + extension, "large" + extension]
    for path, size, seed in zip(files, (8, 16), (2, 3)):
        clup.simulate(size, beta=[0.84, 0.88, 0.92], sweeps=4000, seed=seed, series=path, observables=("energy", "abs_m", "xi"))
    found = clup.analyse(files, reweight=np.linspace(0.84, 0.92, 5), expressions="1 - m4/(3*m2^2)", covariance=True)
    # the package of a wheel writes tables, which the program reads as well
    said = run("analyse", *files, "--reweight", "0.84:0.92:5", "--expr", "1 - m4/(3*m2^2)")
    right = True
    for mine, theirs in zip(found["files"], said["files"]):
        for system, expected in zip(mine["systems"], theirs["systems"]):
            right &= system.observables == [*expected["observables"], *expected["expressions"]]
            for name, one in {**expected["observables"], **expected["expressions"]}.items():
                right &= all(near(system[name][key], one[key]) for key in ("mean", "error", "tau_int", "tau_error", "low", "high"))
            right &= near(system["covariance"]["matrix"], expected["covariance"]["matrix"]) and system["covariance"]["names"] == expected["covariance"]["observables"]
    ok(right, "files are analysed as the program does")
    right = [scan["size"] for scan in found["reweighted"]] == ["8x8", "16x16"]
    for scan, expected in zip(found["reweighted"], said["reweighted"]):
        right &= near(scan["overlap"], [point["overlap"] for point in expected["points"]])
        for name in scan.observables:
            right &= all(near(scan[name][key], [point[name][key] for point in expected["points"]]) for key in ("mean", "error"))
        right &= all(near(scan["peaks"][name]["beta"], expected["peaks"][name]["beta"]) for name in scan["peaks"] if scan["peaks"][name]["found"])
    ok(right and scan["covered"].all(), "means at other temperatures, and peaks")
    ok([(one["observable"], one["sizes"]) for one in found["crossings"]] == [("binder", ["8x8", "16x16"]), ("xi_over_l", ["8x8", "16x16"])] and
       all(near(one["beta"], other["beta"]) and near(one["value_error"], other["value_error"]) for one, other in zip(found["crossings"], said["crossings"])),
       "crossings: %s" % [round(one["beta"], 3) for one in found["crossings"]])
    ok(clup.analyse(files, reweight=[0.86, 0.9], peaks=(), crossings=["binder"])["crossings"][0]["found"], "of what is asked for")
    with clup.Simulation(8, beta=[0.84, 0.88, 0.92], seed=2, observables=("energy", "abs_m", "xi")) as simulation:
        simulation.sweep(100)
        simulation.measure(4000)
        open_one = clup.analyse(simulation, reweight=0.86)
    ok(all(near(open_one["files"][0]["systems"][1]["binder"][key], found["files"][0]["systems"][1]["binder"][key]) for key in ("mean", "error")),
       "a simulation as its file")
    ok(open_one["reweighted"][0]["energy"]["mean"].shape == (1,) and open_one["reweighted"][0]["peaks"] == {}, "at one temperature")
    ok(clup.analyse(clup.Simulation(8))["files"][0]["systems"][0].observables == [], "without values")
    raises(clup.UsageError, "the very same energies", clup.analyse, [files[0], files[0]], reweight=0.86)
    raises(clup.Error, "No such file", clup.analyse, "nowhere.h5")
    raises(clup.UsageError, "nothing", clup.analyse, files[0], expressions="nothing + 1")
    raises(clup.UsageError, "reweight = 'x' is no number", clup.analyse, files[0], reweight="x")
    raises(clup.UsageError, "-1", clup.analyse, files[0], reweight=-1)


def samples():
    found = clup.percolate((9, 12), [0.4, 0.5], samples=70, seed=2, cluster_sizes=True)
    said = run("percolate", "--size", "12x9", "--ps", "0.4,0.5", "--samples", "70", "--seed", "2")
    ok(all(near(found[name]["mean"][k], point["observables"][name]["mean"]) for k, point in enumerate(said["points"]) for name in found.observables) and found["complete"],
       "samples are the program's")
    run("percolate", "--size", "12x9", "--ps", "0.4,0.5", "--samples", "70", "--seed", "2", "--series", "samples.csv")
    systems = clup.analyse("samples.csv")["files"][0]["systems"]
    ok([system["p"] for system in systems] == [0.4, 0.5] and not any("beta" in system for system in systems), "their p are called so in an analysis")
    ok(all(near(system["clusters"]["mean"], mean) for system, mean in zip(systems, found["clusters"]["mean"])), "which has their means")
    sizes = found["cluster_sizes"]
    ok(sizes["at"][0].tolist() == [1, 2, 4, 8, 16, 32, 64] and all(np.isclose(sizes["mean"][k].sum(), found["clusters"]["mean"][k]) for k in range(2)) and
       sizes["mean"][0][0] > sizes["mean"][1][0] > 0 and (sizes["error"][0][:3] > 0).all(), "sizes of clusters add up to their number")
    seen = []
    stopped = clup.percolate(64, [0.4, 0.5], samples=3000, progress=lambda now, total: seen.append((now, total)) or now < 3500)
    ok(not stopped["complete"] and len(stopped["p"]) == 2 and len(stopped["clusters"]["values"][0]) == 3000 > len(stopped["clusters"]["values"][1]) > 0 and
       {total for _, total in seen} == {6000} and seen == sorted(seen), "progress ends it: %s" % (seen[-1],))
    whole = clup.percolate(64, [0.4, 0.5], samples=3000)
    ok(np.array_equal(whole["clusters"]["values"][1][:len(stopped["clusters"]["values"][1])], stopped["clusters"]["values"][1]), "after samples that are those of a whole run")

    def fails(now, _):
        raise KeyError("own")

    for call in lambda: clup.percolate(16, 0.5, samples=50, progress=fails), lambda: clup.percolation_curves(16, 0.5, samples=50, progress=fails):
        try:
            call()
            ok(False, "an exception of progress")
        except KeyError as error:
            ok("clusters" in error.result, "an exception of progress has the result")
    curves = clup.percolation_curves(64, [0.4, 0.5], samples=6400, progress=lambda now, total: False)
    ok(not curves["complete"] and clup.percolation_curves(16, 0.5, samples=5)["complete"], "curves end as well")
    on_graph = clup.graph.percolate(np.roll(np.eye(20), 1, axis=1), 0.5, samples=30, cluster_sizes=True, progress=lambda now, total: None)
    ok(np.isclose(on_graph["cluster_sizes"]["mean"].sum(), on_graph["clusters"]["mean"]), "on graphs, too")
    progress, thread = ctrl_c()
    try:
        clup.percolate(128, 0.5, samples=10**6, progress=progress)
        ok(False, "KeyboardInterrupt")
    except KeyboardInterrupt as error:
        found = error.result
        ok(0 < len(found["clusters"]["values"]) < 10**6 and not found["complete"], "Ctrl-C leaves %d samples" % len(found["clusters"]["values"]))
    thread.join()


for part in sys.argv[2:] or ("of_series", "of_files", "samples"):
    globals()[part]()
done()
