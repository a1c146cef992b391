/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of spins: each pixel has the colour of the spin that stands there, of every plane and
 * system, and vacant sites are white. Colours of states are told apart, also by the colour-blind.
 */
#include <math.h>
#include <string.h>

#include "io/colours.h"
#include "io/image.h"
#include "tap.h"

static bool is_white(clup_colour colour)
{
    return colour.rgb[0] == 255 && colour.rgb[1] == 255 && colour.rgb[2] == 255;
}

static void check_states(void)
{
    static const clup_colour white = {{255, 255, 255}};
    /* the least distance between states that a model of q states may have */
    static const struct {
        unsigned q;
        double least;
    } known[] = {{2, 0.29}, {3, 0.24}, {8, 0.13}, {16, 0.1}, {64, 0.04}, {256, 0.01}};
    const clup_problem all = {.q = 256};
    const clup_colours most = clup_colours_of(&all);
    for (size_t row = 0; row < sizeof known / sizeof *known; row++) {
        const clup_problem problem = {.q = known[row].q};
        const clup_colours colours = clup_colours_of(&problem);
        double least = 1;
        for (unsigned a = 0; a < problem.q; a++) {
            least = fmin(least, clup_colour_distance(colours.states[a], white));
            for (unsigned b = 0; b < a; b++)
                least = fmin(least, clup_colour_distance(colours.states[a], colours.states[b]));
        }
        ok(least >= known[row].least, "%u states, and white, are %.3f apart", problem.q, least);
        ok(memcmp(colours.states, most.states, problem.q * sizeof *most.states) == 0,
           "their colours do not depend on q");
    }
    ok(fabs(clup_colour_distance((clup_colour){{0}}, white) - 1) < 1e-6,
       "black and white have the distance 1");
    const clup_colour red = {{200, 0, 0}}, green = {{0, 110, 0}};
    ok(clup_colour_distance(red, green) < 0.15, "red and green are near each other: %.3f",
       clup_colour_distance(red, green));
}

static void check_directions(void)
{
    const clup_problem clock = {.model = CLUP_CLOCK, .q = 12}, xy = {.model = CLUP_XY, .q = 2},
                       heisenberg = {.model = CLUP_HEISENBERG, .q = 2};
    const clup_colours of_clock = clup_colours_of(&clock), of_xy = clup_colours_of(&xy),
                       of_heisenberg = clup_colours_of(&heisenberg);
    unsigned same = 0, far = 0, white = 0;
    for (uint32_t k = 0; k < 12; k++) {
        const uint32_t angle = (uint32_t)(k * 0x1p32 / 12);
        const clup_colour colour = clup_colour_of_spin(&of_xy, (const uint8_t *)&angle, 0);
        same += memcmp(&colour, &of_clock.states[k], sizeof colour) == 0;
        far += clup_colour_distance(colour, of_clock.states[(k + 6) % 12]) > 0.1;
        white += is_white(colour);
    }
    ok(same == 12 && white == 0, "angles have the hues of clock states");
    ok(far == 12, "opposite ones are told apart, also by the colour-blind, %u of 12", far);
    const int32_t up[3] = {0, 0, 1 << 30}, down[3] = {0, 0, -(1 << 30)};
    const clup_colour light = clup_colour_of_spin(&of_heisenberg, (const uint8_t *)up, 0),
                      dark = clup_colour_of_spin(&of_heisenberg, (const uint8_t *)down, 0);
    ok(light.rgb[0] > 180 && !is_white(light) && light.rgb[0] == light.rgb[2] && dark.rgb[1] < 60,
       "vectors along z are light, those against it dark");
}

/* The colour of a site of a system, as the picture should have it. */
static clup_colour wanted(const clup_problem *problem, const uint8_t *spins, const uint8_t *vacant,
                          uint64_t site, uint32_t system)
{
    const clup_colours colours = clup_colours_of(problem);
    return vacant[site]
               ? (clup_colour){{255, 255, 255}}
               : clup_colour_of_spin(&colours, spins, system * clup_problem_sites(problem) + site);
}

