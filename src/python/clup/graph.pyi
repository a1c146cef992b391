# SPDX-License-Identifier: BSD-3-Clause
from collections.abc import Callable
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Result, Simulation

__all__ = ["connected_components", "percolate", "percolation_curves", "simulate", "simulation"]

@overload
def connected_components(csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: Literal[True] = True,
                         device: str | None = None) -> tuple[int, NDArray[np.integer[Any]]]: ...
@overload
def connected_components(csgraph: Any, directed: bool = True, connection: str = "weak", *, return_labels: Literal[False],
                         device: str | None = None) -> int: ...
@overload
def connected_components(csgraph: Any, directed: bool, connection: str, return_labels: Literal[False],
                         device: str | None = None) -> int: ...
def percolate(csgraph: Any, p: ArrayLike, *, kind: str = "bond", samples: int = 100, cluster_sizes: bool = False,
              progress: Callable[[int, int], object] | None = None, seed: int = 1, device: str | None = None) -> Result: ...
def percolation_curves(csgraph: Any, ps: ArrayLike | None = None, *, kind: str = "bond", samples: int = 100,
                       progress: Callable[[int, int], object] | None = None, seed: int = 1, device: str | None = None) -> Result: ...
def simulate(csgraph: Any, *, couplings: Literal["weights"] | ArrayLike | None = None, **options: Any) -> Result: ...
def simulation(csgraph: Any, *, couplings: Literal["weights"] | ArrayLike | None = None, **options: Any) -> Simulation: ...
