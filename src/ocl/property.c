/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the device properties of the table property.def. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ocl/devices.h"

/* A reader for each type of answer. It returns 1, 0 if the device has no answer, or -1 without
 * memory. */
typedef struct row row;
typedef int reader(const row *row, cl_device_id device, clup_property *property);

struct row {
    const char *key, *label;
    cl_device_info query;
    reader *read;
    const char *unit, *extension;
};

static int read_TEXT(const row *row, cl_device_id device, clup_property *property)
{
    char *text;
    (void)clup_device_text(device, row->query, &text);
    property->kind = CLUP_VALUE_TEXT;
    if (text == NULL)
        return -1;
    snprintf(property->text, sizeof property->text, "%s", text);
    free(text);
    return property->text[0] != '\0';
}

#define NUMBER_READER(NAME, TYPE, KIND) \
    static int read_##NAME(const row *row, cl_device_id device, clup_property *property) \
    { \
        TYPE value = 0; \
        property->kind = KIND; \
        property->count = 1; \
        int ok = clGetDeviceInfo(device, row->query, sizeof value, &value, NULL) == CL_SUCCESS; \
        property->number[0] = value; \
        return ok; \
    }
NUMBER_READER(UINT, cl_uint, CLUP_VALUE_NUMBER)
NUMBER_READER(ULONG, cl_ulong, CLUP_VALUE_NUMBER)
NUMBER_READER(SIZE, size_t, CLUP_VALUE_NUMBER)
NUMBER_READER(FLAG, cl_bool, CLUP_VALUE_FLAG)

static int read_DEDICATED(const row *row, cl_device_id device, clup_property *property)
{
    int ok = read_UINT(row, device, property);
    property->kind = CLUP_VALUE_FLAG;
    property->number[0] = property->number[0] == CL_LOCAL;
    return ok;
}

static int read_SIZES(const row *row, cl_device_id device, clup_property *property)
{
    size_t sizes[8] = {0}, bytes = 0;
    if (clGetDeviceInfo(device, row->query, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
        return 0;
    property->kind = CLUP_VALUE_LIST;
    property->count = (unsigned)(bytes / sizeof *sizes);
    for (unsigned k = 0; k < property->count; k++)
        property->number[k] = sizes[k];
    return 1;
}

static int read_EXTENSION(const row *row, cl_device_id device, clup_property *property)
{
    property->kind = CLUP_VALUE_FLAG;
    property->count = 1;
    const int has = clup_device_has(device, row->extension);
    property->number[0] = has > 0;
    return has < 0 ? has : 1;
}

static const row rows[] = {
/* clang-format off */
#define PROPERTY(KEY, LABEL, QUERY, TYPE, UNIT, EXTENSION) \
    {KEY, LABEL, QUERY, read_##TYPE, UNIT, EXTENSION},
/* clang-format on */
#include "ocl/property.def"
};

size_t clup_property_count(void)
{
    return sizeof rows / sizeof *rows;
}

clup_status clup_device_property(const clup_device_list *list, size_t device, size_t index,
                                 clup_property *property)
{
    CLUP_NEED(property);
    *property = (clup_property){.kind = CLUP_VALUE_NONE};
    if (device >= clup_device_count(list) || index >= clup_property_count())
        return CLUP_OK;
    const row *row = &rows[index];
    cl_device_id id = list->devices[device].id;
    *property = (clup_property){.key = row->key, .label = row->label, .unit = row->unit};
    int known = row->read == read_EXTENSION || row->extension[0] == '\0'
                    ? 1
                    : clup_device_has(id, row->extension);
    if (known > 0)
        known = row->read(row, id, property);
    if (known <= 0)
        property->kind = CLUP_VALUE_NONE;
    return known < 0 ? clup_fail_memory("the properties of a device") : CLUP_OK;
}
