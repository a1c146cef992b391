/* NumPy's array file format, version 1.0. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"

clup_status clup_npy_write_u8(const char *path, const uint8_t *bytes, const size_t *shape, unsigned axes)
{
    /* magic, version, length of the header, the header padded so that the data start at a multiple of 64 */
    char header[128];
    size_t used = 10, count = 1;
    used += (size_t)snprintf(header + used, sizeof header - used, "{'descr': '|u1', 'fortran_order': False, 'shape': (");
    for (unsigned axis = 0; axis < axes; axis++) {
        used += (size_t)snprintf(header + used, sizeof header - used, axis + 1 < axes || axes == 1 ? "%zu, " : "%zu", shape[axis]);
        count *= shape[axis];
    }
    used += (size_t)snprintf(header + used, sizeof header - used, "), }");
    memset(header + used, ' ', sizeof header - used);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(sizeof header - 10);
    header[9] = 0;
    header[sizeof header - 1] = '\n';
    const clup_piece pieces[] = {{header, sizeof header}, {bytes, count}};
    return clup_file_write(path, pieces, 2);
}
