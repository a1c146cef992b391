/* SPDX-License-Identifier: BSD-3-Clause */
/* Percolation: samples of the device against the serial reference; both ways to find winding
 * clusters against a search of the unrolled torus, for every bond configuration of small ones; and
 * probabilities against sums over all configurations. */
#include <math.h>
#include <string.h>

#include "core/cell.h"
#include "device.h"
#include "family/wraps.h"
#include "run/engine.h"

static clup_context *context;

static const struct {
    clup_lattice_kind lattice;
    uint32_t size[3];
    int periodic[3];
} systems[] = {
    {CLUP_LATTICE_SQUARE, {64, 64}, {1, 1}},
    {CLUP_LATTICE_SQUARE, {31, 33}, {1, 1}},
    {CLUP_LATTICE_SQUARE, {100, 9}, {0, 1}},
    {CLUP_LATTICE_SQUARE, {37, 41}, {0, 0}},
    {CLUP_LATTICE_SQUARE, {1, 50}, {1, 1}},
    {CLUP_LATTICE_SQUARE, {70, 1}, {1, 0}},
    {CLUP_LATTICE_SQUARE, {1, 1}, {1, 0}},
    {CLUP_LATTICE_SQUARE, {2, 2}, {1, 1}},
    {CLUP_LATTICE_TRIANGULAR, {64, 40}, {1, 1}},
    {CLUP_LATTICE_TRIANGULAR, {33, 19}, {1, 1}},
    {CLUP_LATTICE_TRIANGULAR, {45, 17}, {0, 1}},
    {CLUP_LATTICE_TRIANGULAR, {45, 17}, {1, 0}},
    {CLUP_LATTICE_TRIANGULAR, {1, 7}, {1, 1}},
    {CLUP_LATTICE_TRIANGULAR, {2, 2}, {1, 1}},
    {CLUP_LATTICE_TRIANGULAR, {1, 1}, {1, 1}},
    {CLUP_LATTICE_CUBIC, {16, 16, 16}, {1, 1, 1}},
    {CLUP_LATTICE_CUBIC, {33, 7, 5}, {1, 1, 1}},
    {CLUP_LATTICE_CUBIC, {9, 10, 11}, {1, 0, 1}},
    {CLUP_LATTICE_CUBIC, {12, 13, 6}, {0, 0, 0}},
    {CLUP_LATTICE_CUBIC, {1, 3, 40}, {1, 1, 0}},
    {CLUP_LATTICE_CUBIC, {2, 1, 2}, {1, 1, 1}},
    {CLUP_LATTICE_SQUARE_8, {45, 33}, {1, 1}},
    {CLUP_LATTICE_SQUARE_8, {33, 14}, {1, 0}},
    {CLUP_LATTICE_CUBIC_18, {35, 6, 5}, {1, 1, 0}},
    {CLUP_LATTICE_CUBIC_26, {10, 7, 8}, {1, 1, 1}},
    {CLUP_LATTICE_CUBIC_26, {3, 1, 2}, {1, 0, 1}},
    /* clusters whose squared sizes do not fit 32 bits */
    {CLUP_LATTICE_SQUARE, {330, 301}, {1, 1}},
};
#define SYSTEMS (sizeof systems / sizeof *systems)
#define REPLICAS 3u

static clup_problem problem_of(size_t s, clup_model model)
{
    /* the last number of a seed, which all samples have */
    clup_problem problem = {.lattice = systems[s].lattice,
                            .model = model,
                            .replicas = REPLICAS,
                            .first_replica = s % 2 == 1 ? 65535 : 0};
    memcpy(problem.size, systems[s].size, sizeof problem.size);
    memcpy(problem.periodic, systems[s].periodic, sizeof problem.periodic);
    return problem;
}

static int same(const clup_percolation_sample *a, const clup_percolation_sample *b)
{
    return memcmp(&a->sizes, &b->sizes, sizeof a->sizes) == 0 && a->wraps == b->wraps;
}

