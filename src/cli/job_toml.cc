/* Job files in TOML, read by toml++: the only source that is C++, which is left out where there is
 * no compiler for it. */
#include "cli/job_toml.h"

#include <cstdio>
#include <cstring>
#include <sstream>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

char *job_toml(const char *path, char *error, size_t room)
{
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
    std::ostringstream text;
    text << toml::json_formatter{result.table()};
    char *copy = strdup(text.str().c_str());
    if (copy == NULL)
        std::snprintf(error, room, "out of memory");
    return copy;
}
