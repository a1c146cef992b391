/* Job files in TOML, read by toml++: the only source that is C++, which is left out where there is
 * no compiler for it. */
#include "cli/job_toml.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

/* The lines of a table's keys, as a table. */
static toml::table lines_of(const toml::table &table)
{
    toml::table lines;
    for (const auto &[key, value] : table)
        lines.insert(key.str(), static_cast<int64_t>(key.source().begin.line));
    return lines;
}

static toml::array all_lines(const toml::table &table)
{
    toml::array lines;
    lines.push_back(lines_of(table));
    if (const toml::array *points = table["points"].as_array())
        for (const auto &each : *points)
            lines.push_back(each.is_table() ? lines_of(*each.as_table()) : toml::table());
    return lines;
}

static char *text_of(const toml::node &node)
{
    std::ostringstream text;
    text << toml::json_formatter{node};
    return strdup(text.str().c_str());
}

char *job_toml(const char *path, char **lines, char *error, size_t room)
{
    *lines = NULL;
    const toml::parse_result result = toml::parse_file(path);
    if (!result) {
        const std::string what(result.error().description());
        const auto line = result.error().source().begin.line;
        if (line > 0)
            std::snprintf(error, room, "line %u: %s", static_cast<unsigned>(line), what.c_str());
        else
            std::snprintf(error, room, "%s", what.c_str());
        return NULL;
    }
    char *text = text_of(result.table());
    *lines = text_of(all_lines(result.table()));
    if (text != NULL && *lines != NULL)
        return text;
    std::snprintf(error, room, "out of memory");
    free(text);
    free(*lines);
    *lines = NULL;
    return NULL;
}
