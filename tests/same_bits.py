#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether two builds of clup give the same bits: random simulations, percolation and labellings by both, on one device.

    tests/same_bits.py [--device gpu] [--count 300] [--seed 1] [--jobs 8] [--plan random] OLD NEW

OLD and NEW are build folders, or folders with the same files, as tests/paths.py takes them. Compared are, of a simulation the last spins,
of one system and of percolation the means of what was measured, but for the rounding of sums on the host, of an image the labels and the
statistics of its components. A problem that a build refuses is counted, and what it said goes to standard error when the other one does
not. With --plan the new build takes its kernels so. Not part of make check. Exit code 1 when bits differ or nothing was compared, 2 for
wrong options."""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import random
import subprocess
import sys
import tempfile

LATTICES = {"square": 2, "triangular": 2, "square-8": 2, "honeycomb": 2, "kagome": 2, "lieb": 2, "union-jack": 2, "cubic": 3, "cubic-18": 3, "cubic-26": 3, "chain": 1}


def size_of(draw, axes, most):
    """Sites along each axis, as --size has them, most of them at most."""
    side = int(most ** (1 / axes))
    return "x".join(str(draw.choice((draw.randint(1, 40), draw.randint(1, side), side))) for _ in range(axes))


def simulation(draw):
    lattice = draw.choice(list(LATTICES))
    model = draw.choice(("potts", "potts", "potts", "ising", "clock", "xy", "heisenberg"))
    words = ["simulate", "--lattice", lattice, "--size", size_of(draw, LATTICES[lattice], 2**20 if model in ("potts", "ising") else 2**16), "--model", model]
    if model in ("potts", "clock"):
        words += ["--q", draw.choice((2, 2, 3, 4, 5, 10) if model == "clock" else (2, 2, 3, 4, 10, 100))]
    words += ["--beta", round(draw.choice((0, 0.3, 0.6, 0.9, 1.4)) + draw.random() / 10, 3), "--sweeps", 5, "--thermalize", draw.randint(0, 20)]
    words += ["--start", draw.choice(("ordered", "random")), "--seed", draw.randint(1, 2**40)]
    if draw.random() < 0.3:
        words += ["--coupling", draw.choice((-1, -0.5, 2))]
    if draw.random() < 0.25:
        words += ["--open", draw.choice("xyz"[:LATTICES[lattice]])]
    if draw.random() < 0.2:
        words += ["--replicas", draw.randint(2, 40)]
    if draw.random() < 0.15:
        words += ["--field", draw.choice((0.1, -0.4))]
    if draw.random() < 0.15:
        words += ["--disorder", draw.choice(("pm=0.3", "gauss", "dilute=0.2", "site-dilute=0.2"))]
    if draw.random() < 0.1:
        words += ["--algorithm", draw.choice(("wolff", "heat-bath"))]
    elif draw.random() < 0.5:
        words += ["--observables", draw.choice(("energy,clusters", "clusters,m2_improved", "all", "sk,energy"))]
    return words


def percolation(draw):
    lattice = draw.choice(list(LATTICES))
    return ["percolate", "--lattice", lattice, "--size", size_of(draw, LATTICES[lattice], 2**18), "--kind", draw.choice(("bond", "site")), "--p",
            round(draw.random(), 3), "--samples", draw.randint(1, 20), "--seed", draw.randint(1, 2**40)] + draw.choice(([], [], ["--open", "x"]))


def labelling(draw):
    """The words of a labelling, and the bytes of its picture: blocks of equal values, and noise."""
    axes = draw.choice((2, 2, 3))
    size = size_of(draw, axes, 2**19)
    lengths = [int(word) for word in size.split("x")]
    pixels, block, values = 1, draw.choice((1, 1, 2, 7, 30)), draw.choice((2, 2, 3, 200))
    for length in lengths:
        pixels *= length
    noise = random.Random(draw.random())
    row = lengths[0]
    data = bytearray()
    while len(data) < pixels:
        line = bytearray()
        while len(line) < row:
            line += bytes([noise.randrange(values)]) * block
        data += bytes(line[:row]) * block
    words = ["label", "--shape", size, "--dtype", "u8", "--connectivity", draw.choice((4, 8) if axes == 2 else (6, 18, 26)), "--match",
             draw.choice(("nonzero", "equal", "threshold=1", "tolerance=1")), "--min-size", draw.choice((1, 1, 4))]
    return words + draw.choice(([], [], ["--periodic", "x"], ["--background", "none"])), bytes(data[:pixels])


def problem_of(seed):
    draw = random.Random(seed)
    kind = draw.choice((simulation, simulation, simulation, percolation, labelling))
    drawn = kind(draw)
    words, picture = drawn if kind is labelling else (drawn, None)
    return [str(word) for word in words], picture


def equal(left, right):
    """Whether texts are equal, and numbers but for the rounding of sums on the host."""
    return left == right if isinstance(left, str) else math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-15)


class Build:
    def __init__(self, folder, device, scratch, words):
        self.folder, self.device, self.scratch, self.words = os.path.abspath(folder), device, scratch, words
        self.environment = dict(os.environ)
        if os.path.exists(f"{self.folder}/libclup.so.0"):
            self.environment["LD_LIBRARY_PATH"] = f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        if os.path.isdir(f"{self.folder}/cl"):
            self.environment["CLUP_CL_PATH"] = f"{self.folder}/cl"

    def results(self, words, picture):
        """What is compared, by name; or what the program said as it refused."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            command = [f"{self.folder}/clup", *words, "--device", self.device, "-q", "--json"]
            if picture is None:
                command += self.words
            else:
                with open(f"{folder}/picture", "wb") as file:
                    file.write(picture)
                command += [f"{folder}/picture", "-o", f"{folder}/labels.npy", "--stats", f"{folder}/stats.csv"]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
            if done.returncode:
                return None, (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            found = json.loads(done.stdout)
            same = {}
            for file in ("labels.npy", "stats.csv"):
                if picture is not None:
                    with open(f"{folder}/{file}", "rb") as bytes_of:
                        same[file] = hashlib.sha256(bytes_of.read()).hexdigest()
            if "spins_sha256" in found:
                same["spins"] = found["spins_sha256"]
            if "--replicas" not in words:
                same.update({name: value["mean"] for name, value in (found.get("observables") or {}).items() if value.get("mean") is not None})
            return same, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--plan", default="")
    parser.add_argument("builds", nargs=2, metavar="BUILD")
    options = parser.parse_args()
    counts = {"same": 0, "different": 0, "refused": 0, "refused by one": 0}
    with tempfile.TemporaryDirectory() as scratch:
        old = Build(options.builds[0], options.device, scratch, [])
        new = Build(options.builds[1], options.device, scratch, ["--plan", options.plan] if options.plan else [])

        def compared(number):
            words, picture = problem_of(options.seed * 1000003 + number)
            (left, left_said), (right, right_said) = old.results(words, picture), new.results(words, picture)
            if left is None or right is None:
                both = left is None and right is None
                return "refused" if both else "refused by one", words, "" if both else f"{left_said or 'old: ran'}; {right_said or 'new: ran'}"
            unlike = [name for name in left if name in right and not equal(left[name], right[name])]
            return "different" if unlike else "same", words, f"{', '.join(unlike)} of {len(left)}"

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
            for what, words, said in workers.map(compared, range(options.count)):
                counts[what] += 1
                if what in ("different", "refused by one"):
                    print(f"{what}: {' '.join(words)}: {said}", file=sys.stderr)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 0 if counts["same"] and not counts["different"] else 1


if __name__ == "__main__":
    sys.exit(main())
