/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments of a region from whole sums. */
#include "label/region_moments.h"

#include <math.h>

/* The most moments of one kind. */
#define PLACES CLUP_MOMENTS_MOST

wide clup_wide_read(const uint32_t *words, unsigned count)
{
    wide number = wide_of(0);
    for (unsigned k = 0; k < count; k++)
        number.word[k] = words[k];
    return number;
}

static bool is_negative(const wide *number)
{
    return number->word[WIDE_WORDS - 1] >> 31;
}

double clup_wide_number(wide number, int unit)
{
    const bool negative = is_negative(&number);
    if (negative)
        number = wide_negative(number);
    unsigned top = WIDE_WORDS;
    while (top > 0 && number.word[top - 1] == 0)
        top--;
    if (top == 0)
        return 0;
    /* 64 bits from the highest word on, and then of the word below, the last of which is also set
     * if any lower bit is: so many bits are rounded as the whole number would be */
    uint64_t high = 0, rest = 0;
    for (unsigned k = 0; k < top; k++) {
        const unsigned from_top = top - 1 - k;
        if (from_top == 0)
            high |= (uint64_t)number.word[k] << 32;
        else if (from_top == 1)
            high |= number.word[k];
        else if (from_top == 2)
            rest = (uint64_t)number.word[k] << 32 | (rest != 0);
        else
            rest |= number.word[k];
    }
    int exponent = unit + 32 * ((int)top - 2);
    for (; high >> 63 == 0; exponent--) {
        high = high << 1 | rest >> 63;
        rest <<= 1;
    }
    const double value = ldexp((double)(high | (rest != 0)), exponent);
    return negative ? -value : value;
}

/* ---- sums about another place ---------------------------------------------------------------- */

/* Places of powers are powers[0]*step[0] + powers[1]*step[1] + ..., powers below 4. */
typedef struct grid {
    unsigned axes, powers, step[3];
} grid;

/* Calls of f(a, b) for each place a, and the place b with one power of an axis less, in the order
 * in which sums are moved along that axis: after each sum m[n] += by*m[n - 1]. All of it moves
 * coordinates by so much. */
#define FOR_MOVED(grid, axis, a, b) \
    for (unsigned round = 1; round < (grid)->powers; round++) \
        for (unsigned power = (grid)->powers - 1; power >= round; power--) \
            for (unsigned a = 0, b; a < PLACES; a++) \
                if (is_place(grid, a) && power_of(grid, a, axis) == power && \
                    (b = a - (grid)->step[axis], true))

static unsigned power_of(const grid *grid, unsigned place, unsigned axis)
{
    return place / grid->step[axis] % 4;
}

static bool is_place(const grid *grid, unsigned place)
{
    unsigned rest = place;
    for (unsigned axis = 0; axis < grid->axes; axis++) {
        const unsigned power = power_of(grid, place, axis);
        if (power >= grid->powers)
            return false;
        rest -= power * grid->step[axis];
    }
    return rest == 0;
}

/* Moves coordinates along an axis, exactly. */
static void move(const grid *grid, unsigned axis, int64_t by, wide sums[PLACES])
{
    const uint32_t distance = (uint32_t)(by < 0 ? -by : by);
    FOR_MOVED(grid, axis, a, b)
    {
        const wide less = by < 0 ? wide_negative(sums[b]) : sums[b];
        sums[a] = wide_scaled(less, distance, sums[a]);
    }
}

static void move_numbers(const grid *grid, unsigned axis, double by, double sums[PLACES])
{
    FOR_MOVED(grid, axis, a, b)
    sums[a] += by * sums[b];
}

/* Multiplies each sum by the lengths of pixels to its powers. */
static void scale(const clup_region_facts *facts, const grid *grid, double sums[PLACES])
{
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned axis = 0; axis < grid->axes && is_place(grid, place); axis++)
            for (unsigned k = 0; k < power_of(grid, place, axis); k++)
                sums[place] *= facts->spacing[axis];
}

