/* SPDX-License-Identifier: BSD-3-Clause */
/* clup: clusters of a lattice on any OpenCL device.
 *
 * This header includes those in clup/, one for each topic. A program includes this one, or only the
 * topics that it needs. Each topic includes only those that stand before it in the list below.
 *
 * Rules that hold for every function, unless its text says otherwise:
 *
 * Errors. A function that can fail returns a clup_status and gives its result by a pointer.
 * clup_error_detail() is a text about the last failure of the calling thread, with the value that
 * was wrong. NULL for an argument, and a struct of zeros, are CLUP_ERROR_USAGE; the detail names
 * the argument. A function without a status returns NULL or 0 for a NULL object and for a number
 * past the end, so that a loop can count up from 0 until it gets NULL.
 *
 * Ownership. What a function with the name .._create makes is released by the matching .._free,
 * which accepts NULL. Objects are opaque, or plain structs. The caller owns the arrays that it
 * passes; their lengths stand in brackets, such as values[count]. A string is static where no owner
 * is named.
 *
 * Threads. Several threads may call functions at once, from the first call on. (The library lists
 * platforms and makes contexts for one thread at a time, since not all drivers bear it otherwise. A
 * program that calls OpenCL itself makes its own first calls before it starts such threads.) One
 * object is used by one thread at a time. Different objects are independent; only simulations of
 * one context must not run at the same time.
 *
 * Processes. After a fork from a process in which the library had used OpenCL, everything that
 * needs a device is CLUP_ERROR_RUNTIME at once. Spawn processes, or fork them before the first use.
 *
 * Later versions. A struct grows within its field "reserved". While the name of the library stays,
 * such as libclup.so.0, sizes, places of fields and lengths of arrays stay as well. In a struct
 * that a caller passes, reserved must be zero, as it is after {0} and after naming other fields;
 * anything else is CLUP_ERROR_USAGE. In a struct that the library fills it is zero. Zero in a field
 * that a later version adds means what held before. A struct without reserved is a part of another
 * one and stays as it is, or is only read by a pointer that the library returns and may grow at its
 * end: copy its fields, not the whole.
 *
 *     clup_problem problem = {.size = {256, 256}, .periodic = {1, 1}, .q = 2};
 *     clup_simulation *simulation;
 *     clup_context *context;
 *     problem.beta = clup_critical_beta(problem.lattice, problem.q);
 *     if (clup_context_create(NULL, &context) != CLUP_OK)
 *         puts(clup_error_detail()); */
#ifndef CLUP_H
#define CLUP_H

#include "clup/base.h"
#include "clup/device.h"
#include "clup/processes.h"
#include "clup/image.h"
#include "clup/problem.h"
#include "clup/plan.h"
#include "clup/estimate.h"
#include "clup/observable.h"
#include "clup/simulation.h"
#include "clup/tempering.h"
#include "clup/percolation.h"
#include "clup/series.h"
#include "clup/checkpoint.h"
#include "clup/analysis.h"
#include "clup/scaling.h"
#include "clup/label.h"
#include "clup/contact.h"
#include "clup/graph.h"
#include "clup/cluster.h"
#include "clup/region.h"
#include "clup/batch.h"
#include "clup/threshold.h"
#include "clup/tune.h"
#include "clup/selftest.h"

#endif
