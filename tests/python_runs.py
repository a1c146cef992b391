# SPDX-License-Identifier: BSD-3-Clause
"""Simulations by the package clup, step by step and as a whole, beside the program: TAP lines. python_runs.py CLUP [PART].., the program and parts of this file."""
import json
import os
import subprocess
import sys
import threading
import time
from hashlib import sha256

import numpy as np

import clup
from clup._library import ffi, lib
from tap import ctrl_c, done, ok, raises

HDF5 = lib.clup_hdf5_version() != ffi.NULL
program = sys.argv[1]


def run(*words):
    return json.loads(subprocess.run([program, *words, "-q", "--json"], stdout=subprocess.PIPE, check=True).stdout)


def equal(a, b):
    """Whether two results have the same numbers, of each observable and of the spins."""
    return a.observables == b.observables and np.array_equal(a["spins"], b["spins"]) and all(
        np.array_equal(np.asarray(a[name][key], float), np.asarray(b[name][key], float), equal_nan=True)
        for name in a.observables for key in ("mean", "error", "tau_int", "series"))


def steps():
    """Sweeps in any portions are those of one run."""
    system = {"q": 3, "beta": [0.9, 1.0], "seed": 5, "observables": ("energy", "abs_m", "binder", "clusters"), "every": 3}
    whole = clup.simulate((8, 12), sweeps=41, thermalize=10, **system)
    with clup.Simulation((8, 12), **system) as simulation:
        ok(simulation.sweep(4) == 4 and simulation.sweep(6) == 6 and simulation.sweeps == 10 and simulation.measured == 0, "sweeps, not measured")
        ok([simulation.measure(n) for n in (1, 0, 5, 30, 5)] == [1, 0, 5, 30, 5] and simulation.measured == 13, "and measured, one of three")
        ok(equal(simulation.result(), whole), "portions of sweeps are the sweeps of one run")
        before, result = simulation.spins, simulation.result()["spins"]
        result[:] = 0
        ok(before.any() and simulation.spins is before and whole["spins"].flags.writeable, "spins of a result are its own")
        ok(np.array_equal(simulation.series("binder"), np.array(whole["binder"]["series"])) and simulation.series("energy").shape == (2, 13),
           "series are arrays")
        spins = simulation.spins
        ok(spins.shape == (2, 8, 12) and spins is simulation.spins and not spins.flags.writeable, "spins stay until the next sweep")
        before = spins.copy()
        simulation.sweep(3)
        ok((spins == before).all() and (simulation.spins != before).any(), "and those before are as they were")
        ok(simulation.shape == (8, 12) and simulation.betas.tolist() == [0.9, 1.0] and simulation.device, "what it is")
        raises(clup.UsageError, "observable 'heat' is none of", simulation.series, "heat")
        raises(clup.UsageError, "sweeps = -1", simulation.sweep, -1)
        simulation.betas = 0.5
        ok(simulation.measured == 0 and simulation.measure(6) == 6 and simulation.result()["beta"] == [0.5, 0.5] and simulation.measured == 2,
           "other temperatures begin a new series")
        raises(clup.UsageError, "there are 3 betas for 2 systems", setattr, simulation, "betas", [1, 2, 3])
    raises(clup.UsageError, "is closed", simulation.sweep)
    raises(clup.UsageError, "is closed", lambda: simulation.spins)
    simulation.close()
    ok(clup.simulate(8, observables=(), sweeps=3).observables == [], "nothing but spins")
    raises(clup.UsageError, "swap_every is for tempering", clup.Simulation, 8, swap_every=2)
    raises(clup.UsageError, "p_flip goes with", clup.Simulation, 8, p_flip=0.5)
    raises(clup.UsageError, "rng 'dice' is none of", clup.Simulation, 8, rng="dice")
    raises(TypeError, "unexpected keyword argument 'swepes'", clup.simulate, 8, swepes=3)
    for keywords in {"algorithm": "few-cluster", "seeds_per_side": 2, "p_flip": 0.5}, {"rng": "mwc"}:
        few = clup.simulate(16, sweeps=5, seed=2, **keywords)
        words = [word for key, value in keywords.items() for word in ("--" + key.replace("_", "-"), str(value))]
        ok(few["energy"]["mean"] == run("simulate", "--size", "16", "--sweeps", "5", "--seed", "2", *words)["observables"]["energy"]["mean"],
           "as the program: %s" % keywords)
    several = clup.simulate(16, observables=("energy", "correlation_x", "cluster_sizes"), sweeps=50, seed=2)
    said = run("simulate", "--size", "16", "--observables", "correlation_x,cluster_sizes", "--sweeps", "50", "--seed", "2")
    ok([*several["correlation_x"]["at"]] == [1, 2, 3, 4, 5, 6, 7, 8] and several.observables == ["energy"] and
       any(str(float(value))[:12] in json.dumps(said) for value in several["correlation_x"]["mean"]), "observables with several values")


