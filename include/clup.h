/* clup: clusters of a lattice on any OpenCL device.
 *
 * An umbrella over the headers in clup/, one for each topic; a program includes this one, or those
 * that it needs. Each header includes only ones that stand above it in the list below.
 *
 * Every function that can fail returns a clup_status; what went wrong, with
 * the offending value, is the text of clup_error_detail(), kept for each thread until its next
 * failure. Objects are opaque or plain structs; what a function creates is released with the
 * matching _free, which accepts NULL. Elsewhere a NULL, and a struct of zeros, is CLUP_ERROR_USAGE
 * unless the function's text gives it a meaning; the detail names the argument. Functions without a
 * status return NULL or 0 for a NULL object and for a number past the end. Functions may be called
 * by several threads at once, from the first call on: the library lists platforms and makes
 * contexts for one at a time, since not all drivers bear it otherwise. A program that calls OpenCL
 * itself has made its own first calls before it starts such threads. An object may be used by one
 * thread at a time; different objects are independent, except that simulations sharing a context
 * must not run at the same time. In a process that was forked from one in which the library had
 * used OpenCL, what needs a device is CLUP_ERROR_RUNTIME at once: spawn processes, or fork them
 * before.
 *
 * Structs grow within the room of their field "reserved": as long as the name stays by which
 * programs load the library, such as libclup.so.0, sizes, places of fields and lengths of arrays
 * do. In what a caller passes, reserved is zero, as it is after {0} and where other fields are
 * named; else it is taken for a field of a later version, which this one cannot heed, and refused:
 * CLUP_ERROR_USAGE. In what the library fills it is zero. A field that a later version puts there
 * says with zero what was so before. Structs without it are parts of others, and stay, or are read
 * through pointers of the library's alone, and grow at their ends: copy their fields, not the
 * whole. */
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
#include "clup/label.h"
#include "clup/cluster.h"
#include "clup/tune.h"
#include "clup/selftest.h"

#endif
