/* SPDX-License-Identifier: BSD-3-Clause */
/* The ICD loader, which is loaded when it is first called if configure was told to
 * (--enable-opencl-dlopen), so that the library and programs work where there is none. */
#ifndef CLUP_OCL_LOADER_H
#define CLUP_OCL_LOADER_H

/* Why the ICD loader cannot be loaded, or NULL: it is loaded, or the library is linked with it. */
const char *clup_cl_loader_error(void);

#endif
