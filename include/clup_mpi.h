/* SPDX-License-Identifier: BSD-3-Clause */
/* clup on several processes of MPI, each with a device of its own: see clup/processes.h. A program
 * links libclup_mpi as well; pkg-config knows it as clup_mpi. */
#ifndef CLUP_MPI_H
#define CLUP_MPI_H

#include <mpi.h>

#include "clup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes what clup_context_join takes, of the processes of a communicator. MPI must have been
 * initialised. All processes of the communicator call it.
 *
 *   comm  is duplicated until clup_mpi_ranks_free, which all processes call as well
 *   out   the processes; NULL on failure
 *
 * Returns CLUP_ERROR_RUNTIME when MPI fails. */
CLUP_API clup_status clup_mpi_ranks_create(MPI_Comm comm, clup_ranks **out);
CLUP_API void clup_mpi_ranks_free(clup_ranks *ranks);

/* Chooses the device of this process. All processes of the communicator call it; those of a host
 * take the wanted devices in turn, in the order of their ranks. The devices of a type are in the
 * order of their PCI addresses.
 *
 *   wanted    the devices that they may have: selectors of clup_device_find with commas between
 *             them, of which "gpu", "cpu" and "accelerator" stand for all devices of that type.
 *             NULL stands for CLUP_DEVICE of the environment, else for all GPUs, else for the
 *             device that clup_device_find picks
 *   selector  becomes the device, for clup_context_create
 *   sharing   becomes the number of processes of the host that have this device */
CLUP_API clup_status clup_mpi_device(MPI_Comm comm, const char *wanted, char selector[32],
                                     uint32_t *sharing);

#ifdef __cplusplus
}
#endif

#endif
