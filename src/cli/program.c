/* SPDX-License-Identifier: BSD-3-Clause */
/* The program clup. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