/* Whether p is a limit at which every sample is known. */
static int is_limit(const lattice_args *lattice, clup_model model, double p,
                    const clup_percolation_sample *sample)
{
    const uint64_t sites = clup_lattice_sites(lattice);
    const unsigned axes = clup_lattice_of(lattice)->axes;
    unsigned one_layer = 0;
    for (unsigned axis = 0; axis < axes; axis++)
        one_layer |= (unsigned)(lattice_size(*lattice, axis) == 1 &&
                                !(lattice->periodic >> axis & 1))
                     << axis;
    if (p == 1)
        return sample->sizes.clusters == 1 && sample->sizes.sites == sites &&
               sample->sizes.largest == sites && sample->sizes.squares == sites * sites &&
               sample->wraps == (1u << axes) - 1;
    if (model == CLUP_SITE_PERCOLATION)
        return sample->sizes.clusters == 0 && sample->sizes.sites == 0 &&
               sample->sizes.largest == 0 && sample->wraps == 0;
    return sample->sizes.clusters == sites && sample->sizes.classes[0] == sites &&
           sample->sizes.largest == 1 && sample->wraps == one_layer;
}

/* Compares samples of a system with the reference, with the plan of a request. Returns 0 where
 * there is none. */
static int compare(size_t s, clup_model model, clup_plan_request request)
{
    /* the last replicas cross number 2^32 */
    static const uint64_t firsts[] = {0, REPLICAS, 0xFFFFFFFEu};
    const clup_problem problem = problem_of(s, model);
    const double known = clup_problem_critical_p(&problem), critical = isnan(known) ? 0.1 : known,
                 ps[] = {0, 0.5 * critical, critical, 0.5 + 0.5 * critical, 1};
    clup_plan plan;
    clup_engine *device;
    clup_percolation_reference reference;
    unsigned wrong = 0, limits = 0, count = 0, wraps = 0;
    if (clup_plan_choose(context, &problem, NULL, &request, &plan) != CLUP_OK) {
        printf("# %s\n", clup_error_detail());
        return 0;
    }
    NEED(clup_engine_percolation_device(context, &problem, NULL, &plan, 20 + s, &device));
    NEED(clup_percolation_reference_create(&problem, 20 + s, &reference));
    for (unsigned k = 0; k < sizeof ps / sizeof *ps; k++)
        for (unsigned f = 0; f < (s < 4 ? sizeof firsts / sizeof *firsts : 1); f++) {
            clup_percolation_sample got[REPLICAS], wanted;
            unsigned done;
            device->kind->go_to(device, firsts[f], ps[k]);
            NEED(device->kind->batch(device, 1, 0, got, &done));
            for (unsigned r = 0; r < REPLICAS; r++, count++) {
                clup_percolation_reference_draw(&reference, ps[k], firsts[f] + r, &wanted);
                wrong += !same(&got[r], &wanted);
                wraps += wanted.wraps != 0;
                limits += (ps[k] == 0 || ps[k] == 1) &&
                          !is_limit(&reference.host.lattice, model, ps[k], &wanted);
            }
        }
    ok(wrong == 0 && limits == 0,
       "%s, %s, %s %u x %u x %u, periodic %d %d %d, tile %u: %u of %u samples differ, %u are "
       "wrong; %u wrap",
       plan.local, clup_model_name(model), clup_lattice_name(problem.lattice), problem.size[0],
       problem.size[1], reference.host.lattice.nz, problem.periodic[0], problem.periodic[1],
       problem.periodic[2], plan.tile[1], wrong, count, limits, wraps);
    device->kind->free(device);
    clup_percolation_reference_clear(&reference);
    return 1;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Compares samples of a graph with the reference. all and one_layer: the axes that wrap or are
 * spanned at p = 1 and p = 0, of a connected lattice; 0 for other graphs. */
static void compare_graph(const clup_graph *graph, clup_model model, uint32_t replicas,
                          unsigned all, unsigned one_layer)
{
    static const double ps[] = {0, 0.1, 0.2, 0.35, 0.6, 1};
    clup_problem problem = {.model = model, .replicas = replicas};
    clup_plan plan;
    clup_engine *device;
    clup_percolation_reference reference;
    unsigned wrong = 0, wraps = 0, count = 0;
    clup_percolation_sample got[REPLICAS], wanted;
    clup_problem_set_graph(&problem, graph);
    NEED(clup_plan_choose(context, &problem, NULL, NULL, &plan));
    NEED(clup_engine_percolation_device(context, &problem, NULL, &plan, 30, &device));
    NEED(clup_percolation_reference_create(&problem, 30, &reference));
    for (unsigned k = 0; k < sizeof ps / sizeof *ps; k++) {
        unsigned done;
        device->kind->go_to(device, 0xFFFFFFFEu, ps[k]);
        NEED(device->kind->batch(device, 1, 0, got, &done));
        for (unsigned r = 0; r < replicas; r++, count++) {
            NEED(clup_percolation_reference_draw(&reference, ps[k], 0xFFFFFFFEu + (uint64_t)r,
                                                 &wanted));
            wrong += !same(&got[r], &wanted);
            wraps |= wanted.wraps;
            if (all == 0)
                continue;
            wrong += ps[k] == 1 && (wanted.sizes.clusters != 1 || wanted.wraps != all);
            wrong += ps[k] == 0 && wanted.wraps != (model == CLUP_BOND_PERCOLATION ? one_layer : 0);
        }
    }
    ok(wrong == 0 && count > 0 && wraps == all, "%s, %s: %u of %u samples differ; axes %x wrap",
       clup_model_name(model),
       clup_graph_called(graph) != NULL ? clup_graph_called(graph) : "a list of edges", wrong,
       count, wraps);
    device->kind->free(device);
    clup_percolation_reference_clear(&reference);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    NEED(file == NULL || fputs(text, file) < 0 || fclose(file) != 0);
}

/* Lattices of a cell: with bonds that cross several boundaries, that lead back, and two boxes far;
 * and lists of edges, with loops, edges that occur twice and isolated vertices. */
static void compare_graphs(void)
{
    static const char path[] = "t_percolation.toml", far[] = "t_percolation_far.toml";
    static const struct {
        const char *lattice;
        unsigned axes, open, one_layer;
        uint32_t size[8];
    } cells[] = {{"hypercubic", 4, 0, 0, {4, 3, 5, 6}},
                 {"hypercubic", 4, 10, 2, {4, 1, 5, 6}},
                 {"hypercubic", 4, 4, 0, {17, 8, 7, 11}}, /* several blocks of edges */
                 {"hypercubic", 8, 128, 0, {2, 1, 2, 3, 2, 2, 2, 2}},
                 {"hypercubic", 1, 0, 0, {33}},
                 {path, 2, 0, 0, {7, 5}},
                 {path, 2, 0, 0, {31, 23}},
                 {path, 2, 1, 1, {1, 9}},
                 {path, 2, 0, 0, {1, 1}},
                 {far, 8, 0, 0, {1, 1, 1, 1, 1, 1, 1, 40}}}; /* farther than the device counts */
    const clup_graph *graph, *small;
    write_text(path, "sites = 2\nbonds = [[0, 1, [0, 0]], [1, 0, [2, 1]], [1, 0, [-1, -2]], "
                     "[0, 0, [0, 1]]]\n");
    write_text(far, "bonds = [[0, 0, [1, 1, 1, 1, 1, 1, 1, 1]]]\n");
    NEED(clup_graph_of_lattice("hypercubic", (const uint32_t[]){9, 1, 5, 20}, 4, 2, &graph));
    NEED(clup_graph_smaller(graph, 70, &small));
    ok(small->vertices == 125 && clup_graph_same_law(graph, small),
       "70 sites of %s are those of %s", clup_graph_called(graph), clup_graph_called(small));
    for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++) {
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            NEED(clup_graph_of_lattice(cells[k].lattice, cells[k].size, cells[k].axes,
                                       cells[k].open, &graph));
            compare_graph(graph, model, 1 + k % REPLICAS, (1u << cells[k].axes) - 1,
                          cells[k].one_layer);
        }
        for (uint64_t vertices = 1; vertices < 20000; vertices = 7 * vertices + 3) {
            NEED(clup_graph_sample(vertices, 1 + 2 * vertices / 3, &graph));
            compare_graph(graph, model, REPLICAS, 0, 0);
        }
    }
    remove(path);
    remove(far);
}

