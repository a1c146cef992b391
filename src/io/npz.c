/* SPDX-License-Identifier: BSD-3-Clause */
/* Images in NumPy's archives, .npz. */
#include <stdlib.h>

#include "io/image.h"
#include "io/zip.h"

int clup_npz_is(const clup_input *input)
{
    return clup_zip_is(input);
}

/* Finds the name of the array that is wanted, or of the only one. */
static clup_status find_array(const clup_input *archive, const char *wanted, clup_text *name)
{
    clup_text names = {0};
    size_t count = 0;
    clup_status status = CLUP_OK;
    if (wanted != NULL)
        clup_text_add(name, "%s.npy", wanted);
    else {
        CLUP_TRY(clup_zip_list(archive, ".npy", &names, &count));
        if (count != 1)
            status = clup_input_fail(archive, "the archive has %zu arrays%s%.300s: name one", count,
                                     count > 0 ? ", " : "", count > 0 ? names.data : "");
        else
            clup_text_add(name, "%s.npy", names.data);
    }
    if (status == CLUP_OK && !clup_text_ok(name))
        status = clup_fail_memory(archive->name);
done:
    clup_text_free(&names);
    return status;
}

clup_status clup_npz_decode(clup_input *archive, const clup_image_options *options,
                            clup_image *image)
{
    clup_input array = {.name = archive->name, .most = archive->most, .descriptor = -1};
    clup_text name = {0};
    clup_status status = clup_input_reach(archive, UINT64_MAX);
    CLUP_TRY(status);
    CLUP_TRY(find_array(archive, options->array, &name));
    CLUP_TRY(clup_zip_take(archive, name.data, &array.bytes, &array.size));
    array.capacity = array.size;
    if (array.bytes == NULL)
        status = clup_input_fail(archive, "the archive has no %.100s", name.data);
    else
        status = clup_npy_is(&array)
                     ? clup_npy_decode(&array, options, image)
                     : clup_input_fail(archive, "%.100s is no NumPy array", name.data);
done:
    clup_input_close(&array);
    clup_text_free(&name);
    return status;
}
