/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last spins to the file of --save-spins, as an array or a picture. */
#include <string.h>

#include "cli/paths.h"
#include "cli/simulate/simulate.h"

/* A picture of a small lattice is at least so long. */
#define LEAST 256

clup_status simulate_set_plane(void *target, const char *value)
{
    static const struct {
        const char *text;
        clup_view_axis axis;
    } axes[] = {{"x=", CLUP_VIEW_X}, {"y=", CLUP_VIEW_Y}, {"z=", CLUP_VIEW_Z}};
    clup_view *view = &((simulate_request *)target)->view;
    uint64_t plane;
    if (strcmp(value, "all") == 0) {
        view->axis = CLUP_VIEW_Z;
        view->plane = CLUP_VIEW_SLICES;
        return CLUP_OK;
    }
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        if (strncmp(value, axes[k].text, 2) == 0) {
            view->axis = axes[k].axis;
            view->plane = CLUP_VIEW_MIDDLE;
            if (strcmp(value + 2, "middle") == 0)
                return CLUP_OK;
            if (cli_parse_u64(value + 2, CLUP_VIEW_SLICES - 1, &plane) != CLUP_OK)
                break;
            view->plane = (uint32_t)plane;
            return CLUP_OK;
        }
    return cli_refuse("is not all, x=N, y=N or z=N, N the number of a plane or middle");
}

int simulate_check_plane(const simulate_request *request)
{
    static const unsigned through[] = {[CLUP_VIEW_Z] = 2, [CLUP_VIEW_X] = 0, [CLUP_VIEW_Y] = 1};
    const clup_problem *problem = &request->problem;
    if (!cli_given("plane"))
        return 0;
    if (!simulate_draws_spins(request) && request->watch_every == 0)
        return cli_usage_error("--plane goes with --save-spins F.png or --watch: there is no other "
                               "picture");
    if (clup_lattice_axes(problem->lattice) < 3)
        return cli_usage_error("--plane: the %s lattice is a plane itself",
                               clup_lattice_name(problem->lattice));
    const uint32_t planes = problem->size[through[request->view.axis]];
    if (request->view.plane < CLUP_VIEW_SLICES && request->view.plane >= planes)
        return cli_usage_error("--plane: there is no plane %u of %u, numbered from 0",
                               request->view.plane, planes);
    return 0;
}

int simulate_draws_spins(const simulate_request *request)
{
    return request->save_spins != NULL && cli_has_extension(request->save_spins, ".png");
}

clup_status simulate_draw_spins(clup_simulation *simulation, const simulate_request *request,
                                const char *path)
{
    clup_view view = request->view;
    view.least = LEAST;
    return clup_simulation_draw(simulation, &view, path);
}

clup_status simulate_write_spins(clup_simulation *simulation, const simulate_request *request)
{
    return simulate_draws_spins(request)
               ? simulate_draw_spins(simulation, request, request->save_spins)
               : clup_simulation_write_spins(simulation, request->save_spins);
}
