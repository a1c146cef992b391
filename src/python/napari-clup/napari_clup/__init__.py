# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of napari that labels layers by clup: napari.yaml says what it has."""
__version__ = "0.1.0"