def states():
    """Spins that are set, and that come back."""
    for model, keywords in ("potts", {"q": 5}), ("xy", {}), ("heisenberg", {}), ("ising", {"disorder": "site-dilute=0.2"}), ("ising", {"lattice": "kagome"}):
        one = clup.Simulation((6, 8), model=model, beta=0.7, seed=3, start="random", **keywords)
        other = clup.Simulation((6, 8), model=model, beta=0.7, seed=3, **keywords)
        one.sweep(4)
        other.sweep(4)
        other.spins = one.spins
        same = np.array_equal(one.spins, other.spins, equal_nan=True)
        one.sweep(3)
        other.sweep(3)
        ok(same and np.array_equal(one.spins, other.spins, equal_nan=True), "%s spins of one simulation are another's: %s" % (model, keywords))
        if model == "potts":
            raises(clup.UsageError, "5", setattr, other, "spins", np.full((6, 8), 5))
            raises(clup.UsageError, "have the shape (6, 8), not (8, 6)", setattr, other, "spins", np.zeros((8, 6), int))
            raises(clup.UsageError, "whole numbers from 0", setattr, other, "spins", np.full((6, 8), 0.5))
            raises(clup.UsageError, "whole numbers from 0", setattr, other, "spins", np.full((6, 8), 256))
        if model == "heisenberg":
            raises(clup.UsageError, "length", setattr, other, "spins", np.ones((6, 8, 3)))
            raises(clup.UsageError, "finite", setattr, other, "spins", np.full((6, 8, 3), np.nan))


def functions():
    """Observables of one's own have the values, and the estimates, that the library's have."""
    def energy(spins):
        return -np.mean((spins == np.roll(spins, -1, 0)) + 0.0 + (spins == np.roll(spins, -1, 1)))

    found = clup.simulate((8, 12), beta=[0.7, 0.8], every=4, sweeps=403, thermalize=7, measure={"own": energy, "first": lambda spins: spins[0, 0]})
    ok(np.allclose(found["own"]["series"], found["energy"]["series"]) and len(found["own"]["series"][0]) == 100, "a function of spins sees each measured sweep")
    ok(all(np.allclose(found["own"][key], found["energy"][key], rtol=1e-9) for key in ("mean", "error", "tau_int", "low", "high")),
       "its mean, error and tau are the library's")
    ok(found.observables == ["energy", "abs_m", "own", "first"], "names in their order")
    raises(clup.UsageError, "'energy' is the name of something else", clup.Simulation, 8, measure={"energy": energy})
    raises(clup.UsageError, "measure is no dictionary", clup.Simulation, 8, measure=energy)
    raises(clup.UsageError, "'x' is no function", clup.Simulation, 8, measure={"x": 3})
    with clup.Simulation(8, measure={"row": lambda spins: spins[0]}) as simulation:
        raises(clup.UsageError, "'row' returns", simulation.measure, 5)
        ok(simulation.measured == 1 and np.isnan(simulation.series("row")).all(), "which leaves a NaN")
    with clup.Simulation(8, measure={"x": lambda spins: spins.mean()}, every=2) as simulation:
        simulation.measure(3)
        simulation.sweep(5)
        simulation.measure(3)
        ok(simulation.series("x").shape == simulation.series("energy").shape == (3,) and simulation.series("x")[-1] == simulation.spins.mean(),
           "sweeps between measured ones do not count")


