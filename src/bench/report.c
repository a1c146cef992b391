/* The report of a result. */
#include "bench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/conclusions.h"
#include "bench/figures.h"
#include "bench/page.h"
#include "bench/result.h"
#include "bench/suite.h"

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : "";
}

static bool is_of(const json_t *point, const char *suite)
{
    return strcmp(text(point, "suite"), suite) == 0;
}

/* ---- the head -------------------------------------------------------------------------------- */

static void write_head(const json_t *root, bench_page *page)
{
    const json_t *device = json_object_get(root, "device"), *host = json_object_get(root, "host"),
                 *options = json_object_get(root, "options");
    bench_page_table(page, 2);
    bench_page_cell(page, 0, "what");
    bench_page_cell(page, 1, "value");
    bench_page_cell(page, 0, "device");
    bench_page_cell(page, 1, "%s, %s", text(device, "name"), text(device, "vendor"));
    bench_page_cell(page, 0, "platform, driver");
    bench_page_cell(page, 1, "%s, %s", text(device, "platform"), text(device, "driver"));
    bench_page_cell(page, 0, "compute units");
    bench_page_cell(page, 1, "%lld, %lld bytes of local memory each",
                    (long long)json_integer_value(json_object_get(device, "compute_units")),
                    (long long)json_integer_value(json_object_get(device, "local_mem_bytes")));
    bench_page_cell(page, 0, "host");
    bench_page_cell(page, 1, "%s, %lld cores, %s, %s", text(host, "processor"),
                    (long long)json_integer_value(json_object_get(host, "cores")),
                    text(host, "machine"), text(host, "system"));
    bench_page_cell(page, 0, "clup, date");
    bench_page_cell(page, 1, "clup %s, %s", text(root, "version"), text(root, "created"));
    bench_page_cell(page, 0, "suite");
    bench_page_cell(page, 1, "%s%s", text(options, "suite"),
                    json_is_true(json_object_get(options, "quick"))
                        ? ", a quick run: small lattices, few samples"
                        : "");
    bench_page_cell(page, 0, "SHA-256");
    bench_page_cell(page, 1, "%s", text(root, "sha256"));
    bench_page_table_end(page);
    bench_page_text(page,
                    "Times are medians of device events, in ns a site and sweep or in ms, after an "
                    "equilibrated start; error bars are half the distance of the quartiles. Unless "
                    "said, it is the critical q = 2 Potts model on a periodic square lattice.");
}

/* ---- trust ----------------------------------------------------------------------------------- */

/* The system of a point, as a text that points of the same spins share. */
static void system_of(const json_t *point, char *to, size_t size)
{
    const json_t *problem = json_object_get(point, "problem");
    snprintf(to, size, "L = %g, q = %lld, beta = %.6g, %s", bench_point_size(point),
             (long long)json_integer_value(json_object_get(problem, "q")),
             json_number_value(json_object_get(problem, "beta")), text(problem, "algorithm"));
}

/* Of points with the same problem, spins are the same whatever their plans. */
static void write_trust(const json_t *root, bench_page *page)
{
    const json_t *points = json_object_get(root, "points");
    unsigned systems = 0, plans = 0, wrong = 0;
    bench_page_heading(page, 2, "Can this be trusted");
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k),
                     *problem = json_object_get(point, "problem");
        const char *hash = text(point, "spins_sha256");
        size_t first = 0;
        /* few-cluster has parameters of its own */
        if (hash[0] == '\0' || strcmp(text(problem, "algorithm"), "sw") != 0)
            continue;
        while (text(json_array_get(points, first), "spins_sha256")[0] == '\0' ||
               !json_equal(json_object_get(json_array_get(points, first), "problem"), problem))
            first++;
        systems += first == k;
        plans++;
        if (strcmp(text(json_array_get(points, first), "spins_sha256"), hash) != 0) {
            char system[160];
            system_of(point, system, sizeof system);
            bench_page_item(page, "Other spins:", "%s, %s", text(point, "id"), system);
            wrong++;
        }
    }
    bench_page_text(
        page,
        "Each point has the SHA-256 of the spins two sweeps after its start, which is the "
        "same for every plan and device, and for the serial reference. %u points of %u "
        "systems: %s. clup compare holds them against those of other devices.",
        plans, systems,
        wrong == 0 ? "plans agree on all" : "plans do not agree, do not trust this result");
}

