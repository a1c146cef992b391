# SPDX-License-Identifier: BSD-3-Clause
"""The guide's examples of whole jobs find what their images are made of: TAP lines.

nuclei.py has a TIFF made here, and that of stardist where that is installed; grains.py a packing of porespy's where that is.
"""
import csv
import importlib.util
import os
import subprocess
import sys

import numpy as np
import tifffile

from tap import done, ok

FOLDER = os.path.join(os.environ["srcdir"], "doc", "guide", "examples")


def said(name, *words):
    """What an example prints; it has to end without an error."""
    found = subprocess.run([sys.executable, os.path.join(FOLDER, name), *words], capture_output=True, text=True)
    ok(found.returncode == 0 and not found.stderr, "%s runs %s" % (name, found.stderr[-300:]))
    return found.stdout


def table_of(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = [*csv.reader(file)]
    return {name: np.array([float(row[k]) for row in rows[1:]]) for k, name in enumerate(rows[0])}


def spots():
    """A picture of 16 bits of nuclei of two sizes on an uneven background, of which some touch, and a mask of them."""
    random, (y, x) = np.random.default_rng(3), np.indices((300, 320))
    mask, picture = np.zeros(y.shape, np.uint16), 300 + 100 * np.sin(x / 90.0) + random.normal(0, 12, y.shape)
    for number in range(80):
        down, right = 24 + 36 * (number // 10) + random.integers(-3, 4), 18 + 30 * (number % 10) + random.integers(-3, 4)
        if number % 7 == 3:
            right -= 9
        wide, high, turn = random.uniform(9, 11), random.uniform(7, 9), random.uniform(0, np.pi)
        along, across = (x - right) * np.cos(turn) + (y - down) * np.sin(turn), (y - down) * np.cos(turn) - (x - right) * np.sin(turn)
        far = (along / wide)**2 + (across / high)**2
        mask[(far <= 1) & (mask == 0)] = number + 1
        picture += random.uniform(900, 1500) * (far <= 1)
    return picture.clip(0, 65535).astype(np.uint16), mask


def nuclei():
    picture, mask = spots()
    tifffile.imwrite("cells.tif", picture)
    tifffile.imwrite("mask.tif", mask)
    text = said("nuclei.py", "cells.tif", "mask.tif")
    table, labels, overlay = table_of("nuclei.csv"), tifffile.imread("nuclei.tif"), tifffile.imread("overlay.tif")
    number = int(labels.max())
    ok(abs(number - 80) <= 2 and text.startswith("%d nuclei, " % number), "80 nuclei are found as %d" % number)
    share = [np.bincount(labels[mask == one]).max() / (mask == one).sum() for one in range(1, 81)]
    ok("78 of the 80" in text or "79 of the 80" in text or "80 of the 80" in text, "all but two of those that were drawn at the most: %s" % text.split("\n")[1])
    ok(np.median(share) > 0.9, "with most of their pixels")
    ok(table["label"].tolist() == [*range(1, number + 1)] and table["area"].tolist() == np.bincount(labels.ravel())[1:].tolist() and
       np.allclose(table["intensity_mean"], [picture[labels == one].mean() for one in range(1, number + 1)]), "the table is that of the labels in nuclei.tif")
    yellow = (overlay == (255, 220, 0)).all(axis=-1)
    edge = np.zeros(labels.shape, bool)
    for axis, step in (0, 1), (0, -1), (1, 1), (1, -1):
        edge |= np.roll(labels, step, axis) != labels
    inner = np.s_[1:-1, 1:-1]
    ok(overlay.shape == (*labels.shape, 3) and not yellow[labels == 0].any() and 0 < yellow.sum() < (labels > 0).sum() / 2 and
       not (np.diff(overlay[~yellow].astype(int), axis=-1)).any() and yellow[inner][(edge & (labels > 0) & (mask > 0))[inner]].mean() > 0.5,
       "the overlay is gray with yellow boundaries")
    if importlib.util.find_spec("stardist") is None:
        print("# without stardist")
        return
    text = said("nuclei.py")
    ok("101 of the 125 nuclei that were drawn are found" in text, "stardist's picture: %s" % text)


def grains():
    text = said("grains.py")
    found = np.load("grains.npz")
    labels, pairs, areas = found["labels"], found["pairs"], found["areas"]
    faces = {}
    for axis in range(3):
        a, b = np.delete(labels, -1, axis), np.delete(labels, 0, axis)
        met = (a != b) & (a > 0) & (b > 0)
        for pair in zip(np.minimum(a, b)[met].tolist(), np.maximum(a, b)[met].tolist()):
            faces[pair] = faces.get(pair, 0) + 1
    ok(faces == dict(zip(map(tuple, pairs.tolist()), areas.tolist())), "%d contacts have the faces of their pixels: %s" % (len(pairs), text.split("\n")[-2]))
    if "centers" not in found:
        ok(importlib.util.find_spec("porespy") is not None and len(np.unique(labels)) - 1 > 50, "a packing of porespy's")
        return
    centers = found["centers"]
    at = labels[tuple(np.rint(centers).astype(int).T)]
    ok(len(centers) == 70 == labels.max() and sorted(at) == [*range(1, 71)] and "70 grains, " in text, "each sphere is a grain")
    apart = np.sqrt(((centers[:, None] - centers)**2).sum(axis=-1))
    touch = np.zeros((71, 71), bool)
    touch[pairs[:, 0], pairs[:, 1]] = touch[pairs[:, 1], pairs[:, 0]] = True
    touch = touch[np.ix_(at, at)]
    near, far = (apart < 19) & (apart > 0), apart > 21  # a diameter and a pixel
    ok(near.sum() > 100 and touch[near].all() and not touch[far].any(), "%d pairs of spheres that overlap are contacts, and no pair that does not" % (near.sum() // 2))
    ok("diameter of those: 19.9" in text or "diameter of those: 20.0" in text, "with their diameter")


def tracks():
    text, table = said("tracks.py"), table_of("tracks.csv")
    ok(text.startswith("30 frames with 4 to 5 objects; 4 tracks\n"), "four objects, one of which divides")
    moves = [(0.5, 1.2), (0.7, 0.3), (0.8, -0.3), (0.0, 0.9)]
    for number, (dy, dx) in enumerate(moves, 1):
        when, (y, x) = table["frame"][table["track"] == number], (table[name][table["track"] == number] for name in ("y", "x"))
        frames, each = np.unique(when, return_counts=True)
        means = [np.array([along[when == frame].mean() for frame in frames]) for along in (y, x)]
        found = [np.polyfit(frames, mean, 1)[0] for mean in means]
        ok(frames.tolist() == [*range(30)] and np.allclose(found, (dy, dx), atol=0.02), "track %d moves by (%.2f, %.2f) a frame" % (number, *found))
        first = frames[each > 1].min() if (each > 1).any() else None
        ok((first is not None) == (number == 2) and (first is None or 18 < first < 24 and (each[frames >= first] == 2).all()), "and divides: frame %s" % first)


nuclei()
grains()
tracks()
done()
