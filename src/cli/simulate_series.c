/* The series of clup simulate --series: what the file says, and when it is written. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cli/paths.h"
#include "cli/simulate.h"

/* Writing takes no more of the time than 1 part in so many. */
#define COST 50

static struct {
    const simulate_wish *wish; /* NULL where no series are to be written */
    clup_simulation *simulation;
    clup_record *record;
    double next_s; /* when it is written again */
    int failed;    /* that it was not is said once before the end */
} series;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int simulate_series_check(const simulate_wish *wish)
{
    if (wish->series == NULL)
        return 0;
    const int hdf5 = cli_has_extension(wish->series, ".h5");
    if (!hdf5 && !cli_has_extension(wish->series, ".csv"))
        return cli_usage_error("--series '%s': the extension is not .h5 or .csv", wish->series);
    if (hdf5 && clup_hdf5_version() == NULL)
        return cli_usage_error("--series '%s': this clup was built without HDF5; there is .csv",
                               wish->series);
    if (wish->save_spins != NULL && cli_same_file(wish->series, wish->save_spins))
        return cli_usage_error("--series and --save-spins are the same file, '%s'", wish->series);
    return 0;
}

/* The distance from one measured sweep to the next. */
static uint64_t distance(const simulate_wish *wish)
{
    return wish->measure_every;
}

static clup_status set_whole(const char *key, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return clup_record_set(series.record, key, text);
}

static clup_status set_real(const char *key, double number)
{
    char text[32];
    return clup_record_set(series.record, key, clup_number_text(number, text));
}

static clup_status describe_method(const simulate_wish *wish)
{
    const clup_method *method = &wish->method;
    clup_status status = clup_record_set(series.record, "algorithm",
                                         clup_algorithm_name(method->algorithm));
    if (status == CLUP_OK && method->algorithm == CLUP_FEW_CLUSTER &&
        (status = set_whole("seeds_per_side", method->seeds_per_side)) == CLUP_OK)
        status = set_real("p_flip", method->p_flip);
    if (status == CLUP_OK)
        status = clup_record_set(series.record, "rng",
                                 method->rng != NULL ? method->rng : clup_rng_name(0));
    return status;
}

static clup_status describe_plan(const clup_plan *plan)
{
    char tile[64];
    snprintf(tile, sizeof tile, "%ux%ux%u", plan->tile[0], plan->tile[1], plan->tile[2]);
    const char *const texts[][2] = {
        {"source", plan->source}, {"local", plan->local}, {"consolidate", plan->consolidate},
        {"action", plan->action}, {"bonds", plan->bonds}, {"tile", tile},
        {"plan", plan->why},
    };
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof texts / sizeof *texts && status == CLUP_OK; k++)
        if (texts[k][1] != NULL)
            status = clup_record_set(series.record, texts[k][0], texts[k][1]);
    return status;
}

/* All that the run was asked for, and what ran it. */
static clup_status describe(const simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    const clup_device_info *device = &result->device;
    const char *const texts[][2] = {
        {"version", clup_version()},
        {"start", wish->start == CLUP_START_RANDOM ? "random" : "ordered"},
        {"device", device->name},
        {"platform", device->platform},
        {"driver", device->driver},
    };
    const struct {
        const char *key;
        uint64_t number;
    } numbers[] = {
        {"seed", wish->seed},
        {"sweeps", wish->sweeps},
        {"thermalize", wish->thermalize},
        {"first_sweep", result->thermalize + distance(result->wish)},
        {"every", distance(result->wish)},
    };
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof texts / sizeof *texts && status == CLUP_OK; k++)
        status = clup_record_set(series.record, texts[k][0], texts[k][1]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == CLUP_OK; k++)
        status = set_whole(numbers[k].key, numbers[k].number);
    if (status == CLUP_OK)
        status = describe_method(wish);
    return status == CLUP_OK ? describe_plan(&result->plan) : status;
}

clup_status simulate_series_begin(clup_simulation *simulation, const simulate_result *result)
{
    if (result->wish->series == NULL)
        return CLUP_OK;
    clup_status status = clup_record_create(&result->wish->problem, &series.record);
    if (status == CLUP_OK)
        status = describe(result);
    if (status != CLUP_OK)
        return status;
    series.wish = result->wish;
    series.simulation = simulation;
    series.next_s = now_s() + result->wish->save_every;
    return CLUP_OK;
}

static clup_status save(void)
{
    const double start = now_s();
    clup_status status = clup_record_take(series.record, series.simulation);
    if (status == CLUP_OK)
        status = clup_record_write(series.record, series.wish->series);
    const double end = now_s(), pause = COST * (end - start);
    series.next_s = end + (pause > series.wish->save_every ? pause : series.wish->save_every);
    return status;
}

/* A failure on the way, such as a disk that is full for a while, does not end the run. */
int simulate_series_progress(uint64_t done, uint64_t sweeps, void *unused)
{
    (void)unused;
    if (series.wish == NULL || done == sweeps || now_s() < series.next_s)
        return 0;
    if (save() != CLUP_OK && !series.failed) {
        series.failed = 1;
        cli_clear();
        cli_warn(clup_error_detail());
    }
    return 0;
}

clup_status simulate_series_end(const simulate_result *result)
{
    const uint32_t systems = clup_record_systems(series.record);
    clup_status status = CLUP_OK;
    if (series.wish == NULL)
        return CLUP_OK;
    for (uint32_t r = 0; r < systems && status == CLUP_OK; r++)
        status = clup_record_set_spins(series.record, r, result->replicas[r].spins_sha256);
    /* an earlier file is worth more than one without values */
    if (status == CLUP_OK && result->sweeps > 0)
        status = save();
    clup_record_free(series.record);
    series.record = NULL;
    series.wish = NULL;
    return status;
}
