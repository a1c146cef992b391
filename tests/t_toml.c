/* SPDX-License-Identifier: BSD-3-Clause */
/* TOML: reads files as JSON. A file that is not TOML is refused, with the line; bytes changed at
 * random cause no failure of the program.
 *
 *   t_toml FILE   prints a file as JSON, or what is wrong with it */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/toml.h"
#include "program.h"
#include "tap.h"

/* A text as JSON, or what is wrong with it; to be freed. */
static char *read_text(const char *text, size_t size)
{
    char error[512], *copy = malloc(size + 1), *json;
    json_t *marks, *table;
    memcpy(copy, text, size);
    copy[size] = '\0';
    table = clup_toml_read(copy, size, &marks, error, sizeof error);
    free(copy);
    json = table != NULL
               ? json_dumps(table, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17))
               : strdup(error);
    if (table == NULL && (strncmp(error, "line ", 5) != 0 || strlen(error) < 10))
        abort();
    json_decref(table);
    json_decref(marks);
    return json;
}

static void is(const char *text, const char *wanted)
{
    char *json = read_text(text, strlen(text));
    ok(strcmp(json, wanted) == 0, "%s", wanted);
    if (strcmp(json, wanted) != 0)
        printf("# got %s\n", json);
    free(json);
}

static void refuses(const char *text, const char *wanted)
{
    char *json = read_text(text, strlen(text));
    ok(strncmp(json, wanted, strlen(wanted)) == 0, "refused: %s", json);
    free(json);
}

/* ---- what is TOML ---------------------------------------------------------------------------- */

static const char example[] = "# a job\r\n"
                              "seed = 5 # five\n"
                              "observables = [\"clusters\", 'modes',\n  # more\n ]\n"
                              "series = true\n"
                              "\n"
                              "[[points]]\n"
                              "size = [\"16x12\", 10]\n"
                              "\"beta-ratio\" = \"0.98:1.02:3\"\n"
                              "  [[ points ]]\n"
                              "beta = [1e-1, +0.5, 6_0.2_5E+0]\n"
                              "[a.b]\nc.d = {e = -1, f.g = []}\n"
                              "[a]\nh = '''\none\\\n\"two'' '''\n"
                              "i = \"\"\"\\\n   x\\u00e9\\U0001F600\\\n\n  y\"\"\"\"\"\n";

