/* SPDX-License-Identifier: BSD-3-Clause */
/* How spins, bonds and labels are stored, see cl/core/spins.clh, cl/model/vector_spins.clh,
 * bonds.clh, labels.clh, border.clh and bands.clh; and the size of each device buffer. */
#include <stddef.h>
#include <string.h>

#include "bands/bands.clh"
#include "base/bits.h"
#include "border/border.clh"
#include "core/model.h"
#include "core/state.h"
#include "heat/heat.clh"

/* ---- spins and bonds ------------------------------------------------------------------------- */

static uint64_t char_spin_bytes(const lattice_args *lattice, unsigned planes)
{
    (void)planes;
    return clup_lattice_sites(lattice);
}

static uint64_t char_bond_bytes(const lattice_args *lattice)
{
    return clup_lattice_of(lattice)->directions * clup_lattice_sites(lattice);
}

static void char_pack(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to)
{
    (void)planes;
    memcpy(to, spins, clup_lattice_sites(lattice));
}

static void char_unpack(const lattice_args *lattice, unsigned planes, const void *from,
                        uint8_t *spins)
{
    (void)planes;
    memcpy(spins, from, clup_lattice_sites(lattice));
}

static uint64_t word_spin_bytes(const lattice_args *lattice, unsigned planes)
{
    return 4 * planes * clup_lattice_words(lattice);
}

static uint64_t word_bond_bytes(const lattice_args *lattice)
{
    return 4 * clup_lattice_of(lattice)->directions * clup_lattice_words(lattice);
}

/* Returns how many sites word w of a row has. */
static uint32_t word_length(const lattice_args *lattice, uint32_t w)
{
    return lattice->nx - 32 * w < 32 ? lattice->nx - 32 * w : 32;
}

