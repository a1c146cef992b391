/* SPDX-License-Identifier: BSD-3-Clause */
/* Subdomains draw what the whole lattice draws at their place. Tests the bonds of every source in
 * slabs with a layer more, the first spins, and sweeps of every action against the serial
 * definitions, at places in lattices of far more than 2^32 sites. */
#include "paper/bond.clh"
#include "device.h"
#include "update/update.h"

static clup_context *context;
static const char *only; /* the source, local kernel or action that is checked; NULL for all */

/* Where a part is: its first layer, of so many. */
typedef struct place {
    uint64_t first, layers;
} place;

static bool wanted(const clup_variant *variant)
{
    return only == NULL || strcmp(variant->name, only) == 0;
}

static unsigned slow_axis(clup_lattice_kind lattice)
{
    return clup_lattice_axes(lattice) - 1;
}

/* Places far behind: a word, or a site, of number 2^32 is in the part, all are far above, or the
 * whole lattice ends in the part. */
#define FAR 4
static place far_place(const lattice_args *lattice, unsigned k)
{
    const uint64_t rows = lattice_rows(*lattice) / lattice_size(*lattice, slow_axis(lattice->kind)),
                   sites = rows * lattice->nx, words = rows * lattice->words;
    const uint64_t layers = CLUP_SITES_WHOLE / sites, below = (uint64_t)UINT32_MAX + 1;
    const place places[FAR] = {{below / words - 1, layers},
                               {below / sites - 1, layers},
                               {5 * (layers / 7), layers},
                               {layers - 2, layers}};
    return places[k];
}

/* The number of a row in the whole lattice, worked out once more. */
static uint64_t row_of(const lattice_args *lattice, place at, uint64_t row)
{
    const uint64_t rows = lattice_rows(*lattice) / lattice_size(*lattice, slow_axis(lattice->kind));
    return (at.first * rows + row) % (at.layers * rows);
}

/* ---- bonds ----------------------------------------------------------------------------------- */

/* What a source draws for a lattice: bonds[directions*sites], and of percolation the sites that are
 * empty, on the device and serially. */
typedef struct drawn {
    uint64_t sites;
    uint8_t *spins, *bonds, *host_spins, *host_bonds;
    clup_state state;
} drawn;

static clup_problem problem_of(clup_lattice_kind lattice, clup_model model, const uint32_t size[3],
                               unsigned periodic)
{
    clup_problem problem = {.lattice = lattice,
                            .model = model,
                            .q = 3,
                            .beta = 0.9,
                            .periodic = {periodic & 1, periodic >> 1 & 1, periodic >> 2 & 1}};
    memcpy(problem.size, size, sizeof problem.size);
    return problem;
}

/* Spins of which many are equal to their neighbours. */
static void some_spins(uint8_t *spins, uint64_t count, unsigned q)
{
    uint32_t number = 1;
    for (uint64_t i = 0; i < count; i++) {
        number = 1664525 * number + 1013904223;
        spins[i] = i > 0 && number >> 30 > 0 ? spins[i - 1] : (uint8_t)((number >> 8) % q);
    }
}

/* Draws for a lattice of the problem's size at a place, from its spins; those of NULL are the first
 * ones. */
static drawn draw(const clup_variant *variant, const clup_layout *layout,
                  const clup_problem *problem, const place *at, const uint8_t *spins)
{
    static const unsigned tile[3] = {16, 16, 1};
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_lattice_sites(&lattice),
                   bonds = clup_lattice_of(&lattice)->directions * sites;
    drawn of = {sites, malloc(sites), malloc(bonds), malloc(sites), malloc(bonds), {0}};
    clup_prepared pass;
    NEED(clup_state_create(context, problem, NULL, layout,
                           variant->streams != NULL ? variant->streams(&lattice) : 0, 77,
                           &of.state));
    of.state.law = clup_law_of_probability(0.6);
    NEED(clup_prepared_create(variant, &of.state, tile, &pass));
    if (at != NULL)
        NEED(clup_lattice_place(&of.state.lattice, at->first, at->layers));
    if (problem->model == CLUP_POTTS) {
        of.state.law = clup_bond_law_of(problem->beta);
        memcpy(of.spins, spins, sites);
        memcpy(of.host_spins, spins, sites);
        NEED(clup_state_write_spins(&of.state, spins));
    }
    clup_host host = {.lattice = of.state.lattice,
                      .model = problem->model,
                      .q = problem->q,
                      .laws = {.classes = 1, .of = {of.state.law}},
                      .key = of.state.key,
                      .spins = of.host_spins,
                      .bonds = of.host_bonds};
    NEED(clup_prepared_run(&pass));
    NEED(variant->serial != NULL ? variant->serial(&host) : clup_serial_fk(&host));
    bonds_read(&of.state, of.bonds);
    if (problem->model != CLUP_BOND_PERCOLATION)
        NEED(clup_state_read_spins(&of.state, of.spins));
    else
        memset(of.spins, 0, sites);
    clup_timer_collect(&context->timer);
    clup_prepared_clear(&pass);
    return of;
}

