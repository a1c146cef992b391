# SPDX-License-Identifier: BSD-3-Clause
"""Grains of a packing of spheres: where they are, how large, and which touch: grains.py.

With porespy (pip install porespy) the packing is one of its, and it divides the grains. Without it spheres are pushed apart until they
only just overlap, and grains are divided by SciPy's distances. Writes grains.npz: labels, pairs and the area of each contact.
"""
import numpy as np
from scipy import ndimage

import clup

RADIUS = 10
SIDE = 100


def packed(many, seed=1):
    """Centers of spheres in a cube that overlap by a tenth of the radius at most, or not at all."""
    centers = np.random.default_rng(seed).uniform(RADIUS, SIDE - RADIUS, (many, 3))
    for _ in range(2000):
        apart = centers[:, None] - centers
        far = np.sqrt((apart**2).sum(axis=-1)) + 1e9 * np.eye(many)
        push = np.clip(1.85 * RADIUS - far, 0, None) / 2
        if push.max() < 0.05 * RADIUS / 2:
            break
        centers = np.clip(centers + ((push / far)[..., None] * apart).sum(axis=1) * 0.5, RADIUS, SIDE - RADIUS)
    return centers


def spheres(centers):
    """An image of spheres."""
    z, y, x = np.ogrid[:SIDE, :SIDE, :SIDE]
    inside = np.zeros((SIDE,) * 3, bool)
    for center in centers:
        inside |= (z - center[0])**2 + (y - center[1])**2 + (x - center[2])**2 <= RADIUS**2
    return inside


def divided(inside):
    """Labels of grains: what is nearest to a place that is far from the pores."""
    far = ndimage.distance_transform_edt(inside)
    middles, _ = clup.label(far, match="threshold", level=0.7 * far.max(), connectivity=3)
    nearest = ndimage.distance_transform_edt(middles == 0, return_distances=False, return_indices=True)
    return np.where(inside, middles[tuple(nearest)], 0)


try:
    import porespy
except ImportError:
    centers = packed(70)
    inside = spheres(centers)
    grains = divided(inside)
else:
    centers = None
    inside = porespy.generators.pseudo_gravity_packing([SIDE] * 3, r=RADIUS, clearance=-1, seed=1) > 0
    grains = porespy.filters.snow_partitioning(inside, r_max=4, sigma=0.4).regions.astype(np.int32)

components = clup.label(inside, connectivity=1)[1]
table = clup.regionprops_table(grains, properties=("label", "area", "centroid", "equivalent_diameter_area"))
touching = clup.contacts(grains, connectivity=6)
pairs, areas = np.array([*touching], int).reshape(-1, 2), np.array([*touching.values()])
whole = clup.measure.clear_border(grains)
neighbours = np.bincount(pairs.ravel(), minlength=int(grains.max()) + 1)[table["label"]]
inner = np.isin(table["label"], whole)

print("solid: %.1f %% of the volume, %d component%s" % (100 * inside.mean(), components, "" if components == 1 else "s"))
print("%d grains, %d of them away from the border" % (len(table["label"]), inner.sum()))
print("diameter of those: %.2f in the median, %.2f in the image" % (np.median(table["equivalent_diameter_area"][inner]), 2 * RADIUS))
print("%d contacts, %.2f for each grain; area %.1f pixels in the mean" % (len(pairs), neighbours.mean(), areas.mean() if len(areas) else 0))
np.savez_compressed("grains.npz", labels=grains, pairs=pairs, areas=areas, **({} if centers is None else {"centers": centers}))