/* Counts the pixels of a picture of one plane of one system that are right. */
static void check_plane(clup_simulation *simulation, const clup_problem *problem,
                        clup_view_axis axis, uint32_t plane, uint32_t system)
{
    static const char names[] = "zxy";
    static const unsigned wide[] = {0, 1, 0}, high[] = {1, 2, 2}, through[] = {2, 0, 1};
    const uint64_t sites = clup_problem_sites(problem);
    const uint32_t axes[3] = {problem->size[0], problem->size[1],
                              problem->size[2] > 0 ? problem->size[2] : 1};
    const clup_view view = {
        .axis = axis, .plane = plane, .first = system, .systems = 1, .least = 50};
    uint8_t *spins = malloc(sites * clup_spin_bytes(problem) * problem->replicas),
            *vacant = malloc(sites);
    clup_image picture;
    uint64_t wrong = 0;
    NEED(clup_simulation_spins(simulation, spins));
    NEED(clup_problem_vacant(problem, system, vacant));
    NEED(clup_simulation_picture(simulation, &view, &picture));
    const uint32_t longest = axes[wide[axis]] > axes[high[axis]] ? axes[wide[axis]]
                                                                 : axes[high[axis]],
                   scale = (50 + longest - 1) / longest;
    for (uint32_t v = 0; v < picture.size[1]; v++)
        for (uint32_t u = 0; u < picture.size[0]; u++) {
            uint64_t place[3];
            place[wide[axis]] = u / scale;
            place[high[axis]] = v / scale;
            place[through[axis]] = plane;
            const clup_colour colour = wanted(
                problem, spins, vacant,
                place[0] + axes[0] * (place[1] + (uint64_t)axes[1] * place[2]), system);
            wrong += memcmp((uint8_t *)picture.pixels + 3 * (u + (size_t)picture.size[0] * v),
                            colour.rgb, 3) != 0;
        }
    ok(picture.size[0] == axes[wide[axis]] * scale && picture.size[1] == axes[high[axis]] * scale &&
           wrong == 0,
       "%s, system %u, plane %c = %u: %ux%u pixels, %llu of them wrong",
       clup_model_name(problem->model), system, names[axis], plane, picture.size[0],
       picture.size[1], (unsigned long long)wrong);
    clup_image_clear(&picture);
    free(spins);
    free(vacant);
}

static void check_pictures(void)
{
    static const clup_model models[] = {CLUP_POTTS, CLUP_XY, CLUP_HEISENBERG};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        clup_simulation *simulation;
        const clup_problem problem = {.lattice = CLUP_LATTICE_CUBIC,
                                      .size = {9, 7, 5},
                                      .periodic = {1, 1, 1},
                                      .model = models[k],
                                      .q = models[k] == CLUP_POTTS ? 10 : 2,
                                      .beta = 0.3,
                                      .replicas = 2,
                                      .disorder = {[3] = 0.2}};
        NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
        check_plane(simulation, &problem, CLUP_VIEW_Z, 0, 0);
        check_plane(simulation, &problem, CLUP_VIEW_Z, 4, 1);
        check_plane(simulation, &problem, CLUP_VIEW_X, 8, 1);
        check_plane(simulation, &problem, CLUP_VIEW_Y, 3, 1);
        clup_simulation_free(simulation);
    }
}

static void check_grid(void)
{
    static const char path[] = "picture test.png";
    const clup_problem problem = {
        .size = {6, 4}, .periodic = {1, 1}, .q = 3, .beta = 0.5, .replicas = 3};
    clup_simulation *simulation;
    clup_image picture, middle, file;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_picture(simulation, NULL, &picture));
    NEED(clup_simulation_picture(simulation, &(clup_view){.first = 2, .systems = 1}, &middle));
    unsigned right = 0;
    for (unsigned y = 0; y < 4; y++)
        right += memcmp((uint8_t *)picture.pixels + 3 * picture.size[0] * (5 + y),
                        (uint8_t *)middle.pixels + 3 * 6 * y, 3 * 6) == 0;
    ok(picture.size[0] == 13 && picture.size[1] == 9 && right == 4,
       "three systems in two rows, with lines between them");
    const uint8_t *line = (uint8_t *)picture.pixels + 3 * 6;
    ok(line[0] == 128 && line[1] == 128 && line[2] == 128, "which are gray");
    NEED(clup_simulation_draw(simulation, NULL, path));
    NEED(clup_image_read(path, NULL, &file));
    ok(file.channels == 3 && file.size[0] == 13 &&
           memcmp(file.pixels, picture.pixels, 3 * 13 * 9) == 0,
       "a file has the same pixels");
    clup_image_clear(&file);
    clup_image_clear(&picture);
    clup_image_clear(&middle);
    clup_simulation_free(simulation);
    remove(path);
}

int main(void)
{
    check_states();
    check_directions();
    check_pictures();
    check_grid();
    return done_testing();
}