static void drawn_free(drawn *of)
{
    clup_state_clear(&of->state);
    free(of->spins);
    free(of->bonds);
    free(of->host_spins);
    free(of->host_bonds);
}

/* Bonds and sites that the device drew differently from the host. */
static unsigned differing(const drawn *of, unsigned directions)
{
    return (memcmp(of->bonds, of->host_bonds, directions * of->sites) != 0) +
           (memcmp(of->spins, of->host_spins, of->sites) != 0);
}

/* Bonds of a part that are not those of the whole lattice, with the sites; those that leave its
 * last layer are of another part. */
static unsigned unlike(const drawn *part, const lattice_args *lattice, place at, const drawn *whole)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    const unsigned axis = slow_axis(lattice->kind);
    const uint32_t rows = lattice_rows(*lattice), a_layer = rows / lattice_size(*lattice, axis);
    unsigned wrong = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t x = 0; x < lattice->nx; x++) {
            const uint64_t here = x + (uint64_t)lattice->nx * row,
                           there = x + lattice->nx * row_of(lattice, at, row);
            wrong += part->spins[here] != whole->spins[there];
            for (unsigned d = 0; d < of->directions; d++) {
                const bool leaves = row + a_layer >= rows && step_along(of->offsets[d], axis) > 0 &&
                                    part->sites != whole->sites;
                wrong += part->bonds[d * part->sites + here] !=
                         (leaves ? 0 : whole->bonds[d * whole->sites + there]);
            }
        }
    return wrong;
}

/* Bonds of a part that are not as drawn one by one from their numbers in the whole lattice. */
static unsigned unlike_numbers(const drawn *part, const lattice_args *lattice, place at,
                               const drawn *spins)
{
    const clup_state *state = &part->state;
    const bool holes = lattice->kind == CLUP_LATTICE_KAGOME || lattice->kind == CLUP_LATTICE_LIEB;
    unsigned wrong = 0;
    for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
        for (uint32_t x = 0; x < lattice->nx; x++) {
            const uint64_t i = x + (uint64_t)lattice->nx * row,
                           word = row_of(lattice, at, row) * lattice->words + x / 32;
            if (state->model == CLUP_SITE_PERCOLATION)
                wrong += spins->spins[i] ==
                         (random_bond(state->key, PURPOSE_SITE - PURPOSE_BOND, word, x % 32,
                                      state->law.threshold, state->law.always) &&
                          !(holes && x % 2 && word / lattice->words % 2));
            for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++) {
                uint64_t to;
                bool active = clup_lattice_forward(lattice, d, x, row, &to) &&
                              (state->model == CLUP_BOND_PERCOLATION ||
                               spins->spins[i] == spins->spins[to]);
                if (state->model == CLUP_SITE_PERCOLATION)
                    active = active && !spins->spins[i];
                else
                    active = active && random_bond(state->key, d, word, x % 32,
                                                   state->law.threshold, state->law.always);
                wrong += part->bonds[d * part->sites + i] != active;
            }
        }
    return wrong;
}

/* Layers of the parts, and one more for those that do not end with the whole lattice. */
static const uint32_t cuts[][2] = {{0, 5}, {1, 1}, {3, 4}, {5, 3}, {7, 2}, {0, 9}};
#define CUTS (sizeof cuts / sizeof *cuts)
#define LAYERS 9u

