/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements clup_ranks, the communication of processes, by MPI; and chooses the device of each
 * process. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clup_mpi.h"

/* Bytes of one transfer at most: counts of MPI are ints. */
#define PIECE ((size_t)1 << 30)

/* Memory that the processes of a host share. It lasts as long as clup_ranks, as freeing a window
 * needs all processes, and one that has failed does not wait for the others. */
typedef struct shared {
    struct shared *next;
    MPI_Win window;
    char *memory;
    size_t bytes;
    bool taken;
} shared;

typedef struct own {
    MPI_Comm comm, host; /* all processes, and those of this process's host */
    shared *first;
} own;

static MPI_Comm comm_of(const clup_ranks *ranks)
{
    return ((own *)ranks->own)->comm;
}

static clup_status status_of(int code)
{
    return code == MPI_SUCCESS ? CLUP_OK : CLUP_ERROR_RUNTIME;
}

/* Polls without a break for this long, which is longer than processes with a device each wait for
 * one another. Then polls with breaks, and leaves the processor to the processes that others wait
 * for. */
#define AT_ONCE_S 1e-3
#define PAUSE_NS 100000

static int wait_for(MPI_Request *requests, int count)
{
    const struct timespec pause = {0, PAUSE_NS};
    const double start = MPI_Wtime();
    int code, done = 0;
    while ((code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE)) == MPI_SUCCESS &&
           !done)
        if (MPI_Wtime() - start > AT_ONCE_S)
            nanosleep(&pause, NULL);
    return code;
}

/* Waits until all processes have called it. */
static int wait_for_all(MPI_Comm comm)
{
    MPI_Request request;
    const int code = MPI_Ibarrier(comm, &request);
    return code == MPI_SUCCESS ? wait_for(&request, 1) : code;
}

static clup_status gather(const clup_ranks *ranks, const void *mine, size_t bytes, void *all)
{
    char *to = all;
    int code = wait_for_all(comm_of(ranks));
    const bool there = mine == to + ranks->index * bytes;
    if (bytes == 0)
        return status_of(code);
    if (code == MPI_SUCCESS && bytes <= PIECE)
        return status_of(MPI_Allgather(there ? MPI_IN_PLACE : mine, (int)bytes, MPI_BYTE, all,
                                       (int)bytes, MPI_BYTE, comm_of(ranks)));
    if (!there)
        memcpy(to + ranks->index * bytes, mine, bytes);
    for (uint32_t p = 0; p < ranks->count; p++)
        for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE)
            code = MPI_Bcast(to + p * bytes + at, (int)(bytes - at < PIECE ? bytes - at : PIECE),
                             MPI_BYTE, (int)p, comm_of(ranks));
    return status_of(code);
}

static clup_status reduce(const clup_ranks *ranks, uint64_t *values, size_t count, MPI_Op op)
{
    const size_t most = PIECE / sizeof *values;
    int code = wait_for_all(comm_of(ranks));
    for (size_t at = 0; at < count && code == MPI_SUCCESS; at += most)
        code = MPI_Allreduce(MPI_IN_PLACE, values + at,
                             (int)(count - at < most ? count - at : most), MPI_UINT64_T, op,
                             comm_of(ranks));
    return status_of(code);
}

static clup_status sum(const clup_ranks *ranks, uint64_t *values, size_t count)
{
    return reduce(ranks, values, count, MPI_SUM);
}

static clup_status least(const clup_ranks *ranks, uint64_t *values, size_t count)
{
    return reduce(ranks, values, count, MPI_MIN);
}

