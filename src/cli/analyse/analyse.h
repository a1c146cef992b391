/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup analyse. */
#ifndef CLUP_CLI_ANALYSE_ANALYSE_H
#define CLUP_CLI_ANALYSE_ANALYSE_H
#include "cli/cli.h"

#define ANALYSE_FILES 64
/* The distribution of an observable at each temperature of a scan. */
typedef struct analyse_histogram {
    char name[64];
    uint32_t bins;
    double low, width;
    double *shares, *errors; /* [temperatures][bins] */
} analyse_histogram;

/* The systems of one size, reweighted to other temperatures. */
typedef struct analyse_scan {
    clup_reweighting *reweighting;
    clup_problem problem;
    unsigned rows, observables;                /* the observables come first, then expressions */
    char **names;                              /* [rows] */
    double *values, *errors;                   /* [betas][rows] */
    clup_slope *slopes;                        /* [betas][rows]; NULL without --slopes */
    clup_coverage *coverage;                   /* [betas] */
    const clup_record *records[ANALYSE_FILES]; /* [record_count], those of the size */
    size_t record_count;
    /* temperatures of the systems and of --reweight, in ascending order, for what follows */
    double *temperatures;
    uint32_t temperature_count;
    clup_coverage *sampled;        /* [temperatures] */
    analyse_histogram *histograms; /* of --histograms */
    size_t histogram_count;
    double *ln_z, *ln_z_errors; /* of --ln-z, [temperatures]: less that at the first temperature
                                   unless it is absolute */
    int absolute;
    clup_double_peak double_peak; /* of --double-peaks */
    clup_place peaks[2];          /* of the rows in analyse_peaks */
    int looked_for[2];            /* whether each peak was searched for */
} analyse_scan;

#define ANALYSE_EXPRESSION 256
/* A place where two sizes have equal values. */
typedef struct analyse_crossing {
    char name[ANALYSE_EXPRESSION];
    int wanted; /* for people to read */
    const analyse_scan *of[2];
    clup_place place;
    clup_slope slopes[2]; /* with --slopes, where the place was found */
} analyse_crossing;

/* The rows whose peaks are searched for; ends with NULL. */
extern const char *const analyse_peaks[];

typedef struct analyse_result {
    const char *files[ANALYSE_FILES];
    clup_record *records[ANALYSE_FILES];
    size_t count;
    const char *names;       /* of observables, separated by commas; NULL for all */
    const char *expressions; /* separated by semicolons; NULL for none */
    const char *crossed;     /* the same of observables and expressions; NULL for some */
    int all_pairs, want_slopes, want_ln_z, want_double_peaks, want_rho;
    const char *histograms; /* names of observables, separated by commas; NULL for none */
    uint32_t bins;          /* 0 for as many as the library takes */
    double *betas;          /* of --reweight */
    uint32_t beta_count;
    analyse_scan *scans; /* one for each size */
    size_t scan_count;
    analyse_crossing *crossings;
    size_t crossing_count, crossing_room;
    int failed; /* the status of an analysis that a report could not make */
} analyse_result;

/* Whether an observable is wanted. */
int analyse_wants(const analyse_result *result, const char *name);
/* The name of row number row of the analysis of a system: first its series, then functions of their
 * means. NULL past the last. */
const char *analyse_name(const clup_record *record, uint32_t system, size_t row);
/* Part number row of a list with semicolons, whose text it writes; 0 past the last. */
int analyse_part(const char *list, size_t row, char text[ANALYSE_EXPRESSION]);
/* Whether a row of a scan is wanted. */
int analyse_wants_row(const analyse_result *result, const analyse_scan *scan, unsigned row);
/* Groups the records by size: a scan for each, smaller ones first. Writes to note which expressions
 * are not known at other temperatures. */
clup_status analyse_group(analyse_result *result, char *note, size_t size);
/* Writes to note why an observable of the files is not known at other temperatures: the first that
 * --observables names, or without it of those that fk_bonds would tell; nothing for none. */
void analyse_note_unknown(const analyse_result *result, char *note, size_t size);
/* Validates that what --crossings asks for is known at other temperatures of each size, and warns
 * where there are no two sizes or temperatures. Returns 0, or the exit code after a message. */
int analyse_check_crossed(const analyse_result *result);
/* Computes scans and crossings. */
clup_status analyse_reweight(analyse_result *result);
/* Whether scans are needed. */
int analyse_scans(const analyse_result *result);
/* Computes histograms, ln Z and double peaks of a scan between two temperatures, as far as they are
 * wanted; and frees them. */
clup_status analyse_distribute(const analyse_result *result, analyse_scan *scan, double from,
                               double to);
void analyse_distribution_free(analyse_scan *scan);
/* Part number row of a list with commas, whose text it writes; 0 past the last. */
int analyse_item(const char *list, size_t row, char text[64]);
void analyse_free(analyse_result *result);

/* The most distances of autocorrelations. */
#define ANALYSE_DISTANCES 1025

void analyse_print(analyse_result *result);
void analyse_print_double_peak(const analyse_scan *scan);
void analyse_print_distribution(const analyse_result *result, const analyse_scan *scan);
void analyse_write_json(analyse_result *result);
void analyse_write_distribution(json *json, const analyse_result *result, const analyse_scan *scan);
void analyse_write_csv(analyse_result *result);
void analyse_write_latex(analyse_result *result);
/* Draws into a folder, which is made. Writes to note what could not be drawn. */
clup_status analyse_draw(const analyse_result *result, const char *folder, char *note, size_t size);

/* Why a place was not found, as a text; NULL when it was found. */
const char *analyse_place_reason(const clup_place *place);

/* Why no two phases were found, as a text; NULL when they were. */
const char *analyse_double_peak_reason(const analyse_scan *scan);

/* Writes the size as "64x64", in the order of the axes. */
void analyse_size_text(const clup_problem *problem, char text[40]);

#endif
