/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the boundaries and numbers of components on their image. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/digits.h"
#include "io/labels.h"

/* The largest scale of numbers. */
#define SCALE_MOST 4
/* Bins of the histogram of values, and the part of them that is cut off at either end. */
#define BINS 4096
#define CUT 0.001
/* An image of u8 whose values are all below this has the bits of a mask, or few classes. */
#define FEW 16

/* A component in a slice. */
typedef struct component {
    uint64_t size, sum[2]; /* pixels, and their coordinates */
    uint32_t first[2], last[2];
    uint32_t place[2]; /* of the pixel that is nearest to the centroid */
    double distance;   /* of its square */
} component;

typedef struct drawing {
    const clup_image *image;
    const uint32_t *labels;
    clup_sheet sheet;
    double low, high; /* values that are black and white */
    uint32_t most;    /* the largest label */
    component *components;
} drawing;

/* ---- the image ------------------------------------------------------------------------------- */

static size_t slice_pixels(const drawing *of)
{
    return (size_t)of->image->size[0] * of->image->size[1];
}

/* Channels that are seen. */
static unsigned colours_of(const clup_image *image)
{
    return image->channels < 3 ? 1 : 3;
}

static double value_at(const drawing *of, size_t pixel, unsigned channel)
{
    const clup_image *image = of->image;
    return clup_value_number(
        image->dtype,
        clup_value_get(image->dtype, image->pixels, (uint64_t)image->channels * pixel + channel));
}

/* Calls visit for each value of the slices that are drawn. */
static void each_value(drawing *of, void (*visit)(drawing *of, double value, void *user),
                       void *user)
{
    for (uint32_t k = 0; k < of->sheet.slices; k++) {
        const size_t first = slice_pixels(of) * clup_sheet_slice(&of->sheet, k).z;
        for (size_t pixel = first; pixel < first + slice_pixels(of); pixel++)
            for (unsigned c = 0; c < colours_of(of->image); c++)
                visit(of, value_at(of, pixel, c), user);
    }
}

static void add_range(drawing *of, double value, void *user)
{
    (void)user;
    if (!isfinite(value))
        return;
    of->low = value < of->low ? value : of->low;
    of->high = value > of->high ? value : of->high;
}

/* A histogram between the smallest and the largest finite value. */
typedef struct histogram {
    uint64_t counts[BINS], all;
} histogram;

static void add_count(drawing *of, double value, void *user)
{
    histogram *values = user;
    if (!isfinite(value))
        return;
    values->counts[(unsigned)((BINS - 1) *
                              ((value / 2 - of->low / 2) / (of->high / 2 - of->low / 2)))]++;
    values->all++;
}

/* Finds the values that are drawn as black and white. */
static void find_range(drawing *of)
{
    histogram values = {0};
    unsigned low = 0, high = BINS - 1;
    of->low = INFINITY;
    of->high = -INFINITY;
    each_value(of, add_range, NULL);
    if (of->image->dtype == CLUP_DTYPE_U8 && of->high >= FEW) {
        of->low = 0;
        of->high = UINT8_MAX;
        return;
    }
    if (!(of->low / 2 < of->high / 2) || (of->image->dtype == CLUP_DTYPE_U8))
        return;
    each_value(of, add_count, &values);
    const double cut = CUT * (double)values.all, least = of->low, most = of->high;
    for (double sum = (double)values.counts[low]; sum <= cut; sum += (double)values.counts[low])
        low++;
    for (double sum = (double)values.counts[high]; sum <= cut; sum += (double)values.counts[high])
        high--;
    if (low >= high)
        return;
    of->low = least + (most / BINS - least / BINS) * low;
    of->high = least + (most / BINS - least / BINS) * (high + 1);
}

/* Returns the gray of a value; that of NaN is 0. */
static uint8_t gray_of(const drawing *of, double value)
{
    if (!(value > of->low))
        return 0;
    if (value >= of->high || !(of->low / 2 < of->high / 2))
        return UINT8_MAX;
    return (uint8_t)(255 * ((value / 2 - of->low / 2) / (of->high / 2 - of->low / 2)) + 0.5);
}

static void draw_image(const drawing *of, const clup_slice *slice)
{
    const clup_image *image = of->image;
    size_t pixel = slice_pixels(of) * slice->z;
    for (uint32_t y = 0; y < image->size[1]; y++) {
        uint8_t *to = slice->first + slice->pitch * y;
        for (uint32_t x = 0; x < image->size[0]; x++, pixel++)
            for (unsigned c = 0; c < 3; c++)
                *to++ = gray_of(of, value_at(of, pixel, c < colours_of(image) ? c : 0));
    }
}

/* ---- components ------------------------------------------------------------------------------ */

