/* SPDX-License-Identifier: BSD-3-Clause */
/* Subdomains of a lattice, each as if owned by another process, sweep together and give the spins
 * of the serial reference. Tests every layout and action that works on subdomains, numbers of
 * subdomains up to one for each layer, open and periodic axes, all lattices, and several
 * systems. */
#include <limits.h>
#include <stdlib.h>

#include "device.h"
#include "family/interface.h"
#include "parts.h"
#include "plan/tables.h"
#include "program.h"
#include "update/update.h"

#define SWEEPS 3

static clup_context *context;

static clup_update updates[PARTS_MOST];

static clup_status sweep_part(uint32_t part)
{
    clup_status status = CLUP_OK;
    for (unsigned sweep = 0; sweep < SWEEPS && status == CLUP_OK; sweep++)
        status = clup_update_sweep(&updates[part]);
    return status;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Copies the spins of a subdomain, for a replica: its layers of the whole lattice, where the first
 * layer follows the last. Copies to the subdomain; with back, counts the layers that differ from
 * the whole. */
static unsigned move(const clup_problem *whole, const clup_subdomain *part, uint8_t *all,
                     uint8_t *some, bool back)
{
    const uint64_t layer = clup_problem_sites(whole) * clup_spin_bytes(whole) / part->layers;
    unsigned differ = 0;
    for (uint64_t k = 0; k < part->own + part->above; k++) {
        uint8_t *of_all = all + (part->first + k) % part->layers * layer,
                *of_some = some + k * layer;
        if (back)
            differ += memcmp(of_all, of_some, layer) != 0;
        else
            memcpy(of_some, of_all, layer);
    }
    return differ;
}

/* Counts the layers that differ after some sweeps in count subdomains. */
static unsigned layers_wrong(const clup_problem *problem, const clup_method *method,
                             const clup_plan_request *request, uint32_t count)
{
    clup_union_method_kind costs[8];
    size_t ways;
    clup_reference reference;
    clup_plan plan;
    const uint32_t replicas = clup_problem_replicas(problem);
    const uint64_t each = clup_spin_bytes(problem), bytes = clup_problem_sites(problem) * each;
    uint8_t *whole = malloc(replicas * bytes), *some = malloc(replicas * 2 * bytes);
    unsigned wrong = 0;
    static unsigned runs;
    parts_begin(count, runs++ % 2 != 0);
    context->ranks = &parts[0].ranks;
    if (clup_plan_choose(context, problem, method, request, &plan) != CLUP_OK) {
        free(whole);
        free(some);
        return UINT_MAX;
    }
    for (uint32_t r = 0; r < replicas; r++) {
        clup_problem one = *problem;
        one.replicas = 1;
        one.first_replica = r;
        NEED(clup_reference_create(&one, method, NULL, 5, &reference));
        clup_start_spins(&reference.host.lattice, &one, reference.host.key, CLUP_START_RANDOM,
                         whole + r * bytes);
        clup_reference_clear(&reference);
    }
    for (uint32_t p = 0; p < count; p++) {
        clup_state *state = &updates[p].state;
        context->ranks = &parts[p].ranks;
        NEED(clup_update_create(context, problem, method, &plan, 5, &updates[p]));
        const clup_subdomain *part = &state->subdomain;
        const uint64_t own = clup_lattice_sites(&state->lattice) * each;
        for (uint32_t r = 0; r < replicas; r++)
            move(problem, part, whole + r * bytes, some + r * own, false);
        NEED(clup_state_write_spins(state, some));
    }
    parts_run(context, sweep_part);
    for (uint32_t p = 0; p < count; p++)
        NEED(parts[p].status);
    /* the bytes received are those that the plan announced */
    NEED(clup_plan_between(problem, count, plan.between, 8, costs, &ways));
    for (size_t k = 0; k < ways && updates[0].interface.state != NULL; k++)
        if (costs[k].chosen &&
            (strcmp(costs[k].name, "relax") == 0
                 ? updates[0].interface.bytes != updates[0].interface.rounds * costs[k].round_bytes
                 : updates[0].interface.bytes != SWEEPS * costs[k].bytes ||
                       updates[0].interface.rounds != SWEEPS * costs[k].rounds))
            wrong += 1000;
    for (uint32_t r = 0; r < replicas; r++) {
        clup_problem one = *problem;
        one.replicas = 1;
        one.first_replica = r;
        NEED(clup_reference_create(&one, method, NULL, 5, &reference));
        memcpy(reference.host.spins, whole + r * bytes, bytes);
        for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
            NEED(clup_reference_sweep(&reference));
        memcpy(whole + r * bytes, reference.host.spins, bytes);
        clup_reference_clear(&reference);
    }
    for (uint32_t p = 0; p < count; p++) {
        clup_state *state = &updates[p].state;
        const uint64_t own = clup_lattice_sites(&state->lattice) * each;
        NEED(clup_state_read_spins(state, some));
        for (uint32_t r = 0; r < replicas; r++)
            wrong += move(problem, &state->subdomain, whole + r * bytes, some + r * own, true);
        clup_update_clear(&updates[p]);
    }
    clup_timer_collect(&context->timer);
    context->ranks = NULL;
    free(whole);
    free(some);
    return wrong;
}

/* Tests every number of subdomains of each of some lattices. */
static void check_plan(clup_plan_request *request, clup_algorithm algorithm, bool fields)
{
    static size_t way;
    static const struct {
        clup_lattice_kind lattice;
        uint32_t size[3];
        unsigned periodic, q, replicas;
        double beta, coupling, field;
        clup_model model;
        unsigned heat_bath, overrelaxation;
    } problems[] = {
        {CLUP_LATTICE_SQUARE, {45, 70, 1}, 3, 2, 1, 0.88, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE, {33, 7, 1}, 3, 3, 2, 1.0, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE, {70, 6, 1}, 1, 7, 1, 1.3, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE, {32, 2, 1}, 2, 256, 1, 2.9, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE, {1, 5, 1}, 3, 2, 1, 1.5, 1, 0, CLUP_POTTS, 2, 0},
        {CLUP_LATTICE_TRIANGULAR, {37, 40, 1}, 3, 4, 1, 0.65, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE_8, {40, 35, 1}, 2, 2, 1, 0.35, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_CUBIC, {12, 11, 9}, 7, 2, 2, 0.44, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_CUBIC, {33, 3, 4}, 3, 3, 1, 0.6, 1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_CUBIC_26, {9, 8, 7}, 5, 2, 1, 0.07, 1, 0, CLUP_POTTS, 2, 0},
        {CLUP_LATTICE_SQUARE, {38, 12, 1}, 3, 2, 1, 0.4, 1, 0.05, CLUP_ISING, 0, 0},
        {CLUP_LATTICE_CUBIC, {12, 5, 7}, 7, 2, 2, 0.4, -1, -0.1, CLUP_ISING, 0, 0},
        {CLUP_LATTICE_SQUARE, {20, 17, 1}, 3, 6, 1, 1.1, 1, 0, CLUP_CLOCK, 1, 0},
        {CLUP_LATTICE_TRIANGULAR, {37, 10, 1}, 1, 5, 2, 0.6, 1, 0.03, CLUP_CLOCK, 0, 0},
        {CLUP_LATTICE_SQUARE, {33, 11, 1}, 2, 3, 1, 2, -1, 0, CLUP_POTTS, 0, 0},
        {CLUP_LATTICE_SQUARE, {35, 14, 1}, 3, 2, 1, 1.1, 1, 0, CLUP_XY, 1, 2},
        {CLUP_LATTICE_CUBIC, {5, 6, 7}, 7, 2, 2, 0.7, 1, -0.05, CLUP_HEISENBERG, 0, 0},
    };
    static const uint32_t counts[] = {2, 3, 5, 16};
    unsigned done = 0;
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        clup_problem problem = {.model = problems[k].model,
                                .lattice = problems[k].lattice,
                                .q = problems[k].q,
                                .beta = problems[k].beta,
                                .field = problems[k].field,
                                .replicas = problems[k].replicas};
        memcpy(problem.size, problems[k].size, sizeof problem.size);
        clup_method method = {.algorithm = algorithm,
                              .overrelaxation = problems[k].overrelaxation,
                              .heat_bath = algorithm == CLUP_HEAT_BATH ? 0 : problems[k].heat_bath};
        if (fields && problem.field == 0)
            continue;
        /* more numbers than 32 bits have, in a field, but not more sites of a subdomain */
        if (fields)
            clup_sites_wide = clup_problem_sites(&problem);
        const unsigned axes = clup_lattice_axes(problem.lattice);
        const uint32_t layers = problem.size[axes - 1];
        unsigned wrong = 0;
        for (unsigned a = 0; a < 3; a++)
            problem.periodic[a] = problems[k].periodic >> a & 1;
        for (unsigned d = 0;
             problems[k].coupling < 0 &&
             d < clup_lattice_of(&(lattice_args){.kind = problem.lattice})->directions;
             d++)
            problem.coupling[d] = problems[k].coupling;
        unsigned here = 0;
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const uint32_t count = counts[c] < layers ? counts[c] : layers;
            /* with so few processes, each gets whole replicas */
            if (count <= problem.replicas)
                continue;
            request->between = clup_union_methods[way++ % clup_union_method_count].name;
            const unsigned differ = layers_wrong(&problem, &method, request, count);
            if (differ == UINT_MAX)
                break;
            wrong += differ;
            here++;
            if (count == layers)
                break;
        }
        done += here;
        if (here > 0)
            ok(wrong == 0,
               "%s %s, %s, %s, %s %u x %u x %u, q = %u: %u layers are not those of the whole",
               request->local != NULL ? request->local : "-", request->action, request->bonds,
               clup_model_name(problem.model), clup_lattice_name(problem.lattice), problem.size[0],
               problem.size[1], problem.size[2], problem.q, wrong);
    }
    ok(done > 0, "%s, %s was checked: %u times", request->action, request->bonds, done);
}

