/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: formulas, predictions from samples, fits, refusals and their reasons, and plans of
 * every strategy. */
#include <math.h>
#include <string.h>

#include "device.h"
#include "plan/database.h"
#include "plan/estimate.h"
#include "plan/fit.h"
#include "program.h"

static void add(clup_samples *samples, clup_stage stage, const char *kernel, unsigned tile,
                unsigned size, double ps, double iterations)
{
    clup_sample sample = {.stage = stage,
                          .kernel = kernel,
                          .bonds = "word",
                          .tile = tile,
                          .size = size,
                          .systems = 1,
                          .ps = ps,
                          .iterations = iterations};
    NEED(clup_samples_add(samples, &sample));
}

static int close_to(double value, double wanted)
{
    return fabs(value / wanted - 1) < 1e-9;
}

static void check_formulas(void)
{
    /* T = C B^dmin + b/B and T = C B^dmin + R L^dmin/B^(dmin+1) have their least values at the
     * tiles of the rules */
    for (double b = 3; b < 400; b *= 5) {
        double at = clup_best_tile_sew(2, b, 1.08),
               left = 2 * pow(at * 0.99, 1.08) + b / (at * 0.99),
               right = 2 * pow(at * 1.01, 1.08) + b / (at * 1.01);
        ok(left > 2 * pow(at, 1.08) + b / at && right > 2 * pow(at, 1.08) + b / at,
           "tile %.3g is best with sewing", at);
    }
    for (double size = 64; size < 1e5; size *= 8) {
        double at = clup_best_tile_relax(2, 3, 1.08, size), r = 3 * pow(size, 1.08);
        double here = 2 * pow(at, 1.08) + r / pow(at, 2.08),
               left = 2 * pow(at * 0.99, 1.08) + r / pow(at * 0.99, 2.08);
        double right = 2 * pow(at * 1.01, 1.08) + r / pow(at * 1.01, 2.08);
        ok(left > here && right > here, "tile %.3g is best with relaxation at L = %g", at, size);
    }
    ok(close_to(clup_best_tile_relax(2, 3, 1.08, 8000) / clup_best_tile_relax(2, 3, 1.08, 1000),
                pow(8, 1.08 / 3.16)),
       "and grows as L^(dmin/(2 dmin+1))");
    clup_problem problem = {
        .size = {64, 64}, .q = 2, .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    ok(clup_d_min(&problem) == 1.08 && close_to(clup_passes(&problem, 16), pow(16, 1.08)),
       "at the critical point passes grow with dmin");
    problem.beta *= 0.9;
    ok(close_to(clup_passes(&problem, 1000), pow(10, 1.08)),
       "above the critical temperature up to the correlation length");
    ok(close_to(clup_passes(&problem, 5), pow(5, 1.08)), "and not beyond a smaller extent");
    problem.beta *= 2;
    ok(close_to(clup_passes(&problem, 1000), 1000), "below it linearly");
}

static void check_predictions(void)
{
    clup_samples samples = {0};
    /* ps = 3 B L^0.5 between sizes 100 and 1000 */
    for (unsigned tile = 8; tile <= 32; tile *= 4)
        for (unsigned size = 100; size <= 1000; size *= 10)
            add(&samples, CLUP_LOCAL, "bfs", tile, size, 3 * tile * sqrt(size), NAN);
    add(&samples, CLUP_LOCAL, "unionfind", 8, 500, 7, NAN);
    add(&samples, CLUP_CONSOLIDATE, "sew", 8, 100, 1e6, NAN);
    add(&samples, CLUP_CONSOLIDATE, "sew", 8, 200, 1, NAN);
    add(&samples, CLUP_CONSOLIDATE, "relax", 8, 100, 1e6, NAN);
    add(&samples, CLUP_CONSOLIDATE, "relax", 16, 100, 1, NAN);
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 8, 100, 1), 240),
       "a measured size");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 32, 400, 1), 3 * 32 * 20),
       "between two sizes");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 8, 10000, 1), 2400),
       "beyond the largest");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 8, 25, 1), 120),
       "below the smallest");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 16, 100, 1), 480),
       "between two tiles");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 64, 100, 1), 1920),
       "beyond the largest tile");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "word", 2, 100, 1), 60),
       "below the smallest tile");
    ok(isnan(clup_samples_predict(&samples, CLUP_LOCAL, "unionfind", "word", 64, 500, 1)),
       "one tile does not stand for others");
    ok(isnan(clup_samples_predict(&samples, CLUP_LOCAL, "bfs", "char", 8, 100, 1)),
       "not for another layout");
    ok(isnan(clup_samples_predict(&samples, CLUP_LOCAL, "selflabel", "word", 8, 100, 1)),
       "not for another kernel");
    ok(close_to(clup_samples_predict(&samples, CLUP_LOCAL, "unionfind", "word", 8, 9, 1), 7),
       "one size stands for all");
    ok(close_to(clup_samples_predict(&samples, CLUP_CONSOLIDATE, "sew", "word", 8, 400, 1), 0.25),
       "no steeper than a time that does not depend on size");
    ok(close_to(clup_samples_predict(&samples, CLUP_CONSOLIDATE, "relax", "word", 32, 100, 1),
                1e6 * pow(4, -2.5)),
       "nor with the tile");
    clup_samples_free(&samples);
}

