/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program, for tests/linking.sh: counts the components of a small picture */
#include <clup.h>
#include <stdio.h>

int main(void)
{
    const unsigned char pixels[2][6] = {{1, 0, 1, 1, 0, 1}, {1, 0, 0, 0, 0, 1}};
    const clup_label_problem problem = {.size = {6, 2, 1},
                                        .connectivity = 4,
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_NONZERO};
    uint32_t labels[12], components;
    clup_context *context = NULL;
    clup_status status = clup_context_create(NULL, &context);
    if (status == CLUP_OK)
        status = clup_label_image(context, &problem, pixels, 0, labels, &components, NULL);
    if (status == CLUP_OK)
        printf("%u components\n", (unsigned)components);
    else
        fprintf(stderr, "%s\n", clup_error_detail());
    clup_context_free(context);
    return (int)status;
}
