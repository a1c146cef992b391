/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes means and moments of a cluster from sums over its pixels. */
#include "label/cluster_sums.h"

#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "image/clusters.clh"
#include "program.h"

/* The axes of each product among the moments of second order. */
static const unsigned pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

unsigned clup_sum_words(clup_dtype dtype)
{
    return *clup_dtypes[dtype].defined != '\0' ? WIDE_SUM_WORDS : NARROW_SUM_WORDS;
}

static uint64_t two_words(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

clup_cluster_sums clup_cluster_sums_of(const clup_label_problem *problem, const uint32_t *words,
                                       const uint32_t *tops)
{
    const clup_dtype dtype = problem->dtype;
    const unsigned channels = problem->channels, sum_words = clup_sum_words(dtype);
    clup_cluster_sums sums = {.size = words[CLUSTER_SIZE],
                              .odd = words[CLUSTER_ODD(channels, sum_words)]};
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++) {
        sums.first[axis] = ~words[CLUSTER_FIRST + axis];
        sums.last[axis] = words[CLUSTER_LAST + axis];
    }
    for (unsigned k = 0; k < 9; k++)
        sums.moments[k] = two_words(words + CLUSTER_MOMENTS + 2 * k);
    for (unsigned c = 0; c < channels; c++) {
        const uint32_t *value = words + CLUSTER_CHANNEL(c, sum_words);
        const uint64_t low = two_words(value);
        sums.value[c][0] = low;
        sums.value[c][1] = sum_words == WIDE_SUM_WORDS                        ? two_words(value + 2)
                           : clup_dtypes[dtype].is_unsigned || low >> 63 == 0 ? 0
                                                                              : UINT64_MAX;
        sums.unit[c] = tops != NULL ? value_unit(tops[c]) : 0;
    }
    return sums;
}

void clup_cluster_sums_shift(clup_cluster_sums *sums, const int64_t by[3])
{
    uint64_t shift[3], *of = sums->moments;
    for (unsigned axis = 0; axis < 3; axis++)
        shift[axis] = (uint64_t)by[axis];
    for (unsigned k = 0; k < 6; k++) {
        const unsigned a = pairs[k][0], b = pairs[k][1];
        of[3 + k] += shift[a] * of[b] + shift[b] * of[a] + sums->size * shift[a] * shift[b];
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        of[axis] += sums->size * shift[axis];
        sums->first[axis] += by[axis];
        sums->last[axis] += by[axis];
    }
}

/* ---- numbers of 128 bits --------------------------------------------------------------------- */

static void negate(uint64_t number[2])
{
    number[0] = 0 - number[0];
    number[1] = ~number[1] + (number[0] == 0);
}

static void add(uint64_t number[2], const uint64_t more[2])
{
    number[0] += more[0];
    number[1] += more[1] + (number[0] < more[0]);
}

/* Divides by 2^by, and rounds to the nearest. */
static void shift_right(uint64_t number[2], int64_t by)
{
    const bool negative = number[1] >> 63;
    if (by <= 0)
        return;
    if (negative)
        negate(number);
    const uint64_t low = number[0], high = number[1];
    /* the last bit that is shifted out */
    const uint64_t half[2] = {by > 128  ? 0
                              : by > 64 ? high >> (by - 65) & 1
                                        : low >> (by - 1) & 1,
                              0};
    number[0] = by >= 128 ? 0 : by >= 64 ? high >> (by - 64) : low >> by | high << (64 - by);
    number[1] = by >= 64 ? 0 : high >> by;
    add(number, half);
    if (negative)
        negate(number);
}

/* Divides a number of four digits of 32 bits, the lowest first, which become those of the quotient.
 * Returns the remainder. */
static uint64_t divide(uint64_t digits[4], uint64_t size)
{
    uint64_t rest = 0;
    for (unsigned k = 0; k < 128; k++) {
        const unsigned place = 31 - k % 32;
        const uint64_t bit = digits[3 - k / 32] >> place & 1, over = rest >> 63;
        rest = rest << 1 | bit;
        const bool fits = over || rest >= size;
        rest -= fits ? size : 0;
        digits[3 - k / 32] = (digits[3 - k / 32] & ~((uint64_t)1 << place)) | (uint64_t)fits
                                                                                  << place;
    }
    return rest;
}

