/* OpenCL devices and their properties, and contexts on them. */
#ifndef CLUP_DEVICE_H
#define CLUP_DEVICE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device as found. Strings belong to the list or context it came from; "" where not known. */
typedef struct clup_device_info {
    unsigned platform_index, device_index; /* the P:D of a selector */
    const char *name, *platform, *vendor, *driver;
    const char *type; /* "gpu", "accelerator", "cpu" or "other"; "host" for the serial reference */
    const char *uuid; /* 32 hexadecimal digits */
    const char *pci;  /* domain:bus:device.function */
    unsigned compute_units;
    uint64_t local_mem_bytes;
    const char *error; /* the first query that failed, for which no context can be made, such as
                          "clGetDeviceInfo(CL_DEVICE_NAME): CL_OUT_OF_RESOURCES (-5)" */
} clup_device_info;

typedef struct clup_device_list clup_device_list;

/* All devices of all platforms, in the loader's order. CLUP_ERROR_NO_DEVICE when there is no
 * platform or no device; the detail names the platforms, and says what to install. */
CLUP_API clup_status clup_device_list_create(clup_device_list **out);
CLUP_API void clup_device_list_free(clup_device_list *list);
CLUP_API size_t clup_device_count(const clup_device_list *list);
CLUP_API const clup_device_info *clup_device_get(const clup_device_list *list, size_t device);
/* A platform as found; strings belong to the list. */
typedef struct clup_platform_info {
    const char *name, *vendor, *version;
    size_t devices;    /* may be 0 */
    const char *error; /* why it does not tell its devices, "" for nothing */
} clup_platform_info;

/* The platforms; the number of one is the P of a selector. */
CLUP_API size_t clup_platform_count(const clup_device_list *list);
CLUP_API const clup_platform_info *clup_platform_get(const clup_device_list *list, size_t platform);
/* Index of the device that selector picks: "P:D", "gpu", "cpu", "accelerator", a UUID, a PCI
 * address, or part of a device's or platform's name, compared without case. NULL or "" takes
 * CLUP_DEVICE from the environment and without it the first GPU, else the first accelerator, else
 * the first CPU. CLUP_ERROR_NO_DEVICE when nothing matches. */
CLUP_API clup_status clup_device_find(const clup_device_list *list, const char *selector,
                                      size_t *device);

typedef enum clup_value_kind {
    CLUP_VALUE_NONE,
    CLUP_VALUE_TEXT,
    CLUP_VALUE_NUMBER,
    CLUP_VALUE_LIST,
    CLUP_VALUE_FLAG
} clup_value_kind;

/* One property of a device, from the library's table of properties. */
typedef struct clup_property {
    const char *key;   /* a name for programs, such as "max_work_group_size" */
    const char *label; /* a name for people */
    const char *unit;  /* "B", "MHz", ...; "" for none */
    clup_value_kind kind;
    char text[256];     /* CLUP_VALUE_TEXT */
    uint64_t number[8]; /* NUMBER and FLAG in number[0], LIST in number[0..count-1] */
    unsigned count;
    uint64_t reserved[4];
} clup_property;

/* How many properties the table has. */
CLUP_API size_t clup_property_count(void);
/* Property row of a device; kind CLUP_VALUE_NONE when it does not apply to that device, with key
 * NULL when there is no such row or device. CLUP_ERROR_MEMORY when there is none to ask the device
 * with, else CLUP_OK. */
CLUP_API clup_status clup_device_property(const clup_device_list *list, size_t device, size_t row,
                                          clup_property *property);

typedef struct clup_context clup_context;

/* A context and an in-order queue on the device that selector picks, see clup_device_find. Of a
 * device that has an error, that is the status, here and below. */
CLUP_API clup_status clup_context_create(const char *selector, clup_context **context);
/* The same with an OpenCL context, device and in-order queue of the caller's (cl_context,
 * cl_device_id, cl_command_queue), which are retained until clup_context_free. CLUP_ERROR_USAGE for
 * a queue of another context or device, or one that executes out of order. Device times need a
 * queue with CL_QUEUE_PROFILING_ENABLE. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
CLUP_API clup_status clup_context_adopt(struct _cl_context *handle, struct _cl_device_id *device,
                                        struct _cl_command_queue *queue, clup_context **context);
CLUP_API void clup_context_free(clup_context *context);
CLUP_API const clup_device_info *clup_context_device(const clup_context *context);
/* What the user should know, such as a folder that built kernels are not kept in, for it is not the
 * user's alone, or the warning of the plan by which an image was labelled last; "" for nothing. */
CLUP_API const char *clup_context_warning(const clup_context *context);

#ifdef __cplusplus
}
#endif

#endif
