# SPDX-License-Identifier: BSD-3-Clause
"""Simulations of spin models, and percolation."""
import os

import numpy as np

from ._library import (UsageError, check, device_of, ffi, index_of, lib, made, names_of, numbers, set_axes, set_fields,
                       values_of, whole)

_KINDS = {"bond": "CLUP_BOND_PERCOLATION", "site": "CLUP_SITE_PERCOLATION"}

_SPINS = {"clock": "CLUP_CLOCK", "heisenberg": "CLUP_HEISENBERG", "ising": "CLUP_ISING", "potts": "CLUP_POTTS", "xy": "CLUP_XY"}
_STARTS = ["ordered", "random"]


def model_of(kind):
    """The model of a kind of percolation."""
    return getattr(lib, [*_KINDS.values()][index_of([*_KINDS], kind, "kind")])


class Edges:
    """What takes the place of a shape where a graph does that of a lattice: its vertices, and both ends of each edge."""

    def __init__(self, vertices, ends, dtype):
        self.vertices, self.ends, self.dtype = vertices, ends, dtype

    def put_into(self, problem):
        edges = ffi.new("clup_edges *", {"vertices": self.vertices, "edges": len(self.ends), "dtype": self.dtype,
                                         "ends": values_of(self.ends)})
        kept = ffi.new("clup_graph **")
        check(lib.clup_graph_make(edges, kept))
        lib.clup_problem_set_graph(problem, kept[0])


def _put_cells(problem, lattice, shape, periodic):
    """Puts a lattice of cells into a problem. Returns the shape of its spins."""
    size = [whole(length, "shape", 1, 2**32 - 1) for length in np.ravel(np.asarray(shape, object))][::-1]
    if isinstance(periodic, str):
        raise UsageError("periodic is a flag, or one for each axis, of the lattice %r" % lattice)
    flags = [bool(flag) for flag in np.ravel(periodic)]
    if len(flags) not in (1, len(size)):
        raise UsageError("periodic has %d flags for %d axes" % (len(flags), len(size)))
    flags = (flags * len(size) if len(flags) == 1 else flags)[::-1]
    kept = ffi.new("clup_graph **")
    check(lib.clup_graph_of_lattice(os.fsencode(lattice), size, len(size), sum(1 << axis for axis, flag in enumerate(flags) if not flag), kept))
    # the library takes one number for all axes of a file: here spins have a shape, and axes are open or not
    axes = lib.clup_graph_axes(kept[0])
    if axes != len(size):
        raise UsageError("shape has %d axes, the lattice %r has %d" % (len(size), lattice, axes))
    lib.clup_problem_set_graph(problem, kept[0])
    sites = problem.size[0] // int(np.prod(size, dtype=object))
    return (*size[::-1], *([sites] if sites > 1 else []))


def _problem(shape, lattice, periodic):
    problem = ffi.new("clup_problem *")
    if isinstance(shape, Edges):
        shape.put_into(problem)
        return problem, (shape.vertices,)
    if lattice == "hypercubic" or str(lattice).endswith(".toml"):
        return problem, _put_cells(problem, lattice, shape, periodic)
    problem.lattice = index_of(names_of(lib.clup_lattice_name), lattice, "lattice")
    axes = lib.clup_lattice_axes(problem.lattice)
    shape = (shape,) * axes if np.ndim(shape) == 0 else tuple(shape)
    if len(shape) != axes:
        raise UsageError("the lattice %r has %d axes" % (lattice, axes))
    set_axes(problem, shape, periodic)
    return problem, shape


def _result(systems, several, **common):
    """What was found, and what all systems have in common: of several a list of each value."""
    if not several:
        return {**common, **systems[0]}
    return {**common, **{name: {key: [system[name][key] for system in systems] for key in values}
                         for name, values in systems[0].items()}}


