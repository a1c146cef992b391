/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes do the reader of TOML no harm: they are a table, or it says what is wrong with which
 * line. An entry for libFuzzer, see tests/fuzz.sh. */
#include <stdlib.h>
#include <string.h>

#include "base/toml.h"
#include "program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char error[512], *text = malloc(size + 1);
    json_t *marks;
    if (text == NULL)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    json_t *table = clup_toml_read(text, size, &marks, error, sizeof error);
    if ((table == NULL) != (marks == NULL) || (table == NULL) != (strncmp(error, "line ", 5) == 0))
        abort();
    json_decref(table);
    json_decref(marks);
    free(text);
    return 0;
}
