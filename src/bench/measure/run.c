/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a suite. */
#include "bench/measure/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/point.h"
#include "bench/result.h"
#include "bench/same.h"
#include "bench/status.h"

/* ---- the document ---------------------------------------------------------------------------- */

static json_t *device_object(const clup_device_info *device)
{
    return json_pack("{s:s s:s s:s s:s s:s s:I s:I}", "name", device->name, "platform",
                     device->platform, "vendor", device->vendor, "driver", device->driver, "type",
                     device->type, "compute_units", (json_int_t)device->compute_units,
                     "local_mem_bytes", (json_int_t)device->local_mem_bytes);
}

static json_t *options_object(const bench_order *order)
{
    json_t *sizes = order->size_count > 0 ? json_array() : json_null();
    for (size_t k = 0; k < order->size_count; k++)
        json_array_append_new(sizes, json_integer((json_int_t)order->sizes[k]));
    return json_pack("{s:s s:b s:o s:i}", "suite", order->suite, "quick", (int)order->quick,
                     "sizes", sizes, "seed", 1);
}

/* Makes a result without points. */
static json_t *document(const clup_context *context, const bench_order *order)
{
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_pack("{s:s s:s s:s s:o s:o s:o s:[]}", "schema", BENCH_SCHEMA, "version",
                     clup_version(), "created", date, "device",
                     device_object(clup_context_device(context)), "host", bench_host(), "options",
                     options_object(order), "points");
}

/* Validates that a result is of the present version, device, host and options; the error detail
 * names a difference. */
static clup_status check_same(const char *path, const json_t *root, const json_t *fresh)
{
    static const char *const parts[] = {"version", "device", "host", "options"};
    char how[512];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (bench_differ(json_object_get(root, parts[k]), json_object_get(fresh, parts[k]),
                         parts[k], " there, and ", how, sizeof how))
            return bench_fail(CLUP_ERROR_USAGE, "%s is of another run: %s now", path, how);
    return CLUP_OK;
}

/* Removes points that failed; returns how many are left. */
static size_t keep_measured(json_t *points)
{
    for (size_t k = json_array_size(points); k-- > 0;)
        if (json_object_get(json_array_get(points, k), "error") != NULL)
            json_array_remove(points, k);
    return json_array_size(points);
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Makes a folder, whose parent must exist, and holds it against other processes until *lock is
 * closed. */
static clup_status take_folder(const char *folder, int *lock)
{
    char path[4096];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", folder, strerror(errno));
    snprintf(path, sizeof path, "%s/.lock", folder);
    *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*lock < 0)
        return bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return CLUP_OK;
    const clup_status status = errno == EWOULDBLOCK
                                   ? bench_fail(CLUP_ERROR_RUNTIME,
                                                "%s: another clup bench is writing there", folder)
                                   : bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path,
                                                strerror(errno));
    close(*lock);
    *lock = -1;
    return status;
}

static clup_status open_result(const char *path, const clup_context *context,
                               const bench_order *order, json_t **root)
{
    clup_status status = CLUP_OK;
    json_t *fresh = document(context, order);
    *root = NULL;
    if (fresh == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the result");
    if (access(path, F_OK) != 0) {
        *root = fresh;
        return CLUP_OK;
    }
    status = bench_result_load(path, root);
    if (status == CLUP_OK)
        status = check_same(path, *root, fresh);
    json_decref(fresh);
    if (status != CLUP_OK) {
        json_decref(*root);
        *root = NULL;
    }
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Whether a point has all values that it must have: jansson omits what it has no memory for. */
static bool is_whole(const json_t *object)
{
    static const char *const keys[] = {"suite",   "id",   "curve", "x",
                                       "problem", "plan", "bytes", "bandwidth_fraction"};
    int rate;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (json_object_get(object, keys[k]) == NULL)
            return false;
    return json_object_get(object, "error") != NULL || bench_leading(object, &rate) != NULL;
}

/* Measures one point. Its failure becomes the point's error, unless the failure must end the
 * run. */
static clup_status measure(bench_run *run, const bench_point *point, json_t *points, size_t *failed)
{
    json_t *object = json_pack("{s:s s:s s:s s:f s:{s:s} s:n s:n s:n}", "suite", point->suite, "id",
                               point->id, "curve", point->curve, "x", point->x, "problem", "model",
                               "device", "plan", "bytes", "bandwidth_fraction");
    if (object == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a point");
    const clup_status status = point->measure(run, point, object);
    if (status == CLUP_INTERRUPTED) {
        json_decref(object);
        return status;
    }
    if (status != CLUP_OK) {
        char text[512];
        snprintf(text, sizeof text, "%s: %s", clup_status_text(status), bench_detail());
        /* a compiler's log may contain any bytes */
        for (char *byte = text; *byte != '\0'; byte++)
            if ((unsigned char)*byte < 0x20 || (unsigned char)*byte > 0x7e)
                *byte = ' ';
        json_object_set_new(object, "error", json_string(text));
        ++*failed;
    }
    if (is_whole(object) && json_array_append(points, object) == 0) {
        json_decref(object);
        return CLUP_OK;
    }
    json_decref(object);
    return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a point");
}

static clup_status measure_all(bench_run *run, const bench_list *list, const char *path,
                               bench_progress *progress, bench_outcome *outcome)
{
    json_t *points = json_object_get(outcome->root, "points");
    clup_status status = CLUP_OK;
    outcome->before = keep_measured(points);
    const json_t *copy = bench_find(outcome->root, list->points[0].id);
    run->copy = copy != NULL ? 1e9 * bench_median(copy, "copy") : NAN;
    for (size_t k = 0; k < list->count && status == CLUP_OK; k++) {
        if (bench_find(outcome->root, list->points[k].id) != NULL)
            continue;
        progress(k, list->count, list->points[k].id);
        status = run->stopped() ? bench_fail(CLUP_INTERRUPTED, "interrupted") : CLUP_OK;
        if (status == CLUP_OK)
            status = measure(run, &list->points[k], points, &outcome->failed);
        if (status == CLUP_OK)
            status = bench_result_save(path, outcome->root);
    }
    return status;
}

clup_status bench_run_suite(clup_context *context, const bench_order *order, const char *folder,
                            int (*stopped)(void), bench_progress *progress, bench_outcome *outcome)
{
    char path[4096];
    bench_list list = {0};
    int lock = -1;
    bench_run run = {.context = context,
                     .seconds = order->quick ? 0.05 : 0.25,
                     .samples = order->quick ? 50 : 560,
                     .thermalize = order->quick ? 50 : 200,
                     .stopped = stopped};
    *outcome = (bench_outcome){0};
    if (snprintf(path, sizeof path, "%s/result.json", folder) >= (int)sizeof path)
        return bench_fail(CLUP_ERROR_USAGE, "the folder's name is too long");
    clup_status status = bench_points(order, &list);
    if (status == CLUP_OK)
        status = take_folder(folder, &lock);
    if (status == CLUP_OK)
        status = open_result(path, context, order, &outcome->root);
    outcome->points = list.count;
    if (status == CLUP_OK)
        status = measure_all(&run, &list, path, progress, outcome);
    if (lock >= 0)
        close(lock);
    free(run.spins);
    free(list.points);
    return status;
}
