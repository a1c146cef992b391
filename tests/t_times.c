/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times belong to the text of a kernel: which changes of a source matter, which shipped
 * times are out of date, and that a plan says so. With --release, times that are out of date are
 * failures; --hashes prints the hashes of all kernels. */
#include <string.h>

#include "ocl/source_hash.h"
#include "plan/database.h"
#include "plan/tables.h"
#include "program.h"
#include "tap.h"

/* Whether two sources are the same to a compiler. */
static int same(const char *one, const char *other)
{
    clup_text codes[2] = {{0}, {0}};
    clup_source_strip(one, &codes[0]);
    clup_source_strip(other, &codes[1]);
    const int equal = clup_text_ok(&codes[0]) && clup_text_ok(&codes[1]) &&
                      strcmp(codes[0].data, codes[1].data) == 0;
    clup_text_free(&codes[0]);
    clup_text_free(&codes[1]);
    return equal;
}

static void check_strip(void)
{
    const char *base = "#define F(x) (x)\nint a = b + c; // sum\nkernel void f(int x)\n{\n}\n";
    ok(same(base, "#line 7 \"y\"\n#define F(x) (x) /* it */\n\nint a =\n    b+c;kernel void f(int "
                  "x) {}\n"),
       "comments, lines and white space do not count");
    ok(!same(base, "#define F(x) (x)\nint a = b - c;\nkernel void f(int x)\n{\n}\n"),
       "another sign does");
    ok(!same("int ab;", "int a b;") && !same("a - -b", "a --b"), "white space that separates does");
    ok(!same("#define F (x)\n", "#define F(x)\n"), "as after the name of a macro");
    ok(!same("#define F x\ny", "#define F x y\n"), "the end of a directive does");
    ok(same("#define F x \\\n  + y\n", "#define F x + y\n"), "unless the line goes on");
    ok(!same("#line 3\nx", "#line 3\ny"), "what follows #line does");
    ok(!same("c = '/*'; a; /* */", "c = '/*'; b; /* */") &&
           !same("s = \"//\"; a", "s = \"//\"; b") && !same("s = \"a b\"", "s = \"a  b\""),
       "quoted texts are no comments, and whole");
    ok(same("a /* \n # */ b", "a b") && same("a // \\ x\nb", "a b"),
       "what is in comments does not");
}

/* Kernels of other names are no others' hash; rows that share all their kernels have one. */
static void check_hash(void)
{
    char hex[CLUP_SOURCE_HASH], file[CLUP_NAME_MOST], seen[128][2][CLUP_NAME_MOST];
    size_t alike = 0, rows = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t k = 0; k < clup_table_of(stage)->count; k++) {
            const clup_variant *variant = &clup_table_of(stage)->variants[k];
            if (!clup_variant_kernel_names(variant, 0, file, seen[rows][1]) ||
                clup_variant_hash(variant, hex) != CLUP_OK || strlen(hex) != CLUP_SOURCE_HASH - 1) {
                ok(0, "%s %s has a hash", clup_stage_name(stage), variant->name);
                continue;
            }
            for (size_t n = 0; n < rows; n++)
                alike += strcmp(seen[n][0], hex) == 0 && strcmp(seen[n][1], seen[rows][1]) != 0;
            memcpy(seen[rows++][0], hex, sizeof hex);
        }
    ok(rows > 40 && alike == 0, "%zu kernels have hashes, %zu of them another's", rows, alike);
}

/* What a row of a tune database has for the kernels as they are. */
static int print_hashes(void)
{
    const char *before = "{";
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t k = 0; k < clup_table_of(stage)->count; k++) {
            char hex[CLUP_SOURCE_HASH];
            if (clup_variant_hash(&clup_table_of(stage)->variants[k], hex) != CLUP_OK)
                return 1;
            printf("%s\"%s %s\": \"%s\"", before, clup_stage_name(stage),
                   clup_table_of(stage)->variants[k].name, hex);
            before = ", ";
        }
    puts("}");
    return 0;
}

/* Says which times of a row of the shipped ones are out of date. */
static void check_row(const clup_knowledge *times, bool release)
{
    const clup_sample *first;
    unsigned kernels;
    const unsigned stale = clup_samples_kernels(&times->samples, &kernels, &first);
    printf("# times of %s: %u of %u kernels were changed since:", times->origin, stale, kernels);
    for (size_t k = 0; k < times->samples.count; k++) {
        const clup_sample *sample = &times->samples.items[k];
        const clup_samples before = {times->samples.items, k, k};
        if (sample->stale && !clup_samples_stale(&before, sample->stage, sample->kernel))
            printf(" %s", sample->kernel);
    }
    putchar('\n');
    ok(kernels > 20, "%s: times of %u kernels can be read", times->origin, kernels);
    if (release)
        ok(stale == 0, "%s: none was changed since", times->origin);
}

int main(int argc, char **argv)
{
    const bool release = argc > 1 && strcmp(argv[1], "--release") == 0;
    clup_knowledge times;
    if (argc > 1 && strcmp(argv[1], "--hashes") == 0)
        return print_hashes();
    check_strip();
    check_hash();
    for (size_t k = 0;; k++) {
        if (clup_knowledge_shipped(k, &times) != CLUP_OK) {
            ok(0, "row %zu: %s", k, clup_error_detail());
            break;
        }
        if (times.samples.count == 0) {
            ok(k > 1, "%zu devices have shipped times", k);
            break;
        }
        check_row(&times, release);
        clup_knowledge_clear(&times);
    }
    return done_testing();
}
