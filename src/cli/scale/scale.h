/* SPDX-License-Identifier: BSD-3-Clause */
/* The request and the results of clup scale. */
#ifndef CLUP_CLI_SCALE_SCALE_H
#define CLUP_CLI_SCALE_SCALE_H
#include "cli/cli.h"

#define SCALE_FILES 64
#define SCALE_EXPRESSION 256
#define SCALE_NAME 80

/* What quantities are fitted against. */
typedef struct scale_axis {
    const char *option;   /* its name in --x */
    const char *name;     /* in tables */
    const char *critical; /* the name of its critical value */
    const char *label;    /* in pictures */
    int inverse;          /* x is 1/beta */
    int percolation;      /* of samples of percolation, not of simulations */
} scale_axis;

struct scale_result;

/* What was asked for. */
typedef struct scale_request {
    const char *files[SCALE_FILES];
    size_t file_count;
    const char *observable, *expression; /* of which one is fitted; both NULL for none */
    const scale_axis *x;                 /* NULL for that of the files */
    const char *fit, *fix, *start;       /* lists of names, and of NAME=VALUE; NULL for none */
    unsigned terms, corrections;
    double from, to; /* of x */
    double *betas;   /* of --reweight */
    uint32_t beta_count;
    int at_point, at_fitted; /* power laws at a point: at beta, or where the fit finds it */
    double at;
    const char *laws; /* their names, separated by commas; NULL for all */
    const char *out;
    void (*write)(const struct scale_result *result); /* NULL: scale_print */
    int collapse, quiet;
} scale_request;

/* The systems of one size. */
typedef struct scale_size {
    double length;
    const clup_record *records[SCALE_FILES];
    const char *files[SCALE_FILES];
    size_t count;
    clup_reweighting *reweighting; /* NULL until scale_reweighting */
} scale_size;

typedef struct scale_point {
    double length, x, value, error;
} scale_point;

/* What a quantity is called in fits, and its exponent: kappa is factor times (exponent + offset).
 */
typedef struct scale_exponent {
    const char *name;
    double factor;
    int known; /* kappa is 0 or 1 by definition, and not fitted unless asked for */
    double kappa, offset;
} scale_exponent;

/* Fits of a quantity, first of all sizes, then without the smallest ones. */
typedef struct scale_fits {
    clup_scaling *scaling;
    clup_scaling_model model;
    scale_exponent exponent;
    scale_point *points;
    size_t point_count;
    clup_scaling_result *fits;
    double *least; /* [fit_count], the smallest length */
    size_t fit_count;
} scale_fits;

/* A power law at a point. */
typedef struct scale_law {
    char name[SCALE_NAME];
    scale_fits of;
    double shift;      /* of the exponent, for an error of the point; 0 where that is given */
    char left_out[80]; /* the sizes whose energies do not reach the point; "" for none */
} scale_law;

#define SCALE_LAWS 16
typedef struct scale_result {
    const scale_request *request;
    clup_record *records[SCALE_FILES];
    size_t record_count;
    scale_size sizes[SCALE_FILES]; /* by length */
    size_t size_count;
    int disorder; /* systems are samples of disorder, and values averages over samples */
    int wanted;   /* whether an observable is fitted */
    scale_fits fit;
    clup_scaling_result collapse;
    double fit_quality;  /* S of the parameters of the fit; NAN where no values are compared */
    double at, at_error; /* of x */
    scale_law laws[SCALE_LAWS];
    size_t law_count;
    unsigned short_count; /* of values from fewer than 50 tau_int */
} scale_result;

/* These print a message and return an exit code where something is wrong; 0 else. */
/* Groups the records by size. Refuses those that do not go together. */
int scale_sort(scale_result *result);
/* Sets the model of the fit by the names in --fit, --fix and --start. */
int scale_read_model(scale_result *result);
/* Adds the values of the observable or the expression, at the simulated or at other
 * temperatures. */
int scale_collect(scale_result *result);
/* Adds values at x[count], of a length, with their covariance by so many blocks (0: known). */
int scale_add(scale_fits *to, double length, const double *x, const double *values,
              const double *covariance, size_t count, unsigned blocks);
/* Adds averages over the samples of disorder of a size: at all temperatures in the range (beta
 * NAN), or at one, where *known becomes 1 if the systems there have the observable. */
int scale_collect_samples(scale_result *result, const scale_size *size, scale_fits *to,
                          const char *observable, double beta, int *known);
/* Adds the values of a law at beta; *known becomes 0 where no system of any size has it. */
int scale_collect_law(scale_result *result, scale_law *law, double beta, int *known);
/* Fits all sizes, then without the smallest, as long as chi2 has a degree of freedom. name is that
 * of the quantity, for messages. */
int scale_fit(scale_fits *of, const char *name);
/* Fits the laws at the point. */
int scale_fit_laws(scale_result *result);
void scale_free_fits(scale_fits *of);

/* Returns what --x names, NULL where it is not known. */
const scale_axis *scale_axis_of(const char *option);
/* Returns what the values of a problem are fitted against unless --x says otherwise. */
const scale_axis *scale_axis_usual(const clup_problem *problem);
/* Returns the exponent of an observable, such as gamma/nu of chi, on a lattice of so many axes. */
scale_exponent scale_exponent_of(const char *observable, unsigned axes);
#define SCALE_POWER 96
/* Writes the power of L by its exponent, such as "-2 beta/nu". */
void scale_power(const scale_exponent *exponent, char text[SCALE_POWER]);
/* Returns the value of parameter p as it is shown, from that of a fit: kappa as the exponent. */
double scale_shown(const scale_exponent *exponent, unsigned p, double value);
/* Returns how a parameter is called; and the factor by which its value is larger. */
const char *scale_parameter(const scale_result *result, const scale_exponent *exponent, unsigned p,
                            double *factor);
/* Prepares reweighting of a size. */
int scale_reweighting(scale_size *size);

void scale_print(const scale_result *result);
void scale_write_csv(const scale_result *result);
void scale_write_latex(const scale_result *result);
void scale_write_json(const scale_result *result);
/* Draws into a folder, which is made. Writes to note what could not be drawn. */
clup_status scale_draw(const scale_result *result, const char *folder, char *note, size_t size);

#endif
