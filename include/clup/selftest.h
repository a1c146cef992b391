/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-tests: every kernel on a device, compared with its serial definition. */
#ifndef CLUP_SELFTEST_H
#define CLUP_SELFTEST_H

#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a self-test changes for later plans, see "Kernels that gave wrong results" in plan.h. */
typedef enum clup_trust {
    CLUP_TRUST_AS_BEFORE,
    CLUP_TRUST_LOST, /* the kernel gave wrong results where others give right ones: plans leave it
                        out from now on */
    CLUP_TRUST_REGAINED /* plans left it out, and it was right on all models: plans may have it
                           again */
} clup_trust;

/* The result for one kernel of a stage. */
typedef struct clup_selftest_row {
    clup_stage stage;
    const char *kernel; /* its name in plans; kernels for images alone are in no plan */
    const char *model;  /* what it was tried on: clup_model_name, or "image" */
    unsigned runs;      /* how many problems; 0 when the device has no plan with it */
    unsigned wrong;     /* how many of them gave results that differ from the definition, with
                           whatever other kernels */
    clup_trust trust;
    const char *reason; /* what was wrong first, or why there was no plan; "" for nothing. Valid
                           until the report function returns */
} clup_selftest_row;

/* Receives the result for each kernel in turn. */
typedef void clup_selftest_report(void *user, const clup_selftest_row *row);

/* Tests every kernel on the device on small problems. Kernels that gave wrong results before are
 * tested too, but no other kernel is tested together with them.
 *
 *   full          0 takes one problem for each way to store bonds; non-zero takes those of all
 *                 lattices, and of several boundaries, numbers of states, tiles and types of
 *                 pixels, which is many minutes on some devices
 *   report, user  receives the results; NULL for none
 *
 * Returns CLUP_ERROR_VERIFY when any result was wrong. After CLUP_INTERRUPTED the kernels that were
 * not tested are not reported. */
CLUP_API clup_status clup_selftest(clup_context *context, int full, clup_selftest_report *report,
                                   void *user);

#ifdef __cplusplus
}
#endif

#endif
