/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report of a result. */
#include "bench/draw/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/draw/analysis.h"
#include "bench/draw/conclusions.h"
#include "bench/cut.h"
#include "bench/draw/figures.h"
#include "bench/index.h"
#include "bench/draw/page.h"
#include "bench/point.h"
#include "bench/status.h"
#include "bench/measure/suite.h"
#include "bench/units.h"

/* ---- the head -------------------------------------------------------------------------------- */

static void write_head(const json_t *root, bench_page *page)
{
    const json_t *device = json_object_get(root, "device"), *host = json_object_get(root, "host"),
                 *options = json_object_get(root, "options");
    bench_page_table(page, 2);
    bench_page_cell(page, 0, "what");
    bench_page_cell(page, 1, "value");
    bench_page_cell(page, 0, "device");
    bench_page_cell(page, 1, "%s, %s", bench_text(device, "name"), bench_text(device, "vendor"));
    bench_page_cell(page, 0, "platform, driver");
    bench_page_cell(page, 1, "%s, %s", bench_text(device, "platform"),
                    bench_text(device, "driver"));
    bench_page_cell(page, 0, "compute units");
    bench_page_cell(page, 1, "%lld, %lld bytes of local memory each",
                    (long long)json_integer_value(json_object_get(device, "compute_units")),
                    (long long)json_integer_value(json_object_get(device, "local_mem_bytes")));
    bench_page_cell(page, 0, "host");
    bench_page_cell(page, 1, "%s, %lld cores, %s, %s", bench_text(host, "processor"),
                    (long long)json_integer_value(json_object_get(host, "cores")),
                    bench_text(host, "machine"), bench_text(host, "system"));
    bench_page_cell(page, 0, "clup, date");
    bench_page_cell(page, 1, "clup %s, %s", bench_text(root, "version"),
                    bench_text(root, "created"));
    bench_page_cell(page, 0, "suite");
    bench_page_cell(page, 1, "%s%s", bench_text(options, "suite"),
                    json_is_true(json_object_get(options, "quick"))
                        ? ", a quick run: small lattices, few samples"
                        : "");
    bench_page_cell(page, 0, "SHA-256");
    bench_page_cell(page, 1, "%s", bench_text(root, "sha256"));
    bench_page_table_end(page);
    bench_page_text(page,
                    "Times are medians of device events, in ns a site and sweep or in ms, after an "
                    "equilibrated start; error bars are half the distance of the quartiles. Unless "
                    "said, it is the critical q = 2 Potts model on a periodic square lattice.");
}

/* ---- failures ----------------------------------------------------------------------------- */

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
        bench_page_item(page, bench_text(point, "id"), "%s", bench_text(point, "error"));
    }
}

/* ---- Table I --------------------------------------------------------------------------------- */

/* The value of a series in ns, for the row of Table I and the way given: of any suite's point that
 * fits, with tiles of 16, or for relaxation the planner's tile. NAN for none. */
static double in_table(const json_t *root, const char *way, unsigned q, double ratio, uint32_t size,
                       const char *series)
{
    static const char *const suites[] = {"table", "speedup", "breakdown", "size"};
    const double beta = ratio * clup_critical_beta(CLUP_LATTICE_SQUARE, q);
    const json_t *index = json_object_get(root, "index"), *point;
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++) {
        size_t k;
        json_array_foreach(bench_index_points(index, suites[s], way), k, point)
        {
            const json_t *problem = json_object_get(point, "problem");
            const double median = bench_median(point, series),
                         off = json_number_value(json_object_get(problem, "beta")) - beta;
            if (bench_point_size(point) == size && fabs(off) < 1e-9 && isfinite(median) &&
                json_integer_value(json_object_get(problem, "q")) == q &&
                (strcmp(way, "sew") != 0 || bench_point_tile(point) == 16))
                return 1e-3 * median;
        }
    }
    return NAN;
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
#include "bench/draw/paper.def"
#undef TABLE
    };
    static const char *const head[] = {
        "q",         "beta/beta_c", "L",       "method",   "paper: processor",
        "ns",        "GPU",         "ns",      "speed-up", "here: L",
        "serial ns", "device ns",   "wall ns", "speed-up", "clup's plan ns",
        "speed-up"};
    enum { COLUMNS = sizeof head / sizeof *head };
    const bool quick = json_is_true(json_object_get(json_object_get(root, "options"), "quick"));
    bool any = false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        any = any || isfinite(in_table(root, rows[k].way, rows[k].q, rows[k].ratio,
                                       quick ? rows[k].size / 16 : rows[k].size, "update"));
    if (!any)
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

