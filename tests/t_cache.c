/* The cache of built programs: used when it is sound, ignored when it is not. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "ocl/binary_cache.h"
#include "tap.h"

#define ENTRIES_MAX 64

/* The paths of the entries in folder. */
static int entries(const char *folder, clup_text paths[ENTRIES_MAX])
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;)
        if (strstr(entry->d_name, ".bin") != NULL && count < ENTRIES_MAX)
            clup_text_add(&paths[count++], "%s/%s", folder, entry->d_name);
    if (stream != NULL)
        closedir(stream);
    return count;
}

/* A short simulation with a fresh context: the hash of its spins. */
static void hash_of_run(char hash[65])
{
    clup_problem problem = {.size = {40, 40}, .periodic = {1, 1}, .q = 2, .beta = 0.9};
    clup_context *context;
    clup_simulation *simulation;
    clup_plan plan;
    uint8_t spins[1600];
    NEED(clup_context_create(NULL, &context));
    NEED(clup_plan_choose(context, &problem, NULL, NULL, &plan));
    NEED(clup_simulation_create(context, &problem, NULL, &plan, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 5, 0, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    clup_sha256(spins, sizeof spins, hash);
    clup_simulation_free(simulation);
    clup_context_free(context);
}

/* What a damaged entry may look like. */
static const struct {
    const char *what, *contents;
} damages[] = {
    {"empty", ""},
    {"cut short", "0123"},
    {"foreign", "0123456789012345678901234567890123456789012345678901234567890123\nELF and more"},
};

int main(void)
{
    char folder[] = "t_cache.XXXXXX", cache[64], command[96], first[65], again[65];
    clup_text paths[ENTRIES_MAX] = {{0}};
    if (mkdtemp(folder) == NULL)
        return 99;
    snprintf(cache, sizeof cache, "%s/below/cache", folder);
    setenv("CLUP_CACHE", "1", 1);
    setenv("CLUP_CACHE_DIR", cache, 1);
    hash_of_run(first);
    int count = entries(cache, paths);
    ok(count >= 4, "a first run leaves an entry for each program (%d)", count);
    hash_of_run(again);
    ok(strcmp(first, again) == 0, "a second run from the cache gives the same spins");
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        for (int n = 0; n < count; n++) {
            const clup_piece piece = {damages[k].contents, strlen(damages[k].contents)};
            NEED(clup_file_write(paths[n].data, &piece, 1));
        }
        hash_of_run(again);
        clup_text mended = {0};
        NEED(clup_file_read(paths[0].data, &mended));
        ok(strcmp(first, again) == 0 && mended.length > 100, "an entry that is %s is built again and replaced", damages[k].what);
        clup_text_free(&mended);
    }
    setenv("CLUP_CACHE_DIR", "/proc/none", 1);
    hash_of_run(again);
    ok(strcmp(first, again) == 0, "a cache that cannot be written is no failure");
    setenv("CLUP_CACHE", "0", 1);
    setenv("CLUP_CACHE_DIR", cache, 1);
    for (int n = 0; n < count; n++)
        unlink(paths[n].data);
    hash_of_run(again);
    clup_text none[ENTRIES_MAX] = {{0}};
    ok(entries(cache, none) == 0, "CLUP_CACHE=0 writes nothing");
    for (int n = 0; n < count; n++)
        clup_text_free(&paths[n]);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ok(system(command) == 0, "clean");
    return done_testing();
}