def several_temperatures():
    found = clup.simulate((16, 16), q=10, tempering=[1.36, 1.40, 1.43], swap_every=2, replicas=2, sweeps=60, seed=3)
    said = run("simulate", "--size", "16", "--q", "10", "--tempering", "1.36,1.40,1.43", "--swap-every", "2", "--replicas", "2", "--sweeps", "60", "--seed", "3")
    ok([sha256(spins.tobytes()).hexdigest() for spins in found["spins"]] == [system["spins_sha256"] for system in said["replicas"]], "tempering is the program's")
    told = said["tempering"]
    ok(found["tempering"]["pairs"] == told["pairs"] and found["tempering"]["systems"] == told["systems"] and
       all(found["tempering"][key] == told[key] for key in ("ladders", "rungs", "swap_every", "round_trips", "betas")), "with its exchanges")
    tuned = clup.simulate(16, q=10, tempering=[1.36, 1.40, 1.43], tempering_tune=80, sweeps=0, thermalize=0, seed=3)
    said = run("simulate", "--size", "16", "--q", "10", "--tempering", "1.36,1.40,1.43", "--tempering-tune", "80", "--sweeps", "0", "--thermalize", "0", "--seed", "3")
    ok(tuned["beta"] == said["tempering"]["betas"] and tuned["beta"][1] != 1.40, "temperatures are placed as by the program")
    raises(clup.UsageError, "beta and tempering both", clup.simulate, 8, beta=1, tempering=[1, 2])
    raises(clup.UsageError, "increase", clup.simulate, 8, tempering=[2, 1])
    found = clup.simulate((8, 8), q=10, anneal=[1.3, 1.4, 1.5], replicas=2, thermalize=5, sweeps=20, seed=4)
    said = run("simulate", "--size", "8", "--q", "10", "--anneal", "1.3,1.4,1.5", "--replicas", "2", "--thermalize", "5", "--sweeps", "20", "--seed", "4")
    ok(found["beta"] == [1.3, 1.3, 1.4, 1.4, 1.5, 1.5] and found["energy"]["mean"] == [row["observables"]["energy"]["mean"] for row in said["steps"]] and
       [sha256(spins.tobytes()).hexdigest() for spins in found["spins"]][-2:] == [row["spins_sha256"] for row in said["steps"]][-2:],
       "one temperature after the other, as the program")
    one = clup.simulate(8, anneal=[0.5, 0.6], sweeps=30, seed=3, observables=("energy", "correlation_x"), measure={"own": np.mean})
    ok(one["spins"].shape == (2, 8, 8) and len(one["own"]["series"]) == len(one["correlation_x"]["mean"]) == 2 and one["own"]["mean"][1] ==
       np.mean(one["own"]["series"][1]), "of one system, with all that is measured")
    raises(clup.UsageError, "beta does not go with anneal", clup.simulate, 8, anneal=[1], beta=1)
    # population annealing, step by step: what it draws is the program's
    betas, count, ln_z = [0, 0.2, 0.4, 0.6], 40, 0
    with clup.Simulation((8, 8), model="ising", beta=0, replicas=count, seed=6) as simulation:
        families, rows = np.arange(count), []
        for beta in betas:
            if beta:
                sources, ratio = simulation.resample(beta)
                families, ln_z = families[sources], ln_z + ratio
            simulation.sweep(2)
            simulation.measure(2)
            rows.append((ln_z, len(np.unique(families)), sha256(simulation.spins.tobytes()).hexdigest()))
        raises(clup.UsageError, "beta = 'x' is no number", simulation.resample, "x")
    with clup.Simulation(8, model="ising", beta=0, replicas=40, seed=6) as simulation:
        population, steps = clup.Population(simulation), []
        for beta in 0, 0.2, 0.4, 0.6:
            if beta:
                population.resample(beta)
            ok(np.isnan(population.step()["energy"]["error"]), "nothing is measured yet")
            simulation.sweep(2)
            simulation.measure(2)
            steps.append(population.step())
            ok(population.step() == steps[-1], "a step is the same when asked for again")
        raises(clup.UsageError, "beta = 'x' is no number", population.resample, "x")
    raises(clup.Error, "", population.step)
    said = run("simulate", "--size", "8", "--model", "ising", "--anneal", "0,0.2,0.4,0.6", "--population", "--replicas", "40", "--thermalize", "2", "--sweeps", "2", "--seed", "6")
    ok(rows == [(step["ln_z"], step["families"], step["spins_sha256"]) for step in said["population"]], "population annealing draws what the program draws")
    ok([(step["beta"], step["energy"]["mean"], step["energy"]["error"], step["ln_z"], step["ln_z_error"], step["families"], step["rho"], step["effective"], step["collapsed"])
        for step in steps] == [tuple(step[key] for key in ("beta", "energy", "error", "ln_z", "ln_z_error", "families", "rho", "effective_families", "collapsed"))
                               for step in said["population"]], "with its errors by families")


