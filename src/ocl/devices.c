/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the devices of all platforms. */
#include "ocl/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "ocl/fork.h"
#include "ocl/loader.h"

/* Queries of extensions, which the 1.2 headers do not name; a device without the extension refuses
 * them. */
#define DEVICE_UUID_KHR 0x106A         /* cl_khr_device_uuid: 16 bytes */
#define DEVICE_PCI_BUS_INFO_KHR 0x410F /* cl_khr_pci_bus_info: domain, bus, device, function */
#define DEVICE_PCI_BUS_ID_NV 0x4008    /* cl_nv_device_attribute_query */
#define DEVICE_PCI_SLOT_ID_NV 0x4009
#define DEVICE_PCI_DOMAIN_ID_NV 0x400A
#define DEVICE_TOPOLOGY_AMD \
    0x4037 /* cl_amd_device_attribute_query: 24 bytes, bus, device, function last */

/* Ends the messages that there is no platform or no device. */
#define WHAT_TO_INSTALL \
    "install the driver of the GPU, or PoCL for the CPU (Debian and Ubuntu: pocl-opencl-icd; " \
    "Fedora, Arch and conda: pocl)"

cl_int clup_platform_text(cl_platform_id platform, cl_platform_info what, char **text)
{
    size_t size = 0;
    cl_int code = clGetPlatformInfo(platform, what, 0, NULL, &size);
    *text = calloc(1, size + 1);
    if (*text != NULL && code == CL_SUCCESS && size > 0 &&
        (code = clGetPlatformInfo(platform, what, size, *text, NULL)) != CL_SUCCESS)
        (*text)[0] = '\0';
    return code;
}

cl_int clup_device_text(cl_device_id device, cl_device_info what, char **text)
{
    size_t size = 0;
    cl_int code = clGetDeviceInfo(device, what, 0, NULL, &size);
    *text = calloc(1, size + 1);
    if (*text != NULL && code == CL_SUCCESS && size > 0 &&
        (code = clGetDeviceInfo(device, what, size, *text, NULL)) != CL_SUCCESS)
        (*text)[0] = '\0';
    return code;
}