static void word_pack(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to)
{
    uint32_t *word = to;
    for (unsigned p = 0; p < planes; p++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
            for (uint32_t w = 0; w < lattice->words; w++) {
                uint8_t bits[4] = {0};
                clup_bits_pack(spins + (uint64_t)row * lattice->nx + 32 * w,
                               word_length(lattice, w), p, bits);
                *word++ = bits[0] | bits[1] << 8 | bits[2] << 16 | (uint32_t)bits[3] << 24;
            }
}

static void word_unpack(const lattice_args *lattice, unsigned planes, const void *from,
                        uint8_t *spins)
{
    const uint32_t *word = from;
    memset(spins, 0, clup_lattice_sites(lattice));
    for (unsigned p = 0; p < planes; p++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
            for (uint32_t w = 0; w < lattice->words; w++, word++) {
                const uint8_t bits[4] = {(uint8_t)*word, (uint8_t)(*word >> 8),
                                         (uint8_t)(*word >> 16), (uint8_t)(*word >> 24)};
                clup_bits_unpack(bits, word_length(lattice, w), p,
                                 spins + (uint64_t)row * lattice->nx + 32 * w);
            }
}

/* Returns the place of number k of site i in the storage of vectors, which has so many planes
 * beside one another. */
static uint64_t vector_place(const lattice_args *lattice, unsigned beside, uint64_t i, unsigned k)
{
    const uint64_t plane = 32 * k + i % lattice->nx % 32,
                   word = i / lattice->nx * lattice->words + i % lattice->nx / 32;
    return (plane / beside * clup_lattice_words(lattice) + word) * beside + plane % beside;
}

static void pack_vectors(const lattice_args *lattice, unsigned beside, unsigned planes,
                         const uint8_t *spins, uint32_t *words)
{
    const unsigned numbers = planes / 32;
    for (uint64_t k = 0; k < numbers * clup_lattice_sites(lattice); k++)
        memcpy(&words[vector_place(lattice, beside, k / numbers, k % numbers)], spins + 4 * k, 4);
}

static void unpack_vectors(const lattice_args *lattice, unsigned beside, unsigned planes,
                           const uint32_t *words, uint8_t *spins)
{
    const unsigned numbers = planes / 32;
    for (uint64_t k = 0; k < numbers * clup_lattice_sites(lattice); k++)
        memcpy(spins + 4 * k, &words[vector_place(lattice, beside, k / numbers, k % numbers)], 4);
}

static void vector_pack(const lattice_args *lattice, unsigned planes, const uint8_t *spins,
                        void *to)
{
    pack_vectors(lattice, 1, planes, spins, to);
}

static void vector_unpack(const lattice_args *lattice, unsigned planes, const void *from,
                          uint8_t *spins)
{
    unpack_vectors(lattice, 1, planes, from, spins);
}

static void vector_pack_by_site(const lattice_args *lattice, unsigned planes, const uint8_t *spins,
                                void *to)
{
    pack_vectors(lattice, 32, planes, spins, to);
}

static void vector_unpack_by_site(const lattice_args *lattice, unsigned planes, const void *from,
                                  uint8_t *spins)
{
    unpack_vectors(lattice, 32, planes, from, spins);
}

enum { IN_PLANES, IN_BYTES, IN_VECTORS, BY_SITE };
const clup_spin_store clup_spin_stores[] = {
    [IN_PLANES] = {"planes", "SPINS_PLANES", 1, word_spin_bytes, word_pack, word_unpack},
    [IN_BYTES] = {"bytes", "SPINS_BYTES", 1, char_spin_bytes, char_pack, char_unpack},
    [IN_VECTORS] = {"vectors", "SPINS_VECTORS", 1, word_spin_bytes, vector_pack, vector_unpack},
    [BY_SITE] = {"vectors by site", "SPINS_VECTORS SPINS_BY_SITE", 32, word_spin_bytes,
                 vector_pack_by_site, vector_unpack_by_site},
};
#define HAS(STORE) 1u << CLUP_BUFFER_##STORE
enum { IN_WORDS, IN_CHARS, OF_GRAPHS };
const clup_bond_store clup_bond_stores[] = {
    [IN_WORDS] = {"word", "BONDS_WORD", HAS(BONDS), word_bond_bytes},
    [IN_CHARS] = {"char", "BONDS_CHAR", HAS(BONDS), char_bond_bytes},
    [OF_GRAPHS] = {"graph", "GRAPH", HAS(ACTIVE), NULL},
};

/* ---- labels, and layouts --------------------------------------------------------------------- */

enum { OF_SITES, OF_BORDERS, OF_BANDS, OF_NONE, OF_SPINS };
const clup_label_store clup_label_stores[] = {
    [OF_SITES] = {"sites", HAS(LABELS), CLUP_SITES_32, false},
    [OF_BORDERS] = {"border", HAS(NAMES) | HAS(EDGES) | HAS(NODES) | HAS(NODE_SIZES),
                    CLUP_SITES_MAX, false},
    [OF_BANDS] = {"bands", HAS(RUNS) | HAS(RUNS_APART) | HAS(RUN_COUNTS), CLUP_SITES_32, true},
    [OF_NONE] = {"none", 0, CLUP_SITES_32, false},
    [OF_SPINS] = {"spins", 0, CLUP_SITES_MAX, false},
};

/* clang-format off */
#define LAYOUT(NAME, SPINS, BONDS, LABELS) \
    {NAME, &clup_spin_stores[SPINS], &clup_bond_stores[BONDS], &clup_label_stores[LABELS]}
/* clang-format on */
const clup_layout clup_layouts[] = {
    LAYOUT("word", IN_PLANES, IN_WORDS, OF_SITES),
    LAYOUT("char", IN_BYTES, IN_CHARS, OF_SITES),
    LAYOUT("border", IN_PLANES, IN_WORDS, OF_BORDERS),
    LAYOUT("resident", IN_PLANES, IN_WORDS, OF_NONE),
    LAYOUT("bands", IN_PLANES, IN_WORDS, OF_BANDS),
    LAYOUT("spins", IN_PLANES, IN_WORDS, OF_SPINS),
    LAYOUT("graph", IN_PLANES, OF_GRAPHS, OF_SITES),
    LAYOUT("vectors", IN_VECTORS, IN_WORDS, OF_SITES),
    LAYOUT("vectors-alone", IN_VECTORS, IN_WORDS, OF_SPINS),
};
#define COUNT(TABLE) (sizeof(TABLE) / sizeof *(TABLE))
const size_t clup_spin_store_count = COUNT(clup_spin_stores),
             clup_bond_store_count = COUNT(clup_bond_stores),
             clup_label_store_count = COUNT(clup_label_stores),
             clup_layout_count = COUNT(clup_layouts);

bool clup_layout_of_sites(const clup_layout *layout)
{
    return layout->labels == &clup_label_stores[OF_SITES] && !clup_layout_of_vectors(layout) &&
           !clup_layout_of_graphs(layout);
}

bool clup_layout_of_graphs(const clup_layout *layout)
{
    return layout->bonds == &clup_bond_stores[OF_GRAPHS];
}

bool clup_layout_of_vectors(const clup_layout *layout)
{
    return layout->spins == &clup_spin_stores[IN_VECTORS] ||
           layout->spins == &clup_spin_stores[BY_SITE];
}

const clup_spin_store *clup_spin_store_of(const clup_context *context, const clup_layout *layout)
{
    return clup_layout_of_vectors(layout) && context != NULL && context->machine.threads
               ? &clup_spin_stores[BY_SITE]
               : layout->spins;
}

const char *clup_layout_name(size_t layout)
{
    return layout < clup_layout_count ? clup_layouts[layout].name : NULL;
}

const clup_layout *clup_layout_named(const char *name)
{
    for (size_t k = 0; k < clup_layout_count; k++)
        if (strcmp(clup_layouts[k].name, name) == 0)
            return &clup_layouts[k];
    return NULL;
}

const clup_layout *clup_layout_beside(const clup_layout *layout, const char *labels)
{
    for (size_t k = 0; k < clup_layout_count; k++)
        if (clup_layouts[k].spins == layout->spins && clup_layouts[k].bonds == layout->bonds &&
            strcmp(clup_layouts[k].labels->name, labels) == 0)
            return &clup_layouts[k];
    return NULL;
}

/* ---- device buffers -------------------------------------------------------------------------- */

static uint64_t spin_bytes(const clup_state *state)
{
    return state->spin_store->bytes(&state->lattice, state->planes);
}

static uint64_t bond_bytes(const clup_state *state)
{
    return state->layout->bonds->bytes(&state->lattice);
}

static uint64_t active_bytes(const clup_state *state)
{
    return 4 * clup_lattice_words(&state->bond_lattice);
}

static uint64_t label_bytes(const clup_state *state)
{
    return 4 * clup_lattice_sites(&state->lattice);
}

static unsigned axes_of(const clup_state *state)
{
    return clup_lattice_of(&state->lattice)->axes;
}

static uint64_t edge_bytes(const clup_state *state)
{
    return border_tiles(state->lattice, axes_of(state)) *
           BORDER_EDGE_BYTES(axes_of(state), clup_lattice_of(&state->lattice)->directions,
                             state->sampled);
}

/* In the Potts model, the buffer of names holds spins as well. */
static uint64_t name_bytes(const clup_state *state)
{
    return border_tiles(state->lattice, axes_of(state)) * BORDER_SITES_OF(axes_of(state)) *
           (state->of_image != NULL ? 2
            : state->inner_roots    ? BORDER_ROOT_BYTES
                                    : BORDER_NAME_BYTES(axes_of(state), state->q));
}

static uint64_t border_nodes(const clup_state *state)
{
    return border_tiles(state->lattice, axes_of(state)) * BORDER_NODES_OF(axes_of(state));
}

static uint64_t node_bytes(const clup_state *state)
{
    return border_nodes(state) * (state->wide ? 16 : sizeof(border_node));
}

static uint64_t node_size_bytes(const clup_state *state)
{
    return border_nodes(state) * (state->wide ? 8 : 4);
}

static uint64_t bytes_of_runs(const lattice_args *lattice, bool apart)
{
    return 4 * band_count(*lattice) * band_slots(*lattice, apart);
}

static uint64_t run_bytes(const clup_state *state)
{
    return bytes_of_runs(&state->lattice, false);
}

static uint64_t run_apart_bytes(const clup_state *state)
{
    return bytes_of_runs(&state->lattice, true);
}

static uint64_t run_count_bytes(const clup_state *state)
{
    return 4 * (uint64_t)lattice_rows(state->lattice) * (band_chunks(state->lattice) + 1);
}

static uint64_t updated_bytes(const clup_state *state)
{
    (void)state;
    return sizeof(cl_uint);
}

static uint64_t law_bytes(const clup_state *state)
{
    return state->matrix ? state->law_words * sizeof(cl_uint)
                         : (state->classes + state->field) * sizeof(bond_law);
}

static uint64_t heat_bytes(const clup_state *state)
{
    (void)state;
    return sizeof(heat_law);
}

static const struct {
    const char *what;
    uint64_t (*bytes)(const clup_state *state); /* of one system */
    size_t offset;
} stores[CLUP_BUFFER_KINDS] = {
/* clang-format off */
#define BUFFER(NAME, FIELD, WHAT, BYTES) {WHAT, BYTES, offsetof(clup_state, FIELD)},
/* clang-format on */
#include "core/buffers.def"
};

static cl_mem *buffer_of(clup_state *state, unsigned store)
{
    return (cl_mem *)((char *)state + stores[store].offset);
}

uint64_t clup_buffer_kind_bytes(const clup_state *state, clup_buffer_kind store)
{
    return state->replicas * stores[store].bytes(state);
}

void clup_buffers_need(clup_state *state, uint32_t which, clup_need *need)
{
    for (unsigned k = 0; k < CLUP_BUFFER_KINDS; k++)
        if ((which & ~state->stores) >> k & 1)
            clup_need_add(need, clup_buffer_kind_bytes(state, k), stores[k].what);
    state->stores |= which;
}

clup_status clup_buffers_create(clup_state *state, uint32_t which)
{
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < CLUP_BUFFER_KINDS; k++)
        if ((which & ~state->stores) >> k & 1) {
            CLUP_TRY(clup_buffer_create_zero(state->context, clup_buffer_kind_bytes(state, k),
                                             stores[k].what, buffer_of(state, k)));
            state->stores |= 1u << k;
        }
done:
    return status;
}

cl_mem clup_buffer_of_state(clup_state *state, clup_buffer_kind store)
{
    return *buffer_of(state, store);
}

void clup_buffers_clear(clup_state *state)
{
    for (unsigned k = 0; k < CLUP_BUFFER_KINDS; k++) {
        clup_buffer_free(state->context, *buffer_of(state, k));
        *buffer_of(state, k) = NULL;
    }
    state->stores = 0;
}