static void check_bonds(const clup_variant *variant, const clup_layout *layout,
                        clup_lattice_kind lattice, clup_model model)
{
    static const uint32_t sizes[][2] = {{37, 5}, {70, 3}, {5, 4}};
    const unsigned axis = slow_axis(lattice),
                   directions = clup_lattice_of(&(lattice_args){.kind = lattice})->directions;
    unsigned parts = 0, hosts = 0, wrong = 0, far_parts = 0, far_wrong = 0;
    for (unsigned k = 0; k < 3 * 3; k++) {
        const unsigned periodic = (const unsigned[]){7, 5, 2}[k / 3];
        uint32_t size[3] = {sizes[k % 3][0], axis > 1 ? sizes[k % 3][1] : LAYERS,
                            axis > 1 ? LAYERS : 1};
        const clup_problem all = problem_of(lattice, model, size, periodic);
        const uint64_t a_layer = clup_problem_sites(&all) / LAYERS;
        uint8_t *spins = malloc((LAYERS + 1) * a_layer);
        some_spins(spins, LAYERS * a_layer, all.q);
        memcpy(spins + LAYERS * a_layer, spins, a_layer);
        drawn whole = draw(variant, layout, &all, NULL, spins);
        hosts += differing(&whole, directions);
        for (size_t c = 0; c < CUTS; c++) {
            place at = {cuts[c][0], LAYERS};
            clup_problem some = all;
            some.size[axis] = cuts[c][1];
            some.size[axis] += cuts[c][0] + cuts[c][1] < LAYERS || all.periodic[axis];
            some.periodic[axis] = some.size[axis] == LAYERS && all.periodic[axis];
            /* past the last layer comes the first again */
            uint8_t *own = malloc(some.size[axis] * a_layer);
            for (uint32_t l = 0; l < some.size[axis]; l++)
                memcpy(own + l * a_layer, spins + (at.first + l) % LAYERS * a_layer, a_layer);
            drawn part = draw(variant, layout, &some, &at, own);
            wrong += unlike(&part, &part.state.lattice, at, &whole) > 0;
            hosts += differing(&part, directions);
            parts++;
            drawn_free(&part);
            free(own);
        }
        for (unsigned f = 0; f < FAR; f++) {
            const lattice_args args = clup_lattice_args(&all);
            const place at = far_place(&args, f);
            drawn part = draw(variant, layout, &all, &at, spins);
            far_wrong += unlike_numbers(&part, &part.state.lattice, at, &part) > 0;
            hosts += differing(&part, directions);
            far_parts++;
            drawn_free(&part);
        }
        drawn_free(&whole);
        free(spins);
    }
    ok(wrong == 0 && far_wrong == 0 && hosts == 0,
       "%s, %s, %s: %u of %u parts are not as the whole lattice, %u of %u far behind not as their "
       "numbers, %u not as on the host",
       variant->name, layout->name, clup_lattice_name(lattice), wrong, parts, far_wrong, far_parts,
       hosts);
}

/* Every variant of the table with every lattice and layout. */
/* Whether a variant works on graphs alone, which are in one part. */
static bool is_for_graphs(const clup_variant *variant)
{
    const clup_layout *only = clup_variant_layout(variant);
    return only != NULL && clup_layout_of_graphs(only);
}

static void check_sources(void)
{
    for (size_t r = 0; r < clup_sources.count; r++) {
        const clup_variant *variant = &clup_sources.variants[r];
        unsigned done = 0;
        if (!wanted(variant) || variant->models == CLUP_ON(CLUP_IMAGE) ||
            variant->models == CLUP_ON_VECTORS || is_for_graphs(variant) ||
            !(clup_variant_buffers(variant) & 1u << CLUP_BUFFER_BONDS)) /* but sites alone */
            continue;
        for (clup_model model = 0; model < CLUP_IMAGE; model++)
            for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_GRAPH; lattice++)
                for (size_t b = 0; b < clup_layout_count; b++) {
                    const clup_problem problem = problem_of(
                        lattice, model,
                        (const uint32_t[]){70, 9, clup_lattice_axes(lattice) > 2 ? 9 : 1}, 7);
                    clup_setting setting = {.lattice = clup_lattice_args(&problem),
                                            .q = problem.q,
                                            .layout = &clup_layouts[b],
                                            .tile = {16, 16, 1},
                                            .model = model};
                    NEED(clup_generator_named(NULL, &setting.rng));
                    if (clup_variant_check(variant, context, &setting) != CLUP_OK)
                        continue;
                    check_bonds(variant, &clup_layouts[b], lattice, model);
                    done++;
                }
        ok(done > 0, "%s was checked: %u times", variant->name, done);
    }
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Two sweeps of a part on the device and serially; whether the spins are the same. The second one
 * counts clusters. */