/* ---- every configuration of a small torus ---------------------------------------------------- */

/* With so many boxes to each side, the unrolled torus contains every cycle that visits a site at
 * most once. */
enum { SITES_MOST = 6, BOXES = SITES_MOST, SIDE = 2 * BOXES + 1, COPIES = SIDE * SIDE * SIDE };

/* Finds the axes around which the cluster of a site winds, by the copies of the site in other boxes
 * that a search on the unrolled torus reaches. Ends when it has found all axes. reached[] gets the
 * sites that were reached. */
static unsigned search(const lattice_args *lattice, const uint8_t *bonds, unsigned start,
                       bool *reached)
{
    static uint8_t seen[SITES_MOST][COPIES];
    static struct place {
        unsigned site;
        int box[3];
    } queue[SITES_MOST * COPIES];
    const clup_lattice *of = clup_lattice_of(lattice);
    const unsigned sites = (unsigned)clup_lattice_sites(lattice), all = (1u << of->axes) - 1;
    unsigned head = 0, tail = 0, wraps = 0;
    memset(seen, 0, sizeof seen);
    queue[tail++] = (struct place){.site = start};
    seen[start][(BOXES * SIDE + BOXES) * SIDE + BOXES] = 1;
    while (head < tail && wraps != all) {
        const struct place here = queue[head++];
        reached[here.site] = true;
        for (unsigned axis = 0; axis < 3; axis++)
            wraps |= (unsigned)(here.site == start && here.box[axis] != 0) << axis;
        for (unsigned k = 0; k < 2 * of->directions; k++) {
            /* forwards from this site, or backwards from a site that leads here */
            const unsigned d = k / 2;
            for (unsigned from = 0; from < sites; from++) {
                uint64_t to;
                const unsigned at[3] = {from % lattice->nx, from / lattice->nx % lattice->ny,
                                        from / lattice->nx / lattice->ny};
                struct place next = here;
                int inside = 1;
                if (!bonds[d * sites + from] ||
                    !clup_lattice_forward(lattice, d, at[0], from / lattice->nx, &to) ||
                    (k % 2 == 0 ? from : to) != here.site)
                    continue;
                next.site = k % 2 == 0 ? (unsigned)to : from;
                for (unsigned axis = 0; axis < 3; axis++) {
                    const int step = step_along(of->offsets[d], axis),
                              leaves = step > 0 ? at[axis] + 1 == lattice_size(*lattice, axis)
                                                : step < 0 && at[axis] == 0;
                    next.box[axis] += leaves ? (k % 2 == 0 ? step : -step) : 0;
                    inside = inside && abs(next.box[axis]) <= BOXES;
                }
                if (!inside)
                    continue;
                uint8_t *mark =
                    &seen[next.site][((next.box[0] + BOXES) * SIDE + next.box[1] + BOXES) * SIDE +
                                     next.box[2] + BOXES];
                if (!*mark)
                    queue[tail++] = next;
                *mark = 1;
            }
        }
    }
    return wraps;
}

