/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the candidates of a report, each inside sweeps of a plan that contains it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/watch.h"
#include "plan/choose.h"
#include "plan/tables.h"

/* A candidate is not measured when its predicted time is this many times the best of its stage;
 * HOPELESS_LONG holds where a single time is long. */
#define HOPELESS 20.0
#define HOPELESS_LONG 2.0
#define LONG_S 1.0
/* Seconds for measuring one candidate. */
#define MEASURE_S 0.3

/* Whether a stage does the same work in two layouts. */
static int same_stages(const clup_report *report, const char *bonds, const char *others)
{
    const clup_model model = report->problem.model;
    const clup_algorithm algorithm = report->method.algorithm;
    bool same = true;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_ACTION; stage++)
        same = same && clup_stage_exists(model, algorithm, clup_layout_named(bonds), stage) ==
                           clup_stage_exists(model, algorithm, clup_layout_named(others), stage);
    return same;
}

/* Writes to the candidate's reason why it is not worth measuring. Returns 0 when it is. */
static int hopeless(const clup_report *report, clup_candidate *candidate)
{
    double best = INFINITY, sites = (double)clup_lattice_sites(&report->setting.lattice);
    for (size_t k = 0; k < report->count; k++)
        if (report->candidates[k].stage == candidate->stage && report->candidates[k].possible &&
            same_stages(report, report->candidates[k].bonds, candidate->bonds))
            best = fmin(best, isnan(report->candidates[k].measured_ps)
                                  ? report->candidates[k].predicted_ps
                                  : report->candidates[k].measured_ps);
    double ratio = candidate->predicted_ps / best;
    if (!(ratio > (1e-12 * candidate->predicted_ps * sites > LONG_S ? HOPELESS_LONG : HOPELESS)))
        return 0;
    snprintf(candidate->reason, sizeof candidate->reason,
             "not measured: predicted %.3g times the best of its stage", ratio);
    return 1;
}

/* Whether a failure rules out a candidate; other failures end the measurement. */
static int rules_out(clup_status status)
{
    return status == CLUP_ERROR_MEMORY || status == CLUP_ERROR_USAGE || status == CLUP_ERROR_BUILD;
}

static clup_status measure_layout(clup_report *report, const char *bonds)
{
    clup_trial *trial;
    clup_sample sample;
    clup_status status = clup_trial_create(report->context, &report->problem, &report->method,
                                           bonds, MEASURE_S, &trial);
    for (size_t k = 0; k < report->count && status != CLUP_OK && rules_out(status); k++)
        if (strcmp(report->candidates[k].bonds, bonds) == 0 && report->candidates[k].possible)
            clup_candidate_refuse(&report->candidates[k]);
    if (status != CLUP_OK)
        return rules_out(status) ? CLUP_OK : status;
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k];
        if (strcmp(candidate->bonds, bonds) != 0)
            continue;
        clup_task_done(report->looked_at);
        if (candidate->possible && !hopeless(report, candidate)) {
            status = clup_trial_time(trial, candidate->stage, candidate->kernel, candidate->tile,
                                     &sample);
            if (status == CLUP_OK)
                candidate->measured_ps = sample.ps;
            else if (rules_out(status))
                clup_candidate_refuse(candidate);
            else
                goto done;
        }
        report->looked_at++;
    }
    status = CLUP_OK;
done:
    clup_trial_free(trial);
    return status;
}

clup_status clup_report_measure(clup_report *report)
{
    const clup_ranks *ranks = clup_report_alone(report);
    const clup_task outer = clup_task_begin("measure plans", "candidates", report->count);
    clup_status status = CLUP_OK;
    for (size_t b = 0; b < report->layout_count && status == CLUP_OK; b++)
        status = measure_layout(report, report->layouts[b]->name);
    report->interrupted = status == CLUP_INTERRUPTED;
    clup_task_end(outer);
    clup_report_together(report, ranks);
    return report->interrupted ? CLUP_OK : status;
}