static clup_status exchange(const clup_ranks *ranks, uint32_t to, const void *mine, uint32_t from,
                            void *theirs, size_t bytes)
{
    int code;
    size_t at = 0;
    do {
        const int some = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        code = MPI_SUCCESS;
        if (from != CLUP_NOBODY)
            code = MPI_Irecv((char *)theirs + at, some, MPI_BYTE, (int)from, 0, comm_of(ranks),
                             &requests[0]);
        if (to != CLUP_NOBODY && code == MPI_SUCCESS)
            code = MPI_Isend((const char *)mine + at, some, MPI_BYTE, (int)to, 0, comm_of(ranks),
                             &requests[1]);
        if (code == MPI_SUCCESS)
            code = wait_for(requests, 2);
        at += (size_t)some;
    } while (at < bytes && code == MPI_SUCCESS);
    return status_of(code);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Makes a window of shared memory, which the first process of the host allocates, from the start of
 * a page on. All processes get it, or none does. */
static shared *make_shared(const own *own, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    shared *made = calloc(1, sizeof *made);
    MPI_Aint size;
    int unit, index, ok;
    char *memory;
    MPI_Comm_rank(own->host, &index);
    ok = made != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, own->host);
    if (ok &&
        MPI_Win_allocate_shared(index == 0 ? (MPI_Aint)(bytes + page) : 0, 1, MPI_INFO_NULL,
                                own->host, &memory, &made->window) == MPI_SUCCESS &&
        MPI_Win_shared_query(made->window, 0, &size, &unit, &memory) == MPI_SUCCESS) {
        made->memory = memory + (page - (uintptr_t)memory % page) % page;
        made->bytes = bytes;
        return made;
    }
    free(made);
    return NULL;
}

static void *share(const clup_ranks *ranks, size_t bytes)
{
    own *own = ranks->own;
    shared *some = own->first;
    while (some != NULL && (some->taken || some->bytes != bytes))
        some = some->next;
    if (some == NULL) {
        if ((some = make_shared(own, bytes)) == NULL)
            return NULL;
        some->next = own->first;
        own->first = some;
    }
    some->taken = true;
    return some->memory;
}

static void give_back(const clup_ranks *ranks, void *memory)
{
    for (shared *some = ((own *)ranks->own)->first; some != NULL; some = some->next)
        if (some->memory == memory)
            some->taken = false;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Tells all processes whether a step of writing a common file has failed anywhere. All processes
 * call it after each step. wrong is what went wrong in this process, NULL for nothing. Returns 1 if
 * nothing went wrong in any process. Else returns 0, and why is the text of the first process in
 * which something did. */
static int agree(const clup_ranks *ranks, const char *wrong, char *why)
{
    const int none = (int)ranks->count;
    int first = wrong != NULL ? (int)ranks->index : none;
    snprintf(why, CLUP_WHY, "%s", wrong != NULL ? wrong : "");
    if (MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm_of(ranks)) != MPI_SUCCESS)
        return 0;
    if (first < none)
        MPI_Bcast(why, CLUP_WHY, MPI_CHAR, first, comm_of(ranks));
    return first == none;
}

/* Returns the text of an MPI failure, or NULL. */
static const char *wrong_of(int code, char text[MPI_MAX_ERROR_STRING])
{
    int length;
    if (code == MPI_SUCCESS)
        return NULL;
    MPI_Error_string(code, text, &length);
    return text;
}

static int write_at(MPI_File file, MPI_Offset offset, const char *data, size_t bytes)
{
    int code = MPI_SUCCESS, written;
    MPI_Status status;
    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE) {
        const int some = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        code = MPI_File_write_at(file, offset + (MPI_Offset)at, data + at, some, MPI_BYTE, &status);
        if (code == MPI_SUCCESS &&
            (MPI_Get_count(&status, MPI_BYTE, &written) != MPI_SUCCESS || written != some))
            code = MPI_ERR_NO_SPACE;
    }
    return code;
}

/* The names of the file at the end of links, and of the new file beside it that replaces it, from
 * process 0. */
typedef struct names {
    char target[PATH_MAX], temporary[PATH_MAX];
} names;

