# SPDX-License-Identifier: BSD-3-Clause
"""The form that labels a layer, made by magicgui."""
from magicgui import magic_factory

from ._labelling import LEVELS, MATCHES, features_of, labelled


def _shown(widget):
    """Shows of the form what the match needs."""

    def change(*_):
        match = widget.match.value
        widget.by.visible = match == "threshold"
        widget.level.visible = match == "tolerance" or match == "threshold" and widget.by.value == "level"

    widget.match.changed.connect(change)
    widget.by.changed.connect(change)
    widget.shown_as_needed = change
    change()


@magic_factory(call_button="Label", widget_init=_shown, match={"choices": MATCHES}, by={"choices": LEVELS},
               level={"min": -1e12, "max": 1e12, "step": 1}, frames={"min": 0, "max": 8}, smallest={"min": 0, "max": 10**9})
def label_widget(layer: "napari.layers.Image", match: str = "threshold", by: str = "otsu", level: float = 0.0, diagonal: bool = True,
                 periodic: bool = False, frames: int = 0, smallest: int = 0, measure: bool = True) -> "napari.types.LayerDataTuple":
    """Labels the clusters of a layer, as a layer of labels in its place."""
    if layer is None:
        raise ValueError("there is no image to label")
    if getattr(layer, "rgb", False):
        raise ValueError("the layer %s has colours: label one of its channels" % layer.name)
    image = layer.data[0] if layer.multiscale else layer.data
    labels = labelled(image, match, by, level, diagonal, periodic, frames, smallest)
    said = {"name": "%s labels" % layer.name, "scale": layer.scale, "translate": layer.translate}
    if measure and not frames and labels.ndim <= 3:
        said["features"] = features_of(labels, image, layer.scale)
    return labels, said, "labels"
