# SPDX-License-Identifier: BSD-3-Clause
"""Puts what the site is made of into a folder, for Sphinx: stage.py SOURCES FOLDER REPORTS.

Pages stand as they do where they are installed, README.md of a folder as its index; references of the program, C and Python are written from the manual,
the headers and the package. REPORTS has the reports of doc/results, each in the folder that it has there."""
import ast
import os
import re
import shutil
import sys

import c_reference
import manual

# the order of the guide; what is not here comes after it
GUIDE = ["install", "first-steps", "windows", "simulate", "tempering", "checkpoints", "jobs", "processes", "analysis", "scale", "percolate", "label", "graph",
         "python", "library", "plans", "bench"]
# the parts of the reference of Python, but for modules and errors
PYTHON = {"images": ("Images and volumes", ["label", "threshold", "statistics", "regionprops", "regionprops_table", "dust", "largest_k", "contacts",
                                            "region_graph"]),
          "simulations": ("Simulations and percolation", ["simulate", "resume", "Simulation", "Population", "Result", "analyse", "percolate",
                                                          "percolation_curves"])}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def linked(text, top, here, sources):
    """A page with links as they are on the site: to index.md of a folder, from the top without doc/."""
    def target(found):
        path, anchor = found.group(1), found.group(2) or ""
        if re.match(r"[a-z]+:", path):
            return found.group(0)
        if os.path.isdir(os.path.join(sources, here, path)):
            path = path.rstrip("/") + "/index.md"
        path = re.sub(r"(^|/)README\.md$", r"\1index.md", path)
        return "](%s%s)" % (re.sub(r"^doc/", "", path) if top else path, anchor)
    return re.sub(r"\]\(([^)#\s]+)(#[^)\s]*)?\)", target, text)


def pages(sources, to):
    """Copies the pages, and what they link to."""
    for name in ("HACKING.md", "CONTRIBUTING.md", "SECURITY.md"):
        write(os.path.join(to, name), linked(read(os.path.join(sources, name)), True, "", sources))
    for folder, _, names in os.walk(os.path.join(sources, "doc")):
        here = os.path.relpath(folder, sources)
        inside = os.path.relpath(folder, os.path.join(sources, "doc"))
        if inside.split(os.sep)[0] in ("site", "paper"):
            continue
        for name in names:
            path = os.path.join(to, inside, "index.md" if name == "README.md" else name)
            if name.endswith(".md"):
                write(path, linked(read(os.path.join(folder, name)), False, here, sources))
            elif not name.endswith((".1", "~")):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                shutil.copyfile(os.path.join(folder, name), path)


def listing(to, folder, title, about):
    """A page with all files of a folder."""
    languages = {".c": "c", ".py": "python", ".sh": "sh", ".toml": "toml"}
    lines = ["# " + title, "", about]
    for name in sorted(os.listdir(os.path.join(to, folder))):
        language = languages.get(os.path.splitext(name)[1])
        if language:
            lines += ["", "## " + name, "", "[%s](%s)" % (name, name), "", "```{literalinclude} " + name, ":language: " + language, "```"]
        elif name.endswith(".ipynb"):
            lines += ["", "## " + name, "", "A notebook for Jupyter: [%s](%s)" % (name, name)]
    write(os.path.join(to, folder, "index.md"), "\n".join(lines) + "\n")


def public_names(path):
    """__all__ of a module."""
    for statement in ast.parse(read(path)).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "__all__":
            return ast.literal_eval(statement.value)
    raise ValueError(path + " has no __all__")