static void write_failures(const json_t *root, bench_page *page)
{
    const json_t *points = json_object_get(root, "points");
    unsigned count = 0;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        if (json_object_get(point, "error") == NULL)
            continue;
        if (count++ == 0)
            bench_page_heading(page, 2, "What could not be measured");
        bench_page_item(page, text(point, "id"), "%s", text(point, "error"));
    }
}

/* ---- Table I --------------------------------------------------------------------------------- */

/* The value of a series of a point of suite table, in ns; NAN for none. */
static double in_table(const json_t *root, const char *curve, unsigned q, double ratio,
                       uint32_t size, const char *series)
{
    char id[160];
    snprintf(id, sizeof id, "table/%s/q=%u/ratio=%g/L=%u", curve, q, ratio, size);
    const json_t *point = bench_find(root, id);
    return point != NULL ? 1e-3 * bench_median(point, series) : NAN;
}

static void cell_ns(bench_page *page, size_t column, double ns)
{
    if (isfinite(ns))
        bench_page_cell(page, column, "%.4g", ns);
    else
        bench_page_cell(page, column, "-");
}

static void write_table_one(const json_t *root, bench_page *page)
{
    static const struct {
        unsigned row, q;
        double ratio;
        uint32_t size;
        const char *way, *processor;
        double serial_ns;
        const char *gpu;
        double gpu_ns, speedup;
    } rows[] = {
#define TABLE(ROW, Q, RATIO, SIZE, WAY, PROCESSOR, SERIAL, GPU, NS, SPEEDUP) \
    {ROW, Q, RATIO, SIZE, WAY, PROCESSOR, SERIAL, GPU, NS, SPEEDUP},
#include "bench/paper.def"
#undef TABLE
    };
    static const char *const head[] = {
        "q",         "beta/beta_c", "L",       "method",   "paper: processor",
        "ns",        "GPU",         "ns",      "speed-up", "here: L",
        "serial ns", "device ns",   "wall ns", "speed-up", "clup's plan ns",
        "speed-up"};
    enum { COLUMNS = sizeof head / sizeof *head };
    const bool quick = json_is_true(json_object_get(json_object_get(root, "options"), "quick"));
    const char *name = bench_curve_name(root, "table", 0);
    if (name == NULL)
        return;
    bench_page_heading(page, 2, "The paper's Table I");
    bench_page_text(
        page,
        "The paper's rows, and the same methods here: self-labelling, with tiles of 16 "
        "and sewing or the planner's tile and relaxation. The serial code is a "
        "breadth-first search with on-line flipping on one core of this host; speed-ups "
        "are those of the wall clock.%s",
        quick ? " A quick run has lattices 16 times smaller." : "");
    bench_page_table(page, COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint32_t size = quick ? rows[k].size / 16 : rows[k].size;
        const unsigned q = rows[k].q;
        const double ratio = rows[k].ratio,
                     serial = in_table(root, "breadth-first", q, ratio, size, "wall"),
                     device = in_table(root, rows[k].way, q, ratio, size, "update"),
                     wall = in_table(root, rows[k].way, q, ratio, size, "wall"),
                     best = in_table(root, "default", q, ratio, size, "wall");
        bench_page_cell(page, 0, "%u", q);
        bench_page_cell(page, 1, "%g", ratio);
        bench_page_cell(page, 2, "%u", rows[k].size);
        bench_page_cell(page, 3, "%s", strcmp(rows[k].way, "sew") == 0 ? "sewing" : "relaxation");
        bench_page_cell(page, 4, "%s", rows[k].processor);
        bench_page_cell(page, 5, "%.4g", rows[k].serial_ns);
        bench_page_cell(page, 6, "%s", rows[k].gpu);
        bench_page_cell(page, 7, "%.4g", rows[k].gpu_ns);
        bench_page_cell(page, 8, "%.0f", rows[k].speedup);
        bench_page_cell(page, 9, "%u", size);
        cell_ns(page, 10, serial);
        cell_ns(page, 11, device);
        cell_ns(page, 12, wall);
        cell_ns(page, 13, serial / wall);
        cell_ns(page, 14, best);
        cell_ns(page, 15, serial / best);
    }
    bench_page_table_end(page);
}

