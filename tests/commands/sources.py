# SPDX-License-Identifier: BSD-3-Clause
"""The external commands and Python modules that a file uses."""
import ast
import re
import shutil

from script import BUILTIN, Script


def of_makefile(text):
    """The recipes of a Makefile.am as a script: of what is no recipe, empty lines."""
    lines, recipe, goes_on = [], False, False
    for line in text.split("\n"):
        if not line.startswith("\t") and not goes_on:
            recipe = re.match(r"[^#=\t]+:([^=]|$)", line) is not None
        kept = recipe and line.startswith("\t")
        goes_on = line.endswith("\\")
        line = re.sub(r"^\t[@+-]*(\$\(AM_V_\w+\))?", "", line) if kept else ""
        lines.append(line.replace("$$", "$").replace("$(", "${x").replace("\t", " ") if kept else "")
    return re.sub(r"(\$\{x\w+)\)", r"\1}", "\n".join(lines))


def of_m4(text):
    """What configure starts: the programs that it looks for, of each choice the first, and shell in the arguments of macros."""
    for found in re.finditer(r"AC_(?:PATH_PROGS?|CHECK_TOOL)\(\[\w+\], \[([\w.-]+)", text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)
    for line, shell in enumerate(text.split("\n"), 1):
        shell = re.sub(r"^#.*|\b[A-Z]+_[A-Z_]+\(", ";", shell).replace("'", " ")
        for _, name in Script(re.sub(r"[\[\],]+", "\n", shell)).commands:
            # words of C and of messages stand where commands do: those that are none are not here
            if shutil.which(name) and re.search(r"(^|[`[(;&!] *)" + re.escape(name) + r" [-\"$\w]", shell):
                yield line, name


def commands_of(path, text, shared):
    """Pairs of a line and the name of each external command of a file."""
    if path.endswith((".m4", ".ac")):
        yield from ((line, name) for line, name in of_m4(text) if name not in BUILTIN)
    elif path.endswith((".c", ".h")):
        for found in re.finditer(r'(?:system\(|snprintf\(command, sizeof command,\s*)"((?:\\.|[^"])*)"|execlp\("([\w.-]+)"', text):
            for _, name in Script(found.group(1) or found.group(2)).commands:
                if name not in BUILTIN:
                    yield text.count("\n", 0, found.start()) + 1, name
    elif not path.endswith(".py"):
        script = Script(of_makefile(text) if path.endswith(".am") else text)
        for line, name in script.commands:
            if name not in BUILTIN | script.functions | shared:
                yield line, name


def modules_of(path, text):
    """Pairs of a line and a Python module that a program, or one in a shell script, cannot do without."""
    if path.endswith(".py"):
        tree = ast.parse(text)
        tried = {part for node in ast.walk(tree) if isinstance(node, ast.Try) for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import) and node not in tried:
                yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
            if isinstance(node, ast.ImportFrom) and not node.level and node not in tried:
                yield node.lineno, node.module.split(".")[0]
    elif not path.endswith((".c", ".h")):
        yield from modules_in(text)


def modules_in(script):
    """Those of the programs in a shell script."""
    for found in re.finditer(r"(?m)(?:^ *|-c ['\"]|; )import ((?:\w+(?:\.\w+)*(?: as \w+)?(?:, )?)+)(?:$|[;'\"])", script):
        for name in found.group(1).split(", "):
            yield script.count("\n", 0, found.start(1)) + 1, re.split(r"[. ]", name)[0]
