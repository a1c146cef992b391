/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers: Philox, the quantities derived from it, and the generators with state. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "paper/bond.clh"
#include "core/generator.h"
#include "core/method.h"
#include "core/source.h"
#include "core/state.h"
#include "core/streams.h"
#include "tap.h"

#ifdef HAVE_RANDOM123_PHILOX_H
#include <Random123/philox.h>
#endif

static void check_known_answers(void)
{
    /* from the known-answer file of Random123 1.09: counter, key, result */
    static const u32 rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (int k = 0; k < 3; k++) {
        philox_block counter;
        memcpy(counter.v, rows[k], sizeof counter.v);
        philox_block result = philox(counter, rows[k][4], rows[k][5]);
        ok(memcmp(result.v, rows[k] + 6, sizeof result.v) == 0, "Philox known answer %d", k);
    }
}

#ifdef HAVE_RANDOM123_PHILOX_H
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
        philox_block ours = philox((philox_block){{word[0], word[1], word[2], word[3]}}, word[4],
                                   word[5]);
        equal += memcmp(theirs.v, ours.v, sizeof ours.v) == 0;
    }
    ok(equal == 100000, "Philox equals Random123's on 100000 counters");
}
#endif

/* Seed, replica and sweep have their own bits in key and counter; stepping from sweep to sweep
 * keeps them apart. */
static void check_keys(void)
{
    const random_key key = clup_random_key(0x123456789ABCDEFu, 0xFEDC, 0xBA9876543210u),
                     first = clup_random_key(7, 3, 0);
    const random_key last = later_key(first, CLUP_SWEEPS_ALL - 1),
                     wanted = {0x89ABCDEFu, 0x1234567u, 0x76543210u, 0xFEDCBA98u};
    const random_key carried = later_key(clup_random_key(7, 3, 0xFFFFFFFEu), 3),
                     jumped = later_key(first, 0x100000001u),
                     second = clup_random_key(7, 2, 0x100000001u);
    const philox_block block = random_block(key, PURPOSE_SITE, 0x1234000056u, 5),
                       same = philox(
                           (philox_block){{0x34000056u, 0x12u << 16 | PURPOSE_SITE << 8 | 5,
                                           0x76543210u, 0xFEDCBA98u}},
                           0x89ABCDEFu, 0x1234567u);
    ok(memcmp(&key, &wanted, sizeof key) == 0,
       "the key of a seed, a replica and a sweep beyond 2^32");
    ok(memcmp(&block, &same, sizeof block) == 0,
       "the counter has index, block, purpose, sweep and replica");
    ok(last.sweep0 == 0xFFFFFFFFu && last.sweep1 == 0x3FFFFu,
       "the last sweep leaves the replica as it is");
    ok(carried.sweep0 == 1 && carried.sweep1 == 0x30001u &&
           memcmp(&carried, &jumped, sizeof carried) == 0,
       "steps carry into the high part of the sweep");
    /* field c of words of 1, 2 and 32 bits, far beyond 2^32: block c/(128/width), its word, its
     * bits */
    const u64 c = 0x512345679u;
    const philox_block bits = random_block(key, PURPOSE_CLUSTER, c / 128, 0),
                       pairs = random_block(key, PURPOSE_CLUSTER, c / 64, 0),
                       words = random_block(key, PURPOSE_CLUSTER, c / 4, 0);
    ok(random_spin(key, PURPOSE_CLUSTER, c, 2, 1) == (bits.v[c % 128 / 32] >> c % 32 & 1) &&
           random_spin(key, PURPOSE_CLUSTER, c, 4, 2) ==
               (pairs.v[c % 64 / 16] >> 2 * (c % 16) & 3) &&
           random_spin(key, PURPOSE_CLUSTER, c, 5, 32) == (u32)((u64)words.v[c % 4] * 5 >> 32),
       "new spins of clusters whose sites do not fit 32 bits");
    const random_key again = replica_key(second, 1);
    ok(memcmp(&again, &jumped, sizeof again) == 0, "replicas are counted on from a key");
}

