# SPDX-License-Identifier: BSD-3-Clause
"""What is simulated or percolated on: lattices, lattices of cells and graphs, spin models and their couplings."""
import os

import numpy as np

from ._library import UsageError, check, ffi, index_of, lib, names_of, numbers, set_axes, set_fields, values_of, whole

_SPINS = {"clock": "CLUP_CLOCK", "heisenberg": "CLUP_HEISENBERG", "ising": "CLUP_ISING", "potts": "CLUP_POTTS", "xy": "CLUP_XY"}


class Edges:
    """What takes the place of a shape where a graph does that of a lattice: its vertices, and both ends of each edge."""

    def __init__(self, vertices, ends, dtype):
        self.vertices, self.ends, self.dtype = vertices, ends, dtype

    def made(self):
        """The library's graph of these edges; equal ones are the same, and stay until the program ends."""
        edges = ffi.new("clup_edges *", {"vertices": self.vertices, "edges": len(self.ends), "dtype": self.dtype,
                                         "ends": values_of(self.ends)})
        kept = ffi.new("clup_graph **")
        check(lib.clup_graph_make(edges, kept))
        return kept[0]


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


def problem_on(shape, lattice, periodic):
    """A problem without a model on a lattice, or on the Edges of a graph, and the shape of its spins."""
    problem = ffi.new("clup_problem *")
    if isinstance(shape, Edges):
        lib.clup_problem_set_graph(problem, shape.made())
        return problem, (shape.vertices,)
    if lattice == "hypercubic" or str(lattice).endswith(".toml"):
        return problem, _put_cells(problem, lattice, shape, periodic)
    problem.lattice = index_of(names_of(lib.clup_lattice_name), lattice, "lattice")
    axes = lib.clup_lattice_axes(problem.lattice)
    shape = (shape,) * axes if np.ndim(shape) == 0 else tuple(shape)
    if len(shape) != axes:
        raise UsageError("the lattice %r has %d axes" % (lattice, axes))
    set_axes(problem, shape, periodic)
    return problem, tuple(map(int, shape))


def put_couplings(problem, shape, bond_couplings):
    """Puts couplings of single bonds into a problem."""
    couplings = np.ascontiguousarray(bond_couplings)
    if couplings.dtype.kind not in "iuf":
        raise UsageError("bond_couplings has the type %s: it is an array of numbers" % couplings.dtype)
    couplings = couplings.astype(float)
    if problem.graph != ffi.NULL:
        couplings = couplings.reshape(1, -1)
    elif couplings.shape[1:] != tuple(shape):
        raise UsageError("bond_couplings has the shape %s: it is (directions, *shape), shape %s" % (couplings.shape, tuple(shape)))
    problem.bond_couplings = made_couplings(couplings)


def made_couplings(couplings):
    """The library's couplings of an array (directions, bonds); equal ones are the same, and stay until the program ends."""
    kept = ffi.new("clup_bond_couplings **")
    check(lib.clup_bond_couplings_make(values_of(couplings), len(couplings), couplings[0].size, kept))
    return kept[0]


def put_spins(problem, shape, model, q, bond_couplings, fields):
    """Puts a spin model into a problem, with its couplings and further fields."""
    problem.q = whole(q, "q", 0, 2**32 - 1)
    if isinstance(model, str) and model.endswith(".toml"):
        check(lib.clup_problem_set(problem, b"model", os.fsencode(model)))
    else:
        problem.model = getattr(lib, [*_SPINS.values()][index_of([*_SPINS], model, "model")])
    set_fields(problem, fields)
    if bond_couplings is not None:
        put_couplings(problem, shape, bond_couplings)


def betas_of(problem, beta, lattice, model, fields):
    """Inverse temperatures that are asked for: None is the critical one of the infinite lattice."""
    betas = np.ravel(lib.clup_problem_critical_beta(problem)) if beta is None else numbers(beta, "beta")
    if np.isnan(betas).any():
        lattice = "graph" if problem.graph != ffi.NULL else lattice
        raise UsageError("the critical beta of lattice %r with q = %d%s is not known: say beta" % (
            lattice, problem.q, " and these fields" if fields else "") if model in ("potts", "ising", "clock")
            else "the critical beta of model %r on lattice %r is not known here: say beta" % (model, lattice))
    return betas


def put_betas(problem, betas):
    """Gives each replica of a problem its inverse temperature. The array has to live as long as the problem."""
    problem.replicas, problem.beta, problem.betas = len(betas), betas[0], ffi.cast("double *", betas.ctypes.data)


def vacancies_of(problem, shape, replicas):
    """Which sites are vacant or holes of the lattice, bool (replicas, *shape); None where none can be."""
    disorder = ffi.new("char[]", lib.CLUP_FIELD_TEXT)
    check(lib.clup_problem_get(problem, b"disorder", disorder))
    if b"site-dilute" not in ffi.string(disorder) and lib.clup_problem_real_sites(problem) == lib.clup_problem_sites(problem):
        return None
    vacant = np.empty((replicas, *shape), np.uint8)
    for replica in range(replicas):
        check(lib.clup_problem_vacant(problem, replica, values_of(vacant[replica])))
    return vacant != 0
