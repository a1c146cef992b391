/* SPDX-License-Identifier: BSD-3-Clause */
/* An index of the systems of a job: finds a system by its options, temperature and copy. */
#ifndef CLUP_CLI_JOB_INDEX_H
#define CLUP_CLI_JOB_INDEX_H
#include "cli/job/job.h"

/* A unit: the systems of a launch that the job file asks for, or drops, together. A unit is one
 * temperature of a launch, or the whole launch where its systems go from one temperature to
 * another. */
typedef struct job_unit {
    size_t launch, at; /* at: the index of its temperature in the launch */
    int asked;
} job_unit;

typedef struct job_index {
    json_t *launches; /* owned by the caller */
    json_t *kinds; /* units, by the text of what a system is, then by temperature and number of the
                      copy */
    json_t *texts; /* for each launch, the text of all that it was asked for */
    json_t *next;  /* for each seed, the first number that no system has */
    job_unit *units; /* in the order of launches and their temperatures */
    size_t count, room;
} job_index;

/* Makes an index of launches, in which no unit is asked for yet. Free it with job_index_free. */
job_index job_index_of(json_t *launches);
void job_index_free(job_index *index);

/* Returns what a system is, without its temperature, as a text that the caller frees. With
 * settings, the text has all options. */
char *job_text_of(const json_t *options, int with_settings);
/* job_index_kind returns the units of one kind: those whose systems differ in temperature and copy
 * alone. job_index_find returns the unit of a kind with that temperature (of a path, the first one)
 * and number of the copy; NULL for none. */
json_t *job_index_kind(job_index *index, const json_t *options);
job_unit *job_index_find(const job_index *index, const json_t *kind, double beta, unsigned copy);
/* The text of all that a launch was asked for. */
const char *job_index_text(const job_index *index, size_t launch);
/* The first number that no system of a seed has. */
json_int_t job_index_next(const job_index *index, json_int_t seed);
/* Appends a launch, whose reference the index takes over, with a text of all that is asked of it.
 * job_index_unit adds the last unit of the last launch, as one that is asked for. */
void job_index_launch(job_index *index, json_t *launch, const char *text);
void job_index_unit(job_index *index, json_t *kind);

#endif