static bool sweeps_alike(const clup_problem *problem, const clup_method *method,
                         const clup_plan *plan, const place *at, uint8_t *spins)
{
    const uint64_t sites = clup_problem_sites(problem);
    clup_update update;
    clup_reference reference;
    NEED(clup_update_create(context, problem, method, plan, 31, &update));
    NEED(clup_reference_create(problem, method, NULL, 31, &reference));
    if (at != NULL) {
        NEED(clup_lattice_place(&update.state.lattice, at->first, at->layers));
        NEED(clup_lattice_place(&reference.host.lattice, at->first, at->layers));
    }
    some_spins(spins, sites, problem->q);
    memcpy(reference.host.spins, spins, sites);
    NEED(clup_state_write_spins(&update.state, spins));
    for (unsigned sweep = 0; sweep < 2; sweep++) {
        update.state.counting = sweep > 0;
        NEED(clup_update_sweep(&update));
        NEED(clup_reference_sweep(&reference));
    }
    NEED(clup_state_read_spins(&update.state, spins));
    clup_timer_collect(&context->timer);
    const bool same = memcmp(spins, reference.host.spins, sites) == 0;
    clup_update_clear(&update);
    clup_reference_clear(&reference);
    return same;
}

/* A plan at several places, which give other spins each; false when it cannot do the lattice and so
 * many states. */
static bool check_plan(const clup_plan_request *request, clup_algorithm algorithm,
                       clup_lattice_kind lattice, unsigned q)
{
    const clup_method method = {.algorithm = algorithm, .seeds_per_side = 3, .p_flip = 0.8};
    const uint32_t size[3] = {45, 37, clup_lattice_axes(lattice) > 2 ? 4 : 1};
    clup_problem problem = problem_of(lattice, CLUP_POTTS, size,
                                      clup_lattice_axes(lattice) > 2 ? 3 : 1);
    clup_plan plan;
    problem.q = q;
    problem.beta = q == 2 ? 0.6 : q > 100 ? 2.5 : 0.9;
    if (clup_plan_choose(context, &problem, &method, request, &plan) != CLUP_OK)
        return false;
    const lattice_args args = clup_lattice_args(&problem);
    const uint64_t sites = clup_problem_sites(&problem), layers = size[slow_axis(lattice)];
    /* an odd row, and where the whole lattice ends in the part */
    const place near[] = {{(layers - 1) | 1, 2 * layers + 1}, {2 * layers - 1, 2 * layers + 1}};
    uint8_t *spins = malloc(sites), *at_first = malloc(sites);
    unsigned wrong = 0, same = 0;
    wrong += !sweeps_alike(&problem, &method, &plan, NULL, at_first);
    for (unsigned k = 0; k < 2 + FAR; k++) {
        const place at = k < 2 ? near[k] : far_place(&args, k - 2);
        wrong += !sweeps_alike(&problem, &method, &plan, &at, spins);
        same += memcmp(spins, at_first, sites) == 0;
    }
    ok(wrong == 0 && same == 0,
       "%s %s %s, %s, %s, q = %u: %u of %d places differ from the host, %u do not count",
       plan.source != NULL ? plan.source : "-", plan.local != NULL ? plan.local : "-", plan.action,
       plan.bonds, clup_lattice_name(lattice), q, wrong, 3 + FAR, same);
    free(spins);
    free(at_first);
    return true;
}

static const unsigned states[] = {3, 2, 4, 256};

/* All numbers of states on the square lattice, or the first ones; on others fewer. */
static void check_states(const clup_plan_request *request, const clup_variant *variant,
                         size_t count)
{
    unsigned done = 0;
    for (clup_lattice_kind lattice = 0; lattice <= CLUP_LATTICE_CUBIC; lattice++)
        for (size_t s = 0; s < (lattice == CLUP_LATTICE_SQUARE || count < 2 ? count : 2); s++)
            done += check_plan(request, variant->algorithm, lattice, states[s]);
    ok(done > 0, "%s, %s was checked: %u times", variant->name, request->bonds, done);
}

