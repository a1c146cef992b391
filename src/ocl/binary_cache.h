/* Built programs kept between runs, under CLUP_CACHE_DIR, XDG_CACHE_HOME/clup or ~/.cache/clup. Whatever is wrong with
 * an entry only means that it is built again. */
#ifndef CLUP_OCL_BINARY_CACHE_H
#define CLUP_OCL_BINARY_CACHE_H
#include "base/text.h"
#include "ocl/context.h"

/* On unless the platform caches by itself; CLUP_CACHE=1 and CLUP_CACHE=0 decide otherwise. */
bool clup_binary_cache_enabled(const clup_context *context);
/* Hash of all that the binary depends on: source, options, platform, device, driver and the version of clup. */
void clup_binary_cache_key(const clup_context *context, const clup_text *source, const char *options, char key[65]);
/* A built program, or NULL. */
cl_program clup_binary_cache_load(clup_context *context, const char *key, const char *options);
void clup_binary_cache_store(cl_program program, const char *key);

#endif
