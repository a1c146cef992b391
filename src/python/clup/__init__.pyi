# SPDX-License-Identifier: BSD-3-Clause
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import graph as graph
from . import measure as measure

__version__: str
__all__ = ["label", "statistics", "regionprops_table", "dust", "largest_k", "measure", "graph", "simulate", "resume", "Simulation", "Population", "Result",
           "analyse", "percolate", "percolation_curves", "Error", "UsageError", "DeviceError", "BuildError", "OutOfMemoryError", "VerifyError"]

_Path = str | os.PathLike[str]
_Periodic = bool | str | Sequence[bool]
_Progress = Callable[[int, int], object]
_Functions = dict[str, Callable[[NDArray[Any]], Any]]
_Shape = int | Sequence[int]

class Error(RuntimeError):
    status: int

class UsageError(Error, ValueError):
    status: int

class DeviceError(Error):
    status: int

class BuildError(Error):
    status: int

class OutOfMemoryError(Error, MemoryError):
    status: int

class VerifyError(Error):
    status: int

class Result(dict[str, Any]):
    model: int
    states: int
    @property
    def vectors(self) -> bool: ...
    @property
    def observables(self) -> list[str]: ...
    def to_dataframe(self, series: bool = False) -> Any: ...
    def to_xarray(self) -> Any: ...

class _Statistics(TypedDict):
    voxel_counts: NDArray[Any]
    bounding_boxes: list[tuple[slice, ...] | None]
    centroids: NDArray[np.float64]

class Simulation:
    def __init__(self, shape: _Shape, *, model: str = "potts", q: int = 2, beta: ArrayLike | None = None, lattice: str = "square",
                 periodic: _Periodic = True, every: int = 1, observables: str | Iterable[str] = ("energy", "abs_m"), algorithm: str = "sw",
                 heat_bath: int = 0, houdayer: int = 0, overrelaxation: int = 0, seeds_per_side: int | None = None,
                 p_flip: float | None = None, rng: str = "philox", start: str = "ordered", replicas: int = 1, seed: int = 1,
                 bond_couplings: ArrayLike | None = None, tempering: ArrayLike | None = None, swap_every: int = 1, tempering_tune: int = 0,
                 measure: _Functions | None = None, device: str | None = None, **fields: Any) -> None: ...
    def __del__(self) -> None: ...
    def __enter__(self) -> Simulation: ...
    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None: ...
    def close(self) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def betas(self) -> NDArray[np.float64]: ...
    @betas.setter
    def betas(self, betas: ArrayLike) -> None: ...
    @property
    def device(self) -> str: ...
    @property
    def sweeps(self) -> int: ...
    @property
    def measured(self) -> int: ...
    @property
    def spins(self) -> NDArray[Any]: ...
    @spins.setter
    def spins(self, spins: ArrayLike) -> None: ...
    def sweep(self, sweeps: int = 1, progress: _Progress | None = None) -> int: ...
    def measure(self, sweeps: int = 1, progress: _Progress | None = None) -> int: ...
    def stop(self) -> None: ...
    def resample(self, beta: float) -> tuple[NDArray[np.uint32], float]: ...
    def series(self, name: str) -> NDArray[np.float64]: ...
    def result(self) -> Result: ...
    def record(self) -> Any: ...
    def save(self, path: _Path) -> None: ...
    def write_series(self, path: _Path) -> None: ...
    @classmethod
    def load(cls, path: _Path, *, observables: str | Iterable[str] | None = None, measure: _Functions | None = None,
             bond_couplings: ArrayLike | None = None, graph: Any = None, device: str | None = None) -> Simulation: ...

class Population:
    def __init__(self, simulation: Simulation) -> None: ...
    def resample(self, beta: float) -> None: ...
    def step(self) -> dict[str, Any]: ...

