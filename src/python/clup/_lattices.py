# SPDX-License-Identifier: BSD-3-Clause
"""Percolation on lattices."""
import numpy as np

from ._library import Error, UsageError, check, device_of, ends, ffi, index_of, lib, made, names_of, numbers, values_of, whole, with_progress
from ._problems import problem_on
from ._result import Result, gathered

_KINDS = {"bond": "CLUP_BOND_PERCOLATION", "site": "CLUP_SITE_PERCOLATION"}


def model_of(kind):
    """The model of a kind of percolation."""
    return getattr(lib, [*_KINDS.values()][index_of([*_KINDS], kind, "kind")])


def percolate(shape, p=None, *, kind="bond", lattice="square", periodic=True, samples=100, cluster_sizes=False, progress=None, seed=1,
              device=None):
    """Draws samples of bond or site percolation, and finds their clusters.

    shape, lattice, periodic, seed and device are as for simulate. p is the probability of a bond or site, or several;
    None is the critical one of the infinite lattice, where it is known (clup_problem_critical_p in clup/problem.h). Samples of a seed are the same on every device, and grow with p.
    progress(done, total) is called between batches of samples. If it returns False no more are drawn; an exception of it, and Ctrl-C,
    come out of this function, with what was found until then as their attribute result.

    Returns a Result, {"p": .., "samples": .., "device": .., "complete": ..} and, for each observable (clusters, largest, occupied,
    mean_size, mean_size_rest, wrap_x ..), {"mean": .., "error": .., "values": float64 array}, a value for each sample that was drawn; of
    several p all of these are lists. With cluster_sizes, "cluster_sizes" has {"at": s, "mean": ..,
    "error": ..}: arrays of the number of clusters of s to 2 s - 1 sites, a site of the lattice, for s = 1, 2, 4, ..

    >>> found = percolate((32, 48), 0.5, samples=50)
    >>> abs(found["clusters"]["mean"] - 0.0980762 - 0.8836 / (32 * 48)) < 5 * found["clusters"]["error"]
    True
    """
    problem, _ = problem_on(shape, lattice, periodic)
    problem.model = model_of(kind)
    samples, seed = whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    ps = np.ravel(lib.clup_problem_critical_p(problem)) if p is None else numbers(p, "p")
    if np.isnan(ps).any():
        raise UsageError("the critical p of %s percolation on the lattice %r is not known: say p" % (kind, lattice))
    return drawn_samples(problem, ps, np.ndim(p) > 0, samples, seed, device, cluster_sizes, progress)


class _Told:
    """The samples that a progress function is told of, over several runs."""

    def __init__(self, progress, total):
        self.progress, self.total, self.before, self.over = progress, total, 0, False

    def tell(self, done, _):
        self.over = self.over or self.progress is not None and ends(self.progress(self.before + done, self.total))
        return not self.over

    def draw(self, samples, call):
        """Draws samples by call(progress, user)."""
        with_progress(call, tell=self.tell)
        self.before += samples


