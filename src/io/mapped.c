/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is part of a file: pixels are mapped from their file, and labels are in a file
 * without a name. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/dtype.h"
#include "io/image.h"
#include "ocl/host_memory.h"

uint64_t clup_mapped_least;

/* Whether so many bytes take more than a fair share of the memory. */
static bool are_many(uint64_t bytes)
{
    return clup_mapped_least > 0 ? bytes >= clup_mapped_least : bytes / 2 > clup_host_memory() / 4;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

bool clup_pixels_mapped(const clup_input *input, size_t offset, uint64_t bytes,
                        const clup_image *image)
{
    return input->all > 0 && !input->turned &&
           (input->start + offset) % clup_dtype_bytes(image->dtype) == 0 && are_many(bytes);
}

/* Windows reserves memory for all pages that could be changed, other systems for those that are. */
#ifdef _WIN32
#define PIXELS_PROTECTION PROT_READ
#else
#define PIXELS_PROTECTION (PROT_READ | PROT_WRITE)
#endif

clup_status clup_pixels_map(const clup_input *input, size_t offset, size_t bytes, clup_image *image)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), first = (size_t)input->start + offset,
                 before = first % page;
    char *mapped = mmap(NULL, before + bytes, PIXELS_PROTECTION, MAP_PRIVATE | MAP_NORESERVE,
                        input->descriptor, (off_t)(first - before));
    if (mapped == MAP_FAILED)
        return errno == ENOMEM ? clup_fail_memory(input->name)
                               : clup_input_fail(input, "%s", strerror(errno));
    (void)madvise(mapped, before + bytes, MADV_SEQUENTIAL);
    image->pixels = mapped + before;
    image->mapped = before + bytes;
    return CLUP_OK;
}

void clup_pixels_unmap(clup_image *image)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pixels = image->pixels;
    munmap(pixels - (uintptr_t)pixels % page, (size_t)image->mapped);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Labels of at least so many bytes are mapped, in pages of 2 MB if the system has them: to touch
 * smaller pages for the first time takes longer than to transfer the labels from a device. */
#define LARGE ((uint64_t)1 << 21)

#ifdef _WIN32
static const char temporary[] = "TEMP", otherwise[] = ".";
#else
static const char temporary[] = "TMPDIR", otherwise[] = "/tmp";
#endif

/* Returns the folder of a file, or of temporary files; NULL if memory is missing. */
static char *folder_of(const char *beside)
{
    const char *folder = getenv(temporary);
    if (beside == NULL || strcmp(beside, "-") == 0)
        return strdup(folder != NULL && *folder != '\0' ? folder : otherwise);
    const char *slash = clup_file_slash(beside);
    return slash == NULL     ? strdup(".")
           : slash == beside ? strdup("/")
                             : strndup(beside, (size_t)(slash - beside));
}

#ifdef __APPLE__
/* macOS has it by another name. */
static int posix_fallocate(int file, off_t first, off_t bytes)
{
    fstore_t all = {
        .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = first + bytes};
    return fcntl(file, F_PREALLOCATE, &all) == -1 || ftruncate(file, first + bytes) != 0 ? errno
                                                                                         : 0;
}
#endif

/* Makes a file without a name and reserves so many bytes for it; -1 and errno if that fails. */
static int open_nameless(const char *folder, uint64_t bytes)
{
    clup_text path = {0};
    clup_text_add(&path, "%s/.clup-XXXXXX", folder);
    int file = -1, error = ENOMEM;
    if (clup_text_ok(&path)) {
        file = mkostemp(path.data, O_CLOEXEC);
        error = errno;
        if (file >= 0)
            unlink(path.data);
    }
    clup_text_free(&path);
    if (file >= 0 && (error = posix_fallocate(file, 0, (off_t)bytes)) != 0) {
        close(file);
        file = -1;
    }
    errno = error;
    return file;
}

static clup_status create_in_file(const char *beside, uint64_t bytes, uint32_t **labels)
{
    char *folder = folder_of(beside);
    const int file = folder != NULL ? open_nameless(folder, bytes) : -1;
    void *mapped = MAP_FAILED;
    clup_status status = CLUP_OK;
    if (file >= 0)
        mapped = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) {
        (void)madvise(mapped, (size_t)bytes, MADV_SEQUENTIAL);
        *labels = mapped;
    } else
        status = clup_fail(CLUP_ERROR_MEMORY,
                           "no room for labels of %" PRIu64
                           " bytes, neither in memory nor in %s: %s",
                           bytes, folder != NULL ? folder : "a file", strerror(errno));
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}

clup_status clup_labels_create(uint64_t pixels, const char *beside, uint32_t **labels)
{
    CLUP_NEED(labels);
    *labels = NULL;
    if (pixels == 0 || pixels > SIZE_MAX / sizeof **labels)
        return clup_fail(CLUP_ERROR_USAGE, "there are no labels of %" PRIu64 " pixels", pixels);
    const uint64_t bytes = pixels * sizeof **labels;
    if (bytes < LARGE)
        *labels = malloc((size_t)bytes);
    else if (are_many(bytes))
        return create_in_file(beside, bytes, labels);
    else {
        void *mapped = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *labels = mapped != MAP_FAILED ? mapped : NULL;
#ifdef MADV_HUGEPAGE
        if (*labels != NULL)
            (void)madvise(mapped, (size_t)bytes, MADV_HUGEPAGE);
#endif
    }
    return *labels != NULL ? CLUP_OK : clup_fail_memory("the labels");
}

void clup_labels_free(uint32_t *labels, uint64_t pixels)
{
    const uint64_t bytes = pixels * sizeof *labels;
    if (labels != NULL && bytes >= LARGE)
        munmap(labels, (size_t)bytes);
    else
        free(labels);
}