def simulate(shape: _Shape, *, model: str = "potts", q: int = 2, beta: ArrayLike | None = None, lattice: str = "square",
             periodic: _Periodic = True, every: int = 1, observables: str | Iterable[str] = ("energy", "abs_m"), algorithm: str = "sw",
             heat_bath: int = 0, houdayer: int = 0, overrelaxation: int = 0, seeds_per_side: int | None = None,
             p_flip: float | None = None, rng: str = "philox", start: str = "ordered", replicas: int = 1, seed: int = 1,
             bond_couplings: ArrayLike | None = None, tempering: ArrayLike | None = None, swap_every: int = 1, tempering_tune: int = 0,
             measure: _Functions | None = None, device: str | None = None, sweeps: int = 1000, thermalize: int = 100,
             anneal: ArrayLike | None = None, progress: _Progress | None = None, checkpoint: _Path | None = None,
             save_every: float | None = None, series: _Path | None = None, time_limit: float | None = None, **fields: Any) -> Result: ...
def resume(path: _Path, *, sweeps: int | None = None, progress: _Progress | None = None, checkpoint: _Path | None = None,
           save_every: float | None = None, series: _Path | None = None, time_limit: float | None = None,
           observables: str | Iterable[str] | None = None, bond_couplings: ArrayLike | None = None, graph: Any = None,
           device: str | None = None) -> Result: ...
def percolate(shape: _Shape, p: ArrayLike | None = None, *, kind: str = "bond", lattice: str = "square", periodic: _Periodic = True,
              samples: int = 100, cluster_sizes: bool = False, progress: _Progress | None = None, seed: int = 1,
              device: str | None = None) -> Result: ...
def percolation_curves(shape: _Shape, ps: ArrayLike | None = None, *, kind: str = "bond", lattice: str = "square",
                       periodic: _Periodic = True, samples: int = 100, progress: _Progress | None = None, seed: int = 1,
                       device: str | None = None) -> Result: ...
def analyse(data: ArrayLike | Mapping[str, ArrayLike] | _Path | Simulation | Sequence[_Path | Simulation], *,
            expressions: str | Iterable[str] = (), covariance: bool = False, reweight: ArrayLike | None = None,
            peaks: Iterable[str] = ("specific_heat", "susceptibility"), crossings: Iterable[str] = ("binder", "xi_over_l"),
            beta: float | None = None, shape: _Shape | None = None) -> dict[str, Any]: ...
@overload
def label(input: Any, structure: ArrayLike | None = None, *, output: NDArray[Any], connectivity: int | None = None,
          match: str = "nonzero", level: float = ..., background: float | None = ..., periodic: _Periodic = False,
          device: str | None = None) -> int: ...
@overload
def label(input: Any, structure: ArrayLike | None, output: NDArray[Any], *, connectivity: int | None = None,
          match: str = "nonzero", level: float = ..., background: float | None = ..., periodic: _Periodic = False,
          device: str | None = None) -> int: ...
@overload
def label(input: Any, structure: ArrayLike | None = None, output: DTypeLike | None = None, *, connectivity: int | None = None,
          match: str = "nonzero", level: float = ..., background: float | None = ..., periodic: _Periodic = False,
          device: str | None = None) -> tuple[Any, int]: ...
def statistics(labels: ArrayLike, *, device: str | None = None) -> _Statistics: ...
def regionprops_table(label_image: ArrayLike, intensity_image: ArrayLike | None = None,
                      properties: str | Iterable[str] = ("label", "bbox"), *, separator: str = "-",
                      spacing: float | Sequence[float] | None = None, device: str | None = None) -> dict[str, NDArray[Any]]: ...
def dust(image: ArrayLike, threshold: float | tuple[float, float] | list[float] | NDArray[Any], *, connectivity: int | None = None,
         device: str | None = None) -> NDArray[Any]: ...
def largest_k(image: ArrayLike, k: int, *, connectivity: int | None = None, device: str | None = None) -> NDArray[Any]: ...