static void check_right(void)
{
    is("", "{}");
    is("\xef\xbb\xbf\n\t # nothing", "{}");
    is(example, "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":-1,\"f\":{\"g\":[]}}}},"
                "\"h\":\"one\\\\\\n\\\"two'' \",\"i\":\"x\xc3\xa9\xf0\x9f\x98\x80y\\\"\\\"\"},"
                "\"observables\":[\"clusters\",\"modes\"],"
                "\"points\":[{\"beta-ratio\":\"0.98:1.02:3\",\"size\":[\"16x12\",10]},"
                "{\"beta\":[0.10000000000000001,0.5,60.25]}],\"seed\":5,\"series\":true}");
    is("a = 0x1F\nb = 0o17\nc = 0b101\nd = 1_000\ne = -0\nf = +7\ng = 0\n",
       "{\"a\":31,\"b\":15,\"c\":5,\"d\":1000,\"e\":0,\"f\":7,\"g\":0}");
    is("a = inf\nb = -inf\nc = nan\nd = +inf\n",
       "{\"a\":\"inf\",\"b\":\"-inf\",\"c\":\"nan\",\"d\":\"inf\"}");
    is("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"\n", "{\"a\":\"\\b\\t\\n\\f\\r\\\"\\\\\"}");
    is("'' = 1\n\"\\u00e4 b\" . 'c.d' = ''\n", "{\"\":1,\"\xc3\xa4 b\":{\"c.d\":\"\"}}");
    is("a.b = 1\na.c = 2\n[a.d]\ne = 3\n", "{\"a\":{\"b\":1,\"c\":2,\"d\":{\"e\":3}}}");
    is("[a.b.c]\n[a]\nd = 1\n[a.b]\n", "{\"a\":{\"b\":{\"c\":{}},\"d\":1}}");
    is("[[a]]\n[[a.b]]\n[[a.b]]\nc = 1\n[a.d]\n[[a]]\n",
       "{\"a\":[{\"b\":[{},{\"c\":1}],\"d\":{}},{}]}");
    is("a = [{b = 1}, {b = 2}, [1, \"x\"]]\nc = { }\n",
       "{\"a\":[{\"b\":1},{\"b\":2},[1,\"x\"]],\"c\":{}}");
    is("a = 9223372036854775807\nb = -9223372036854775808\n",
       "{\"a\":9223372036854775807,\"b\":-9223372036854775808}");
}

/* ---- what is none ---------------------------------------------------------------------------- */

static void check_wrong(void)
{
    static const char *const rows[][2] = {
        {"[\na=1\n", "line 1: expected a key (letters of ASCII, digits, _ and -, or a text in "
                     "quotes), not the end of the line"},
        {"[", "line 1: expected a key (letters of ASCII, digits, _ and -, or a text in quotes), "
              "not the end of the file"},
        {"a = 1\n\xc3\xa4 = 1\n", "line 2: expected a key (letters of ASCII, digits, _ and -, or a "
                                  "text in quotes), not '\xc3\xa4'"},
        {"[a]\n\n[a.\xc3\xa4]\n", "line 3: expected a key"},
        {"[[a]", "line 1: expected ']]' behind the name of a list of tables, not ']'"},
        {"[[a]\n]", "line 1: expected ']]'"},
        {"[a\n]", "line 1: expected ']' behind the name of a table, not the end of the line"},
        {"[]\n", "line 1: expected a key"},
        {"[a.]\n", "line 1: expected a key"},
        {"[.a]\n", "line 1: expected a key"},
        {"= 1\n", "line 1: expected a key"},
        {"a\n", "line 1: expected '=' behind a key, not the end of the line"},
        {"a b = 1\n", "line 1: expected '=' behind a key, not 'b'"},
        {"a. = 1\n", "line 1: expected a key"},
        {"a =\n", "line 1: a value is missing"},
        {"a = # b\n", "line 1: a value is missing"},
        {"a = b\n", "line 1: 'b' is no value; texts have quotes"},
        {"a = True\n", "line 1: 'True' is no value"},
        {"a = 1 2\n", "line 1: expected the end of the line, not '2'"},
        {"[a] b = 1\n", "line 1: expected the end of the line"},
        {"a = 1\nb = 2\na = 3\n", "line 3: 'a' is there already, since line 1"},
        {"a = 1\na.b = 2\n", "line 2: 'a' is there already, since line 1"},
        {"a.b = 1\n[a]\n", "line 2: 'a' is there already, since line 1"},
        {"[a]\n[b]\n[a]\n", "line 3: 'a' is there already, since line 1"},
        {"[a.b]\n[a]\nb.c = 1\n", "line 3: 'b' is there already, since line 1"},
        {"[[a]]\n[a]\n", "line 2: 'a' is there already"},
        {"[a]\n[[a]]\n", "line 2: 'a' is there already"},
        {"a = []\n[[a]]\n", "line 2: 'a' is there already"},
        {"a = {b = 1}\n[a.c]\n", "line 2: 'a' is there already"},
        {"a = {b = 1}\na.c = 2\n", "line 2: 'a' is there already"},
        {"a = {b = 1, b = 2}\n", "line 1: 'b' is there already"},
        {"a = {b = 1,}\n", "line 1: expected a key"},
        {"a = {b = 1\n}\n", "line 1: a table in braces has a value without a comma or '}'"},
        {"a = {\n", "line 1: expected a key"},
        {"a = [1 2]\n", "line 1: a list has a value without a comma or ']' behind it"},
        {"a = [1,\n", "line 2: a value is missing"},
        {"a = [1\n\n", "line 3: a list has a value without a comma or ']' behind it"},
        {"a = [,]\n", "line 1: a value is missing"},
        {"a = \"b\n", "line 1: a text has no end: \" is missing"},
        {"a = 'b\n", "line 1: a text has no end: ' is missing"},
        {"a = \"\"\"\nb\n\"", "line 3: a text has no end: \"\"\" is missing"},
        {"a = '''b''''''\n", "line 1: a text has no end: ''' is missing"},
        {"'''a''' = 1\n", "line 1: a key is of one line"},
        {"a = \"\\q\"\n", "line 1: a backslash in a text is none of"},
        {"a = \"\\u12\"\n", "line 1: '\\u12' is no character"},
        {"a = \"\\ud800\"\n", "line 1: '\\ud800' is no character"},
        {"a = \"\\u0000\"\n", "line 1: '\\u0000' is no character"},
        {"a = \"\\U00110000\"\n", "line 1: '\\U00110000' is no character"},
        {"a = \"\\", "line 1: a backslash"},
        {"a = \"\\u", "line 1: '\\u' is no character"},
        {"a = 01\n", "line 1: '01' is no value"},
        {"a = 1__0\n", "line 1: '1__0' is no value"},
        {"a = _1\n", "line 1: '_1' is no value"},
        {"a = 1_\n", "line 1: '1_' is no value"},
        {"a = 1.\n", "line 1: '1.' is no value"},
        {"a = .5\n", "line 1: '.5' is no value"},
        {"a = 1e\n", "line 1: '1e' is no value"},
        {"a = 0x\n", "line 1: '0x' is no value"},
        {"a = -0x1\n", "line 1: '-0x1' is no value"},
        {"a = 9223372036854775808\n", "line 1: '9223372036854775808' is out of the range"},
        {"a = 1e999\n", "line 1: '1e999' is out of the range"},
        {"a = 2024-02-03\n", "line 1: '2024-02-03' is a date or a time"},
        {"a = 07:32:00\n", "line 1: '07:32:00' is a date or a time"},
        {"a = 1\r", "line 1: byte 0x0d is none of a text in UTF-8"},
        {"a = 'x\x01'\n", "line 1: byte 0x01 is none"},
        {"# \xff\n", "line 1: byte 0xff is none"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        refuses(rows[k][0], rows[k][1]);
    char *json = read_text("a = 1\nb\0 = 2\n", 14);
    ok(strncmp(json, "line 2: byte 0x00", 17) == 0, "refused: %s", json);
    free(json);
}

/* Lists, tables and dotted keys inside of each other, more than the stack has room for. */
static void check_deep(void)
{
    static const char *const rows[][2] = {{"x = ", "["}, {"x = ", "{a="}, {"x = ", "[{a.b="},
                                          {"", "a."},    {"[", "a."},     {"[[", "a."}};
    enum { COUNT = 300000 };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        clup_text text = {0};
        clup_text_add(&text, "%s", rows[k][0]);
        for (unsigned n = 0; n < COUNT; n++)
            clup_text_add(&text, "%s", rows[k][1]);
        char *json = read_text(text.data, text.length);
        ok(strstr(json, "inside of each other") != NULL, "refused: %s", json);
        free(json);
        clup_text_free(&text);
    }
}

/* ---- bytes at random ------------------------------------------------------------------------- */

static uint64_t random_state = 1;
static uint32_t draw(size_t most)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % most);
}

static void check_random(void)
{
    static const char bytes[] = "[]{}=,.\"'\\#_-+:eEx0159abtu \t\n\r\xc3\xa4";
    enum { COUNT = 20000 };
    for (unsigned k = 0; k < COUNT; k++) {
        char text[sizeof example + 8];
        size_t size = sizeof example - 1;
        memcpy(text, example, size);
        for (uint32_t changes = 1 + draw(4); changes > 0; changes--) {
            const size_t at = draw(size);
            switch (draw(3)) {
            case 0: text[at] = bytes[draw(sizeof bytes)]; break;
            case 1: memmove(text + at, text + at + 1, --size - at); break;
            default:
                memmove(text + at + 1, text + at, size++ - at);
                text[at] = bytes[draw(sizeof bytes)];
            }
        }
        free(read_text(text, draw(4) == 0 ? draw(size) : size));
    }
    ok(1, "%d texts changed at random are read, or refused with the line", COUNT);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        clup_text file = {0};
        NEED(clup_file_read(argv[1], &file));
        char *json = read_text(file.data, file.length);
        puts(json);
        free(json);
        clup_text_free(&file);
        return 0;
    }
    check_right();
    check_wrong();
    check_deep();
    check_random();
    return done_testing();
}
