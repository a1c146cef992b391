/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes pages in Markdown and HTML. */
#include "bench/draw/page.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/status.h"
#include "program.h"

/* In narrow windows tables and pictures scroll inside their boxes; on paper the page is black on
 * white. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--line:#c8c8c8;--soft:#f3f3f3}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#16181b;--line:#44484e;"
    "--soft:#22262b}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:68rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.2rem;"
    "border-bottom:1px solid var(--line)}h3{font-size:1.05rem}\n"
    "p,li{max-width:46rem}h1,h2,h3,p,li,figcaption{overflow-wrap:anywhere}\n"
    ".box{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "white-space:nowrap}\n"
    "th{background:var(--soft)}td.n{text-align:right}\n"
    ".bar{display:block;box-sizing:border-box;height:.4rem;min-width:1px;margin-top:.15rem;"
    "background:#4682b4;border:1px solid #4682b4;-webkit-print-color-adjust:exact;"
    "print-color-adjust:exact}\n"
    "figure{margin:1rem 0}figure svg{display:block;width:100%;height:auto;max-width:44rem;"
    "background:#fff}\n"
    "figcaption{font-size:.88rem}\n"
    "@media(max-width:40rem){body{padding:.5rem}ul{padding-left:1.2rem}"
    "table{font-size:.8rem}th,td{white-space:normal;overflow-wrap:anywhere;min-width:3.2em;"
    "padding:.2rem .3rem}td.n{white-space:nowrap;min-width:0}}\n"
    "@page{size:A4 landscape;margin:12mm}"
    "@media print{:root{--ink:#000;--paper:#fff;--line:#999;--soft:#eee}"
    "body{max-width:none;font-size:10pt;padding:0}.box{overflow:visible}"
    "table{font-size:7pt}th,td{white-space:normal;padding:.1rem .25rem}"
    "figure,tr{break-inside:avoid}h2,h3{break-after:avoid}}\n";

static void escape_html(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*text, to);
        }
}

/* Escapes what Markdown would interpret. */
static void escape_md(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_<>[]|#", *text) != NULL)
            fputc('\\', to);
        /* an end of line would end the row of a table */
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    }
}

/* Begins or ends a list, so that a list is open when list says so. */
static void settle(bench_page *page, bool list)
{
    static const char open[] = "<ul>\n", close[] = "</ul>\n";
    if (list != page->list) {
        fputs(list ? open : close, page->html);
        fputc('\n', page->md);
    }
    page->list = list;
}

clup_status bench_page_open(bench_page *page, const char *title)
{
    *page = (bench_page){0};
    page->md = open_memstream(&page->md_text, &page->md_size);
    page->html = open_memstream(&page->html_text, &page->html_size);
    if (page->md == NULL || page->html == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for a page");
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          page->html);
    escape_html(page->html, title);
    fprintf(page->html, "</title>\n<style>\n%s</style></head><body>\n<h1>", style);
    escape_html(page->html, title);
    fputs("</h1>\n", page->html);
    fputs("# ", page->md);
    escape_md(page->md, title);
    fputs("\n\n", page->md);
    return CLUP_OK;
}

void bench_page_heading(bench_page *page, int level, const char *text)
{
    settle(page, false);
    fprintf(page->md, "%.*s ", level, "####");
    escape_md(page->md, text);
    fputs("\n\n", page->md);
    fprintf(page->html, "<h%d>", level);
    escape_html(page->html, text);
    fprintf(page->html, "</h%d>\n", level);
}

void bench_page_text(bench_page *page, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    bench_print_list(text, sizeof text, format, args);
    va_end(args);
    settle(page, false);
    escape_md(page->md, text);
    fputs("\n\n", page->md);
    fputs("<p>", page->html);
    escape_html(page->html, text);
    fputs("</p>\n", page->html);
}

void bench_page_item(bench_page *page, const char *what, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    bench_print_list(text, sizeof text, format, args);
    va_end(args);
    settle(page, true);
    fputs("- **", page->md);
    escape_md(page->md, what);
    fputs("** ", page->md);
    escape_md(page->md, text);
    fputc('\n', page->md);
    fputs("<li><strong>", page->html);
    escape_html(page->html, what);
    fputs("</strong> ", page->html);
    escape_html(page->html, text);
    fputs("</li>\n", page->html);
}

