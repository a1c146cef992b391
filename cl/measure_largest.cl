/* Number of clusters and size of the largest, from the sizes that measure_clusters left at the roots, which it clears.
 *
 * One work-item: every total-th site. Work-group: MEASURE_ITEMS. Local memory: two counters.
 * Global traffic, bytes a site: labels 4; 8 for each root. Each group writes {clusters, largest}. */
#include "labels.clh"
#include "lattice.clh"
#include "systems.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_largest(lattice_args lattice, global const label *labels, global u32 *sizes, global u32 *sums)
{
    local u32 clusters, largest;
    labels += REPLICA(lattice_sites(lattice));
    sizes += REPLICA(lattice_sites(lattice));
    sums += REPLICA(2 * get_num_groups(0));
    if (get_local_id(0) == 0)
        clusters = largest = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 roots = 0, most = 0;
    for (ulong i = get_global_id(0); i < lattice_sites(lattice); i += get_global_size(0))
        if (labels[i] == i) {
            roots++;
            most = max(most, sizes[i]);
            sizes[i] = 0;
        }
    atomic_add(&clusters, roots);
    atomic_max(&largest, most);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        sums[2 * get_group_id(0)] = clusters;
        sums[2 * get_group_id(0) + 1] = largest;
    }
}
