/* Labels as arrays and pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/image.h"

#define SLICES_MAX 16

static int is_png(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".png") == 0;
}

static clup_status check(const uint32_t size[3], unsigned axes)
{
    if (size[0] == 0 || size[1] == 0 || size[2] == 0 || axes < 2 || axes > 3 ||
        (axes == 2 && size[2] != 1))
        return clup_fail(CLUP_ERROR_USAGE, "no image: %u x %u x %u labels on %u axes", size[0],
                         size[1], size[2], axes);
    return CLUP_OK;
}

/* Labels in fewer bytes each. */
static void narrow(const uint32_t *labels, clup_image *image)
{
    const size_t count = clup_image_values(image);
    uint8_t *bytes = image->pixels;
    uint16_t *words = image->pixels;
    for (size_t k = 0; k < count; k++)
        if (image->dtype == CLUP_DTYPE_U8)
            bytes[k] = (uint8_t)labels[k];
        else
            words[k] = (uint16_t)labels[k];
}

clup_status clup_labels_write(const char *path, const uint32_t *labels, const uint32_t size[3],
                              unsigned axes, uint32_t count)
{
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    const clup_dtype dtype = count <= 255     ? CLUP_DTYPE_U8
                             : count <= 65535 ? CLUP_DTYPE_U16
                                              : CLUP_DTYPE_U32;
    clup_image image = {
        .size = {size[0], size[1], size[2]}, .axes = axes, .channels = 1, .dtype = dtype};
    void *narrowed = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(check(size, axes));
    if (image.dtype == CLUP_DTYPE_U32 && is_png(path))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu32 " labels overflow the 16 bits of a PNG: write .npy", count);
    const size_t pixels = clup_image_values(&image);
    for (size_t k = 0; k < pixels; k++)
        if (labels[k] > count)
            return clup_fail(CLUP_ERROR_USAGE,
                             "label %" PRIu32 " at pixel %zu is larger than their number, %" PRIu32,
                             labels[k], k, count);
    image.pixels = (void *)labels; /* is only read */
    if (image.dtype != CLUP_DTYPE_U32) {
        if ((narrowed = malloc(pixels * clup_dtype_bytes(image.dtype))) == NULL)
            return clup_fail_memory("the labels");
        image.pixels = narrowed;
        narrow(labels, &image);
    }
    CLUP_TRY(clup_image_write(path, &image));
done:
    free(narrowed);
    return status;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* A colour that differs from those of the next labels: hues are multiples of the golden ratio,
 * which keep the largest distance, and brightness and saturation have three values each. */
static void colour_of(uint32_t label, uint8_t rgb[3])
{
    static const uint8_t brightest[3] = {255, 215, 175}, darkest[3] = {30, 90, 0};
    const uint32_t hue = label * 2654435769u, sector = (uint32_t)((uint64_t)hue * 6 >> 32),
                   part = (uint32_t)((uint64_t)hue * 6 >> 24) & 255;
    const uint32_t high = brightest[label % 3], low = darkest[label / 3 % 3],
                   up = low + (high - low) * part / 255, down = high + low - up;
    const uint32_t wheel[6][3] = {{high, up, low},   {down, high, low}, {low, high, up},
                                  {low, down, high}, {up, low, high},   {high, low, down}};
    for (unsigned k = 0; k < 3; k++)
        rgb[k] = label == 0 ? 0 : (uint8_t)wheel[sector][k];
}

/* The slice of z at (left, top) of the picture. */
static void draw_slice(const uint32_t *labels, const uint32_t size[3], uint32_t z, size_t left,
                       size_t top, clup_image *picture)
{
    const uint32_t *from = labels + (size_t)size[0] * size[1] * z;
    for (uint32_t y = 0; y < size[1]; y++) {
        uint8_t *to = (uint8_t *)picture->pixels + 3 * (left + picture->size[0] * (top + y));
        for (uint32_t x = 0; x < size[0]; x++, to += 3)
            colour_of(*from++, to);
    }
}

clup_status clup_labels_draw(const char *path, const uint32_t *labels, const uint32_t size[3])
{
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    const uint32_t slices = size[2] < SLICES_MAX ? size[2] : SLICES_MAX;
    uint32_t columns = 1;
    clup_status status = CLUP_OK;
    clup_image picture = {.axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 3};
    CLUP_TRY(check(size, 3));
    if (!is_png(path))
        return clup_fail(CLUP_ERROR_USAGE, "'%s': a picture of labels is a .png", path);
    while (columns * columns < slices)
        columns++;
    const uint32_t rows = (slices + columns - 1) / columns;
    const uint64_t width = columns * ((uint64_t)size[0] + 1) - 1,
                   height = rows * ((uint64_t)size[1] + 1) - 1;
    if (width > INT32_MAX || height > INT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " x %" PRIu64 " pixels are too many for a PNG", width, height);
    picture.size[0] = (uint32_t)width;
    picture.size[1] = (uint32_t)height;
    picture.size[2] = 1;
    if ((picture.pixels = malloc(3 * width * height)) == NULL)
        return clup_fail_memory("a picture of labels");
    memset(picture.pixels, 128, 3 * width * height);
    for (uint32_t k = 0; k < slices; k++) {
        const uint32_t z = (uint32_t)((2 * (uint64_t)k + 1) * size[2] / (2 * slices));
        draw_slice(labels, size, z, k % columns * ((size_t)size[0] + 1),
                   k / columns * ((size_t)size[1] + 1), &picture);
    }
    CLUP_TRY(clup_image_write(path, &picture));
done:
    clup_image_clear(&picture);
    return status;
}
