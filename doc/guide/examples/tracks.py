# SPDX-License-Identifier: BSD-3-Clause
"""Objects of a film, in each frame and through time: tracks.py [FILM.npy LEVEL].

FILM.npy is an array of the shape (frames, y, x). Without one a film of bright spots is made, of which one divides. Writes tracks.csv,
a line for each object in each frame.
"""
import csv
import sys

import numpy as np

import clup

# y, x in the first frame, and how far they move in a frame; from frame 15 on the last spot is two
SPOTS = [(20, 15, 0.5, 1.2), (60, 105, 0.8, -0.3), (95, 30, 0.0, 0.9), (35, 60, 0.7, 0.3)]
DIVIDES, FRAMES, APART = 15, 30, 1.0


def film():
    """Spots that move, with some noise."""
    y, x = np.indices((128, 128))
    frames = np.random.default_rng(1).normal(20, 4, (FRAMES, 128, 128))
    for number, frame in enumerate(frames):
        for k, (down, right, dy, dx) in enumerate(SPOTS):
            apart = APART * (number - DIVIDES) if k == len(SPOTS) - 1 and number > DIVIDES else 0
            for side in (-1, 1) if apart else (0,):
                frame += 180 * np.exp(-((y - down - dy * number)**2 + (x - right - dx * number - side * apart)**2) / (2 * 3.5**2))
    return frames.clip(0, 255).astype(np.uint8)


frames, level = (np.load(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) > 2 else (film(), 90)
bright = frames > level

# each frame by itself, numbered on from frame to frame; small specks are left out
objects, counts = clup.label(bright, connectivity=2, batch=True, number="throughout")
table = clup.regionprops_table(objects, frames, properties=("label", "area", "centroid", "intensity_max"))

# through time: neighbours in a frame, and the same pixel in the next one
near = np.zeros((3, 3, 3), bool)
near[1] = near[:, 1, 1] = True
tracks, many = clup.label(bright, near)
first = np.unique(objects, return_index=True)[1][-len(table["label"]):] if len(table["label"]) else []
track = tracks.ravel()[first]

time, y, x = (table["centroid-%d" % axis] for axis in range(3))
print("%d frames with %d to %d objects; %d tracks" % (len(frames), counts.min(), counts.max(), many))
for number in range(1, many + 1):
    when = np.round(time[track == number]).astype(int)
    each, objects_then = np.unique(when, return_counts=True)
    alone = (track == number) & np.isin(np.round(time), each[objects_then == 1])
    words = "track %d: frames %d to %d" % (number, each[0], each[-1])
    if alone.sum() > 2:
        speed = [np.polyfit(time[alone], along[alone], 1)[0] for along in (y, x)]
        words += ", moves by (%.2f, %.2f) a frame" % (speed[0] + 0.0, speed[1] + 0.0)
    if objects_then.max() > 1:
        words += "; divides in frame %d" % each[objects_then > 1][0]
    print(words)

with open("tracks.csv", "w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["track", "frame", "y", "x", "area", "brightest"])
    rows.writerows(zip(track.tolist(), np.round(time).astype(int).tolist(), y.tolist(), x.tolist(), table["area"].tolist(), table["intensity_max"].tolist()))