int clup_device_has(cl_device_id device, const char *extension)
{
    char *all;
    size_t length = strlen(extension);
    int found = 0;
    (void)clup_device_text(device, CL_DEVICE_EXTENSIONS, &all);
    if (all == NULL)
        return -1;
    for (const char *at = all; at != NULL && !found && (at = strstr(at, extension)) != NULL;
         at += length)
        found = (at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
    free(all);
    return found;
}

static char *device_uuid(cl_device_id device)
{
    unsigned char bytes[16];
    char text[33] = "";
    if (clGetDeviceInfo(device, DEVICE_UUID_KHR, sizeof bytes, bytes, NULL) == CL_SUCCESS)
        for (int k = 0; k < 16; k++)
            snprintf(text + 2 * k, 3, "%02x", bytes[k]);
    return strdup(text);
}

static char *device_pci(cl_device_id device)
{
    char text[48] = "";
    cl_uint khr[4], bus, slot, domain = 0;
    unsigned char amd[24];
    if (clGetDeviceInfo(device, DEVICE_PCI_BUS_INFO_KHR, sizeof khr, khr, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%04x:%02x:%02x.%x", khr[0], khr[1], khr[2], khr[3]);
    else if (clGetDeviceInfo(device, DEVICE_PCI_BUS_ID_NV, sizeof bus, &bus, NULL) == CL_SUCCESS &&
             clGetDeviceInfo(device, DEVICE_PCI_SLOT_ID_NV, sizeof slot, &slot, NULL) ==
                 CL_SUCCESS) {
        clGetDeviceInfo(device, DEVICE_PCI_DOMAIN_ID_NV, sizeof domain, &domain, NULL);
        snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, slot >> 3, slot & 7);
    } else if (clGetDeviceInfo(device, DEVICE_TOPOLOGY_AMD, sizeof amd, amd, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "0000:%02x:%02x.%x", amd[21], amd[22], amd[23]);
    return strdup(text);
}

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? "gpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
           : type & CL_DEVICE_TYPE_CPU         ? "cpu"
                                               : "other";
}

/* Number of strings of a device that its owner frees. */
#define STRINGS 7
static void strings_of(clup_device_info *info, const char **strings[STRINGS])
{
    const char **const all[STRINGS] = {&info->name, &info->platform, &info->vendor, &info->driver,
                                       &info->uuid, &info->pci,      &info->error};
    memcpy(strings, all, sizeof all);
}

static clup_status check_strings(clup_device *device)
{
    const char **strings[STRINGS];
    strings_of(&device->info, strings);
    for (size_t k = 0; k < STRINGS; k++)
        if (*strings[k] == NULL) {
            clup_device_clear(device);
            return clup_fail_memory("the list of devices");
        }
    return CLUP_OK;
}

/* A query whose answer selection, quirks, plans, or the keys of database and cache depend on. */
typedef struct query {
    cl_int code;
    const char *call;
} query;

static clup_status describe(clup_device *device, unsigned platform_index, unsigned device_index)
{
    cl_uint units = 0;
    cl_ulong local = 0;
    cl_device_type type = 0;
    char *name, *platform, *vendor, *driver;
    const query queries[] = {
        {clup_device_text(device->id, CL_DEVICE_NAME, &name), "clGetDeviceInfo(CL_DEVICE_NAME)"},
        {clup_platform_text(device->platform, CL_PLATFORM_NAME, &platform),
         "clGetPlatformInfo(CL_PLATFORM_NAME)"},
        {clup_device_text(device->id, CL_DEVICE_VENDOR, &vendor),
         "clGetDeviceInfo(CL_DEVICE_VENDOR)"},
        {clup_device_text(device->id, CL_DRIVER_VERSION, &driver),
         "clGetDeviceInfo(CL_DRIVER_VERSION)"},
        {clGetDeviceInfo(device->id, CL_DEVICE_TYPE, sizeof type, &type, NULL),
         "clGetDeviceInfo(CL_DEVICE_TYPE)"},
        {clGetDeviceInfo(device->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL),
         "clGetDeviceInfo(CL_DEVICE_MAX_COMPUTE_UNITS)"},
        {clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL),
         "clGetDeviceInfo(CL_DEVICE_LOCAL_MEM_SIZE)"},
    };
    for (size_t k = 0; k < sizeof queries / sizeof *queries && device->status == CLUP_OK; k++)
        device->status = clup_cl_check(queries[k].code, queries[k].call);
    device->info = (clup_device_info){
        .platform_index = platform_index,
        .device_index = device_index,
        .name = name,
        .platform = platform,
        .vendor = vendor,
        .driver = driver,
        .type = type_name(type),
        .uuid = device_uuid(device->id),
        .pci = device_pci(device->id),
        .compute_units = units,
        .local_mem_bytes = local,
        .error = strdup(device->status == CLUP_OK ? "" : clup_error_detail()),
    };
    return check_strings(device);
}

clup_status clup_device_copy(const clup_device *from, clup_device *to)
{
    const char **strings[STRINGS];
    *to = *from;
    strings_of(&to->info, strings);
    for (size_t k = 0; k < STRINGS; k++)
        *strings[k] = strdup(*strings[k]);
    return check_strings(to);
}

void clup_device_clear(clup_device *device)
{
    const char **strings[STRINGS];
    strings_of(&device->info, strings);
    for (size_t k = 0; k < STRINGS; k++)
        free((char *)*strings[k]);
    device->info = (clup_device_info){0};
}

clup_status clup_device_usable(const clup_device *device)
{
    const clup_device_info *info = &device->info;
    return device->status == CLUP_OK
               ? CLUP_OK
               : clup_fail(device->status, "device %u:%u cannot be used: %s", info->platform_index,
                           info->device_index, info->error);
}

/* Adds the devices of platform number platform. A platform that does not list them has none, and
 * *code is why. */
static clup_status add_devices(clup_device_list *list, cl_platform_id platform, unsigned index,
                               cl_int *code)
{
    cl_uint count = 0;
    clup_status status = CLUP_OK;
    cl_device_id *ids = NULL;
    *code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (*code != CL_SUCCESS || count == 0)
        return CLUP_OK;
    clup_device *grown = realloc(list->devices, (list->count + count) * sizeof *grown);
    if (grown == NULL)
        return clup_fail_memory("the list of devices");
    list->devices = grown;
    if ((ids = calloc(count, sizeof *ids)) == NULL)
        return clup_fail_memory("the list of devices");
    *code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    for (cl_uint k = 0; k < count && *code == CL_SUCCESS; k++) {
        clup_device *device = &list->devices[list->count];
        *device = (clup_device){.platform = platform, .id = ids[k]};
        CLUP_TRY(describe(device, index, k));
        list->count++;
    }
done:
    free(ids);
    return status;
}

static char *platform_text(cl_platform_id platform, cl_platform_info what)
{
    char *text;
    (void)clup_platform_text(platform, what, &text);
    return text;
}

/* Adds a platform; list->platforms must have room. */
static clup_status add_platform(clup_device_list *list, cl_platform_id platform)
{
    const size_t index = list->platform_count++, before = list->count;
    clup_platform_info *info = &list->platforms[index];
    cl_int code = CL_SUCCESS;
    const clup_status status = add_devices(list, platform, (unsigned)index, &code);
    const int silent = code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND;
    if (silent)
        clup_cl_fail(code, "clGetDeviceIDs");
    *info = (clup_platform_info){.name = platform_text(platform, CL_PLATFORM_NAME),
                                 .vendor = platform_text(platform, CL_PLATFORM_VENDOR),
                                 .version = platform_text(platform, CL_PLATFORM_VERSION),
                                 .error = strdup(silent ? clup_error_detail() : ""),
                                 .devices = list->count - before};
    if (info->name == NULL || info->vendor == NULL || info->version == NULL || info->error == NULL)
        return clup_fail_memory("the list of platforms");
    return status;
}

static clup_status no_device(const clup_device_list *list)
{
    const char *home = getenv("HOME");
    const int unwritable = getenv("POCL_CACHE_DIR") == NULL &&
                           (home == NULL || access(home, W_OK) != 0);
    clup_text names = {0};
    for (size_t k = 0; k < list->platform_count; k++)
        clup_text_add(&names, "%s%s%s%s", k > 0 ? ", " : "", list->platforms[k].name,
                      list->platforms[k].error[0] != '\0' ? ": " : "", list->platforms[k].error);
    clup_fail(CLUP_ERROR_NO_DEVICE,
              "%zu OpenCL platform%s (%s) but no device: " WHAT_TO_INSTALL "%s",
              list->platform_count, list->platform_count == 1 ? "" : "s",
              clup_text_ok(&names) ? names.data : "?",
              unwritable ? "; PoCL has none where HOME cannot be written, unless POCL_CACHE_DIR "
                           "names a folder that can"
                         : "");
    clup_text_free(&names);
    return CLUP_ERROR_NO_DEVICE;
}

/* Adds all platforms to an empty list. */
static clup_status add_platforms(clup_device_list *list)
{
    cl_platform_id *platforms = NULL;
    cl_uint count = 0;
    clup_status status = CLUP_OK;
    cl_int code = clGetPlatformIDs(0, NULL, &count);
    if (code != CL_SUCCESS || count == 0) {
        const char *no_loader = clup_cl_loader_error();
        status = no_loader != NULL
                     ? clup_fail(CLUP_ERROR_NO_DEVICE,
                                 "no OpenCL ICD loader (%s): install one (Debian and Ubuntu: "
                                 "ocl-icd-libopencl1; Fedora: OpenCL-ICD-Loader; Arch and conda: "
                                 "ocl-icd), and " WHAT_TO_INSTALL,
                                 no_loader)
                     : clup_fail(CLUP_ERROR_NO_DEVICE, "no OpenCL platform: " WHAT_TO_INSTALL);
        goto done;
    }
    platforms = calloc(count, sizeof *platforms);
    list->platforms = calloc(count, sizeof *list->platforms);
    if (platforms == NULL || list->platforms == NULL) {
        status = clup_fail_memory("the list of platforms");
        goto done;
    }
    CLUP_TRY(clup_cl_check(clGetPlatformIDs(count, platforms, NULL), "clGetPlatformIDs"));
    for (cl_uint k = 0; k < count; k++)
        CLUP_TRY(add_platform(list, platforms[k]));
    if (list->count == 0)
        status = no_device(list);
done:
    free(platforms);
    return status;
}

clup_status clup_device_list_create(clup_device_list **out)
{
    CLUP_NEED(out);
    clup_device_list *list = calloc(1, sizeof *list);
    *out = NULL;
    if (list == NULL)
        return clup_fail_memory("the list of devices");
    clup_status status = clup_fork_before();
    if (status == CLUP_OK) {
        clup_cl_lock();
        status = add_platforms(list);
        clup_cl_unlock();
    }
    if (status == CLUP_OK)
        *out = list;
    else
        clup_device_list_free(list);
    return status;
}

void clup_device_list_free(clup_device_list *list)
{
    if (list == NULL)
        return;
    for (size_t k = 0; k < list->count; k++)
        clup_device_clear(&list->devices[k]);
    for (size_t k = 0; k < list->platform_count; k++) {
        free((char *)list->platforms[k].name);
        free((char *)list->platforms[k].vendor);
        free((char *)list->platforms[k].version);
        free((char *)list->platforms[k].error);
    }
    free(list->devices);
    free(list->platforms);
    free(list);
}

size_t clup_device_count(const clup_device_list *list)
{
    return list != NULL ? list->count : 0;
}

const clup_device_info *clup_device_get(const clup_device_list *list, size_t device)
{
    return device < clup_device_count(list) ? &list->devices[device].info : NULL;
}

size_t clup_platform_count(const clup_device_list *list)
{
    return list != NULL ? list->platform_count : 0;
}

const clup_platform_info *clup_platform_get(const clup_device_list *list, size_t platform)
{
    return platform < clup_platform_count(list) ? &list->platforms[platform] : NULL;
}