/* Fractions of the values of random_spin: the largest deviation, in standard deviations. */
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
    static const u64 words[] = {0,
                                1,
                                0x123456789ABCDEFu,
                                0x5555555555555555u,
                                0x5555555555555556u,
                                0x8000000000000000u,
                                0xFFFFFFFFFFFFFFFFu};
    int right = 0, all = 0;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++, all++) {
            /* w N by long multiplication, from the lowest bit of w; only the high half is kept */
            u64 high = 0;
            for (unsigned bit = 0; bit < 64; bit++)
                high = (high + (words[k] >> bit & 1 ? sizes[n] : 0)) / 2;
            philox_block seed = {{(u32)(words[k] >> 32), (u32)words[k], 0, 0}};
            right += seed_site(seed, sizes[n]) == high;
        }
    ok(right == all, "Wolff's site is floor(u N): %d of %d", right, all);
}

/* Each square of the lattice gets its seeds at all of its sites, each as often as the others. */
static void check_part_sites(u32 nx, u32 ny, u32 side)
{
    enum { DRAWS = 2000 };
    unsigned *counts = calloc((size_t)nx * ny, sizeof *counts);
    int inside = 1;
    double worst = 0;
    for (u32 sweep = 0; sweep < DRAWS; sweep++)
        for (u32 k = 0; k < side * side; k++) {
            u32 site = seed_site_in_part(random_seed((random_key){1, 2, sweep, 0}, k), k, side, nx,
                                         ny);
            u32 x = site % nx, y = site / nx;
            inside = inside && site < nx * ny && x >= k % side * nx / side &&
                     x < (k % side + 1) * nx / side && y >= k / side * ny / side &&
                     y < (k / side + 1) * ny / side;
            counts[site]++;
        }
    for (u32 i = 0; inside && i < nx * ny; i++)
        for (u32 k = 0; k < side * side; k++) {
            u32 x0 = k % side * nx / side, x1 = (k % side + 1) * nx / side,
                y0 = k / side * ny / side, y1 = (k / side + 1) * ny / side;
            double expected = (double)DRAWS / ((x1 - x0) * (y1 - y0));
            if (i % nx >= x0 && i % nx < x1 && i / nx >= y0 && i / nx < y1)
                worst = fmax(worst, fabs(counts[i] - expected) / sqrt(expected));
        }
    ok(inside && worst < 5,
       "seeds of %u x %u parts of %u x %u sites are uniform in their parts (worst %.1f sigma)",
       side, side, nx, ny, worst);
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
    ok(counts[0] == 0 && worst < 5, "shifts are uniform from 1 to %u (worst %.1f sigma)", q - 1,
       worst);
    ok(fabs(flips / (0.25 * DRAWS) - 1) < 0.03, "a quarter of the seeds flip at p_flip = 0.25: %u",
       flips);
}

/* random_bond decides as the serial definition does, which composes the numbers differently. */
static void check_bonds(void)
{
    static const double betas[] = {0, 1e-9, 0.3, 0.693147180559945309, 0.881373587, 5, 21, 50};
    enum { NX = 70, NY = 50 };
    const clup_problem problem = {.size = {NX, NY}, .periodic = {1, 1}};
    const lattice_args lattice = clup_lattice_args(&problem);
    const uint8_t spins[NX * NY] = {0};
    uint8_t bonds[2 * NX * NY];
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        random_key key = {7, 8, (u32)k, 0};
        bond_law law = clup_bond_law_of(betas[k]);
        unsigned wrong = 0;
        clup_reference_fk(&lattice, key, &(clup_laws){.classes = 1, .of = {law}}, spins, bonds);
        for (u32 b = 0; b < 2 * NX * NY; b++) {
            u32 d = b / (NX * NY), x = b % NX, y = b / NX % NY;
            wrong += random_bond(key, d, x / 32 + lattice.words * y, x % 32, law.threshold,
                                 law.always) != bonds[b];
        }
        ok(wrong == 0, "bonds drawn one by one at beta = %g (%u wrong)", betas[k], wrong);
    }
}

/* Thresholds are 2^32 p, rounded to nearest. The values of 2^32 (1 - exp(-beta)) were computed with
 * more digits. */
