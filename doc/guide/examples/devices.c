/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the OpenCL devices, and all that clup knows of the one that it would take; an argument
 * chooses another, as --device does.
 *
 *     cc -o devices devices.c $(pkg-config --cflags --libs clup) && ./devices
 *     ./devices cpu
 *
 * "clup devices" lists the same.
 *  */
#include <clup.h>
#include <stdio.h>

static void print_property(const clup_property *property)
{
    printf("    %-28s", property->label);
    if (property->kind == CLUP_VALUE_TEXT)
        printf("%s", property->text);
    else if (property->kind == CLUP_VALUE_FLAG)
        printf("%s", property->number[0] != 0 ? "yes" : "no");
    else
        for (unsigned k = 0; k < (property->kind == CLUP_VALUE_LIST ? property->count : 1); k++)
            printf("%s%llu", k > 0 ? " x " : "", (unsigned long long)property->number[k]);
    printf(" %s\n", property->unit);
}

int main(int argc, char **argv)
{
    clup_device_list *list = NULL;
    size_t chosen;
    int code = 1;

    if (clup_device_list_create(&list) != CLUP_OK ||
        clup_device_find(list, argc > 1 ? argv[1] : NULL, &chosen) != CLUP_OK) {
        fprintf(stderr, "devices: %s\n", clup_error_detail());
        goto end;
    }
    for (size_t k = 0; k < clup_device_count(list); k++) {
        const clup_device_info *device = clup_device_get(list, k);
        printf("%s %u:%u  %s (%s)\n", k == chosen ? "*" : " ", device->platform_index,
               device->device_index, device->name, device->platform);
    }
    for (size_t row = 0; row < clup_property_count(); row++) {
        clup_property property;
        clup_device_property(list, chosen, row, &property);
        if (property.kind != CLUP_VALUE_NONE)
            print_property(&property);
    }
    code = 0;
end:
    clup_device_list_free(list);
    return code;
}