/* ---- suites ---------------------------------------------------------------------------------- */

/* What gnuplot has drawn, if it did. */
static clup_status read_svg(const char *folder, const char *name, char **svg, size_t *size)
{
    char path[4300];
    struct stat file;
    *svg = NULL;
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    FILE *from = fopen(path, "rb");
    if (from == NULL || fstat(fileno(from), &file) != 0) {
        if (from != NULL)
            fclose(from);
        return CLUP_OK;
    }
    *svg = calloc(1, (size_t)file.st_size + 1);
    *size = *svg != NULL ? fread(*svg, 1, (size_t)file.st_size, from) : 0;
    fclose(from);
    return *svg != NULL ? CLUP_OK : bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
}

static clup_status write_figure(const json_t *root, const bench_laws *laws,
                                const bench_figure *figure, const char *folder, bench_page *page,
                                char *note, size_t note_size)
{
    bench_curve *curves = malloc(BENCH_PLOT_CURVES * sizeof *curves);
    bench_plot plot = {.name = figure->name,
                       .title = figure->title,
                       .x_label = figure->x_label,
                       .y_label = figure->y_label,
                       .log_x = figure->log_x,
                       .log_y = figure->log_y,
                       .curves = curves};
    char *svg = NULL, file[160];
    size_t size = 0;
    bool drawn = false;
    if (curves == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    figure->curves(root, laws, &plot);
    clup_status status = CLUP_OK;
    if (plot.count > 0 && plot.curves[0].count > 0)
        status = bench_plot_draw(&plot, folder, &drawn, note, note_size);
    free(curves);
    if (status == CLUP_OK && drawn)
        status = read_svg(folder, figure->name, &svg, &size);
    if (status == CLUP_OK && drawn) {
        snprintf(file, sizeof file, "figures/%s.svg", figure->name);
        bench_page_picture(page, file, figure->about, svg, size);
    }
    free(svg);
    return status;
}

/* Every point of a suite, a line each. */
static void write_points(const json_t *root, const char *suite, bench_page *page)
{
    static const char *const head[] = {"point",  "median",  "unit",
                                       "spread", "samples", "of the bandwidth"};
    const json_t *points = json_object_get(root, "points");
    bench_page_table(page, 6);
    for (size_t c = 0; c < 6; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        int rate;
        const char *series = is_of(point, suite) ? bench_leading(point, &rate) : NULL;
        if (series == NULL)
            continue;
        const json_t *fraction = json_object_get(point, "bandwidth_fraction");
        const double spread = bench_spread(point, series);
        bench_page_cell(page, 0, "%s", strchr(text(point, "id"), '/') + 1);
        bench_page_cell(page, 1, "%.4g", bench_median(point, series));
        bench_page_cell(page, 2, "%s, %s",
                        strcmp(bench_unit(point, series), "1") == 0 ? "iterations"
                                                                    : bench_unit(point, series),
                        series);
        if (isfinite(spread))
            bench_page_cell(page, 3, "%.1f %%", 100 * spread);
        else
            bench_page_cell(page, 3, "-");
        bench_page_cell(page, 4, "%zu", bench_count(point, series));
        if (json_is_number(fraction))
            bench_page_cell(page, 5, "%.2g %%", 100 * json_number_value(fraction));
        else
            bench_page_cell(page, 5, "-");
    }
    bench_page_table_end(page);
}

static void write_fits(const bench_laws *laws, bench_page *page)
{
    const struct {
        const char *law, *first, *second;
        const bench_fit *fit;
        const char *note;
    } rows[] = {
        {"n_relax = A l^d", "A", "d", &laws->relax, "suite relax"},
        {"T_sew/L^2 = a/L + b/B (ns)", "a", "b", &laws->sew, "suite sew"},
        {"T_local/L^2 = C B^1.08 (ns)", "C", NULL, &laws->local, "suite optimal, largest L"},
        {"T_relax/L^2 = C L^1.08/B^2.08 (ns)", "C", NULL, &laws->relaxation, "suite optimal"},
    };
    bool any = false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        any = any || rows[k].fit->points > 0;
    if (!any)
        return;
    bench_page_heading(page, 2, "Fits");
    bench_page_table(page, 5);
    static const char *const head[] = {"law", "constants", "deviation", "points", "from"};
    for (size_t c = 0; c < 5; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const bench_fit *fit = rows[k].fit;
        char second[80] = "";
        if (fit->points == 0)
            continue;
        if (rows[k].second != NULL)
            snprintf(second, sizeof second, ", %s = %.4g +- %.2g", rows[k].second, fit->value[1],
                     fit->error[1]);
        bench_page_cell(page, 0, "%s", rows[k].law);
        bench_page_cell(page, 1, "%s = %.4g +- %.2g%s", rows[k].first, fit->value[0], fit->error[0],
                        second);
        bench_page_cell(page, 2, "%.0f %%", 100 * fit->rms);
        bench_page_cell(page, 3, "%u", fit->points);
        bench_page_cell(page, 4, "%s", rows[k].note);
    }
    bench_page_table_end(page);
}

/* A suite that the result has: its pictures and its points. */
static clup_status write_suite(const json_t *root, const bench_laws *laws, const bench_suite *suite,
                               const char *folder, bench_page *page, char *note, size_t size)
{
    const bench_figure *figure;
    clup_status status = CLUP_OK;
    char title[160];
    if (bench_curve_name(root, suite->name, 0) == NULL)
        return CLUP_OK;
    snprintf(title, sizeof title, "%s: %s", suite->name, suite->about);
    bench_page_heading(page, 2, title);
    for (size_t k = 0; (figure = bench_figure_row(k)) != NULL && status == CLUP_OK; k++)
        if (strcmp(figure->suite, suite->name) == 0)
            status = write_figure(root, laws, figure, folder, page, note, size);
    write_points(root, suite->name, page);
    return status;
}

static clup_status make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? CLUP_OK
               : bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
}

