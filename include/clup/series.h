/* Series of measured values in files. */
#ifndef CLUP_SERIES_H
#define CLUP_SERIES_H

#include "clup/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The series of one or several systems, and what was simulated: what clup simulate --series writes,
 * and clup analyse reads. doc/analysis.md has the two forms of files. */
typedef struct clup_record clup_record;

/* A record of the problem's replicas, a Potts model's, without series. The problem is copied. */
CLUP_API clup_status clup_record_create(const clup_problem *problem, clup_record **out);
CLUP_API void clup_record_free(clup_record *record);
/* The problem, with betas[replicas], which live as long as the record; NULL for NULL. */
CLUP_API const clup_problem *clup_record_problem(const clup_record *record);
/* What else is to be known, as text: key is a name of a to z, 0 to 9 and _ of at most 63
 * characters that begins with a letter, value at most 4000 bytes, whose control characters become
 * spaces. A key that is there gets the new value, or goes where that is NULL. "first_sweep" and
 * "every" are the number of the first measured sweep and the distance to the next, whole numbers;
 * 1 and 1 where they are not said. CLUP_ERROR_USAGE for other keys, and for those that the problem
 * says, such as "lattice". */
CLUP_API clup_status clup_record_set(clup_record *record, const char *key, const char *value);
/* The value of a key, which lives until it is set again, and the key number row; NULL where there
 * is none. */
CLUP_API const char *clup_record_get(const clup_record *record, const char *key);
CLUP_API const char *clup_record_key(const clup_record *record, size_t row);
/* Takes what a simulation of the record's problem has measured, in addition to what was taken of it
 * before: of each replica the series of the observables that are means and have a value in any
 * sweep, and estimates of those that are functions of means, which HDF5 files have besides.
 * With tempering there is a series "walker" more, of the systems that were there, counted from
 * first_replica. CLUP_ERROR_USAGE for a simulation of other sites or replicas. */
CLUP_API clup_status clup_record_take(clup_record *record, const clup_simulation *simulation);
/* Sets the series of an observable of a system to values[count], which are copied. Its name is made
 * as a key is. CLUP_ERROR_USAGE where another series of the system has another length, and for a
 * value that is not finite. */
CLUP_API clup_status clup_record_set_series(clup_record *record, uint32_t system,
                                            const char *observable, const double *values,
                                            uint64_t count);
/* The SHA-256 of a system's last spins, as clup_sha256 has it; "" for one that is not known. NULL
 * for no system. */
CLUP_API clup_status clup_record_set_spins(clup_record *record, uint32_t system,
                                           const char *sha256);
CLUP_API const char *clup_record_spins(const clup_record *record, uint32_t system);
/* Systems, the length of the series of one, the name of observable number row, NULL past the last,
 * and its values[clup_record_count()], which live until the record changes; NULL for none. */
CLUP_API uint32_t clup_record_systems(const clup_record *record);
CLUP_API uint64_t clup_record_count(const clup_record *record, uint32_t system);
CLUP_API const char *clup_record_observable(const clup_record *record, size_t row);
CLUP_API const double *clup_record_series(const clup_record *record, uint32_t system,
                                          const char *observable);
/* Writes a record by the extension of path, all or nothing, see clup_file_save: .csv, or "-" for
 * standard output, and .h5. CLUP_ERROR_USAGE for another extension, for .h5 where the library was
 * built without HDF5, and for a system that lacks a series; CLUP_ERROR_RUNTIME when the file cannot
 * be written. */
CLUP_API clup_status clup_record_write(const clup_record *record, const char *path);
/* Reads one, whatever its extension. CLUP_ERROR_RUNTIME, with the file's name and what is wrong,
 * for a file that cannot be read, is no record, or is damaged, which checksums tell. */
CLUP_API clup_status clup_record_read(const char *path, clup_record **out);
/* The version of HDF5 that the library was built with, such as "1.10.8"; NULL for none. */
CLUP_API const char *clup_hdf5_version(void);

#ifdef __cplusplus
}
#endif

#endif
