#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How far the kernels of each path of clup are from what their instructions and their bytes must take, by the counters of an NVIDIA GPU.

    tests/roofline.py [--paths TEXT,..] [--out FOLDER] BUILD      counts, into FOLDER/roofline.json
    tests/roofline.py --draw FOLDER                               FOLDER/roofline.png from it, by gnuplot, and the tables of its page

A sweep of each path runs with tests/.libs/launches.so preloaded, which keeps the programs and buffers of one launch of each kernel
(tests/shim/launches.c). The programs are PTX: the script launches them by CUDA's driver, and Nsight Compute (ncu), which sees no OpenCL,
counts instructions and bytes. Needs an NVIDIA driver, ncu and the file system /dev/shm; nothing else of CUDA. BUILD is a build folder, or
one like those of tests/paths.py with launches.so in tests. Paths that are not counted anew are kept. Not part of make check. Exit code 1
when a path could not be counted.

Bounds: *issue* is the time in which the units can issue the instructions of the kernels, if one goes in each cycle from each of the four
parts of a unit; *bytes* is the time of their traffic with the device's memory at the rate of a copy (--copy). *Needed* is the traffic that
the path cannot do without: its input read once and its result written once."""
import argparse
import csv
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

from paths import write_picture

METRICS = {
    "gpu__time_duration.sum": "ns",
    "smsp__inst_executed.sum": "instructions",
    "smsp__thread_inst_executed.sum": "of_lanes",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issue_percent",
    "dram__bytes.sum": "bytes",
    "lts__t_bytes.sum": "l2_bytes",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps_percent",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "local_wavefronts",
    "sm__cycles_elapsed.max": "cycles",
    "launch__registers_per_thread": "registers",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "waits_for_memory",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio": "waits_for_local",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": "waits_at_barriers",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio": "waits_fixed",
    "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio": "waits_not_selected",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio": "waits_mio",
    "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio": "waits_branch",
    "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio": "waits_math",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio": "waits_lg",
}
PARTS = 4  # of a unit, each of which issues an instruction a cycle
PATHS = [  # name, sites of a system, bytes a site that are needed, command
    ("square, q = 2", 8192**2, 2 / 8, "simulate --size 8192"),
    ("square, q = 2, clusters", 8192**2, 2 / 8, "simulate --size 8192 --observables energy,clusters"),
    ("square, q = 10", 8192**2, 8 / 8, "simulate --size 8192 --q 10"),
    ("triangular", 8192**2, 2 / 8, "simulate --size 8192 --lattice triangular"),
    ("cubic, q = 2", 512**3, 2 / 8, "simulate --size 512 --lattice cubic"),
    ("XY, square", 4096**2, 8, "simulate --size 4096 --model xy --beta 1.12"),
    ("percolation, bonds", 8192**2, 0, "percolate --size 8192"),
    ("percolation, sites", 8192**2, 0, "percolate --size 8192 --kind site"),
    ("labels, 8 neighbours", 8192**2, 5, "label PICTURE --connectivity 8"),
    ("labels, 4 neighbours", 8192**2, 5, "label PICTURE --connectivity 4"),
    ("labels, equality", 8192**2, 5, "label PICTURE --match equal --background none"),
]


# ---- launching by CUDA's driver --------------------------------------------------------------------------------------------------------


def driver():
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: error {code}")

    return call


def replay(folder):
    """Launches all that was kept in a folder, once each."""
    call = driver()
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".launch"):
            launch(call, folder, [line.split() for line in open(f"{folder}/{name}")])


def launch(call, folder, lines):
    module, function, sizes, arguments, owned, shared, buffers = ctypes.c_void_p(), ctypes.c_void_p(), {}, [], [], 0, {}
    for kind, *rest in lines:
        if kind == "kernel":
            name = rest[0]
        elif kind == "program":
            text = open(f"{folder}/{rest[0]}", "rb").read() + b"\0"
        elif kind in ("grid", "group"):
            sizes[kind] = [int(n) for n in rest]
        elif kind == "value":
            arguments.append(ctypes.create_string_buffer(bytes.fromhex(rest[0]), len(rest[0]) // 2))
        elif kind == "buffer":
            if rest[0] not in buffers:
                memory = ctypes.c_uint64()
                data = open(f"{folder}/{rest[0]}", "rb").read()
                call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(len(data)))
                call("cuMemcpyHtoD_v2", memory, data, ctypes.c_size_t(len(data)))
                buffers[rest[0]] = memory
            arguments.append(ctypes.c_uint64(buffers[rest[0]].value))
        elif kind == "local":
            arguments.append(ctypes.c_uint64(shared))  # where it begins in the memory of the group
            shared += int(rest[0])
    # OpenCL's driver says in these registers where the grid begins, and how large it is
    of_grid = [0] * 6 + sizes["grid"]
    text = re.sub(rb"(mov\.b32\s+%r\d+, )%envreg(\d+);", lambda found: found.group(1) + b"%d;" % of_grid[int(found.group(2))], text)
    call("cuModuleLoadData", ctypes.byref(module), text)
    call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    pointers = (ctypes.c_void_p * max(1, len(arguments)))(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in arguments])
    call("cuLaunchKernel", function, *sizes["grid"], *sizes["group"], shared, None, pointers, None)
    call("cuCtxSynchronize")
    for memory in buffers.values():
        call("cuMemFree_v2", memory)
    call("cuModuleUnload", module)


# ---- counting --------------------------------------------------------------------------------------------------------------------------


def count(build, command, folder):
    """(systems, for each kernel its counters) of a command, by Nsight Compute."""
    build = os.path.abspath(build)
    shim = next(f for f in (f"{build}/tests/.libs/launches.so", f"{build}/tests/launches.so") if os.path.exists(f))
    variables = dict(os.environ, CLUP_SHIM_LAUNCHES=folder, LD_PRELOAD=shim)
    program = f"{build}/.libs/clup" if os.path.exists(f"{build}/.libs/clup") else f"{build}/clup"
    library = f"{build}/.libs" if os.path.exists(f"{build}/.libs") else build
    variables["LD_LIBRARY_PATH"] = f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    if os.path.isdir(f"{build}/cl"):
        variables["CLUP_CL_PATH"] = f"{build}/cl"
    words = command.split()
    if words[0] == "simulate":
        variables["CLUP_SHIM_LAUNCH"] = "60"
        words += ["--sweeps", "80", "--thermalize", "30"]
    elif words[0] == "percolate":
        variables["CLUP_SHIM_LAUNCH"] = "8"
        words += ["--samples", "20"]
    subprocess.run([program, *words, "--device", "gpu", "-q"], check=True, env=variables, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--metrics", ",".join(METRICS), sys.executable, __file__, "--replay", folder],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if len(lines) < 3:
        raise RuntimeError(f"ncu: exit code {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-1000:]}")
    rows = list(csv.DictReader([lines[0], *lines[2:]]))
    units = next(csv.DictReader(lines[:2]))
    scales = {"us": 1e3, "ms": 1e6, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
    found = []
    for row in rows:
        kernel = {"kernel": row["Kernel Name"].split("(")[0]}
        for metric, name in METRICS.items():
            if row.get(metric) not in (None, "", "nan"):
                kernel[name] = float(row[metric].replace(",", "")) * scales.get(units[metric], 1)
        found.append(kernel)
    grids = [line.split() for name in os.listdir(folder) if name.endswith(".launch") for line in open(f"{folder}/{name}") if line.startswith("grid")]
    return max(int(grid[2]) for grid in grids), found


def count_all(build, parts, out):
    """Counts paths, and returns how many could not be counted."""
    name, failed = f"{out}/roofline.json", 0
    results = json.load(open(name)) if os.path.exists(name) else []
    for path, sites, needed, command in PATHS:
        if parts and not any(part in path for part in parts):
            continue
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            if "PICTURE" in command:
                write_picture(f"{folder}/picture.npy", 8192, 8192)
                command = command.replace("PICTURE", f"{folder}/picture.npy")
            try:
                systems, kernels = count(build, command, folder)
                results = [row for row in results if row["path"] != path] + [{"path": path, "sites": sites * systems, "needed": needed, **kernel} for kernel in kernels]
            except (RuntimeError, subprocess.CalledProcessError) as failure:
                print(f"{path}: {failure}", file=sys.stderr)
                failed += 1
    with open(name, "w") as file:
        file.write("[" + ",\n".join(json.dumps({key: value if isinstance(value, str) else float(f"{value:.6g}") for key, value in row.items()}) for row in results) + "]\n")
    return failed


# ---- the page --------------------------------------------------------------------------------------------------------------------------


def bounds(kernels, units, copy):
    """(measured, issue, bytes, needed) of a path, in ps a site."""
    sites = kernels[0]["sites"]
    issue = sum(k["instructions"] / (PARTS * units * k["cycles"] / k["ns"]) for k in kernels)
    return [1e3 * ns / sites for ns in (sum(k["ns"] for k in kernels), issue, sum(k["bytes"] for k in kernels) / copy, kernels[0]["needed"] * sites / copy)]


def draw(folder, units, copy):
    results = [row for row in json.load(open(f"{folder}/roofline.json")) if "ns" in row]
    paths = {}
    for row in results:
        paths.setdefault(row["path"], []).append(row)
    names = [name for name, *_ in PATHS if name in paths]
    print("| path | measured, ps a site | issue | bytes | needed | measured over the larger of issue and bytes |")
    print("|---|---:|---:|---:|---:|---:|")
    lines = []
    for k, name in enumerate(names):
        row = bounds(paths[name], units, copy)
        print(f"| {name} | " + " | ".join(f"{value:.3g}" if value else "-" for value in row) + f" | {row[0] / max(row[1:3]):.2f} |")
        lines.append(f'"{name}" {len(names) - k} ' + " ".join(str(value or "NaN") for value in row))
    print()
    print("| path | kernel | ps a site | instructions for 1024 sites | lanes of 32 | issued, of cycles | warps, of those that fit | registers | bytes a site |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        for k in sorted(paths[name], key=lambda k: -k["ns"]):
            if k["ns"] > 0.02 * sum(other["ns"] for other in paths[name]):
                print(f"| {name} | `{k['kernel']}` | {1e3 * k['ns'] / k['sites']:.3g} | {1024 * k['instructions'] / k['sites']:.0f} | "
                      f"{k['of_lanes'] / k['instructions']:.1f} | {k['issue_percent']:.0f} % | {k['warps_percent']:.0f} % | {k['registers']:.0f} | "
                      f"{k['bytes'] / k['sites']:.2f} |")
    script = f"""