def python(sources, to):
    """Pages whose text Sphinx takes from docstrings."""
    package = os.path.join(sources, "src", "python", "clup")
    names = public_names(os.path.join(package, "__init__.py"))
    modules = [name for name in names if os.path.exists(os.path.join(package, name + ".py"))]
    placed = [name for _, part in PYTHON.values() for name in part]
    errors = [name for name in names if name.endswith("Error")]
    lost = [name for name in names if name not in placed + errors + modules]
    if lost or set(placed) - set(names):
        raise ValueError("doc/site/stage.py: PYTHON has not the public names of clup: " + ", ".join(lost + sorted(set(placed) - set(names))))

    def one(prefix, name):
        if name[0].isupper():
            return ["", ".. autoclass:: %s.%s" % (prefix, name), "   :members:", "   :show-inheritance:"]
        return ["", ".. autofunction:: %s.%s" % (prefix, name)]

    entries = []
    for key, (title, part) in PYTHON.items():
        entries.append(key)
        write(os.path.join(to, "reference/python", key + ".rst"), "\n".join([title, "=" * len(title)] + sum((one("clup", name) for name in part), [])) + "\n")
    for module in modules:
        entries.append(module)
        own = [name for name in public_names(os.path.join(package, module + ".py")) if module != "measure" or not name.startswith("regionprops")]
        write(os.path.join(to, "reference/python", module + ".rst"),
              "\n".join(["clup." + module, "=" * (5 + len(module)), "", ".. automodule:: clup." + module] + sum((one("clup." + module, name) for name in own), [])) + "\n")
    entries.append("errors")
    write(os.path.join(to, "reference/python/errors.rst"), "\n".join(["Errors", "======"] + sum((one("clup", name) for name in errors), [])) + "\n")
    write(os.path.join(to, "reference/python/index.rst"),
          "\n".join(["Python: clup", "============", "", ".. automodule:: clup", "", "A guide with examples is :doc:`/guide/python`.", "", ".. toctree::", "   :maxdepth: 2", ""] + ["   " + entry for entry in entries]) + "\n")


def reports(folder, to):
    """Copies the report of each result with its pictures; returns [(title, page)]."""
    found = []
    for here, _, names in sorted(os.walk(folder)):
        if "report.md" not in names:
            continue
        inside = os.path.relpath(here, folder)
        text = read(os.path.join(here, "report.md"))
        title = text.split("\n")[0][2:]
        kind = "quick" if inside.endswith("-quick") else "long"
        text = text.replace("# " + title, "# %s, %s" % (title, kind), 1)
        write(os.path.join(to, "results", inside, "report.md"), text)
        os.makedirs(os.path.join(to, "results", inside, "figures"), exist_ok=True)
        for name in os.listdir(os.path.join(here, "figures")):
            if name.endswith(".svg"):
                shutil.copyfile(os.path.join(here, "figures", name), os.path.join(to, "results", inside, "figures", name))
        found.append(("%s, %s" % (title.replace("clup on ", ""), kind), inside + "/report"))
    return found


def toctree(caption, entries):
    return "\n```{toctree}\n:hidden:\n:caption: %s\n\n%s\n```\n" % (caption, "\n".join(entries))


def main(sources, to, report_folder):
    pages(sources, to)
    listing(to, "guide/examples", "Examples", "Complete programs, which the pages of the guide explain.")
    listing(to, "guide/models", "Models", "Models of one's own, for `clup simulate --model F.toml`.")
    c_reference.write(os.path.join(sources, "include"), os.path.join(to, "reference/c"))
    manual.write(os.path.join(sources, "doc/clup.1"), os.path.join(to, "reference/program"))
    python(sources, to)
    found = reports(report_folder, to)
    index = os.path.join(to, "results/index.md")
    text = read(index)
    head, _, rest = text.partition("\n\n")
    lines = ["", "Each result by itself, with pictures:", ""] + ["- [%s](%s.md)" % one for one in found]
    write(index, head + "\n" + "\n".join(lines) + "\n\nLong measurements side by side are on [another page](long.md), quick ones here.\n\n" + rest +
          "\n```{toctree}\n:hidden:\n\nLong measurements <long>\n%s\n```\n" % "\n".join("%s <%s>" % one for one in found))
    names = sorted(name[:-3] for name in os.listdir(os.path.join(to, "guide")) if name.endswith(".md"))
    guide = [name for name in GUIDE if name in names] + [name for name in names if name not in GUIDE]
    design = sorted(name[:-3] for name in os.listdir(os.path.join(to, "design")) if name.endswith(".md"))
    notebook = sorted(name[:-3] for name in os.listdir(os.path.join(to, "notebook")) if name.endswith(".md") and name != "index.md")
    with open(os.path.join(to, "notebook/index.md"), "a", encoding="utf-8") as file:
        file.write("\n```{toctree}\n:hidden:\n\n%s\n```\n" % "\n".join(notebook))
    write(os.path.join(to, "index.md"), linked(read(os.path.join(sources, "README.md")), True, "", sources) +
          toctree("Guide", ["guide/" + name for name in guide] + ["guide/examples/index", "guide/models/index"]) +
          toctree("Reference", ["reference/program/index", "reference/c/index", "reference/python/index", "glossary"]) +
          toctree("Results", ["results/index"]) +
          toctree("Change clup", ["CONTRIBUTING", "HACKING", "SECURITY"] + ["design/" + name for name in design] + ["notebook/index"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
