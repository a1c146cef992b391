/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the text of a pull request with a result. */
#include "bench/draw/send.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench/cut.h"
#include "bench/draw/compare_words.h"
#include "bench/point.h"
#include "bench/status.h"
#include "program.h"

bool bench_send_is_wanted(const json_t *root)
{
    const json_t *options = json_object_get(root, "options");
    return strcmp(bench_text(options, "suite"), "paper") == 0 &&
           !json_is_array(json_object_get(options, "sizes"));
}

/* ---- names of files -------------------------------------------------------------------------- */

/* Appends a text as a part of a path: small letters, digits and points, of which none is first, and
 * one "-" for what is between them; "unknown" for nothing. */
static void append_name(char *to, size_t size, const char *text)
{
    const size_t first = strlen(to);
    size_t length = first;
    bool apart = false;
    for (; *text != '\0' && length + 2 < size; text++) {
        const unsigned char letter = (unsigned char)*text;
        if (letter >= 0x80 || (!isalnum(letter) && (letter != '.' || length == first))) {
            apart = true;
            continue;
        }
        if (apart && length > first)
            to[length++] = '-';
        apart = false;
        to[length++] = (char)tolower(letter);
    }
    to[length] = '\0';
    if (length == first)
        bench_print(to + length, size - length, "unknown");
}

/* The folder of a vendor: the name that it is known by, or the first word of its own. */
static void vendor_name(const char *vendor, char *to, size_t size)
{
    static const char *const known[][2] = {
        {"NVIDIA", "nvidia"}, {"Advanced Micro", "amd"}, {"AMD", "amd"}, {"Intel", "intel"},
        {"Mesa", "mesa"},     {"Apple", "apple"},        {"ARM", "arm"}, {"Qualcomm", "qualcomm"},
    };
    char first[64];
    to[0] = '\0';
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strstr(vendor, known[k][0]) != NULL) {
            append_name(to, size, known[k][1]);
            return;
        }
    bench_print(first, sizeof first, "%.*s", (int)strcspn(vendor, " ,"), vendor);
    append_name(to, size, first[0] != '\0' ? first : "other");
}

/* The file of a result in doc/results: VENDOR/DEVICE/DRIVER.json, with -quick for a quick one. */
static void place_of(const json_t *root, char *to, size_t size)
{
    const json_t *device = json_object_get(root, "device");
    const char *name = bench_text(device, "name");
    char vendor[64], driver[128];
    vendor_name(bench_text(device, "vendor"), vendor, sizeof vendor);
    /* NVIDIA/NVIDIA H100 is nvidia/h100 */
    const size_t length = strlen(vendor);
    if (strncasecmp(name, vendor, length) == 0 && name[length] == ' ')
        name += length + 1;
    bench_print(to, size, "doc/results/%s/", vendor);
    append_name(to, size - 160, name);
    /* versions of PoCL are told from those of a processor's other drivers */
    bench_print(driver, sizeof driver, "%s%s",
                strstr(bench_text(device, "platform"), "Portable Computing") != NULL ? "pocl " : "",
                bench_text(device, "driver"));
    bench_print(to + strlen(to), size - strlen(to), "/");
    append_name(to, size, driver);
    bench_print(to + strlen(to), size - strlen(to), "%s.json",
                json_is_true(json_object_get(json_object_get(root, "options"), "quick")) ? "-quick"
                                                                                         : "");
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The sweep of the planner's kernels that takes the least time a site; NULL for none. */
static const json_t *best_sweep(const json_t *root)
{
    const json_t *found = NULL;
    json_t *point;
    size_t k;
    json_array_foreach(json_object_get(root, "points"), k, point)
    {
        if (strcmp(bench_text(point, "suite"), "size") == 0 &&
            strcmp(bench_text(point, "curve"), "default") == 0 &&
            isfinite(bench_median(point, "update")) &&
            (found == NULL || bench_median(point, "update") < bench_median(found, "update")))
            found = point;
    }
    return found;
}

/* Writes a cell of a table: without what would end it, or begin an element of HTML. */
static void write_cell(const char *text, FILE *to)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_<>[]|#", *text) != NULL)
            fputc('\\', to);
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, to);
    }
}

static void write_row(const char *what, const char *text, FILE *to)
{
    fprintf(to, "| %s | ", what);
    write_cell(text, to);
    fputs(" |\n", to);
}

static void write_sweep(const json_t *root, FILE *to)
{
    static const char *const stages[] = {"bonds", "source", "local", "consolidate", "action"};
    const json_t *point = best_sweep(root), *plan = json_object_get(point, "plan");
    char text[512] = "", number[64], part[16];
    if (point == NULL)
        return;
    bench_compare_percent(bench_number(point, "bandwidth_fraction"), part, sizeof part);
    const double ps = bench_median(point, "update");
    snprintf(number, sizeof number, ps < 1000 ? "%.3g" : "%.0f", ps);
    bench_print(text, sizeof text, "%s ps a site, L = %g%s%s%s", number, bench_number(point, "x"),
                part[0] != '\0' ? ", " : "", part, part[0] != '\0' ? " of the copy bandwidth" : "");
    write_row("a sweep by clup's plan", text, to);
    text[0] = '\0';
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        const char *name = bench_text(plan, stages[k]);
        if (name[0] != '\0')
            bench_print(text + strlen(text), sizeof text - strlen(text), "%s%.*s",
                        text[0] != '\0' ? ", " : "", bench_cut(name, 60), name);
    }
    write_row("layout and kernels", text, to);
}