static void check_thresholds(void)
{
    static const struct {
        double p;
        uint32_t threshold;
    } rows[] = {{0x1p-34, 0},   {0x1p-33, 1},      {0x1.8p-33, 1},    {0x1.4p-31, 3},
                {0x1.8p-31, 3}, {0.3, 1288490189}, {0.7, 3006477107}, {1 - 0x1.8p-33, 0xFFFFFFFF}};
    static const struct {
        double beta;
        uint32_t threshold;
    } laws[] = {{1e-9, 4},         {0.3, 1113177266}, {0.8813735870195430, 2515933592u},
                {0.1, 408720177},  {1, 2714937127u},  {2.5, 3942414911u},
                {10, 4294772305u}, {20, 4294967287u}};
    unsigned wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        wrong += clup_law_of_probability(rows[k].p).threshold != rows[k].threshold ||
                 clup_law_of_probability(rows[k].p).always;
    ok(wrong == 0, "thresholds are 2^32 p to the nearest (%u are not)", wrong);
    wrong = !clup_law_of_probability(1 - 0x1p-33).always || !clup_law_of_probability(1).always;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        wrong += clup_bond_law_of(laws[k].beta).threshold != laws[k].threshold ||
                 clup_bond_law_of(laws[k].beta).always;
    ok(wrong == 0, "and so are those of temperatures (%u are not)", wrong);
    /* where p is as near to the middle of two thresholds as the error of clup_weight, either is
     * right */
    wrong = 0;
    unsigned between = 0;
    for (unsigned k = 0; k < 200000; k++) {
        const double beta = exp(-20 + 22.9 * k / 200000);
        const long double exact = -expm1l(-(long double)beta) * 4294967296.0L,
                          off = exact - clup_bond_law_of(beta).threshold;
        wrong += fabsl(off) > 0.5L + 0x1p-23L;
        between += fabsl(off) > 0.5L;
    }
    ok(wrong == 0 && between < 3, "from beta = 2e-9 to 18 (%u are not, %u may be)", wrong, between);
}

/* A strong pseudoprime to all of these bases is larger than 2^64 (J. Sorenson and J. Webster, Math.
 * Comp. 86, 985 (2017)). */
static bool is_prime(uint64_t n)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    __extension__ typedef unsigned __int128 wide;
    uint64_t odd = n - 1, twos = 0;
    if (n < 2)
        return false;
    for (; odd % 2 == 0; odd /= 2)
        twos++;
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        uint64_t x = 1, square = bases[k], t = 0;
        if (n % bases[k] == 0)
            return n == bases[k];
        for (uint64_t e = odd; e > 0; e /= 2, square = (uint64_t)((wide)square * square % n))
            if (e % 2)
                x = (uint64_t)((wide)x * square % n);
        for (; t < twos && x != n - 1 && !(t == 0 && x == 1); t++)
            x = (uint64_t)((wide)x * x % n);
        if (t == twos)
            return false;
    }
    return true;
}

/* Length of the shortest vector (h, r) with h a = r modulo 2^32, by Gauss's reduction. */
static double shortest_relation(double a)
{
    double u[2] = {0, 4294967296.0}, v[2] = {1, a};
    for (;;) {
        double length = v[0] * v[0] + v[1] * v[1],
               times = round((u[0] * v[0] + u[1] * v[1]) / length);
        double rest[2] = {u[0] - times * v[0], u[1] - times * v[1]};
        if (rest[0] * rest[0] + rest[1] * rest[1] >= length)
            return sqrt(length);
        memcpy(u, v, sizeof u);
        memcpy(v, rest, sizeof v);
    }
}

static void check_multipliers(void)
{
    unsigned composite = 0, twice = 0, plain = 0;
    ok(is_prime(2) && is_prime(97) && is_prime(0xFFFFFFFFFFFFFFC5u) && !is_prime(1) &&
           !is_prime(91) && !is_prime(3215031751u) && !is_prime(0xFFFFFFFFFFFFFFC3u),
       "primes are told from others");
    ok(shortest_relation(4294967118.0) < 200 && shortest_relation(2863311531.0) < 5,
       "and multipliers near simple fractions of 2^32");
    for (unsigned k = 0; k < CLUP_MWC_MULTIPLIERS; k++) {
        uint64_t a = clup_mwc_multipliers[k];
        composite += !is_prime((a << 32) - 1) || !is_prime((a << 31) - 1);
        plain += a < 0x80000000u || shortest_relation((double)a) < 32768;
        for (unsigned other = 0; other < k; other++)
            twice += clup_mwc_multipliers[other] == a;
    }
    ok(composite == 0, "every multiplier makes a safe prime (%u do not)", composite);
    ok(twice == 0, "and is another one (%u are not)", twice);
    ok(plain == 0, "and far from simple fractions (%u are not)", plain);
}