/* Tests an action in a layout. Where clusters have no label for each site, tests it with each local
 * kernel for the action's kind of device. wide says that sites count as too many for 32 bits; where
 * sites have labels, the numbers of clusters in a field do. */
static void check_action(const clup_variant *variant, const clup_layout *layout, bool wide)
{
    clup_plan_request request = {.action = variant->name, .bonds = layout->name};
    const bool labels = clup_layout_of_sites(layout) || clup_layout_of_vectors(layout),
               alone = variant->algorithm == CLUP_HEAT_BATH;
    if (!variant->subdomains || variant->stage != CLUP_ACTION ||
        clup_variant_is_for(variant, CLUP_BOND_PERCOLATION) ||
        !clup_variant_suits(variant, layout) || clup_layout_of_graphs(layout) ||
        (wide && (alone || (labels && !variant->field))))
        return;
    if (labels || alone) {
        check_plan(&request, variant->algorithm, wide);
        clup_sites_wide = wide ? 0 : CLUP_SITES_32;
        return;
    }
    request.local = strcmp(variant->name, "flip_serial") == 0   ? "runs_serial"
                    : strcmp(variant->name, "flip_volume") == 0 ? "runs_volume"
                                                                : "runs_border";
    check_plan(&request, variant->algorithm, false);
}

