/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes edges from arrays of the host. */
#include <inttypes.h>
#include <pthread.h>

#include "base/dtype.h"
#include "base/status.h"
#include "base/watch.h"
#include "base/workers.h"
#include "graph/components.h"

/* Edges that a thread takes at a time. */
#define SHARE ((uint64_t)1 << 16)

/* Returns number k of an array. Negative numbers are larger than any vertex. */
static inline uint64_t number_at(const void *numbers, clup_dtype dtype, uint64_t k)
{
    switch (dtype) {
    case CLUP_DTYPE_U32: return ((const uint32_t *)numbers)[k];
    case CLUP_DTYPE_I32: return (uint64_t)(int64_t)((const int32_t *)numbers)[k];
    default: return ((const uint64_t *)numbers)[k];
    }
}

clup_status clup_ends_check(const clup_ends *ends)
{
    uint64_t before = 0;
    if (ends->dtype != CLUP_DTYPE_U32 && ends->dtype != CLUP_DTYPE_I32 &&
        ends->dtype != CLUP_DTYPE_U64 && ends->dtype != CLUP_DTYPE_I64)
        return clup_fail(CLUP_ERROR_USAGE,
                         "numbers of vertices are integers of 32 or 64 bits, not %s",
                         ends->dtype > CLUP_DTYPE_NONE && ends->dtype < CLUP_DTYPES
                             ? clup_dtype_name(ends->dtype)
                             : "of an unknown type");
    for (uint64_t v = 0; ends->starts != NULL && v <= ends->vertices; v++) {
        const uint64_t start = number_at(ends->starts, ends->dtype, v);
        if (start < before || (v == 0 && start > 0) || start > INT64_MAX)
            return clup_fail(CLUP_ERROR_USAGE,
                             "the edges of vertex %" PRIu64 " start at %" PRIi64 ", not %s", v,
                             (int64_t)start, v == 0 ? "at 0" : "after those before");
        before = start;
    }
    return CLUP_OK;
}

uint64_t clup_ends_count(const clup_ends *ends)
{
    return number_at(ends->starts, ends->dtype, ends->vertices);
}

/* Returns the row of edge e: the last vertex whose edges do not start after e. */
static uint64_t row_of(const clup_ends *ends, uint64_t e)
{
    uint64_t row = 0, above = ends->vertices;
    while (above - row > 1) {
        const uint64_t middle = row + (above - row) / 2;
        if (number_at(ends->starts, ends->dtype, middle) <= e)
            row = middle;
        else
            above = middle;
    }
    return row;
}

/* Both ends of edge e. For rows, row is that of the edge. */
static void ends_of(const clup_ends *ends, uint64_t e, uint64_t row, uint64_t *a, uint64_t *b)
{
    const bool pairs = ends->starts == NULL;
    *a = pairs ? number_at(ends->ends, ends->dtype, 2 * e) : row;
    *b = number_at(ends->ends, ends->dtype, pairs ? 2 * e + 1 : e);
}

/* Writes edges first to last - 1, and returns the first one that has an end which is no vertex;
 * last for none. */
static uint64_t take(const clup_ends *ends, uint64_t first, uint64_t last, uint32_t (*pairs)[2])
{
    uint64_t row = ends->starts != NULL && first < last ? row_of(ends, first) : 0, a, b;
    for (uint64_t e = first; e < last; e++) {
        while (ends->starts != NULL && number_at(ends->starts, ends->dtype, row + 1) <= e)
            row++;
        ends_of(ends, e, row, &a, &b);
        if (a >= ends->vertices || b >= ends->vertices)
            return e;
        pairs[e - first][0] = (uint32_t)a;
        pairs[e - first][1] = (uint32_t)b;
    }
    return last;
}

/* Edges that threads take together. */
typedef struct taking {
    const clup_ends *ends;
    uint64_t first, count;
    uint32_t (*pairs)[2];
    uint64_t next;  /* the first that no thread has */
    uint64_t wrong; /* the first that has an end which is no vertex */
    pthread_mutex_t lock;
} taking;

static clup_status work(void *user, unsigned worker)
{
    taking *taking = user;
    (void)worker;
    for (;;) {
        pthread_mutex_lock(&taking->lock);
        const uint64_t from = taking->next,
                       to = taking->count - from < SHARE ? taking->count : from + SHARE;
        taking->next = to;
        pthread_mutex_unlock(&taking->lock);
        if (from == to)
            return CLUP_OK;
        const uint64_t last = taking->first + to,
                       wrong = take(taking->ends, taking->first + from, last, taking->pairs + from);
        if (wrong == last)
            continue;
        pthread_mutex_lock(&taking->lock);
        if (wrong < taking->wrong)
            taking->wrong = wrong;
        pthread_mutex_unlock(&taking->lock);
    }
}

clup_status clup_ends_take(const clup_ends *ends, uint64_t first, uint64_t count,
                           uint32_t (*pairs)[2])
{
    taking taking = {.ends = ends,
                     .first = first,
                     .count = count,
                     .pairs = pairs,
                     .wrong = UINT64_MAX,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    const uint64_t shares = (count - 1) / SHARE + 1, processors = clup_processors();
    const clup_status status = clup_workers_run(
        (unsigned)(shares < processors ? shares : processors), work, &taking);
    if (status != CLUP_OK || taking.wrong == UINT64_MAX)
        return status;
    uint64_t a, b;
    const uint64_t wrong = taking.wrong;
    ends_of(ends, wrong, ends->starts != NULL ? row_of(ends, wrong) : 0, &a, &b);
    const uint64_t end = a >= ends->vertices ? a : b;
    const char *const sign = ends->dtype != CLUP_DTYPE_U64 && end > INT64_MAX ? "-" : "";
    return clup_fail(CLUP_ERROR_USAGE,
                     "edge %" PRIu64 " has the vertex %s%" PRIu64 ", and there are %" PRIu64
                     ", from 0 on",
                     wrong, sign, *sign != '\0' ? -end : end, ends->vertices);
}