def drawn_samples(problem, ps, several, samples, seed, device, cluster_sizes=False, progress=None):
    """What samples of percolation at probabilities ps have, as percolate() returns it."""
    host = device_of(device)
    problem.replicas = max(1, lib.clup_percolation_batch(host.context, problem, samples))
    known, points, told = names_of(lib.clup_percolation_observable_name), [], _Told(progress, len(ps) * samples)

    def add(scan):
        point = ffi.new("clup_percolation_point *")
        check(lib.clup_percolation_scan_point(scan, 0, point))
        drawn = int(point.samples)
        if drawn == 0:
            return
        with made("record", lib.clup_percolation_scan_record, scan) as record:
            kept = {name: lib.clup_record_series(record, 0, name.encode()) for name in known}
            values = {name: np.frombuffer(ffi.buffer(of, 8 * drawn)).copy() for name, of in kept.items() if of != ffi.NULL}
        points.append({name: {"mean": float(own.mean()), "error": float(own.std(ddof=1) / drawn**0.5) if drawn > 1 else np.nan, "values": own}
                       for name, own in values.items()})
        if cluster_sizes:
            count = int(lib.clup_problem_sites(problem)).bit_length()
            points[-1]["cluster_sizes"] = {"at": 2**np.arange(count), **{key: np.array([getattr(point.classes[k], key) for k in range(count)])
                                                                         for key in ("mean", "error")}}

    def found():
        at = ps[:len(points)].tolist()
        complete = len(points) == len(ps) and not any(len(point["clusters"]["values"]) < samples for point in points)
        return gathered(points or [{}], several, p=at if several else float(ps[0]), samples=samples, device=host.name, complete=complete)

    try:
        with made("percolation", lib.clup_percolation_create, host.context, problem, ffi.NULL, seed) as percolation:
            for one in ps:
                with made("percolation_scan", lib.clup_percolation_scan_create, problem, seed, [one], 1, 1) as scan:
                    try:
                        told.draw(samples, lambda tell, user: lib.clup_percolation_scan_run(scan, percolation, 0, samples, tell, user))
                    finally:
                        add(scan)
                if told.over:
                    break
    except BaseException as error:
        error.result = found()
        raise
    return found()


def drawn_curves(curves, ps, samples, device, progress=None):
    """What curves have: means after each step, or at probabilities, of samples that are drawn now."""
    at = np.empty(0) if ps is None else np.ravel(numbers(ps, "ps"))
    points, told = ffi.new("clup_percolation_point[]", max(at.size, 1)), _Told(progress, samples)
    length = lib.clup_percolation_curves_steps(curves) + 1

    def found(complete):
        result = {"step": np.arange(length)} if ps is None else {"p": at}
        for k, name in enumerate(names_of(lib.clup_percolation_observable_name)):
            if ps is None:
                mean, error = np.empty(length), np.empty(length)
                check(lib.clup_percolation_curves_means(curves, k, 0, length, values_of(mean), values_of(error)))
            else:
                mean, error = (np.array([getattr(points[i].estimates[k], of) for i in range(at.size)]) for of in ("mean", "error"))
            if not np.isnan(mean).any():
                result[name] = {"mean": mean, "error": error}
        return Result({**result, "samples": samples, "device": device, "complete": complete})

    try:
        complete = with_progress(lambda tell, user: lib.clup_percolation_curves_run(
            curves, samples, values_of(at) if at.size else ffi.NULL, at.size, tell, user, points), tell=told.tell)
    except Error:
        raise
    except BaseException as error:
        error.result = found(False)
        raise
    return found(complete)


def percolation_curves(shape, ps=None, *, kind="bond", lattice="square", periodic=True, samples=100, progress=None, seed=1, device=None):
    """Percolation by the method of Newman and Ziff: bonds or sites are added one after the other, so that each sample
    has a value for every number of them.

    The arguments are those of percolate; ps are the probabilities. What ends before all samples are drawn has the blocks of samples, up to
    64, that are complete. Sample s at step n is sample s of percolate at a p
    for which n random numbers are below p.

    Returns a Result, {"p": .., "samples": .., "device": .., "complete": ..} and, for each observable, {"mean": .., "error": ..}: float64
    arrays over ps. Without ps they have a value for each number of bonds or sites, 0 to all of them: {"step": ..} in place of
    "p". Errors come from up to 64 blocks of samples; they are NaN for one sample.

    >>> found = percolation_curves((32, 32), [0.4, 0.5, 0.6], samples=64)
    >>> bool(found["wrap_x"]["mean"][0] < found["wrap_x"]["mean"][2])
    True
    """
    problem, _ = problem_on(shape, lattice, periodic)
    problem.model = model_of(kind)
    samples, seed = whole(samples, "samples", 1, 2**32 - 1), whole(seed, "seed", 0, 2**64 - 1)
    host = device_of(device)
    curves = made("percolation_curves", lib.clup_percolation_curves_create, host.context, problem, seed)
    return drawn_curves(curves, ps, samples, host.name, progress)