static void round_all(const grid *grid, int unit, const wide sums[PLACES], double to[PLACES])
{
    for (unsigned place = 0; place < PLACES; place++)
        to[place] = is_place(grid, place) ? clup_wide_number(sums[place], unit) : 0;
}

/* Places of properties are those of four powers, the last axis the fastest. */
static grid grid_of(unsigned axes, unsigned powers)
{
    grid grid = {.axes = axes, .powers = powers};
    for (unsigned axis = 0; axis < axes; axis++)
        grid.step[axis] = 1u << 2 * (axes - 1 - axis);
    return grid;
}

static void read_sums(const grid *grid, const clup_power_sums *from, wide sums[PLACES])
{
    for (unsigned place = 0; place < PLACES; place++) {
        sums[place] = wide_of(0);
        if (!is_place(grid, place))
            continue;
        const unsigned p = place % 4, q = place / 4 % 4, r = place / 16;
        sums[place] = clup_wide_read(from->words + (size_t)from->words_each *
                                                       REGION_MOMENT(from->powers, p, q, r),
                                     from->words_each);
    }
}

/* Returns the pixel next to the centroid along an axis, as a number from the first pixel of the
 * box on; a pixel of the box where there is no centroid, or one far away. */
static int64_t nearest(const clup_region_facts *facts, unsigned axis, double centroid)
{
    const double most = (double)(facts->end[axis] - facts->first[axis]);
    return centroid >= 0 && centroid <= most ? (int64_t)(centroid + 0.5) : 0;
}

void clup_region_moments_of(const clup_region_facts *facts, const clup_power_sums *from,
                            clup_region_moments *moments)
{
    const grid grid = grid_of(facts->axes, from->powers);
    wide sums[PLACES];
    read_sums(&grid, from, sums);
    for (unsigned axis = 0; axis < grid.axes; axis++)
        move(&grid, axis, -(int64_t)facts->first[axis], sums);
    round_all(&grid, from->unit, sums, moments->local);
    scale(facts, &grid, moments->local);
    const double weight = clup_wide_number(sums[0], 0);
    int64_t centre[3];
    for (unsigned axis = 0; axis < grid.axes && grid.powers > 1; axis++) {
        centre[axis] = nearest(facts, axis, clup_wide_number(sums[grid.step[axis]], 0) / weight);
        move(&grid, axis, -centre[axis], sums);
    }
    round_all(&grid, from->unit, sums, moments->central);
    for (unsigned axis = 0; axis < grid.axes && grid.powers > 1; axis++) {
        const double apart = clup_wide_number(sums[grid.step[axis]], 0) / weight;
        moments->centroid[axis] = ((double)facts->first[axis] + (double)centre[axis] + apart) *
                                  facts->spacing[axis];
        move_numbers(&grid, axis, -apart, moments->central);
    }
    scale(facts, &grid, moments->central);
}

/* Returns a*by. */
static wide times(wide a, uint64_t by)
{
    const wide high = wide_scaled(a, (uint32_t)(by >> 32), wide_of(0)),
               moved = wide_scaled(wide_scaled(high, 1u << 31, wide_of(0)), 2, wide_of(0));
    return wide_scaled(a, (uint32_t)by, moved);
}

/* The squares are those of distances from a whole number next to the mean, less what it is off. */
double clup_squares_about_mean(uint64_t count, wide sum, wide squares)
{
    const wide size = is_negative(&sum) ? wide_negative(sum) : sum;
    const double mean = floor(clup_wide_number(size, 0) / (double)count + 0.5);
    const uint64_t centre = mean < 0x1p64 ? (uint64_t)mean : UINT64_MAX;
    const wide centres = times(wide_of_unsigned(count), centre), less = wide_negative(size),
               apart = wide_sum(centres, less),
               about = wide_sum(squares, times(wide_sum(apart, less), centre));
    const double off = clup_wide_number(apart, 0);
    return fmax(clup_wide_number(about, 0) - off * off / (double)count, 0);
}
