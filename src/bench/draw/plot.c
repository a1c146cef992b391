/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes scripts for gnuplot, and runs it. */
#include "bench/draw/plot.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/cut.h"
#include "bench/draw/gnuplot.h"
#include "bench/status.h"
#include "program.h"

/* Colours that colour-blind readers can tell apart (M. Okabe and K. Ito), and their marks. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8a6d3b"};
static const int marks[] = {7, 5, 9, 13, 11, 15, 2, 3};
/* The height of a line of text as a share of the picture, and the share of the data that makes room
 * for it. */
#define NOTE_LINE 0.055
#define NOTE_SHARE 0.08
#define COLOURS (sizeof colours / sizeof *colours)

bench_curve *bench_plot_add(bench_plot *plot, bench_mark mark, int of, const char *format, ...)
{
    va_list args;
    if (plot->count == BENCH_PLOT_CURVES)
        return NULL;
    bench_curve *curve = &plot->curves[plot->count++];
    curve->mark = mark;
    curve->of = of;
    curve->count = 0;
    va_start(args, format);
    bench_print_list(curve->name, sizeof curve->name, format, args);
    va_end(args);
    return curve;
}

void bench_plot_note(bench_plot *plot, const char *format, ...)
{
    va_list args;
    if (plot->note_count == BENCH_PLOT_NOTES) {
        strcpy(plot->notes[BENCH_PLOT_NOTES - 1], "..");
        return;
    }
    char *note = plot->notes[plot->note_count++];
    va_start(args, format);
    bench_print_list(note, sizeof plot->notes[0], format, args);
    va_end(args);
}

void bench_curve_add(bench_curve *curve, double x, double y, double error)
{
    if (curve == NULL || curve->count == BENCH_PLOT_POINTS || !isfinite(x) || !isfinite(y))
        return;
    curve->x[curve->count] = x;
    curve->y[curve->count] = y;
    curve->error[curve->count++] = isfinite(error) ? error : 0;
}

/* Writes a text in double quotes, without characters that gnuplot would interpret. */
static void quote(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text != '\0'; text++)
        if (strchr("\"\\`", *text) == NULL)
            fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    fputc('"', to);
}

static void write_label(FILE *to, const char *what, const char *text)
{
    fprintf(to, "set %s ", what);
    quote(to, text);
    fputs(" noenhanced\n", to);
}

/* Writes the range of an axis: a little wider than the data, and on a logarithmic axis at least a
 * factor. */
static void write_range(FILE *to, const bench_plot *plot, char axis, bool log)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t c = 0; c < plot->count; c++)
        for (size_t k = 0; k < plot->curves[c].count; k++) {
            const double value = axis == 'x' ? plot->curves[c].x[k] : plot->curves[c].y[k];
            if (log && value <= 0)
                continue;
            const double error = axis == 'y' && plot->free_y && !log ? plot->curves[c].error[k] : 0;
            least = value - error < least ? value - error : least;
            most = value + error > most ? value + error : most;
        }
    if (!(least <= most))
        return;
    if (log)
        fprintf(to, "set %crange [%.9g:%.9g]\n", axis, least / 1.25, most * 1.25);
    else if (axis == 'y' && plot->free_y)
        fprintf(to, "set yrange [%.9g:%.9g]\n", least - 0.06 * (most - least + 1e-9),
                most + (0.06 + NOTE_SHARE * (double)plot->note_count) * (most - least + 1e-9));
    else
        fprintf(to, "set %crange [%.9g:%.9g]\n", axis,
                axis == 'y' ? 0 : least - 0.03 * (most - least + 1e-9),
                most + 0.06 * (most - (axis == 'y' ? 0 : least) + 1e-9));
}

/* Writes ticks at the measured x, such as powers of two, when they are few. */
static void write_x_tics(FILE *to, const bench_plot *plot)
{
    enum { FEW = 14 };
    double at[FEW];
    size_t count = 0;
    for (size_t c = 0; c < plot->count; c++)
        for (size_t k = 0; plot->curves[c].mark != BENCH_FIT && k < plot->curves[c].count; k++) {
            size_t same = 0;
            while (same < count && at[same] != plot->curves[c].x[k])
                same++;
            if (same == FEW)
                return;
            if (same == count)
                at[count++] = plot->curves[c].x[k];
        }
    for (size_t k = 0; k < count; k++)
        fprintf(to, "%s%.9g", k == 0 ? "set xtics (" : ", ", at[k]);
    if (count > 0)
        fputs(")\n", to);
}