static const char *set_names(const char *path, names *names)
{
    if (realpath(path, names->target) == NULL) {
        if (strlen(path) >= sizeof names->target)
            return strerror(ENAMETOOLONG);
        snprintf(names->target, sizeof names->target, "%s", path);
    }
    const int length = snprintf(names->temporary, sizeof names->temporary, "%s.%ld.parts",
                                names->target, (long)getpid());
    return length < (int)sizeof names->temporary ? NULL : strerror(ENAMETOOLONG);
}

/* Gives the new file the mode of the file that it replaces, and its name. */
static const char *put_in_place(const names *names)
{
    struct stat replaced;
    if (stat(names->target, &replaced) == 0 &&
        chmod(names->temporary, replaced.st_mode & 0777) != 0)
        return strerror(errno);
    return rename(names->temporary, names->target) == 0 ? NULL : strerror(errno);
}

static clup_status write_file(const clup_ranks *ranks, const char *path, const void *head,
                              size_t head_bytes, const void *mine, size_t bytes, char *why)
{
    const MPI_Comm comm = comm_of(ranks);
    char text[MPI_MAX_ERROR_STRING];
    uint64_t offset = 0, own = bytes;
    names names = {0};
    MPI_File file = MPI_FILE_NULL;
    const int first = ranks->index == 0;
    if (!agree(ranks, first ? set_names(path, &names) : NULL, why))
        return CLUP_ERROR_RUNTIME;
    MPI_Bcast(&names, sizeof names, MPI_BYTE, 0, comm);
    MPI_Exscan(&own, &offset, 1, MPI_UINT64_T, MPI_SUM, comm);
    int code = MPI_File_open(comm, names.temporary,
                             MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL,
                             &file);
    if (!agree(ranks, wrong_of(code, text), why))
        return CLUP_ERROR_RUNTIME;
    if (first)
        code = write_at(file, 0, head, head_bytes);
    if (code == MPI_SUCCESS)
        code = write_at(file, (MPI_Offset)(head_bytes + (first ? 0 : offset)), mine, bytes);
    int written = agree(ranks, wrong_of(code, text), why);
    if (written)
        written = agree(ranks, wrong_of(MPI_File_sync(file), text), why);
    code = MPI_File_close(&file);
    if (written)
        written = agree(ranks, wrong_of(code, text), why);
    if (written)
        written = agree(ranks, first ? put_in_place(&names) : NULL, why);
    if (!written && first)
        unlink(names.temporary);
    return written ? CLUP_OK : CLUP_ERROR_RUNTIME;
}

clup_status clup_mpi_ranks_create(MPI_Comm comm, clup_ranks **out)
{
    int index, count, here;
    if (out == NULL)
        return CLUP_ERROR_USAGE;
    *out = NULL;
    clup_ranks *ranks = calloc(1, sizeof *ranks);
    own *own = calloc(1, sizeof *own);
    if (ranks == NULL || own == NULL || MPI_Comm_dup(comm, &own->comm) != MPI_SUCCESS) {
        free(ranks);
        free(own);
        return CLUP_ERROR_RUNTIME;
    }
    MPI_Comm_rank(own->comm, &index);
    MPI_Comm_size(own->comm, &count);
    MPI_Comm_split_type(own->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &own->host);
    MPI_Comm_size(own->host, &here);
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MIN, own->comm);
    /* there may be no room for shared memory */
    MPI_Comm_set_errhandler(own->host, MPI_ERRORS_RETURN);
    *ranks = (clup_ranks){.index = (uint32_t)index,
                          .count = (uint32_t)count,
                          .own = own,
                          .gather = gather,
                          .sum = sum,
                          .least = least,
                          .exchange = exchange,
                          .write = write_file,
                          .share = here == count ? share : NULL,
                          .give_back = give_back};
    *out = ranks;
    return CLUP_OK;
}

