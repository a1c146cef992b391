/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints as HDF5, see doc/guide/checkpoints.md. */
#include "config.h"

#include "io/checkpoint.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/hdf5_read.h"
#include "io/hdf5_write.h"
#include "io/stamp.h"
#include "core/generator.h"
#include "core/problem.h"
#include "estimate/record.h"
#include "core/record.clh"

/* Bytes of the first line at most; HDF5 has a copy of it, which is hashed. */
#define FORM_LONGEST 64
static const char *form_of_file(int version, char text[FORM_LONGEST])
{
    snprintf(text, FORM_LONGEST, "%s%d", CLUP_CHECKPOINT_FORM, version);
    return text;
}

/* The version of the form that a checkpoint needs: the first that has its state and its problem. */
static int version_of(const clup_checkpoint *checkpoint)
{
    const int problem = clup_problem_version(&checkpoint->problem),
              state = checkpoint->method.houdayer + checkpoint->method.overrelaxation > 0
                          ? CLUP_CHECKPOINT_MOVES
                      : checkpoint->method.heat_bath > 0 ? CLUP_CHECKPOINT_HEAT_BATH
                      : checkpoint->tempering.every > 0  ? CLUP_CHECKPOINT_TEMPERING
                                                         : 1;
    return problem > state ? problem : state;
}

/* ---- written --------------------------------------------------------------------------------- */

typedef struct content {
    const clup_checkpoint *checkpoint;
    const clup_record *said;
} content;

static void put_problem(const hdf5_place *at, const clup_problem *problem)
{
    clup_hdf5_put_problem(at, problem);
    if (problem->betas != NULL)
        clup_hdf5_put_numbers(at, "betas", problem->betas, problem->replicas);
    else
        clup_hdf5_put_number(at, "beta", problem->beta);
}

static void put_method(const hdf5_place *at, const clup_checkpoint *checkpoint)
{
    const clup_method *method = &checkpoint->method;
    clup_hdf5_put_text(at, "algorithm", clup_algorithm_name(method->algorithm));
    clup_hdf5_put_text(at, "rng", method->rng);
    clup_hdf5_put_whole(at, "seeds_per_side", method->seeds_per_side);
    clup_hdf5_put_number(at, "p_flip", method->p_flip);
    if (method->heat_bath > 0)
        clup_hdf5_put_whole(at, "heat_bath", method->heat_bath);
    if (method->houdayer > 0)
        clup_hdf5_put_whole(at, "houdayer", method->houdayer);
    if (method->overrelaxation > 0)
        clup_hdf5_put_whole(at, "overrelaxation", method->overrelaxation);
    clup_hdf5_put_whole(at, "seed", checkpoint->seed);
}

static void put_spins(const hdf5_place *at, const clup_checkpoint *checkpoint)
{
    const clup_problem *problem = &checkpoint->problem;
    const clup_packing packing = clup_packing_of(problem);
    const hsize_t shape[] = {problem->replicas, packing.planes, packing.plane};
    clup_hdf5_put(at, "spins", H5T_STD_U8LE, H5T_NATIVE_UINT8, checkpoint->spins, 3, shape);
}

static void put_series(const hdf5_place *at, const clup_checkpoint *checkpoint)
{
    const clup_measuring *measuring = &checkpoint->measuring;
    const hsize_t shape[] = {checkpoint->measured, checkpoint->problem.replicas,
                             record_words(measuring->format)};
    clup_hdf5_put_whole(at, "format", measuring->format);
    clup_hdf5_put_whole(at, "every", measuring->every);
    clup_hdf5_put_whole(at, "before", measuring->before);
    clup_hdf5_put(at, "records", H5T_STD_U32LE, H5T_NATIVE_UINT32, checkpoint->records, 3, shape);
}

