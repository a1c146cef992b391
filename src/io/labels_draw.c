/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of labels. */
#include <inttypes.h>
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

static void draw_slice(const uint32_t *labels, const clup_sheet *sheet, const clup_slice *slice)
{
    const uint32_t *from = labels + (size_t)sheet->size[0] * sheet->size[1] * slice->z;
    for (uint32_t y = 0; y < sheet->size[1]; y++) {
        uint8_t *to = slice->first + slice->pitch * y;
        for (uint32_t x = 0; x < sheet->size[0]; x++, to += 3)
            clup_label_colour(*from++, to);
    }
}

clup_status clup_labels_draw(const char *path, const uint32_t *labels, const uint32_t size[3])
{
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    clup_sheet sheet;
    clup_status status = clup_sheet_create(path, size, &sheet);
    for (uint32_t k = 0; k < sheet.slices && status == CLUP_OK; k++) {
        const clup_slice slice = clup_sheet_slice(&sheet, k);
        draw_slice(labels, &sheet, &slice);
    }
    if (status == CLUP_OK)
        status = clup_image_write(path, &sheet.picture);
    clup_image_clear(&sheet.picture);
    return status;
}
