/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps on the host, by references. */
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "base/watch.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/generator.h"
#include "core/graph.h"
#include "core/heat.h"
#include "core/matrix.h"
#include "core/method.h"
#include "core/state.h"
#include "core/vector.h"
#include "family/heat.h"
#include "plan/tables.h"
#include "update/update.h"

clup_status clup_reference_create(const clup_problem *problem, const clup_method *method,
                                  const char *source, uint64_t seed, clup_reference *reference)
{
    clup_host *host = &reference->host;
    const clup_variant *source_row = NULL;
    clup_setting setting = {.lattice = clup_lattice_args(problem),
                            .q = problem->q,
                            .tile = {32, 32, 1},
                            .model = problem->model,
                            .couplings = clup_bonds_differ(problem),
                            .classes = clup_problem_classes(problem).count,
                            .field = clup_has_field(problem),
                            .matrix = clup_has_matrix(problem),
                            .vectors = clup_spin_numbers(problem) > 0};
    clup_status status = clup_method_check(problem, method);
    if (status == CLUP_OK && clup_problem_sites(problem) > CLUP_SITES_32)
        status = clup_fail(CLUP_ERROR_USAGE, "the serial reference has at most %u sites",
                           CLUP_SITES_32);
    if (status == CLUP_OK && method != NULL && method->rng != NULL &&
        strcmp(method->rng, "philox") != 0)
        status = clup_fail(CLUP_ERROR_USAGE, "the serial reference draws with philox alone, not %s",
                           method->rng);
    if (status == CLUP_OK)
        status = clup_graph_need(problem);
    if (status == CLUP_OK && source != NULL)
        status = clup_table_variant(CLUP_SOURCE, source, &source_row);
    if (status != CLUP_OK)
        return status;
    *reference = (clup_reference){.host = {
                                      .lattice = setting.lattice,
                                      .model = problem->model,
                                      .method = method != NULL ? *method : (clup_method){0},
                                      .q = problem->q,
                                      .flips = clup_clusters_flip(problem),
                                      .key = clup_random_key(seed, problem->first_replica, 0),
                                  }};
    if (setting.matrix) {
        CLUP_TRY(clup_matrix_create(problem, &host->matrix));
        if ((host->thresholds = calloc(host->matrix->law_words, sizeof *host->thresholds)) == NULL)
            CLUP_TRY(clup_fail_memory("the serial reference"));
    }
    clup_reference_set_beta(reference, problem, clup_problem_beta(problem, 0));
    reference->start = host->key;
    setting.algorithm = host->method.algorithm;
    if (setting.algorithm != CLUP_HEAT_BATH) {
        reference->stages[CLUP_SOURCE] = clup_table_serial(CLUP_SOURCE, source_row, &setting);
        reference->stages[CLUP_LOCAL] = clup_table_serial(CLUP_LOCAL, NULL, &setting);
    }
    reference->stages[CLUP_ACTION] = clup_table_serial(CLUP_ACTION, NULL, &setting);
    const uint64_t sites = clup_lattice_sites(&host->lattice);
    host->spins = calloc(sites, clup_spin_bytes(problem));
    host->bonds = calloc(problem->graph != NULL && host->laws.edges > sites ? host->laws.edges
                                                                            : sites,
                         clup_lattice_of(&host->lattice)->directions);
    host->labels = calloc(sites, sizeof *host->labels);
    host->sizes = calloc(sites, sizeof *host->sizes);
    if (clup_has_disorder(problem))
        host->disorder = calloc(clup_disorder_words(problem, &host->lattice),
                                sizeof *host->disorder);
    if (host->spins == NULL || host->bonds == NULL || host->labels == NULL || host->sizes == NULL ||
        (clup_has_disorder(problem) && host->disorder == NULL))
        CLUP_TRY(clup_fail_memory("the serial reference"));
    clup_ordered_spins(clup_spin_numbers(problem), sites, host->spins);
    if (clup_has_disorder(problem)) {
        CLUP_TRY(clup_disorder_fill(problem, &host->lattice, 0, host->disorder));
        clup_disorder_in(problem, &host->lattice, host->disorder, &host->laws);
    }
done:
    if (status != CLUP_OK)
        clup_reference_clear(reference);
    return status;
}

void clup_reference_set_beta(clup_reference *reference, const clup_problem *problem, double beta)
{
    clup_laws *laws = &reference->host.laws, old = *laws;
    *laws = clup_problem_laws(problem, beta);
    reference->host.heat_step = clup_energy_step(problem, beta);
    laws->signs = old.signs;
    laws->absent = old.absent;
    laws->vacant = old.vacant;
    laws->sizes = old.sizes;
    laws->matrix = reference->host.matrix;
    laws->thresholds = reference->host.thresholds;
    if (laws->matrix != NULL)
        clup_matrix_laws(laws->matrix, beta, reference->host.thresholds);
}

void clup_reference_clear(clup_reference *reference)
{
    free(reference->host.spins);
    free(reference->host.bonds);
    free(reference->host.labels);
    free(reference->host.sizes);
    free(reference->host.disorder);
    clup_matrix_free(reference->host.matrix);
    free(reference->host.thresholds);
    *reference = (clup_reference){0};
}

void clup_reference_lap(clup_reference *reference, clup_stage stage, double *last_s)
{
    double now_s = clup_now_s();
    reference->stage_s[stage] += now_s - *last_s;
    *last_s = now_s;
}

/* Runs the heat bath and the stages of a sweep. */
static clup_status run_stages(clup_reference *reference)
{
    double last = clup_now_s();
    clup_status status = CLUP_OK;
    for (uint32_t round = 0; round < reference->host.method.heat_bath; round++)
        CLUP_TRY(clup_heat_reference(&reference->host, round));
    for (uint64_t sweep = 0; sweep < reference->host.method.overrelaxation; sweep++)
        CLUP_TRY(clup_overrelax_reference(&reference->host));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        if (reference->stages[stage] == NULL)
            continue;
        CLUP_TRY(reference->stages[stage](&reference->host));
        clup_reference_lap(reference, stage, &last);
    }
done:
    return status;
}

clup_status clup_reference_sweep(clup_reference *reference)
{
    /* spins change before the stages of the sweep */
    const bool before = clup_before_sweep(&reference->host.method) != NULL;
    clup_status status = before ? clup_watch_ask() : CLUP_OK;
    if (status != CLUP_OK)
        return status;
    if (before)
        clup_watch_hold();
    status = run_stages(reference);
    if (before)
        clup_watch_release();
    if (status == CLUP_OK)
        reference->host.key = later_key(reference->host.key, 1);
    return status;
}
