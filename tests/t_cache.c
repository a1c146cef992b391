/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of built programs. An entry is used only when it belongs to the program, is complete,
 * and is the user's own. Otherwise the program is built again, and the entry replaced. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"
#include "ocl/binary_cache.h"
#include "ocl/kernel.h"
#include "tap.h"

#define ENTRIES_MAX 64
#define HASH_LINE 72

/* Lists the paths of the entries in folder, in order of their names, which are hashes. Returns
 * their number. */
static int entries(const char *folder, clup_text paths[ENTRIES_MAX])
{
    struct dirent **names;
    const int found = scandir(folder, &names, NULL, alphasort);
    int count = 0;
    for (int k = 0; k < found; k++) {
        if (strstr(names[k]->d_name, ".bin") != NULL && count < ENTRIES_MAX)
            clup_text_add(&paths[count++], "%s/%s", folder, names[k]->d_name);
        free(names[k]);
    }
    if (found >= 0)
        free(names);
    return count;
}

static int count_of(const char *folder)
{
    clup_text paths[ENTRIES_MAX] = {{0}};
    const int count = entries(folder, paths);
    for (int k = 0; k < count; k++)
        clup_text_free(&paths[k]);
    return count;
}

static clup_text contents(const char *path)
{
    clup_text text = {0};
    NEED(clup_file_read(path, &text));
    return text;
}

static void put(const char *path, const void *data, size_t size)
{
    const clup_piece piece = {data, size};
    NEED(clup_file_write_own(path, &piece, 1));
}

static mode_t mode_of(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 ? found.st_mode : 0;
}

static void use_cache(const char *folder)
{
    setenv("CLUP_CACHE_DIR", folder, 1);
}

/* ---- whole simulations ----------------------------------------------------------------------- */

/* Runs a short simulation with a fresh context. Sets the hash of its spins; returns the number of
 * programs built. */
static unsigned hash_of_run(unsigned q, char hash[65])
{
    clup_problem problem = {.size = {40, 40}, .periodic = {1, 1}, .q = q, .beta = 0.9};
    clup_context *context;
    clup_simulation *simulation;
    uint8_t spins[1600];
    NEED(clup_context_create(NULL, &context));
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 5, 0, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    clup_sha256(spins, sizeof spins, hash);
    clup_simulation_free(simulation);
    const unsigned built = context->built;
    clup_context_free(context);
    return built;
}

/* Replaces every entry of one folder by entries of another, for each cyclic shift. */
static void check_swaps(const char *folder)
{
    char a[128], b[128], two[65], three[65], again[65];
    clup_text of_a[ENTRIES_MAX] = {{0}}, of_b[ENTRIES_MAX] = {{0}};
    snprintf(a, sizeof a, "%s/a", folder);
    snprintf(b, sizeof b, "%s/b", folder);
    use_cache(a);
    const unsigned built = hash_of_run(2, two);
    use_cache(b);
    hash_of_run(3, three);
    const int in_a = entries(a, of_a), in_b = entries(b, of_b);
    ok(in_a >= 4 && in_a == (int)built && in_b >= 4 && strcmp(two, three) != 0,
       "a first run leaves an entry for each program (%d, %d)", in_a, in_b);
    ok(hash_of_run(3, again) == 0 && strcmp(again, three) == 0, "a second one builds none");
    int right = 0, built_again = 0;
    for (int shift = 0; shift < in_a; shift++) {
        for (int k = 0; k < in_b; k++) {
            clup_text other = contents(of_a[(k + shift) % in_a].data);
            put(of_b[k].data, other.data, other.length);
            clup_text_free(&other);
        }
        built_again += hash_of_run(3, again) == (unsigned)in_b;
        right += strcmp(again, three) == 0;
    }
    ok(right == in_a, "entries of other programs do not change spins");
    ok(built_again == in_a, "programs are built in their place");
    ok(hash_of_run(3, again) == 0 && strcmp(again, three) == 0, "and kept");
    use_cache("/proc/none");
    ok(hash_of_run(3, again) == (unsigned)in_b && strcmp(again, three) == 0,
       "a cache that cannot be written is no failure");
    setenv("CLUP_CACHE", "0", 1);
    snprintf(a, sizeof a, "%s/none", folder);
    use_cache(a);
    ok(hash_of_run(3, again) == (unsigned)in_b && strcmp(again, three) == 0 && count_of(a) == 0,
       "CLUP_CACHE=0 writes nothing");
    setenv("CLUP_CACHE", "1", 1);
    for (int k = 0; k < in_a; k++)
        clup_text_free(&of_a[k]);
    for (int k = 0; k < in_b; k++)
        clup_text_free(&of_b[k]);
}

