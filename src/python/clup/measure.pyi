# SPDX-License-Identifier: BSD-3-Clause
from collections.abc import Sequence
from typing import Any, Literal, overload

from numpy.typing import ArrayLike, NDArray

from . import regionprops as regionprops
from . import regionprops_table as regionprops_table

__all__ = ["label", "regionprops", "regionprops_table"]

@overload
def label(label_image: ArrayLike, background: float | None = None, return_num: Literal[False] = False, connectivity: int | None = None, *,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> NDArray[Any]: ...
@overload
def label(label_image: ArrayLike, background: float | None = None, *, return_num: Literal[True], connectivity: int | None = None,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> tuple[NDArray[Any], int]: ...
@overload
def label(label_image: ArrayLike, background: float | None, return_num: Literal[True], connectivity: int | None = None, *,
          periodic: bool | str | Sequence[bool] = False, device: str | None = None) -> tuple[NDArray[Any], int]: ...
