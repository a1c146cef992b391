#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long each path of clup takes on one device: sweeps, measuring, percolation, labels, first use. A table, in Markdown.

    tests/paths.py [--device gpu] [--rounds 5] [--rows TEXT,..] [--scale 1] [--mpi "mpirun -n 2"] BUILD..

Takes build folders, or folders with the same files: clup, tests/bench_label (make tests/bench_label), clup-mpi for several devices; where
a folder has libclup.so.0 it is that library which is used, and where it has cl those kernels. For each row every program runs once in each
round, in an order that is turned around from round to round. The table has the medians over rounds of each program, half the distance of
their quartiles, and the last over the first. A percentage and a difference are made from runs of one round.

--rows names rows by parts of their names. A row that a program cannot run has a dash, and what it said goes to standard error. Not part
of make check. Exit code 1 when no row could be measured, 2 for wrong options."""
import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A program did not give a figure."""


class Program:
    """A build, and what it has measured: each command once in each round."""

    def __init__(self, folder, options, scratch):
        self.folder, self.device, self.mpi, self.scale, self.scratch = os.path.abspath(folder), options.device, options.mpi, options.scale, scratch
        self.known, self.turn = {}, 0
        self.environment = dict(os.environ, CLUP_CACHE_DIR=os.path.join(scratch, "cache"))
        if os.path.exists(f"{self.folder}/libclup.so.0"):
            self.environment["LD_LIBRARY_PATH"] = f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        if os.path.isdir(f"{self.folder}/cl"):
            self.environment["CLUP_CL_PATH"] = f"{self.folder}/cl"

    def output(self, command, **variables):
        """(standard output, seconds) of one of its programs, run once a round."""
        key = (self.turn, tuple(command), tuple(sorted(variables.items())))
        if key not in self.known:
            start = time.monotonic()
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.scratch, env={**self.environment, **variables})
            seconds = time.monotonic() - start
            said = (done.stderr.strip().splitlines() or ["said nothing"])[-1]
            self.known[key] = (done.stdout, seconds) if done.returncode == 0 else Failed(f"{' '.join(command)}: exit code {done.returncode}, {said}")
        if isinstance(self.known[key], Failed):
            raise self.known[key]
        return self.known[key]

    def clup(self, *options, processes=False, **variables):
        program = self.mpi.split() + [f"{self.folder}/clup-mpi"] if processes else [f"{self.folder}/clup"]
        return self.output([*program, *map(str, options), "--device", self.device, "-q"], **variables)

    def sweep(self, sites, *options, sweeps=None, processes=False):
        """Seconds of a sweep, by the wall clock; runs take half a second or so on a GPU."""
        sweeps = max(5, int(self.scale * (sweeps or max(50, min(20000, 0.5 / (sites * 8e-12))))))
        out, _ = self.clup("simulate", "--sweeps", sweeps, "--thermalize", max(50, sweeps // 10), "--json", *options, processes=processes)
        return 1 / json.loads(out)["timing"]["sweeps_per_s"]

    def sample(self, sites, *options):
        """Seconds of a sample of percolation: the difference of processes with few samples and with many."""
        few, many = 8, max(4, int(self.scale * max(40, min(400000, 1 / (sites * 12e-12)))))
        self.clup("percolate", "--samples", few, "--seed", 2, *options)  # kernels are compiled
        seconds = [self.clup("percolate", "--samples", n, *options)[1] for n in (few, few + many)]
        return (seconds[1] - seconds[0]) / many

    def labelled(self, side, form, start, *options):
        """Milliseconds of a form of labels from the line of bench_label that begins like this."""
        out, _ = self.output([f"{self.folder}/tests/bench_label", self.device, str(side), *map(str, options)])
        for line in out.splitlines():
            found = re.search(form + r"\s+([0-9.]+)", line)
            if " ".join(line.split()).startswith(start) and found:
                return float(found.group(1))
        raise Failed(f"no line '{start}' of bench_label with {form}")


def ps(sites, *options):
    return lambda p: 1e12 * p.sweep(sites, *options) / sites


def us(sites, *options):
    return lambda p: 1e6 * p.sweep(sites, *options)


def more(sites, *options, observables):
    """Percent that a sweep takes longer when this is measured as well."""
    return lambda p: 100 * (p.sweep(sites, *options, "--observables", observables) / p.sweep(sites, *options) - 1)


def above(sites, *options, observables):
    """Picoseconds a site that a sweep takes longer when this is measured as well."""
    return lambda p: 1e12 * (p.sweep(sites, *options, "--observables", observables, sweeps=600) - p.sweep(sites, *options, sweeps=600)) / sites


def sample(sites, *options):
    return lambda p: 1e12 * p.sample(sites, *options) / sites


def label(side, form, start, *options):
    return lambda p: p.labelled(side, form, start, *options)


def one_and_two(p, sites, *options):
    """Seconds of a sweep of a square of so many sites on one device, and of two such squares on two."""
    side = int(sites**0.5)
    return p.sweep(sites, "--size", side, *options), p.sweep(2 * sites, "--size", f"{side}x{2 * side}", *options, processes=True)


def longer(sites, *options):
    """Microseconds that two devices take longer than one."""
    def figure(p):
        one, two = one_and_two(p, sites, *options)
        return 1e6 * (two - one)
    return figure


def efficiency(sites, *options):
    """Percent of twice the speed of one device that two have."""
    def figure(p):
        one, two = one_and_two(p, sites, *options)
        return 100 * one / two
    return figure


def first_use(p):
    """Seconds of a process with an empty cache, and of the next one; once a round."""
    if ("first use", p.turn) in p.known:
        return p.known["first use", p.turn]
    with tempfile.TemporaryDirectory() as cold:
        variables = dict(CLUP_CACHE_DIR=f"{cold}/clup", CUDA_CACHE_PATH=f"{cold}/driver", POCL_CACHE_DIR=f"{cold}/pocl", XDG_CACHE_HOME=f"{cold}/cache")
        run = ("simulate", "--size", 512, "--sweeps", 1, "--thermalize", 0)
        os.mkdir(f"{cold}/pocl")
        p.known["first use", p.turn] = p.clup(*run, **variables)[1], p.clup(*run, "--seed", 2, **variables)[1]
    return p.known["first use", p.turn]


def file_labelled(p, *options):
    """Seconds of a process that labels a file of 8192 x 20000 bytes."""
    name = f"{p.scratch}/picture.npy"
    if not os.path.exists(name):
        write_picture(name, 8192, 20000)
    p.clup("label", name, "--json")  # kernels are compiled
    return p.clup("label", name, *options)[1]


def write_picture(name, width, height):
    """A .npy file of bytes 0 and 1, by bits of a generator that is in the library of Python."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({height}, {width}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    ones = [bytes((byte >> bit) & 1 for bit in range(8)) for byte in range(256)]
    noise = random.Random(1)
    with open(name, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode("latin1"))
        for _ in range(height):
            out.write(b"".join(ones[byte] for byte in noise.randbytes(width // 8)))


SQUARE, CUBIC, FK = 16384**2, 512**3, 4096**2
BOX = ("--lattice", "cubic", "--size", 512)
MANY = ("--size", 16, "--replicas", 2048)
ROWS = [  # name, unit, target, stretch, figure of a program
    ("SW square L = 16384", "ps", 5.5, 5.0, ps(SQUARE, "--size", 16384)),
    ("SW square L = 16384, 0.6 beta_c", "ps", 5.0, 4.2, ps(SQUARE, "--size", 16384, "--beta-ratio", 0.6)),
    ("SW square L = 16384, q = 3", "ps", 6.6, 6.0, ps(SQUARE, "--size", 16384, "--q", 3)),
    ("SW square L = 16384, q = 10", "ps", 7.8, 7, ps(SQUARE, "--size", 16384, "--q", 10)),
    ("SW triangular L = 8192", "ps", 8, 7, ps(8192**2, "--lattice", "triangular", "--size", 8192)),
    ("SW cubic L = 512", "ps", 11.5, 10, ps(CUBIC, *BOX)),
    ("clusters every sweep, square L = 16384", "%", 12, 8, more(SQUARE, "--size", 16384, observables="energy,clusters")),
    ("clusters every sweep, cubic L = 512", "%", 15, 10, more(CUBIC, *BOX, observables="energy,clusters")),
    *((f"one system, L = {side}", "us", target, stretch, us(side**2, "--size", side)) for side, target, stretch in ((128, 14, 12), (256, 15, 12), (512, 16, 13), (1024, 20, 17))),
    ("16 x 16, 2048 systems", "ps", 12, 9, ps(2048 * 256, *MANY)),
    ("16 x 16, 2048 systems, with clusters", "%", 40, 20, more(2048 * 256, *MANY, observables="energy,clusters")),
    ("percolation, bonds 8192^2", "ps", 9, 6, sample(8192**2, "--size", 8192)),
    ("percolation, sites 8192^2", "ps", 7, 5, sample(8192**2, "--size", 8192, "--kind", "site")),
    ("percolation, bonds 400^3", "ps", 20, 14, sample(400**3, "--lattice", "cubic", "--size", 400)),
    ("percolation, bonds 256^2", "ps", 12, 8, sample(256**2, "--size", 256)),
    ("percolation, bonds 64^2", "ps", 14, 9, sample(64**2, "--size", 64)),
    *((f"{what} measured, L = 4096", "ps", target, stretch, above(FK, "--size", 4096, observables=name)) for what, name, target, stretch in
      (("wrapping", "energy,wrap_x", 3, 1.5), ("sizes of clusters", "energy,cluster_sizes", 3, 1), ("S(k) improved", "energy,sk_improved", 12, 5),
       ("G(r)", "energy,correlation_x", 8, 3), ("all", "all", 40, 20))),
    ("two devices, 4096^2 each", "us more", 45, 30, longer(4096**2)),
    ("two devices, 4096^2 each, with clusters", "us more", 70, 50, longer(4096**2, "--observables", "energy,clusters")),
    ("two devices, 16384^2 each", "%", 96, 97, efficiency(SQUARE)),
    ("two devices, 65536^2 each, with clusters", "%", 97, 98, efficiency(65536**2, "--observables", "energy,clusters")),
    ("labels 8192^2, random, 4 neighbours", "ms", 0.43, 0.36, label(8192, "canonical", "foreground, 4 neighbours 8192x8192x1 0.5000")),
    ("labels 8192^2, random, equality", "ms", 0.47, 0.38, label(8192, "canonical", "equality, 4 neighbours 8192x8192x1 0.5000")),
    ("labels 8192^2, snake of rows, equality", "ms", 0.75, 0.6, label(8192, "canonical", "snake 1 4, equality open", "--pictures", "snake")),
    ("labels 8192^2, checker, equality, numbered", "ms", 0.72, 0.6, label(8192, "numbered", "checker 1 4, equality open", "--pictures", "checker")),
    ("labels 512^3, 26 neighbours, .3", "ms", 0.70, 0.55, label(512, "canonical", "foreground, 26 neighbours 512x512x512 0.3000", "--volumes")),
    ("labels 512^3, 6 neighbours, .3", "ms", 0.85, 0.7, label(512, "canonical", "foreground, 6 neighbours 512x512x512 0.3000", "--volumes")),
    ("statistics of 8192^2, random, 4 neighbours, with values", "ms", 2.0, 1.5, label(8192, "with values", "foreground, 4 neighbours 8192x8192x1 0.5000")),
    ("first use, cold", "s", 1.8, 1.0, lambda p: first_use(p)[0]),
    ("first use, warm", "s", 0.3, 0.2, lambda p: first_use(p)[1]),
    ("clup label 8192 x 20000, labels written", "s", 0.7, 0.5, lambda p: file_labelled(p, "-o", "labels.npy")),
    ("clup label 8192 x 20000", "s", 0.4, 0.28, file_labelled),
]


def measured(programs, name, figure, rounds):
    """For each program the figures of all rounds."""
    got = [[] for _ in programs]
    for turn in range(rounds):
        for values, program in list(zip(got, programs))[:: -1 if turn % 2 else 1]:
            program.turn = turn
            try:
                values.append(figure(program))
            except Failed as failure:
                print(f"{name}: {failure}", file=sys.stderr)
    return got


def half_range(values):
    """Half the distance of the quartiles."""
    values = sorted(values)
    return (values[3 * len(values) // 4] - values[len(values) // 4]) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", default="", help="parts of the names of rows, separated by commas")
    parser.add_argument("--scale", type=float, default=1, help="sweeps and samples of a run, in units of those that take a GPU half a second")
    parser.add_argument("--mpi", default="", help='how two processes are started, such as "mpirun -n 2"; without it their rows are left out')
    parser.add_argument("--scratch", help="where files are kept; a file system in memory, /dev/shm, is the default where it is there")
    options = parser.parse_args()
    parts = [part for part in options.rows.split(",") if part]
    rows = [row for row in ROWS if (not parts or any(part in row[0] for part in parts)) and (options.mpi or not row[0].startswith("two devices"))]
    if options.rounds < 1 or not rows:
        parser.error("no row, or no round")
    some = False
    print("| path | unit | target | stretch | " + " | ".join(options.builds) + " | last / first |")
    print("|---|---|---:|---:|" + "---:|" * (len(options.builds) + 1), flush=True)
    with tempfile.TemporaryDirectory(dir=options.scratch or ("/dev/shm" if os.path.isdir("/dev/shm") else None)) as scratch:
        programs = [Program(folder, options, scratch) for folder in options.builds]
        for name, unit, target, stretch, figure in rows:
            got = measured(programs, name, figure, options.rounds)
            some = some or any(got)
            middles = [statistics.median(values) if values else None for values in got]
            ratio = f"{middles[-1] / middles[0]:.3f}" if len(got) > 1 and middles[0] and middles[-1] else ""
            cells = " | ".join(f"{statistics.median(v):.3g} ({half_range(v):.1g})" if v else "-" for v in got)
            print(f"| {name} | {unit} | {target:g} | {stretch:g} | {cells} | {ratio} |", flush=True)
    return 0 if some else 1


if __name__ == "__main__":
    sys.exit(main())