static void put_tempering(const hdf5_place *root, const clup_checkpoint *checkpoint)
{
    const hdf5_place at = clup_hdf5_inside(root, "tempering");
    const hsize_t shape[] = {checkpoint->measured, checkpoint->problem.replicas};
    const struct {
        const char *name;
        const uint32_t *narrow;
        const uint64_t *wide;
    } arrays[] = {
        {"systems", checkpoint->tempering.systems, NULL},
        {"ends", checkpoint->tempering.ends, NULL},
        {"attempts", NULL, checkpoint->tempering.attempts},
        {"accepted", NULL, checkpoint->tempering.accepted},
        {"round_trips", NULL, checkpoint->tempering.trips},
    };
    clup_hdf5_put_whole(&at, "every", checkpoint->tempering.every);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].narrow != NULL)
            clup_hdf5_put(&at, arrays[k].name, H5T_STD_U32LE, H5T_NATIVE_UINT32, arrays[k].narrow,
                          1, shape + 1);
        else
            clup_hdf5_put(&at, arrays[k].name, H5T_STD_U64LE, H5T_NATIVE_UINT64, arrays[k].wide, 1,
                          shape + 1);
    clup_hdf5_put(&at, "measured", H5T_STD_U32LE, H5T_NATIVE_UINT32,
                  checkpoint->tempering.measured_systems, 2, shape);
}

static void put_all(const hdf5_place *root, const void *of)
{
    const content *content = of;
    const clup_checkpoint *checkpoint = content->checkpoint;
    char form[FORM_LONGEST];
    const hdf5_place problem = clup_hdf5_inside(root, "problem"),
                     method = clup_hdf5_inside(root, "method"),
                     state = clup_hdf5_inside(root, "state"),
                     series = clup_hdf5_inside(root, "series"),
                     said = clup_hdf5_inside(root, "said");
    clup_hdf5_mark_text(root, "", "clup", form_of_file(version_of(checkpoint), form));
    clup_hdf5_mark_text(root, "", "version", clup_version());
    put_problem(&problem, &checkpoint->problem);
    put_method(&method, checkpoint);
    clup_hdf5_put_whole(&state, "sweeps", checkpoint->sweeps);
    put_spins(&state, checkpoint);
    put_series(&series, checkpoint);
    if (checkpoint->tempering.every > 0)
        put_tempering(root, checkpoint);
    clup_hdf5_put_said(&said, content->said);
}

clup_status clup_checkpoint_write_hdf5(const clup_checkpoint *checkpoint, const clup_record *said,
                                       const char *path)
{
    const content content = {checkpoint, said};
    hdf5_image image;
    clup_status status = clup_hdf5_make(path, put_all, &content, CLUP_STAMP, &image);
    if (status == CLUP_OK) {
        clup_stamp_write(image.bytes, image.size, CLUP_CHECKPOINT_FORM, version_of(checkpoint));
        status = clup_file_write(path, &(clup_piece){image.bytes, image.size}, 1);
    }
    free(image.bytes);
    return status;
}

/* ---- read ------------------------------------------------------------------------------------ */

static clup_status read_problem(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    static const char one[] = "/problem/beta", several[] = "/problem/betas";
    clup_problem *problem = &checkpoint->problem;
    clup_status status = clup_problem_of_words(clup_hdf5_problem_word, reader, problem);
    if (status != CLUP_OK)
        return clup_hdf5_name_file(reader, status);
    const hsize_t count = problem->replicas;
    if (H5Lexists(reader->file, one, H5P_DEFAULT) > 0)
        return clup_hdf5_read_number(reader, one, &problem->beta);
    checkpoint->betas = clup_hdf5_array_of(reader, several, H5T_NATIVE_DOUBLE, 1, &count);
    problem->betas = checkpoint->betas;
    if (checkpoint->betas == NULL)
        return clup_hdf5_missing(reader, several);
    problem->beta = *checkpoint->betas;
    return CLUP_OK;
}

