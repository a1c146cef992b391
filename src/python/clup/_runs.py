# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs of simulations, new ones and from a checkpoint, with the files that they write."""
import math
import os
import time
import warnings

import numpy as np

from ._library import Error, UsageError, ends, numbers, real, whole
from ._result import gathered
from ._simulation import Simulation, checkpoint_path, series_path

# writing takes at most 1/_COST of the time
_COST = 50
_EVERY_S = 60.0


class _Run:
    """A whole run of a simulation: thermalization, measured sweeps, and the files that are written meanwhile and at the end."""

    def __init__(self, simulation, thermalize, sweeps, progress, checkpoint, save_every, series, time_limit):
        self.simulation, self.thermalize, self.sweeps, self.progress = simulation, thermalize, sweeps, progress
        self.checkpoint, self.series = checkpoint, series
        self.save_every = _EVERY_S if save_every is None else seconds(save_every, "save_every")
        self.end = math.inf if time_limit is None else time.monotonic() + seconds(time_limit, "time_limit")
        self.next, self.failed, self.over = time.monotonic() + self.save_every, False, False

    def left(self):
        """Sweeps that are left to do, before measuring and measured."""
        simulation = self.simulation
        first = min(simulation.sweeps, self.thermalize)
        return self.thermalize - first, self.sweeps - (simulation.sweeps - first)

    def save(self):
        """Writes the checkpoint and the series that are asked for."""
        if self.checkpoint is not None:
            self.simulation._save(self.checkpoint, self.sweeps, self.thermalize)
        if self.series is not None and self.simulation.measured:
            self.simulation.write_series(self.series)

    def tell(self, _done, _sweeps):
        """Between batches: saves when it is time to, and asks whether work goes on."""
        now, total = time.monotonic(), self.thermalize + self.sweeps
        if now >= self.next and (self.checkpoint is not None or self.series is not None):
            try:
                self.save()
                self.failed = False
            except Error as error:
                if not self.failed:
                    warnings.warn("%s; the run goes on" % error, RuntimeWarning, stacklevel=2)
                self.failed = True
            after = time.monotonic()
            self.next = after + max(self.save_every, _COST * (after - now))
        self.over = self.progress is not None and ends(self.progress(self.simulation.sweeps, total)) or now >= self.end
        return not self.over

    def result(self):
        """Runs what is left, as far as progress and the time let it, and returns what was found. An exception has that as its result."""
        try:
            before, measured = self.left()
            if self.simulation.sweep(before, self.tell) == before and not self.over:
                self.simulation.measure(measured, self.tell)
            self.save()
            return self.found()
        except BaseException as error:
            try:
                if not isinstance(error, Error):
                    self.save()
                error.result = self.found()
            except Error as other:
                warnings.warn("%s" % other, RuntimeWarning, stacklevel=3)
            raise

    def found(self):
        found = self.simulation.result()
        found["complete"] = self.simulation.sweeps == self.thermalize + self.sweeps
        return found


def seconds(value, what):
    """A number of seconds, 0 or more."""
    if not real(value, what) >= 0:
        raise UsageError("%s = %r is no number of seconds" % (what, value))
    return float(value)


def _files_of(checkpoint, series):
    """The paths that a run writes to."""
    checkpoint = None if checkpoint is None else checkpoint_path(checkpoint)
    return checkpoint, None if series is None else series_path(series, checkpoint)


def _annealed(simulation, anneal, thermalize, sweeps, progress, end):
    """One temperature after the other: results of the complete ones, a system for each temperature and system."""
    steps, over, total = [], [], len(anneal) * (thermalize + sweeps)

    def tell(done, _):
        if progress is not None and ends(progress(base + done, total)) or time.monotonic() >= end:
            over.append(True)
        return not over

    def found():
        """All steps as systems of one result."""
        joined = {key: value for key, value in steps[-1].items() if not isinstance(value, dict)} if steps else {}
        names = [name for name, values in steps[-1].items() if isinstance(values, dict) and "mean" in values] if steps else []
        several = [step if simulation._several else {**step, "beta": [step["beta"]], "spins": step["spins"][None],
                                                      **{name: {key: [value] for key, value in step[name].items()} for name in names}}
                   for step in steps]
        joined.update(beta=[beta for step in several for beta in step["beta"]], sweeps=sweeps, device=simulation.device,
                      spins=np.concatenate([step["spins"] for step in several]) if steps else simulation._all_spins()[:0],
                      complete=len(steps) == len(anneal))
        joined.pop("averages", None)
        for name in names:
            joined[name] = {key: [value for step in several for value in step[name][key]] for key in steps[-1][name]}
        result = gathered([{}], False, **joined)
        if steps:
            result.model, result.states = steps[-1].model, steps[-1].states
        return result

    try:
        for number, beta in enumerate(anneal):
            simulation.betas = beta
            base = number * (thermalize + sweeps)
            if simulation.sweep(thermalize, tell) < thermalize or over:
                break
            base += thermalize
            if simulation.measure(sweeps, tell) < sweeps:
                break
            steps.append(simulation.result())
            if over:
                break
        return found()
    except BaseException as error:
        if not isinstance(error, Error):
            error.result = found()
        raise


