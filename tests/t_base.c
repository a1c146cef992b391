/* SPDX-License-Identifier: BSD-3-Clause */
/* src/base and src/io: hashes, files, texts, times. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/status.h"
#include "base/timing.h"
#include "base/workers.h"
#include "io/image.h"
#include "program.h"
#include "tap.h"

static void check_sha256(void)
{
    char hex[65];
    static char million[1000000];
    /* FIPS 180-4 examples */
    clup_sha256("", 0, hex);
    ok(strcmp(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") == 0,
       "SHA-256 of nothing");
    clup_sha256("abc", 3, hex);
    ok(strcmp(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0,
       "SHA-256 of abc");
    clup_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    ok(strcmp(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1") == 0,
       "SHA-256 of two blocks");
    memset(million, 'a', sizeof million);
    clup_sha256(million, sizeof million, hex);
    ok(strcmp(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0,
       "SHA-256 of a million a");
    clup_sha256_state state;
    clup_sha256_start(&state);
    for (size_t k = 0; k < sizeof million; k += 37)
        clup_sha256_add(&state, million + k, sizeof million - k < 37 ? sizeof million - k : 37);
    clup_sha256_finish(&state, hex);
    ok(strcmp(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0,
       "SHA-256 in pieces");
}

/* The last worker fails, in its own thread when there are several. */
static clup_status fail_last(void *user, unsigned worker)
{
    const unsigned *count = user;
    return worker + 1 < *count ? CLUP_OK : clup_fail(CLUP_ERROR_VERIFY, "worker %u", worker);
}

static void check_workers(void)
{
    unsigned counts[] = {1, 4};
    for (size_t k = 0; k < 2; k++) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "worker %u", counts[k] - 1);
        clup_fail(CLUP_ERROR_USAGE, "of before");
        ok(clup_workers_run(counts[k], fail_last, &counts[k]) == CLUP_ERROR_VERIFY &&
               strcmp(clup_error_detail(), wanted) == 0,
           "what one of %u workers failed with is known to the caller", counts[k]);
    }
}

static void check_timing(void)
{
    double odd[] = {5, 1, 4, 2, 3, 7, 6}, even[] = {4, 1, 8, 2}, one[] = {3}, spread;
    ok(clup_median(odd, 7, &spread) == 4 && spread == 0.5,
       "the median of seven, and between the second and the sixth");
    ok(clup_median(even, 4, &spread) == 3 && spread == 1.0 / 3, "of four");
    ok(clup_median(one, 1, &spread) == 3 && spread == 0 && clup_median(one, 1, NULL) == 3,
       "of one");
    double start = clup_now_s();
    ok(clup_now_s() >= start, "time does not run backwards");
}

static void check_files(const char *folder)
{
    clup_text path = {0}, back = {0};
    struct stat found;
    clup_text_add(&path, "%s/a/b/file", folder);
    ok(clup_file_make_folders(path.data) == CLUP_OK, "folders are made");
    const clup_piece pieces[] = {{"one", 3}, {" two", 4}};
    ok(clup_file_write(path.data, pieces, 2) == CLUP_OK &&
           clup_file_read(path.data, &back) == CLUP_OK && strcmp(back.data, "one two") == 0,
       "a file written in pieces reads back");
    stat(path.data, &found);
    mode_t mask = umask(0);
    umask(mask);
    ok((found.st_mode & 0777) == (0666 & ~mask), "with the usual permissions");
    for (unsigned k = 0; k < 9; k++) {
        char left[128];
        snprintf(left, sizeof left, "%s.%ld.%u", path.data, (long)getpid(), k);
        FILE *file = fopen(left, "w");
        if (file != NULL)
            fclose(file);
    }
    ok(clup_file_write(path.data, pieces, 1) == CLUP_OK,
       "names of temporary files that are taken are passed by");
    char absent[128];
    snprintf(absent, sizeof absent, "%s/absent/file", folder);
    ok(clup_file_write(absent, pieces, 2) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), absent) != NULL,
       "a folder that is not there is an error that names the file");
    ok(clup_file_writable(folder) == CLUP_ERROR_RUNTIME, "a folder is no output file");
    ok(clup_file_read(folder, &back) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), folder) != NULL,
       "nor can it be read: %s", clup_error_detail());
    clup_text_free(&path);
    clup_text_free(&back);
}

