/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of the spins of a simulation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/disorder.h"
#include "io/colours.h"
#include "io/image.h"
#include "run/simulation.h"

/* Planes of a picture, at most. */
#define PLANES_MOST 16

/* The gray of the lines between planes. */
#define LINE 128

typedef struct drawing {
    clup_simulation *simulation;
    const clup_view *view;
    lattice_args lattice;
    clup_colours colours;
    uint32_t side[3];        /* sites along x, y and z */
    uint32_t width, height;  /* sites of a plane */
    uint32_t scale, line;    /* pixels of a site, and of a line between planes */
    uint32_t columns, count; /* planes in a row, and in all */
    uint8_t *spins;          /* of a layer */
    uint32_t *vacant;        /* of a row */
    clup_image *picture;
} drawing;

/* Returns the axes along which a plane is wide and high. */
static unsigned wide(const clup_view *view)
{
    return view->axis == CLUP_VIEW_X ? 1 : 0;
}
static unsigned high(const clup_view *view)
{
    return view->axis == CLUP_VIEW_Z ? 1 : 2;
}

static clup_status check(const clup_simulation *simulation, const clup_view *view)
{
    const clup_problem *problem = &simulation->problem;
    const uint32_t replicas = clup_problem_replicas(problem);
    const clup_status status = CLUP_RESERVED(view, "clup_view");
    if (status != CLUP_OK)
        return status;
    if (problem->graph != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "there are no pictures of spins on a graph");
    if ((unsigned)view->axis > CLUP_VIEW_Y)
        return clup_fail(CLUP_ERROR_USAGE, "axis %d is not known", (int)view->axis);
    if (view->axis != CLUP_VIEW_Z && clup_lattice_axes(problem->lattice) < 3)
        return clup_fail(CLUP_ERROR_USAGE, "a lattice in the plane has no other planes");
    if (view->first >= replicas || view->systems > replicas - view->first)
        return clup_fail(CLUP_ERROR_USAGE, "%u systems from number %u on: there are %u",
                         view->systems, view->first, replicas);
    return CLUP_OK;
}

/* Colours a site at place (u, v) of a plane whose corner is at (left, top). */
static void paint(const drawing *of, size_t left, size_t top, clup_colour colour)
{
    const size_t pitch = of->picture->size[0];
    uint8_t *to = (uint8_t *)of->picture->pixels + 3 * (left + pitch * top);
    for (uint32_t y = 0; y < of->scale; y++, to += 3 * pitch)
        for (uint32_t x = 0; x < of->scale; x++)
            memcpy(to + 3 * (size_t)x, colour.rgb, 3);
}

/* Draws the sites of row y of layer z that are in the plane with this number; spins are those of
 * the row. */
static void draw_row(const drawing *of, uint32_t system, uint32_t y, uint32_t z, uint32_t plane,
                     const uint8_t *spins, size_t left, size_t top)
{
    static const clup_colour white = {{255, 255, 255}};
    const clup_problem *problem = &of->simulation->problem;
    const bool vacancies = clup_has_vacancies(problem);
    const uint32_t place[3] = {0, y, z};
    if (vacancies)
        clup_disorder_vacant_row(problem, &of->lattice, system, y + (uint64_t)of->side[1] * z,
                                 of->vacant);
    for (uint32_t x = 0; x < of->side[0]; x++) {
        if (of->view->axis == CLUP_VIEW_X && x != plane)
            continue;
        const uint32_t u = of->view->axis == CLUP_VIEW_X ? y : x, v = place[high(of->view)];
        paint(of, left + (size_t)u * of->scale, top + (size_t)v * of->scale,
              vacancies && (of->vacant[x / 32] >> x % 32 & 1) != 0
                  ? white
                  : clup_colour_of_spin(&of->colours, spins, x));
    }
}

/* Draws plane number plane of a system with its corner at (left, top). */
static clup_status draw_plane(const drawing *of, uint32_t system, uint32_t plane, size_t left,
                              size_t top)
{
    const clup_view *view = of->view;
    const uint64_t rows = (uint64_t)of->side[1] * of->side[2];
    const size_t row_bytes = of->side[0] * clup_spin_bytes(&of->simulation->problem);
    const uint32_t first_z = view->axis == CLUP_VIEW_Z ? plane : 0,
                   end_z = view->axis == CLUP_VIEW_Z ? plane + 1 : of->side[2],
                   first_y = view->axis == CLUP_VIEW_Y ? plane : 0,
                   end_y = view->axis == CLUP_VIEW_Y ? plane + 1 : of->side[1];
    for (uint32_t z = first_z; z < end_z; z++) {
        const clup_status status = clup_simulation_spin_rows(
            of->simulation, system * rows + (uint64_t)of->side[1] * z + first_y, end_y - first_y,
            of->spins);
        if (status != CLUP_OK)
            return status;
        for (uint32_t y = first_y; y < end_y; y++)
            draw_row(of, system, y, z, plane, of->spins + (y - first_y) * row_bytes, left, top);
    }
    return CLUP_OK;
}