/* ---- one program ----------------------------------------------------------------------------- */

/* Writes sources that compile fast, for CLUP_CL_PATH. */
static void write_sources(const char *folder, const char *plus)
{
    static const char *const names[] = {"one", "two"};
    for (size_t k = 0; k < 2; k++) {
        clup_text path = {0}, text = {0};
        clup_text_add(&path, "%s/%s.cl", folder, names[k]);
        clup_text_add(&text, "kernel void %s(global uint *x) { x[get_global_id(0)] = STATES%s; }\n",
                      names[k], plus);
        put(path.data, text.data, text.length);
        clup_text_free(&path);
        clup_text_free(&text);
    }
}

/* Makes a kernel in a fresh context, on a device with another driver unless driver is NULL. Returns
 * 1 when the program was built, 0 when it came from the cache, -1 for a failure. */
static int make(const char *driver, const char *definitions)
{
    clup_context *context;
    clup_kernel kernel;
    NEED(clup_context_create(NULL, &context));
    if (driver != NULL) {
        free((char *)context->device.info.driver);
        context->device.info.driver = strdup(driver);
    }
    const clup_status status = clup_kernel_create(context, "one.cl", "one", definitions, &kernel);
    const int built = (int)context->built;
    if (status == CLUP_OK)
        clup_kernel_free(&kernel);
    else
        printf("# %s\n", clup_error_detail());
    clup_context_free(context);
    return status == CLUP_OK ? built : -1;
}

#define DEFINITIONS "STATES=2u"

/* Whether a wrong entry at path is not used, and is then replaced by the right one, in a file that
 * only the user can access. */
static int is_mended(const char *path)
{
    return make(NULL, DEFINITIONS) == 1 && mode_of(path) == (S_IFREG | 0600) &&
           make(NULL, DEFINITIONS) == 0;
}

/* An entry with another value in one part and the hash that belongs to it, as another version or
 * driver would write it. */
static clup_text forged(const clup_text *entry, const char *part)
{
    clup_text text = {0};
    char hash[65], start[64];
    clup_sha256_state state;
    snprintf(start, sizeof start, "\n%s ", part);
    const char *line = strstr(entry->data, start), *signature = strstr(entry->data, "\nsha256 ");
    if (line == NULL || signature == NULL || line >= signature)
        return text;
    const char *binary = signature + 1 + HASH_LINE;
    const char *value = strchr(line + strlen(start), ' ') + 1;
    clup_text_add_bytes(&text, entry->data, (size_t)(signature + 1 - entry->data));
    text.data[value - entry->data] ^= 1;
    clup_sha256_start(&state);
    clup_sha256_add(&state, text.data, text.length);
    clup_sha256_add(&state, binary, entry->length - (size_t)(binary - entry->data));
    clup_sha256_finish(&state, hash);
    clup_text_add(&text, "sha256 %s\n", hash);
    clup_text_add_bytes(&text, binary, entry->length - (size_t)(binary - entry->data));
    return text;
}

/* The entry of the same program, but with another binary. */
static clup_text with_binary(const clup_text *entry, const void *binary, size_t size)
{
    clup_text text = {0};
    char hash[65];
    clup_sha256_state state;
    clup_text_add_bytes(&text, entry->data,
                        (size_t)(strstr(entry->data, "\nsha256 ") + 1 - entry->data));
    clup_sha256_start(&state);
    clup_sha256_add(&state, text.data, text.length);
    clup_sha256_add(&state, binary, size);
    clup_sha256_finish(&state, hash);
    clup_text_add(&text, "sha256 %s\n", hash);
    clup_text_add_bytes(&text, binary, size);
    return text;
}

/* Tests each part of the key. */
static void check_parts(const char *path, const clup_text *entry)
{
    static const char *const parts[] = {"clup",   "platform", "platform_version", "vendor",
                                        "device", "driver",   "options",          "source_sha256"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        clup_text other = forged(entry, parts[k]);
        if (ok(other.length == entry->length, "an entry says of which %s it is", parts[k])) {
            put(path, other.data, other.length);
            ok(is_mended(path), "one of another %s is not used", parts[k]);
        }
        clup_text_free(&other);
    }
}

