/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of all measured sweeps, in chunks, so that none is copied when records are added. */
#include "config.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "run/sweep_records.h"

/* Words of a chunk, at least. */
#define CHUNK_WORDS 65536u
/* Bytes of large pages. Chunks that are larger are made of large pages: with small pages, getting
 * memory takes as long as filling it. */
#define LARGE_PAGE ((size_t)1 << 21)

struct record_chunk {
    uint32_t *words;
    size_t sweeps, room; /* sweeps in the chunk, and sweeps that it has room for */
};

static size_t sweep_words(const clup_sweep_records *records)
{
    return (size_t)records->words * records->replicas;
}

static struct record_chunk *last_chunk(const clup_sweep_records *records)
{
    return records->chunk_count > 0 ? &records->chunks[records->chunk_count - 1] : NULL;
}

static uint32_t *words_create(size_t count)
{
    const size_t bytes = count * sizeof(uint32_t);
    void *words = NULL;
    if (bytes < LARGE_PAGE)
        return malloc(bytes);
    if (posix_memalign(&words, LARGE_PAGE, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(words, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return words;
}

uint32_t *clup_sweep_records_room(clup_sweep_records *records, size_t sweeps)
{
    struct record_chunk *last = last_chunk(records);
    if (last == NULL || last->room - last->sweeps < sweeps) {
        /* only the last chunk may be empty: clup_sweep_records_of ends at an empty one */
        if (last != NULL && last->sweeps == 0) {
            free(last->words);
            records->chunk_count--;
        }
        const size_t least = CHUNK_WORDS / sweep_words(records) + 1,
                     room = sweeps > least ? sweeps : least;
        if (records->chunk_count == records->chunk_room) {
            const size_t more = records->chunk_room > 0 ? 2 * records->chunk_room : 16;
            struct record_chunk *chunks = realloc(records->chunks, more * sizeof *chunks);
            if (chunks == NULL)
                return NULL;
            records->chunks = chunks;
            records->chunk_room = more;
        }
        uint32_t *words = words_create(room * sweep_words(records));
        if (words == NULL)
            return NULL;
        last = &records->chunks[records->chunk_count++];
        *last = (struct record_chunk){words, 0, room};
    }
    return last->words + last->sweeps * sweep_words(records);
}

void clup_sweep_records_add(clup_sweep_records *records, size_t sweeps)
{
    if (sweeps == 0)
        return;
    last_chunk(records)->sweeps += sweeps;
    records->count += sweeps;
}

size_t clup_sweep_records_of(const clup_sweep_records *records, size_t chunk, uint32_t replica,
                             const uint32_t **first, size_t *apart)
{
    const size_t skipped = chunk == 0 ? records->sweeps_before : 0;
    chunk += records->chunks_before;
    if (chunk >= records->chunk_count)
        return 0;
    *apart = sweep_words(records);
    *first = records->chunks[chunk].words + skipped * *apart + (size_t)replica * records->words;
    return records->chunks[chunk].sweeps - skipped;
}

void clup_sweep_records_leave_out(clup_sweep_records *records, size_t sweeps)
{
    records->count = records->count + records->left_out - sweeps;
    records->left_out = records->sweeps_before = sweeps;
    records->chunks_before = 0;
    while (records->chunks_before + 1 < records->chunk_count &&
           records->sweeps_before >= records->chunks[records->chunks_before].sweeps)
        records->sweeps_before -= records->chunks[records->chunks_before++].sweeps;
}

void clup_sweep_records_forget(clup_sweep_records *records)
{
    const clup_sweep_records none = {.words = records->words, .replicas = records->replicas};
    clup_sweep_records_clear(records);
    *records = none;
}

void clup_sweep_records_clear(clup_sweep_records *records)
{
    for (size_t k = 0; k < records->chunk_count; k++)
        free(records->chunks[k].words);
    free(records->chunks);
    *records = (clup_sweep_records){0};
}