/* Writes ticks at multiples of powers of ten; fewer of them for a range of many powers. */
static void write_y_tics(FILE *to, const bench_plot *plot)
{
    double least = INFINITY, most = 0;
    unsigned count = 0;
    for (size_t c = 0; c < plot->count; c++)
        for (size_t k = 0; k < plot->curves[c].count; k++) {
            const double y = plot->curves[c].y[k];
            least = y > 0 && y < least ? y : least;
            most = y > most ? y : most;
        }
    if (!(least <= most))
        return;
    static const double ones[] = {1}, fives[] = {1, 2, 5}, all[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
    const double decades = log10(most / least);
    const double *multiples = decades > 4 ? ones : decades > 1 ? fives : all;
    const size_t several = decades > 4 ? 1 : decades > 1 ? 3 : sizeof all / sizeof *all;
    const int first = (int)floor(log10(least)) - 1, last = (int)ceil(log10(most)) + 1;
    for (int power = first; power <= last; power++)
        for (size_t k = 0; k < several; k++)
            fprintf(to, "%s%.9g", count++ == 0 ? "set ytics (" : ", ",
                    multiples[k] * pow(10, power));
    fputs(")\n", to);
}

static void write_curves(FILE *to, const bench_plot *plot)
{
    static const int open_marks[] = {4, 6, 8, 10, 12, 14};
    size_t colour = 0, papers = 0, of[BENCH_PLOT_CURVES];
    fputs("plot ", to);
    for (size_t c = 0; c < plot->count; c++) {
        const bench_curve *curve = &plot->curves[c];
        of[c] = curve->of >= 0 ? of[curve->of] : colour;
        colour += curve->of < 0 && curve->mark != BENCH_PAPER;
        const char *paint = colours[of[c] % COLOURS];
        const int mark = marks[of[c] % COLOURS];
        if (c > 0)
            fputs(", \\\n     ", to);
        fprintf(to, "$c%zu ", c);
        if (curve->mark == BENCH_MEASURED)
            fprintf(to,
                    "using 1:2:3 with yerrorlines pt %d ps 0.9 lw 1.3 dt 1 lc rgb \"%s\" title ",
                    mark, paint);
        else if (curve->mark == BENCH_FIT)
            fprintf(to, "using 1:2 with lines lw 1.4 dt 2 lc rgb \"%s\" title ", paint);
        else
            fprintf(to, "using 1:2 with points pt %d ps 1.7 lw 1.8 lc rgb \"#303030\" title ",
                    open_marks[papers++ % (sizeof open_marks / sizeof *open_marks)]);
        quote(to, curve->name);
        fputs(" noenhanced", to);
    }
    fputc('\n', to);
}

static void write_script(FILE *to, const bench_plot *plot)
{
    fprintf(to, "# gnuplot %s.gp draws %s.svg and %s.png\n", plot->name, plot->name, plot->name);
    for (size_t c = 0; c < plot->count; c++) {
        fprintf(to, "$c%zu << EOD\n", c);
        for (size_t k = 0; k < plot->curves[c].count; k++)
            fprintf(to, "%.9g %.9g %.9g\n", plot->curves[c].x[k], plot->curves[c].y[k],
                    plot->curves[c].error[k]);
        fputs("EOD\n", to);
    }
    write_label(to, "title", plot->title);
    write_label(to, "xlabel", plot->x_label);
    write_label(to, "ylabel", plot->y_label);
    if (plot->log_x)
        fputs("set logscale x\n", to);
    if (plot->log_x)
        write_x_tics(to, plot);
    if (plot->log_y)
        fputs("set logscale y\n", to);
    if (plot->log_y)
        write_y_tics(to, plot);
    write_range(to, plot, 'x', plot->log_x);
    write_range(to, plot, 'y', plot->log_y);
    fputs("set format \"%.10g\"\nset grid xtics ytics lc rgb \"#d8d8d8\" lw 1 dt 1\nset border "
          "3\nset tics nomirror\n"
          "set key outside below center vertical maxrows 8 Left reverse samplen 2 spacing 1.1\n",
          to);
    for (size_t k = 0; k < plot->note_count; k++) {
        fprintf(to, "set label %zu ", k + 1);
        quote(to, plot->notes[k]);
        fprintf(to, " at graph 0.02, %.3f left front noenhanced\n", 0.97 - NOTE_LINE * (double)k);
    }
    static const char *const terminals[][2] = {
        {"svg size 700,620 font \"sans,17\" background \"#ffffff\"", "svg"},
        {"pngcairo size 1400,1240 font \"sans,26\" background \"#ffffff\"", "png"}};
    for (int t = 0; t < 2; t++) {
        fprintf(to, "set terminal %s\nset output \"%s.%s\"\n", terminals[t][0], plot->name,
                terminals[t][1]);
        write_curves(to, plot);
    }
    fputs("unset output\n", to);
}

/* Reads the first line that is a message; before it, gnuplot quotes the script and marks a
 * place. */
static void read_message(FILE *from, char *line, int size)
{
    rewind(from);
    while (fgets(line, size, from) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strstr(line, "line ") != NULL || strstr(line, "annot") != NULL)
            return;
    }
    line[0] = '\0';
}