/* As on a device: finds clusters without the bonds that leave the box, then adds those bonds one by
 * one. */
static unsigned by_boxes(clup_wraps *wraps, const lattice_args *lattice, const uint8_t *bonds)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    const unsigned sites = (unsigned)clup_lattice_sites(lattice);
    lattice_args open = *lattice;
    uint32_t labels[SITES_MOST];
    uint64_t to, inside;
    unsigned each = 0;
    open.periodic = 0;
    clup_reference_labels(&open, bonds, labels);
    NEED(clup_wraps_reset(wraps, sites));
    for (unsigned d = 0; d < of->directions; d++)
        for (unsigned i = 0; i < sites; i++) {
            const unsigned at[3] = {i % lattice->nx, i / lattice->nx % lattice->ny,
                                    i / lattice->nx / lattice->ny};
            int steps[3] = {0};
            if (!bonds[d * sites + i] ||
                clup_lattice_forward(&open, d, at[0], i / lattice->nx, &inside) ||
                !clup_lattice_forward(lattice, d, at[0], i / lattice->nx, &to))
                continue;
            for (unsigned axis = 0; axis < 3; axis++) {
                const int step = step_along(of->offsets[d], axis);
                steps[axis] = step != 0 &&
                                      at[axis] == leaving_end(lattice_size(*lattice, axis), step)
                                  ? step
                                  : 0;
            }
            clup_wraps_bond(wraps, labels[i], labels[to], steps);
        }
    for (unsigned i = 0; i < sites; i++)
        each |= clup_wraps_of(wraps, labels[i]);
    return each == clup_wraps_any(wraps) ? each : ~0u;
}

