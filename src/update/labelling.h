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
    bool counted; /* the clusters of the last labelling */
    cl_mem pixels, labels; /* of clup_labelling_run, made when it is first called */
    bool done;             /* these are of the last labelling, with clusters numbered */
    clup_pass measure;     /* made when clusters are first measured, and statistics grows */
    cl_mem statistics;
    uint64_t statistics_bytes;
};

/* Most clusters that are measured in one go. Tests make it small. */
extern uint32_t clup_measure_most;

/* The lattice of a connectivity. */
clup_status clup_label_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice);
/* Makes the buffers of clup_labelling_run. */
clup_status clup_labelling_reserve(clup_labelling *labelling);
/* Whether pixels number a and b, its neighbour along d, match, both of the foreground: as on the device, where these bonds are drawn. */
bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a, uint64_t b, unsigned d);

#endif
