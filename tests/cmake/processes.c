/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the device that each process of MPI takes, for tests/linking.sh */
#include <clup_mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char selector[32];
    uint32_t sharing;
    clup_status status;
    MPI_Init(&argc, &argv);
    status = clup_mpi_device(MPI_COMM_WORLD, NULL, selector, &sharing);
    if (status == CLUP_OK)
        printf("%u share %s\n", (unsigned)sharing, selector);
    else
        fprintf(stderr, "%s\n", clup_error_detail());
    MPI_Finalize();
    return (int)status;
}