static clup_status read_method(hdf5_reader *reader, int version, clup_checkpoint *checkpoint)
{
    clup_method *method = &checkpoint->method;
    const clup_generator *rng;
    uint64_t seeds;
    clup_status status;
    const char *text = clup_hdf5_text(reader, "/method/algorithm");
    while (text != NULL && method->algorithm < CLUP_ALGORITHMS &&
           strcmp(text, clup_algorithm_name(method->algorithm)) != 0)
        method->algorithm++;
    if (text == NULL || method->algorithm == CLUP_ALGORITHMS)
        CLUP_TRY(clup_hdf5_fail(reader, "its algorithm is '%.80s'", text != NULL ? text : ""));
    if ((text = clup_hdf5_text(reader, "/method/rng")) == NULL)
        CLUP_TRY(clup_hdf5_missing(reader, "/method/rng"));
    CLUP_TRY(clup_hdf5_name_file(reader, clup_generator_named(text, &rng)));
    method->rng = rng->name;
    CLUP_TRY(clup_hdf5_read_whole(reader, "/method/seeds_per_side", UINT32_MAX, &seeds));
    method->seeds_per_side = (unsigned)seeds;
    CLUP_TRY(clup_hdf5_read_number(reader, "/method/p_flip", &method->p_flip));
    if (version == CLUP_CHECKPOINT_HEAT_BATH ||
        H5Lexists(reader->file, "/method/heat_bath", H5P_DEFAULT) > 0) {
        uint64_t sweeps;
        CLUP_TRY(clup_hdf5_read_whole(reader, "/method/heat_bath", UINT32_MAX, &sweeps));
        method->heat_bath = (unsigned)sweeps;
    }
    if (H5Lexists(reader->file, "/method/houdayer", H5P_DEFAULT) > 0)
        CLUP_TRY(clup_hdf5_read_whole(reader, "/method/houdayer", UINT64_MAX, &method->houdayer));
    if (H5Lexists(reader->file, "/method/overrelaxation", H5P_DEFAULT) > 0)
        CLUP_TRY(clup_hdf5_read_whole(reader, "/method/overrelaxation", UINT64_MAX,
                                      &method->overrelaxation));
    CLUP_TRY(clup_hdf5_read_whole(reader, "/method/seed", UINT64_MAX, &checkpoint->seed));
done:
    return status;
}

static clup_status read_spins(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    static const char place[] = "/state/spins";
    const clup_problem *problem = &checkpoint->problem;
    const clup_packing packing = clup_packing_of(problem);
    const hsize_t shape[] = {problem->replicas, packing.planes, packing.plane};
    checkpoint->spins = clup_hdf5_array_of(reader, place, H5T_NATIVE_UINT8, 3, shape);
    return checkpoint->spins != NULL ? CLUP_OK : clup_hdf5_missing(reader, place);
}

static clup_status read_measuring(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    const struct {
        const char *place;
        uint32_t *to;
    } numbers[] = {
        {"/series/format", &checkpoint->measuring.format},
        {"/series/every", &checkpoint->measuring.every},
        {"/series/before", &checkpoint->measuring.before},
    };
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == CLUP_OK; k++) {
        uint64_t number = 0;
        status = clup_hdf5_read_whole(reader, numbers[k].place, UINT32_MAX, &number);
        *numbers[k].to = (uint32_t)number;
    }
    return status;
}

static clup_status read_records(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    static const char place[] = "/series/records";
    const hdf5_array records = clup_hdf5_array(reader, place, H5T_NATIVE_UINT32);
    checkpoint->records = records.values;
    checkpoint->measured = records.shape[0];
    if (records.values == NULL)
        return clup_hdf5_missing(reader, place);
    if (records.axes != 3 || records.shape[1] != checkpoint->problem.replicas ||
        records.shape[2] != record_words(checkpoint->measuring.format))
        return clup_hdf5_fail(reader, "its %s is of another size", place);
    return clup_hdf5_name_file(reader, clup_checkpoint_check_measured(checkpoint));
}

static clup_status read_said(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    const clup_status status = clup_record_create(&checkpoint->problem, &checkpoint->said);
    return status == CLUP_OK ? clup_hdf5_read_said(reader, checkpoint->said)
                             : clup_hdf5_name_file(reader, status);
}

