/* SPDX-License-Identifier: BSD-3-Clause */
/* Picks a device by a selector, with a table of ways to match that are tried in order. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "ocl/devices.h"

typedef int matcher(const clup_device_info *info, const char *selector);

static int by_index(const clup_device_info *info, const char *selector)
{
    char text[32];
    snprintf(text, sizeof text, "%u:%u", info->platform_index, info->device_index);
    return strcmp(text, selector) == 0;
}

static int by_type(const clup_device_info *info, const char *selector)
{
    return strcasecmp(info->type, selector) == 0;
}

static int by_pci(const clup_device_info *info, const char *selector)
{
    return info->pci[0] != '\0' && strcasecmp(info->pci, selector) == 0;
}

/* Matches a UUID with or without dashes. */
static int by_uuid(const clup_device_info *info, const char *selector)
{
    char digits[33];
    size_t count = 0;
    for (; *selector != '\0'; selector++) {
        if (*selector == '-')
            continue;
        if (!isxdigit((unsigned char)*selector) || count == 32)
            return 0;
        digits[count++] = (char)tolower((unsigned char)*selector);
    }
    digits[count] = '\0';
    return count == 32 && strcmp(digits, info->uuid) == 0;
}

static int by_name(const clup_device_info *info, const char *selector)
{
    return clup_text_contains(info->name, selector) || clup_text_contains(info->platform, selector);
}

/* "1:0" is always an index and "gpu" always a type, even if a name contains them. */
static int is_index(const char *selector)
{
    return selector[strspn(selector, "0123456789:")] == '\0' &&
           strchr(selector, ':') == strrchr(selector, ':') && strchr(selector, ':') != NULL;
}

static int is_type(const char *selector)
{
    return strcasecmp(selector, "gpu") == 0 || strcasecmp(selector, "cpu") == 0 ||
           strcasecmp(selector, "accelerator") == 0;
}

static int find(const clup_device_list *list, matcher *match, const char *selector, size_t *device)
{
    for (*device = 0; *device < list->count; ++*device)
        if (match(&list->devices[*device].info, selector))
            return 1;
    return 0;
}

static clup_status no_match(const clup_device_list *list, const char *selector, const char *origin)
{
    clup_text found = {0};
    for (size_t k = 0; k < list->count; k++) {
        const clup_device_info *info = &list->devices[k].info;
        clup_text_add(&found, "%s%u:%u %s", k > 0 ? ", " : "", info->platform_index,
                      info->device_index, info->name);
    }
    clup_fail(CLUP_ERROR_NO_DEVICE, "no device matches '%s'%s; there is %s", selector, origin,
              found.data ? found.data : "none");
    clup_text_free(&found);
    return CLUP_ERROR_NO_DEVICE;
}

clup_status clup_device_find(const clup_device_list *list, const char *selector, size_t *device)
{
    const char *origin = "";
    CLUP_NEED(list);
    CLUP_NEED(device);
    if (selector == NULL || *selector == '\0') {
        selector = getenv("CLUP_DEVICE");
        origin = ", which CLUP_DEVICE in the environment asks for";
    }
    if (selector == NULL || *selector == '\0') {
        static const char *const preferred[] = {"gpu", "accelerator", "cpu"};
        for (size_t k = 0; k < 3; k++)
            if (find(list, by_type, preferred[k], device))
                return CLUP_OK;
        *device = 0;
        return CLUP_OK;
    }
    if (is_index(selector))
        return find(list, by_index, selector, device) ? CLUP_OK : no_match(list, selector, origin);
    if (selector[strspn(selector, "0123456789")] == '\0')
        return clup_fail(CLUP_ERROR_NO_DEVICE,
                         "device '%s'%s is a number alone: give platform and device, as in %s:0",
                         selector, *origin != '\0' ? " of CLUP_DEVICE in the environment" : "",
                         selector);
    if (is_type(selector))
        return find(list, by_type, selector, device) ? CLUP_OK : no_match(list, selector, origin);
    if (find(list, by_pci, selector, device) || find(list, by_uuid, selector, device) ||
        find(list, by_name, selector, device))
        return CLUP_OK;
    return no_match(list, selector, origin);
}
