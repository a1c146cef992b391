# SPDX-License-Identifier: BSD-3-Clause
"""check.py QUICKSTART FILE...: of each external command and Python module that the files use, a line "ok WHAT: PACKAGE, why it is on a
bare machine after quickstart", or "not ok WHAT ..." with the place. Needs dpkg, and all packages of quickstart's lists."""
import re
import shutil
import subprocess
import sys

from packages import Packages
from script import Script
from sources import commands_of, modules_of

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# the distribution's Python says where a module is, or "built-in"
FIND = """import importlib.util, sys
for name in sys.argv[1:]:
    found = None if name in sys.stdlib_module_names else importlib.util.find_spec(name)
    print("built-in" if name in sys.stdlib_module_names else found.origin if found else "")
"""
# What the user has, or not
CHOICES = {"sudo": "quickstart says what root has to do where it is not", "clang": "tests/fuzz.sh, which is no part of make check, needs it"}


def listed(quickstart):
    """All packages of quickstart's lists, those for other releases as well."""
    found = re.findall(r'\b(?:build|check|amd)_packages="([^"]*)"', quickstart)
    return [name for names in found for name in names.split() if not name.startswith("$")]


def main():
    quickstart, *files = sys.argv[1:]
    texts = {path: open(path, encoding="utf-8").read() for path in files}
    shared = set().union(*(Script(text).functions for path, text in texts.items() if path.endswith("/tap.sh")))
    commands, modules = {}, {}
    for path, text in texts.items():
        short = "/".join(path.split("/")[-2:])
        for line, name in commands_of(path, text, shared):
            commands.setdefault(name, f"{short}:{line}")
        for line, name in modules_of(path, text):
            modules.setdefault(name, f"{short}:{line}")
    packages = Packages(listed(open(quickstart, encoding="utf-8").read()))
    own = {"clup"} | {path.split("/")[-1].removesuffix(".py") for path in files}
    names = sorted(set(modules) - own)
    origins = subprocess.run([PATH.split(":")[1] + "/python3", "-I", "-c", FIND, *names], stdout=subprocess.PIPE, check=True, text=True).stdout
    found = [(f"module {name}", origin, modules[name]) for name, origin in zip(names, origins.split("\n")) if origin != "built-in"]
    found += [(name, shutil.which(name, path=PATH), commands[name]) for name in sorted(commands) if name not in CHOICES]
    for (what, path, place), owner in zip(found, packages.owners([path or "" for _, path, _ in found])):
        # what several packages provide, such as awk
        if owner not in packages.why and what in packages.providers:
            owner = what
        if not path:
            print(f"not ok {what} is not on this machine: {place}")
        elif owner not in packages.why:
            print(f"not ok {what} is in {owner or 'no package'}, which is neither essential nor in quickstart's lists nor needed by one there: {place}")
        else:
            print(f"ok {what}: {owner}, {packages.why[owner]}")
    for name, why in CHOICES.items():
        if name in commands:
            print(f"ok {name}: {why}")


if __name__ == "__main__":
    main()
