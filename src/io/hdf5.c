/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by reading and writing HDF5. */
#include "config.h"

#include "clup.h"

#ifdef HAVE_HDF5
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "io/hdf5.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void clup_hdf5_begin(hdf5_use *use)
{
    pthread_mutex_lock(&mutex);
    if (H5Eget_auto2(H5E_DEFAULT, &use->print, &use->user) < 0)
        *use = (hdf5_use){NULL, NULL};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void clup_hdf5_end(const hdf5_use *use, int damaged)
{
    if (!damaged)
        H5Eset_auto2(H5E_DEFAULT, use->print, use->user);
    pthread_mutex_unlock(&mutex);
}

void clup_hdf5_hash(const double *values, size_t count, char hex[65])
{
    clup_sha256_state state;
    uint8_t bytes[512];
    clup_sha256_start(&state);
    for (size_t k = 0, length = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        for (unsigned byte = 0; byte < 8; byte++)
            bytes[length++] = (uint8_t)(bits >> (8 * byte));
        if (length == sizeof bytes || k + 1 == count) {
            clup_sha256_add(&state, bytes, length);
            length = 0;
        }
    }
    clup_sha256_finish(&state, hex);
}

#define TEXT_OF(number) #number
#define TEXT_OF_THREE(major, minor, release) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(release)

const char *clup_hdf5_version(void)
{
    return TEXT_OF_THREE(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}
#else
const char *clup_hdf5_version(void)
{
    return NULL;
}
#endif
