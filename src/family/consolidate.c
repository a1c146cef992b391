/* The table of consolidations. */
#include "family/label.h"

static const clup_row rows[] = {
/* clang-format off */
#define CONSOLIDATE(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_CONSOLIDATE, __VA_ARGS__},
/* clang-format on */
#include "family/consolidate.def"
};

const clup_table clup_consolidations = {rows, sizeof rows / sizeof *rows};
