/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the fields of the cluster stream (random.clh) from which clusters take their decisions: for
 * all sites, as each may be a root. */
#include "core/lattice.clh"
#include "core/systems.clh"

#define A_WORD (32 / FIELD) /* fields in a word */
#define A_BLOCK (4 * A_WORD)

/* Returns A_BLOCK fields, as four words, of the cluster stream (random.clh) from field c on. */
uint4 fields_from(random_key key, ulong c)
{
    const philox_block random = random_block(key, PURPOSE_CLUSTER, field_block(c, FIELD), 0);
    const u32 words = (u32)(c % A_BLOCK) / A_WORD, bits = (u32)(c % A_WORD) * FIELD;
    uint8 drawn = (uint8)(random.v[0], random.v[1], random.v[2], random.v[3], 0, 0, 0, 0);
    if (c % A_BLOCK != 0) {
        const philox_block next = random_block(key, PURPOSE_CLUSTER, field_block(c, FIELD) + 1, 0);
        drawn.s4567 = (uint4)(next.v[0], next.v[1], next.v[2], next.v[3]);
        if (words & 1)
            drawn = drawn.s12345670;
        if (words & 2)
            drawn = drawn.s23456701;
    }
    return bits > 0 ? drawn.s0123 >> bits | drawn.s1234 << (32 - bits) : drawn.s0123;
}

/* Returns the fields of A_BLOCK sites from site first on, one by one. It is for sites that include
 * the first site of the whole lattice. */
uint4 fields_apart(lattice_args lattice, random_key key, ulong first)
{
    uint4 fields = 0;
    for (u32 w = 0; w < 4; w++) {
        u32 word = 0;
        for (u32 k = 0; k < A_WORD; k++)
            word |= (fields_from(key, whole_site(lattice, first + w * A_WORD + k)).s0 &
                     0xFFFFFFFFu >> (32 - FIELD))
                    << k * FIELD;
        fields = (uint4)(fields.s123, word);
    }
    return fields;
}

/* Draws the fields of all sites, A_BLOCK to a work-item. Work-group: WORD_ITEMS. Local memory:
 * none. Global traffic, bytes a site: FIELD/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_flip_fields(lattice_args lattice, random_key key, global uint4 *fields)
{
    const ulong k = get_global_id(0), end = lattice_sites(lattice),
                blocks = field_block(end - 1, FIELD) + 1;
    if (k >= blocks)
        return;
    const ulong first = k * A_BLOCK, last = min(first + A_BLOCK, end) - 1,
                c = whole_site(lattice, first);
    const bool together = whole_site(lattice, last) - c == last - first;
    fields[REPLICA(blocks) + k] = together ? fields_from(system_key(key), c)
                                           : fields_apart(lattice, system_key(key), first);
}
