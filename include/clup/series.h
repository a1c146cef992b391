/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of measured values, and files of them. */
#ifndef CLUP_SERIES_H
#define CLUP_SERIES_H

#include "clup/percolation.h"
#include "clup/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The series of one or several systems, and what was simulated. "clup simulate --series" writes
 * records to files, "clup analyse" reads them; doc/guide/analysis.md describes the two formats. */
typedef struct clup_record clup_record;

/* Makes a record of the replicas of a spin model, without series. The problem is copied. Release
 * *out by clup_record_free. Of percolation a system of the record is a probability, and betas of
 * the problem has the probabilities, CLUP_ERROR_USAGE where one is not from 0 to 1. */
CLUP_API clup_status clup_record_create(const clup_problem *problem, clup_record **out);
CLUP_API void clup_record_free(clup_record *record);

/* Returns the problem, with betas[replicas]; the record owns it. NULL for NULL. */
CLUP_API const clup_problem *clup_record_problem(const clup_record *record);

/* Makes a record of the samples of a scan that keeps their values: a system for each probability
 * that has samples, and a series for each observable that the lattice has. A sample stands in the
 * place of a sweep, and the first has the number 0. CLUP_ERROR_USAGE for a scan without values or
 * samples, and for more than 65535 probabilities. Release *out by clup_record_free. */
CLUP_API clup_status clup_percolation_scan_record(const clup_percolation_scan *scan,
                                                  clup_record **out);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Sets a key: text that describes the record. An existing key gets the new value.
 *
 *   key    at most 63 characters a to z, 0 to 9 and _, the first one a letter
 *   value  at most 4000 bytes; control characters become spaces. NULL removes the key
 *
 * The keys "first_sweep" and "every" are whole numbers: the number of the first measured sweep, and
 * the distance to the next one; 1 and 1 where they are not set.
 *
 * Returns CLUP_ERROR_USAGE for other characters, and for keys that the problem has, such as
 * "lattice". */
CLUP_API clup_status clup_record_set(clup_record *record, const char *key, const char *value);

/* Return the value of a key, which is valid until the key is set again, and the name of key number
 * row; NULL where there is none. */
CLUP_API const char *clup_record_get(const clup_record *record, const char *key);
CLUP_API const char *clup_record_key(const clup_record *record, size_t row);

/* ---- series ---------------------------------------------------------------------------------- */

/* Appends what a simulation of the record's problem has measured since the last call. Of each
 * replica it takes the series of those observables that are means and have a value in any sweep,
 * and the estimates of those that are functions of means, which only HDF5 files have. With
 * tempering it adds a series "walker": the number of the system that was there, counted from
 * first_replica. Returns CLUP_ERROR_USAGE for a simulation of another problem
 * (clup_problem_compare, all groups). */
CLUP_API clup_status clup_record_take(clup_record *record, const clup_simulation *simulation);

/* Sets the series of an observable of a system to values[count], which are copied. The name of the
 * observable has the characters of a key. Returns CLUP_ERROR_USAGE where another series of the
 * system has another length, and for a value that is not finite. */
CLUP_API clup_status clup_record_set_series(clup_record *record, uint32_t system,
                                            const char *observable, const double *values,
                                            uint64_t count);

/* Set and return the SHA-256 of the last spins of a system, as clup_sha256 writes it. "" where it
 * is not known; NULL for a system that does not exist. */
CLUP_API clup_status clup_record_set_spins(clup_record *record, uint32_t system,
                                           const char *sha256);
CLUP_API const char *clup_record_spins(const clup_record *record, uint32_t system);

/* Return the number of systems; the length of the series of a system; the name of observable number
 * row, NULL past the last; and the values[clup_record_count()] of a series, NULL where there is
 * none. Values are valid until the record changes. */
CLUP_API uint32_t clup_record_systems(const clup_record *record);
CLUP_API uint64_t clup_record_count(const clup_record *record, uint32_t system);
CLUP_API const char *clup_record_observable(const clup_record *record, size_t row);
CLUP_API const double *clup_record_series(const clup_record *record, uint32_t system,
                                          const char *observable);

/* ---- files ----------------------------------------------------------------------------------- */

/* Writes a record, all or nothing, in the format of the extension of path: .csv or .h5 (HDF5). "-"
 * is standard output, in CSV. Returns CLUP_ERROR_USAGE for another extension, for .h5 where the
 * library was built without HDF5, and when a system lacks a series; CLUP_ERROR_RUNTIME when the
 * file cannot be written. */
CLUP_API clup_status clup_record_write(const clup_record *record, const char *path);

/* Reads a record in either format, whatever the extension. Release *out by clup_record_free.
 * Returns CLUP_ERROR_RUNTIME for a file that cannot be read, is no record, or is damaged, which
 * checksums tell; the detail has the name of the file and what is wrong. */
CLUP_API clup_status clup_record_read(const char *path, clup_record **out);

/* Returns the version of HDF5 that the library was built with, such as "1.10.8"; NULL for none. */
CLUP_API const char *clup_hdf5_version(void);

#ifdef __cplusplus
}
#endif

#endif
