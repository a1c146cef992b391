/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn clusters and pairs on the host. */
#include <stdlib.h>

#include "family/family.h"
#include "core/source.h"
#include "core/disorder.h"
#include "core/modes.clh"
#include "core/vector.h"
#include "run/fk.h"
#include "measure/pairs.clh"

clup_status clup_fk_reference_create(const clup_problem *problem, clup_fk_reference *reference)
{
    *reference = (clup_fk_reference){0};
    clup_status status = clup_percolation_reference_create(problem, 0, &reference->clusters);
    reference->labels = malloc(clup_problem_sites(problem) * sizeof *reference->labels);
    reference->waves = malloc(2 * clup_problem_sites(problem) * sizeof *reference->waves);
    reference->amplitudes = malloc(clup_problem_sites(problem) * sizeof *reference->amplitudes);
    reference->tied = malloc(clup_problem_sites(problem));
    if (status == CLUP_OK && (reference->labels == NULL || reference->waves == NULL ||
                              reference->amplitudes == NULL || reference->tied == NULL))
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
    free(reference->amplitudes);
    free(reference->tied);
    *reference = (clup_fk_reference){0};
}

/* Sets the amplitudes of the sites (measure_fk.cl). */
static void set_amplitudes(const clup_host *host, int32_t *amplitudes)
{
    const unsigned numbers = host->laws.numbers;
    uint32_t axis[VECTOR_NUMBERS_MOST] = {0}, spin[VECTOR_NUMBERS_MOST];
    if (numbers > 0)
        vector_axis(numbers, host->key, axis);
    for (uint64_t i = 0; i < clup_lattice_sites(&host->lattice); i++) {
        amplitudes[i] = host->flips && host->spins[i] ? -VECTOR_ONE : VECTOR_ONE;
        if (numbers > 0) {
            clup_vector_of_site(host->spins, numbers, i, spin);
            amplitudes[i] = vector_product(numbers, spin, axis);
        }
        if (clup_site_is_vacant(&host->lattice, &host->laws, i))
            amplitudes[i] = 0;
    }
}

/* Makes all clusters with a tied site one. */
static void join_tied(const clup_host *host, uint8_t *tied, uint32_t *labels)
{
    const uint64_t sites = clup_lattice_sites(&host->lattice);
    uint64_t first = sites;
    clup_reference_ties(host, tied);
    for (uint64_t i = 0; i < sites; i++)
        if (tied[i])
            tied[labels[i]] = 1;
    for (uint64_t i = sites; i-- > 0;)
        if (labels[i] == i && tied[i])
            first = i;
    for (uint64_t i = 0; i < sites; i++)
        labels[i] = tied[labels[i]] ? (uint32_t)first : labels[i];
}

clup_status clup_fk_reference_find(clup_fk_reference *reference, const clup_host *host)
{
    uint8_t *bonds = reference->clusters.host.bonds;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_reference_fk(&host->lattice, host->key, &host->laws, host->spins, bonds));
    CLUP_TRY(clup_percolation_reference_measure(&reference->clusters, &reference->sample));
    CLUP_TRY(clup_reference_labels(&host->lattice, bonds, reference->labels));
    set_amplitudes(host, reference->amplitudes);
    if (host->laws.field && host->laws.matrix == NULL)
        join_tied(host, reference->tied, reference->labels);
done:
    return status;
}

/* Returns an entry of the table times an amplitude. */
static int64_t amplified(int32_t entry, int32_t amplitude)
{
    return ((int64_t)entry * amplitude + VECTOR_ONE / 2) >> 30;
}

/* Adds up, over all clusters, the parts of the squares along one axis or of wave vector 0, and of
 * this the parts of fourth powers. */
static void add_waves(const clup_fk_reference *reference, const int32_t *modes, unsigned axis,
                      uint64_t numbers[FK_MODE_NUMBERS])
{
    const lattice_args *lattice = &reference->clusters.host.lattice;
    const uint32_t *labels = reference->labels;
    int64_t *waves = reference->waves;
    static const int32_t at_zero[] = {1 << MODE_BITS, 0};
    const uint64_t sites = clup_lattice_sites(lattice);
    for (uint64_t i = 0; i < 2 * sites; i++)
        waves[i] = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const uint32_t row = (uint32_t)(i / lattice->nx);
        const uint32_t at[] = {(uint32_t)(i % lattice->nx), row % lattice->ny, row / lattice->ny};
        const int32_t *entry = axis == WAVE_ZERO ? at_zero
                                                 : modes + mode_place(*lattice, axis, at[axis]);
        waves[2 * labels[i]] += amplified(entry[0], reference->amplitudes[i]);
        waves[2 * labels[i] + 1] += amplified(entry[1], reference->amplitudes[i]);
    }
    for (uint64_t i = 0; i < 2 * sites; i++)
        for (unsigned k = 0; k < WAVE_PARTS; k++)
            numbers[WAVE_PARTS * axis + k] += wave_part(waves[i], k);
    for (uint64_t i = 0; i < sites && axis == WAVE_ZERO; i++)
        for (unsigned k = 0; k < FK_FOURTH_PARTS; k++)
            numbers[FK_FOURTHS + k] += wave_fourth_part(waves[2 * i], k);
}

static uint64_t active_bonds(const clup_host *host)
{
    const uint64_t bonds = clup_lattice_of(&host->lattice)->directions *
                           clup_lattice_sites(&host->lattice);
    uint64_t active = 0;
    for (uint64_t k = 0; k < bonds; k++)
        active += host->bonds[k];
    return active;
}

void clup_fk_reference_measure(const clup_fk_reference *reference, const int32_t *modes,
                               uint32_t format, sweep_record *record, uint32_t *to)
{
    const lattice_args *lattice = &reference->clusters.host.lattice;
    const bool large = (format & RECORD_LARGE) != 0;
    record->wraps = reference->sample.wraps;
    if (format & RECORD_FK_MODES)
        for (unsigned axis = 0; axis <= WAVE_ZERO; axis++)
            add_waves(reference, modes, axis, record->fk_modes);
    uint32_t *next = to + record_place(format, RECORD_SIZES);
    for (uint32_t k = 0; (format & RECORD_SIZES) && k < record_length(format, RECORD_SIZES); k++)
        next = number_put(next, large, reference->sample.sizes.classes[k]);
    if (format & RECORD_ACTIVE)
        number_put(to + record_place(format, RECORD_ACTIVE), large,
                   active_bonds(&reference->clusters.host));
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
