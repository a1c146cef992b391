/* clup devices: what selection depends on, for every device. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/json.h"

static struct {
    int json;
} wish;

static clup_status set_json(void *target, const char *value)
{
    (void)target;
    (void)value;
    wish.json = 1;
    return CLUP_OK;
}

static const cli_option options[] = {
    {"json", 0, NULL, "print one JSON object", set_json},
    {0},
};

static void print_property(const clup_property *property)
{
    printf("    %-28s", property->label);
    switch (property->kind) {
    case CLUP_VALUE_TEXT:
        printf("%s", property->text);
        break;
    case CLUP_VALUE_FLAG:
        printf("%s", property->number[0] ? "yes" : "no");
        break;
    default:
        for (unsigned k = 0; k < property->count; k++)
            printf("%s%" PRIu64, k > 0 ? " x " : "", property->number[k]);
    }
    printf("%s%s\n", property->unit[0] != '\0' ? " " : "", property->unit);
}

static void write_property(json *json, const clup_property *property)
{
    switch (property->kind) {
    case CLUP_VALUE_TEXT:
        json_text(json, property->key, property->text);
        break;
    case CLUP_VALUE_FLAG:
        json_flag(json, property->key, property->number[0] != 0);
        break;
    case CLUP_VALUE_NUMBER:
        json_whole(json, property->key, property->number[0]);
        break;
    default:
        json_open(json, property->key, '[');
        for (unsigned k = 0; k < property->count; k++)
            json_whole(json, NULL, property->number[k]);
        json_close(json, ']');
    }
}

static void print_device(const clup_device_list *list, size_t k, int chosen)
{
    const clup_device_info *info = clup_device_get(list, k);
    printf("%u:%u  %s%s\n    %-28s%s\n    %-28s%s\n", info->platform_index, info->device_index, info->name,
           chosen ? "  (default)" : "", "Platform", info->platform, "Type", info->type);
    if (info->uuid[0] != '\0')
        printf("    %-28s%s\n", "UUID", info->uuid);
    if (info->pci[0] != '\0')
        printf("    %-28s%s\n", "PCI address", info->pci);
}

static void write_device(json *json, const clup_device_list *list, size_t k, int chosen)
{
    const clup_device_info *info = clup_device_get(list, k);
    char selector[32];
    snprintf(selector, sizeof selector, "%u:%u", info->platform_index, info->device_index);
    json_open(json, NULL, '{');
    json_text(json, "selector", selector);
    json_flag(json, "default", chosen);
    json_text(json, "platform", info->platform);
    json_text(json, "type", info->type);
    json_text(json, "uuid", info->uuid);
    json_text(json, "pci", info->pci);
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

static int run(void)
{
    clup_device_list *list;
    size_t chosen;
    json json = {stdout, 1};
    clup_status status = clup_device_list_create(&list);
    if (status != CLUP_OK)
        return cli_fail(status);
    /* a CLUP_DEVICE that matches nothing leaves the list without a default */
    if (clup_device_find(list, NULL, &chosen) != CLUP_OK)
        chosen = clup_device_count(list);
    if (wish.json) {
        json_open(&json, NULL, '{');
        json_text(&json, "schema", "clup/devices/1");
        json_text(&json, "version", clup_version());
        json_open(&json, "devices", '[');
    }
    for (size_t k = 0; k < clup_device_count(list); k++) {
        if (wish.json)
            write_device(&json, list, k, k == chosen);
        else
            print_device(list, k, k == chosen);
        for (size_t row = 0; row < clup_property_count(); row++) {
            clup_property property;
            clup_device_property(list, k, row, &property);
            if (property.kind == CLUP_VALUE_NONE)
                continue;
            if (wish.json)
                write_property(&json, &property);
            else
                print_property(&property);
        }
        if (wish.json)
            json_close(&json, '}');
    }
    if (wish.json) {
        json_close(&json, ']');
        json_close(&json, '}');
        json_end(&json);
    }
    clup_device_list_free(list);
    return 0;
}

const cli_command cli_devices = {
    "devices", "lists the OpenCL devices and all that selection depends on", options, &wish, run, NULL, NULL,
};