/* Constants that went into made-up times come out of the fits. */
/* The time of several systems of a side is predicted from measurements of several systems, whatever
 * a single system with as many sites takes. */
static void check_systems(void)
{
    clup_samples samples = {0};
    static const unsigned counts[] = {1, 64, 4096};
    for (unsigned side = 16; side <= 64; side *= 4)
        for (size_t k = 0; k < 3; k++) {
            add(&samples, CLUP_ACTION, "resident", 0, side, 1e4 * side / counts[k], NAN);
            samples.items[samples.count - 1].systems = counts[k];
        }
#define PREDICTED(SIDE, SYSTEMS) \
    clup_samples_predict(&samples, CLUP_ACTION, "resident", "word", 0, SIDE, SYSTEMS)
    ok(close_to(PREDICTED(16, 64), 1e4 * 16 / 64), "systems of a measured side");
    ok(close_to(PREDICTED(64, 512), 1e4 * 64 / 512), "between two numbers of systems");
    ok(close_to(PREDICTED(32, 64), 1e4 * 32 / 64), "between two sides");
    ok(close_to(PREDICTED(128, 4096), 1e4 * 128 / 4096), "beyond the largest side");
    ok(close_to(PREDICTED(8, 4096), 1e4 * 8 / 4096), "below the smallest");
    ok(close_to(PREDICTED(32, 1), 1e4 * 32), "one system");
    /* larger single systems, which fill the device */
    add(&samples, CLUP_ACTION, "resident", 0, 1024, 5, NAN);
    add(&samples, CLUP_ACTION, "resident", 0, 4096, 5, NAN);
    ok(close_to(PREDICTED(512, 64), 5), "systems of sides that fill the device alone");
    ok(close_to(PREDICTED(64, 64), 1e4), "and smaller ones as before");
#undef PREDICTED
    clup_samples_free(&samples);
}

static void check_fits(void)
{
    clup_samples samples = {0};
    clup_fit *fits;
    size_t count;
    for (unsigned tile = 4; tile <= 64; tile *= 2)
        for (unsigned size = 2048; size <= 16384; size *= 2) {
            add(&samples, CLUP_LOCAL, "selflabel", tile, size,
                2.5 * pow(tile, 1.08) * (size == 16384 ? 1 : 3), 5);
            add(&samples, CLUP_CONSOLIDATE, "sew", tile, size, 4e6 / size + 800.0 / tile, NAN);
            add(&samples, CLUP_CONSOLIDATE, "relax_multithread", tile, size,
                70 * pow(size, 1.08) / pow(tile, 2.08), 1.7 * pow((double)size / tile, 1.05));
        }
    NEED(clup_fits_make(&samples, &fits, &count));
    ok(count == 5, "five fits");
    ok(close_to(clup_fits_value(fits, count, "local, dmin free", "dmin"), 1.08),
       "dmin of local labelling, free");
    ok(close_to(clup_fits_value(fits, count, "local", "C_local/(m n)"), 2.5),
       "C_local, of the largest lattice");
    ok(close_to(clup_fits_value(fits, count, "sew", "a"), 4e6) &&
           close_to(clup_fits_value(fits, count, "sew", "b"), 800),
       "a and b of sewing");
    ok(close_to(clup_fits_value(fits, count, "sew", "n_eff"),
                (25 + 8 * 5000.0 + sqrt(25 + 16 * 5000.0)) / 32),
       "and n_eff from them");
    ok(close_to(clup_fits_value(fits, count, "relax", "C_relax/(m n)"), 70), "C_relax");
    ok(close_to(clup_fits_value(fits, count, "n_relax", "dmin"), 1.05) &&
           close_to(clup_fits_value(fits, count, "n_relax", "factor"), 1.7),
       "n_relax");
    ok(isnan(clup_fits_value(fits, count, "sew", "c")), "no other parameter");
    double rms = 0;
    for (size_t k = 0; k < count; k++)
        rms = fmax(rms, fits[k].rms);
    ok(rms < 1e-9, "no deviation");
    clup_fits_free(fits, count);
    samples.count = 2;
    NEED(clup_fits_make(&samples, &fits, &count));
    ok(count == 0, "two points are too few for any fit");
    clup_fits_free(fits, count);
    clup_samples_free(&samples);
}