/* Bond percolation on a torus, by all configurations: probabilities at p. */
static void each_configuration(clup_lattice_kind lattice, const uint32_t size[3])
{
    const clup_problem problem = {.lattice = lattice,
                                  .size = {size[0], size[1], size[2]},
                                  .periodic = {1, 1, 1},
                                  .model = CLUP_BOND_PERCOLATION,
                                  .replicas = 500};
    const double p = clup_critical_p(lattice, CLUP_BOND_PERCOLATION);
    double exact[CLUP_PERCOLATION_OBSERVABLES] = {0};
    clup_percolation_reference reference;
    clup_wraps *wraps;
    clup_percolation *percolation;
    clup_percolation_point point;
    clup_plan plan;
    unsigned wrong = 0;
    NEED(clup_percolation_reference_create(&problem, 1, &reference));
    NEED(clup_wraps_create(3, &wraps));
    const lattice_args *args = &reference.host.lattice;
    const unsigned sites = (unsigned)clup_lattice_sites(args),
                   directions = clup_lattice_of(args)->directions, bonds = sites * directions,
                   axes = clup_lattice_axes(lattice);
    for (uint32_t bits = 0; bits < 1u << bonds; bits++) {
        clup_percolation_sample sample;
        unsigned searched = 0, active = 0;
        bool reached[SITES_MOST] = {false};
        for (unsigned b = 0; b < bonds; b++)
            active += reference.host.bonds[b] = bits >> b & 1;
        clup_percolation_reference_measure(&reference, &sample);
        for (unsigned i = 0; i < sites; i++)
            searched |= reached[i] ? 0 : search(args, reference.host.bonds, i, reached);
        wrong += sample.wraps != searched ||
                 by_boxes(wraps, args, reference.host.bonds) != searched;
        const double weight = pow(p, active) * pow(1 - p, bonds - active),
                     largest = (double)sample.sizes.largest;
        exact[CLUP_PERCOLATION_CLUSTERS] += weight * (double)sample.sizes.clusters / sites;
        exact[CLUP_PERCOLATION_LARGEST] += weight * largest / sites;
        exact[CLUP_PERCOLATION_OCCUPIED] += weight;
        exact[CLUP_PERCOLATION_MEAN_SIZE] += weight * (double)sample.sizes.squares / sites;
        exact[CLUP_PERCOLATION_MEAN_SIZE_REST] += weight *
                                                  ((double)sample.sizes.squares -
                                                   largest * largest) /
                                                  sites;
        for (unsigned axis = 0; axis < axes; axis++)
            exact[CLUP_PERCOLATION_WRAP_X + axis] += weight * (searched >> axis & 1);
        exact[CLUP_PERCOLATION_WRAP_EITHER] += searched != 0 ? weight : 0;
        exact[CLUP_PERCOLATION_WRAP_BOTH] += searched == (1u << axes) - 1 ? weight : 0;
        exact[CLUP_PERCOLATION_WRAP_ONE] += searched == 1 || searched == 2 || searched == 4 ? weight
                                                                                            : 0;
    }
    ok(wrong == 0, "%s %u x %u x %u torus: winding of all %u configurations",
       clup_lattice_name(lattice), size[0], size[1], args->nz, 1u << bonds);
    NEED(clup_plan_choose(context, &problem, NULL, NULL, &plan));
    NEED(clup_percolation_create(context, &problem, &plan, 5, &percolation));
    NEED(clup_percolation_run(percolation, p, axes > 2 ? 10000 : 40000, NULL, NULL, &point));
    for (unsigned k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++) {
        const clup_estimate *estimate = &point.estimates[k];
        if (isnan(estimate->mean) && k == CLUP_PERCOLATION_WRAP_Z && axes < 3)
            continue;
        /* a value that is equal in all samples has no error */
        const double difference = fabs(estimate->mean - exact[k]),
                     sigma = difference < 1e-12 ? 0 : difference / estimate->error;
        ok(sigma < 4, "%s %.6f +- %.6f, exact %.6f: %.1f sigma",
           clup_percolation_observable_name(k), estimate->mean, estimate->error, exact[k], sigma);
    }
    clup_percolation_free(percolation);
    clup_wraps_free(wraps);
    clup_percolation_reference_clear(&reference);
}