set terminal pngcairo size 900,{120 + 38 * len(names)} font ",11"
set output "{folder}/roofline.png"
set logscale x
set xlabel "ps a site"
set yrange [0.4:{len(names)}.6]
set xrange [0.03:50]
set grid x
set key above
$rows << END
{chr(10).join(lines)}
END
plot $rows using 3:2:ytic(1) with points pt 7 ps 1.6 lc "black" title "measured", \\
     $rows using 4:2 with points pt 9 ps 1.6 lc "#c02020" title "issue", \\
     $rows using 5:2 with points pt 5 ps 1.4 lc "#2060c0" title "bytes", \\
     $rows using 6:2 with points pt 13 ps 1.6 lc "#30a030" title "needed"
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", metavar="BUILD")
    parser.add_argument("--paths", default="", help="parts of the names of paths, separated by commas")
    parser.add_argument("--out", default=".")
    parser.add_argument("--draw", metavar="FOLDER")
    parser.add_argument("--units", type=int, default=132, help="compute units of the device (132)")
    parser.add_argument("--copy", type=float, default=4113, help="bytes a ns that a copy reads and writes, as clup bench bandwidth says in GB/s (4113)")
    parser.add_argument("--replay", metavar="FOLDER", help="launches what was kept: for ncu")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    if options.draw:
        return draw(options.draw, options.units, options.copy)
    if not options.build:
        parser.error("which build?")
    return 1 if count_all(options.build, [part for part in options.paths.split(",") if part], options.out) else 0


if __name__ == "__main__":
    sys.exit(main())
