/* SPDX-License-Identifier: BSD-3-Clause */
/* clup devices: prints, for every device, what the choice of a device depends on. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

static struct {
    const char *property;
    int list, json;
} request;

CLI_SET(set_list, list, 1)
CLI_SET(set_property, property, value)
CLI_SET(set_json, json, 1)

static const cli_option options[] = {
    {"list", 'l', NULL, "one line a device", set_list},
    {"property", 0, "KEY", "one property of each device, by its key in JSON", set_property},
    {"json", 0, NULL, "print one JSON object", set_json},
    {0},
};

/* ---- properties: some of the list's, and then those of the library's table ------------------- */

typedef struct own {
    const char *key, *label, *text;
} own;
#define OWN 5

static size_t property_rows(void)
{
    return OWN + clup_property_count();
}

/* The status of a query that failed. */
static clup_status failure;

static void get_property(const clup_device_list *list, size_t device, size_t row,
                         clup_property *property)
{
    const clup_device_info *info = clup_device_get(list, device);
    const own fields[OWN] = {{"platform", "Platform", info->platform},
                             {"type", "Type", info->type},
                             {"uuid", "UUID", info->uuid},
                             {"pci", "PCI address", info->pci},
                             {"error", "Cannot be used", info->error}};
    if (row >= OWN) {
        const clup_status status = clup_device_property(list, device, row - OWN, property);
        failure = status != CLUP_OK ? status : failure;
        return;
    }
    *property = (clup_property){
        .key = fields[row].key, .label = fields[row].label, .unit = "", .kind = CLUP_VALUE_TEXT};
    snprintf(property->text, sizeof property->text, "%s", fields[row].text);
}

/* Finds the row of a key; returns an index past the end when there is none. */
static size_t find_property(const clup_device_list *list, const char *key)
{
    clup_property property;
    size_t row = 0;
    for (; row < property_rows(); row++) {
        get_property(list, 0, row, &property);
        if (strcmp(property.key, key) == 0)
            break;
    }
    return row;
}

static int is_known(const clup_property *property)
{
    return property->kind != CLUP_VALUE_NONE &&
           (property->kind != CLUP_VALUE_TEXT || property->text[0] != '\0');
}

static void print_value(const clup_property *property)
{
    if (property->kind == CLUP_VALUE_TEXT)
        fputs(property->text, stdout);
    else if (property->kind == CLUP_VALUE_FLAG)
        fputs(property->number[0] ? "yes" : "no", stdout);
    else
        for (unsigned k = 0; k < property->count; k++)
            printf("%s%" PRIu64, k > 0 ? " x " : "", property->number[k]);
    printf("%s%s\n", property->unit[0] != '\0' ? " " : "", property->unit);
}

static void write_property(json *json, const clup_property *property)
{
    switch (property->kind) {
    case CLUP_VALUE_NONE: json_text(json, property->key, NULL); break;
    case CLUP_VALUE_TEXT: json_text(json, property->key, property->text); break;
    case CLUP_VALUE_FLAG: json_flag(json, property->key, property->number[0] != 0); break;
    case CLUP_VALUE_NUMBER: json_whole(json, property->key, property->number[0]); break;
    default:
        json_open(json, property->key, '[');
        for (unsigned k = 0; k < property->count; k++)
            json_whole(json, NULL, property->number[k]);
        json_close(json, ']');
    }
}

/* ---- devices --------------------------------------------------------------------------------- */

/* What is printed of each device: the rows first to last - 1. The default is device number
 * chosen. */
typedef struct view {
    const clup_device_list *list;
    size_t chosen, first, last;
} view;

static void selector_of(const clup_device_info *info, char text[32])
{
    snprintf(text, 32, "%u:%u", info->platform_index, info->device_index);
}

static void print_all(const view *view, size_t device)
{
    const clup_device_info *info = clup_device_get(view->list, device);
    clup_property property;
    printf("%u:%u  %s%s\n", info->platform_index, info->device_index, info->name,
           device == view->chosen ? "  (default)" : "");
    for (size_t row = view->first; row < view->last; row++) {
        get_property(view->list, device, row, &property);
        if (!is_known(&property))
            continue;
        printf("    %-28s", property.label);
        print_value(&property);
    }
}

static void print_line(const view *view, size_t device)
{
    const clup_device_info *info = clup_device_get(view->list, device);
    char selector[32];
    selector_of(info, selector);
    printf("%-6s%-12s%s (%s)%s%s%s\n", selector, info->type, info->name, info->platform,
           info->error[0] != '\0' ? ", cannot be used: " : "", info->error,
           device == view->chosen ? "  (default)" : "");
}