static void check_jump(void)
{
    enum { STEPS = 1000 };
    unsigned wrong = 0;
    uint32_t words[3 * 385];
    for (unsigned k = 0; k < CLUP_MWC_MULTIPLIERS; k++) {
        u32 a = clup_mwc_multipliers[k];
        mwc stream = {12345 + k, 678, a};
        uint64_t start = (uint64_t)stream.c << 32 | stream.x;
        for (unsigned step = 1; step <= STEPS; step++) {
            u32 x = mwc_next(&stream);
            uint64_t t = (uint64_t)stream.c << 32 | stream.x;
            wrong += x != stream.x || (step % 100 == 0 && clup_mwc_jump(a, start, step) != t);
        }
        wrong += clup_mwc_jump(a, start, ((uint64_t)a << 31) - 1) != start; /* the whole period */
    }
    ok(wrong == 0, "MWC: jumps go where steps go, and the period around (%u do not)", wrong);
    clup_seed_mwc(clup_random_key(3, 0, 0), 0, 385, words);
    wrong = 0;
    for (unsigned s = 0; s < 385; s++) {
        uint64_t t = (uint64_t)words[385 + s] << 32 | words[s],
                 last = s < 128 ? t : (uint64_t)words[385 + s - 128] << 32 | words[s - 128];
        wrong += words[2 * 385 + s] != clup_mwc_multipliers[s % 128] || t == 0 ||
                 words[385 + s] >= words[2 * 385 + s];
        wrong += s >= 128 && clup_mwc_jump(words[2 * 385 + s], last, (uint64_t)1 << 38) != t;
    }
    ok(wrong == 0, "MWC: streams are valid, with multipliers in turn, 2^38 apart (%u are not)",
       wrong);
}

/* The recurrences, written independently. */
static void check_recurrences(void)
{
    enum { COUNT = 1000 };
    uint32_t words[FIBONACCI_WORDS], numbers[55 + COUNT], wrong = 0, odd = 0;
    clup_seed_fibonacci(clup_random_key(9, 0, 0), 4, 1, words);
    memcpy(numbers, words, 55 * sizeof *numbers);
    for (unsigned k = 0; k < COUNT; k++) {
        fibonacci stream = fibonacci_open(words, 1);
        numbers[55 + k] = numbers[k] + numbers[55 + k - 24];
        wrong += fibonacci_next(&stream) != numbers[55 + k];
        fibonacci_close(&stream, words, 1);
    }
    ok(wrong == 0, "lagged Fibonacci: x_n = x_(n-55) + x_(n-24) (%u numbers are not)", wrong);
    for (uint64_t stream = 0; stream < 200; stream++) {
        clup_seed_fibonacci(clup_random_key(9, 0, 0), stream, 1, words);
        odd += words[0] % 2 == 1 && words[55] == 0;
    }
    ok(odd == 200, "and every stream has an odd number (%u of 200)", odd);
    lcg stream = {0};
    uint64_t x = 0;
    wrong = 0;
    for (unsigned k = 0; k < COUNT; k++) {
        x = (1664525 * x + 1013904223) % 4294967296;
        wrong += lcg_next(&stream) != x;
    }
    ok(wrong == 0, "LCG: x -> 1664525 x + 1013904223 mod 2^32 (%u numbers are not)", wrong);
}

/* Mean and variance of the numbers, and the correlations of each number with the next one of its
 * stream and with that of the next stream: deviations from the values of independent uniform
 * numbers, in standard deviations. */
static void check_uniform(const char *name, const double *u, unsigned streams, unsigned draws)
{
    double mean = 0, square = 0, along = 0, across = 0, n = (double)streams * draws;
    for (unsigned k = 0; k < streams * draws; k++) {
        double x = u[k] - 0.5;
        mean += x;
        square += x * x - 1.0 / 12;
        if ((k + 1) % draws != 0)
            along += x * (u[k + 1] - 0.5);
        if (k + draws < streams * draws)
            across += x * (u[k + draws] - 0.5);
    }
    mean /= sqrt(n / 12);
    square /= sqrt(n / 180);
    along /= sqrt(n) / 12;
    across /= sqrt(n) / 12;
    ok(fabs(mean) < 4 && fabs(square) < 4 && fabs(along) < 4 && fabs(across) < 4,
       "%s: mean %.1f, variance %.1f, correlations along a stream %.1f and across %.1f sigma off",
       name, mean, square, along, across);
}

