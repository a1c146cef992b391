/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to be preloaded, between clup and what it calls: tests/shim/faults.c lets calls fail,
 * tests/shim/device.c lies about the device. Each file defines the functions that it stands in
 * front of, and reads from the environment what to do. */
#ifndef SHIM_H
#define SHIM_H
#include <dlfcn.h>

/* The function of that name that would have been called. */
#define SHIM_NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

#endif
