/* SPDX-License-Identifier: BSD-3-Clause */
/* What sources and prepare_flip draw, for every generator: the bonds, the labels, the new spins and
 * the states of the streams after two sweeps, against the streams followed on the host, and with
 * Philox against the serial definition. */
#include "device.h"
#include "core/source.h"
#include "paper/streams.clh"
#include "lattices.h"

static clup_context *context;

static const struct {
    const char *name;
    uint32_t block[2]; /* sites of a work-item; 0 stands for the tile's */
} rows[] = {{"fk", {0, 0}}, {"fk_column", {1, 0}}, {"fk_square", {2, 2}}, {"fk_site", {1, 1}}};
#define ROWS (sizeof rows / sizeof *rows)

/* One lattice and what is known of it on the host. */
typedef struct emulation {
    clup_state state;
    uint64_t sites;
    unsigned directions;
    uint8_t *spins, *bonds, *fresh;
    uint32_t *words, *labels;
} emulation;

/* Draws the bonds of a site, or its new spin. */
typedef void visitor(emulation *e, uint32_t x, uint32_t y, uint32_t (*next)(void *stream),
                     void *stream);

static void draw_bonds(emulation *e, uint32_t x, uint32_t y, uint32_t (*next)(void *stream),
                       void *stream)
{
    uint64_t i = x + (uint64_t)e->state.lattice.nx * y, neighbour;
    for (unsigned d = 0; d < e->directions; d++) {
        uint32_t number = next(stream);
        e->bonds[d * e->sites + i] = clup_lattice_forward(&e->state.lattice, d, x, y, &neighbour) &&
                                     e->spins[i] == e->spins[neighbour] &&
                                     (e->state.law.always || number < e->state.law.threshold);
    }
}

static void draw_spin(emulation *e, uint32_t x, uint32_t y, uint32_t (*next)(void *stream),
                      void *stream)
{
    e->fresh[x + (uint64_t)e->state.lattice.nx * y] = (uint8_t)((uint64_t)next(stream) *
                                                                    e->state.q >>
                                                                32);
}

/* Visits the sites of one work-item, row by row of its block. */
static void visit_block(emulation *e, const uint32_t from[2], const uint32_t block[2],
                        visitor *visit, uint32_t (*next)(void *stream), void *stream)
{
    for (uint32_t y = from[1]; y < from[1] + block[1] && y < e->state.lattice.ny; y++)
        for (uint32_t x = from[0]; x < from[0] + block[0] && x < e->state.lattice.nx; x++)
            visit(e, x, y, next, stream);
}

#define NEXT(NAME) \
    static uint32_t next_##NAME(void *stream) \
    { \
        return NAME##_next(stream); \
    }
NEXT(lcg)
NEXT(fibonacci)
NEXT(mwc)