/* The errors of parameters, for log times that deviate by d, -d, -d and d from a line in log B, at
 * four tiles a factor 2 apart. */
static void check_errors(void)
{
    const double d = 0.01;
    clup_samples samples = {0};
    clup_fit *fits;
    size_t count;
    double exponent_error = NAN, factor_error = NAN, fixed_error = NAN;
    for (unsigned k = 0; k < 4; k++)
        add(&samples, CLUP_LOCAL, "selflabel", 4u << k, 16384,
            2.5 * pow(4u << k, 1.08) * exp(k % 3 == 0 ? d : -d), NAN);
    NEED(clup_fits_make(&samples, &fits, &count));
    for (size_t k = 0; k < count; k++)
        for (unsigned p = 0; p < fits[k].parameter_count; p++) {
            if (strcmp(fits[k].what, "local, dmin free") == 0)
                *(strcmp(fits[k].parameters[p].name, "dmin") == 0
                      ? &exponent_error
                      : &factor_error) = fits[k].parameters[p].error;
            else if (strcmp(fits[k].what, "local") == 0 && p == 0)
                fixed_error = fits[k].parameters[p].error;
        }
    /* the sum of squares is 4 d^2, with 2 free parameters; the slope's variance is divided by 4
     * points that spread by 5 ln^2 2; with 1 parameter it is the mean's */
    const double spread = 5 * log(2) * log(2), squares = 54 * log(2) * log(2);
    ok(close_to(exponent_error, sqrt(2 * d * d / spread)) &&
           close_to(factor_error, 2.5 * sqrt(2 * d * d * squares / (4 * spread))),
       "errors of two parameters: %g, %g", exponent_error, factor_error);
    ok(close_to(fixed_error, 2.5 * sqrt(4 * d * d / 3 / 4)), "of one: %g", fixed_error);
    clup_fits_free(fits, count);
    clup_samples_free(&samples);
}

/* Which shipped row of times a device gets. */
static void check_shipped(void)
{
    static const clup_device_info devices[] = {
        {.name = "NVIDIA H100 80GB HBM3",
         .vendor = "NVIDIA Corporation",
         .platform = "NVIDIA CUDA",
         .driver = "1",
         .type = "gpu"},
        {.name = "NVIDIA A100",
         .vendor = "NVIDIA Corporation",
         .platform = "NVIDIA CUDA",
         .driver = "1",
         .type = "gpu"},
        {.name = "gfx90a",
         .vendor = "Advanced Micro Devices, Inc.",
         .platform = "AMD Accelerated Parallel Processing",
         .driver = "1",
         .type = "gpu"},
        {.name = "cpu",
         .vendor = "GenuineIntel",
         .platform = "Portable Computing Language",
         .driver = "1",
         .type = "cpu"},
        {.name = "cpu",
         .vendor = "Intel",
         .platform = "Intel(R) OpenCL",
         .driver = "1",
         .type = "cpu"},
        {.name = "odd", .vendor = "Odd", .platform = "Odd", .driver = "1", .type = "other"},
    };
    static const char *const by[] = {"by device",   "by vendor", "by type",
                                     "by platform", "by type",   "by any device"};
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        clup_knowledge knowledge;
        NEED(clup_knowledge_find(&devices[k], &knowledge));
        size_t length = strlen(knowledge.origin), wanted = strlen(by[k]);
        ok(knowledge.samples.count > 0 && length > wanted &&
               strcmp(knowledge.origin + length - wanted, by[k]) == 0,
           "%s, %s: %s", devices[k].name, devices[k].platform, knowledge.origin);
        clup_knowledge_clear(&knowledge);
    }
}

static const char *name(const char *row)
{
    return row != NULL ? row : "none";
}

/* Every strategy gives a plan of able kernel variants, and each candidate says so. */
static void check_strategies(clup_context *context, clup_lattice_kind lattice)
{
    for (clup_strategy strategy = 0; clup_strategy_name(strategy) != NULL; strategy++) {
        const clup_problem problem = {
            .lattice = lattice, .size = {40, 33, 1}, .periodic = {1, 0, 1}, .q = 3, .beta = 1};
        /* measuring all tiles takes long */
        const clup_plan_request request = {
            .strategy = strategy, .tile = strategy == CLUP_PLAN_MEASURE ? 16 : 0, .seed = 3};
        clup_report *report;
        unsigned chosen = 0, stages = 0, measured = 0, wrong = 0, silent = 0;
        NEED(clup_report_create(context, &problem, NULL, &request, 0, &report));
        const clup_plan *plan = clup_report_plan(report);
        for (size_t k = 0; k < clup_report_count(report); k++) {
            const clup_candidate *candidate = clup_report_candidate(report, k);
            chosen += candidate->chosen;
            wrong += candidate->chosen &&
                     (!candidate->possible || strcmp(candidate->bonds, plan->bonds) != 0 ||
                      (candidate->tile > 0 && candidate->tile != plan->tile[1]));
            silent += candidate->reason[0] == '\0';
            measured += !isnan(candidate->measured_ps);
        }
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
            stages += clup_stage_exists(CLUP_POTTS, CLUP_SWENDSEN_WANG,
                                        clup_layout_named(plan->bonds), stage);
        ok(chosen == stages && wrong == 0 && silent == 0,
           "%s, %s: %s + %s + %s + %s, %s, tile %u; a reason for each of %zu candidates",
           clup_lattice_name(lattice), clup_strategy_name(strategy), name(plan->source),
           name(plan->local), name(plan->consolidate), plan->action, plan->bonds, plan->tile[1],
           clup_report_count(report));
        ok((measured > 0) == (strategy == CLUP_PLAN_MEASURE), "%u were measured", measured);
        double plan_ps, best_ps;
        clup_report_measured(report, &plan_ps, &best_ps);
        ok(strategy == CLUP_PLAN_MEASURE ? plan_ps == best_ps && plan_ps > 0 : isnan(plan_ps),
           "and the plan is the best measured, or not measured");
        clup_report_free(report);
    }
}

