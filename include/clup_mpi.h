/* clup on several processes of MPI, each with a device of its own: see clup_context_join of clup.h.
 * A library of its own, libclup_mpi; pkg-config knows it as clup_mpi. */
#ifndef CLUP_MPI_H
#define CLUP_MPI_H

#include <mpi.h>

#include "clup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of a communicator, all of which call it; they have a copy of it until
 * clup_mpi_ranks_free, which all call as well. CLUP_ERROR_RUNTIME when MPI fails; NULL on failure.
 * MPI has been initialised. */
CLUP_API clup_status clup_mpi_ranks_create(MPI_Comm comm, clup_ranks **out);
CLUP_API void clup_mpi_ranks_free(clup_ranks *ranks);

/* The device of this process, as a selector of clup_device_find, to selector[32]: all processes of
 * the communicator call it. wanted are devices that they may have, selectors with commas between
 * them, of which "gpu", "cpu" and "accelerator" stand for all devices of that type; NULL for
 * CLUP_DEVICE of the environment, else all GPUs, else the one that clup_device_find picks. The
 * processes of a host have them in turn, by their ranks: the devices of a type in the order of
 * their PCI addresses. *sharing says how many processes of the host have this device. */
CLUP_API clup_status clup_mpi_device(MPI_Comm comm, const char *wanted, char selector[32],
                                     uint32_t *sharing);

#ifdef __cplusplus
}
#endif

#endif
