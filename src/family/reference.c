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

clup_status clup_reference_labels(const lattice_args *lattice, const uint8_t *bonds,
                                  uint32_t *labels)
{
    uint64_t sites = clup_lattice_sites(lattice), neighbour;
    clup_status status = CLUP_OK;
    for (uint64_t i = 0; i < sites; i++)
        labels[i] = (uint32_t)i;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint64_t i = 0; i < sites; i++) {
            CLUP_TRY(clup_watch_ask_at(i));
            if (bonds[d * sites + i] &&
                clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                     (uint32_t)(i / lattice->nx), &neighbour)) {
                uint32_t a = root(labels, (uint32_t)i), b = root(labels, (uint32_t)neighbour);
                labels[a > b ? a : b] = a < b ? a : b;
            }
        }
    for (uint64_t i = 0; i < sites; i++)
        labels[i] = root(labels, (uint32_t)i);
done:
    return status;
}

clup_status clup_serial_labels(clup_host *host)
{
    return clup_reference_labels(&host->lattice, host->bonds, host->labels);
}
