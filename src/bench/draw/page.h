/* SPDX-License-Identifier: BSD-3-Clause */
/* A page written in two forms at once: Markdown, and HTML that stands alone. Text is escaped in
 * both. */
#ifndef CLUP_BENCH_DRAW_PAGE_H
#define CLUP_BENCH_DRAW_PAGE_H
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "clup.h"

typedef struct bench_page {
    FILE *md, *html;
    char *md_text, *html_text;
    size_t md_size, html_size;
    size_t columns; /* of the table that is open */
    bool head;      /* its next row is the head */
    bool list;      /* a list is open */
} bench_page;

clup_status bench_page_open(bench_page *page, const char *title);
/* A heading of level 2 or 3. */
void bench_page_heading(bench_page *page, int level, const char *text);
/* A paragraph, as printf does it. */
void bench_page_text(bench_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An item of a list, which ends with the next thing that is none: "what" in bold, and a text. */
void bench_page_item(bench_page *page, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A table: so many columns, then the cells of its rows, the first of which is the head. A cell that
 * begins like a number, and has no comma, stands on the right. */
void bench_page_table(bench_page *page, size_t columns);
#define bench_page_cell(page, column, ...) bench_page_bar(page, column, NAN, __VA_ARGS__)
/* The same with a bar below, as long as part, 0 to 1, which all bars of a page are drawn to;
 * none for NAN, and in Markdown. */
void bench_page_bar(bench_page *page, size_t column, double part, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void bench_page_table_end(bench_page *page);
/* A picture: Markdown names file, relative to the page; HTML has it inside, svg[size]. */
void bench_page_picture(bench_page *page, const char *file, const char *about, const char *svg,
                        size_t size);
/* Ends the page and writes what is asked for; NULL is not. Frees it. */
clup_status bench_page_close(bench_page *page, const char *md, const char *html);

#endif
