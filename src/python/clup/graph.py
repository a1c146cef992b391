# SPDX-License-Identifier: BSD-3-Clause
"""Connected components of graphs, as scipy.sparse.csgraph has them, percolation and spins on graphs."""
import numpy as np

from ._lattices import drawn_curves, drawn_samples, model_of
from ._library import UsageError, check, device_of, ffi, index_of, lib, made, numbers, values_of, whole
from ._problems import Edges
from ._runs import simulate as _simulate
from ._simulation import Simulation as _Simulation

__all__ = ["connected_components", "percolate", "percolation_curves", "simulate", "simulation"]
_DTYPES = {"int32": "CLUP_DTYPE_I32", "int64": "CLUP_DTYPE_I64", "uint32": "CLUP_DTYPE_U32", "uint64": "CLUP_DTYPE_U64"}


def _rows_of(csgraph):
    """The starts of rows and the columns of a sparse matrix, or of an array's elements that are edges."""
    if hasattr(csgraph, "tocsr"):
        shape = csgraph.shape
        matrix = csgraph.tocsr()
        starts, columns = matrix.indptr, matrix.indices
    else:
        array = np.asarray(csgraph)
        if np.ma.isMaskedArray(csgraph):
            edges = ~np.ma.getmaskarray(csgraph)
        else:
            edges = (array != 0) & np.isfinite(array) if array.dtype.kind == "f" else array != 0
        shape = array.shape
        rows, columns = np.nonzero(edges) if array.ndim == 2 else (None, None)
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))]) if array.ndim == 2 else None
    if len(shape) != 2 or shape[0] != shape[1]:
        raise UsageError("a graph is a square matrix, not one of shape %s" % (tuple(shape),))
    if len(starts) != shape[0] + 1 or starts[-1] > len(columns):
        raise UsageError("the matrix's indptr does not fit its shape and its indices")
    dtype = np.result_type(starts, columns)
    if dtype.name not in _DTYPES:
        dtype = np.dtype(np.int64)
    return np.ascontiguousarray(starts, dtype), np.ascontiguousarray(columns, dtype)


def connected_components(csgraph, directed=True, connection="weak", return_labels=True, device=None):
    """The connected components of a graph, with the arguments and the result of scipy's function.

    csgraph is an N x N sparse matrix, whose stored elements are edges, or an array, in which 0, infinity and NaN are
    none; in a masked array all is an edge that is not masked. An edge connects both its ends, whatever its direction:
    of a directed graph the weakly connected components are found. Strong ones are refused. Returns their number, and
    unless return_labels is false an int32 array of N labels from 0 on, in the order of the components' first vertices;
    uint32 for 2^31 components and more.
    """
    connection = str(connection).lower()
    if connection not in ("weak", "strong"):
        raise UsageError("connection %r is neither 'weak' nor 'strong'" % (connection,))
    if directed and connection == "strong":
        raise UsageError("strongly connected components are not found here")
    starts, columns = _rows_of(csgraph)
    vertices = starts.size - 1
    components = made("components", lib.clup_components_create, device_of(device).context, vertices)
    check(lib.clup_components_add_rows(components, values_of(starts), values_of(columns), getattr(lib, _DTYPES[starts.dtype.name])))
    labels, count = np.empty(vertices if return_labels else 0, np.uint32), ffi.new("uint32_t *")
    to = ffi.cast("uint32_t *", labels.ctypes.data) if return_labels else ffi.NULL
    check(lib.clup_components_labels(components, to, count))
    if not return_labels:
        return count[0]
    return count[0], labels.view(np.int32) if count[0] < 2**31 else labels


def _simple_edges(csgraph):
    """The edges of percolation: one for each pair of vertices, the upper triangle row by row."""
    starts, columns = _rows_of(csgraph)
    vertices = starts.size - 1
    rows = np.repeat(np.arange(vertices, dtype=columns.dtype), np.diff(starts))
    ends = np.ascontiguousarray(np.stack([rows, columns[:rows.size]], axis=1))
    edges = ffi.new("clup_edges *", {"vertices": vertices, "edges": len(ends), "dtype": getattr(lib, _DTYPES[ends.dtype.name]),
                                     "ends": values_of(ends)})
    check(lib.clup_edges_simplify(edges))
    return ffi.gc(edges, lib.clup_edges_clear)


