/* See flip_border.clh. */
#define FLIP_BORDER action_flip_border
#include "flip_border.clh"
