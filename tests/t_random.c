/* The random numbers: Philox, and what is made of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "model/method.h"
#include "random.clh"
#include "tap.h"

#ifdef HAVE_RANDOM123
#include <Random123/philox.h>
#endif

static void check_known_answers(void)
{
    /* from the known-answer file of Random123 1.09: counter, key, result */
    static const u32 rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (int k = 0; k < 3; k++) {
        philox_block counter;
        memcpy(counter.v, rows[k], sizeof counter.v);
        philox_block result = philox(counter, rows[k][4], rows[k][5]);
        ok(memcmp(result.v, rows[k] + 6, sizeof result.v) == 0, "Philox known answer %d", k);
    }
}

#ifdef HAVE_RANDOM123
static void check_oracle(void)
{
    int equal = 0;
    u32 x = 1;
    for (int n = 0; n < 100000; n++) {
        u32 word[6];
        for (int k = 0; k < 6; k++)
            word[k] = x = 1664525u * x + 1013904223u;
        philox4x32_ctr_t counter = {{word[0], word[1], word[2], word[3]}};
        philox4x32_key_t key = {{word[4], word[5]}};
        philox4x32_ctr_t theirs = philox4x32(counter, key);
        philox_block ours = philox((philox_block){{word[0], word[1], word[2], word[3]}}, word[4], word[5]);
        equal += memcmp(theirs.v, ours.v, sizeof ours.v) == 0;
    }
    ok(equal == 100000, "Philox equals Random123's on 100000 counters");
}
#endif

/* Shares of the values of random_spin, in standard deviations. */
static double worst_share(unsigned q)
{
    enum { DRAWS = 400000 };
    unsigned counts[256] = {0};
    double worst = 0, expected = (double)DRAWS / q;
    random_key key = {1, 2, 3, 4};
    for (u32 c = 0; c < DRAWS; c++)
        counts[random_spin(key, PURPOSE_CLUSTER, c, q, clup_spin_field(q))]++;
    for (unsigned s = 0; s < q; s++)
        worst = fmax(worst, fabs(counts[s] - expected) / sqrt(expected));
    return worst;
}

/* Wolff's site is floor(u N) of the 64-bit fraction u = w/2^64. */
static void check_wolff_sites(void)
{
    static const u32 sizes[] = {1, 2, 3, 7, 1000, 0x80000001u, 0xFFFFFFFEu};
    static const u64 words[] = {0, 1, 0x123456789ABCDEFu, 0x5555555555555555u, 0x5555555555555556u, 0x8000000000000000u, 0xFFFFFFFFFFFFFFFFu};
    int right = 0, all = 0;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++, all++) {
            /* w N by long multiplication, from the lowest bit of w, of which only the high half is kept */
            u64 high = 0;
            for (unsigned bit = 0; bit < 64; bit++)
                high = (high + (words[k] >> bit & 1 ? sizes[n] : 0)) / 2;
            philox_block seed = {{(u32)(words[k] >> 32), (u32)words[k], 0, 0}};
            right += seed_site(seed, sizes[n]) == high;
        }
    ok(right == all, "Wolff's site is floor(u N): %d of %d", right, all);
}

/* Each of the parts has its seeds' sites, all of them, as often as any other site of the part. */
static void check_part_sites(u32 nx, u32 ny, u32 side)
{
    enum { DRAWS = 2000 };
    unsigned *counts = calloc((size_t)nx * ny, sizeof *counts);
    int inside = 1;
    double worst = 0;
    for (u32 sweep = 0; sweep < DRAWS; sweep++)
        for (u32 k = 0; k < side * side; k++) {
            u32 site = seed_site_in_part(random_seed((random_key){1, 2, sweep, 0}, k), k, side, nx, ny);
            u32 x = site % nx, y = site / nx;
            inside = inside && site < nx * ny && x >= k % side * nx / side && x < (k % side + 1) * nx / side && y >= k / side * ny / side && y < (k / side + 1) * ny / side;
            counts[site]++;
        }
    for (u32 i = 0; inside && i < nx * ny; i++)
        for (u32 k = 0; k < side * side; k++) {
            u32 x0 = k % side * nx / side, x1 = (k % side + 1) * nx / side, y0 = k / side * ny / side, y1 = (k / side + 1) * ny / side;
            double expected = (double)DRAWS / ((x1 - x0) * (y1 - y0));
            if (i % nx >= x0 && i % nx < x1 && i / nx >= y0 && i / nx < y1)
                worst = fmax(worst, fabs(counts[i] - expected) / sqrt(expected));
        }
    ok(inside && worst < 5, "seeds of %u x %u parts of %u x %u sites are uniform in their parts (worst %.1f sigma)", side, side, nx, ny, worst);
    free(counts);
}

static void check_shifts(unsigned q)
{
    enum { DRAWS = 100000 };
    unsigned counts[256] = {0}, flips = 0;
    double worst = 0, expected = DRAWS / (q - 1.0);
    for (u32 k = 0; k < DRAWS; k++) {
        philox_block seed = random_seed((random_key){5, 6, 7, 8}, k);
        counts[seed_shift(seed, q)]++;
        flips += seed_decision(seed, clup_flip_below(0.25), q) != 0;
    }
    for (unsigned r = 1; r < q; r++)
        worst = fmax(worst, fabs(counts[r] - expected) / sqrt(expected));
    ok(counts[0] == 0 && worst < 5, "shifts are uniform from 1 to %u (worst %.1f sigma)", q - 1, worst);
    ok(fabs(flips / (0.25 * DRAWS) - 1) < 0.03, "a quarter of the seeds flip at p_flip = 0.25: %u", flips);
}

int main(void)
{
    static const unsigned states[] = {2, 3, 4, 5, 7, 8, 10, 16, 17, 100, 255, 256};
    check_known_answers();
#ifdef HAVE_RANDOM123
    check_oracle();
#endif
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        double worst = worst_share(states[k]);
        ok(worst < 5, "new spins are uniform for q = %u (worst %.1f sigma)", states[k], worst);
    }
    check_wolff_sites();
    check_part_sites(12, 12, 1);
    check_part_sites(13, 7, 3);
    check_part_sites(5, 9, 5);
    check_shifts(2);
    check_shifts(3);
    check_shifts(256);
    ok(clup_flip_below(0.5) == 0x80000000u && clup_flip_below(1e-300) == 1 && clup_flip_below(1 - 1e-16) == 0xFFFFFFFFu, "p_flip stays between 0 and 1");
    ok(clup_spin_field(2) == 1 && clup_spin_field(4) == 2 && clup_spin_field(8) == 4 && clup_spin_field(256) == 8 && clup_spin_field(3) == 32, "fields are as wide as q needs");
    ok(clup_spin_planes(2) == 1 && clup_spin_planes(3) == 2 && clup_spin_planes(4) == 2 && clup_spin_planes(5) == 3 && clup_spin_planes(256) == 8, "planes hold q states");
    ok(clup_bond_law_of(0).threshold == 0 && !clup_bond_law_of(0).always, "no bond at beta = 0");
    ok(clup_bond_law_of(INFINITY).always && clup_bond_law_of(50).always, "every bond at large beta");
    ok(clup_bond_law_of(log(2)).threshold == 0x80000000u, "p = 1/2 at beta = ln 2");
    return done_testing();
}
