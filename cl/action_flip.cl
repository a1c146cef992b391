/* Swendsen-Wang's last step: every cluster takes a spin drawn afresh from 0..q-1.
 *
 * One work-item: one site of a word, see word_sites.clh. Work-group: SITE_ITEMS. Local memory: one byte a work-item.
 * Global traffic, bytes a site: labels 4 and the walk to the root; spins written, word PLANES/8, char 1. */
#include "systems.clh"
#include "word_sites.clh"
#include "labels.clh"

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_flip(lattice_args lattice, random_key key, global const system_args *systems, global const label *labels, global spin_store *spins)
{
    local u8 gathered[SITE_ITEMS];
    key = system_key(systems, key);
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
    word_site site = word_site_at(lattice);
    u32 spin = 0;
    if (site.inside)
        spin = random_spin(key, PURPOSE_CLUSTER, label_root(labels, site.row * lattice.nx + site.x), STATES, FIELD);
    word_site_store(lattice, site, spin, gathered, spins);
}