/* Every action, and every local kernel that draws; other stages by default. */
static void check_actions(bool fused)
{
    bool locals_done[64] = {false};
    for (size_t a = 0; a < clup_actions.count; a++)
        for (size_t b = 0; b < clup_layout_count; b++) {
            const clup_variant *variant = &clup_actions.variants[a];
            const clup_layout *layout = &clup_layouts[b];
            clup_plan_request request = {.action = variant->name, .bonds = layout->name};
            /* fields of numbers for sites are kept in several ways */
            const size_t count = fused || variant->q_max == 2 ? 2
                                 : variant->algorithm == CLUP_SWENDSEN_WANG && variant->philox
                                     ? sizeof states / sizeof *states
                                     : 1;
            /* the heat bath works on whole lattices alone */
            if (variant->algorithm == CLUP_HEAT_BATH || clup_layout_of_graphs(layout))
                continue;
            if (variant->models > 0 || !layout_suits(variant, layout) ||
                (fused && clup_layout_of_sites(layout)))
                continue;
            if (clup_layout_of_sites(layout) ||
                !clup_stage_exists(CLUP_POTTS, variant->algorithm, layout, CLUP_LOCAL)) {
                if (wanted(variant))
                    check_states(&request, variant, count);
                continue;
            }
            bool done = false;
            for (size_t l = 0; l < clup_locals.count; l++)
                if (layout_suits(&clup_locals.variants[l], layout) &&
                    (variant->axes == 0 || clup_locals.variants[l].axes == 0 ||
                     variant->axes == clup_locals.variants[l].axes) &&
                    (!done || !locals_done[l]) &&
                    (wanted(variant) || wanted(&clup_locals.variants[l]))) {
                    done = locals_done[l] = true;
                    request.local = clup_locals.variants[l].name;
                    check_states(&request, variant, count);
                }
        }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void check_starts(void)
{
    const clup_problem all = problem_of(CLUP_LATTICE_CUBIC, CLUP_POTTS,
                                        (const uint32_t[]){37, 5, 9}, 7);
    clup_problem some = all;
    const random_key key = clup_random_key(3, 0, 0);
    lattice_args lattice = clup_lattice_args(&all);
    uint8_t whole[37 * 5 * 9], part[37 * 5 * 4];
    unsigned wrong = 0;
    some.size[2] = 4;
    for (unsigned s = 0; s < sizeof states / sizeof *states; s++) {
        clup_problem of = all;
        of.q = states[s];
        lattice = clup_lattice_args(&all);
        clup_start_spins(&lattice, &of, key, CLUP_START_RANDOM, whole);
        for (uint64_t first = 0; first < 9; first++) {
            lattice = clup_lattice_args(&some);
            NEED(clup_lattice_place(&lattice, first, 9));
            clup_start_spins(&lattice, &of, key, CLUP_START_RANDOM, part);
            for (uint64_t i = 0; i < sizeof part; i++)
                wrong += part[i] != whole[(first * 37 * 5 + i) % sizeof whole];
        }
        const place at = far_place(&lattice, 1);
        lattice = clup_lattice_args(&some);
        NEED(clup_lattice_place(&lattice, at.first, at.layers));
        clup_start_spins(&lattice, &of, key, CLUP_START_RANDOM, part);
        for (uint64_t i = 0; i < sizeof part; i++)
            wrong += part[i] != random_spin(key, PURPOSE_START, at.first * 37 * 5 + i, states[s],
                                            clup_spin_field(states[s]));
    }
    ok(wrong == 0, "first spins of parts are those of the whole lattice: %u are not", wrong);
}

static void check_places(void)
{
    const clup_problem problem = problem_of(CLUP_LATTICE_SQUARE, CLUP_POTTS,
                                            (const uint32_t[]){37, 9, 1}, 3);
    const lattice_args whole = clup_lattice_args(&problem);
    lattice_args lattice = whole;
    ok(whole.rows_before == 0 && whole.rows_whole == 9,
       "a whole lattice has its own rows, and none before it");
    ok(clup_lattice_place(&lattice, 0, 9) == CLUP_OK && memcmp(&lattice, &whole, sizeof whole) == 0,
       "it is a part of itself");
    ok(clup_lattice_place(&lattice, 4, 8) == CLUP_OK && lattice.rows_before == 4 &&
           lattice.rows_whole == 8 && lattice.periodic == 1,
       "a part with a row more than there are is open");
    lattice = whole;
    ok(clup_lattice_place(&lattice, 0, 7) == CLUP_ERROR_USAGE, "with two more it is none: %s",
       clup_error_detail());
    ok(clup_lattice_place(&lattice, 20, 20) == CLUP_ERROR_USAGE, "there is none after the end: %s",
       clup_error_detail());
    ok(clup_lattice_place(&lattice, 0, CLUP_SITES_WHOLE / 37 + 1) == CLUP_ERROR_USAGE,
       "nor of more than have numbers: %s", clup_error_detail());
    ok(memcmp(&lattice, &whole, sizeof whole) == 0 &&
           clup_lattice_place(&lattice, 20, CLUP_SITES_WHOLE / 37) == CLUP_OK,
       "and it is left as it was");
}

/* t_slab_bonds [ROW]: of that source, local kernel or action alone. */
int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_places();
    check_starts();
    check_sources();
    check_actions(false);
    /* once more with sites counted by 64 bits */
    clup_sites_wide = 0;
    check_actions(true);
    clup_context_free(context);
    return done_testing();
}