/* Colours the pixels of components with a neighbour, of 4, of another label. */
static void draw_boundaries(const drawing *of, const clup_slice *slice)
{
    const uint32_t nx = of->image->size[0], ny = of->image->size[1];
    const uint32_t *label = of->labels + slice_pixels(of) * slice->z;
    for (uint32_t y = 0; y < ny; y++)
        for (uint32_t x = 0; x < nx; x++, label++)
            if (*label != 0 &&
                ((x > 0 && label[-1] != *label) || (x + 1 < nx && label[1] != *label) ||
                 (y > 0 && label[-(ptrdiff_t)nx] != *label) || (y + 1 < ny && label[nx] != *label)))
                clup_label_colour(*label, slice->first + slice->pitch * y + 3 * (size_t)x);
}

static void add_pixel(component *to, uint32_t x, uint32_t y)
{
    const uint32_t place[2] = {x, y};
    for (unsigned axis = 0; axis < 2; axis++) {
        to->sum[axis] += place[axis];
        if (to->size == 0 || place[axis] < to->first[axis])
            to->first[axis] = place[axis];
        if (to->size == 0 || place[axis] > to->last[axis])
            to->last[axis] = place[axis];
    }
    to->size++;
}

static void try_place(component *of, uint32_t x, uint32_t y)
{
    const double across = x - (double)of->sum[0] / (double)of->size,
                 down = y - (double)of->sum[1] / (double)of->size,
                 distance = across * across + down * down;
    if (distance >= of->distance)
        return;
    of->distance = distance;
    of->place[0] = x;
    of->place[1] = y;
}

/* Finds size, box and place of the components in a slice. */
static void find_components(const drawing *of, const clup_slice *slice)
{
    const uint32_t nx = of->image->size[0], ny = of->image->size[1];
    const uint32_t *labels = of->labels + slice_pixels(of) * slice->z;
    memset(of->components, 0, ((size_t)of->most + 1) * sizeof *of->components);
    for (size_t k = 0; k < slice_pixels(of); k++)
        add_pixel(&of->components[labels[k]], (uint32_t)(k % nx), (uint32_t)(k / nx));
    for (uint32_t k = 0; k <= of->most; k++)
        of->components[k].distance = INFINITY;
    for (uint32_t y = 0; y < ny; y++)
        for (uint32_t x = 0; x < nx; x++)
            try_place(&of->components[labels[(size_t)nx * y + x]], x, y);
}

/* Returns the scale at which a number takes half of its component's box at most, 1 if it fits into
 * the box at all, or 0. */
static uint32_t scale_of(uint32_t number, const component *of)
{
    uint32_t scale = SCALE_MOST, size[2];
    if (of->size == 0)
        return 0;
    const uint32_t box[2] = {of->last[0] - of->first[0] + 1, of->last[1] - of->first[1] + 1};
    for (; scale > 1; scale--) {
        clup_digits_size(number, scale, size);
        if (size[0] <= box[0] / 2 && size[1] <= box[1] / 2)
            return scale;
    }
    clup_digits_size(number, 1, size);
    return size[0] <= box[0] && size[1] <= box[1] ? 1 : 0;
}

static void draw_numbers(const drawing *of, const clup_slice *slice)
{
    const clup_canvas canvas = {slice->first, slice->pitch, of->image->size[0], of->image->size[1]};
    find_components(of, slice);
    for (uint32_t k = 1; k <= of->most && k != 0; k++) {
        const component *component = &of->components[k];
        const uint32_t scale = scale_of(k, component);
        if (scale > 0)
            clup_digits_draw(&canvas, k, scale, component->place[0], component->place[1]);
    }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static clup_status draw(drawing *of)
{
    const size_t pixels = slice_pixels(of) * of->image->size[2];
    for (size_t k = 0; k < pixels; k++)
        of->most = of->labels[k] > of->most ? of->labels[k] : of->most;
    of->components = malloc(((size_t)of->most + 1) * sizeof *of->components);
    if (of->components == NULL)
        return clup_fail_memory("a picture of labels");
    find_range(of);
    for (uint32_t k = 0; k < of->sheet.slices; k++) {
        const clup_slice slice = clup_sheet_slice(&of->sheet, k);
        draw_image(of, &slice);
        draw_boundaries(of, &slice);
        draw_numbers(of, &slice);
    }
    return CLUP_OK;
}

clup_status clup_labels_overlay(const char *path, const clup_image *image, const uint32_t *labels)
{
    CLUP_NEED(path);
    CLUP_NEED(image);
    CLUP_NEED(labels);
    drawing of = {.image = image, .labels = labels};
    clup_status status = clup_image_validate(image);
    if (status == CLUP_OK)
        status = clup_sheet_create(path, image->size, &of.sheet);
    if (status == CLUP_OK)
        status = draw(&of);
    if (status == CLUP_OK)
        status = clup_image_write(path, &of.sheet.picture);
    clup_image_clear(&of.sheet.picture);
    free(of.components);
    return status;
}