def simulate(shape, *, model="potts", q=2, beta=None, lattice="square", periodic=True, every=1, observables=("energy", "abs_m"),
             algorithm="sw", heat_bath=0, houdayer=0, overrelaxation=0, seeds_per_side=None, p_flip=None, rng="philox", start="ordered",
             replicas=1, seed=1, bond_couplings=None, tempering=None, swap_every=1, tempering_tune=0, measure=None, device=None, sweeps=1000,
             thermalize=100, anneal=None, progress=None, checkpoint=None, save_every=None, series=None, time_limit=None, **fields):
    """Simulates a spin model by clusters (Swendsen and Wang, Wolff), or by the heat bath.

    What is simulated:

    shape        sites along each axis in numpy's order, (y, x) or (z, y, x); or one number for all. Of lattices with cells
                 of several sites that of the array, which doc/guide/simulate.md has; its holes are 255 in spins
    lattice      a name (clup_lattice_kind in clup/problem.h); "hypercubic", whose shape has 1 to 8 axes; or the path of a file with
                 a cell, "F.toml" (clup_graph_of_lattice in clup/graph.h), whose shape counts cells and whose spins have the sites
                 of a cell as last axis
    model        "potts", H = -sum over bonds of delta(s, s') with q states; "ising", H = -sum s s' of spins +-1, which
                 are 0 and 1 in "spins"; "clock", H = -sum cos(2 pi (s - s')/q); "xy" and "heisenberg", H = -sum S.S' of unit vectors
                 in the plane and in space; or the path of a table of energies, "F.toml" (clup_table in clup/problem.h), which sets q too
    beta         inverse temperature; a sequence has a system of each; None is the critical one of the infinite lattice
    periodic     a flag, one for each axis, or the names of axes: "x", "x,y"; x is the last
    replicas     independent systems at each beta
    bond_couplings  J of each bond, an array (directions, *shape), for the bonds from each
                 site along each direction, in the order of clup_lattice_kind in clup/problem.h. Each array is kept until the program ends
    fields       further fields of clup_problem (clup/problem.h), by their names, as clup_problem_set takes them:
                 coupling=[1, -0.5], one for each direction or one for all, disorder="pm=0.5,dilute=0.1", disorder_seed,
                 disorder_samples, field=0.1

    How:

    sweeps       measured after thermalize others, one of every
    algorithm    "sw", "wolff", "few-cluster" or "heat-bath"; heat_bath is a number of sweeps of the heat bath, up to 32, before each of
                 clusters. few-cluster has seeds_per_side (4) and p_flip (0.9)
    houdayer     a number of Houdayer's moves, up to 32, of pairs of systems with one beta and the same couplings before each sweep
    overrelaxation  a number of sweeps of overrelaxation, up to 32, of "xy" and "heisenberg" before each sweep
    tempering    parallel tempering: increasing betas, in place of beta. Every swap_every sweeps systems at neighbouring betas are exchanged
                 or not; tempering_tune first places the betas between the ends by so many sweeps. replicas are ladders
    anneal       betas, one after the other, in place of beta: the same systems do all sweeps at each of them. The result has a system for
                 each beta, or for each beta and replica, those of the first beta first
    start        "ordered" or "random" spins
    seed, rng    with "philox" the same seed gives the same spins, bit for bit, on every device

    What is measured and written:

    observables  names, those of the program's --observables (man clup)
    measure      observables of one's own, {name: function}. After each measured sweep the function takes the spins of one system, as
                 "spins" has them, and returns a number
    progress     is called between batches of sweeps, which take about 0.15 s, with the sweeps that are done and all of them. If it returns
                 False, the run ends there. If it raises, or at Ctrl-C, so does this function, and the exception has as its
                 attribute result what was found until then
    time_limit   seconds, after which the run ends
    checkpoint   a file, F.h5, from which clup.resume goes on, and so does the program: written every save_every seconds (60), and
                 at the end, also by an exception; with anneal and with measure there is none
    series       a file, F.h5 or F.csv, of all measured values (doc/guide/analysis.md), written as often

    Returns a Result, a dictionary {"beta": .., "sweeps": .., "device": .., "complete": .., "spins": array of the shape} and, for each
    observable, {"mean": .., "error": .., "tau_int": .., "low": .., "high": .., "series": float64 array}: errors are one standard deviation
    with correlations, tau_int is in measured sweeps, low and high are the ends of an interval of 95 %. Of several systems all of these are
    lists, replica by replica. Observables with several values, such as correlation_x, have arrays and "at", the place of each, in place
    of "series". sweeps is the number of those done after thermalization, and complete tells whether these are all.
    "averages" has, for each beta that several systems have, {"beta": .., "systems": .., "samples": ..} and {"mean": .., "error": ..,
    "chi2": .., "probability": ..} of each observable: over samples of disorder, or over equal systems, with chi^2 of these among each
    other (clup_simulation_averages in clup/simulation.h).
    "tempering" has the shares of exchanges and round trips, as the program's JSON has them.
    spins are states, uint8; of "xy" angles, of "heisenberg" components with a last axis of 3, both float64. Vacant sites
    (disorder="site-dilute=P") are 255 or nan.

    >>> found = simulate(16, sweeps=400, seed=3)
    >>> found["spins"].shape, len(found["energy"]["series"])
    ((16, 16), 400)
    >>> abs(found["energy"]["mean"] + 1.7265324) < 5 * found["energy"]["error"]
    True
    """
    system = dict(model=model, q=q, beta=beta, lattice=lattice, periodic=periodic, every=every, observables=observables, algorithm=algorithm,
                  heat_bath=heat_bath, houdayer=houdayer, overrelaxation=overrelaxation, seeds_per_side=seeds_per_side, p_flip=p_flip, rng=rng,
                  start=start, replicas=replicas, seed=seed, bond_couplings=bond_couplings, tempering=tempering, swap_every=swap_every,
                  tempering_tune=tempering_tune, measure=measure, device=device, **fields)
    sweeps, thermalize = whole(sweeps, "sweeps", 0, 2**64 - 1), whole(thermalize, "thermalize", 0, 2**64 - 1)
    checkpoint, series = _files_of(checkpoint, series)
    if save_every is not None and checkpoint is None and series is None:
        raise UsageError("save_every goes with checkpoint or series: there is nothing else to save")
    if checkpoint is not None and rng != "philox":
        raise UsageError("a checkpoint goes with rng 'philox', not %r" % (rng,))
    if checkpoint is not None and measure:
        raise UsageError("a checkpoint does not contain the values of measure")
    if anneal is not None:
        for name, value in ("beta", beta), ("tempering", tempering), ("checkpoint", checkpoint), ("series", series):
            if value is not None:
                raise UsageError("%s does not go with anneal" % name)
        anneal = numbers(anneal, "anneal")
        system["beta"] = float(anneal[0])
        end = math.inf if time_limit is None else time.monotonic() + seconds(time_limit, "time_limit")
        with Simulation(shape, **system) as simulation:
            return _annealed(simulation, anneal, thermalize, sweeps, progress, end)
    with Simulation(shape, **system) as simulation:
        return _Run(simulation, thermalize, sweeps, progress, checkpoint, save_every, series, time_limit).result()


