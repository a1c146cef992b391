# SPDX-License-Identifier: BSD-3-Clause
"""Labels a picture and scans the Ising model's transition, with matplotlib: ising.py [PICTURE].

Without a picture that of scikit-image's coins is taken. Writes ising.png.
"""
import sys

import matplotlib
import numpy as np

import clup

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# A picture: what is brighter than the mean of the darkest and the brightest, without specks

if len(sys.argv) > 1:
    gray = plt.imread(sys.argv[1])
    gray = gray[..., :3].mean(axis=-1) if gray.ndim == 3 else gray
else:
    from skimage import data

    gray = data.coins()
level = (gray.min() + gray.max()) / 2
labels, n = clup.label(gray, match="threshold", level=level, connectivity=2)
labels, n = clup.label(clup.dust(labels, 50), match="equal", connectivity=2)
table = clup.regionprops_table(labels, properties=("label", "area", "centroid", "eccentricity"))
print("%d regions of 50 pixels or more; the largest has %d" % (n, table["area"].max()))
for label, area, y, x, eccentricity in list(zip(*table.values()))[:5]:
    print("  %3d: %5d pixels about (%.1f, %.1f), eccentricity %.2f" % (label, area, y, x, eccentricity))

# The Ising model about its transition: all temperatures are replicas of one simulation

beta_c = np.log(1 + np.sqrt(2))
betas = beta_c * np.linspace(0.9, 1.1, 21)
scans = {}
for size in 16, 32, 64:
    scans[size] = clup.simulate(size, beta=betas, sweeps=2000, observables=("energy", "abs_m", "binder"), seed=size)
    print("L = %d: |m| from %.3f to %.3f" % (size, scans[size]["abs_m"]["mean"][0], scans[size]["abs_m"]["mean"][-1]))
spins = clup.simulate(256, sweeps=200, seed=3)["spins"]
clusters, n = clup.label(spins, match="equal", background=None, periodic=True)

figure, axes = plt.subplots(2, 2, figsize=(11, 9), constrained_layout=True)
colours = matplotlib.colors.ListedColormap(np.vstack([[0, 0, 0], np.random.default_rng(1).uniform(0.2, 1, (4095, 3))]))
axes[0, 0].imshow(gray, cmap="gray")
axes[0, 0].set_title("the picture")
axes[0, 1].imshow(labels % 4096, cmap=colours, vmin=0, vmax=4095, interpolation="nearest")
axes[0, 1].set_title("%d regions above %g" % (len(table["label"]), level))
axes[0, 1].plot(table["centroid-1"], table["centroid-0"], "w+", markersize=4)
for size, found in scans.items():
    axes[1, 0].errorbar(betas / beta_c, found["abs_m"]["mean"], found["abs_m"]["error"], label="L = %d" % size, marker=".", capsize=2)
axes[1, 0].set_xlabel(r"$\beta/\beta_c$")
axes[1, 0].set_ylabel(r"$\langle|m|\rangle$")
axes[1, 0].legend()
axes[1, 1].imshow(clusters % 4095 + 1, cmap=colours, vmin=0, vmax=4095, interpolation="nearest")
axes[1, 1].set_title(r"%d domains of 256 x 256 spins at $\beta_c$" % n)
figure.savefig("ising.png", dpi=100)