/* ---- the library's calls --------------------------------------------------------------------- */

static clup_percolation_point run_samples(clup_context *where, clup_problem problem,
                                          uint32_t replicas, double p, uint64_t samples)
{
    clup_percolation *percolation;
    clup_percolation_point point;
    clup_plan plan = {0};
    problem.replicas = replicas;
    if (where != NULL)
        NEED(clup_plan_choose(where, &problem, NULL, NULL, &plan));
    NEED(clup_percolation_create(where, &problem, &plan, 3, &percolation));
    NEED(clup_percolation_run(percolation, p, samples, NULL, NULL, &point));
    clup_percolation_free(percolation);
    return point;
}

static clup_percolation_point run(clup_context *where, clup_problem problem, uint32_t replicas,
                                  double p)
{
    return run_samples(where, problem, replicas, p, 50);
}

static int same_point(const clup_percolation_point *a, const clup_percolation_point *b)
{
    int same = a->samples == b->samples;
    for (unsigned k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        same = same &&
               (isnan(a->estimates[k].mean) || (a->estimates[k].mean == b->estimates[k].mean &&
                                                a->estimates[k].error == b->estimates[k].error));
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES; k++)
        same = same && a->classes[k].mean == b->classes[k].mean;
    return same;
}

static int stop(uint64_t done, uint64_t samples, void *user)
{
    (void)samples, (void)user;
    return done >= 6;
}

/* Values are added up in blocks of samples, whatever rounds they are drawn in; and the device
 * begins with a round before the host has asked for it, which is for nothing where that is another
 * one. */
static void check_rounds(void)
{
    const clup_problem problem = {
        .size = {8, 5}, .periodic = {1, 1}, .model = CLUP_BOND_PERCOLATION};
    const clup_percolation_point one = run_samples(NULL, problem, 1, 0.4, 6100),
                                 rounds = run_samples(context, problem, 2900, 0.4, 6100);
    clup_percolation *percolation;
    double first[CLUP_PERCOLATION_OBSERVABLES][8], after[CLUP_PERCOLATION_OBSERVABLES];
    ok(same_point(&one, &rounds) && one.samples == 6100,
       "6100 samples are the same in rounds of 2900");
    NEED(clup_percolation_create(context, &problem, NULL, 3, &percolation));
    ok(clup_percolation_series(percolation, 0, 0, 8, stop, NULL, first[0]) == CLUP_INTERRUPTED &&
           clup_percolation_series(percolation, 1, 6, 1, NULL, NULL, after) == CLUP_OK &&
           first[CLUP_PERCOLATION_CLUSTERS][5] == 1 &&
           after[CLUP_PERCOLATION_CLUSTERS] == 1. / (8 * 5),
       "after a series that was stopped another p has its own samples");
    clup_percolation_free(percolation);
}

