/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a simulation until errors are small enough. Errors are functions of the records, and are
 * looked at after certain numbers of measured sweeps alone, so that a run ends at the same sweep
 * on every device, and when it was saved and went on. */
#include <math.h>

#include "program.h"
#include "run/simulation.h"

/* Errors are looked at first after so many measured sweeps. */
#define FIRST 128

/* The next number of measured sweeps after which errors are looked at: FIRST times a power of the
 * root of two, above count. */
static uint64_t next_look(uint64_t count)
{
    uint64_t even = FIRST, odd = FIRST * 181 / 128;
    while (odd <= count)
        even *= 2, odd *= 2;
    return even > count ? even : odd;
}

/* Whether a note leaves an error that counts. */
static bool counts(clup_note note)
{
    return note == CLUP_NOTE_NONE || note == CLUP_NOTE_FEW_EVENTS;
}

/* Whether an error is known well enough, and is at most what is asked for. */
static bool fits(const clup_target *target, const clup_estimate *estimate, clup_note note)
{
    const double most = target->relative ? target->error * fabs(estimate->mean) : target->error;
    return counts(note) && estimate->error <= most;
}

/* Whether the series of each system at the temperature of a replica is long enough. The scatter of
 * samples of disorder does not tell. */
static clup_status all_count(const clup_simulation *simulation, uint32_t replica,
                             clup_observable observable, int *reached)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    clup_status status = CLUP_OK;
    for (uint32_t r = replica; r < replicas && *reached;
         r = clup_simulation_next_alike(simulation, r)) {
        clup_estimate own;
        CLUP_TRY(clup_simulation_estimates_of(simulation, &observable, 1, r, 1, &own));
        *reached = counts(clup_estimate_note(&own));
    }
done:
    return status;
}

/* Whether the systems at the temperature of a replica, of which there are several or one, have the
 * errors that are asked for. */
static clup_status fits_all(const clup_simulation *simulation, uint32_t replica, bool several,
                            const clup_target *targets, size_t count, int *reached)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < count && *reached; k++) {
        clup_average average = {0};
        clup_note note;
        if (several) {
            CLUP_TRY(clup_simulation_averages(simulation, replica, &targets[k].observable, 1,
                                              &average, NULL, NULL));
            note = clup_average_note(&average);
        } else {
            CLUP_TRY(clup_simulation_estimates_of(simulation, &targets[k].observable, 1, replica, 1,
                                                  &average.estimate));
            note = clup_estimate_note(&average.estimate);
        }
        *reached = fits(&targets[k], &average.estimate, note);
        if (average.from == CLUP_FROM_SAMPLES)
            CLUP_TRY(all_count(simulation, replica, targets[k].observable, reached));
    }
done:
    return status;
}

static clup_status check(const clup_simulation *simulation, const clup_target *targets,
                         size_t count)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < count; k++) {
        if ((unsigned)targets[k].observable >= OBSERVED ||
            clup_observable_has_values(targets[k].observable))
            return clup_fail(CLUP_ERROR_USAGE, "observable %d is none with one value",
                             (int)targets[k].observable);
        if (!(targets[k].error > 0) || isinf(targets[k].error))
            return clup_fail(CLUP_ERROR_USAGE, "an error of %g: it must be above 0 and finite",
                             targets[k].error);
    }
    for (uint32_t r = 0; r < replicas; r++)
        if (clup_simulation_first_alike(simulation, r) == r &&
            clup_simulation_next_alike(simulation, r) < replicas)
            for (size_t k = 0; k < count; k++)
                CLUP_TRY(clup_simulation_has_error(simulation, r, targets[k].observable));
done:
    return status;
}

clup_status clup_simulation_reached(const clup_simulation *simulation, const clup_target *targets,
                                    size_t count, int *reached)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    clup_status status = CLUP_OK;
    *reached = simulation->records.count > 0;
    for (uint32_t r = 0; r < replicas && *reached; r++)
        if (clup_simulation_first_alike(simulation, r) == r)
            CLUP_TRY(fits_all(simulation, r, clup_simulation_next_alike(simulation, r) < replicas,
                              targets, count, reached));
done:
    return status;
}

/* Looks at the errors of the sweeps that are in equilibrium; all sweeps count again afterwards. */
static clup_status look(clup_simulation *simulation, const clup_target *targets, size_t count,
                        int settle, int *reached)
{
    clup_equilibration equilibration = {.settled = 1};
    clup_status status = CLUP_OK;
    *reached = 0;
    if (settle) {
        CLUP_TRY(clup_simulation_equilibration(simulation, &equilibration));
        CLUP_TRY(clup_simulation_leave_out(simulation, equilibration.left_out));
    }
    if (equilibration.settled)
        CLUP_TRY(clup_simulation_reached(simulation, targets, count, reached));
done:
    if (settle)
        (void)clup_simulation_leave_out(simulation, 0);
    return status;
}

clup_status clup_simulation_sweep_until(clup_simulation *simulation, const clup_target *targets,
                                        size_t count, int settle, uint64_t sweeps,
                                        clup_sweeper *sweep, void *user, int *reached)
{
    CLUP_NEED(simulation);
    CLUP_NEED(targets);
    CLUP_NEED(sweep);
    CLUP_NEED(reached);
    const uint64_t every = simulation->engine->measuring.every;
    uint64_t left = sweeps;
    clup_status status;
    *reached = 0;
    CLUP_TRY(check(simulation, targets, count));
    for (;;) {
        const uint64_t measured = simulation->records.count,
                       next = (next_look(measured) - measured) * every -
                              simulation->engine->measuring.before;
        /* a simulation that goes on may have come to its end before */
        if (measured > 0 && (left == 0 || (simulation->engine->measuring.before == 0 &&
                                           next_look(measured - 1) == measured)))
            CLUP_TRY(look(simulation, targets, count, settle, reached));
        if (*reached || left == 0)
            break;
        const uint64_t run = next < left ? next : left;
        CLUP_TRY(sweep(simulation, run, user));
        left -= run;
    }
done:
    return status;
}

typedef struct told {
    clup_progress *progress;
    void *user;
} told;

static clup_status run_told(clup_simulation *simulation, uint64_t sweeps, void *user)
{
    const told *to = user;
    return clup_simulation_run(simulation, sweeps, 1, to->progress, to->user);
}

clup_status clup_simulation_run_until(clup_simulation *simulation, const clup_target *targets,
                                      size_t count, int settle, uint64_t sweeps,
                                      clup_progress *progress, void *user, int *reached)
{
    told to = {progress, user};
    return clup_simulation_sweep_until(simulation, targets, count, settle, sweeps, run_told, &to,
                                       reached);
}