static const clup_piece text = {"text", 4};

static int has_text(const char *path)
{
    clup_text back = {0};
    int same = clup_file_read(path, &back) == CLUP_OK && strcmp(back.data, text.data) == 0;
    clup_text_free(&back);
    return same;
}

static mode_t mode_of(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 ? found.st_mode : 0;
}

static clup_status no_piece(void *user, clup_piece *piece)
{
    (void)user;
    (void)piece;
    return clup_fail(CLUP_ERROR_MEMORY, "no piece");
}

static void check_replaced(void)
{
    ok(clup_file_write("kept", &text, 1) == CLUP_OK && chmod("kept", 0604) == 0 &&
           clup_file_write("kept", &text, 1) == CLUP_OK && mode_of("kept") == (S_IFREG | 0604),
       "a file that is replaced keeps its mode");
    ok(clup_file_write_from("kept", no_piece, NULL) == CLUP_ERROR_MEMORY && has_text("kept") &&
           mode_of("kept") == (S_IFREG | 0604),
       "and all of it when there is nothing to replace it with");
    ok(symlink("kept", "link") == 0 && symlink("link", "further") == 0 &&
           clup_file_write("further", &text, 1) == CLUP_OK && S_ISLNK(mode_of("link")) &&
           S_ISLNK(mode_of("further")) && mode_of("kept") == (S_IFREG | 0604),
       "links remain, and what they lead to is replaced");
    ok(symlink("absent", "before") == 0 && clup_file_writable("before") == CLUP_OK &&
           mode_of("absent") == 0 && clup_file_write("before", &text, 1) == CLUP_OK &&
           S_ISLNK(mode_of("before")) && has_text("absent"),
       "or made");
    ok(mkdir("under", 0700) == 0 && symlink("inner", "under/link") == 0 &&
           clup_file_write("under/link", &text, 1) == CLUP_OK && has_text("under/inner") &&
           mode_of("inner") == 0,
       "of a link elsewhere beside it");
    ok(unlink("under/link") == 0 && unlink("under/inner") == 0 && rmdir("under") == 0,
       "and nothing else");
    ok(symlink("round", "round") == 0 && clup_file_writable("round") == CLUP_ERROR_RUNTIME &&
           clup_file_write("round", &text, 1) == CLUP_ERROR_RUNTIME,
       "a link to itself: %s", clup_error_detail());
    char longest[256];
    memset(longest, 'x', 255);
    longest[255] = '\0';
    ok(clup_file_write(longest, &text, 1) == CLUP_OK && has_text(longest),
       "a name may have 255 characters");
    ok(chmod("kept", 0444) == 0 &&
           clup_file_writable("kept") == (geteuid() == 0 ? CLUP_OK : CLUP_ERROR_RUNTIME),
       "one that may not be written is refused, but to root");
}

static void check_special(void)
{
    char buffer[8] = "";
    ok(mkfifo("pipe", 0600) == 0 && clup_file_writable("pipe") == CLUP_OK,
       "a pipe that no one reads holds nobody up");
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    ok(clup_file_write("pipe", &text, 1) == CLUP_OK && read(reader, buffer, sizeof buffer) == 4 &&
           memcmp(buffer, "text", 4) == 0 && S_ISFIFO(mode_of("pipe")),
       "and one that is read has what is written");
    close(reader);
    ok(clup_file_writable("/dev/full") == CLUP_OK &&
           clup_file_write("/dev/full", &text, 1) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "No space left") != NULL && S_ISCHR(mode_of("/dev/full")),
       "a full device: %s", clup_error_detail());
    ok(clup_file_write("/dev/null", &text, 1) == CLUP_OK && S_ISCHR(mode_of("/dev/null")),
       "and one that takes all");
    ok(clup_file_writable("-") == CLUP_OK && mode_of("-") == 0, "- is no file");
}

static void check_folder(const char *folder)
{
    if (chdir(folder) != 0)
        exit(99);
    check_replaced();
    check_special();
    ok(system("! ls -A | grep -vxE 'a|kept|link|further|absent|before|round|pipe|x{255}'") == 0,
       "no temporary file is left");
    if (chdir("..") != 0)
        exit(99);
}