/* Reads the picture that gnuplot has drawn, if any. */
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

/* The median of a series; times are in ns a site, as in the rest of the report. */
static double readable(const json_t *point, const char *series, char *unit, size_t size)
{
    const char *own = bench_unit(point, series);
    const double median = bench_median(point, series);
    const bool ns = strncmp(own, "ps/", 3) == 0;
    snprintf(unit, size, "%s%s",
             ns                      ? "ns/"
             : strcmp(own, "1") == 0 ? series
                                     : own,
             ns ? own + 3 : "");
    return ns ? 1e-3 * median : median;
}

/* Writes all points of a suite, a line for each. */
static void write_points(const json_t *root, const char *suite, bench_page *page)
{
    static const char *const head[] = {"point",  "median",  "unit",
                                       "spread", "samples", "of the bandwidth"};
    const json_t *points = bench_index_points(json_object_get(root, "index"), suite, NULL);
    bench_page_table(page, 6);
    for (size_t c = 0; c < 6; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        int rate;
        const char *series = bench_leading(point, &rate);
        if (series == NULL)
            continue;
        const json_t *fraction = json_object_get(point, "bandwidth_fraction");
        const double spread = bench_spread(point, series);
        const char *slash = strchr(bench_text(point, "id"), '/');
        char unit[32], digits[BENCH_UNITS];
        const double value = readable(point, series, unit, sizeof unit);
        bench_page_cell(page, 0, "%s", slash != NULL ? slash + 1 : bench_text(point, "id"));
        bench_page_cell(page, 1, "%s", bench_digits(value, digits));
        bench_page_cell(page, 2, "%s%s%s", unit, strcmp(unit, series) == 0 ? "" : ", ",
                        strcmp(unit, series) == 0 ? "" : series);
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

/* Writes a constant, with its error if it has one. */
static void write_constant(char *to, size_t size, const char *name, double value, double error)
{
    if (isfinite(error) && error > 0)
        snprintf(to, size, "%s = %.4g +- %.2g", name, value, error);
    else
        snprintf(to, size, "%s = %.4g", name, value);
}

/* Writes a row of the table of fits, after the head when it is the first. second is NULL when that
 * constant was held fixed. */
static void write_fit(bench_page *page, bool *open, const char *law, const char *first,
                      const char *second, const bench_fit *fit, const char *from)
{
    static const char *const head[] = {"law", "constants", "deviation", "points", "from"};
    char constants[2][80] = {"", ""};
    if (fit->points == 0)
        return;
    if (!*open) {
        bench_page_heading(page, 2, "Fits");
        bench_page_table(page, 5);
        for (size_t c = 0; c < 5; c++)
            bench_page_cell(page, c, "%s", head[c]);
        *open = true;
    }
    write_constant(constants[0], sizeof constants[0], first, fit->value[0], fit->error[0]);
    if (second != NULL)
        write_constant(constants[1], sizeof constants[1], second, fit->value[1], fit->error[1]);
    bench_page_cell(page, 0, "%s", law);
    bench_page_cell(page, 1, "%s%s%s", constants[0], second != NULL ? ", " : "", constants[1]);
    bench_page_cell(page, 2, "%.1f %%", 100 * fit->rms);
    bench_page_cell(page, 3, "%u", fit->points);
    bench_page_cell(page, 4, "%s", from);
}

/* Fits the times of tiles with a free exponent and with the paper's: B^2 for a serial tile, B^(2 +
 * dmin) for self-labelling. */
static void write_tile_fits(const json_t *root, bench_page *page, bool *open)
{
    const char *name;
    for (size_t c = 0; (name = bench_curve_name(root, "tiles", c)) != NULL; c++) {
        const bool serial = strcmp(name, "bfs") == 0 || strncmp(name, "unionfind", 9) == 0;
        const double exponent = serial ? 2 : 2 + BENCH_DMIN;
        bench_points_of points;
        bench_fit fit;
        char law[80], from[80];
        bench_collect(root, "tiles", name, bench_tile_ns, &points);
        snprintf(from, sizeof from, "suite tiles, %s", name);
        if (points.count > 2 &&
            bench_fit_power(points.x, points.y, NULL, points.count, &fit) == CLUP_OK)
            write_fit(page, open, "time of a tile = A B^k (ns)", "A", "k", &fit, from);
        snprintf(law, sizeof law, "time of a tile = A B^%g (ns)", exponent);
        if ((serial || strncmp(name, "selflabel", 9) == 0) && points.count > 2 &&
            bench_fit_power_fixed(points.x, points.y, NULL, points.count, exponent, &fit) ==
                CLUP_OK)
            write_fit(page, open, law, "A", NULL, &fit, from);
    }
}

static void write_fits(const json_t *root, const bench_laws *laws, bench_page *page)
{
    bool open = false;
    write_tile_fits(root, page, &open);
    write_fit(page, &open, "n_relax = A l^d", "A", "d", &laws->relax, "suite relax");
    write_fit(page, &open, "T_sew/L^2 = a/L + b/B (ns)", "a", "b", &laws->sew, "suite sew");
    write_fit(page, &open, "T_local/L^2 = C B^1.08 (ns)", "C", NULL, &laws->local,
              "suite optimal, largest L");
    write_fit(page, &open, "T_relax/L^2 = C L^1.08/B^2.08 (ns)", "C", NULL, &laws->relaxation,
              "suite optimal");
    if (open)
        bench_page_table_end(page);
}

/* Writes all pictures, in the order of the suites. */
static clup_status write_figures(const json_t *root, const bench_laws *laws, const char *folder,
                                 bench_page *page, char *note, size_t size)
{
    const bench_suite *suite;
    const bench_figure *figure;
    clup_status status = CLUP_OK;
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL; k++)
        for (size_t f = 0; (figure = bench_figure_row(f)) != NULL && status == CLUP_OK; f++)
            if (strcmp(figure->suite, suite->name) == 0)
                status = write_figure(root, laws, figure, folder, page, note, size);
    return status;
}

/* Writes the points that the result has of a suite. */
static void write_suite(const json_t *root, const bench_suite *suite, bench_page *page)
{
    char title[160];
    if (bench_curve_name(root, suite->name, 0) == NULL)
        return;
    bench_print(title, sizeof title, "%s: %s", suite->name, suite->about);
    bench_page_heading(page, 2, title);
    write_points(root, suite->name, page);
}

static clup_status make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? CLUP_OK
               : bench_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
}

