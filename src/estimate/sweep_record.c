/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the packed records of measured sweeps. */
#include "estimate/sweep_record.h"

uint64_t clup_sweep_record_number(const uint32_t *record, uint32_t format, uint32_t part,
                                  uint32_t k)
{
    const uint32_t each = format & RECORD_LARGE ? 2 : 1;
    const uint32_t *at = record + record_place(format, part) + each * k;
    return at[0] | (each > 1 ? (uint64_t)at[1] << 32 : 0);
}

/* Sets numbers of a record that are stored one after the other, and returns where the next one is
 * stored. */
static const uint32_t *numbers_get(const uint32_t *from, size_t apart, size_t count, bool large,
                                   uint64_t *number)
{
    const size_t next = sizeof(sweep_record) / sizeof *number;
    for (size_t k = 0; k < count; k++)
        number[k * next] = from[k * apart] | (large ? (uint64_t)from[k * apart + 1] << 32 : 0);
    return from + (large ? 2 : 1);
}

void clup_sweep_records_get(const uint32_t *from, size_t apart, size_t count, uint32_t format,
                            sweep_record *records)
{
    const bool large = (format & RECORD_LARGE) != 0;
    const uint32_t *staggered = from + record_place(format, RECORD_STAGGERED),
                   *twist = from + record_place(format, RECORD_TWIST),
                   *overlap = from + record_place(format, RECORD_OVERLAP),
                   *active = from + record_place(format, RECORD_ACTIVE);
#define ROW(NAME, NEEDS) \
    if (record_has(format, NEEDS)) \
        from = numbers_get(from, apart, count, large, &records->NAME);
    SPIN_NUMBERS(ROW)
#undef ROW
#define ROW(NAME, OP, VALUE) \
    if (record_has(format, count_needs(CLUSTER_SUM_##NAME))) \
        from = numbers_get(from, apart, count, large, &records->NAME);
    CLUSTER_COUNTS(ROW)
#undef ROW
    if (format & RECORD_MODES) {
#define ROW(NAME) from = numbers_get(from, apart, count, true, &records->NAME);
        MODE_NUMBERS(ROW)
#undef ROW
    }
    for (unsigned k = 0; (format & RECORD_FK_MODES) && k < FK_MODE_NUMBERS; k++)
        from = numbers_get(from, apart, count, true, &records->fk_modes[k]);
    if (format & RECORD_WRAPS)
        numbers_get(from, apart, count, large, &records->wraps);
    for (unsigned k = 0; (format & RECORD_STAGGERED) && k < 2; k++)
        staggered = numbers_get(staggered, apart, count, true, &records->staggered[k]);
    for (unsigned k = 0; (format & RECORD_TWIST) && k < 9; k++)
        twist = numbers_get(twist, apart, count, true, &records->twist[k]);
    for (unsigned k = 0; (format & RECORD_OVERLAP) && k < OVERLAP_NUMBERS; k++)
        overlap = numbers_get(overlap, apart, count, true, &records->overlap[k]);
    if (format & RECORD_ACTIVE)
        numbers_get(active, apart, count, large, &records->active);
}

sweep_record clup_sweep_record_get(const uint32_t *from, uint32_t format)
{
    sweep_record record = {0};
    clup_sweep_records_get(from, 0, 1, format, &record);
    return record;
}
