# SPDX-License-Identifier: BSD-3-Clause
"""Simulations of spin models: step by step, or as a whole."""
import math
import os
import re
import threading

import numpy as np

from ._library import (Error, UsageError, check, ends, ffi, give_device, index_of, lib, made, names_of, numbers, real, take_device, text,
                       values_of, watch, whole, with_progress)
from ._problems import betas_of, made_couplings, problem_on, put_betas, put_spins, vacancies_of
from ._result import gathered

_STARTS = ["ordered", "random"]
# what checkpoints begin with: those of simulations, and those of percolation, which the program alone writes
_CHECKPOINT, _PERCOLATION = b"clup/checkpoint/", b"clup/percolation/"
# the names by which Result and the library have other things
_TAKEN = ("beta", "sweeps", "device", "spins", "averages", "tempering", "complete")


def _method(algorithm, heat_bath, houdayer, overrelaxation, seeds_per_side, p_flip, rng):
    method = ffi.new("clup_method *")
    method.algorithm = index_of(names_of(lib.clup_algorithm_name), algorithm, "algorithm")
    method.heat_bath = whole(heat_bath, "heat_bath", 0, 2**32 - 1)
    method.houdayer = whole(houdayer, "houdayer", 0, 2**64 - 1)
    method.overrelaxation = whole(overrelaxation, "overrelaxation", 0, 2**64 - 1)
    few = algorithm == "few-cluster"
    for name, value in ("seeds_per_side", seeds_per_side), ("p_flip", p_flip):
        if value is not None and not few:
            raise UsageError("%s goes with algorithm 'few-cluster', not %r" % (name, algorithm))
    if few:
        method.seeds_per_side = 4 if seeds_per_side is None else whole(seeds_per_side, "seeds_per_side", 0, 2**32 - 1)
        method.p_flip = 0.9 if p_flip is None else real(p_flip, "p_flip")
    method.rng = lib.clup_rng_name(index_of(names_of(lib.clup_rng_name), rng, "rng"))
    return method


def _names_of(observables):
    """Names of observables, of one or of a sequence; UsageError for what is none."""
    names = [observables] if isinstance(observables, str) else list(observables)
    known = names_of(lib.clup_observable_name)
    for name in names:
        index_of(known, name, "observable")
    return list(dict.fromkeys(names))


def _estimate(found):
    return {"mean": found.mean, "error": found.error, "tau_int": found.tau_int, "low": found.low, "high": found.high}


def _functions_of(measure):
    """Functions of spins by their names, which are those of nothing else."""
    if measure is not None and not isinstance(measure, dict):
        raise UsageError("measure is no dictionary of functions: {name: function}")
    functions = dict(measure or {})
    for name, function in functions.items():
        if not isinstance(name, str) or not name or name in _TAKEN or name in names_of(lib.clup_observable_name):
            raise UsageError("measure: %r is the name of something else, or none" % (name,))
        if not callable(function):
            raise UsageError("measure: %r is no function of spins" % name)
    return functions


def _number_of(name, found):
    """What a function of measure returned, as a float."""
    if np.ndim(found) == 0 and np.asarray(found).dtype.kind in "biuf":
        return float(found)
    raise UsageError("measure: %r returns %r, which is no number" % (name, found))


def _output(path, what, extensions):
    """The path of a file that is to be written, and the first bytes of one that is there already. Error where it cannot be written."""
    path = os.fspath(path)
    if not path.endswith(extensions):
        raise UsageError("the %s %r: the extension is not %s" % (what, path, " or ".join(extensions)))
    if path.endswith(".h5") and lib.clup_hdf5_version() == ffi.NULL:
        raise UsageError("the %s %r: this libclup was built without HDF5" % (what, path))
    try:
        with open(path, "rb") as file:
            first = file.read(max(len(_CHECKPOINT), len(_PERCOLATION)))
    except FileNotFoundError:
        first = b""
    except OSError as error:
        raise Error("the %s %r: %s" % (what, path, error.strerror)) from None
    if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
        raise Error("the %s %r: its folder cannot be written to" % (what, path))
    return path, first


def checkpoint_path(path):
    """A path for a checkpoint, if it can be written there, and replaces nothing but one of a simulation."""
    path, first = _output(path, "checkpoint", (".h5",))
    if first.startswith(_PERCOLATION):
        raise UsageError("the checkpoint %r: there is a checkpoint of clup percolate" % path)
    if first and not first.startswith(_CHECKPOINT):
        raise UsageError("the checkpoint %r: there is a file that is no checkpoint" % path)
    return path