#define VISIT_WITH(NAME) \
    if (strcmp(e->state.rng->name, #NAME) == 0) { \
        NAME stream = NAME##_open(e->words + s, e->state.stream_count); \
        visit_block(e, from, block, visit, next_##NAME, &stream); \
        NAME##_close(&stream, e->words + s, e->state.stream_count); \
    }

/* Every work-item of every tile, with its stream; blocks of the tile in raster order. */
static void follow(emulation *e, const unsigned tile[3], const uint32_t shape[2], visitor *visit)
{
    const lattice_args *lattice = &e->state.lattice;
    const uint32_t block[2] = {shape[0], shape[1] > 0 ? shape[1] : tile[1]};
    uint32_t across = (lattice->nx - 1) / tile[0] + 1, blocks = tile[0] / block[0],
             items = blocks * (tile[1] / block[1]);
    for (uint64_t s = 0; s < clup_lattice_tiles(lattice, tile) * items; s++) {
        uint32_t t = (uint32_t)(s / items), item = (uint32_t)(s % items);
        const uint32_t from[2] = {t % across * tile[0] + item % blocks * block[0],
                                  t / across * tile[1] + item / blocks * block[1]};
        VISIT_WITH(lcg)
        VISIT_WITH(fibonacci)
        VISIT_WITH(mwc)
    }
}

/* Whether the streams on the device are where they were followed to. */
static int same_streams(emulation *e)
{
    uint64_t bytes = e->state.stream_count * e->state.rng->words * sizeof *e->words;
    if (bytes == 0)
        return 1;
    uint32_t *words = malloc(bytes);
    NEED(clup_buffer_read(context, e->state.streams, 0, bytes, words));
    int same = memcmp(words, e->words, bytes) == 0;
    free(words);
    return same;
}

/* A sweep of the source: what differs from what it should be, as a word for it; "" for nothing. */
static const char *sweep_source(emulation *e, clup_prepared *source, const uint32_t block[2])
{
    uint8_t *bonds = malloc(e->directions * e->sites);
    uint32_t *labels = malloc(e->sites * sizeof *labels);
    const char *wrong = "";
    NEED(clup_state_write_spins(&e->state, e->spins));
    NEED(clup_prepared_run(source));
    if (e->state.rng->words > 0)
        follow(e, source->tile, block, draw_bonds);
    else
        clup_reference_fk(&e->state.lattice, e->state.key,
                          &(clup_laws){.classes = 1, .of = {e->state.law}}, e->spins, e->bonds);
    bonds_read(&e->state, bonds);
    if (memcmp(bonds, e->bonds, e->directions * e->sites) != 0)
        wrong = "bonds";
    else if (!same_streams(e))
        wrong = "streams";
    /* those with tiles begin the labelling */
    if (source->variant->shape != NULL)
        NEED(clup_buffer_read(context, e->state.labels, 0, e->sites * sizeof *labels, labels));
    for (uint64_t i = 0; source->variant->shape != NULL && i < e->sites; i++)
        if (labels[i] != i)
            wrong = "labels";
    free(bonds);
    free(labels);
    return wrong;
}

/* prepare_flip after it, on the labels of those bonds. */
static const char *sweep_flip(emulation *e, clup_prepared *flip)
{
    static const uint32_t column[2] = {1, 0};
    uint8_t *spins = malloc(e->sites);
    const char *wrong = "";
    clup_reference_labels(&e->state.lattice, e->bonds, e->labels);
    NEED(clup_buffer_write(context, e->state.labels, 0, e->sites * sizeof *e->labels, e->labels));
    NEED(clup_prepared_run(flip));
    if (e->state.rng->words > 0)
        follow(e, flip->tile, column, draw_spin);
    for (uint64_t i = 0; i < e->sites; i++) {
        uint32_t root = e->labels[i];
        e->spins[i] = e->state.rng->words > 0
                          ? e->fresh[root]
                          : (uint8_t)random_spin(e->state.key, PURPOSE_CLUSTER, root, e->state.q,
                                                 clup_spin_field(e->state.q));
    }
    NEED(clup_state_read_spins(&e->state, spins));
    if (memcmp(spins, e->spins, e->sites) != 0)
        wrong = "spins";
    else if (!same_streams(e))
        wrong = "streams after the flip";
    free(spins);
    return wrong;
}

/* Two sweeps of one system, with prepare_flip where the layout allows it. */
static const char *sweeps(const clup_problem *problem, const clup_layout *layout, const char *rng,
                          size_t r)
{
    const clup_method method = {.rng = rng};
    const clup_variant *source_row = clup_table_find(&clup_sources, rows[r].name),
                       *flip_row = clup_table_find(&clup_actions, "prepare_flip");
    const unsigned tile[3] = {16, 16, 1};
    lattice_args lattice = clup_lattice_args(problem);
    int flips = strcmp(layout->name, "char") == 0 && problem->lattice == CLUP_LATTICE_SQUARE;
    uint64_t streams = source_row->streams != NULL ? source_row->streams(&lattice) : 0,
             more = flips ? flip_row->streams(&lattice) : 0;
    emulation e = {.sites = clup_lattice_sites(&lattice),
                   .directions = clup_lattice_of(&lattice)->directions};
    clup_prepared source, flip = {0};
    const char *wrong = "";
    NEED(clup_state_create(context, problem, &method, layout, streams > more ? streams : more, 11,
                           &e.state));
    NEED(clup_prepared_create(source_row, &e.state, tile, &source));
    if (flips)
        NEED(clup_prepared_create(flip_row, &e.state, tile, &flip));
    e.spins = malloc(e.sites);
    e.bonds = malloc(e.directions * e.sites);
    e.fresh = malloc(e.sites);
    e.labels = malloc(e.sites * sizeof *e.labels);
    e.words = malloc((e.state.stream_count * e.state.rng->words + 1) * sizeof *e.words);
    if (e.state.rng->words > 0)
        e.state.rng->seed(e.state.key, 0, e.state.stream_count, e.words);
    clup_start_spins(&lattice, problem, clup_random_key(12, 0, 0), CLUP_START_RANDOM, e.spins);
    /* random spins of many states have few equal neighbours: give them some */
    for (uint64_t i = 1; i < e.sites; i++)
        if (i % 3 != 0)
            e.spins[i] = e.spins[i - 1];
    for (int sweep = 0; sweep < 2 && *wrong == '\0'; sweep++) {
        wrong = sweep_source(&e, &source, rows[r].block);
        if (flips && *wrong == '\0')
            wrong = sweep_flip(&e, &flip);
        e.state.key.sweep0++;
    }
    clup_timer_collect(&context->timer);
    clup_prepared_clear(&source);
    clup_prepared_clear(&flip);
    clup_state_clear(&e.state);
    free(e.spins);
    free(e.bonds);
    free(e.fresh);
    free(e.labels);
    free(e.words);
    return wrong;
}

/* All sizes, boundaries and numbers of states. */
static void check(clup_lattice_kind lattice, const clup_layout *layout, const char *rng, size_t r)
{
    static const uint32_t sizes[][3] = {{1, 1, 2},   {2, 3, 1},   {1, 200, 1},
                                        {31, 33, 2}, {257, 5, 3}, {300, 9, 1}};
    static const unsigned states[] = {2, 3, 256};
    static const double betas[] = {0, 1, 50};
    char wrong[64] = "";
    unsigned count = 0;
    for (size_t k = 0; k < 6 * 4 * 3 * 3; k++) {
        const unsigned s = k % 6, periodic = k / 6 % 4, q = states[k / 24 % 3], b = k / 72 % 3;
        clup_problem problem = {
            .lattice = lattice,
            .size = {sizes[s][0], sizes[s][1], clup_lattice_axes(lattice) > 2 ? sizes[s][2] : 1},
            .periodic = {periodic & 1, periodic >> 1, periodic % 3 > 0},
            .q = q,
            .beta = betas[b]};
        clup_lattice_fit(lattice, problem.size);
        if (b != 1 && q != 3) /* the limits need no more than one q */
            continue;
        const char *what = sweeps(&problem, layout, rng, r);
        if (*what != '\0' && wrong[0] == '\0')
            snprintf(wrong, sizeof wrong, ": %s of %u x %u, periodic %u, q = %u", what, sizes[s][0],
                     sizes[s][1], periodic, q);
        count++;
    }
    ok(wrong[0] == '\0' && count == 120, "%s, %s, %s, %s: %u systems%s", rows[r].name,
       clup_lattice_name(lattice), rng, layout->name, count, wrong);
}

/* The rows that do not draw with a generator say so, and no others. */
static int able(const clup_layout *layout, const clup_generator *rng, size_t r)
{
    const clup_problem problem = {.size = {300, 9}, .q = 2, .beta = 1};
    const clup_setting setting = {.lattice = clup_lattice_args(&problem),
                                  .q = 2,
                                  .layout = layout,
                                  .rng = rng,
                                  .tile = {16, 16, 1}};
    int wanted = strcmp(rows[r].name, "fk") == 0 ? rng->words == 0
                                                 : strcmp(layout->name, "char") == 0;
    int on_any = clup_variant_check(clup_table_find(&clup_sources, rows[r].name), NULL, &setting) ==
                 CLUP_OK;
    int here = clup_variant_check(clup_table_find(&clup_sources, rows[r].name), context,
                                  &setting) == CLUP_OK;
    ok(on_any == wanted && (here || !wanted || strcmp(rows[r].name, "fk_site") == 0),
       "%s, %s, %s: %s", rows[r].name, rng->name, layout->name, here ? "can" : clup_error_detail());
    return here;
}

int main(void)
{
    const clup_generator *rng;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (size_t k = 0; k < clup_sources.count; k++) {
        size_t r = 0;
        while (r < ROWS && strcmp(rows[r].name, clup_sources.variants[k].name) != 0)
            r++;
        const clup_layout *only = clup_variant_layout(&clup_sources.variants[k]);
        ok(r < ROWS || clup_sources.variants[k].models > 0 ||
               (only != NULL && clup_layout_of_graphs(only)),
           "%s is tested, or for another model, or for graphs (t_edges)",
           clup_sources.variants[k].name);
    }
    for (size_t r = 0; r < ROWS; r++)
        for (size_t g = 0; clup_rng_name(g) != NULL; g++)
            for (size_t b = 0; b < clup_layout_count; b++) {
                NEED(clup_generator_named(clup_rng_name(g), &rng));
                if (!clup_layout_of_vectors(&clup_layouts[b]) && /* other models' */
                    !clup_layout_of_graphs(&clup_layouts[b]) && able(&clup_layouts[b], rng, r) &&
                    clup_layout_of_sites(&clup_layouts[b]))
                    check(CLUP_LATTICE_SQUARE, &clup_layouts[b], rng->name, r);
            }
    for (clup_lattice_kind k = CLUP_LATTICE_SQUARE + 1; k < CLUP_LATTICES; k = lattice_after(k))
        for (size_t b = 0; b < clup_layout_count; b++)
            if (clup_layout_of_sites(&clup_layouts[b]))
                check(k, &clup_layouts[b], clup_rng_name(0), 0);
    clup_context_free(context);
    return done_testing();
}
