/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of the paper's formulas to samples. */
#ifndef CLUP_PLAN_FIT_H
#define CLUP_PLAN_FIT_H
#include "plan/samples.h"
#include "program.h"

/* Makes all fits for which the samples have enough points. clup_fits_free must free them. */
clup_status clup_fits_make(const clup_samples *samples, clup_fit **fits, size_t *count);
void clup_fits_free(clup_fit *fits, size_t count);
/* Returns a parameter of the fit called what; NAN where there is none. */
double clup_fits_value(const clup_fit *fits, size_t count, const char *what, const char *parameter);

#endif