def series_path(path, checkpoint=None):
    """A path for series, if they can be written there, and replace no checkpoint, nor the file of one."""
    path, first = _output(path, "series", (".h5", ".csv"))
    if first.startswith((_CHECKPOINT, _PERCOLATION)) or checkpoint is not None and os.path.realpath(path) == os.path.realpath(checkpoint):
        raise UsageError("the series %r: there is a checkpoint" % path)
    return path


class Simulation:
    """A simulation of a spin model, to be run step by step.

    The arguments are those of clup.simulate but for sweeps, thermalize and what is about a whole run. observables are measured in
    one of every measured sweeps. measure has observables of one's own: {name: function}. Each function takes the spins of one system, as
    the attribute spins has them (read-only), after a measured sweep, and returns a number.

    A simulation has a device context to itself. It may be used by any thread, by one at a time: others wait; only stop() does not.
    It is closed by close(), at the end of a with block, or when it is no longer used.

    >>> with Simulation(16, beta=0.9, seed=2, measure={"rows": lambda spins: (spins == spins[:, :1]).all(axis=1).mean()}) as simulation:
    ...     done = simulation.sweep(50)
    ...     done = simulation.measure(200)
    ...     simulation.sweeps, simulation.series("energy").shape, 0 < simulation.result()["rows"]["mean"] < 1
    (250, (200,), True)
    """

    def __init__(self, shape, *, model="potts", q=2, beta=None, lattice="square", periodic=True, every=1, observables=("energy", "abs_m"),
                 algorithm="sw", heat_bath=0, houdayer=0, overrelaxation=0, seeds_per_side=None, p_flip=None, rng="philox", start="ordered",
                 replicas=1, seed=1, bond_couplings=None, tempering=None, swap_every=1, tempering_tune=0, measure=None, device=None, **fields):
        problem, shape = problem_on(shape, lattice, periodic)
        replicas, seed, every = whole(replicas, "replicas", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1), whole(every, "every", 1, 2**32 - 1)
        swap_every = whole(swap_every, "swap_every", 1, 2**64 - 1)
        tune = whole(tempering_tune, "tempering_tune", 0, 2**64 - 1)
        put_spins(problem, shape, model, q, bond_couplings, fields)
        if tempering is not None and beta is not None:
            raise UsageError("beta and tempering both say which temperatures there are")
        if tempering is None and (swap_every != 1 or tune):
            raise UsageError("%s is for tempering" % ("tempering_tune" if tune else "swap_every"))
        asked = beta if tempering is None else numbers(tempering, "tempering")
        betas = np.repeat(betas_of(problem, asked, lattice, model, fields), replicas)
        put_betas(problem, betas)
        method = _method(algorithm, heat_bath, houdayer, overrelaxation, seeds_per_side, p_flip, rng)
        names, functions, first = _names_of(observables), _functions_of(measure), index_of(_STARTS, start, "start")

        def create(context, out):
            if tune:
                check(lib.clup_tempering_tune(context, problem, method, ffi.NULL, seed, tune, ffi.cast("double *", betas.ctypes.data)))
            return lib.clup_simulation_create(context, problem, method, ffi.NULL, seed, first, out)

        self._begin(create, device, problem, method, shape, betas, np.ndim(asked) > 0 or replicas > 1, seed, every, names, functions)
        try:
            chosen = [*map(self._number, names)]
            check(lib.clup_simulation_observe(self._handle, chosen, len(chosen), every))
            if tempering is not None:
                check(lib.clup_simulation_temper(self._handle, swap_every))
        except BaseException:
            self.close()
            raise
        self._said = {"start": start, "seed_from": "given", "tempering_tune": tune or None, "swap_every": swap_every if tempering is not None else None}

    def _begin(self, create, device, problem, method, shape, betas, several, seed, every, names, functions):
        """Takes a device, makes the simulation on it, and keeps what is known of it."""
        self._selector, self._lock, self._stop, self._running = device, threading.RLock(), threading.Event(), False
        self._problem, self._method, self._shape, self._betas, self._several, self._seed = problem, method, shape, betas, several, seed
        self._every, self._names, self._functions = every, names, functions
        # values of functions, (functions, systems) for each sweep measured from number _own_from on
        self._unmeasured, self._own, self._own_from = 0, [], 0
        self._vacant, self._kept = vacancies_of(problem, shape, len(betas)), None
        self._host = take_device(device)
        self._handle = None
        try:
            out = ffi.new("clup_simulation **")
            watch()
            check(create(self._host.context, out))
            self._handle = out[0]
        finally:
            if self._handle is None:
                give_device(device, self._host)

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Frees the simulation; later calls of other methods are a UsageError. Closing twice does no harm."""
        with self._lock:
            if self._running:
                raise UsageError("a simulation that runs is not closed: stop() ends it")
            handle, self._handle = self._handle, None
            if handle is not None:
                lib.clup_simulation_free(handle)
                give_device(self._selector, self._host)

    def _open(self):
        if self._handle is None:
            raise UsageError("the simulation is closed")
        return self._handle

    # ---- what it is ----------------------------------------------------------------------------

    @staticmethod
    def _number(name):
        number = ffi.new("clup_observable *")
        check(lib.clup_observable_named(name.encode(), number))
        return number[0]

    @property
    def shape(self):
        """Sites along each axis, in numpy's order."""
        return self._shape

    @property
    def betas(self):
        """Inverse temperatures of all systems, a new float64 array. Setting it (one number, or one for each system) drops what was
        measured; spins stay. ln Z by population annealing takes resample() in its place."""
        return self._betas.copy()

    @betas.setter
    def betas(self, betas):
        with self._lock:
            handle = self._open()
            given = numbers(betas, "betas")
            if given.size not in (1, self._betas.size):
                raise UsageError("there are %d betas for %d systems" % (given.size, self._betas.size))
            given = np.ascontiguousarray(np.broadcast_to(given, self._betas.shape))
            check(lib.clup_simulation_set_betas(handle, ffi.cast("double *", given.ctypes.data)))
            self._set_betas(given)

    def _set_betas(self, betas):
        self._betas[:] = betas
        # the sweeps before are now as thermalization
        self._unmeasured, self._own, self._own_from = self.sweeps, [], 0

    @property
    def device(self):
        """The name of the device."""
        return self._host.name

    @property
    def sweeps(self):
        """The number of sweeps that were done, measured or not."""
        with self._lock:
            return int(lib.clup_simulation_sweeps(self._open()))

    @property
    def measured(self):
        """The number of measured values of each series."""
        with self._lock:
            return int(lib.clup_simulation_measured(self._open()))

    @property
    def spins(self):
        """The spins, an array (*shape), of several systems (systems, *shape): states as uint8; angles of "xy" from 0 to 2 pi, components of
        "heisenberg" with a last axis of 3, both float64. Vacant sites and holes are 255 or nan.

        The library copies them once from the device into the array, and vectors are converted once more. The array is read-only and stays
        as it is; until the next sweep it is the same one.

        Setting it sets the state, for checkpoints and starts of one's own: states below q, angles, or vectors of length 1.
        """
        found = self._all_spins()
        return found if self._several else found[0]

    @spins.setter
    def spins(self, spins):
        with self._lock:
            handle, each = self._open(), int(lib.clup_spin_bytes(self._problem)) // 4
            wanted = (len(self._betas), *self._shape, *([3] if each == 3 else []))
            given = np.asarray(spins)
            if given.shape != (wanted if self._several else wanted[1:]):
                raise UsageError("spins have the shape %s, not %s" % (wanted if self._several else wanted[1:], given.shape))
            given = given.reshape(wanted)
            if self._vacant is not None:
                given = given.copy()
                given[self._vacant] = [0, 0, 1] if each == 3 else 0
            if not each and (given.dtype.kind not in "biu" or (given < 0).any() or (given > 255).any()):
                raise UsageError("spins are states, whole numbers from 0 to q - 1")
            if each and (given.dtype.kind not in "biuf" or not np.isfinite(given).all()):
                raise UsageError("spins are angles or vectors, which are finite numbers")
            if each == 1:
                given = np.rint(given * (2**32 / (2 * np.pi))).astype(np.int64).astype(np.uint32)
            elif each == 3:
                given = np.rint(np.clip(given, -1.5, 1.5) * 2.0**30).astype(np.int32)
            given = np.ascontiguousarray(given, None if each else np.uint8)
            check(lib.clup_simulation_set_state(handle, self.sweeps, ffi.cast("uint8_t *", values_of(given))))
            self._kept = None

    def _all_spins(self):
        with self._lock:
            handle, sweeps = self._open(), self.sweeps
            if self._kept is None or self._kept[0] != sweeps:
                each = int(lib.clup_spin_bytes(self._problem)) // 4
                spins = np.empty((len(self._betas), *self._shape, *([3] if each == 3 else [])), {0: np.uint8, 1: np.uint32, 3: np.int32}[each])
                check(lib.clup_simulation_spins(handle, ffi.cast("uint8_t *", values_of(spins))))
                if each:
                    spins = spins * (2 * np.pi / 2**32 if each == 1 else 2.0**-30)
                if self._vacant is not None:
                    spins[self._vacant] = np.nan if each else 255
                spins.flags.writeable = False
                self._kept = sweeps, spins
            return self._kept[1]

    def _own_spins(self):
        """The spins as an array that nobody else has."""
        with self._lock:
            handed = self._kept is not None and self._kept[0] == self.sweeps
            spins = self._all_spins()
            if handed:
                spins = spins.copy()
            else:
                self._kept = None
            spins.flags.writeable = True
            return spins if self._several else spins[0]

    # ---- running -------------------------------------------------------------------------------

    def sweep(self, sweeps=1, progress=None):
        """Does sweeps that are not measured. Returns how many were done.

        progress(done, sweeps) is called between batches of sweeps, which take about 0.15 s. If it returns False the run stops there; if it
        raises, or at Ctrl-C, the run stops and the exception is raised. The sweeps that are done stay done, and the simulation can go on.
        """
        return self._run(whole(sweeps, "sweeps", 0, 2**64 - 1), False, progress)

    def measure(self, sweeps=1, progress=None):
        """Does sweeps of which one of every is measured, as sweep() does them. Returns how many were done."""
        return self._run(whole(sweeps, "sweeps", 0, 2**64 - 1), True, progress)

    def stop(self):
        """Ends the run that another thread is doing, or the next one, after the sweeps that have begun. It does not wait for that."""
        self._stop.set()

    def _run(self, sweeps, measured, progress):
        with self._lock:
            handle = self._open()
            if self._running:
                raise UsageError("the simulation is running: a progress function does no sweeps of it")
            start, done, over = self.sweeps, 0, []

            def tell(piece, _):
                if ends(progress(done + piece, sweeps)):
                    over.append(True)
                return not over

            self._running, self._kept = True, None
            try:
                while done < sweeps and not over:
                    # functions see the spins after each measured sweep
                    away = self._every - (start + done - self._unmeasured) % self._every
                    piece = min(sweeps - done, away) if measured and self._functions else sweeps - done
                    try:
                        if not with_progress(lib.clup_simulation_run, handle, piece, measured, tell=progress and tell, stop=self._stop):
                            break
                    finally:
                        self._call_functions()
                    done = self.sweeps - start
            finally:
                self._call_functions()
                self._running = False
                self._stop.clear()
                done = self.sweeps - start
                if not measured:
                    self._unmeasured += done
            return done

    def _call_functions(self):
        """Calls the functions of measure, if a sweep was measured since the last time. One that fails leaves NaNs there; after Ctrl-C they
        are to be called again."""
        if not self._functions or self.measured == self._own_from + len(self._own):
            return
        values = np.full((len(self._functions), len(self._betas)), np.nan)
        try:
            for system, spins in enumerate(self._all_spins()):
                for k, (name, function) in enumerate(self._functions.items()):
                    values[k, system] = _number_of(name, function(spins))
        except Exception:
            self._own.append(values)
            raise
        self._own.append(values)

    def resample(self, beta):
        """A step of population annealing: draws as many systems anew from these, each about as often as its weight at another beta says
        (K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200 (2003)), and takes all to that beta. What was measured is dropped.

        Returns the number of the system of which each is now a copy, uint32 (systems,), and ln(Z(beta)/Z(beta before)), of which the sum
        over steps estimates ln Z. All systems have one finite beta before, without tempering, or it is a UsageError.
        """
        with self._lock:
            handle, sources, ratio = self._open(), np.empty(len(self._betas), np.uint32), ffi.new("double *")
            watch()
            check(lib.clup_simulation_resample(handle, real(beta, "beta"), ffi.cast("uint32_t *", sources.ctypes.data), ratio))
            self._kept = None
            self._set_betas(float(beta))
            return sources, ratio[0]

    # ---- what was found ------------------------------------------------------------------------

    def series(self, name):
        """The measured values of an observable, or of a function of measure, float64 (values,); of several systems (systems, values). Of
        functions of means, such as binder, they are the jackknife's pseudo-values.

        The library copies them once. UsageError for another name, and for observables with several values, which have estimates alone.
        """
        with self._lock:
            found = np.array([self._series(name, system) for system in range(len(self._betas))])
            return found if self._several else found[0]

    def _series(self, name, system):
        if name in self._functions:
            place = [*self._functions].index(name)
            return np.array([values[place, system] for values in self._own], float)
        index_of([*self._functions, *names_of(lib.clup_observable_name)], name, "observable")
        number, count = self._number(name), self.measured
        values = np.empty(count)
        if count:
            check(lib.clup_simulation_series(self._open(), system, number, 0, count, values_of(values)))
        return values

    def _vector(self, name, system):
        """An observable with several values; nothing where it was not measured."""
        number = self._number(name)
        length = lib.clup_simulation_vector_length(self._open(), number)
        at, estimates = np.empty(length), ffi.new("clup_estimate[]", max(length, 1))
        if length:
            check(lib.clup_simulation_vector(self._open(), system, number, values_of(at), estimates))
        columns = {key: np.array([getattr(one, key) for one in estimates[0:length]]) for key in ("mean", "error", "tau_int", "low", "high")}
        return {"at": at, **columns}

    def result(self):
        """What was found until now, a Result as clup.simulate returns it; "sweeps" are those that were measured, or passed over by every."""
        with self._lock:
            handle, count, systems = self._open(), self.measured, []
            watch()
            several = [name for name in self._names if lib.clup_observable_has_values(self._number(name))]
            single = [name for name in self._names if name not in several]
            numbers_of = [*map(self._number, single)]
            estimates, analysis = ffi.new("clup_estimate[]", max(len(single), 1)), ffi.new("clup_analysis *")
            for system in range(len(self._betas) if count else 0):
                if single:
                    check(lib.clup_simulation_estimates_of(handle, numbers_of, len(single), system, 1, estimates))
                found = {name: {**_estimate(estimate), "series": self._series(name, system)} for name, estimate in zip(single, estimates)}
                found.update({name: self._vector(name, system) for name in several})
                for name in self._functions if self._own else ():
                    values = self._series(name, system)
                    check(lib.clup_analysis_of(values_of(values), len(values), analysis))
                    found[name] = {**_estimate(analysis), "series": values}
                systems.append(found)
            common = {"beta": self._betas.tolist() if self._several else float(self._betas[0]), "sweeps": self.sweeps - self._unmeasured,
                      "device": self.device, "spins": self._own_spins()}
            averages, tempering = self._averages(single, numbers_of) if count else [], self._tempering()
            found = gathered(systems or [{}], self._several, **common, **({"averages": averages} if averages else {}),
                             **({"tempering": tempering} if tempering else {}))
            found.model, found.states = self._problem.model, self._problem.q
            return found

    def _averages(self, names, chosen):
        """Averages over systems with the same beta, for each beta that several have."""
        averages = []
        for first in np.unique(self._betas, return_index=True)[1]:
            if (self._betas == self._betas[first]).sum() < 2 or not names:
                continue
            found, counts = ffi.new("clup_average[]", len(chosen)), ffi.new("uint32_t[2]")
            check(lib.clup_simulation_averages(self._open(), int(first), chosen, len(chosen), found, counts, counts + 1))
            averages.append({"beta": float(self._betas[first]), "systems": counts[0], "samples": counts[1],
                             **{name: {"mean": average.estimate.mean, "error": average.estimate.error, "chi2": average.chi2,
                                       "probability": average.probability} for name, average in zip(names, found)}})
        return averages

    def _tempering(self):
        """What tempering has done, as the program's JSON has it; None without tempering."""
        handle, whole_of, rung, walker = self._open(), ffi.new("clup_tempering *"), ffi.new("clup_rung *"), ffi.new("clup_walker *")
        check(lib.clup_simulation_tempering(handle, whole_of))
        if whole_of.rungs == 0:
            return None
        rungs, systems, first = [], [], self._problem.first_replica
        for replica in range(len(self._betas)):
            check(lib.clup_simulation_rung(handle, replica, rung))
            check(lib.clup_simulation_walker(handle, replica, walker))
            rungs.append((rung.attempts, rung.accepted))
            systems.append({"system": first + replica, "replica": first + walker.replica, "round_trips": walker.round_trips})
        betas, pairs = self._betas[::whole_of.ladders].tolist(), []
        for k in range(whole_of.rungs - 1):
            attempts, accepted = np.sum(rungs[k * whole_of.ladders:(k + 1) * whole_of.ladders], axis=0).tolist()
            pairs.append({"beta": betas[k], "next_beta": betas[k + 1], "attempts": attempts, "accepted": accepted,
                          "acceptance": accepted / attempts if attempts else math.nan})
        return {"ladders": whole_of.ladders, "rungs": whole_of.rungs, "swap_every": whole_of.every, "round_trips": whole_of.round_trips,
                "betas": betas, "pairs": pairs, "systems": systems}

    # ---- files ---------------------------------------------------------------------------------

    def _record(self, sweeps=None, thermalize=None):
        """A record with the keys that the program writes, without series."""
        record = made("record", lib.clup_record_create, self._problem)
        info, method = lib.clup_context_device(self._host.context), self._method
        thermalize = self._unmeasured if thermalize is None else thermalize
        keys = {"version": text(lib.clup_version()), "device": text(info.name), "platform": text(info.platform), "driver": text(info.driver),
                "measured": ",".join(self._names), "seed": self._seed, "thermalize": thermalize, "every": self._every,
                "sweeps": self.sweeps - self._unmeasured if sweeps is None else sweeps, "first_sweep": thermalize + self._every,
                "algorithm": text(lib.clup_algorithm_name(method.algorithm)),
                "rng": text(method.rng), "heat_bath": method.heat_bath or None, "houdayer": method.houdayer or None,
                "overrelaxation": method.overrelaxation or None, **self._said}
        for key, value in keys.items():
            if value is not None:
                check(lib.clup_record_set(record, key.encode(), str(value).encode()))
        return record

    def save(self, path):
        """Writes a checkpoint, F.h5, from which load(), clup.resume and the program's clup resume go on, bit for bit, on any device. An
        existing checkpoint is replaced when the new one is complete; another file is refused.

        It does not have the functions of measure and their values. UsageError without HDF5, as in a wheel, and for a rng other than
        philox; Error where the file cannot be written.
        """
        self._save(checkpoint_path(path))

    def _save(self, path, sweeps=None, thermalize=None):
        with self._lock:
            check(lib.clup_simulation_save(self._open(), self._record(sweeps, thermalize), os.fsencode(path)))

    def record(self):
        """The library's record of all series, for clup.analyse."""
        with self._lock:
            record = self._record()
            check(lib.clup_record_take(record, self._open()))
            return record

    def write_series(self, path):
        """Writes the series of everything that was measured, F.h5 or F.csv, as the program's --series does; functions of measure are not
        in it. UsageError for another extension, and for .h5 without HDF5."""
        with self._lock:
            record, systems = self.record(), len(self._betas)
            hashes = ffi.new("char[][65]", systems)
            check(lib.clup_simulation_hash(self._open(), 1, hashes))
            for system in range(systems):
                check(lib.clup_record_set_spins(record, system, hashes[system]))
            check(lib.clup_record_write(record, os.fsencode(series_path(path))))

    @classmethod
    def load(cls, path, *, observables=None, measure=None, bond_couplings=None, graph=None, device=None):
        """A simulation that goes on from a checkpoint, of save(), clup.simulate or the program.

        observables     what result() has; None is what was asked for
        measure         functions of spins, which measure from here on
        bond_couplings  the couplings of single bonds that it had, which the file does not contain
        graph           of a simulation on a graph, the csgraph that it had; its couplings, such as "weights", are bond_couplings

        Error for a file that cannot be read, is damaged or is no checkpoint; UsageError without HDF5, and for one of the program's runs
        with --thermalize auto or --until, with which clup resume goes on.
        """
        # the library finds graphs and couplings that the file names among those that were made
        if graph is not None:
            from .graph import edges_of  # which needs this module
            edges, bond_couplings = edges_of(graph, bond_couplings)
            edges.made()
        if bond_couplings is not None:
            couplings = np.ascontiguousarray(bond_couplings, float)
            made_couplings(couplings.reshape(1, -1) if couplings.ndim == 1 else couplings)
        checkpoint = made("checkpoint", lib.clup_checkpoint_read, os.fsencode(path))
        problem = ffi.new("clup_problem *", lib.clup_checkpoint_problem(checkpoint)[0])
        method = ffi.new("clup_method *", lib.clup_checkpoint_method(checkpoint)[0])
        count = problem.replicas or 1
        betas = np.array([problem.betas[k] if problem.betas != ffi.NULL else problem.beta for k in range(count)])
        put_betas(problem, betas)
        if method.rng == ffi.NULL:
            method.rng = lib.clup_rng_name(0)
        said = {key: text(lib.clup_record_get(lib.clup_checkpoint_said(checkpoint), key.encode()))
                for key in ("start", "seed_from", "tempering_tune", "swap_every", "measured", "thermalize", "sweeps", "until")}
        for key in "thermalize", "until":
            if said[key] is not None and not said[key].isdecimal():
                raise UsageError("%r is of a run with --%s %s, which is for the program: clup resume goes on with it"
                                 % (os.fspath(path), key, said[key]))
        names = _names_of(observables if observables is not None else
                          list(dict.fromkeys((said["measured"] or "energy,abs_m").split(","))))
        self = cls.__new__(cls)
        self._begin(lambda context, out: lib.clup_simulation_load(context, checkpoint, ffi.NULL, out), device, problem, method,
                    _shape_of(problem), betas, count > 1, lib.clup_checkpoint_seed(checkpoint), lib.clup_checkpoint_every(checkpoint), names,
                    _functions_of(measure))
        self._said = {key: said[key] for key in ("start", "seed_from", "tempering_tune", "swap_every")}
        self._asked = {key: int(said[key]) for key in ("thermalize", "sweeps") if said[key] is not None}
        self._unmeasured = min(self.sweeps, self._asked.get("thermalize", 0))
        self._own_from = self.measured
        return self


