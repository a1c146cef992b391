#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares xi/L and the Binder cumulant of the critical square Ising torus with what is known.

    for s in 1 2 3; do clup simulate --size 256 --replicas 1024 --sweeps 24000 --thermalize 300 --measure-every 4 \\
        --observables clusters,modes --seed $s --json > $s.json; done
    tests/critical.py 1.json 2.json 3.json

Takes results of runs of one size at the critical coupling, with many replicas, each of which counts as one sample. Errors are
those of the jackknife over replicas. The energy of the finite torus is known exactly, so that it serves as a control variate: the
pseudo-values are regressed on its deviation. What is known is of infinite lattices: at L = 32 xi/L is 0.0019(4) and the Binder
cumulant 0.00018(4) above it (2000 replicas), at L = 256 a thirtieth of that or so. Needs numpy. Not part of make check. Exit code 1
when a value is further than 4 errors from what is known."""
import json
import sys

import numpy as np

XI_OVER_L = 0.9050488292  # J. Salas and A. D. Sokal, J. Stat. Phys. 98, 551 (2000), L to infinity
BINDER = 0.61069  # J. Kamieniarz and H. W. J. Bloete, J. Phys. A 26, 201 (1993), the same


def estimate(function, columns, deviation):
    """((value, error), (the same with control variate)) of a function of the means of some columns."""
    n = len(deviation)
    sums = [c.sum() for c in columns]
    pseudo = n * function(*[s / n for s in sums]) - (n - 1) * function(*[(s - c) / (n - 1) for s, c in zip(sums, columns)])
    design = np.column_stack([np.ones(n), deviation])
    factors = np.linalg.lstsq(design, pseudo, rcond=None)[0]
    rest = pseudo - design @ factors
    error = np.sqrt(rest @ rest / (n - 2) * np.linalg.inv(design.T @ design)[0, 0])
    return (pseudo.mean(), pseudo.std(ddof=1) / np.sqrt(n)), (factors[0], error)


def main():
    columns, sizes = {}, set()
    for file in sys.argv[1:]:
        result = json.load(open(file))
        sizes.add(tuple(result["problem"]["size"]))
        if result["problem"]["lattice"] != "square" or result["problem"]["q"] != 2 or result["problem"]["beta_ratio"] != 1:
            sys.exit(f"{file}: not the critical square Ising model")
        for replica in result["replicas"]:
            for name, observable in replica["observables"].items():
                columns.setdefault(name, []).append(observable["mean"])
    if len(sizes) != 1 or len(set(next(iter(sizes)))) != 1:
        sys.exit("results of one square size are needed")
    size = next(iter(sizes))[0]
    mean = {name: np.array(values, float) for name, values in columns.items()}
    energy = result["replicas"][0]["observables"]["energy"]["exact"]
    deviation = mean["energy"] - energy
    off = deviation.mean() / (deviation.std(ddof=1) / np.sqrt(len(deviation)))
    print(f"L = {size}, {len(deviation)} replicas; energy {mean['energy'].mean():.8f}, exact {energy:.8f}, {off:+.1f} sigma")

    def xi(m2, sk):
        return np.sqrt(size**2 * m2 / sk - 1) / (2 * np.sin(np.pi / size)) / size

    def binder(m2, m4):
        return 1 - m4 / (3 * m2**2)

    failed = abs(off) > 4
    for name, function, of, known in (
        ("xi/L", xi, ("m2_vector", "sk"), XI_OVER_L),
        ("xi/L, m2 improved", xi, ("m2_improved", "sk"), XI_OVER_L),
        ("Binder", binder, ("m2", "m4"), BINDER),
        ("Binder improved", binder, ("m2_improved", "m4_improved"), BINDER),
    ):
        plain, controlled = estimate(function, [mean[c] for c in of], deviation)
        away = (controlled[0] - known) / controlled[1]
        failed |= abs(away) > 4
        print(
            f"{name:18} {plain[0]:.6f} +- {plain[1]:.6f}; by the exact energy {controlled[0]:.6f} +- {controlled[1]:.6f}; "
            f"known {known:.6f}, {away:+.1f} sigma"
        )
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
