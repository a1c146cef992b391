/* What labelling an image, in one piece or in slabs, and measuring its clusters have in common. */
#ifndef CLUP_UPDATE_LABELLING_H
#define CLUP_UPDATE_LABELLING_H
#include "image.clh"
#include "model/pass.h"

/* A way to find clusters and to number them: what the images are that it is for; it makes the state and the passes for the image's own lattice, and
 * from bonds finds clusters, NULL where its passes do that one after the other. */
typedef struct clup_label_way {
    bool (*fits)(const clup_labelling *labelling);
    clup_status (*create)(clup_labelling *labelling, const clup_problem *pixels);
    clup_status (*find)(clup_labelling *labelling);
} clup_label_way;
/* Bands of rows, in the plane with open axes on devices whose work-items are threads, or that are small; the border layout, there on others; a label a
 * site. */
extern const clup_label_way clup_label_by_bands, clup_label_by_border, clup_label_by_sites;

struct clup_labelling {
    clup_label_problem problem;
    clup_context *context;
    lattice_args pixel_lattice;
    unsigned tile; /* that is asked for, 0 for none */
    const clup_label_way *way;
    clup_state state; /* of sites, see blocks.clh */
    char definitions[96];
    clup_pass source, local, consolidate, number;
    bool found;   /* an image was labelled */
    bool counted; /* the clusters of the last labelling */
    cl_mem pixels, labels; /* of clup_labelling_run, made when it is first called */
    bool done;             /* these are of the last labelling, with clusters numbered */
    clup_pass measure;     /* made when clusters are first measured, and statistics grows */
    cl_mem statistics;
    uint64_t statistics_bytes;
};

/* Most clusters that are measured in one go; 0 for what the device has room for. Tests make it small. */
extern uint32_t clup_measure_most;

/* Whether images in the plane are labelled in bands of rows: -1 on processors and small devices, as it is unless tests set it, 0 nowhere, 1 everywhere. */
extern int clup_label_bands;

/* The state of sites that have so many pixels along each axis, in a layout, with what sources and numbering take of the image. */
clup_status clup_label_state_create(clup_labelling *labelling, const clup_problem *sites, const char *layout, unsigned block);
/* The source for the image, with a tile of the plan. */
clup_status clup_label_source_create(clup_labelling *labelling, const unsigned tile[3]);

/* A pass that numbers: bits of keys (blocks.clh) in words, ranks and sums of a scan over them, and what else it needs. Its first kernels are those of
 * the scan. */
enum { CLUP_KEY_BITS, CLUP_KEY_RANKS, CLUP_KEY_SUMS, CLUP_KEY_OWN };
#define CLUP_KEY_SCAN \
    {"action_number_count", "action_number_count", CLUP_GRID_GIVEN, {READS(SCRATCH_0), WRITES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_sum", CLUP_GRID_GIVEN, {GIVEN, CHANGES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_before", CLUP_GRID_GIVEN, {READS(SCRATCH_0), READS(SCRATCH_2), WRITES(SCRATCH_1)}}
enum { CLUP_KEY_WRITE = 3, CLUP_KEY_MARK, CLUP_KEY_MORE };
uint64_t clup_key_scratch(const clup_context *context, uint64_t words, unsigned which);

/* Of sites, see blocks.clh: their lattice, and words of bits of keys. */
clup_problem clup_label_sites(const clup_label_problem *problem, const clup_problem *pixels);
uint64_t clup_key_words(const clup_state *state);

/* Whether all pixels of the foreground match. */
bool clup_match_by_foreground(clup_match match);
/* The lattice of a connectivity. */
clup_status clup_label_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice);
/* Makes the buffers of clup_labelling_run. */
clup_status clup_labelling_reserve(clup_labelling *labelling);
/* Whether a pixel is of the foreground. */
bool clup_pixel_in_foreground(const clup_label_problem *problem, const void *pixels, uint64_t pixel);
/* Whether pixels number a and b, its neighbour along d, match, both of the foreground: as on the device, where these bonds are drawn. */
bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a, uint64_t b, unsigned d);

/* The serial definition of labelling, on the host: labels[] of an image with fewer than 2^32 - 1 pixels, as CLUP_LABELS_CANONICAL. The problem has been checked. */
void clup_label_reference(const clup_label_problem *problem, const void *pixels, uint32_t *labels);
/* Labels an image of the same kind with the kernels of a labelling, unless its context has seen that they do it: CLUP_ERROR_VERIFY when they do
 * not as the serial definition does. */
clup_status clup_labelling_verify(const clup_labelling *labelling);
/* clup_labelling_create without that, and with a tile of so many sites along an edge; 0 for one that is chosen. */
clup_status clup_labelling_create_only(clup_context *context, const clup_label_problem *problem, unsigned tile, clup_labelling **out);

#endif