static void check_calls(void)
{
    const clup_problem problem = {
        .size = {40, 24}, .periodic = {1, 1}, .model = CLUP_SITE_PERCOLATION};
    clup_problem potts = {.size = {40, 24}, .periodic = {1, 1}, .q = 2, .beta = 1};
    const clup_percolation_point one = run(context, problem, 1, 0.6),
                                 seven = run(context, problem, 7, 0.6),
                                 host = run(NULL, problem, 1, 0.6);
    const clup_percolation_point whole = run(
        context, (clup_problem){.size = {330, 301}, .model = CLUP_BOND_PERCOLATION}, 1, 1);
    double sum = 0;
    ok(whole.estimates[CLUP_PERCOLATION_MEAN_SIZE].mean == 330 * 301 &&
           whole.estimates[CLUP_PERCOLATION_MEAN_SIZE_REST].mean == 0,
       "one cluster of 99330 sites, and no rest");
    ok(same_point(&one, &seven) && same_point(&one, &host) && one.samples == 50,
       "one or seven samples at once, and the serial reference, find the same");
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES; k++)
        sum += one.classes[k].mean;
    ok(fabs(sum - one.estimates[CLUP_PERCOLATION_CLUSTERS].mean) < 1e-12,
       "classes of sizes add up to all clusters");
    clup_percolation *percolation;
    clup_percolation_point point;
    clup_plan plan;
    clup_simulation *simulation;
    NEED(clup_plan_choose(context, &problem, NULL, &(clup_plan_request){.bonds = "word"}, &plan));
    ok(strcmp(plan.source, "site") == 0 &&
           (strcmp(plan.local, "runs") == 0 || strcmp(plan.local, "labels_serial") == 0) &&
           strcmp(plan.consolidate, "union") == 0 && strcmp(plan.action, "sizes") == 0,
       "the planner has a plan");
    ok(clup_simulation_create(context, &problem, NULL, &plan, 1, CLUP_START_ORDERED, &simulation) ==
           CLUP_ERROR_USAGE,
       "that is none for a simulation");
    NEED(clup_plan_choose(context, &potts, NULL, &(clup_plan_request){.bonds = "word"}, &plan));
    ok(strcmp(plan.source, "fk") == 0 && strcmp(plan.action, "sizes") != 0,
       "nor does a simulation get its kernels");
    ok(clup_percolation_create(context, &potts, &plan, 1, &percolation) == CLUP_ERROR_USAGE &&
           percolation == NULL,
       "or percolation a Potts model");
    ok(clup_percolation_create(context, &problem, &plan, 1, &percolation) == CLUP_ERROR_USAGE,
       "or its kernels");
    ok(clup_plan_choose(context, &potts, NULL, &(clup_plan_request){.source = "bond"}, &plan) ==
           CLUP_ERROR_USAGE,
       "asked for, too: %s", clup_error_detail());
    NEED(clup_percolation_create(NULL, &problem, NULL, 1, &percolation));
    ok(clup_percolation_run(percolation, 1.5, 1, NULL, NULL, &point) == CLUP_ERROR_USAGE, "%s",
       clup_error_detail());
    ok(clup_percolation_run(percolation, -0.1, 1, NULL, NULL, &point) == CLUP_ERROR_USAGE, "%s",
       clup_error_detail());
    ok(clup_percolation_run(percolation, NAN, 1, NULL, NULL, &point) == CLUP_ERROR_USAGE, "%s",
       clup_error_detail());
    const clup_status status = clup_percolation_run(percolation, 0.5, 100, stop, NULL, &point);
    ok(status == CLUP_INTERRUPTED && point.samples == 6 && isfinite(point.estimates[0].error),
       "a run that is stopped has the samples so far");
    NEED(clup_percolation_run(percolation, 0.5, 1, NULL, NULL, &point));
    ok(isfinite(point.estimates[0].mean) && isnan(point.estimates[0].error),
       "one sample has no error");
    clup_percolation_free(percolation);
    ok(clup_percolation_batch(context, &problem, 5) == 5 &&
           clup_percolation_batch(NULL, &problem, 5) == 1,
       "few samples are one round");
    ok(fabs(clup_critical_p(CLUP_LATTICE_TRIANGULAR, CLUP_BOND_PERCOLATION) -
            2 * sin(acos(-1) / 18)) < 1e-15 &&
           isnan(clup_critical_p(CLUP_LATTICE_SQUARE, CLUP_POTTS)),
       "critical probabilities");
    static const double known[][2] = {
        {0.5, 0.59274605}, {0.34729635533386070, 0.5}, {0.24881182, 0.31160768}};
    unsigned wrong = 0;
    for (clup_lattice_kind lattice = 0; lattice <= CLUP_LATTICE_CUBIC; lattice++)
        for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++)
            wrong += clup_critical_p(lattice, model) !=
                     known[lattice][model - CLUP_BOND_PERCOLATION];
    ok(wrong == 0, "of each lattice (%u are wrong)", wrong);
    const clup_model bond = CLUP_BOND_PERCOLATION, site = CLUP_SITE_PERCOLATION;
    const double honeycomb = clup_critical_p(CLUP_LATTICE_HONEYCOMB, bond);
    ok(clup_critical_p(CLUP_LATTICE_SQUARE_8, site) + clup_critical_p(CLUP_LATTICE_SQUARE, site) ==
               1 &&
           clup_critical_p(CLUP_LATTICE_UNION_JACK, bond) +
                   clup_critical_p(CLUP_LATTICE_SQUARE_OCTAGON, bond) ==
               1 &&
           honeycomb + clup_critical_p(CLUP_LATTICE_TRIANGULAR, bond) == 1,
       "those of lattices that are dual, or match, add up to 1");
    ok(clup_critical_p(CLUP_LATTICE_KAGOME, site) == honeycomb &&
           clup_critical_p(CLUP_LATTICE_CHECKERBOARD, site) ==
               clup_critical_p(CLUP_LATTICE_SQUARE, bond) &&
           fabs(pow(clup_critical_p(CLUP_LATTICE_LIEB, bond), 2) - 0.5) < 1e-15,
       "sites are the bonds of another lattice, and two bonds one of it");
}

