/* What labelling an image, in one piece or in slabs, and measuring its clusters have in common. */
#ifndef CLUP_UPDATE_LABELLING_H
#define CLUP_UPDATE_LABELLING_H
#include "image.clh"
#include "model/pass.h"

struct clup_labelling {
    clup_label_problem problem;
    clup_context *context;
    lattice_args pixel_lattice;
    clup_layout layout; /* the state's, where it is none of the table's */
    clup_state state;   /* of sites, see blocks.clh */
    image_args image;
    char definitions[96];
    clup_pass source, local, consolidate, number;
    bool bands; /* they work on bands of rows, see bands.clh */
    bool counted; /* the clusters of the last labelling */
    cl_mem pixels, labels; /* of clup_labelling_run, made when it is first called */
    bool done;             /* these are of the last labelling, with clusters numbered */
    clup_pass measure;     /* made when clusters are first measured, and statistics grows */
    cl_mem statistics;
    uint64_t statistics_bytes;
};

/* Most clusters that are measured in one go; 0 for what the device has room for. Tests make it small. */
extern uint32_t clup_measure_most;

/* Whether images in the plane are labelled in bands of rows: -1 on processors, as it is unless tests set it, 0 nowhere, 1 everywhere. */
extern int clup_label_bands;

/* Bands of rows: whether an image is labelled so; its passes, with a source and the numbering; the room for runs of a state; whether the source has
 * a work-item a word; clusters found, their roots marked, and numbers written. */
bool clup_bands_fit(const clup_labelling *labelling);
clup_status clup_bands_create(clup_labelling *labelling, const clup_problem *pixels, const clup_row *source, const clup_row *number);
uint64_t clup_bands_slots(const clup_state *state);
bool clup_bands_words(const clup_labelling *labelling);
clup_status clup_bands_find(clup_labelling *labelling);
clup_status clup_bands_roots(clup_labelling *labelling, const clup_kernel *kernel, cl_mem roots);
clup_status clup_bands_write(clup_labelling *labelling, const clup_kernel *kernel, cl_mem ranks, cl_uint canonical, cl_mem run_numbers, cl_mem numbers);

/* Whether all pixels of the foreground match. */
bool clup_match_by_foreground(clup_match match);
/* The lattice of a connectivity. */
clup_status clup_label_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice);
/* Makes the buffers of clup_labelling_run. */
clup_status clup_labelling_reserve(clup_labelling *labelling);
/* Whether pixels number a and b, its neighbour along d, match, both of the foreground: as on the device, where these bonds are drawn. */
bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a, uint64_t b, unsigned d);

#endif
