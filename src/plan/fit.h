/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of the paper's formulas to samples. */
#ifndef CLUP_PLAN_FIT_H
#define CLUP_PLAN_FIT_H
#include "plan/samples.h"
#include "program.h"

/* All fits that the samples have enough points for; to be freed with clup_fits_free. */
clup_status clup_fits_make(const clup_samples *samples, clup_fit **fits, size_t *count);
void clup_fits_free(clup_fit *fits, size_t count);
/* A parameter of the fit of that name, NAN where there is none. */
double clup_fits_value(const clup_fit *fits, size_t count, const char *what, const char *parameter);

#endif
