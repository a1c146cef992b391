#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The published schema of results, doc/result.schema.json: it accepts results, rejects what clup
# refuses, and has exactly the fields that clup knows.
. "$srcdir/tests/tap.sh"
python=$(command -v python3)
"${python:-false}" -c 'import jsonschema' 2> /dev/null || python=
need_tool "$python" "python3 with jsonschema"

cat > "$scratch/check.py" << 'END_OF_PYTHON'
# Prints what is wrong, a line a case; nothing else.
import copy
import json
import pathlib
import re
import sys

import jsonschema

source = pathlib.Path(sys.argv[1])
schema = json.loads((source / "doc/result.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
# a relative one is no base for "$ref": jsonschema before 4.18 takes it for the address of a file
if not re.match(r"[a-z][a-z0-9+.-]*:", schema["$id"]):
    print("$id is no absolute URI:", schema["$id"])
validator = jsonschema.Draft202012Validator(schema)
results = {path.name: json.loads(path.read_text()) for path in (source / "tests/results").glob("*.json")}
if len(results) < 3:
    print("there are no results to check")
for name, result in results.items():
    for error in validator.iter_errors(result):
        print(f"{name}: {error.message[:200]}")


def refused(what, change):
    result = copy.deepcopy(results["gpu-a.json"])
    change(result, result["points"][8])
    if validator.is_valid(result):
        print("valid:", what)


def drop(*keys):
    """Removes a field, given by the keys that lead to it."""
    def change(result, point):
        for key in keys[:-1]:
            result = result[key]
        del result[keys[-1]]
    return change


full = results["gpu-a.json"]
for key in full:
    refused(f"without {key}", drop(key))
for part in ("device", "host", "options"):
    for key in full[part]:
        refused(f"without {part}.{key}", drop(part, key))
for key in ("suite", "id", "curve", "x", "problem", "plan", "bytes", "bandwidth_fraction", "series"):
    refused(f"a point without {key}", drop("points", 8, key))
for key in ("unit", "samples", "median", "spread"):
    refused(f"a series without {key}", drop("points", 8, "series", "update", key))
refused("another schema", lambda r, p: r.update(schema="clup/result/2"))
refused("a date that is none", lambda r, p: r.update(created="yesterday"))
refused("a hash that is none", lambda r, p: r.update(sha256="0"))
refused("spins that are no hash", lambda r, p: p.update(spins_sha256="0" * 63 + "G"))
refused("a number as text", lambda r, p: p.update(x="16"))
refused("a point with series and an error", lambda r, p: p.update(error="both"))
refused("no samples", lambda r, p: p["series"]["update"].update(samples=[]))
refused("a sample that is none", lambda r, p: p["series"]["update"]["samples"].append("fast"))
refused("a unit that there is not", lambda r, p: p["series"]["update"].update(unit="furlongs"))
refused("a lattice of two lengths", lambda r, p: p["problem"].update(size=[64, 64]))
refused("an unknown model", lambda r, p: p["problem"].update(model="XY"))
for where in ("", "device", "host", "options"):
    refused(f"an unknown field of '{where}'", lambda r, p: (r[where] if where else r).update(other=1))
refused("an unknown field of a point", lambda r, p: p.update(other=1))


# the table of fields in clup is that of the schema, and says of the same ones that they may be missing
point = schema["$defs"]["point"]
objects = {part: [schema["properties"][part]] for part in ("device", "host", "options")}
objects |= {
    "": [schema],
    "point": [point],
    "series": [schema["$defs"]["series"]],
    "quantities": [point["properties"]["series"]],
    "problem": point["properties"]["problem"]["oneOf"],
    "plan": [point["properties"]["plan"]["oneOf"][1]],
}
published = {
    (of, key, all(key in part.get("required", ()) for part in parts))
    for of, parts in objects.items() for part in parts for key in part["properties"]
}
table = (source / "src/bench/result_check.c").read_text()
known = {(of, key, optional == "") for of, key, optional in re.findall(r'{"(\w*)", "(\w+)", "(\??)\w"}', table)}
for of, key, required in sorted(published ^ known):
    print(f"{of or 'a result'}: {key}, {'required' if required else 'optional'}, is in one of the schema and clup's table")


def undescribed(part, path):
    """Numbers and free texts that say neither by a description nor by their names alone what they are."""
    if isinstance(part, dict):
        if part.get("type") == "number" and "description" not in part and path[-1] not in ("items",):
            print("no description:", "/".join(path))
        for key, value in part.items():
            undescribed(value, path + [key])
    elif isinstance(part, list):
        for k, value in enumerate(part):
            undescribed(value, path + [str(k)])


undescribed(schema, ["schema"])
END_OF_PYTHON
is "$("$python" "$scratch/check.py" "$srcdir" 2>&1)" "" "results are valid by the schema, and others are not"
done_testing
