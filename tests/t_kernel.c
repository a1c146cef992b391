/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages when a kernel cannot be made, and programs that are built at the same time. */
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

static unsigned programs_of(const clup_context *context)
{
    unsigned count = 0;
    for (const clup_program *program = context->programs; program != NULL; program = program->next)
        count++;
    return count;
}

/* Each program is built once. One that does not compile, or that is not there, is left to
 * clup_kernel_create, whose message is that of a program built alone. */
static void build_together(clup_context *context)
{
    static const clup_program_name names[] = {
        {"measure_record.cl", DEFINITIONS "STATES=2u"},
        {"measure_record.cl", DEFINITIONS "STATES=3u"},
        {"measure_record.cl", DEFINITIONS "STATES=2u"},
        {"measure_record.cl", DEFINITIONS "STATES=)"},
        {"measure_nothing.cl", DEFINITIONS},
    };
    enum { COUNT = sizeof names / sizeof *names };
    clup_kernel kernel;
    context->quirks.one_builder = false;
    NEED(clup_programs_build(context, names, COUNT));
    const unsigned built = context->built;
    ok(programs_of(context) == 2, "programs built together, each once: %u", programs_of(context));
    NEED(clup_programs_build(context, names, COUNT));
    ok(programs_of(context) == 2 && context->built == built, "and not again");
    const clup_status status = clup_kernel_create(context, names[3].file, "measure_record",
                                                  names[3].definitions, &kernel);
    ok(status == CLUP_ERROR_BUILD && strstr(clup_error_detail(), "did not compile for") != NULL,
       "one that does not compile: %.60s", clup_error_detail());
    ok(clup_kernel_create(context, names[4].file, "measure_nothing", "", &kernel) ==
           CLUP_ERROR_BUILD,
       "one that is not there: %.60s", clup_error_detail());
    refusal = CL_OUT_OF_RESOURCES;
    (void)clup_kernel_create(context, names[1].file, "measure_record", names[1].definitions,
                             &kernel);
    ok(programs_of(context) == 2, "a kernel is made from the program that is there");
}

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
    NEED(clup_context_create(NULL, &context));
    build_together(context);
    clup_context_free(context);
    return done_testing();
}