static void write_body(const json_t *root, const char *place, FILE *to)
{
    const json_t *device = json_object_get(root, "device"), *host = json_object_get(root, "host");
    const bool quick = json_is_true(json_object_get(json_object_get(root, "options"), "quick"));
    size_t k, failed = 0, points = json_array_size(json_object_get(root, "points"));
    const json_t *copy = NULL;
    char text[1024];
    json_t *point;
    json_array_foreach(json_object_get(root, "points"), k, point)
    {
        failed += json_object_get(point, "error") != NULL;
        if (strcmp(bench_text(point, "id"), "bandwidth/copy") == 0)
            copy = point;
    }
    fprintf(to, "The result of `clup bench paper%s`, in `%s`.\n\n| | |\n|---|---|\n",
            quick ? " --quick" : "", place);
    bench_print(text, sizeof text, "%s (%s, %d compute units)", bench_text(device, "name"),
                bench_text(device, "type"), (int)bench_number(device, "compute_units"));
    write_row("device", text, to);
    bench_print(text, sizeof text, "%s, %s", bench_text(device, "platform"),
                bench_text(device, "driver"));
    write_row("platform, driver", text, to);
    bench_print(text, sizeof text, "%s, %d cores, %s", bench_text(host, "processor"),
                (int)bench_number(host, "cores"), bench_text(host, "system"));
    write_row("host", text, to);
    bench_print(text, sizeof text, "%s, %.10s", bench_text(root, "version"),
                bench_text(root, "created"));
    write_row("clup, date", text, to);
    if (isfinite(bench_median(copy, "copy"))) {
        bench_print(text, sizeof text, "%.4g GB/s", bench_median(copy, "copy"));
        write_row("copy bandwidth", text, to);
    }
    write_sweep(root, to);
    bench_print(text, sizeof text, "%zu, of which %zu could not be measured", points, failed);
    write_row("points", text, to);
    write_row("SHA-256 of the result", bench_text(root, "sha256"), to);
    fputs(
        "\n- [ ] `make -C build results` has made the pages anew: the file is whole, and its spins "
        "and\n  labels are those of the other devices.\n- [ ] Nothing else was running on the "
        "device and the host.\n",
        to);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Writes a text for a shell, whatever is in it: folder, "/" and the text in quotation marks. */
static void write_quoted(const char *folder, const char *text, FILE *to)
{
    const char *const parts[] = {folder, folder[0] != '\0' ? "/" : "", text};
    fputc('\'', to);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (const char *at = parts[k]; *at != '\0'; at++)
            if (*at == '\'')
                fputs("'\\''", to);
            else
                fputc(*at, to);
    fputc('\'', to);
}

static bool is_absolute(const char *path)
{
#ifdef _WIN32
    if (path[0] == '\\' || (path[0] != '\0' && path[1] == ':'))
        return true;
#endif
    return path[0] == '/';
}

static void write_steps(const json_t *root, const char *path, const char *place,
                        const char *text_file, const char *body, FILE *to)
{
    const json_t *device = json_object_get(root, "device");
    char title[512], here[4096];
    const bool quick = json_is_true(json_object_get(json_object_get(root, "options"), "quick"));
    bench_print(title, sizeof title, "results: %s, driver %s%s", bench_text(device, "name"),
                bench_text(device, "driver"), quick ? ", quick" : "");
    for (char *at = title; *at != '\0'; at++)
        *at = (unsigned char)*at < 0x20 || *at == 0x7F ? ' ' : *at;
    fprintf(to,
            "\nTo send this result, in a checkout of clup:\n\n"
            "    mkdir -p %.*s\n    cp ",
            (int)(strrchr(place, '/') - place), place);
    /* the checkout is another folder */
    if (is_absolute(path) || getcwd(here, sizeof here) == NULL)
        here[0] = '\0';
    write_quoted(here, path, to);
    fprintf(to,
            " %s\n    make -C build results\n    git switch -c results && git add doc/results\n"
            "    git commit -m ",
            place);
    write_quoted("", title, to);
    fprintf(to,
            "\n\nThen push the branch, and open a pull request with this text, which %s has:\n\n%s",
            text_file, body);
}

clup_status bench_send_write(const json_t *root, const char *path, const char *folder, FILE *to)
{
    char place[512], file[4200];
    char *body = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&body, &size);
    place_of(root, place, sizeof place);
    snprintf(file, sizeof file, "%s/pull-request.md", folder);
    if (text == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a text");
    write_body(root, place, text);
    const bool failed = ferror(text), lost = fclose(text) != 0;
    clup_status status = failed || lost ? bench_fail(CLUP_ERROR_MEMORY, "out of memory for a text")
                                        : bench_library(clup_file_save(file, body, size));
    if (status == CLUP_OK)
        write_steps(root, path, place, file, body, to);
    free(body);
    return status;
}