def simulate(shape, *, model="potts", q=2, beta=None, lattice="square", periodic=True, sweeps=1000, thermalize=100, every=1,
             observables=("energy", "abs_m"), algorithm="sw", heat_bath=0, houdayer=0, overrelaxation=0, start="ordered", replicas=1, seed=1, bond_couplings=None, device=None, **fields):
    """Simulates a spin model by clusters (Swendsen and Wang, Wolff) or by the heat bath.

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
    sweeps       measured after thermalize others, one of every
    observables  names, those of the program's --observables (man clup)
    algorithm    "sw", "wolff" or "heat-bath"; heat_bath is a number of sweeps of the heat bath, up to 32, before each of clusters
    houdayer     a number of Houdayer's moves, up to 32, of pairs of systems with one beta and the same couplings before each sweep
    overrelaxation  a number of sweeps of overrelaxation, up to 32, of "xy" and "heisenberg" before each sweep
    replicas     independent systems at each beta
    seed         of Philox: the same seed gives the same spins, bit for bit, on every device
    bond_couplings  J of each bond, an array (directions, *shape), for the bonds from each
                 site along each direction, in the order of clup_lattice_kind in clup/problem.h. Each array is kept until the program ends
    fields       further fields of clup_problem (clup/problem.h), by their names, as clup_problem_set takes them:
                 coupling=[1, -0.5], one for each direction or one for all, disorder="pm=0.5,dilute=0.1", disorder_seed,
                 disorder_samples, field=0.1

    Returns {"beta": .., "sweeps": .., "device": .., "spins": array of the shape} and, for each observable,
    {"mean": .., "error": .., "tau_int": .., "low": .., "high": .., "series": float64 array}: errors are one standard deviation with
    correlations, tau_int is in measured sweeps, low and high are the ends of an interval of 95 %. Of several systems all of these are lists, replica by replica.
    "averages" has, for each beta that several systems have, {"beta": .., "systems": .., "samples": ..} and {"mean": .., "error": ..} of each observable: over
    samples of disorder, or without disorder over systems (clup_simulation_averages in clup/simulation.h).
    spins are states, uint8; of "xy" angles, of "heisenberg" components with a last axis of 3, both float64. Vacant sites
    (disorder="site-dilute=P") are 255 or nan.

    >>> found = simulate(16, sweeps=400, seed=3)
    >>> found["spins"].shape, len(found["energy"]["series"])
    ((16, 16), 400)
    >>> abs(found["energy"]["mean"] + 1.7265324) < 5 * found["energy"]["error"]
    True
    """
    problem, shape = _problem(shape, lattice, periodic)
    if problem.graph != ffi.NULL:
        lattice = "graph"
    q, replicas, seed = whole(q, "q", 0, 2**32 - 1), whole(replicas, "replicas", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    sweeps, thermalize = whole(sweeps, "sweeps", 0, 2**64 - 1), whole(thermalize, "thermalize", 0, 2**64 - 1)
    every = whole(every, "every", 1, 2**32 - 1)
    problem.q = q
    if isinstance(model, str) and model.endswith(".toml"):
        check(lib.clup_problem_set(problem, b"model", os.fsencode(model)))
    else:
        problem.model = getattr(lib, [*_SPINS.values()][index_of([*_SPINS], model, "model")])
    set_fields(problem, fields)
    if bond_couplings is not None:
        couplings = np.ascontiguousarray(bond_couplings)
        if couplings.dtype.kind not in "iuf":
            raise UsageError("bond_couplings has the type %s: it is an array of numbers" % couplings.dtype)
        couplings = couplings.astype(float)
        if problem.graph != ffi.NULL:
            couplings = couplings.reshape(1, -1)
        elif couplings.shape[1:] != tuple(shape):
            raise UsageError("bond_couplings has the shape %s: it is (directions, *shape), shape %s" % (couplings.shape, tuple(shape)))
        kept = ffi.new("clup_bond_couplings **")
        check(lib.clup_bond_couplings_make(values_of(couplings), len(couplings), couplings[0].size, kept))
        problem.bond_couplings = kept[0]
    several = beta is not None and np.ndim(beta) > 0 or replicas > 1
    betas = np.ravel(lib.clup_problem_critical_beta(problem)) if beta is None else numbers(beta, "beta")
    if np.isnan(betas).any():
        raise UsageError("the critical beta of lattice %r with q = %d%s is not known: say beta" % (lattice, q, " and these fields" if fields else "") if model in ("potts", "ising", "clock")
                         else "the critical beta of model %r on lattice %r is not known here: say beta" % (model, lattice))
    betas = np.repeat(betas, replicas)
    problem.replicas, problem.beta, problem.betas = len(betas), betas[0], values_of(betas)
    method = ffi.new("clup_method *")
    method.algorithm = index_of(names_of(lib.clup_algorithm_name), algorithm, "algorithm")
    method.heat_bath = whole(heat_bath, "heat_bath", 0, 2**32 - 1)
    method.houdayer = whole(houdayer, "houdayer", 0, 2**64 - 1)
    method.overrelaxation = whole(overrelaxation, "overrelaxation", 0, 2**64 - 1)
    names = names_of(lib.clup_observable_name)
    known = [name for k, name in enumerate(names) if not lib.clup_observable_has_values(k)]
    chosen = [names.index(known[index_of(known, name, "observable")]) for name in ([observables] if isinstance(observables, str) else observables)]
    first, host = index_of(_STARTS, start, "start"), device_of(device)
    numbers_each = int(lib.clup_spin_bytes(problem)) // 4
    types = {0: np.uint8, 1: np.uint32, 3: np.int32}
    spins = np.empty((len(betas), *shape, *([3] if numbers_each == 3 else [])), types[numbers_each])
    systems = [{} for _ in betas]
    with made("simulation", lib.clup_simulation_create, host.context, problem, method, ffi.NULL, seed, first) as simulation:
        check(lib.clup_simulation_observe(simulation, chosen, len(chosen), every))
        check(lib.clup_simulation_run(simulation, thermalize, 0, ffi.NULL, ffi.NULL))
        check(lib.clup_simulation_run(simulation, sweeps, 1, ffi.NULL, ffi.NULL))
        check(lib.clup_simulation_spins(simulation, ffi.cast("uint8_t *", values_of(spins))))
        count = lib.clup_simulation_measured(simulation)
        estimates = ffi.new("clup_estimate[]", len(chosen))
        for replica, system in enumerate(systems if count else []):
            check(lib.clup_simulation_estimates_of(simulation, chosen, len(chosen), replica, 1, estimates))
            for k, estimate in zip(chosen, estimates):
                series = np.empty(count)
                check(lib.clup_simulation_series(simulation, replica, k, 0, count, values_of(series)))
                system[names[k]] = {"mean": estimate.mean, "error": estimate.error, "tau_int": estimate.tau_int,
                                    "low": estimate.low, "high": estimate.high, "series": series}
        averages = []
        for replica in [k for k in np.unique(betas, return_index=True)[1] if count and (betas == betas[k]).sum() > 1]:
            found, counts = ffi.new("clup_average[]", len(chosen)), ffi.new("uint32_t[2]")
            check(lib.clup_simulation_averages(simulation, int(replica), chosen, len(chosen), found, counts, counts + 1))
            averages.append({"beta": float(betas[replica]), "systems": counts[0], "samples": counts[1],
                             **{names[k]: {"mean": average.mean, "error": average.error} for k, average in zip(chosen, found)}})
        holes = "site-dilute" in str(fields.get("disorder")) or lib.clup_problem_real_sites(problem) < lib.clup_problem_sites(problem)
        if holes:
            vacant = np.empty(spins.shape[: 1 + len(shape)], np.uint8)
            for replica in range(len(betas)):
                check(lib.clup_problem_vacant(problem, replica, values_of(vacant[replica])))
    if numbers_each:
        spins = spins * (2 * np.pi / 2**32 if numbers_each == 1 else 2.0**-30)
    if holes:
        spins[vacant != 0] = np.nan if numbers_each else 255
    return _result(systems, several, beta=betas.tolist() if several else betas[0], sweeps=sweeps, device=host.name,
                   spins=spins if several else spins[0], **({"averages": averages} if averages else {}))


def percolate(shape, p=None, *, kind="bond", lattice="square", periodic=True, samples=100, seed=1, device=None):
    """Draws samples of bond or site percolation, and finds their clusters.

    shape, lattice, periodic, seed and device are as for simulate. p is the probability of a bond or site, or several;
    None is the critical one of the infinite lattice, where it is known (clup_problem_critical_p in clup/problem.h). Samples of a seed are the same on every device, and grow with p.

    Returns {"p": .., "samples": .., "device": ..} and, for each observable (clusters, largest, occupied, mean_size,
    mean_size_rest, wrap_x ..), {"mean": .., "error": .., "values": float64 array}, a value for each sample; of
    several p all of these are lists.

    >>> found = percolate((32, 48), 0.5, samples=50)
    >>> abs(found["clusters"]["mean"] - 0.0980762 - 0.8836 / (32 * 48)) < 5 * found["clusters"]["error"]
    True
    """
    problem, _ = _problem(shape, lattice, periodic)
    problem.model = model_of(kind)
    samples, seed = whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    ps = np.ravel(lib.clup_problem_critical_p(problem)) if p is None else numbers(p, "p")
    if np.isnan(ps).any():
        raise UsageError("the critical p of %s percolation on the lattice %r is not known: say p" % (kind, lattice))
    return drawn_samples(problem, ps, np.ndim(p) > 0, samples, seed, device)


def drawn_samples(problem, ps, several, samples, seed, device):
    """What samples of percolation at probabilities ps have, as percolate() returns it."""
    host = device_of(device)
    problem.replicas = max(1, lib.clup_percolation_batch(host.context, problem, samples))
    known, points = names_of(lib.clup_percolation_observable_name), []
    with made("percolation", lib.clup_percolation_create, host.context, problem, ffi.NULL, seed) as percolation:
        for one in ps:
            values = np.empty((len(known), samples))
            check(lib.clup_percolation_series(percolation, one, 0, samples, ffi.NULL, ffi.NULL, values_of(values)))
            error = values.std(axis=1, ddof=1) / samples**0.5 if samples > 1 else np.full(len(known), np.nan)
            points.append({name: {"mean": float(values[k].mean()), "error": float(error[k]), "values": values[k]}
                           for k, name in enumerate(known) if not np.isnan(values[k]).any()})
    return _result(points, several, p=ps.tolist() if several else float(ps[0]), samples=samples, device=host.name)


def drawn_curves(curves, ps, samples, device):
    """What curves have: means after each step, or at probabilities, of samples that are drawn now."""
    at = np.empty(0) if ps is None else np.ravel(numbers(ps, "ps"))
    points = ffi.new("clup_percolation_point[]", max(at.size, 1))
    check(lib.clup_percolation_curves_run(curves, samples, values_of(at) if at.size else ffi.NULL, at.size, ffi.NULL, ffi.NULL, points))
    length = lib.clup_percolation_curves_steps(curves) + 1
    found = {"step": np.arange(length)} if ps is None else {"p": at}
    for k, name in enumerate(names_of(lib.clup_percolation_observable_name)):
        if ps is None:
            mean, error = np.empty(length), np.empty(length)
            check(lib.clup_percolation_curves_means(curves, k, 0, length, values_of(mean), values_of(error)))
        else:
            mean, error = (np.array([getattr(points[i].estimates[k], of) for i in range(at.size)]) for of in ("mean", "error"))
        if not np.isnan(mean).any():
            found[name] = {"mean": mean, "error": error}
    return {**found, "samples": samples, "device": device}


def percolation_curves(shape, ps=None, *, kind="bond", lattice="square", periodic=True, samples=100, seed=1, device=None):
    """Percolation by the method of Newman and Ziff: bonds or sites are added one after the other, so that each sample
    has a value for every number of them.

    The arguments are those of percolate; ps are the probabilities. Sample s at step n is sample s of percolate at a p
    for which n random numbers are below p.

    Returns {"p": .., "samples": .., "device": ..} and, for each observable, {"mean": .., "error": ..}: float64 arrays
    over ps. Without ps they have a value for each number of bonds or sites, 0 to all of them: {"step": ..} in place of
    "p". Errors come from up to 64 blocks of samples; they are NaN for one sample.

    >>> found = percolation_curves((32, 32), [0.4, 0.5, 0.6], samples=64)
    >>> bool(found["wrap_x"]["mean"][0] < found["wrap_x"]["mean"][2])
    True
    """
    problem, _ = _problem(shape, lattice, periodic)
    problem.model = model_of(kind)
    samples, seed = whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    host = device_of(device)
    curves = made("percolation_curves", lib.clup_percolation_curves_create, host.context, problem, seed)
    return drawn_curves(curves, ps, samples, host.name)
