/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's conclusions, and whether a result supports each. */
#include "bench/draw/conclusions.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef enum verdict { UNKNOWN, HOLDS, FAILS, PARTLY, VAGUE } verdict;

/* Writes an item: the paper's claim, whether it holds, and numbers. */
static void say(bench_page *page, const char *claim, verdict what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void say(bench_page *page, const char *claim, verdict what, const char *format, ...)
{
    static const char *const words[] = {
        "Cannot be said from these points.",
        "Holds:", "Does not hold:", "Holds in part:", "Cannot be said, errors are too large:"};
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char bold[512];
    snprintf(bold, sizeof bold, "%s.", claim);
    bench_page_item(page, bold, "%s%s%s", words[what], what == UNKNOWN ? "" : " ",
                    what == UNKNOWN ? "" : text);
}

static verdict verdict_of(unsigned yes, unsigned no)
{
    return yes + no == 0 ? UNKNOWN : no == 0 ? HOLDS : yes == 0 ? FAILS : PARTLY;
}

/* Whether an exponent agrees with the paper's, within 3 times its error combined with leeway, by
 * which the paper's own fits differ. */
static verdict exponent_is(const bench_fit *fit, double wanted, double leeway)
{
    const double off = fabs(fit->value[1] - wanted), error = fit->error[1];
    return !(off < 3 * hypot(error, leeway)) ? FAILS : error > 0.08 ? VAGUE : HOLDS;
}

static const bench_points_of *tiles(const json_t *root, const char *kernel)
{
    static _Thread_local bench_points_of room[3];
    static _Thread_local unsigned next;
    bench_points_of *points = &room[next++ % 3];
    bench_collect(root, "tiles", kernel, bench_local_ns, points);
    return points;
}

/* Counts at how many tiles the first kernel takes less than factor times the time of the second,
 * and at how many not; lists the ratios. */
static void compare(const json_t *root, const char *first, const char *second, double factor,
                    unsigned *yes, unsigned *no, char *list, size_t room)
{
    const bench_points_of *a = tiles(root, first), *b = tiles(root, second);
    size_t used = 0;
    *yes = *no = 0;
    list[0] = '\0';
    for (size_t k = 0; k < a->count; k++) {
        const double other = bench_at(b, a->x[k]);
        if (!isfinite(other))
            continue;
        ++*(a->y[k] < factor * other ? yes : no);
        if (used < room)
            used += (size_t)snprintf(list + used, room - used,
                                     used > 0 ? ", %.2g at %g" : "%.2g at B = %g", other / a->y[k],
                                     a->x[k]);
    }
}

static void local_kernels(const json_t *root, bench_page *page)
{
    char list[512], more[512];
    unsigned yes, no, yes2, no2;
    compare(root, "selflabel", "unionfind", 1, &yes, &no, list, sizeof list);
    compare(root, "selflabel", "bfs", 1, &yes2, &no2, more, sizeof more);
    say(page, "Self-labelling is the fastest of the paper's kernels on tiles below B ~ 128",
        verdict_of(yes + yes2, no + no2),
        "union-find takes so many times as long: %s; breadth-first search: %s",
        list[0] != '\0' ? list : "not measured", more[0] != '\0' ? more : "not measured");
    compare(root, "unionfind", "bfs", 1, &yes, &no, list, sizeof list);
    compare(root, "unionfind", "unionfind_compress", 1, &yes2, &no2, more, sizeof more);
    say(page,
        "Union-find is faster than breadth-first search, and compressing its paths does not pay",
        verdict_of(yes + yes2, no + no2),
        "breadth-first search takes so many times as long as union-find: %s; union-find with "
        "compression: %s",
        list, more);
    compare(root, "selflabel", "selflabel_small", 1.25, &yes, &no, list, sizeof list);
    compare(root, "selflabel", "selflabel_block", 1.25, &yes2, &no2, more, sizeof more);
    const bench_points_of *small = tiles(root, "selflabel_small"),
                          *block = tiles(root, "selflabel_block"), *self = tiles(root, "selflabel");
    double most = 1;
    for (size_t k = 0; k < self->count; k++) {
        const double s = bench_at(small, self->x[k]) / self->y[k],
                     b = bench_at(block, self->x[k]) / self->y[k];
        most = isfinite(s) ? fmax(most, fmax(s, 1 / s)) : most;
        most = isfinite(b) ? fmax(most, fmax(b, 1 / b)) : most;
    }
    say(page, "The three self-labelling kernels differ little",
        yes + no + yes2 + no2 == 0 ? UNKNOWN
        : most < 1.25              ? HOLDS
                                   : FAILS,
        "with a site a work-item it takes so many times as long as with 2 x 2: %s; with a column: "
        "%s",
        list, more);
}

static void laws_of_local(const json_t *root, bench_page *page)
{
    const bench_points_of *self = tiles(root, "selflabel");
    bench_fit free, fixed;
    if (self->count < 3 || bench_fit_power(self->x, self->y, NULL, self->count, &free) != CLUP_OK ||
        bench_fit_power_fixed(self->x, self->y, NULL, self->count, BENCH_DMIN, &fixed) != CLUP_OK) {
        say(page, "Self-labelling takes C B^dmin a site, dmin = 1.08", UNKNOWN, " ");
        return;
    }
    say(page, "Self-labelling takes C B^dmin a site, dmin = 1.08",
        free.rms < 0.2 ? exponent_is(&free, BENCH_DMIN, 0.03) : FAILS,
        "a free fit has the exponent %.2f(%.0f) with deviations of %.0f %%, one with 1.08 deviates "
        "by %.0f %%",
        free.value[1], ceil(100 * free.error[1]), 100 * free.rms, 100 * fixed.rms);
}

static void consolidation(const json_t *root, const bench_laws *laws, bench_page *page)
{
    bench_points_of sew, relax;
    bench_collect(root, "size", "sew", bench_update_ns, &sew);
    bench_collect(root, "size", "relax_multithread", bench_update_ns, &relax);
    const size_t n = sew.count;
    char flat[200] = "";
    if (n >= 2)
        snprintf(flat, sizeof flat,
                 "; the last step in L, to %g, takes a sweep from %.3g to %.3g ns a site",
                 sew.x[n - 1], sew.y[n - 2], sew.y[n - 1]);
    say(page, "Sewing takes a/L + b/B, and becomes flat in L",
        laws->sew.points == 0                         ? UNKNOWN
        : laws->sew.rms > 0.25                        ? FAILS
        : n >= 2 && sew.y[n - 1] < 0.8 * sew.y[n - 2] ? PARTLY
                                                      : HOLDS,
        "the fit deviates by %.0f %%, with a = %.4g ns, b = %.3g ns and n_eff = %.0f units at work "
        "(the paper: 110 to 113 on 15 multiprocessors)%s",
        100 * laws->sew.rms, laws->sew.value[0], laws->sew.value[1], laws->units, flat);
    say(page, "The iterations of relaxation grow as l^dmin, dmin = 1.08(1)",
        laws->relax.points < 3 ? UNKNOWN : exponent_is(&laws->relax, BENCH_DMIN, 0.01),
        "from l = %g on the exponent is %.3f(%.0f); the paper's own fit gives 1.0766",
        laws->relax_from, laws->relax.value[1], ceil(1000 * laws->relax.error[1]));
    double upturn = NAN;
    bench_fit rise;
    if (relax.count >= 4 && bench_fit_power(relax.x + relax.count - 3, relax.y + relax.count - 3,
                                            NULL, 3, &rise) == CLUP_OK)
        upturn = rise.value[1];
    say(page, "Relaxation turns up for large L, as L^0.367 with the best tile",
        !isfinite(upturn) ? UNKNOWN
        : upturn > 0.2    ? HOLDS
                          : FAILS,
        "the sweep grows as L^%.2f over the three largest lattices", upturn);
    double from = NAN, small = NAN;
    for (size_t k = 0; k < sew.count; k++) {
        const double other = bench_at(&relax, sew.x[k]);
        if (isfinite(other) && !isfinite(small))
            small = other / sew.y[k];
        if (isfinite(other) && sew.y[k] < other && !isfinite(from))
            from = sew.x[k];
    }
    say(page, "Relaxation wins on small lattices, sewing on large ones",
        !isfinite(small)              ? UNKNOWN
        : small < 1 && isfinite(from) ? HOLDS
                                      : FAILS,
        "on the smallest lattice relaxation takes %.2g times as long as sewing; sewing is faster "
        "%s%.0f",
        small, isfinite(from) ? "from L = " : "nowhere up to L = ",
        isfinite(from) ? from
        : n > 0        ? sew.x[n - 1]
                       : NAN);
}

static void best_tiles(const json_t *root, const bench_laws *laws, bench_page *page)
{
    bench_points_of points;
    bench_collect(root, "optimal", "sew", bench_identify_ns, &points);
    const double largest = points.count > 0 ? points.x[points.count - 1] : NAN,
                 smallest = points.count > 0 ? points.x[0] : NAN,
                 seen = bench_best_observed(root, "sew", largest);
    char formula[80] = "cannot be used, without the suite sew", formulas[80] = "cannot be used";
    if (isfinite(laws->best_sew))
        snprintf(formula, sizeof formula, "gives %.1f", laws->best_sew);
    if (isfinite(bench_best_relax(laws, smallest)))
        snprintf(formulas, sizeof formulas, "gives %.0f and %.0f", bench_best_relax(laws, smallest),
                 bench_best_relax(laws, largest));
    say(page, "The best tile with sewing is B = 16 (14.2 by the formula)",
        !isfinite(seen) ? UNKNOWN
        : seen == 16    ? HOLDS
                        : FAILS,
        "at L = %g it is %g; the formula %s", largest, seen, formula);
    const double first = bench_best_observed(root, "relax_multithread", smallest),
                 last = bench_best_observed(root, "relax_multithread", largest);
    say(page, "The best tile with relaxation grows as L^(1/3), to more than devices have",
        !isfinite(first) || !isfinite(last) ? UNKNOWN
        : last > first                      ? HOLDS
        : last == first                     ? PARTLY
                                            : FAILS,
        "it is %g at L = %g and %g at L = %g; the formula %s", first, smallest, last, largest,
        formulas);
}

static void temperatures(const json_t *root, bench_page *page)
{
    bench_points_of sew, relax;
    unsigned rises = 0, falls = 0;
    bench_collect(root, "beta", "sew B = 16", bench_update_ns, &sew);
    for (size_t k = 1; k < sew.count; k++)
        ++*(sew.y[k] > 0.97 * sew.y[k - 1] ? &rises : &falls);
    say(page, "With sewing times grow with beta everywhere", verdict_of(rises, falls),
        "%u steps of %u go up; %.3g ns a site at beta/beta_c = %g, %.3g at %g", rises,
        rises + falls, sew.count > 0 ? sew.y[0] : NAN, sew.count > 0 ? sew.x[0] : NAN,
        sew.count > 0 ? sew.y[sew.count - 1] : NAN, sew.count > 0 ? sew.x[sew.count - 1] : NAN);
    bench_collect(root, "beta", "relax_multithread B = 16", bench_update_ns, &relax);
    size_t peak = 0;
    for (size_t k = 1; k < relax.count; k++)
        peak = relax.y[k] > relax.y[peak] ? k : peak;
    say(page, "Relaxation has a peak near beta_c",
        relax.count < 3                                             ? UNKNOWN
        : fabs(relax.x[peak] - 1) <= 0.11 && peak + 1 < relax.count ? HOLDS
                                                                    : FAILS,
        "the largest time is at beta/beta_c = %g, %.3g ns a site; at the ends it is %.3g and %.3g",
        relax.count > 0 ? relax.x[peak] : NAN, relax.count > 0 ? relax.y[peak] : NAN,
        relax.count > 0 ? relax.y[0] : NAN, relax.count > 0 ? relax.y[relax.count - 1] : NAN);
}

/* Finds the largest ratio of a serial code's time to that of a way, and where it is. */
static double largest(const json_t *root, const char *suite, const char *serial, const char *way,
                      bench_value *value, double *where)
{
    bench_points_of slow, fast;
    double most = NAN;
    bench_collect(root, suite, serial, value, &slow);
    bench_collect(root, suite, way, value, &fast);
    for (size_t k = 0; k < fast.count; k++) {
        const double ratio = bench_at(&slow, fast.x[k]) / fast.y[k];
        if (isfinite(ratio) && !(ratio <= most)) {
            most = ratio;
            *where = fast.x[k];
        }
    }
    return most;
}

static void speed(const json_t *root, bench_page *page)
{
    double at_sew = NAN, at_best = NAN, at_find = NAN;
    const double sew = largest(root, "speedup", "breadth-first", "sew", bench_wall_ns, &at_sew),
                 best = largest(root, "speedup", "breadth-first", "default", bench_wall_ns,
                                &at_best),
                 find = largest(root, "speedup", "union-find", "default", bench_wall_ns, &at_find);
    char ours[120] = "", raster[120] = "";
    if (isfinite(best))
        snprintf(ours, sizeof ours, "; clup's default plan has %.3g (L = %g)", best, at_best);
    if (isfinite(find))
        snprintf(raster, sizeof raster, ", and %.3g over a raster union-find (L = %g)", find,
                 at_find);
    say(page, "Speed-ups over serial code are in excess of 30 on large lattices",
        !isfinite(sew) ? UNKNOWN
        : sew > 30     ? HOLDS
                       : FAILS,
        "with sewing the largest over breadth-first search is %.3g (L = %g)%s%s", sew, at_sew, ours,
        raster);
    double few = NAN, at_few = NAN;
    const char *name;
    for (size_t c = 0; (name = bench_curve_name(root, "wolff", c)) != NULL; c++) {
        double at = NAN;
        const double ratio = largest(root, "wolff", "single cluster", name, bench_updated_ns, &at);
        if (strncmp(name, "few", 3) == 0 && isfinite(ratio) && !(ratio <= few)) {
            few = ratio;
            at_few = at;
        }
    }
    say(page, "The few-cluster update gains less than Swendsen-Wang, up to about five",
        !isfinite(few) || !isfinite(best) ? UNKNOWN
        : few < best                      ? HOLDS
                                          : FAILS,
        "an updated site is at most %.2g times as fast as by a serial single-cluster code (L = %g)",
        few, at_few);
}

static void beyond(const json_t *root, bench_page *page)
{
    bench_points_of sew, find, best;
    bench_collect(root, "size", "sew", bench_update_ns, &sew);
    bench_collect(root, "size", "union", bench_update_ns, &find);
    bench_collect(root, "size", "default", bench_update_ns, &best);
    if (sew.count == 0 || find.count == 0 || best.count == 0)
        return;
    const double size = best.x[best.count - 1];
    if (!isfinite(bench_at(&sew, size)) || !isfinite(bench_at(&find, size)))
        return;
    bench_page_item(page, "Beyond the paper.",
                    "At L = %g a sweep takes %.3g ns a site with sewing, %.3g with union, which "
                    "joins all seams at once, and %.3g with the plan that clup chooses.",
                    size, bench_at(&sew, size), bench_at(&find, size), best.y[best.count - 1]);
}

void bench_conclusions(const json_t *root, const bench_laws *laws, bench_page *page)
{
    local_kernels(root, page);
    laws_of_local(root, page);
    consolidation(root, laws, page);
    best_tiles(root, laws, page);
    temperatures(root, page);
    speed(root, page);
    beyond(root, page);
}
