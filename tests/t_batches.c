/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of more sweeps than the device has room to measure. They are split into parts; each part
 * is enqueued before the records of the part before are read. Records and spins must equal those of
 * the serial reference, in one batch and in several, with pinned memory and without. */
#include "device.h"
#include "run/engine.h"
#include "run/measure.h"
#include "run/sweep_records.h"

#define REPLICAS 2u
#define SWEEPS 600u

static clup_context *context;

/* Runs sweeps of which every every-th is measured, in the longest possible batches, after some
 * sweeps that were done before; row is of words. */
static void run(clup_engine *engine, const clup_measuring *measuring, size_t row, uint32_t *records)
{
    unsigned done;
    NEED(engine->kind->observe(engine, measuring));
    for (unsigned k = 0; k < SWEEPS; k += done) {
        const unsigned left = SWEEPS - k < engine->most ? SWEEPS - k : engine->most;
        NEED(engine->kind->batch(engine, left, 0, records, &done));
        records += clup_measuring_records(&engine->measuring, done) * row;
        engine->measuring.before = (engine->measuring.before + done) % measuring->every;
    }
    engine->measuring.before = measuring->before;
}

static void compare(const clup_plan_request *plan, const clup_method *method, uint32_t groups,
                    uint32_t every, bool pinned)
{
    const clup_problem problem = {.size = {9, 7},
                                  .periodic = {1, 1},
                                  .q = 3,
                                  .beta = 1,
                                  .replicas = method->algorithm == CLUP_WOLFF ? 1 : REPLICAS};
    const lattice_args lattice = clup_lattice_args(&problem);
    const clup_measuring measuring = {
        clup_measure_format(&lattice, problem.q, 0, method->algorithm, groups), every, every / 2};
    const size_t row = problem.replicas * record_words(measuring.format), words = SWEEPS * row;
    uint32_t *records[2] = {calloc(words, sizeof **records), calloc(words, sizeof **records)};
    uint8_t spins[2][REPLICAS * 9 * 7];
    clup_engine *engines[2];
    clup_plan settled, none = {0};
    const bool shares_host = context->shares_host;
    NEED(clup_plan_choose(context, &problem, method, plan, &settled));
    context->shares_host = !pinned;
    NEED(clup_engine_create(context, &problem, method, &settled, 5, &settled, &engines[0]));
    NEED(clup_engine_create(NULL, &problem, method, &none, 5, &none, &engines[1]));
    for (unsigned k = 0; k < 2; k++)
        run(engines[k], &measuring, row, records[k]);
    const bool parts = engines[0]->most > clup_records_most(problem.replicas);
    for (unsigned k = 0; k < 2; k++) {
        NEED(engines[k]->kind->read_rows(engines[k], 0, problem.replicas * 7, spins[k]));
        engines[k]->kind->free(engines[k]);
    }
    context->shares_host = shares_host;
    ok(memcmp(records[0], records[1], words * sizeof **records) == 0 &&
           memcmp(spins[0], spins[1], problem.replicas * 63) == 0,
       "%s bonds, %s, format %#x, every %u sweeps%s%s", plan->bonds,
       clup_algorithm_name(method->algorithm), (unsigned)measuring.format, (unsigned)every,
       pinned ? ", by pinned memory" : "", parts ? ", in parts" : "");
    free(records[0]), free(records[1]);
}

/* Room that was requested and not used does not prevent a request for more. */
static void check_room(void)
{
    enum { MANY = 100000 };
    clup_sweep_records records = {.words = 1, .replicas = 1};
    const uint32_t *first = NULL;
    size_t apart, count = 0;
    NEED(clup_sweep_records_room(&records, 4) != NULL ? CLUP_OK : CLUP_ERROR_MEMORY);
    uint32_t *room = clup_sweep_records_room(&records, MANY);
    if (room != NULL) {
        room[0] = 7;
        clup_sweep_records_add(&records, MANY);
        count = clup_sweep_records_of(&records, 0, 0, &first, &apart);
    }
    ok(count == MANY && records.count == MANY && first[0] == 7, "records after room not used");
    clup_sweep_records_clear(&records);
}

int main(void)
{
    check_room();
    static const char *const layouts[] = {"word", "border", "resident"};
    const clup_method wolff = {.algorithm = CLUP_WOLFF}, sw = {.algorithm = CLUP_SWENDSEN_WANG};
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < 3; k++)
        for (unsigned pinned = 0; pinned < 2; pinned++) {
            const clup_plan_request plan = {.bonds = layouts[k]};
            compare(&plan, &sw, 0, 1, pinned);
            compare(&plan, &sw, RECORD_CLUSTERS | RECORD_MODES, 7, pinned);
        }
    const clup_plan_request plan = {.bonds = "word"};
    compare(&plan, &sw, RECORD_WRAPS, 7, true);
    compare(&plan, &wolff, 0, 3, true);
    clup_context_free(context);
    return done_testing();
}