static clup_status read_tempering(hdf5_reader *reader, clup_checkpoint *checkpoint)
{
    static const char *const places[] = {"/tempering/systems",  "/tempering/ends",
                                         "/tempering/measured", "/tempering/attempts",
                                         "/tempering/accepted", "/tempering/round_trips"};
    enum { PLACES = sizeof places / sizeof *places, NARROW = 3, MEASURED = 2 };
    const hsize_t shape[] = {checkpoint->measured, checkpoint->problem.replicas};
    void *found[PLACES];
    clup_status status = clup_hdf5_read_whole(reader, "/tempering/every", UINT64_MAX,
                                              &checkpoint->tempering.every);
    for (size_t k = 0; k < PLACES; k++) {
        const unsigned axes = k == MEASURED ? 2 : 1;
        found[k] = clup_hdf5_array_of(reader, places[k],
                                      k < NARROW ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64, axes,
                                      shape + 2 - axes);
        if (found[k] == NULL && status == CLUP_OK)
            status = clup_hdf5_missing(reader, places[k]);
    }
    checkpoint->tempering.systems = found[0];
    checkpoint->tempering.ends = found[1];
    checkpoint->tempering.measured_systems = found[MEASURED];
    checkpoint->tempering.attempts = found[3];
    checkpoint->tempering.accepted = found[4];
    checkpoint->tempering.trips = found[5];
    if (status == CLUP_OK && checkpoint->tempering.every == 0)
        status = clup_hdf5_fail(reader, "its systems change places every 0 sweeps");
    return status == CLUP_OK
               ? clup_hdf5_name_file(reader, clup_checkpoint_check_tempering(checkpoint))
               : status;
}

/* The checkpoint that is read, and the version in its first line. */
typedef struct reading {
    clup_checkpoint *checkpoint;
    int version;
} reading;

static clup_status read_all(hdf5_reader *reader, void *of)
{
    const reading *reading = of;
    clup_checkpoint *checkpoint = reading->checkpoint;
    clup_status status;
    char form[FORM_LONGEST];
    const char *marked = clup_hdf5_attribute(reader, "/", "clup");
    if (marked == NULL || strcmp(marked, form_of_file(reading->version, form)) != 0)
        return clup_hdf5_fail(reader, "its first line was changed");
    CLUP_TRY(read_problem(reader, checkpoint));
    CLUP_TRY(read_method(reader, reading->version, checkpoint));
    CLUP_TRY(clup_hdf5_read_whole(reader, "/state/sweeps", UINT64_MAX, &checkpoint->sweeps));
    CLUP_TRY(read_measuring(reader, checkpoint));
    CLUP_TRY(clup_hdf5_name_file(reader, clup_checkpoint_check(checkpoint)));
    CLUP_TRY(read_spins(reader, checkpoint));
    CLUP_TRY(read_records(reader, checkpoint));
    if (reading->version == CLUP_CHECKPOINT_TEMPERING ||
        H5Lexists(reader->file, "/tempering", H5P_DEFAULT) > 0)
        CLUP_TRY(read_tempering(reader, checkpoint));
    CLUP_TRY(read_said(reader, checkpoint));
done:
    return status;
}

clup_status clup_checkpoint_read_hdf5(const char *path, int version, clup_checkpoint **out)
{
    clup_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (checkpoint == NULL)
        return clup_fail_memory("the checkpoint");
    reading reading = {checkpoint, version};
    const clup_status status = clup_hdf5_read(path, read_all, &reading);
    if (status == CLUP_OK)
        *out = checkpoint;
    else
        clup_checkpoint_free(checkpoint);
    return status;
}
#else
clup_status clup_checkpoint_write_hdf5(const clup_checkpoint *checkpoint, const clup_record *said,
                                       const char *path)
{
    (void)checkpoint;
    (void)said;
    return clup_fail(CLUP_ERROR_USAGE, "'%s': there is no HDF5", path);
}

clup_status clup_checkpoint_read_hdf5(const char *path, int version, clup_checkpoint **out)
{
    (void)version;
    (void)out;
    return clup_fail(CLUP_ERROR_USAGE, "'%s': there is no HDF5", path);
}
#endif