static void check_npy(const char *folder)
{
    clup_text path = {0}, back = {0};
    clup_text_add(&path, "%s/spins.npy", folder);
    uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    clup_image image = {
        .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .size = {3, 2, 1}, .pixels = bytes};
    ok(clup_image_write(path.data, &image) == CLUP_OK &&
           clup_file_read(path.data, &back) == CLUP_OK,
       "an array is written");
    ok(back.length == 128 + 6 && memcmp(back.data, "\x93NUMPY\x01\x00\x76\x00", 10) == 0 &&
           back.data[127] == '\n',
       "its header is 128 bytes");
    ok(strncmp(back.data + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", 59) ==
           0,
       "and says what it holds");
    ok(memcmp(back.data + 128, bytes, 6) == 0, "the data follow");
    clup_text_free(&back);
    image = (clup_image){
        .axes = 3, .dtype = CLUP_DTYPE_U8, .channels = 1, .size = {1, 3, 2}, .pixels = bytes};
    ok(clup_image_write(path.data, &image) == CLUP_OK &&
           clup_file_read(path.data, &back) == CLUP_OK &&
           strstr(back.data + 10, "'shape': (2, 3, 1), }") != NULL && back.length == 128 + 6,
       "a volume has three axes");
    clup_text_free(&path);
    clup_text_free(&back);
}

static void check_json(void)
{
    static const char *const right[] = {
        "{}", " [ ] ",
        "[1, -0.5e+3, 0, \"\\u00e9\\n\", true, false, null, {\"a\": [[]], \"b\": {}}]\n"};
    static const char *const wrong[] = {"",       "5",     "[",        "[1,]",      "[01]",
                                        "[1.]",   "[-]",   "[1e]",     "{\"a\"}",   "{\"a\": }",
                                        "{a: 1}", "[\"a]", "[\"\t\"]", "[\"\\x\"]", "[\"\\u12g4\"]",
                                        "[tru]",  "{} {}", "[}"};
    static char deep[5000];
    for (size_t k = 0; k < sizeof right / sizeof *right; k++)
        ok(clup_json_is(right[k], strlen(right[k])), "JSON: %s", right[k]);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ok(!clup_json_is(wrong[k], strlen(wrong[k])), "no JSON: %s", wrong[k]);
    memset(deep, '[', sizeof deep / 2);
    memset(deep + sizeof deep / 2, ']', sizeof deep / 2);
    ok(!clup_json_is(deep, sizeof deep) && clup_json_is(deep + 500, sizeof deep - 1000),
       "as deep as it may be, no deeper");
    ok(!clup_json_is("[]\0", 3), "nor with a NUL behind it");
}

/* Numbers in messages read back as equal values, and have no more digits than that needs. */
static void check_numbers(void)
{
    static const struct {
        double number;
        const char *text;
    } known[] = {{0.1, "0.1"},
                 {20, "20"},
                 {1.0000001, "1.0000001"},
                 {-1, "-1"},
                 {1e300, "1e+300"},
                 {1.0 / 3, "0.3333333333333333"},
                 {INFINITY, "inf"},
                 {-0.10000000000000002, "-0.10000000000000002"},
                 {4294967295, "4294967295"}};
    char text[32];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        ok(strcmp(clup_number_text(known[k].number, text), known[k].text) == 0, "%s is %s",
           known[k].text, text);
    ok(strstr(clup_number_text(NAN, text), "nan") != NULL, "nan is %s", text);
}

int main(void)
{
    char folder[] = "t_base.XXXXXX";
    if (mkdtemp(folder) == NULL)
        return 99;
    check_sha256();
    check_workers();
    check_timing();
    check_numbers();
    check_json();
    check_files(folder);
    check_folder(folder);
    check_npy(folder);
    ok(clup_text_contains("NVIDIA H100", "h100") && !clup_text_contains("NVIDIA H100", "h1000") &&
           clup_text_contains("", ""),
       "texts are searched without case");
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ok(system(command) == 0, "nothing else is left behind");
    return done_testing();
}
