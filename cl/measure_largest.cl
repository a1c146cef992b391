/* Number of clusters and size of the largest, from the labels in which measure_clusters has counted.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: 16 bytes a work-item.
 * Global traffic, bytes a site: labels 4. Each group writes {clusters, largest}. */
#include "gather.clh"
#include "labels.clh"
#include "lattice.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_largest(lattice_args lattice, global const label *labels, global u64 *sums)
{
    local u64 clusters[MEASURE_ITEMS], largest[MEASURE_ITEMS];
    labels += REPLICA(lattice_sites(lattice));
    u64 roots = 0, most = 0;
    for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0)) {
        label up = labels[i];
        if (up >= i) {
            roots++;
            most = max(most, up - i + 1);
        }
    }
    gather_clusters(roots, most, clusters, largest, sums);
}
