/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL devices, their properties, and contexts on them. */
#ifndef CLUP_DEVICE_H
#define CLUP_DEVICE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices --------------------------------------------------------------------------------- */

/* A device. Its strings belong to the list or context that it came from, and are "" where they are
 * not known. */
typedef struct clup_device_info {
    unsigned platform_index, device_index; /* P and D of the selector "P:D" */
    const char *name, *platform, *vendor, *driver;
    const char *type; /* "gpu", "accelerator", "cpu" or "other"; "host" for the serial reference */
    const char *uuid; /* 32 hexadecimal digits */
    const char *pci;  /* domain:bus:device.function */
    unsigned compute_units;
    uint64_t local_mem_bytes;
    const char *error; /* the first query that failed, such as
                          "clGetDeviceInfo(CL_DEVICE_NAME): CL_OUT_OF_RESOURCES (-5)"; no context
                          can be made for such a device. "" for none */
} clup_device_info;

/* A platform. Its strings belong to the list. */
typedef struct clup_platform_info {
    const char *name, *vendor, *version;
    size_t devices;    /* how many it has; may be 0 */
    const char *error; /* why it does not list its devices; "" for none */
} clup_platform_info;

/* All devices of all platforms, in the order of the OpenCL loader. */
typedef struct clup_device_list clup_device_list;

/* Lists the devices. Release *out by clup_device_list_free. Returns CLUP_ERROR_NO_DEVICE when there
 * is no platform or no device; the detail names the platforms and says what to install. */
CLUP_API clup_status clup_device_list_create(clup_device_list **out);
CLUP_API void clup_device_list_free(clup_device_list *list);

/* Return the number of devices, and device number device, which belongs to the list; NULL past the
 * end. */
CLUP_API size_t clup_device_count(const clup_device_list *list);
CLUP_API const clup_device_info *clup_device_get(const clup_device_list *list, size_t device);

/* Return the number of platforms, and platform number platform, which belongs to the list; NULL
 * past the end. The number is the P of the selector "P:D". */
CLUP_API size_t clup_platform_count(const clup_device_list *list);
CLUP_API const clup_platform_info *clup_platform_get(const clup_device_list *list, size_t platform);

/* Finds the device that a selector names.
 *
 *   selector  "P:D", "gpu", "cpu", "accelerator", a UUID, a PCI address, or part of the name of a
 *             device or platform, in upper or lower case. NULL and "" stand for CLUP_DEVICE of the
 *             environment; where that is not set, for the first GPU, else the first accelerator,
 *             else the first CPU
 *   device    its number in the list
 *
 * Returns CLUP_ERROR_NO_DEVICE when no device matches. */
CLUP_API clup_status clup_device_find(const clup_device_list *list, const char *selector,
                                      size_t *device);

/* What the value of a property is. */
typedef enum clup_value_kind {
    CLUP_VALUE_NONE,
    CLUP_VALUE_TEXT,
    CLUP_VALUE_NUMBER,
    CLUP_VALUE_LIST,
    CLUP_VALUE_FLAG
} clup_value_kind;

/* One property of a device. */
typedef struct clup_property {
    const char *key;   /* a name for programs, such as "max_work_group_size" */
    const char *label; /* a name for people */
    const char *unit;  /* "B", "MHz" and the like; "" for none */
    clup_value_kind kind;
    char text[256];     /* of CLUP_VALUE_TEXT */
    uint64_t number[8]; /* CLUP_VALUE_NUMBER and _FLAG are number[0], _LIST is number[count] */
    unsigned count;
    uint64_t reserved[4];
} clup_property;

/* Returns how many properties the library knows. */
CLUP_API size_t clup_property_count(void);

/* Queries property number row of a device. kind becomes CLUP_VALUE_NONE when the property does not
 * apply to the device; then key is NULL when there is no such row or device. Returns
 * CLUP_ERROR_MEMORY when the host has no memory for the query. */
CLUP_API clup_status clup_device_property(const clup_device_list *list, size_t device, size_t row,
                                          clup_property *property);

/* ---- context --------------------------------------------------------------------------------- */

/* A device that is opened: an OpenCL context, and a queue that executes in order. */
typedef struct clup_context clup_context;

/* Opens a device. selector is that of clup_device_find. Release *context by clup_context_free,
 * after all that was made with it. Returns the status of clup_device_find; for a device that has an
 * error, the status of that error. */
CLUP_API clup_status clup_context_create(const char *selector, clup_context **context);

struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
/* Makes a context of OpenCL objects of the caller: cl_context, cl_device_id and cl_command_queue.
 * They are retained until clup_context_free. Times by device events need a queue with
 * CL_QUEUE_PROFILING_ENABLE.
 *
 * Returns CLUP_ERROR_USAGE for a queue of another context or device, and for one that executes out
 * of order; for a device that has an error, the status of that error. */
CLUP_API clup_status clup_context_adopt(struct _cl_context *handle, struct _cl_device_id *device,
                                        struct _cl_command_queue *queue, clup_context **context);
CLUP_API void clup_context_free(clup_context *context);

/* Returns the device, which belongs to the context. */
CLUP_API const clup_device_info *clup_context_device(const clup_context *context);

/* Returns what the user should know, "" for nothing. Such are a folder in which built kernels are
 * not kept since others can write to it, and the warning of the plan that labelled the last
 * image. */
CLUP_API const char *clup_context_warning(const clup_context *context);

#ifdef __cplusplus
}
#endif

#endif
