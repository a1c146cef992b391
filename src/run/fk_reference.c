/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn clusters and pairs on the host. */
#include <stdlib.h>

#include "family/family.h"
#include "core/source.h"
#include "core/modes.clh"
#include "run/fk.h"
#include "measure/pairs.clh"

clup_status clup_fk_reference_create(const clup_problem *problem, clup_fk_reference *reference)
{
    *reference = (clup_fk_reference){0};
    clup_status status = clup_percolation_reference_create(problem, 0, &reference->clusters);
    reference->labels = malloc(clup_problem_sites(problem) * sizeof *reference->labels);
    reference->waves = malloc(2 * clup_problem_sites(problem) * sizeof *reference->waves);
    if (status == CLUP_OK && (reference->labels == NULL || reference->waves == NULL))
        status = clup_fail_memory("the serial reference");
    if (status != CLUP_OK)
        clup_fk_reference_clear(reference);
    return status;
}

void clup_fk_reference_clear(clup_fk_reference *reference)
{
    clup_percolation_reference_clear(&reference->clusters);
    free(reference->labels);
    free(reference->waves);
    *reference = (clup_fk_reference){0};
}

clup_status clup_fk_reference_find(clup_fk_reference *reference, const clup_host *host)
{
    uint8_t *bonds = reference->clusters.host.bonds;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_reference_fk(&host->lattice, host->key, &host->laws, host->spins, bonds));
    CLUP_TRY(clup_percolation_reference_measure(&reference->clusters, &reference->sample));
    CLUP_TRY(clup_reference_labels(&host->lattice, bonds, reference->labels));
done:
    return status;
}

/* Adds up, over all clusters, the two parts of the squares along one axis or of wave vector 0. */
static void add_waves(const lattice_args *lattice, const int32_t *modes, const uint32_t *labels,
                      unsigned axis, int64_t *waves, uint64_t sums[WAVE_PARTS])
{
    static const int32_t at_zero[] = {1 << MODE_BITS, 0};
    const uint64_t sites = clup_lattice_sites(lattice);
    for (uint64_t i = 0; i < 2 * sites; i++)
        waves[i] = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const uint32_t at[] = {(uint32_t)(i % lattice->nx), row % lattice->ny, row / lattice->ny};
        const int32_t *entry = axis == WAVE_ZERO ? at_zero
                                                 : modes + mode_place(*lattice, axis, at[axis]);
        waves[2 * labels[i]] += entry[0];
        waves[2 * labels[i] + 1] += entry[1];
    }
    for (uint64_t i = 0; i < 2 * sites; i++)
        for (unsigned k = 0; k < WAVE_PARTS; k++)
            sums[k] += wave_part(waves[i], k);
}

void clup_fk_reference_measure(const clup_fk_reference *reference, const int32_t *modes,
                               uint32_t format, sweep_record *record, uint32_t *to)
{
    const lattice_args *lattice = &reference->clusters.host.lattice;
    const bool large = (format & RECORD_LARGE) != 0;
    record->wraps = reference->sample.wraps;
    if (format & RECORD_FK_MODES)
        for (unsigned axis = 0; axis <= WAVE_ZERO; axis++)
            add_waves(lattice, modes, reference->labels, axis, reference->waves,
                      record->fk_modes + WAVE_PARTS * axis);
    uint32_t *next = to + record_place(format, RECORD_SIZES);
    for (uint32_t k = 0; (format & RECORD_SIZES) && k < record_length(format, RECORD_SIZES); k++)
        next = number_put(next, large, reference->sample.sizes.classes[k]);
    if (format & RECORD_COMMON)
        clup_pairs_reference(lattice, NULL, reference->labels, format, RECORD_COMMON, to);
}

void clup_pairs_reference(const lattice_args *lattice, const uint8_t *spins, const uint32_t *labels,
                          uint32_t format, uint32_t part, uint32_t *to)
{
    const uint64_t sites = clup_lattice_sites(lattice);
    uint32_t *next = to + record_place(format, part);
    uint64_t before = 1; /* sites between neighbours along the axis */
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t size = lattice_size(*lattice, axis);
        for (uint32_t k = 0; k < pair_distances(*lattice, axis); k++) {
            const uint32_t distance = pair_distance(k);
            uint64_t equal = 0;
            for (uint64_t i = 0; i < sites; i++) {
                const uint32_t at = (uint32_t)(i / before % size), there = (at + distance) % size;
                const uint64_t j = i - at * before + there * before;
                if (at + distance < size || (lattice->periodic >> axis & 1))
                    equal += spins != NULL ? spins[i] == spins[j] : labels[i] == labels[j];
            }
            next = number_put(next, (format & RECORD_LARGE) != 0, equal);
        }
        before *= size;
    }
}
