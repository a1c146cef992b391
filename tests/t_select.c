/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection of a device, from a recorded list of devices. */
#include <stdlib.h>
#include <string.h>

#include "ocl/devices.h"
#include "ocl/quirks.h"
#include "tap.h"

static clup_device machine[] = {
    {.info = {0, 0, "pthread-AMD EPYC", "Portable Computing Language", "AuthenticAMD", "3.1", "cpu",
              "", "", 2, 1048576, NULL}},
    {.info = {1, 0, "NVIDIA H100 80GB HBM3", "NVIDIA CUDA", "NVIDIA Corporation", "580.159.04",
              "gpu", "00112233445566778899aabbccddeeff", "0000:00:06.0", 132, 49152, NULL}},
    {.info = {1, 1, "NVIDIA H100 80GB HBM3", "NVIDIA CUDA", "NVIDIA Corporation", "580.159.04",
              "gpu", "ffeeddccbbaa99887766554433221100", "0000:00:07.0", 132, 49152, NULL}},
    {.info = {2, 0, "gpu emulator", "Some Platform", "Somebody", "1", "accelerator", "", "", 4,
              32768, NULL}},
};

static void picks(const clup_device_list *list, const char *selector, int wanted)
{
    size_t found;
    clup_status status = clup_device_find(list, selector, &found);
    if (wanted < 0)
        ok(status == CLUP_ERROR_NO_DEVICE && strstr(clup_error_detail(), selector) != NULL,
           "'%s' picks none and is named", selector);
    else
        ok(status == CLUP_OK && found == (size_t)wanted, "'%s' picks device %d",
           selector != NULL ? selector : "(none)", wanted);
}

int main(void)
{
    clup_device_list all = {.devices = machine, .count = 4},
                     no_gpu = {.devices = machine, .count = 1};
    unsetenv("CLUP_DEVICE");
    picks(&all, NULL, 1);
    picks(&all, "", 1);
    picks(&no_gpu, NULL, 0);
    picks(&all, "0:0", 0);
    picks(&all, "1:1", 2);
    picks(&all, "3:0", -1);
    picks(&all, "3", -1);
    picks(&all, "100", -1);
    picks(&all, "gpu", 1);
    picks(&all, "GPU", 1);
    picks(&all, "cpu", 0);
    picks(&all, "accelerator", 3);
    picks(&no_gpu, "gpu", -1);
    picks(&all, "h100", 1);
    picks(&all, "emulator", 3);
    picks(&all, "portable", 0);
    picks(&all, "0000:00:07.0", 2);
    picks(&all, "FFEEDDCC-BBAA-9988-7766-554433221100", 2);
    picks(&all, "ffeeddccbbaa9988776655443322110", -1);
    picks(&all, "radeon", -1);
    setenv("CLUP_DEVICE", "1:1", 1);
    picks(&all, NULL, 2);
    picks(&all, "0:0", 0);
    clup_device_list accelerator = {.devices = machine + 3, .count = 1};
    unsetenv("CLUP_DEVICE");
    picks(&accelerator, NULL, 0);
    clup_device others[] = {machine[0], machine[3]};
    picks(&(clup_device_list){.devices = others, .count = 2}, NULL, 1);
    ok(clup_quirks_of(&machine[0].info).caches_binaries &&
           clup_quirks_of(&machine[1].info).caches_binaries &&
           !clup_quirks_of(&machine[3].info).caches_binaries,
       "the binary cache is left to platforms that have one");
    return done_testing();
}
