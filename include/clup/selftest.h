/* Self-tests of kernels on a device. */
#ifndef CLUP_SELFTEST_H
#define CLUP_SELFTEST_H

#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a self-test changes about a kernel. */
typedef enum clup_trust {
    CLUP_TRUST_AS_BEFORE,
    CLUP_TRUST_LOST, /* it gave wrong results where others give right ones: plans leave it out from
                        now on */
    CLUP_TRUST_REGAINED /* it was left out, and was right on all models: plans may have it again */
} clup_trust;

/* A kernel of a stage that was tried with others. */
typedef struct clup_selftest_row {
    clup_stage stage;
    const char *kernel; /* its name in plans; those for images alone are in none */
    const char *model;  /* what it was tried on: clup_model_name, or "image" */
    unsigned runs;      /* problems that it was tried with; 0 when the device has no plan with it */
    unsigned wrong; /* of these, those of which results are not as they are defined, with whatever
                       other kernels */
    clup_trust trust;
    const char *reason; /* what went wrong first, or why there was no plan; "" for nothing. Valid
                           until the report returns */
} clup_selftest_row;
typedef void clup_selftest_report(void *user, const clup_selftest_row *row);

/* Tries every kernel on the device against the serial definition of what it does: small problems,
 * one for each way to store bonds, or with full, many minutes on some devices, those of all
 * lattices, several boundaries, numbers of states, tiles and types of pixels. Kernels that gave
 * wrong results before are tried as well, yet no others with them. report may be NULL; it is called
 * for each kernel in turn. CLUP_ERROR_VERIFY when any result was wrong; CLUP_INTERRUPTED leaves out
 * what was not tried. */
CLUP_API clup_status clup_selftest(clup_context *context, int full, clup_selftest_report *report,
                                   void *user);

#ifdef __cplusplus
}
#endif

#endif
