# SPDX-License-Identifier: BSD-3-Clause
from collections.abc import Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import regionprops as regionprops
from . import regionprops_table as regionprops_table

__all__ = ["label", "regionprops", "regionprops_table", "clear_border", "remove_small_objects", "remove_small_holes", "binary_fill_holes", "each"]

@overload
def label(label_image: Any, background: float | None = None, return_num: Literal[False] = False, connectivity: int | None = None, *,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> Any: ...
@overload
def label(label_image: Any, background: float | None = None, *, return_num: Literal[True], connectivity: int | None = None,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> tuple[Any, Any]: ...
@overload
def label(label_image: Any, background: float | None, return_num: Literal[True], connectivity: int | None = None, *,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> tuple[Any, Any]: ...
def clear_border(labels: ArrayLike, buffer_size: int = 0, bgval: float = 0, mask: NDArray[np.bool_] | None = None, *,
                 device: str | None = None) -> NDArray[Any]: ...
def remove_small_objects(ar: ArrayLike, *, max_size: float = 64, connectivity: int = 1, device: str | None = None) -> NDArray[Any]: ...
def remove_small_holes(ar: ArrayLike, *, max_size: float = 64, connectivity: int = 1,
                       device: str | None = None) -> NDArray[np.bool_]: ...
def binary_fill_holes(input: ArrayLike, *, connectivity: int = 1, device: str | None = None) -> NDArray[np.bool_]: ...
def each(labels: ArrayLike, image: ArrayLike | None = None, *, device: str | None = None) -> Iterator[tuple[int, NDArray[Any]]]: ...