class Population:
    """The systems of a Simulation as a population: annealing, with errors by the families of systems that descend from one.

    >>> simulation = Simulation(8, beta=0, replicas=50, start="random", seed=3)
    >>> population = Population(simulation)
    >>> for beta in 0.2, 0.4:
    ...     population.resample(beta)
    ...     _ = simulation.measure(4)
    >>> found = population.step()
    >>> found["families"] <= 50 and 25 < found["ln_z"] < 35 and found["ln_z_error"] < 1
    True
    """

    def __init__(self, simulation):
        """Begins with the systems as they are, each a family of its own; ln Z counts from there. All have one finite beta, without
        tempering, or resample is a UsageError."""
        self._simulation = simulation
        with simulation._lock:
            self._handle = made("population", lib.clup_population_create, simulation._open())

    def resample(self, beta):
        """A step of population annealing to another beta, as of Simulation.resample. Measure some sweeps between steps."""
        simulation = self._simulation
        with simulation._lock:
            simulation._open()
            watch()
            check(lib.clup_population_resample(self._handle, real(beta, "beta")))
            simulation._kept = None
            simulation._set_betas(float(beta))

    def step(self):
        """What the population has at its present beta: {"beta": .., "energy": {"mean": .., "error": ..}, "ln_z": .., "ln_z_error": ..,
        "families": .., "rho": .., "effective": .., "collapsed": ..}. The error of the energy counts what systems of one family have in
        common. ln_z is ln Z less ln Z of the first beta. rho is the mean size of the family of a system, effective how many families
        of that size there are; of a population that has collapsed they are fewer than 5, and ln_z is too small. Of a step without
        measured sweeps energy and errors are nan."""
        step = ffi.new("clup_population_step *")
        with self._simulation._lock:
            self._simulation._open()
            check(lib.clup_population_take(self._handle, step))
        return {"beta": step.beta, "energy": {"mean": step.energy, "error": step.error}, "ln_z": step.ln_z, "ln_z_error": step.ln_z_error,
                "families": int(step.families), "rho": step.rho, "effective": step.effective, "collapsed": bool(step.collapsed)}


def _shape_of(problem):
    """The shape of the spins of a checkpoint's problem."""
    if problem.graph == ffi.NULL:
        return tuple(problem.size[0:lib.clup_lattice_axes(problem.lattice)])[::-1]
    called = re.search(r" (\d+(?:x\d+)*), (?:periodic|open[^,]*)$", text(lib.clup_graph_called(problem.graph)) or "")
    if called is None:
        return (problem.size[0],)
    size = tuple(map(int, called.group(1).split("x")))[::-1]
    sites = problem.size[0] // math.prod(size)
    return (*size, *([sites] if sites > 1 else []))