static void print_one(const view *view, size_t device)
{
    char selector[32];
    clup_property property;
    selector_of(clup_device_get(view->list, device), selector);
    get_property(view->list, device, view->first, &property);
    printf("%-6s", selector);
    if (is_known(&property))
        print_value(&property);
    else
        puts("-");
}

static void print(const view *view)
{
    void (*const show)(const struct view *view, size_t device) = request.property != NULL
                                                                     ? print_one
                                                                 : request.list ? print_line
                                                                                : print_all;
    for (size_t k = 0; k < clup_device_count(view->list); k++)
        show(view, k);
    for (size_t p = 0; p < clup_platform_count(view->list) && request.property == NULL; p++) {
        const clup_platform_info *platform = clup_platform_get(view->list, p);
        const char *colon = platform->error[0] != '\0' ? ": " : "";
        if (platform->devices == 0 && request.list)
            printf("%-6zu%-12s%s%s%s\n", p, "no device", platform->name, colon, platform->error);
        else if (platform->devices == 0)
            printf("%zu    %s: no device%s%s\n", p, platform->name, colon, platform->error);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_device(json *json, const view *view, size_t device)
{
    char selector[32];
    clup_property property;
    selector_of(clup_device_get(view->list, device), selector);
    json_open(json, NULL, '{');
    json_text(json, "selector", selector);
    json_flag(json, "default", device == view->chosen);
    for (size_t row = view->first; row < view->last; row++) {
        get_property(view->list, device, row, &property);
        if (property.kind != CLUP_VALUE_NONE || request.property != NULL)
            write_property(json, &property);
    }
    json_close(json, '}');
}

static void write_json(const view *view)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/devices/1");
    json_text(&json, "version", clup_version());
    json_open(&json, "devices", '[');
    for (size_t k = 0; k < clup_device_count(view->list); k++)
        write_device(&json, view, k);
    json_close(&json, ']');
    json_open(&json, "platforms", '[');
    for (size_t p = 0; p < clup_platform_count(view->list); p++) {
        const clup_platform_info *platform = clup_platform_get(view->list, p);
        json_open(&json, NULL, '{');
        json_text(&json, "name", platform->name);
        json_text(&json, "vendor", platform->vendor);
        json_text(&json, "version", platform->version);
        json_whole(&json, "devices", platform->devices);
        json_text(&json, "error", platform->error);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_end(&json);
}

void cli_write_device(json *json, const clup_device_info *device)
{
    json_open(json, "device", '{');
    json_text(json, "name", device->name);
    json_text(json, "platform", device->platform);
    json_text(json, "vendor", device->vendor);
    json_text(json, "driver", device->driver);
    json_text(json, "type", device->type);
    json_whole(json, "compute_units", device->compute_units);
    json_whole(json, "local_mem_bytes", device->local_mem_bytes);
    json_close(json, '}');
}

static int unknown_property(const clup_device_list *list)
{
    char known[1024];
    size_t used = 0;
    for (size_t row = 0; row < property_rows() && used < sizeof known; row++) {
        clup_property property;
        get_property(list, 0, row, &property);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", row > 0 ? ", " : "",
                                 property.key);
    }
    return cli_usage_error("--property '%s': there is %s", request.property, known);
}

static int show(const clup_device_list *list)
{
    view view = {.list = list, .last = property_rows()};
    if (request.property != NULL) {
        view.first = find_property(list, request.property);
        if (view.first == view.last)
            return unknown_property(list);
        view.last = view.first + 1;
    }
    /* when CLUP_DEVICE matches no device, the list has no default */
    if (clup_device_find(list, NULL, &view.chosen) != CLUP_OK)
        view.chosen = clup_device_count(list);
    (request.json ? write_json : print)(&view);
    return failure == CLUP_OK ? 0 : cli_fail(failure);
}

static int run(void)
{
    clup_device_list *list;
    if (request.list && (request.json || request.property != NULL))
        return cli_usage_error("--list and %s show different things: give one",
                               request.json ? "--json" : "--property");
    clup_status status = clup_device_list_create(&list);
    if (status != CLUP_OK)
        return cli_fail(status);
    const int code = show(list);
    clup_device_list_free(list);
    return code;
}

const cli_command cli_devices = {
    "devices", "lists the OpenCL devices and all that selection depends on",
    options,   &request,
    run,       NULL,
    NULL,      NULL,
};
