# SPDX-License-Identifier: BSD-3-Clause
"""Clusters of lattices and images on any OpenCL device: label, measure, simulate, percolate.

label, threshold, statistics, regionprops, regionprops_table, dust, largest_k, contacts and region_graph take images and volumes,
simulate and percolate lattices, graph.connected_components graphs. A Simulation is run step by step; analyse takes series.
Errors are exceptions with the library's words: Error, and what is derived from it. The device is the first GPU, or as
$CLUP_DEVICE or the argument device say. A thread has contexts of its own; Ctrl-C ends what is running.
"""
from . import graph, measure
from ._analysis import analyse
from ._contacts import contacts, region_graph
from ._images import threshold
from ._label import label
from ._lattices import percolate, percolation_curves
from ._library import BuildError, DeviceError, Error, OutOfMemoryError, UsageError, VerifyError, lib, text
from ._regionprops import regionprops, regionprops_table
from ._regions import dust, largest_k, statistics
from ._result import Result
from ._runs import resume, simulate
from ._simulation import Population, Simulation

__version__ = text(lib.clup_version())
__all__ = ["label", "threshold", "statistics", "regionprops", "regionprops_table", "dust", "largest_k", "contacts", "region_graph", "measure", "graph", "simulate", "resume", "Simulation", "Population", "Result", "analyse", "percolate", "percolation_curves",
           "Error", "UsageError", "DeviceError", "BuildError", "OutOfMemoryError", "VerifyError"]