def files():
    if not HDF5:
        raises(clup.UsageError, "without HDF5", clup.simulate, 8, sweeps=1, checkpoint="none.h5")
        raises(clup.UsageError, "without HDF5", clup.simulate, 8, sweeps=1, series="none.h5")
        clup.simulate(8, sweeps=3, series="none.csv")
        ok(os.path.getsize("none.csv") > 100, "series as a table")
        return
    system = {"q": 3, "beta": [0.9, 1.0], "seed": 5, "every": 2, "observables": ("energy", "clusters")}
    whole = clup.simulate((8, 12), sweeps=40, thermalize=6, series="whole.h5", **system)
    with clup.Simulation((8, 12), **system) as simulation:
        simulation.sweep(6)
        simulation.measure(13)
        simulation.save("step.h5")
        with clup.Simulation.load("step.h5") as loaded:
            ok(equal(loaded.result(), simulation.result()) and loaded.shape == (8, 12), "a checkpoint has what was measured")
            loaded.measure(27)
            ok(equal(loaded.result(), whole), "and goes on, bit for bit")
    ok(equal(clup.resume("step.h5", sweeps=40), whole), "by resume as well")
    resumed = run("resume", "step.h5", "--sweeps", "44", "--checkpoint", "program.h5")
    longer = clup.simulate((8, 12), sweeps=44, thermalize=6, **system)
    ok([row["spins_sha256"] for row in resumed["replicas"]] == [sha256(spins.tobytes()).hexdigest() for spins in longer["spins"]] and
       [row["observables"]["energy"]["mean"] for row in resumed["replicas"]] == longer["energy"]["mean"], "the program goes on from it")
    more = clup.resume("program.h5", sweeps=50)
    ok(equal(more, clup.simulate((8, 12), sweeps=50, thermalize=6, **system)), "and Python from the program's")
    run("simulate", "--size", "6", "--lattice", "cubic", "--model", "xy", "--tempering", "0.4,0.5", "--swap-every", "3", "--sweeps", "20", "--thermalize", "3",
        "--checkpoint", "xy.h5", "--open", "z")
    tempered = clup.simulate((6, 6, 6), lattice="cubic", model="xy", tempering=[0.4, 0.5], swap_every=3, sweeps=30, thermalize=3, periodic="x,y")
    found = clup.resume("xy.h5", sweeps=30)
    ok(equal(found, tempered) and found["tempering"] == tempered["tempering"], "with tempering, of vectors")
    for option, value in ("--thermalize", "auto"), ("--until", "energy=1"):
        run("simulate", "--size", "8", "--sweeps", "2000", option, value, "--checkpoint", "own.h5")
        kept = open("own.h5", "rb").read()
        for call in clup.resume, clup.Simulation.load:
            raises(clup.UsageError, "'own.h5' is of a run with %s %s, which is for the program: clup resume" % (option, value), call, "own.h5")
        ok(open("own.h5", "rb").read() == kept, "the checkpoint of a run with %s is as it was" % option)
    stopped = clup.simulate(8, sweeps=10**6, checkpoint="stopped.h5", progress=lambda now, total: now < 200)
    ok(not stopped["complete"] and 100 <= stopped["sweeps"] < 10**6, "progress ends a run")
    goes_on = clup.resume("stopped.h5", sweeps=stopped["sweeps"] + 10)
    ok(goes_on["complete"] and equal(goes_on, clup.simulate(8, sweeps=stopped["sweeps"] + 10)), "from which resume goes on")
    raises(clup.UsageError, "sweeps already", clup.resume, "stopped.h5", sweeps=1)
    four = clup.simulate((3, 2, 4, 5), lattice="hypercubic", beta=0.4, sweeps=4, checkpoint="four.h5")
    loaded = clup.Simulation.load("four.h5")
    ok(np.array_equal(loaded.spins, four["spins"]) and loaded.shape == (3, 2, 4, 5), "the shape of a hypercubic lattice is in its checkpoint")
    ring = np.roll(np.eye(9), 1, axis=1) * np.arange(1, 10)[:, None]
    on_graph = clup.graph.simulate(ring, couplings="weights", model="ising", beta=0.1, sweeps=5, checkpoint="graph.h5")
    loaded = clup.Simulation.load("graph.h5", graph=ring, bond_couplings="weights")
    ok(np.array_equal(loaded.spins, on_graph["spins"]), "of a graph as well")
    with clup.graph.simulation(ring, couplings="weights", model="ising", beta=0.1) as simulation:
        simulation.sweep(100)
        simulation.measure(5)
        ok(equal(simulation.result(), on_graph), "which can be run step by step")
    said = run("analyse", "whole.h5")
    ok(np.allclose([system["observables"]["energy"]["mean"] for system in said["files"][0]["systems"]], whole["energy"]["mean"], rtol=1e-15),
       "series are files for clup analyse")
    raises(clup.UsageError, "'whole.h5': there is a file that is no checkpoint", clup.simulate, 8, checkpoint="whole.h5")
    run("percolate", "--size", "8", "--samples", "50", "--checkpoint", "scan.h5")
    raises(clup.UsageError, "'scan.h5': there is a checkpoint of clup percolate", clup.simulate, 8, sweeps=1, checkpoint="scan.h5")
    raises(clup.UsageError, "the series 'scan.h5': there is a checkpoint", clup.simulate, 8, sweeps=1, series="scan.h5")
    raises(clup.UsageError, "the extension is not .h5", clup.simulate, 8, checkpoint="x.csv")
    raises(clup.UsageError, "the extension is not .h5 or .csv", clup.simulate, 8, series="x.txt")
    raises(clup.UsageError, "save_every goes with", clup.simulate, 8, save_every=1)
    raises(clup.UsageError, "time_limit = -1", clup.simulate, 8, time_limit=-1)
    raises(clup.UsageError, "does not contain the values of measure", clup.simulate, 8, checkpoint="x.h5", measure={"x": np.mean})
    raises(clup.UsageError, "series does not go with anneal", clup.simulate, 8, anneal=[1], series="x.h5")
    raises(clup.Error, "No such file", clup.Simulation.load, "nowhere.h5")
    raises(clup.UsageError, "the series 'stopped.h5': there is a checkpoint", clup.resume, "stopped.h5", series="stopped.h5")
    raises(clup.UsageError, "the series './both.h5': there is a checkpoint", clup.simulate, 8, sweeps=1, checkpoint="both.h5", series="./both.h5")
    raises(clup.Error, "the series 'no/where.csv': its folder", clup.simulate, 8, series="no/where.csv")
    raises(clup.Error, "its folder cannot be written to", clup.simulate, 8, checkpoint="no/where.h5")
    with open("step.h5", "r+b") as file:
        file.seek(-9, 2)
        file.write(b"x")
    raises(clup.Error, "damaged", clup.resume, "step.h5")
    raises(clup.UsageError, "philox", clup.simulate, 8, rng="lcg", algorithm="sw", sweeps=1, checkpoint="lcg.h5")