/* Whether a picture is complete: it ends with the bytes that end its format. */
static bool is_whole(const char *path, const char *end, size_t length)
{
    char last[32];
    FILE *from = fopen(path, "rb");
    bool whole = false;
    if (from == NULL)
        return false;
    if (fseek(from, -(long)sizeof last, SEEK_END) == 0 &&
        fread(last, 1, sizeof last, from) == sizeof last)
        for (size_t k = 0; k + length <= sizeof last; k++)
            whole = whole || memcmp(last + k, end, length) == 0;
    fclose(from);
    return whole;
}

/* Runs gnuplot in a folder. When it fails, returns false and writes the reason to note. */
static bool run(const char *folder, const char *script, char *note, size_t size)
{
    int status = -1;
    char line[256] = "";
    FILE *messages = tmpfile();
    if (messages == NULL) {
        snprintf(note, size, "gnuplot has no file for messages: %s: no pictures", strerror(errno));
        return false;
    }
    const pid_t process = bench_gnuplot_start(folder, script, fileno(messages));
    const bool absent = process < 0 && errno == ENOENT;
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    read_message(messages, line, sizeof line);
    fclose(messages);
    if (process > 0 && status == 0)
        return true;
    if (absent || (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        snprintf(note, size,
                 "gnuplot was not found: no pictures were drawn, their scripts are in %s", folder);
    else
        snprintf(note, size, "gnuplot failed on %s/%s%s%s", folder, script,
                 line[0] != '\0' ? ": " : "", line);
    return false;
}

/* Draws the svg and the png of a plot; removes incomplete files. */
static bool draw(const bench_plot *plot, const char *folder, const char *script, char *note,
                 size_t size)
{
    char svg[4300], png[4300];
    snprintf(svg, sizeof svg, "%s/%s.svg", folder, plot->name);
    snprintf(png, sizeof png, "%s/%s.png", folder, plot->name);
    /* from an earlier report */
    unlink(svg);
    unlink(png);
    bool drawn = run(folder, script, note, size);
    if (drawn && (!is_whole(svg, "</svg>", 6) || !is_whole(png, "IEND", 4))) {
        snprintf(note, size, "gnuplot has not written %s and %s.png in full", svg, plot->name);
        drawn = false;
    }
    if (!drawn) {
        unlink(svg);
        unlink(png);
    }
    return drawn;
}

clup_status bench_plot_draw(const bench_plot *plot, const char *folder, bool *drawn, char *note,
                            size_t size)
{
    char path[4200], script[80], *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    *drawn = false;
    if (to == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    write_script(to, plot);
    if (ferror(to) | fclose(to)) {
        free(text);
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a picture");
    }
    snprintf(script, sizeof script, "%.64s.gp", plot->name);
    snprintf(path, sizeof path, "%s/%s", folder, script);
    const clup_status status = bench_library(clup_file_save(path, text, length));
    free(text);
    if (status == CLUP_OK)
        *drawn = draw(plot, folder, script, note, size);
    return status;
}
