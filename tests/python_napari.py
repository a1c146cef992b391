# SPDX-License-Identifier: BSD-3-Clause
"""The plugin of napari in src/python/napari-clup: its manifest, and what it does with arrays: TAP lines.

Where napari, Qt and the plugin are installed, the form is also opened and used, without a window.
"""
import ast
import importlib
import os
import re
import sys

import numpy as np
import yaml
from scipy import ndimage

import clup
from tap import done, ok, raises

FOLDER = os.path.join(os.environ["srcdir"], "src", "python", "napari-clup")
sys.path.insert(0, FOLDER)


def read(*path):
    with open(os.path.join(FOLDER, *path), encoding="ascii") as file:
        return file.read()


def manifest():
    said, project = yaml.safe_load(read("napari_clup", "napari.yaml")), read("pyproject.toml")
    ok(set(said) == {"name", "display_name", "schema_version", "contributions"} and re.fullmatch(r"0\.\d\.\d", said["schema_version"]) and
       set(said["contributions"]) == {"commands", "widgets", "menus"}, "the manifest has what npe2 asks for, and nothing else")
    commands = {command["id"]: command for command in said["contributions"]["commands"]}
    ok(all(name.startswith(said["name"] + ".") and set(command) == {"id", "title", "python_name"} for name, command in commands.items()),
       "commands begin with the plugin's name")
    used = said["contributions"]["widgets"] + [item for items in said["contributions"]["menus"].values() for item in items]
    ok(len(used) == 2 and all(item["command"] in commands for item in used), "widgets and menus name commands")
    for command in commands.values():
        module, function = command["python_name"].split(":")
        tree = ast.parse(read(*module.split(".")[:-1], module.split(".")[-1] + ".py"))
        ok(any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body), "%s is there" % command["python_name"])
    ok('[project.entry-points."napari.manifest"]\n%s = "napari_clup:napari.yaml"\n' % said["name"] in project and 'napari_clup = ["napari.yaml"]' in project,
       "the package says where the manifest is, and contains it")
    versions = re.findall(r'^(?:__)?version(?:__)? = "(.*)"$', project + read("napari_clup", "__init__.py"), flags=re.M)
    ok(versions == [clup.__version__] * 2, "its version is clup's: %s" % versions)


def labelling():
    plugin = importlib.import_module("napari_clup._labelling")
    levels, matches, features_of, labelled = plugin.LEVELS, plugin.MATCHES, plugin.features_of, plugin.labelled
    random = np.random.default_rng(1)
    image = ndimage.gaussian_filter(random.random((60, 70)), 2)
    for by in levels[:3]:
        expected = ndimage.label(image > clup.threshold(image, by), np.ones((3, 3)))[0]
        ok(np.array_equal(labelled(image, by=by), expected), "above the threshold %s, by all neighbours" % by)
    ok(np.array_equal(labelled(image, by="level", level=0.5, diagonal=False), ndimage.label(image > 0.5)[0]), "above a level, by faces")
    whole = (image * 20).astype(np.uint8)
    for match in matches[2:]:
        expected = clup.label(whole, match=match, connectivity=2, periodic=True, **({"level": 1} if match == "tolerance" else {}))[0]
        ok(np.array_equal(labelled(whole, match, level=1, periodic=True), expected), "match %s" % match)
    large, sizes = labelled(image, by="otsu", smallest=12), np.bincount(labelled(image, by="otsu").ravel())[1:]
    ok(np.bincount(large.ravel())[1:].tolist() == sizes[sizes >= 12].tolist() and 0 < (sizes >= 12).sum() < len(sizes), "small clusters are left out, the others numbered anew")
    film = random.random((2, 3, 20, 30))
    labels = labelled(film, by="level", level=0.6, frames=2, smallest=3)
    alone = [[labelled(frame, by="level", level=0.6, smallest=3) for frame in row] for row in film]
    ok(np.array_equal(labels, alone), "frames are labelled each by itself")
    table = features_of(large, image, (2, -0.5))
    ok(table["index"].tolist() == [*range(1, large.max() + 1)] and np.allclose(table["area"], np.bincount(large.ravel())[1:]) and "solidity" in table and
       np.allclose(table["intensity_max"], [image[large == k].max() for k in table["index"]]), "features, in the lengths of a scale")
    ok(features_of(np.zeros((4, 4), int), image[:4, :4], (1, 1))["index"].size == 0, "of no cluster as well")
    raises(clup.UsageError, "2 axes of 2 count images", labelled, image, frames=2)


def form():
    """The form in napari, without a window."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        import napari
        import npe2
        npe2.PluginManager.instance().discover()
        npe2.PluginManager.instance().get_manifest("napari-clup")
    except (ImportError, KeyError) as error:
        print("# without napari and the plugin: %s" % error)
        return
    # a window has a viewer of OpenGL's, which Qt has none of without a screen: the layers alone do without
    shown = bool(os.environ.get("DISPLAY"))
    viewer = napari.Viewer(show=False) if shown else napari.components.ViewerModel()
    image = ndimage.gaussian_filter(np.random.default_rng(1).random((60, 70)), 2)
    viewer.add_image(image, name="cells", scale=(0.5, 0.5), translate=(3, 4))
    if shown:
        widget = viewer.window.add_plugin_dock_widget("napari-clup", "Label clusters")[1]
    else:
        kind = importlib.import_module("qtpy.QtWidgets").QApplication
        application = kind.instance() or kind([])  # kept as long as its widgets
        widget = npe2.PluginManager.instance().commands.get("napari-clup.label")()
        widget.layer.choices = [viewer.layers["cells"]]
    widget.layer.value = viewer.layers["cells"]

    def pressed():
        found = widget()
        if not shown and "cells labels" in viewer.layers:
            viewer.layers.remove("cells labels")
        if not shown:
            viewer.add_layer(napari.layers.Layer.create(*found))

    ok(widget.by.get_value() == "otsu" and [item for item in widget.match.choices] == ["nonzero", "threshold", "equal", "tolerance"], "the form opens")
    pressed()
    layer = viewer.layers["cells labels"]
    expected = clup.label(image, match="threshold", level="otsu", connectivity=2)
    ok(isinstance(layer, napari.layers.Labels) and np.array_equal(layer.data, expected[0]) and layer.scale.tolist() == [0.5, 0.5] and
       layer.translate.tolist() == [3, 4], "the form adds a layer of labels in the image's place")
    ok(layer.features["index"].tolist() == [*range(1, expected[1] + 1)] and np.allclose(layer.features["area"], np.bincount(expected[0].ravel())[1:] / 4),
       "with features")
    widget.by.value, widget.level.value, widget.diagonal.value, widget.measure.value = "level", 0.5, False, False
    pressed()
    layer = viewer.layers["cells labels"]
    ok(np.array_equal(layer.data, ndimage.label(image > 0.5)[0]), "and changes it when it is asked again")
    if shown:
        viewer.close()
    else:
        del widget, application


manifest()
labelling()
form()
done()
