/* NumPy's array file format, version 1.0. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"

clup_status clup_npy_write_u8(const char *path, const uint8_t *bytes, size_t rows, size_t columns)
{
    /* magic, version, length of the header, the header padded so that the data start at a multiple of 64 */
    char header[128];
    int used = snprintf(header + 10, sizeof header - 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu, %zu), }", rows, columns);
    memset(header + 10 + used, ' ', sizeof header - 10 - (size_t)used);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(sizeof header - 10);
    header[9] = 0;
    header[sizeof header - 1] = '\n';
    const clup_piece pieces[] = {{header, sizeof header}, {bytes, rows * columns}};
    return clup_file_write(path, pieces, 2);
}
