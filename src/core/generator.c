/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of generators. */
#include "core/generator.h"

#include <string.h>

#include "base/text.h"
#include "core/streams.h"
#include "program.h"

static const clup_generator rows[] = {
/* clang-format off */
#define GENERATOR(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, __VA_ARGS__},
/* clang-format on */
#include "core/generator.def"
};
#define ROWS (sizeof rows / sizeof *rows)

const char *clup_rng_name(size_t row)
{
    return row < ROWS ? rows[row].name : NULL;
}

const char *clup_rng_about(size_t row)
{
    return row < ROWS ? rows[row].about : NULL;
}

clup_status clup_generator_named(const char *name, const clup_generator **generator)
{
    clup_text known = {0};
    for (size_t k = 0; k < ROWS; k++) {
        clup_text_add(&known, "%s%s", k > 0 ? ", " : "", rows[k].name);
        if (name == NULL || strcmp(rows[k].name, name) == 0) {
            *generator = &rows[k];
            clup_text_free(&known);
            return CLUP_OK;
        }
    }
    clup_fail(CLUP_ERROR_USAGE, "no random numbers '%s'; there is %s", name,
              clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return CLUP_ERROR_USAGE;
}