/* t_percolation [brief]: brief uses tiles of one size, and bonds of one lattice. */
int main(int argc, char **argv)
{
    const int brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++)
        for (size_t s = 0; s < SYSTEMS; s++)
            /* with three axes, larger tiles need more local memory than GPUs have */
            for (unsigned tile = 4; tile <= (brief || model == CLUP_SITE_PERCOLATION ? 4 : 8);
                 tile *= 2)
                if (tile == 4 || s % 2 == model % 2)
                    ok(compare(s, model, (clup_plan_request){.bonds = "word", .tile = tile}),
                       "tiles of %u fit", tile);
    static const char *const borders[] = {"runs_border", "runs_volume", "runs_serial"};
    unsigned compared = 0, wanted = 0;
    for (unsigned k = 0; k < 3; k++)
        for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++)
            for (size_t s = 0; s < SYSTEMS; s++)
                if (s % (k < 2 ? 4 : 2) == (size_t)(model == CLUP_SITE_PERCOLATION)) {
                    const bool volume = clup_lattice_axes(systems[s].lattice) > 2;
                    wanted += k == 2 || volume == (k == 1);
                    compared += compare(s, model, (clup_plan_request){.local = borders[k]});
                }
    ok(compared == wanted, "%u of %u plans of the border layout", compared, wanted);
    compare_graphs();
    each_configuration(CLUP_LATTICE_SQUARE, (const uint32_t[]){2, 2, 1});
    if (!brief) {
        each_configuration(CLUP_LATTICE_SQUARE, (const uint32_t[]){3, 2, 1});
        each_configuration(CLUP_LATTICE_TRIANGULAR, (const uint32_t[]){2, 2, 1});
        each_configuration(CLUP_LATTICE_CUBIC, (const uint32_t[]){2, 2, 1});
    }
    check_calls();
    check_rounds();
    clup_context_free(context);
    return done_testing();
}
