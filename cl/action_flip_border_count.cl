/* See flip_border.clh: action_flip_border for sweeps that are measured. */
#define FLIP_BORDER action_flip_border_count
#define COUNT
#include "flip_border.clh"