clup_status bench_report_write(const json_t *root, const char *folder, char *note, size_t size)
{
    char figures[4200], md[4200], html[4200], title[256];
    bench_laws laws;
    bench_page page = {0};
    const bench_suite *suite;
    snprintf(figures, sizeof figures, "%s/figures", folder);
    snprintf(md, sizeof md, "%s/report.md", folder);
    snprintf(html, sizeof html, "%s/report.html", folder);
    snprintf(title, sizeof title, "clup on %s", text(json_object_get(root, "device"), "name"));
    clup_status status = make_folder(folder);
    if (status == CLUP_OK)
        status = make_folder(figures);
    if (status == CLUP_OK)
        status = bench_page_open(&page, title);
    if (status != CLUP_OK)
        return status;
    bench_find_laws(root, &laws);
    write_head(root, &page);
    write_table_one(root, &page);
    bench_page_heading(&page, 2, "What became of the paper's conclusions");
    bench_conclusions(root, &laws, &page);
    write_fits(&laws, &page);
    write_trust(root, &page);
    write_failures(root, &page);
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL && status == CLUP_OK; k++)
        status = write_suite(root, &laws, suite, figures, &page, note, size);
    const clup_status closed = bench_page_close(&page, status == CLUP_OK ? md : NULL,
                                                status == CLUP_OK ? html : NULL);
    return status != CLUP_OK ? status : closed;
}
