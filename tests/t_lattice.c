/* Geometry, layouts, and what a problem may be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/state.h"
#include "tap.h"

static const uint32_t sizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {31, 3}, {32, 2}, {33, 5}, {64, 64}, {1, 200}, {200, 1}, {257, 5}};
#define SIZES (sizeof sizes / sizeof *sizes)

/* The masks that kernels use against the neighbours that the reference uses. */
static int masks_agree(const lattice_args *lattice)
{
    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (uint32_t y = 0; y < lattice->ny; y++)
            for (uint32_t x = 0; x < 32 * lattice->words; x++) {
                uint64_t neighbour;
                int has = x < lattice->nx && clup_lattice_forward(lattice, d, x, y, &neighbour);
                if (has != (int)(forward_mask(*lattice, d, x / 32, y) >> x % 32 & 1))
                    return 0;
            }
    return 1;
}

static int round_trip(const lattice_args *lattice, const clup_layout *layout, unsigned q)
{
    uint64_t sites = clup_lattice_sites(lattice);
    unsigned planes = clup_spin_planes(q);
    uint8_t *spins = malloc(sites), *back = malloc(sites);
    void *packed = calloc(1, layout->spin_bytes(lattice, planes));
    for (uint64_t i = 0; i < sites; i++)
        spins[i] = (uint8_t)((i * 2654435761u >> 7) % q);
    layout->pack(lattice, planes, spins, packed);
    layout->unpack(lattice, planes, packed, back);
    int same = memcmp(spins, back, sites) == 0;
    free(spins);
    free(back);
    free(packed);
    return same;
}

static void check_problem(uint32_t nx, uint32_t ny, unsigned q, double beta, const char *names)
{
    clup_problem problem = {.size = {nx, ny}, .periodic = {1, 1}, .q = q, .beta = beta};
    clup_status status = clup_problem_check(&problem);
    if (names == NULL)
        ok(status == CLUP_OK, "%u x %u, q = %u, beta = %g is a problem", nx, ny, q, beta);
    else
        ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), names) != NULL, "%u x %u, q = %u, beta = %g is refused for its %s", nx, ny, q, beta, names);
}

int main(void)
{
    for (size_t k = 0; k < SIZES; k++)
        for (int periodic = 0; periodic < 4; periodic++) {
            clup_problem problem = {.size = {sizes[k][0], sizes[k][1]}, .periodic = {periodic & 1, periodic >> 1}};
            lattice_args lattice = clup_lattice_args(&problem);
            ok(masks_agree(&lattice), "forward bonds of %u x %u, periodic %d %d", sizes[k][0], sizes[k][1], periodic & 1, periodic >> 1);
            for (size_t l = 0; l < clup_layout_count && periodic == 0; l++)
                ok(round_trip(&lattice, &clup_layouts[l], 2) && round_trip(&lattice, &clup_layouts[l], 5) && round_trip(&lattice, &clup_layouts[l], 256),
                   "spins of %u x %u survive the %s layout", sizes[k][0], sizes[k][1], clup_layouts[l].name);
        }
    /* the convention: a bond onto itself at size 1, two bonds between a pair at size 2 */
    clup_problem tiny = {.size = {2, 1}, .periodic = {1, 1}};
    lattice_args lattice = clup_lattice_args(&tiny);
    uint64_t right, left, self;
    ok(clup_lattice_forward(&lattice, 0, 0, 0, &right) && right == 1 && clup_lattice_forward(&lattice, 0, 1, 0, &left) && left == 0, "two bonds join the pair of a periodic axis of size 2");
    ok(clup_lattice_forward(&lattice, 1, 1, 0, &self) && self == 1, "a bond joins the site of a periodic axis of size 1 with itself");
    check_problem(1, 1, 2, 0, NULL);
    check_problem(65535, 65537, 256, INFINITY, "size");
    check_problem(65535, 65536, 256, INFINITY, NULL);
    check_problem(0, 4, 2, 1, "size");
    check_problem(4, 4, 1, 1, "q = 1");
    check_problem(4, 4, 257, 1, "q = 257");
    check_problem(4, 4, 2, -0.5, "beta = -0.5");
    check_problem(4, 4, 2, NAN, "beta = ");
    return done_testing();
}
