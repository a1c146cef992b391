/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps large values until the program ends, each once. */
#include "core/kept.h"

#include <stdlib.h>
#include <string.h>

static clup_kept *find(const clup_keeper *keeper, const char *id)
{
    clup_kept *kept = keeper->first;
    while (kept != NULL && strcmp(kept->id, id) != 0)
        kept = kept->next;
    return kept;
}

static void link_in(clup_keeper *keeper, clup_kept *value)
{
    value->next = keeper->first;
    keeper->first = value;
}

clup_kept *clup_kept_of_id(clup_keeper *keeper, const char *id)
{
    if (strlen(id) != sizeof keeper->first->id - 1 || strspn(id, "0123456789abcdef") != strlen(id))
        return NULL;
    pthread_mutex_lock(&keeper->lock);
    clup_kept *kept = find(keeper, id);
    if (kept == NULL && (kept = calloc(1, keeper->size)) != NULL) {
        strcpy(kept->id, id);
        link_in(keeper, kept);
    }
    pthread_mutex_unlock(&keeper->lock);
    return kept;
}

clup_kept *clup_kept_find(clup_keeper *keeper, const char *id)
{
    pthread_mutex_lock(&keeper->lock);
    clup_kept *const kept = find(keeper, id);
    pthread_mutex_unlock(&keeper->lock);
    return kept;
}

clup_kept *clup_kept_add(clup_keeper *keeper, clup_kept *value)
{
    pthread_mutex_lock(&keeper->lock);
    clup_kept *kept = find(keeper, value->id);
    value->known = true;
    if (kept == NULL) {
        link_in(keeper, value);
        kept = value;
    } else if (!kept->known) {
        clup_kept *const next = kept->next;
        memcpy(kept, value, keeper->size);
        kept->next = next;
        memset(value, 0, keeper->size);
    }
    pthread_mutex_unlock(&keeper->lock);
    return kept;
}

bool clup_kept_is_known(clup_keeper *keeper, const clup_kept *value)
{
    pthread_mutex_lock(&keeper->lock);
    const bool known = value->known;
    pthread_mutex_unlock(&keeper->lock);
    return known;
}