void bench_page_table(bench_page *page, size_t columns)
{
    settle(page, false);
    page->columns = columns;
    page->head = true;
    fputs("<div class=\"box\"><table>\n", page->html);
}

/* Writes the rule under the head of a table, in Markdown. */
static void rule(bench_page *page)
{
    for (size_t k = 0; k < page->columns; k++)
        fputs("|---", page->md);
    fputs("|\n", page->md);
}

void bench_page_bar(bench_page *page, size_t column, double part, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    bench_print_list(text, sizeof text, format, args);
    va_end(args);
    const bool number = isdigit((unsigned char)text[text[0] == '-']) && strchr(text, ',') == NULL;
    if (column == 0)
        fputs("<tr>", page->html);
    fputs("| ", page->md);
    escape_md(page->md, text);
    fputc(' ', page->md);
    fputs(page->head ? "<th>" : number ? "<td class=\"n\">" : "<td>", page->html);
    escape_html(page->html, text);
    if (isfinite(part))
        fprintf(page->html, "<span class=\"bar\" style=\"width:%.2frem\"></span>",
                4 * fmin(fmax(part, 0), 1));
    fputs(page->head ? "</th>" : "</td>", page->html);
    if (column + 1 < page->columns)
        return;
    fputs("|\n", page->md);
    fputs("</tr>\n", page->html);
    if (page->head)
        rule(page);
    page->head = false;
}

void bench_page_table_end(bench_page *page)
{
    page->columns = 0;
    fputc('\n', page->md);
    fputs("</table></div>\n", page->html);
}

/* The end of the first text that equals start, from a place on; NULL for none. */
static const char *after(const char *from, const char *start, const char *end)
{
    const char *found = strncmp(from, start, strlen(start)) == 0 ? strstr(from + strlen(start), end)
                                                                 : NULL;
    return found != NULL ? found + strlen(end) : NULL;
}

/* Writes the svg element of a picture, without what only separate files need: the names of XML
 * namespaces, and the title and description, which would say Gnuplot. */
static void write_inside(FILE *to, const char *svg, size_t size, const char *about)
{
    static const char *const dropped[][2] = {{"xmlns=\"", "\""},
                                             {"xmlns:xlink=\"", "\""},
                                             {"<title>", "</title>"},
                                             {"<desc>", "</desc>"}};
    const char *from = strstr(svg, "<svg");
    if (from == NULL)
        return;
    fputs("<svg role=\"img\" aria-label=\"", to);
    escape_html(to, about);
    fputc('"', to);
    for (from += 4; from < svg + size; from++) {
        const char *end = NULL;
        for (size_t k = 0; k < sizeof dropped / sizeof *dropped && end == NULL; k++)
            end = after(from, dropped[k][0], dropped[k][1]);
        if (end != NULL)
            from = end - 1;
        else
            fputc(*from, to);
    }
}

void bench_page_picture(bench_page *page, const char *file, const char *about, const char *svg,
                        size_t size)
{
    settle(page, false);
    fputs("![", page->md);
    escape_md(page->md, about);
    fprintf(page->md, "](%s)\n\n", file);
    fputs("<figure><div class=\"box\">", page->html);
    if (svg != NULL)
        write_inside(page->html, svg, size, about);
    fputs("</div><figcaption>", page->html);
    escape_html(page->html, about);
    fputs("</figcaption></figure>\n", page->html);
}

clup_status bench_page_close(bench_page *page, const char *md, const char *html)
{
    clup_status status = CLUP_OK;
    if (page->md != NULL && page->html != NULL) {
        settle(page, false);
        fputs("</body></html>\n", page->html);
    }
    const bool failed = page->md == NULL || page->html == NULL || ferror(page->md) ||
                        ferror(page->html);
    const bool md_lost = page->md != NULL && fclose(page->md) != 0;
    const bool html_lost = page->html != NULL && fclose(page->html) != 0;
    if (failed || md_lost || html_lost)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for a page");
    if (status == CLUP_OK && md != NULL)
        status = bench_library(clup_file_save(md, page->md_text, page->md_size));
    if (status == CLUP_OK && html != NULL)
        status = bench_library(clup_file_save(html, page->html_text, page->html_size));
    free(page->md_text);
    free(page->html_text);
    *page = (bench_page){0};
    return status;
}
