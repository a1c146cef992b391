/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the spins while a simulation runs: --watch, on the terminal or in a file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/paths.h"
#include "cli/screen.h"
#include "cli/simulate/simulate.h"

clup_status simulate_set_watch(void *target, const char *value)
{
    simulate_request *request = target;
    const char *colon = strchr(value, ':');
    const size_t length = strspn(value, "0123456789e.");
    char number[32];
    request->watch_every = 1;
    if (cli_has_extension(value, ".png") && (colon == NULL || value + length != colon)) {
        request->watch = value;
        return CLUP_OK;
    }
    if (colon != NULL && !cli_has_extension(colon + 1, ".png"))
        return cli_refuse("is not N, F.png or N:F.png");
    request->watch = colon != NULL ? colon + 1 : NULL;
    snprintf(number, sizeof number, "%.*s", colon != NULL ? (int)(colon - value) : 31, value);
    return cli_parse_whole(number, 1, UINT64_MAX, &request->watch_every);
}

int simulate_on_screen(const simulate_request *request)
{
    return request->watch_every > 0 && request->watch == NULL;
}

int simulate_check_watch(const simulate_request *request)
{
    const char *lacks = simulate_on_screen(request) ? screen_lacks() : NULL;
    if (request->watch_every == 0)
        return 0;
    if (request->problem.graph != NULL)
        return cli_usage_error("--watch: there are no pictures of graphs and lattices of a cell");
    if (cli_world_is.processes > 0)
        return cli_usage_error("--watch goes without several processes");
    return lacks == NULL ? 0
                         : cli_usage_error("--watch: %s; --watch N:F.png draws to a file", lacks);
}

/* Draws on the terminal: a plane of the first system, or as --plane says. */
static clup_status show_on_screen(clup_simulation *simulation, const simulate_request *request,
                                  const char *text)
{
    clup_view view = request->view;
    clup_image picture;
    view.systems = 1;
    const clup_status status = clup_simulation_picture(simulation, &view, &picture);
    if (status == CLUP_OK)
        screen_draw(&picture, text);
    clup_image_clear(&picture);
    return status;
}

/* A failure, such as a full disk, does not end the run. A message tells when failures begin. */
static void show(clup_simulation *simulation, const simulate_request *request, int measure)
{
    static int fails;
    char text[128];
    snprintf(text, sizeof text, "sweep %" PRIu64 "%s", clup_simulation_sweeps(simulation),
             measure ? "" : ", not measured");
    const clup_status status = request->watch != NULL
                                   ? simulate_draw_spins(simulation, request, request->watch)
                                   : show_on_screen(simulation, request, text);
    if (status != CLUP_OK && !fails)
        cli_message(0, "%s; the run goes on", clup_error_detail());
    fails = status != CLUP_OK;
}

clup_status simulate_sweep(clup_simulation *simulation, const simulate_request *request,
                           uint64_t sweeps, int measure, clup_progress *progress)
{
    const uint64_t every = request->watch_every;
    clup_status status = CLUP_OK;
    if (every == 0 || sweeps == 0)
        return clup_simulation_run(simulation, sweeps, measure, progress, NULL);
    for (uint64_t done = 0, part; done < sweeps && status == CLUP_OK; done += part) {
        const uint64_t next = every - clup_simulation_sweeps(simulation) % every;
        part = next < sweeps - done ? next : sweeps - done;
        cli_task(measure ? "measure" : "thermalize", "sweeps", done, sweeps);
        status = clup_simulation_run(simulation, part, measure, progress, NULL);
        if (status == CLUP_OK && part == next)
            show(simulation, request, measure);
        /* between parts, where the run of a part says that it is complete */
        if (status == CLUP_OK && progress != NULL && done + part < sweeps)
            progress(done + part, sweeps, NULL);
    }
    cli_task(NULL, NULL, 0, 0);
    return status;
}