/* Writes the whole report of a result with its index. */
static clup_status write_all(const json_t *root, const char *figures, bench_page *page, char *note,
                             size_t size)
{
    bench_laws laws;
    const bench_suite *suite;
    clup_status status = CLUP_OK;
    bench_find_laws(root, &laws);
    status = write_figures(root, &laws, figures, page, note, size);
    write_head(root, page);
    write_table_one(root, page);
    bench_page_heading(page, 2, "What became of the paper's conclusions");
    bench_conclusions(root, &laws, page);
    write_fits(root, &laws, page);
    if (status == CLUP_OK)
        status = bench_trust_write(root, page);
    write_failures(root, page);
    for (size_t k = 0; (suite = bench_suite_row(k)) != NULL; k++)
        write_suite(root, suite, page);
    return status;
}

clup_status bench_report_write(const json_t *root, const char *folder, char *note, size_t size)
{
    char figures[4200], md[4200], html[4200], title[256];
    bench_page page = {0};
    snprintf(figures, sizeof figures, "%s/figures", folder);
    snprintf(md, sizeof md, "%s/report.md", folder);
    snprintf(html, sizeof html, "%s/report.html", folder);
    bench_print(title, sizeof title, "clup on %s",
                bench_text(json_object_get(root, "device"), "name"));
    clup_status status = make_folder(folder);
    if (status == CLUP_OK)
        status = make_folder(figures);
    if (status == CLUP_OK)
        status = bench_page_open(&page, title);
    if (status != CLUP_OK)
        return status;
    json_t *indexed = bench_indexed(root);
    status = indexed != NULL ? write_all(indexed, figures, &page, note, size)
                             : bench_fail(CLUP_ERROR_MEMORY, "out of memory for the report");
    const clup_status closed = bench_page_close(&page, status == CLUP_OK ? md : NULL,
                                                status == CLUP_OK ? html : NULL);
    json_decref(indexed);
    return status != CLUP_OK ? status : closed;
}