/* Sets the size of the picture: planes side by side, with lines between them, and a site as many
 * pixels as make the longer side view->least long. */
static clup_status lay_out(drawing *of)
{
    of->columns = 1;
    while (of->columns * of->columns < of->count)
        of->columns++;
    const uint64_t rows = (of->count + of->columns - 1) / of->columns,
                   sites = of->columns * (uint64_t)of->width > rows * of->height
                               ? of->columns * (uint64_t)of->width
                               : rows * of->height;
    of->scale = sites < of->view->least ? (uint32_t)((of->view->least + sites - 1) / sites) : 1;
    of->line = 1 + of->scale / 4;
    const uint64_t width = of->columns * ((uint64_t)of->width * of->scale + of->line) - of->line,
                   height = rows * ((uint64_t)of->height * of->scale + of->line) - of->line;
    if (width > INT32_MAX || height > INT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " x %" PRIu64 " pixels are too many for a PNG", width, height);
    of->picture->size[0] = (uint32_t)width;
    of->picture->size[1] = (uint32_t)height;
    of->picture->pixels = malloc((size_t)(3 * width * height));
    of->spins = malloc((size_t)of->side[0] * of->side[1] *
                       clup_spin_bytes(&of->simulation->problem));
    of->vacant = malloc(of->side[0] / 8 + sizeof *of->vacant);
    if (of->picture->pixels == NULL || of->spins == NULL || of->vacant == NULL)
        return clup_fail_memory("a picture of the spins");
    memset(of->picture->pixels, LINE, (size_t)(3 * width * height));
    return CLUP_OK;
}

static clup_status draw(drawing *of)
{
    static const unsigned through[] = {[CLUP_VIEW_Z] = 2, [CLUP_VIEW_X] = 0, [CLUP_VIEW_Y] = 1};
    const clup_view *view = of->view;
    const uint32_t depth = of->side[through[view->axis]],
                   all = clup_problem_replicas(&of->simulation->problem) - view->first,
                   systems = view->systems > 0 ? view->systems : all;
    /* planes of one system, or one plane of each */
    const bool slices = view->plane == CLUP_VIEW_SLICES;
    const uint32_t most = slices ? depth : systems;
    clup_status status;
    if (view->plane < CLUP_VIEW_SLICES && view->plane >= depth)
        return clup_fail(CLUP_ERROR_USAGE, "plane %u: there are %u", view->plane, depth);
    of->count = most < PLANES_MOST ? most : PLANES_MOST;
    CLUP_TRY(lay_out(of));
    for (uint32_t k = 0; k < of->count; k++) {
        const uint32_t even = (uint32_t)((2 * (uint64_t)k + 1) * depth / (2 * of->count)),
                       plane = slices                            ? even
                               : view->plane == CLUP_VIEW_MIDDLE ? depth / 2
                                                                 : view->plane;
        CLUP_TRY(draw_plane(of, view->first + (slices ? 0 : k), plane,
                            k % of->columns * ((size_t)of->width * of->scale + of->line),
                            k / of->columns * ((size_t)of->height * of->scale + of->line)));
    }
done:
    return status;
}

clup_status clup_simulation_picture(clup_simulation *simulation, const clup_view *view,
                                    clup_image *picture)
{
    static const clup_view middle = {.plane = CLUP_VIEW_MIDDLE};
    CLUP_NEED(picture);
    *picture = (clup_image){0};
    CLUP_NEED(simulation);
    view = view != NULL ? view : &middle;
    clup_status status = check(simulation, view);
    if (status != CLUP_OK)
        return status;
    *picture = (clup_image){.axes = 2, .size = {0, 0, 1}, .dtype = CLUP_DTYPE_U8, .channels = 3};
    drawing of = {.simulation = simulation,
                  .view = view,
                  .lattice = clup_lattice_args(&simulation->problem),
                  .colours = clup_colours_of(&simulation->problem),
                  .picture = picture};
    of.side[0] = of.lattice.nx;
    of.side[1] = of.lattice.ny;
    of.side[2] = of.lattice.nz;
    of.width = of.side[wide(view)];
    of.height = of.side[high(view)];
    status = draw(&of);
    free(of.spins);
    free(of.vacant);
    if (status != CLUP_OK)
        clup_image_clear(picture);
    return status;
}

clup_status clup_simulation_draw(clup_simulation *simulation, const clup_view *view,
                                 const char *path)
{
    clup_image picture = {0};
    CLUP_NEED(path);
    const char *dot = strrchr(path, '.');
    if (dot == NULL || strcasecmp(dot, ".png") != 0)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': a picture of spins is a .png", path);
    clup_status status = clup_simulation_picture(simulation, view, &picture);
    if (status == CLUP_OK)
        status = clup_image_write(path, &picture);
    clup_image_clear(&picture);
    return status;
}