static bool is_for_graphs(const clup_variant *variant)
{
    const clup_layout *only = clup_variant_layout(variant);
    return only != NULL && clup_layout_of_graphs(only);
}

static void check_random(clup_context *context)
{
    unsigned seen[4][32] = {{0}}, kinds = 0;
    clup_plan plan, again;
    int same = 1;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const clup_problem problem = {.size = {40, 33}, .periodic = {1, 0}, .q = 3, .beta = 1};
        const clup_plan_request request = {.strategy = CLUP_PLAN_RANDOM, .seed = seed};
        NEED(clup_plan_choose(context, &problem, NULL, &request, &plan));
        NEED(clup_plan_choose(context, &problem, NULL, &request, &again));
        same = same && plan.local == again.local && plan.consolidate == again.consolidate &&
               plan.tile[1] == again.tile[1] && plan.bonds == again.bonds;
        if (plan.local != NULL)
            seen[0][clup_table_find(&clup_locals, plan.local) - clup_locals.variants] = 1;
        if (plan.consolidate != NULL)
            seen[1][clup_table_find(&clup_consolidations, plan.consolidate) -
                    clup_consolidations.variants] = 1;
        seen[2][strcmp(plan.bonds, "word") == 0] = 1;
        for (unsigned log = 0, tile = 1; tile < plan.tile[1]; tile *= 2)
            seen[3][++log % 32] = 1;
    }
    /* except variants for other devices, images, volumes and graphs */
    for (size_t k = 0; k < clup_locals.count; k++)
        kinds += clup_locals.variants[k].group_limit > 0 ||
                 clup_locals.variants[k].models == CLUP_ON(CLUP_IMAGE) ||
                 clup_locals.variants[k].axes > 2 || is_for_graphs(&clup_locals.variants[k]);
    for (size_t k = 0; k < clup_consolidations.count; k++)
        kinds += clup_consolidations.variants[k].models == CLUP_ON(CLUP_IMAGE) ||
                 clup_consolidations.variants[k].axes > 2 ||
                 is_for_graphs(&clup_consolidations.variants[k]);
    for (size_t k = 0; k < 4 * 32; k++)
        kinds += seen[k / 32][k % 32];
    ok(same, "a random plan is its seed's");
    ok(kinds == clup_locals.count + clup_consolidations.count + 2 + 6,
       "and all kernels, layouts and tiles are drawn (%u)", kinds);
}

/* Plans of small lattices have no tile of which half would have been enough; others have any. */
static void check_small(clup_context *context)
{
    const clup_plan_request words = {.bonds = "word"};
    for (unsigned side = 1; side <= 40; side += 3) {
        const clup_problem problem = {.model = CLUP_ISING,
                                      .lattice = CLUP_LATTICE_CUBIC,
                                      .size = {side, side / 2 + 1, 2},
                                      .periodic = {1, 1, 1},
                                      .q = 2,
                                      .beta = 0.2,
                                      .disorder = {0, 0, 1}};
        clup_plan plan;
        NEED(clup_plan_choose(context, &problem, NULL, &words, &plan));
        ok(plan.tile[1] / 2 < side || plan.tile[1] == 2, "side %u: a tile of %u", side,
           plan.tile[1]);
    }
}

int main(void)
{
    clup_context *context;
    check_formulas();
    check_predictions();
    check_systems();
    check_fits();
    check_errors();
    check_shipped();
    NEED(clup_context_create(NULL, &context));
    for (clup_lattice_kind lattice = 0; lattice <= CLUP_LATTICE_CUBIC; lattice++)
        check_strategies(context, lattice);
    check_random(context);
    check_small(context);
    clup_context_free(context);
    return done_testing();
}