static void check_keys(const char *folder)
{
    const int before = count_of(folder);
    ok(make("another driver", DEFINITIONS) == 1 && count_of(folder) == before + 1,
       "another driver has another entry");
    ok(make("another driver", DEFINITIONS) == 0 && make(NULL, DEFINITIONS) == 0,
       "and both are kept");
    ok(make(NULL, "STATES=3u") == 1 && count_of(folder) == before + 2 &&
           make(NULL, "STATES=3u") == 0 && make(NULL, DEFINITIONS) == 0,
       "so have other options");
    write_sources(getenv("CLUP_CL_PATH"), "+1");
    ok(make(NULL, DEFINITIONS) == 1 && count_of(folder) == before + 3 &&
           make(NULL, DEFINITIONS) == 0,
       "and another source");
}

/* Changes one bit, or cuts the file, in each of its regions. The hash is first, and then does not
 * match the rest. */
static void check_damages(const char *path, const clup_text *entry)
{
    const size_t hash = (size_t)(strstr(entry->data, "\nsha256 ") - entry->data) + 8,
                 binary = hash + 65, rest = entry->length - binary;
    const size_t at[] = {hash,
                         hash + 63,
                         hash + 64,
                         0,
                         13,
                         14,
                         hash / 3,
                         hash / 2,
                         hash - 9,
                         binary,
                         binary + rest / 4,
                         binary + rest / 2,
                         entry->length - 1};
    char *bytes = malloc(entry->length + 1);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        memcpy(bytes, entry->data, entry->length);
        bytes[at[k]] ^= 1 << k % 8;
        put(path, bytes, entry->length);
        ok(is_mended(path), "an entry with a bit of byte %zu flipped%s is not used", at[k],
           k < 2 ? ", of the hash," : "");
        put(path, entry->data, at[k]);
        ok(is_mended(path), "nor is one of %zu bytes of %zu", at[k], entry->length);
    }
    memcpy(bytes, entry->data, entry->length);
    bytes[entry->length] = '\0';
    put(path, bytes, entry->length + 1);
    ok(is_mended(path), "nor one with a byte more");
    free(bytes);
}

/* Wrong binaries with a matching hash. */
static void check_binaries(const char *path, const clup_text *entry)
{
    static const char garbage[] = "no binary";
    clup_text forged_entry = with_binary(entry, garbage, sizeof garbage);
    put(path, forged_entry.data, forged_entry.length);
    ok(is_mended(path), "a binary that the platform refuses is not used");
    clup_text_free(&forged_entry);
    /* the binary of another program, which lacks the kernel */
    clup_context *context;
    clup_kernel kernel;
    clup_text paths[ENTRIES_MAX] = {{0}};
    char folder[] = "t_cache_other.XXXXXX";
    const char *own = getenv("CLUP_CACHE_DIR");
    char kept[256];
    snprintf(kept, sizeof kept, "%s", own);
    if (mkdtemp(folder) == NULL)
        exit(99);
    use_cache(folder);
    NEED(clup_context_create(NULL, &context));
    NEED(clup_kernel_create(context, "two.cl", "two", DEFINITIONS, &kernel));
    clup_kernel_free(&kernel);
    clup_context_free(context);
    use_cache(kept);
    ok(entries(folder, paths) == 1, "another program has an entry");
    clup_text other = contents(paths[0].data);
    const char *binary = strstr(other.data, "\nsha256 ") + 1 + HASH_LINE;
    forged_entry = with_binary(entry, binary, other.length - (size_t)(binary - other.data));
    put(path, forged_entry.data, forged_entry.length);
    ok(is_mended(path), "a binary without the kernel is not used");
    unlink(paths[0].data);
    rmdir(folder);
    clup_text_free(&paths[0]);
    clup_text_free(&other);
    clup_text_free(&forged_entry);
}

/* ---- whose the files are --------------------------------------------------------------------- */

