/* Swendsen-Wang's last step: every cluster takes a spin drawn afresh from 0..q-1. Where a random block has the fields of many clusters,
 * the whole stream is drawn beforehand, and each root's field looked up in it; else each site draws that of its root. */
#include "systems.clh"
#include "word_sites.clh"

/* One work-item: one block of the stream. Work-group: WORD_ITEMS. Local memory: none. Global traffic, bytes a site: FIELD/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1)))
void action_flip_fields(lattice_args lattice, random_key key, global uint4 *fields)
{
    ulong k = get_global_id(0), blocks = field_block(lattice_sites(lattice) - 1, FIELD) + 1;
    if (k >= blocks)
        return;
    philox_block random = random_block(system_key(key), PURPOSE_CLUSTER, k, 0);
    fields[REPLICA(blocks) + k] = (uint4)(random.v[0], random.v[1], random.v[2], random.v[3]);
}

/* One work-item: some sites, see word_sites.clh. Work-group: SITE_ITEMS. Local memory: one byte a site. Global traffic, bytes a site:
 * labels 4 and the walk to the root, and its field; spins written, word PLANES/8, char 1. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_flip(lattice_args lattice, random_key key, global const u32 *fields, global const label *labels,
                 global spin_store *spins)
{
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    const random_key own = system_key(key);
    fields += REPLICA(4 * (field_block(lattice_sites(lattice) - 1, FIELD) + 1));
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
    label up[SITES_EACH];
    u32 spin[SITES_EACH];
    word_sites_roots(lattice, labels, sites, up);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++)
        spin[j] = FIELD < 32 ? word_spin(fields[up[j] / (32 / FIELD)], up[j], STATES, FIELD) : random_spin(own, PURPOSE_CLUSTER, up[j], STATES, FIELD);
    word_sites_store(lattice, sites, spin, gathered, spins);
}