/* Makes streams of generator NAME for two replicas of one seed and one of another, seeded in two
 * pieces. */
#define CHECK_STREAMS(NAME) \
    do { \
        enum { STREAMS = 600, FIRST = 300, DRAWS = 500 }; \
        static uint32_t words[NAME##_words * STREAMS], pieces[2][NAME##_words * FIRST]; \
        static double u[STREAMS * DRAWS]; \
        const clup_generator *generator; \
        unsigned same = 0, pieced = 0; \
        uint32_t first[3][STREAMS]; \
        NEED(clup_generator_named(#NAME, &generator)); \
        for (unsigned seed = 0; seed < 3; seed++) { \
            generator->seed(clup_random_key(seed / 2, seed % 2, 0), 0, STREAMS, words); \
            for (unsigned s = 0; s < STREAMS; s++) { \
                NAME stream = NAME##_open(words + s, STREAMS); \
                first[seed][s] = NAME##_next(&stream); \
                for (unsigned k = 0; seed == 0 && k < DRAWS; k++) \
                    u[s * DRAWS + k] = NAME##_next(&stream) / 4294967296.0; \
            } \
        } \
        check_uniform(#NAME, u, STREAMS, DRAWS); \
        for (unsigned s = 0; s < STREAMS; s++) { \
            same += first[0][s] == first[1][s] || first[0][s] == first[2][s] || \
                    first[1][s] == first[2][s]; \
            for (unsigned other = 0; other < s; other++) \
                same += memcmp(u + s * DRAWS, u + other * DRAWS, 8 * sizeof *u) == 0; \
        } \
        ok(same == 0, #NAME ": streams, replicas and seeds differ (%u do not)", same); \
        generator->seed(clup_random_key(5, 0, 0), 0, STREAMS, words); \
        for (unsigned piece = 0; piece < 2; piece++) \
            generator->seed(clup_random_key(5, 0, 0), piece *FIRST, FIRST, pieces[piece]); \
        for (unsigned k = 0; k < generator->words * STREAMS; k++) \
            pieced += words[k] == pieces[k % STREAMS / FIRST][k / STREAMS * FIRST + k % FIRST]; \
        ok(generator->words == NAME##_words && pieced == generator->words * STREAMS, \
           #NAME ": pieces are seeded as the whole"); \
    } while (0)
enum { lcg_words = LCG_WORDS, fibonacci_words = FIBONACCI_WORDS, mwc_words = MWC_WORDS };

int main(void)
{
    static const unsigned states[] = {2, 3, 4, 5, 7, 8, 10, 16, 17, 100, 255, 256};
    check_known_answers();
    check_keys();
#ifdef HAVE_RANDOM123_PHILOX_H
    check_oracle();
#endif
    check_bonds();
    check_multipliers();
    check_jump();
    check_recurrences();
    CHECK_STREAMS(lcg);
    CHECK_STREAMS(fibonacci);
    CHECK_STREAMS(mwc);
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
    ok(clup_flip_below(0.5) == 0x80000000u && clup_flip_below(1e-300) == 1 &&
           clup_flip_below(1 - 1e-16) == 0xFFFFFFFFu && clup_flip_below(0.3) == 1288490189,
       "p_flip is rounded to the nearest between 0 and 1");
    ok(clup_spin_field(2) == 1 && clup_spin_field(4) == 2 && clup_spin_field(8) == 4 &&
           clup_spin_field(256) == 8 && clup_spin_field(3) == 32,
       "fields are as wide as q needs");
    ok(clup_spin_planes(2) == 1 && clup_spin_planes(3) == 2 && clup_spin_planes(4) == 2 &&
           clup_spin_planes(5) == 3 && clup_spin_planes(256) == 8,
       "planes hold q states");
    ok(clup_bond_law_of(0).threshold == 0 && !clup_bond_law_of(0).always, "no bond at beta = 0");
    ok(clup_bond_law_of(INFINITY).always && clup_bond_law_of(50).always,
       "every bond at large beta");
    check_thresholds();
    ok(clup_bond_law_of(log(2)).threshold == 0x80000000u, "p = 1/2 at beta = ln 2");
    return done_testing();
}
