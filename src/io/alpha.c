/* SPDX-License-Identifier: BSD-3-Clause */
/* Drops the alpha channel of gray pixels where it says nothing, else makes them RGBA. */
#include "io/alpha.h"

#include "base/dtype.h"

/* Returns the bits of alpha of a pixel. */
static uint64_t alpha_of(const clup_alpha *alpha, const clup_image *image, size_t pixel)
{
    const uint64_t last = clup_value_get(image->dtype, image->pixels,
                                         image->channels * pixel + image->channels - 1);
    return image->channels == 2                       ? last
           : alpha->one && last == alpha->transparent ? 0
                                                      : alpha->opaque;
}

static bool is_opaque(const clup_alpha *alpha, const clup_image *image, size_t pixels)
{
    for (size_t k = 0; k < pixels; k++)
        if (alpha_of(alpha, image, k) != alpha->opaque)
            return false;
    return true;
}

clup_status clup_alpha_expand(const clup_input *input, const clup_alpha *alpha, clup_image *image)
{
    clup_image before = *image;
    const uint64_t size[3] = {image->size[0], image->size[1], image->size[2]};
    const size_t pixels = clup_image_values(image) / image->channels;
    size_t bytes;
    clup_status status = CLUP_OK;
    image->channels = is_opaque(alpha, &before, pixels) ? 1 : 4;
    if (image->channels == before.channels)
        return CLUP_OK;
    image->pixels = NULL;
    image->mapped = 0;
    CLUP_TRY(clup_image_measure(input, size, image, &bytes));
    CLUP_TRY(clup_image_allocate(input, bytes, image));
    for (size_t k = 0; k < pixels; k++) {
        const uint64_t value = clup_value_get(before.dtype, before.pixels, before.channels * k);
        for (unsigned c = 0; c < image->channels; c++)
            clup_value_put(image->dtype, image->pixels, image->channels * k + c,
                           c < 3 ? value : alpha_of(alpha, &before, k));
    }
done:
    clup_image_clear(&before);
    return status;
}
