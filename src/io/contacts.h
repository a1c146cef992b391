/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of contacts. */
#ifndef CLUP_IO_CONTACTS_H
#define CLUP_IO_CONTACTS_H
#include "base/status.h"

/* Writes contacts, whose labels are at most most, as a sparse matrix (clup_contacts_write). */
clup_status clup_contacts_write_npz(const char *path, const clup_contacts *contacts, uint32_t most);

#endif
