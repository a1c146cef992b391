/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --until: errors that end a simulation. */
#include <string.h>

#include "cli/simulate/simulate.h"

/* Reads an error such as "1e-4", or "1%" of the mean. */
static clup_status read_error(char *text, clup_target *target)
{
    const size_t length = strlen(text);
    target->relative = length > 0 && text[length - 1] == '%';
    if (target->relative)
        text[length - 1] = '\0';
    const clup_status status = cli_parse_double(text, &target->error);
    if (status != CLUP_OK || !(target->error > 0) || !isfinite(target->error))
        return cli_refuse("is not a list of observables and errors above 0, such as "
                          "energy=1e-4,binder=1%%");
    if (target->relative)
        target->error /= 100;
    return CLUP_OK;
}

/* Reads an item such as "energy=1e-4". */
static clup_status read_target(char *item, clup_target *target)
{
    char *error = strchr(item, '=');
    if (error == NULL)
        return cli_refuse("has '%s', which is no observable with an error, such as energy=1e-4",
                          item);
    *error++ = '\0';
    if (clup_observable_named(item, &target->observable) != CLUP_OK)
        return cli_refuse("has '%s', which is no observable", item);
    if (clup_observable_has_values(target->observable))
        return cli_refuse("has %s, which has several values", item);
    return read_error(error, target);
}

clup_status simulate_set_until(void *target, const char *value)
{
    simulate_request *request = target;
    char copy[1024];
    request->until = value;
    request->target_count = 0;
    if (snprintf(copy, sizeof copy, "%s", value) >= (int)sizeof copy)
        return cli_refuse("is too long");
    for (char *item = copy, *comma; item != NULL; item = comma) {
        clup_target *next = &request->targets[request->target_count];
        if (request->target_count++ == SIMULATE_TARGETS)
            return cli_refuse("has more than %d observables", SIMULATE_TARGETS);
        if ((comma = strchr(item, ',')) != NULL)
            *comma++ = '\0';
        *next = (clup_target){0};
        const clup_status status = read_target(item, next);
        if (status != CLUP_OK)
            return status;
        for (clup_target *earlier = request->targets; earlier < next; earlier++)
            if (earlier->observable == next->observable)
                return cli_refuse("has %s twice", item);
    }
    return CLUP_OK;
}

void simulate_measure_targets(simulate_request *request)
{
    for (size_t k = 0; k < request->target_count; k++) {
        const clup_observable wanted = request->targets[k].observable;
        int known = simulate_by_the_way(wanted);
        for (size_t o = 0; o < request->observable_count; o++)
            known |= strcmp(clup_observable_group(request->observables[o]),
                            clup_observable_group(wanted)) == 0;
        if (!known)
            request->observables[request->observable_count++] = wanted;
    }
}
