# SPDX-License-Identifier: BSD-3-Clause
"""The reference of C: a page for each public header, from its declarations and comments."""
import os
import re

import headers
from prose import Prose, escaped

_ROLES = {"function": "c:func", "struct": "c:struct", "enum": "c:enum", "macro": "c:macro", "type": "c:type"}


def topics_of(include):
    """The headers that clup.h includes, in its order."""
    with open(os.path.join(include, "clup.h"), encoding="ascii") as file:
        return re.findall(r'^#include "clup/(\w+)\.h"$', file.read(), flags=re.M)


def read_all(include):
    return {topic: headers.read(os.path.join(include, "clup", topic + ".h")) for topic in topics_of(include)}


def declarations_of(entries):
    return [entry for entry in entries if isinstance(entry, headers.Declaration)]


def names_of(pages):
    """{name: role} of all that the headers declare."""
    names = {}
    for _, entries in pages.values():
        for entry in declarations_of(entries):
            for name in entry.names:
                names[name] = _ROLES[entry.kind]
            if entry.kind == "enum":
                for kind, signatures, _ in entry.members:
                    if kind is not None:
                        names[signatures[0].split()[0]] = "c:enumerator"
    return names


def inside(lines):
    return ["   " + line if line else "" for line in lines]


def written(entry, prose):
    """One declaration."""
    directive = {"function": "c:function", "macro": "c:macro", "type": "c:type", "struct": "c:struct", "enum": "c:enum"}[entry.kind]
    value = None
    signatures = entry.signatures
    if entry.kind == "macro":
        value = [signature.partition(" ")[2] for signature in signatures]
        signatures = [signature.split()[0] for signature in signatures]
    gap = "\n" + " " * (len(directive) + 6)
    lines = [".. %s:: %s" % (directive, gap.join(signatures)), ""]
    if value:
        lines += inside(["Value: " + ", ".join("``%s``" % one for one in value), ""])
    lines += inside(prose.lines(entry.text)) if entry.text else []
    for kind, signatures, text in entry.members:
        if lines[-1]:
            lines.append("")
        if kind is None:
            lines += inside(prose.lines(text)) + [""]
            continue
        directive = "c:enumerator" if kind == "enum" else "c:member"
        gap = "\n" + " " * (len(directive) + 6)
        own = [".. %s:: %s" % (directive, gap.join(signatures)), ""] + inside(prose.lines(text) if text else [])
        lines += inside(own)
    return lines


def page(topic, about, entries, prose):
    title = "clup/%s.h" % topic
    lines = [title, "=" * len(title), ""] + prose.lines(about)
    for entry in entries:
        lines.append("")
        if isinstance(entry, headers.Declaration):
            lines += written(entry, prose)
        elif entry.startswith("# "):
            heading = escaped(entry[2].upper() + entry[3:])
            lines += [heading, "-" * len(heading)]
        else:
            lines += prose.lines(entry)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write(include, to):
    """Writes the pages; returns {name: role}."""
    pages = read_all(include)
    names = names_of(pages)
    prose = Prose(names)
    os.makedirs(to, exist_ok=True)
    with open(os.path.join(include, "clup.h"), encoding="ascii") as file:
        rules = headers.said(re.findall(r"/\*.*?\*/", file.read(), flags=re.S)[1])
    # its first line is the title
    lines = ["C: clup.h", "=========", ""] + prose.lines(rules)
    lines += ["", "Headers", "-------", "", ".. list-table::", "   :header-rows: 1", "", "   * - header", "     - what it has"]
    for topic, (about, _) in pages.items():
        first = prose.lines(about)
        lines += ["   * - :doc:`clup/%s.h <%s>`" % (topic, topic), "     - " + first[0]]
    lines += ["", ".. toctree::", "   :hidden:", ""] + ["   " + topic for topic in pages]
    with open(os.path.join(to, "index.rst"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    for topic, (about, entries) in pages.items():
        with open(os.path.join(to, topic + ".rst"), "w", encoding="utf-8") as file:
            file.write(page(topic, about, entries, prose))
    return names