static void check_files(const char *path, const clup_text *entry)
{
    ok(chmod(path, 0620) == 0 && is_mended(path), "an entry that others can write is not used");
    if (geteuid() == 0)
        ok(chown(path, 1, (gid_t)-1) == 0 && is_mended(path), "nor is one of another user");
    put("victim", entry->data, entry->length);
    clup_text link = {0};
    clup_text_add(&link, "%s", "victim");
    char *victim = realpath(link.data, NULL);
    unlink(path);
    ok(symlink(victim, path) == 0 && is_mended(path), "nor is a link, which is replaced");
    put("victim", "text", 4);
    unlink(path);
    ok(symlink(victim, path) == 0 && is_mended(path), "so is a link to what is none");
    clup_text now = contents("victim");
    ok(now.length == 4, "and what it leads to is left alone");
    clup_text_free(&now);
    unlink(path);
    ok(mkfifo(path, 0600) == 0 && is_mended(path), "a pipe holds nobody up");
    unlink("victim");
    free(victim);
    clup_text_free(&link);
}

/* Refuses a folder, with text in the warning: its entries are neither used nor replaced. */
static void check_refused(const char *folder, const char *text)
{
    clup_context *context;
    const int before = count_of(folder);
    NEED(clup_context_create(NULL, &context));
    ok(strstr(clup_context_warning(context), text) != NULL &&
           strstr(clup_context_warning(context), folder) != NULL,
       "it is warned of: %s", clup_context_warning(context));
    clup_context_free(context);
    ok(make(NULL, DEFINITIONS) == 1, "nothing is taken from it");
    ok(make(NULL, "STATES=5u") == 1 && count_of(folder) == before, "nothing is put there");
}

static void check_folder(const char *folder)
{
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    ok(mode_of(folder) == (S_IFDIR | 0700) && strcmp(clup_context_warning(context), "") == 0,
       "the folder is made for the user alone");
    clup_context_free(context);
    static const mode_t modes[] = {0777, 01777, 0770};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        ok(chmod(folder, modes[k]) == 0, "a folder of mode %04o is refused", (unsigned)modes[k]);
        check_refused(folder, "can be written by others");
    }
    chmod(folder, 0755);
    ok(make(NULL, DEFINITIONS) == 0, "that others can read it is no matter");
    if (geteuid() == 0) {
        ok(chown(folder, 1, (gid_t)-1) == 0, "one of another user is refused");
        check_refused(folder, "belongs to another user");
        ok(chown(folder, geteuid(), (gid_t)-1) == 0 && make(NULL, DEFINITIONS) == 0,
           "until it is the user's");
    } else {
        use_cache("/usr");
        ok(1, "one of another user is refused");
        check_refused("/usr", "belongs to another user");
        use_cache(folder);
    }
}

/* Makes a file with a name, so many seconds old. */
static void leave(const char *folder, const char *name, time_t age)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    put(path, "text", 4);
    const struct timespec then = {time(NULL) - age, 0}, times[2] = {then, then};
    utimensat(AT_FDCWD, path, times, 0);
}

static int is_left(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0 && unlink(path) == 0;
}

static void check_sweep(const char *folder, const char *path)
{
    leave(folder, "0123.bin.4711.0", 4000);
    leave(folder, "0123.bin.4711.12", 100000);
    leave(folder, "0123.bin.4711.1", 3000);
    leave(folder, "0123.bin", 100000);
    leave(folder, "0123.bin.4711", 100000);
    leave(folder, "0123.npy.4711.0", 100000);
    leave(folder, "0123.bin.4711.0.txt", 100000);
    leave(folder, "4711.0", 100000);
    unlink(path);
    ok(make(NULL, DEFINITIONS) == 1, "a program is stored");
    ok(!is_left(folder, "0123.bin.4711.0") && !is_left(folder, "0123.bin.4711.12"),
       "what killed writers left is swept");
    ok(is_left(folder, "0123.bin.4711.1"), "but not what may still be written");
    ok(is_left(folder, "0123.bin") && is_left(folder, "0123.bin.4711") &&
           is_left(folder, "0123.npy.4711.0") && is_left(folder, "0123.bin.4711.0.txt") &&
           is_left(folder, "4711.0"),
       "nor other files");
}

/* ---- who builds ------------------------------------------------------------------------------ */

/* A thread that makes the program, as another process would. */
typedef struct maker {
    pthread_t thread;
    atomic_bool ends;
    int built;
} maker;

static void *make_one(void *user)
{
    maker *maker = user;
    maker->built = make(NULL, DEFINITIONS);
    atomic_store(&maker->ends, true);
    return NULL;
}

