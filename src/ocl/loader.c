/* SPDX-License-Identifier: BSD-3-Clause */
/* With --enable-opencl-dlopen: functions of OpenCL that call those of the ICD loader, which is
 * loaded once, by the first of them. Without it, each returns CL_PLATFORM_NOT_FOUND_KHR. */
#include "config.h"

#include "ocl/loader.h"

#include <stddef.h>

#ifdef CLUP_OPENCL_DLOPEN

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ocl/opencl.h"

#define NO_LOADER (-1001) /* CL_PLATFORM_NOT_FOUND_KHR */

/* Pointers to the loader's functions, NULL while it is not loaded. */
#define CALL(name, parameters, arguments) cl_int(CL_API_CALL *name) parameters;
#define MAKE(type, name, parameters, arguments) type(CL_API_CALL *name) parameters;
static struct {
#include "ocl/loader.def"
} of_loader;
#undef CALL
#undef MAKE

/* Where each function goes. */
#define CALL(name, parameters, arguments) {#name, offsetof(__typeof__(of_loader), name)},
#define MAKE(type, name, parameters, arguments) CALL(name, parameters, arguments)
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#include "ocl/loader.def"
};
#undef CALL
#undef MAKE

#ifdef __APPLE__
static const char *const names[] = {"/System/Library/Frameworks/OpenCL.framework/OpenCL"};
#else
/* The second comes with drivers that need no loader, and with the headers. */
static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so"};
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[512];

static void *open_one(const char *name)
{
    void *loader = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (loader == NULL && reason[0] == '\0') {
        const char *error = dlerror();
        snprintf(reason, sizeof reason, "%s", error != NULL ? error : name);
    }
    return loader;
}

static void load(void)
{
    const char *given = getenv("CLUP_OPENCL_LIBRARY");
    void *loader = NULL;
    if (given != NULL && given[0] != '\0')
        loader = open_one(given);
    else
        for (size_t k = 0; loader == NULL && k < sizeof names / sizeof *names; k++)
            loader = open_one(names[k]);
    if (loader == NULL)
        return;
    void *found[sizeof functions / sizeof *functions];
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if ((found[k] = dlsym(loader, functions[k].name)) == NULL) {
            snprintf(reason, sizeof reason, "it has no %s, which is of OpenCL 1.2",
                     functions[k].name);
            dlclose(loader);
            return;
        }
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        *(void **)((char *)&of_loader + functions[k].offset) = found[k];
    reason[0] = '\0';
}

const char *clup_cl_loader_error(void)
{
    pthread_once(&once, load);
    return reason[0] != '\0' ? reason : NULL;
}

static void *made_nothing(cl_int *code)
{
    if (code != NULL)
        *code = NO_LOADER;
    return NULL;
}

#define CALL(name, parameters, arguments) \
    cl_int CL_API_CALL name parameters \
    { \
        pthread_once(&once, load); \
        return of_loader.name != NULL ? of_loader.name arguments : NO_LOADER; \
    }
#define MAKE(type, name, parameters, arguments) \
    type CL_API_CALL name parameters \
    { \
        pthread_once(&once, load); \
        return of_loader.name != NULL ? of_loader.name arguments : made_nothing(code); \
    }
#include "ocl/loader.def"

#else

const char *clup_cl_loader_error(void)
{
    return NULL;
}

#endif
