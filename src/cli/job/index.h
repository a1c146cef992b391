/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of a job, found by what they are. */
#ifndef CLUP_CLI_JOB_INDEX_H
#define CLUP_CLI_JOB_INDEX_H
#include "cli/job/job.h"

/* What is asked for, or not, at once: the systems of a launch at one temperature, or all of it
 * where they go from one temperature to another. */
typedef struct job_unit {
    size_t launch, at; /* at of its temperatures */
    int asked;
} job_unit;

typedef struct job_index {
    json_t *launches; /* of the caller */
    json_t *kinds;    /* by what systems are, by temperature and number of the copy: the unit */
    json_t *texts;    /* of each launch, all that it was asked for */
    json_t *next;     /* by seed, the first number that no system has */
    job_unit *units;  /* in the order of launches and their temperatures */
    size_t count, room;
} job_index;

/* An index of launches, none of whose units are asked for; job_index_free is due. */
job_index job_index_of(json_t *launches);
void job_index_free(job_index *index);

/* What a system is, but for its temperature, as a text that the caller frees; or, with settings,
 * all that was asked of it. */
char *job_text_of(const json_t *options, int with_settings);
/* The kind of systems that options ask for, and one of its units, by its temperature, that of a
 * path being the first, and the number of the copy; NULL for none. */
json_t *job_index_kind(job_index *index, const json_t *options);
job_unit *job_index_find(const job_index *index, const json_t *kind, double beta, unsigned copy);
/* All that a launch was asked for. */
const char *job_index_text(const job_index *index, size_t launch);
/* The first number that no system of a seed has. */
json_int_t job_index_next(const job_index *index, json_int_t seed);
/* Adds a launch, which is given up, with a text for all that is asked of it; and what is the last
 * unit of the last launch, which is asked for. */
void job_index_launch(job_index *index, json_t *launch, const char *text);
void job_index_unit(job_index *index, json_t *kind);

#endif