/* Takes the locks that say that programs are being built, and gives them back. */
static void hold_all(const char *folder, int held[16])
{
    for (size_t k = 0; k < 16; k++) {
        clup_text lock = {0};
        clup_text_add(&lock, "%s/building-%c", folder, "0123456789abcdef"[k]);
        NEED(clup_file_lock(lock.data, 1, &held[k]));
        clup_text_free(&lock);
    }
}

static void release_all(const int held[16])
{
    for (size_t k = 0; k < 16; k++)
        clup_file_unlock(held[k]);
}

/* Whether a maker of the program waits while a file says that the program is being built. entry,
 * unless NULL, is the result of that build. */
static bool waits_for(const char *folder, const char *path, const clup_text *entry, int *built)
{
    const struct timespec while_built = {1, 0};
    int held[16];
    maker maker = {.built = -1};
    hold_all(folder, held);
    pthread_create(&maker.thread, NULL, make_one, &maker);
    nanosleep(&while_built, NULL);
    const bool waits = !atomic_load(&maker.ends);
    if (entry != NULL)
        put(path, entry->data, entry->length);
    release_all(held);
    pthread_join(maker.thread, NULL);
    *built = maker.built;
    return waits;
}

/* Ends work once, as a Ctrl-C does that Python has heard. */
static int end_once(const clup_task *task, void *user)
{
    unsigned *asked = user;
    (void)task;
    return ++*asked == 5;
}

/* A Ctrl-C while another process builds is not lost. */
static void check_interrupted(const char *folder, const char *path)
{
    clup_context *context;
    clup_kernel kernel;
    unsigned asked = 0;
    int held[16];
    NEED(clup_context_create(NULL, &context));
    unlink(path);
    hold_all(folder, held);
    clup_set_watch(end_once, &asked);
    const clup_status status = clup_kernel_create(context, "one.cl", "one", DEFINITIONS, &kernel);
    clup_set_watch(NULL, NULL);
    release_all(held);
    ok(status == CLUP_INTERRUPTED && asked == 5, "who waits can be interrupted, once");
    clup_context_free(context);
}

static void check_waits(const char *folder, const char *path, const clup_text *entry)
{
    clup_context *context;
    int built;
    unlink(path);
    ok(waits_for(folder, path, entry, &built) && built == 0,
       "who finds a program that is being built waits, and takes what was built");
    unlink(path);
    ok(waits_for(folder, path, NULL, &built) && built == 1, "or builds it, when there is none");
    ok(!waits_for(folder, path, NULL, &built) && built == 0, "nobody waits for what is there");
    check_interrupted(folder, path);
    ok(make(NULL, DEFINITIONS) == 1, "and builds it the next time");
    setenv("CLUP_CACHE", "0", 1);
    NEED(clup_context_create(NULL, &context));
    const bool alone = strstr(clup_context_device(context)->platform,
                              "Portable Computing Language") != NULL;
    clup_context_free(context);
    ok(waits_for(folder, path, NULL, &built) == alone && built == 1,
       "without a cache of clup's one waits where the platform's needs it");
    setenv("CLUP_CACHE", "1", 1);
}

static void check_entry(const char *folder)
{
    char cache[128];
    clup_text paths[ENTRIES_MAX] = {{0}};
    snprintf(cache, sizeof cache, "%s/below/cache", folder);
    use_cache(cache);
    setenv("CLUP_CL_PATH", folder, 1);
    write_sources(folder, "");
    umask(0);
    ok(make(NULL, DEFINITIONS) == 1 && make(NULL, DEFINITIONS) == 0 && entries(cache, paths) == 1,
       "a program is kept");
    ok(mode_of(paths[0].data) == (S_IFREG | 0600), "in a file of the user's alone");
    umask(022);
    clup_text entry = contents(paths[0].data);
    check_parts(paths[0].data, &entry);
    check_damages(paths[0].data, &entry);
    check_binaries(paths[0].data, &entry);
    check_files(paths[0].data, &entry);
    check_folder(cache);
    check_sweep(cache, paths[0].data);
    check_waits(cache, paths[0].data, &entry);
    check_keys(cache);
    unsetenv("CLUP_CL_PATH");
    clup_text_free(&entry);
    clup_text_free(&paths[0]);
}

int main(void)
{
    char folder[] = "t_cache.XXXXXX", command[96];
    if (mkdtemp(folder) == NULL)
        return 99;
    setenv("CLUP_CACHE", "1", 1);
    check_entry(folder);
    check_swaps(folder);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ok(system(command) == 0, "clean");
    return done_testing();
}