/* Subdomains with more sites than 32 bits can number. */
static void check_limits(void)
{
    static const struct {
        uint32_t rows;
        const char *bonds;
        uint32_t parts;
        clup_status status;
    } cases[] = {
        {65536, "word", 2, CLUP_ERROR_USAGE},    {65536, "word", 3, CLUP_OK},
        {131072, "border", 2, CLUP_OK},          {262144, "border", 65536, CLUP_ERROR_USAGE},
        {76000, "vectors", 2, CLUP_ERROR_USAGE}, {65536, "vectors", 3, CLUP_OK}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const clup_problem problem = {.lattice = CLUP_LATTICE_SQUARE,
                                      .model = strcmp(cases[k].bonds, "vectors") == 0 ? CLUP_XY
                                                                                      : CLUP_POTTS,
                                      .size = {65536, cases[k].rows, 1},
                                      .q = 2,
                                      .periodic = {1, 1, 0}};
        const clup_ranks ranks = {.count = cases[k].parts};
        clup_state state;
        context->ranks = &ranks;
        NEED(clup_state_describe(context, &problem, NULL, clup_layout_named(cases[k].bonds), 0, 1,
                                 &state));
        ok(clup_interface_check(&state) == cases[k].status, "%u rows in %u parts, %s: %s",
           cases[k].rows, cases[k].parts, cases[k].bonds,
           cases[k].status == CLUP_OK ? "small enough" : clup_error_detail());
        context->ranks = NULL;
    }
}

/* As many subdomains as layers, with each union method. */
static void check_many(void)
{
    for (unsigned open = 0; open < 2; open++)
        for (size_t k = 0; k < clup_union_method_count; k++) {
            const clup_problem problem = {.lattice = CLUP_LATTICE_SQUARE,
                                          .size = {19, 64, 1},
                                          .q = 2,
                                          .beta = 1.1,
                                          .periodic = {1, !open, 0}};
            const clup_plan_request request = {.bonds = "border",
                                               .between = clup_union_methods[k].name};
            for (uint32_t count = 64; count > 40; count -= 23)
                ok(layers_wrong(&problem, NULL, &request, count) == 0, "%u parts%s: %s", count,
                   open ? ", open" : "", request.between);
        }
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_limits();
    check_many();
    for (unsigned wide = 0; wide < 2; wide++) {
        /* once more, with sites counted by 64 bits */
        clup_sites_wide = wide ? 0 : CLUP_SITES_32;
        for (size_t a = 0; a < clup_actions.count; a++)
            for (size_t b = 0; b < clup_layout_count; b++)
                check_action(&clup_actions.variants[a], &clup_layouts[b], wide);
    }
    context->ranks = NULL;
    clup_context_free(context);
    return done_testing();
}
