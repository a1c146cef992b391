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

/* Adds to the grid the steps that move coordinates along an axis: after each, sums[to] +=
 * by*sums[from], where from has one power of the axis less. */
static void add_steps(clup_moment_grid *grid, unsigned axis, unsigned stride)
{
    unsigned steps = 0;
    for (unsigned round = 1; round < grid->powers; round++)
        for (unsigned power = grid->powers - 1; power >= round; power--)
            for (unsigned k = 0; k < grid->count; k++)
                if (grid->place[k] / stride % 4 == power)
                    grid->step[axis][steps++] = (clup_moment_step){
                        grid->place[k], (uint8_t)(grid->place[k] - stride)};
    grid->steps = steps;
}

void clup_moment_grid_make(unsigned axes, unsigned powers, clup_moment_grid *grid)
{
    *grid = (clup_moment_grid){.axes = axes, .powers = powers};
    for (unsigned place = 0; place < 1u << 2 * axes; place++) {
        const unsigned p = place % 4, q = place / 4 % 4, r = place / 16;
        if (p < powers && q < powers && r < powers) {
            grid->sum[grid->count] = (uint8_t)REGION_MOMENT(powers, p, q, r);
            grid->place[grid->count++] = (uint8_t)place;
        }
    }
    for (unsigned axis = 0; axis < axes; axis++) {
        grid->stride[axis] = 1u << 2 * (axes - 1 - axis);
        add_steps(grid, axis, grid->stride[axis]);
    }
}

/* Sums by their places: of 64 bits, modulo 2^64, where those about any pixel of the box fit these,
 * else of more. */
typedef struct exact_sums {
    bool fits;
    uint64_t number[PLACES];
    wide wider[PLACES];
} exact_sums;

static bool sums_fit(const clup_region_facts *facts, const clup_power_sums *from)
{
    double most = (double)facts->size * from->most;
    for (unsigned axis = 0; axis < facts->axes; axis++)
        for (unsigned k = 1; k < from->grid->powers; k++)
            most *= facts->end[axis] - facts->first[axis];
    return most < 0x1p62;
}

static void read_sums(const clup_region_facts *facts, const clup_power_sums *from, exact_sums *sums)
{
    const clup_moment_grid *grid = from->grid;
    sums->fits = sums_fit(facts, from);
    for (unsigned k = 0; k < grid->count; k++) {
        const uint32_t *words = from->words + from->words_each * grid->sum[k];
        if (sums->fits)
            sums->number[grid->place[k]] = (uint64_t)words[1] << 32 | words[0];
        else
            sums->wider[grid->place[k]] = clup_wide_read(words, from->words_each);
    }
}

/* Moves coordinates along an axis, exactly. */
static void move(const clup_moment_grid *grid, unsigned axis, int64_t by, exact_sums *sums)
{
    const uint32_t distance = (uint32_t)(by < 0 ? -by : by);
    for (unsigned k = 0; k < grid->steps; k++) {
        const clup_moment_step step = grid->step[axis][k];
        if (sums->fits)
            sums->number[step.to] += (uint64_t)by * sums->number[step.from];
        else
            sums->wider[step.to] = wide_scaled(by < 0 ? wide_negative(sums->wider[step.from])
                                                      : sums->wider[step.from],
                                               distance, sums->wider[step.to]);
    }
}

static void move_numbers(const clup_moment_grid *grid, unsigned axis, double by,
                         double sums[PLACES])
{
    for (unsigned k = 0; k < grid->steps; k++)
        sums[grid->step[axis][k].to] += by * sums[grid->step[axis][k].from];
}

static double number_of(const exact_sums *sums, unsigned place, int unit)
{
    return sums->fits ? ldexp((double)(int64_t)sums->number[place], unit)
                      : clup_wide_number(sums->wider[place], unit);
}

static void round_all(const clup_moment_grid *grid, int unit, const exact_sums *sums,
                      double to[PLACES])
{
    for (unsigned k = 0; k < grid->count; k++)
        to[grid->place[k]] = number_of(sums, grid->place[k], unit);
}

/* Multiplies each sum by the lengths of pixels to its powers. */
static void scale(const clup_region_facts *facts, const clup_moment_grid *grid, double to[PLACES])
{
    for (unsigned k = 0; k < grid->count; k++)
        for (unsigned axis = 0; axis < grid->axes; axis++)
            for (unsigned p = grid->place[k] / grid->stride[axis] % 4; p > 0; p--)
                to[grid->place[k]] *= facts->spacing[axis];
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
    const clup_moment_grid *grid = from->grid;
    exact_sums sums;
    read_sums(facts, from, &sums);
    for (unsigned axis = 0; axis < grid->axes; axis++)
        move(grid, axis, -(int64_t)facts->first[axis], &sums);
    round_all(grid, from->unit, &sums, moments->local);
    scale(facts, grid, moments->local);
    const double weight = number_of(&sums, 0, 0);
    int64_t centre[3];
    for (unsigned axis = 0; axis < grid->axes && grid->powers > 1; axis++) {
        centre[axis] = nearest(facts, axis, number_of(&sums, grid->stride[axis], 0) / weight);
        move(grid, axis, -centre[axis], &sums);
    }
    round_all(grid, from->unit, &sums, moments->central);
    for (unsigned axis = 0; axis < grid->axes && grid->powers > 1; axis++) {
        const double apart = number_of(&sums, grid->stride[axis], 0) / weight;
        moments->centroid[axis] = ((double)facts->first[axis] + (double)centre[axis] + apart) *
                                  facts->spacing[axis];
        move_numbers(grid, axis, -apart, moments->central);
    }
    scale(facts, grid, moments->central);
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
