/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of labelling, with which every kernel is compared. */
#include "base/watch.h"
#include "family/family.h"

static uint32_t root(uint32_t *labels, uint32_t i)
{
    while (labels[i] != i)
        i = labels[i] = labels[labels[i]];
    return i;
}

static void unite(uint32_t *labels, uint32_t one, uint32_t other)
{
    const uint32_t a = root(labels, one), b = root(labels, other);
    labels[a > b ? a : b] = a < b ? a : b;
}

static void make_each_a_cluster(uint32_t *labels, uint64_t sites)
{
    for (uint64_t i = 0; i < sites; i++)
        labels[i] = (uint32_t)i;
}

static void label_by_roots(uint32_t *labels, uint64_t sites)
{
    for (uint64_t i = 0; i < sites; i++)
        labels[i] = root(labels, (uint32_t)i);
}

clup_status clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds,
                                  uint32_t *labels)
{
    uint64_t sites = clup_lattice_sites(lattice), neighbour;
    clup_status status = CLUP_OK;
    make_each_a_cluster(labels, sites);
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint64_t i = 0; i < sites; i++) {
            CLUP_TRY(clup_watch_ask_at(i));
            if (bonds[d * sites + i] &&
                clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                     (uint32_t)(i / lattice->nx), &neighbour))
                unite(labels, (uint32_t)i, (uint32_t)neighbour);
        }
    label_by_roots(labels, sites);
done:
    return status;
}

/* Finds the labels of a graph from bonds[edges]. */
static clup_status graph_labels(const clup_laws *laws, uint64_t sites, const uint8_t *bonds,
                                uint32_t *labels)
{
    clup_status status = CLUP_OK;
    make_each_a_cluster(labels, sites);
    for (uint64_t e = 0; e < laws->edges; e++) {
        CLUP_TRY(clup_watch_ask_at(e));
        if (bonds[e])
            unite(labels, laws->ends[e][0], laws->ends[e][1]);
    }
    label_by_roots(labels, sites);
done:
    return status;
}

clup_status clup_serial_labels(clup_host *host)
{
    if (host->laws.edges > 0)
        return graph_labels(&host->laws, clup_lattice_sites(&host->lattice), host->bonds,
                            host->labels);
    return clup_reference_labels(&host->lattice, host->bonds, host->labels);
}