def ended():
    """What ends a run, and what is left of it."""
    seen = []
    found = clup.simulate(8, sweeps=500, thermalize=50, progress=lambda now, total: seen.append((now, total)))
    ok(found["complete"] and seen[-1] == (550, 550) and seen == sorted(seen) and {total for _, total in seen} == {550}, "progress is told of all sweeps")
    seen.clear()
    clup.simulate(8, anneal=[0.5, 0.6], sweeps=30, thermalize=10, progress=lambda now, total: seen.append((now, total)))
    ok(seen[-1] == (80, 80) and seen == sorted(seen), "of all temperatures")

    def fails(now, _):
        if now >= 60:
            raise KeyError("own")

    try:
        clup.simulate(8, sweeps=10**6, thermalize=10, progress=fails)
        ok(False, "an exception of progress")
    except KeyError as error:
        result = error.result
        ok(str(error) == "'own'" and 50 <= result["sweeps"] < 10**6 and len(result["energy"]["series"]) == result["sweeps"], "an exception of progress has the result")
    ok(equal(result, clup.simulate(8, sweeps=result["sweeps"], thermalize=10)), "which is that of the sweeps that were done")
    with clup.Simulation(8) as simulation:
        def nested(now, _):
            simulation.sweep()

        raises(clup.UsageError, "a progress function does no sweeps", simulation.sweep, 1, nested)
        ok(simulation.sweeps == 1 and simulation.sweep(2) == 2, "a failure at the last batch is raised as well, and the simulation goes on")
        ok(simulation.sweep(10**6, lambda now, total: False) < 10**6, "False ends")
        raises(clup.UsageError, "is not closed", simulation.sweep, 5, lambda now, total: simulation.close())
    with clup.Simulation(8) as simulation:
        simulation.sweep(300, lambda now, total: bool(simulation.spins.size))
        ok(np.array_equal(simulation.spins, clup.simulate(8, sweeps=200)["spins"]), "progress may look at spins, which are those of then")
    answers = iter([False])
    found = clup.simulate(8, sweeps=30, thermalize=1, progress=lambda now, total: next(answers, True))
    ok((found["sweeps"], found["complete"]) == (0, False), "which ends the run as well where it comes with the last sweep before measuring")
    begun = time.time()
    found = clup.simulate(256, sweeps=10**8, time_limit=0.5)
    ok(not found["complete"] and time.time() - begun < 20, "a time limit")

    simulation, returned = clup.Simulation(512, seed=4), []
    begun = threading.Event()
    thread = threading.Thread(target=lambda: returned.append(simulation.sweep(10**9, lambda now, total: begun.set())))
    thread.start()
    begun.wait(300)
    counted, until = 0, time.time() + 1
    while time.time() < until:
        counted += 1
        time.sleep(0.001)
    label = clup.label(np.eye(3))[1]
    simulation.stop()
    thread.join(30)
    if thread.is_alive():
        os._exit(2)  # which all after this would wait for
    ok(returned == [simulation.sweeps] and 0 < returned[0] < 10**9, "stop() from another thread ends a run")
    ok(counted > 20 and label == 3, "beside which Python runs, and clup in other threads: %d steps" % counted)
    again = clup.Simulation(512, seed=4)
    again.sweep(returned[0])
    ok(np.array_equal(again.spins, simulation.spins), "the sweeps that are done are whole")
    simulation.stop()
    ok(simulation.sweep(10**9) < 10**9 and simulation.sweep(2) == 2, "before a run it ends the next one")

    for keywords in ({"checkpoint": "interrupted.h5"} if HDF5 else {}, {"measure": {"x": lambda spins: spins[0, 0]}}, {"anneal": [0.8, 0.9]}):
        progress, thread = ctrl_c()
        try:
            clup.simulate(64, sweeps=10**9 if "anneal" not in keywords else 10**7, seed=2, progress=progress, **keywords)
            ok(False, "KeyboardInterrupt")
        except KeyboardInterrupt as error:
            result = error.result
            ok(not result["complete"], "Ctrl-C raises KeyboardInterrupt, with the result: %s" % [*keywords])
        thread.join()
        if "anneal" not in keywords:
            ok(result["sweeps"] > 0 and len(result["energy"]["series"]) == result["sweeps"], "of %d sweeps" % result["sweeps"])
        if "measure" in keywords:
            ok(len(result["x"]["series"]) == result["sweeps"] and result["x"]["series"][-1] == result["spins"][0, 0], "and as many values of a function")
        if "checkpoint" in keywords:
            ok(np.array_equal(clup.Simulation.load("interrupted.h5").spins, result["spins"]), "which the checkpoint has as well")


for part in sys.argv[2:] or ("steps", "states", "functions", "several_temperatures", "files", "ended"):
    globals()[part]()
done()
