/* SPDX-License-Identifier: BSD-3-Clause */
/* A page that is written in two forms at once: Markdown, and HTML that needs no other file. Text is
 * escaped in both. */
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
    size_t columns; /* of the open table */
    bool head;      /* the next row of the table is its head */
    bool list;      /* a list is open */
} bench_page;

clup_status bench_page_open(bench_page *page, const char *title);
/* A heading of level 2 or 3. */
void bench_page_heading(bench_page *page, int level, const char *text);
/* A paragraph, formatted as by printf. */
void bench_page_text(bench_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An item of a list: what in bold, then a text. The list ends with the next element that is no
 * item. */
void bench_page_item(bench_page *page, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Begins a table of so many columns. Then come the cells, row by row; the first row is the head. A
 * cell that begins like a number and has no comma is aligned right. */
void bench_page_table(bench_page *page, size_t columns);
#define bench_page_cell(page, column, ...) bench_page_bar(page, column, NAN, __VA_ARGS__)
/* A cell with a bar below the text. The length of the bar is part, 0 to 1, in a unit that all bars
 * of a page share. No bar for NAN, nor in Markdown. */
void bench_page_bar(bench_page *page, size_t column, double part, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void bench_page_table_end(bench_page *page);
/* A picture. Markdown refers to file, relative to the page; HTML contains the picture,
 * svg[size]. */
void bench_page_picture(bench_page *page, const char *file, const char *about, const char *svg,
                        size_t size);
/* Ends the page, writes the files md and html (NULL for none), and frees the page. */
clup_status bench_page_close(bench_page *page, const char *md, const char *html);

#endif