/* number*2^unit / size, rounded once. */
static double quotient(const uint64_t number[2], int unit, uint64_t size)
{
    uint64_t magnitude[2] = {number[0], number[1]}, digits[4], rest = 0;
    if (number[1] >> 63)
        negate(magnitude);
    if (magnitude[0] == 0 && magnitude[1] == 0)
        return 0;
    for (; magnitude[1] >> 63 == 0; unit--) {
        magnitude[1] = magnitude[1] << 1 | magnitude[0] >> 63;
        magnitude[0] <<= 1;
    }
    for (unsigned k = 0; k < 4; k++)
        digits[k] = magnitude[k / 2] >> 32 * (k % 2) & UINT32_MAX;
    if (size > UINT32_MAX)
        rest = divide(digits, size);
    for (int k = 3; k >= 0 && size <= UINT32_MAX; k--) {
        const uint64_t here = rest << 32 | digits[k];
        digits[k] = here / size;
        rest = here % size;
    }
    /* the first 64 bits from the highest set bit on; the last of them is also set if any later bit
     * is set. So many bits are rounded as the whole number would be */
    uint64_t top = digits[3] << 32 | digits[2], below = digits[1] << 32 | digits[0];
    for (; top >> 63 == 0; unit--) {
        top = top << 1 | below >> 63;
        below <<= 1;
    }
    top |= below != 0 || rest != 0;
    const double mean = ldexp((double)top, unit + 64);
    return number[1] >> 63 ? -mean : mean;
}

/* Values of floats have units of their own: those with the finer unit are rounded to the coarser
 * one. */
static void add_values(clup_cluster_sums *sums, const clup_cluster_sums *more, unsigned c)
{
    uint64_t other[2] = {more->value[c][0], more->value[c][1]};
    const int32_t unit = sums->unit[c] > more->unit[c] ? sums->unit[c] : more->unit[c];
    shift_right(sums->value[c], unit - sums->unit[c]);
    shift_right(other, unit - more->unit[c]);
    add(sums->value[c], other);
    sums->unit[c] = unit;
}

void clup_cluster_sums_add(clup_cluster_sums *sums, const clup_cluster_sums *more)
{
    sums->size += more->size;
    sums->odd |= more->odd;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (more->first[axis] < sums->first[axis])
            sums->first[axis] = more->first[axis];
        if (more->last[axis] > sums->last[axis])
            sums->last[axis] = more->last[axis];
    }
    for (unsigned k = 0; k < 9; k++)
        sums->moments[k] += more->moments[k];
    for (unsigned c = 0; c < 4; c++)
        add_values(sums, more, c);
}

/* ---- the cluster ----------------------------------------------------------------------------- */

/* Moments are computed about the pixel next to the centroid, where the sums are smallest. They are
 * exact if they fit 64 bits, as overflow before lost multiples of 2^64 only. The square of the
 * distance from that pixel to the centroid, at most 1/4, is less than half of the mean square. */
static void set_moments(const clup_cluster_sums *sums, clup_cluster *cluster)
{
    const uint64_t size = sums->size;
    uint64_t centre[3], rest[3];
    double shift[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        centre[axis] = (sums->moments[axis] + size / 2) / size;
        rest[axis] = sums->moments[axis] - size * centre[axis];
        shift[axis] = (double)(int64_t)rest[axis] / (double)size;
        cluster->centroid[axis] = (double)centre[axis] + shift[axis];
    }
    for (unsigned k = 0; k < 6; k++) {
        const unsigned a = pairs[k][0], b = pairs[k][1];
        const uint64_t sum = sums->moments[3 + k] - centre[a] * rest[b] - centre[b] * rest[a] -
                             size * centre[a] * centre[b];
        const double reach = (double)size * ((double)cluster->last[a] - cluster->first[a]) *
                             ((double)cluster->last[b] - cluster->first[b]);
        cluster->moments[k] = reach < 0x1p65
                                  ? (double)(int64_t)sum / (double)size - shift[a] * shift[b]
                                  : NAN;
    }
}

clup_status clup_cluster_of(const clup_label_problem *problem, const clup_cluster_sums *sums,
                            bool has_values, clup_cluster *cluster)
{
    *cluster = (clup_cluster){.size = sums->size};
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++) {
        if (sums->last[axis] > UINT32_MAX)
            return clup_fail(CLUP_ERROR_USAGE,
                             "a cluster goes around axis %c as far as %lld, coordinates are below "
                             "4294967296",
                             "xyz"[axis], (long long)sums -> last[axis]);
        if ((double)sums->size * ((double)sums->last[axis] + 1) > 0x1p64)
            return clup_fail(CLUP_ERROR_USAGE,
                             "a cluster of %llu pixels, as far as %lld along axis %c: the sum of "
                             "coordinates has more than 64 bits",
                             (unsigned long long)sums->size, (long long)sums->last[axis],
                             "xyz"[axis]);
        cluster->first[axis] = (uint32_t)sums->first[axis];
        cluster->last[axis] = (uint32_t)sums->last[axis];
        if (!problem->periodic[axis] && cluster->first[axis] == 0 &&
            cluster->last[axis] == problem->size[axis] - 1)
            cluster->spans |= 1u << axis;
    }
    set_moments(sums, cluster);
    for (unsigned c = 0; c < problem->channels; c++)
        cluster->value[c] = (sums->odd >> c & 1) || !has_values
                                ? NAN
                                : quotient(sums->value[c], sums->unit[c], sums->size);
    return CLUP_OK;
}