void clup_mpi_ranks_free(clup_ranks *ranks)
{
    if (ranks == NULL)
        return;
    own *own = ranks->own;
    while (own->first != NULL) {
        shared *some = own->first;
        own->first = some->next;
        MPI_Win_free(&some->window);
        free(some);
    }
    MPI_Comm_free(&own->host);
    MPI_Comm_free(&own->comm);
    free(own);
    free(ranks);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Devices that processes may use, each once, by their numbers in a list. */
typedef struct choice {
    const clup_device_list *list;
    size_t *devices, count;
} choice;

static void add(choice *choice, size_t device)
{
    for (size_t k = 0; k < choice->count; k++)
        if (choice->devices[k] == device)
            return;
    choice->devices[choice->count++] = device;
}

/* Adds all devices of a type, in the order of their PCI addresses, which all processes find equal,
 * and then of the list. */
static void add_type(choice *choice, const char *type)
{
    const size_t devices = clup_device_count(choice->list), first = choice->count;
    for (size_t d = 0; d < devices; d++) {
        const clup_device_info *info = clup_device_get(choice->list, d);
        if (strcmp(info->type, type) != 0)
            continue;
        add(choice, d);
        for (size_t k = choice->count - 1; k > first; k--) {
            const clup_device_info *before = clup_device_get(choice->list, choice->devices[k - 1]);
            if (before->pci == NULL || info->pci == NULL || strcmp(before->pci, info->pci) <= 0)
                break;
            choice->devices[k] = choice->devices[k - 1];
            choice->devices[k - 1] = d;
        }
    }
}

static clup_status add_wanted(choice *choice, const char *wanted)
{
    static const char *const types[] = {"gpu", "cpu", "accelerator"};
    char *words = strdup(wanted), *rest = words;
    clup_status status = words != NULL ? CLUP_OK : CLUP_ERROR_MEMORY;
    for (char *word = strtok_r(words, ",", &rest); word != NULL && status == CLUP_OK;
         word = strtok_r(NULL, ",", &rest)) {
        const size_t before = choice->count;
        size_t device;
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (strcmp(word, types[k]) == 0)
                add_type(choice, word);
        if (choice->count == before &&
            (status = clup_device_find(choice->list, word, &device)) == CLUP_OK)
            add(choice, device);
    }
    free(words);
    return status;
}

clup_status clup_mpi_device(MPI_Comm comm, const char *wanted, char selector[32], uint32_t *sharing)
{
    clup_device_list *list = NULL;
    choice choice = {0};
    MPI_Comm host;
    int index, count;
    size_t device;
    clup_status status = clup_device_list_create(&list);
    if (wanted == NULL || *wanted == '\0')
        wanted = getenv("CLUP_DEVICE");
    /* all processes take part, also those without a device */
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &index);
    MPI_Comm_size(host, &count);
    MPI_Comm_free(&host);
    if (status != CLUP_OK)
        return status;
    choice.list = list;
    choice.devices = malloc((clup_device_count(list) + 1) * sizeof *choice.devices);
    if (choice.devices == NULL)
        status = CLUP_ERROR_MEMORY;
    else if (wanted != NULL && *wanted != '\0')
        status = add_wanted(&choice, wanted);
    else {
        add_type(&choice, "gpu");
        if (choice.count == 0 && (status = clup_device_find(list, NULL, &device)) == CLUP_OK)
            add(&choice, device);
    }
    /* commas alone name no devices, and are part of a name, as in clup_device_find */
    if (status == CLUP_OK && choice.count == 0 &&
        (status = clup_device_find(list, wanted, &device)) == CLUP_OK)
        add(&choice, device);
    if (status == CLUP_OK) {
        const size_t mine = (size_t)index % choice.count;
        const clup_device_info *info = clup_device_get(list, choice.devices[mine]);
        snprintf(selector, 32, "%u:%u", info->platform_index, info->device_index);
        *sharing = (uint32_t)(((size_t)count - 1 - mine) / choice.count + 1);
    }
    free(choice.devices);
    clup_device_list_free(list);
    return status;
}
