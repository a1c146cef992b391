/* The random numbers: Philox, and what is made of it. */
#include <math.h>
#include <string.h>

#include "clup.h"
#include "model/lattice.h"
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
    ok(clup_spin_field(2) == 1 && clup_spin_field(4) == 2 && clup_spin_field(8) == 4 && clup_spin_field(256) == 8 && clup_spin_field(3) == 32, "fields are as wide as q needs");
    ok(clup_spin_planes(2) == 1 && clup_spin_planes(3) == 2 && clup_spin_planes(4) == 2 && clup_spin_planes(5) == 3 && clup_spin_planes(256) == 8, "planes hold q states");
    ok(clup_bond_law_of(0).threshold == 0 && !clup_bond_law_of(0).always, "no bond at beta = 0");
    ok(clup_bond_law_of(INFINITY).always && clup_bond_law_of(50).always, "every bond at large beta");
    ok(clup_bond_law_of(log(2)).threshold == 0x80000000u, "p = 1/2 at beta = ln 2");
    return done_testing();
}