def resume(path, *, sweeps=None, progress=None, checkpoint=None, save_every=None, series=None, time_limit=None, observables=None,
           bond_couplings=None, graph=None, device=None):
    """Goes on with a simulation from its checkpoint, of clup.simulate, Simulation.save or the program, as clup resume does.

    path        the checkpoint, which is replaced by later ones, unless checkpoint names another file
    sweeps      measured in all; None is as many as were asked for. More of them extend a simulation that is complete
    observables, bond_couplings, graph, device  as for Simulation.load
    progress, save_every, series, time_limit    as for simulate

    Returns what simulate returns, of the whole simulation: bit for bit as if it had not been interrupted. UsageError for checkpoints that
    Simulation.load refuses.
    """
    checkpoint, series = _files_of(path if checkpoint is None else checkpoint, series)
    with Simulation.load(path, observables=observables, bond_couplings=bond_couplings, graph=graph, device=device) as simulation:
        thermalize = simulation._asked.get("thermalize", 0)
        done = max(simulation.sweeps - thermalize, 0)
        asked = simulation._asked.get("sweeps", done) if sweeps is None else whole(sweeps, "sweeps", 0, 2**64 - 1)
        if asked < done:
            raise UsageError("sweeps = %d: %r has %d sweeps already" % (asked, os.fspath(path), done))
        return _Run(simulation, thermalize, asked, progress, checkpoint, save_every, series, time_limit).result()
