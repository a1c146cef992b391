/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of labels. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/labels.h"

#define SLICES_MAX 16
/* The gray of the lines between slices. */
#define LINE 128

/* Hues are multiples of the golden ratio, which stay farthest apart; brightness and saturation have
 * three values each. */
void clup_label_colour(uint32_t label, uint8_t rgb[3])
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

clup_status clup_sheet_create(const char *path, const uint32_t size[3], clup_sheet *sheet)
{
    const char *dot = strrchr(path, '.');
    clup_image *picture = &sheet->picture;
    *sheet = (clup_sheet){.slices = size[2] < SLICES_MAX ? size[2] : SLICES_MAX,
                          .columns = 1,
                          .size = {size[0], size[1], size[2]}};
    if (size[0] == 0 || size[1] == 0 || size[2] == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no image: %u x %u x %u labels", size[0], size[1],
                         size[2]);
    if (dot == NULL || strcasecmp(dot, ".png") != 0)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': a picture of labels is a .png", path);
    while (sheet->columns * sheet->columns < sheet->slices)
        sheet->columns++;
    const uint32_t rows = (sheet->slices + sheet->columns - 1) / sheet->columns;
    const uint64_t width = sheet->columns * ((uint64_t)size[0] + 1) - 1,
                   height = rows * ((uint64_t)size[1] + 1) - 1;
    if (width > INT32_MAX || height > INT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " x %" PRIu64 " pixels are too many for a PNG", width, height);
    *picture = (clup_image){.size = {(uint32_t)width, (uint32_t)height, 1},
                            .axes = 2,
                            .dtype = CLUP_DTYPE_U8,
                            .channels = 3,
                            .pixels = malloc((size_t)(3 * width * height))};
    if (picture->pixels == NULL)
        return clup_fail_memory("a picture of labels");
    memset(picture->pixels, LINE, (size_t)(3 * width * height));
    return CLUP_OK;
}

clup_slice clup_sheet_slice(const clup_sheet *sheet, uint32_t k)
{
    const size_t pitch = 3 * (size_t)sheet->picture.size[0],
                 left = k % sheet->columns * ((size_t)sheet->size[0] + 1),
                 top = k / sheet->columns * ((size_t)sheet->size[1] + 1);
    return (clup_slice){(uint32_t)((2 * (uint64_t)k + 1) * sheet->size[2] / (2 * sheet->slices)),
                        (uint8_t *)sheet->picture.pixels + 3 * left + pitch * top, pitch};
}

/* Draws a slice; colours[label] are those of the labels, NULL for those of clup_label_colour. */
static void draw_slice(const uint32_t *labels, const uint8_t (*colours)[3], const clup_sheet *sheet,
                       const clup_slice *slice)
{
    const uint32_t *from = labels + (size_t)sheet->size[0] * sheet->size[1] * slice->z;
    for (uint32_t y = 0; y < sheet->size[1]; y++) {
        uint8_t *to = slice->first + slice->pitch * y;
        for (uint32_t x = 0; x < sheet->size[0]; x++, to += 3, from++)
            if (colours != NULL)
                memcpy(to, colours[*from], 3);
            else
                clup_label_colour(*from, to);
    }
}

static clup_status draw(const char *path, const uint32_t *labels, const uint8_t (*colours)[3],
                        const uint32_t size[3])
{
    clup_sheet sheet;
    clup_status status = clup_sheet_create(path, size, &sheet);
    for (uint32_t k = 0; k < sheet.slices && status == CLUP_OK; k++) {
        const clup_slice slice = clup_sheet_slice(&sheet, k);
        draw_slice(labels, colours, &sheet, &slice);
    }
    if (status == CLUP_OK)
        status = clup_image_write(path, &sheet.picture);
    clup_image_clear(&sheet.picture);
    return status;
}

clup_status clup_labels_draw(const char *path, const uint32_t *labels, const uint32_t size[3])
{
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    return draw(path, labels, NULL, size);
}

/* ---- by size --------------------------------------------------------------------------------- */

static int compare_down(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

/* The colour from that of the largest component, 0, to that of the smallest ones, 1: from a bright
 * yellow over red to a dark blue, ever darker. */
static void ramp(double at, uint8_t rgb[3])
{
    static const double stops[][3] = {
        {255, 240, 130}, {250, 160, 40}, {220, 70, 70}, {140, 40, 130}, {50, 45, 130}};
    enum { PIECES = sizeof stops / sizeof *stops - 1 };
    const double place = at * PIECES;
    const unsigned piece = place < PIECES ? (unsigned)place : PIECES - 1;
    for (unsigned k = 0; k < 3; k++)
        rgb[k] = (uint8_t)lrint(stops[piece][k] +
                                (place - piece) * (stops[piece + 1][k] - stops[piece][k]));
}

/* Returns how many of sorted[count], in descending order, are larger than a size. */
static size_t larger_than(const uint32_t *sorted, size_t count, uint32_t size)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sorted[middle] > size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets the colours of the labels 0 to most, which have so many pixels each. sorted has room for as
 * many sizes. */
static void colour_sizes(const uint32_t *sizes, uint32_t *sorted, uint32_t most,
                         uint8_t (*colours)[3])
{
    size_t count = 0;
    for (size_t label = 1; label <= most; label++)
        if (sizes[label] > 0)
            sorted[count++] = sizes[label];
    qsort(sorted, count, sizeof *sorted, compare_down);
    const double last = count > 0 ? log1p((double)larger_than(sorted, count, sorted[count - 1]))
                                  : 0;
    memset(colours[0], 0, 3);
    for (size_t label = 1; label <= most; label++)
        ramp(last > 0 ? log1p((double)larger_than(sorted, count, sizes[label])) / last : 0,
             colours[label]);
}

clup_status clup_labels_draw_by_size(const char *path, const uint32_t *labels,
                                     const uint32_t size[3])
{
    uint32_t most = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    const uint64_t pixels = (uint64_t)size[0] * size[1] * size[2];
    for (uint64_t k = 0; k < pixels; k++)
        most = labels[k] > most ? labels[k] : most;
    if (most > pixels)
        return clup_fail(CLUP_ERROR_USAGE, "label %u of %" PRIu64 " pixels: labels are up to that",
                         most, pixels);
    uint32_t *sizes = calloc((size_t)most + 1, sizeof *sizes),
             *sorted = calloc((size_t)most + 1, sizeof *sorted);
    uint8_t(*colours)[3] = calloc((size_t)most + 1, sizeof *colours);
    if (sizes == NULL || sorted == NULL || colours == NULL)
        status = clup_fail_memory("a picture of labels");
    for (uint64_t k = 0; k < pixels && status == CLUP_OK; k++)
        sizes[labels[k]]++;
    if (status == CLUP_OK) {
        colour_sizes(sizes, sorted, most, colours);
        status = draw(path, labels, (const uint8_t(*)[3])colours, size);
    }
    free(sizes);
    free(sorted);
    free(colours);
    return status;
}
