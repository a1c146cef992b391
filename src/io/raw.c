/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw data: values without a header. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/image.h"
#include "program.h"

clup_status clup_raw_parse_shape(const char *text, clup_raw *raw)
{
    CLUP_NEED(text);
    CLUP_NEED(raw);
    uint32_t size[3] = {1, 1, 1};
    unsigned axes = 0;
    for (const char *at = text; axes < 3;) {
        char *end;
        unsigned long long value = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || value == 0 || value > UINT32_MAX)
            break;
        size[axes++] = (uint32_t)value;
        if (*end == '\0' && axes >= 2) {
            memcpy(raw->size, size, sizeof size);
            raw->axes = axes;
            return CLUP_OK;
        }
        if (*end != 'x')
            break;
        at = end + 1;
    }
    return clup_fail(CLUP_ERROR_USAGE, "'%s' is no shape such as 640x480 or 640x480x100, x first",
                     text);
}

clup_status clup_raw_parse_dtype(const char *text, clup_raw *raw)
{
    CLUP_NEED(text);
    CLUP_NEED(raw);
    clup_text known = {0};
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++) {
        const char *name = clup_dtype_name(dtype);
        const size_t length = strlen(name);
        const char *order = text + length;
        if (strncmp(text, name, length) == 0 &&
            (strcmp(order, "") == 0 || strcmp(order, "le") == 0 || strcmp(order, "be") == 0)) {
            clup_text_free(&known);
            raw->dtype = dtype;
            raw->big_endian = strcmp(order, "be") == 0;
            return CLUP_OK;
        }
        clup_text_add(&known, "%s%s", known.length > 0 ? ", " : "", name);
    }
    clup_status status = clup_fail(CLUP_ERROR_USAGE,
                                   "'%s' is no dtype: there is %s, with le or be after it", text,
                                   clup_text_ok(&known) ? known.data : "");
    clup_text_free(&known);
    return status;
}

clup_status clup_raw_decode(clup_input *input, const clup_image_options *options, clup_image *image)
{
    const clup_raw *raw = &options->raw;
    clup_status status = CLUP_OK;
    size_t bytes;
    image->axes = raw->axes;
    image->dtype = raw->dtype;
    image->channels = 1;
    if (clup_dtype_bytes(raw->dtype) == 0 || raw->axes < 2 || raw->axes > 3 ||
        (raw->axes == 2 && raw->size[2] != 1))
        return clup_fail(CLUP_ERROR_USAGE, "raw data of %u axes and dtype %d cannot be read",
                         raw->axes, (int)raw->dtype);
    CLUP_TRY(clup_image_measure(
        input, (const uint64_t[3]){raw->size[0], raw->size[1], raw->size[2]}, image, &bytes));
    input->turned = clup_other_order(raw->dtype, raw->big_endian);
    CLUP_TRY(clup_image_load(input, "the file", 0, bytes, image));
    clup_image_to_host(image, raw->big_endian);
done:
    return status;
}