def percolate(csgraph, p, *, kind="bond", samples=100, cluster_sizes=False, progress=None, seed=1, device=None):
    """Draws samples of percolation on a graph: edges are active, or vertices occupied (kind "site"), with probability p.

    csgraph is as for percolation_curves. The other arguments and the result are those of clup.percolate; graphs do not
    wrap. Sample s has what sample s of percolation_curves has after as many steps as its random numbers are below p.
    The graph has an edge at least, and stays in memory, 8 bytes an edge, until the program ends.

    >>> ring = np.roll(np.eye(50), 1, axis=1)
    >>> found = percolate(ring, 0.5, samples=400)
    >>> abs(found["clusters"]["mean"] - 0.5) < 5 * found["clusters"]["error"] + 1 / 50
    True
    """
    edges, graph, problem = _simple_edges(csgraph), ffi.new("clup_graph **"), ffi.new("clup_problem *")
    samples, seed = whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    check(lib.clup_graph_make(edges, graph))
    lib.clup_problem_set_graph(problem, graph[0])
    problem.model = model_of(kind)
    return drawn_samples(problem, numbers(p, "p"), np.ndim(p) > 0, samples, seed, device, cluster_sizes, progress)


def percolation_curves(csgraph, ps=None, *, kind="bond", samples=100, progress=None, seed=1, device=None):
    """Percolation on a graph: edges become active, or vertices are occupied (kind "site"), one after the other.

    csgraph is as for connected_components. Each pair of vertices has one edge where the matrix has an element in either
    direction, and elements of the diagonal are none: edges are those of the upper triangle, row by row. The other
    arguments and the result are those of clup.percolation_curves; graphs do not wrap.
    """
    edges = _simple_edges(csgraph)
    model, samples, seed = model_of(kind), whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    host = device_of(device)
    curves = made("percolation_curves", lib.clup_percolation_curves_of_graph, host.context, edges, model, seed)
    return drawn_curves(curves, ps, samples, host.name, progress)


def _values_of(csgraph, count):
    """The values of the elements that _rows_of finds, in its order."""
    if hasattr(csgraph, "tocsr"):
        return np.asarray(csgraph.tocsr().data, float)[:count]
    array = np.asarray(csgraph)
    edges = ~np.ma.getmaskarray(csgraph) if np.ma.isMaskedArray(csgraph) else (array != 0) & np.isfinite(array)
    return np.asarray(array[edges], float)


def edges_of(csgraph, couplings=None):
    """The edges of spins on a graph, and the coupling of each, of arguments as simulate has them."""
    starts, columns = _rows_of(csgraph)
    vertices = starts.size - 1
    rows = np.repeat(np.arange(vertices, dtype=columns.dtype), np.diff(starts))
    columns = columns[:rows.size]
    small, large = np.minimum(rows, columns), np.maximum(rows, columns)
    if rows.size and (small.min() < 0 or large.max() >= vertices):
        raise UsageError("the matrix has an element outside of its %d rows and columns" % vertices)
    # of elements of one pair the upper triangle's is the first
    order = np.lexsort((rows > columns, large, small))
    order = order[small[order] != large[order]]
    if order.size:
        pairs = np.stack([small[order], large[order]])
        order = order[np.concatenate([[True], (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)])]
    ends = np.ascontiguousarray(np.stack([small[order], large[order]], axis=1), np.uint32)
    if isinstance(couplings, str):
        index_of(["weights"], couplings, "couplings")
        couplings = _values_of(csgraph, rows.size)[order]
    if couplings is not None and np.size(couplings) != len(ends):
        raise UsageError("there are %d couplings for %d edges" % (np.size(couplings), len(ends)))
    return Edges(vertices, ends, lib.CLUP_DTYPE_U32), couplings


def _no_lattice(options):
    for name in ("shape", "lattice", "periodic", "bond_couplings"):
        if name in options:
            raise UsageError("a graph has no %s" % name)


def simulate(csgraph, *, couplings=None, **options):
    """Simulates a spin model on a graph, whose vertices are the sites and whose edges the bonds.

    csgraph   as for connected_components. Its edges are those of percolation_curves: one for each pair of vertices, the upper
              triangle row by row
    couplings J of each edge: None is 1; "weights" takes the elements of the matrix, for each pair that of the upper triangle
              where it is stored; or an array of one number an edge
    options   those of clup.simulate but for shape, lattice, periodic and bond_couplings: model and q, beta, which must be said,
              sweeps, replicas, device and so on. The models are those whose spins have states; there is sw and wolff

    Returns what clup.simulate returns; spins are arrays of as many states as there are vertices.

    >>> ring = np.roll(np.eye(8), 1, axis=1)
    >>> found = simulate(ring, q=2, beta=0.5, sweeps=100)
    >>> found["spins"].shape, len(found["energy"]["series"])
    ((8,), 100)
    """
    _no_lattice(options)
    edges, couplings = edges_of(csgraph, couplings)
    return _simulate(edges, bond_couplings=couplings, **options)


def simulation(csgraph, *, couplings=None, **options):
    """A clup.Simulation on a graph. csgraph and couplings are as for simulate, and options those of clup.Simulation."""
    _no_lattice(options)
    edges, couplings = edges_of(csgraph, couplings)
    return _Simulation(edges, bond_couplings=couplings, **options)
