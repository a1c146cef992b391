/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages when a kernel cannot be made. */
#include <string.h>

#include "ocl/context.h"
#include "ocl/kernel.h"
#include "tap.h"

static cl_int refusal;

/* Replaces OpenCL's function. */
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    (void)program;
    (void)name;
    *code = refusal;
    return NULL;
}

#define DEFINITIONS \
    "SPINS_BYTES BONDS_CHAR LATTICE=LATTICE_SQUARE AXES=2u PLANES=1u MEASURE_ITEMS=256u "

int main(void)
{
    static const struct {
        cl_int code;
        clup_status status;
        const char *text;
    } rows[] = {
        {CL_INVALID_KERNEL_NAME, CLUP_ERROR_BUILD,
         "measure_record.cl: no kernel measure_record: CL_INVALID_KERNEL_NAME"},
        {CL_OUT_OF_HOST_MEMORY, CLUP_ERROR_MEMORY,
         "clCreateKernel, measure_record of measure_record.cl: CL_OUT_OF_HOST_MEMORY (-6)"},
        {CL_OUT_OF_RESOURCES, CLUP_ERROR_RUNTIME,
         "clCreateKernel, measure_record of measure_record.cl: CL_OUT_OF_RESOURCES (-5)"},
        {CL_INVALID_KERNEL_DEFINITION, CLUP_ERROR_RUNTIME,
         "clCreateKernel, measure_record of measure_record.cl: CL_INVALID_KERNEL_DEFINITION (-47)"},
    };
    clup_context *context;
    clup_kernel kernel;
    NEED(clup_context_create(NULL, &context));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        refusal = rows[k].code;
        const clup_status status = clup_kernel_create(
            context, "measure_record.cl", "measure_record", DEFINITIONS "STATES=2u", &kernel);
        ok(status == rows[k].status && strcmp(clup_error_detail(), rows[k].text) == 0, "%s: %s",
           clup_status_text(status), clup_error_detail());
    }
    clup_context_free(context);
    return done_testing();
}
