/* A progress bar on stderr, where that is a terminal. */
#ifndef CLUP_CLI_PROGRESS_H
#define CLUP_CLI_PROGRESS_H
#include <stdint.h>

typedef struct progress {
    const char *what, *unit;
    int shown;
    double started, drawn;
} progress;

void progress_start(progress *bar, const char *what, const char *unit, int quiet);
void progress_show(progress *bar, uint64_t done, uint64_t total);
/* Clears the line. */
void progress_end(progress *bar);

#endif
