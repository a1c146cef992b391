/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams that become texts; copies of texts. */
#include <errno.h>
#include <windows.h>

#undef fclose

/* An open stream that becomes a text when it is closed: until then it is a file. */
typedef struct pending {
    struct pending *next;
    FILE *stream;
    char **text;
    size_t *size;
} pending;

static pending *all;
static SRWLOCK lock = SRWLOCK_INIT;

FILE *open_memstream(char **text, size_t *size)
{
    pending *made = malloc(sizeof *made);
    FILE *stream = made != NULL ? clup_windows_tmpfile() : NULL;
    if (stream == NULL) {
        free(made);
        return NULL;
    }
    AcquireSRWLockExclusive(&lock);
    *made = (pending){all, stream, text, size};
    all = made;
    ReleaseSRWLockExclusive(&lock);
    *text = NULL;
    *size = 0;
    return stream;
}

/* Takes the stream out of the list; NULL for others. */
static pending *take(FILE *stream)
{
    AcquireSRWLockExclusive(&lock);
    pending **at = &all;
    while (*at != NULL && (*at)->stream != stream)
        at = &(*at)->next;
    pending *found = *at;
    if (found != NULL)
        *at = found->next;
    ReleaseSRWLockExclusive(&lock);
    return found;
}

/* Reads the text up to where the stream is, as that of other systems does. */
static int read_text(const pending *from)
{
    const int64_t size = _ftelli64(from->stream);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text == NULL)
        return EOF;
    rewind(from->stream);
    if (fread(text, 1, (size_t)size, from->stream) != (size_t)size) {
        free(text);
        return EOF;
    }
    text[size] = '\0';
    *from->text = text;
    *from->size = (size_t)size;
    return 0;
}

int clup_windows_fclose(FILE *stream)
{
    pending *found = take(stream);
    const int failed = found != NULL ? read_text(found) : 0;
    free(found);
    return fclose(stream) == 0 ? failed : EOF;
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
