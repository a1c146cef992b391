# SPDX-License-Identifier: BSD-3-Clause
"""The reference of the program, from its manual (doc/clup.1): a page for each command, and one for the other sections."""
import os
import re

from prose import escaped


def plain(text):
    """A text of the manual without the escapes of roff."""
    text = text.replace("\\-", "-").replace("\\&", "").replace("\\(aq", "'").replace("\\e", "\\").replace("\\(dq", '"')
    return re.sub(r"\\f[BIR]", "", text)


def words_of(line):
    """The arguments of a macro."""
    return [plain(word) for word in re.findall(r'"((?:[^"]|"")*)"|(\S+)', line) for word in word if word]


def fonts_of(macro, rest):
    """[(font, text)] of a macro for fonts."""
    words = words_of(rest)
    if len(macro) == 1:
        return [(macro, " ".join(words))]
    return [(macro[k % 2], word) for k, word in enumerate(words)]


class Page:
    """A page that is written line by line."""

    def __init__(self, options):
        self.options = options
        self.out, self.words, self.indent = [], [], 0
        self.program = None

    def word(self, fonts):
        """Adds what follows a space."""
        text = self.joined(fonts)
        if text:
            self.words.append(text)

    def joined(self, fonts):
        """Words of several fonts, one right after the other."""
        text = ""
        for font, word in fonts:
            if text and not text[-1].isspace() and not word.startswith(" "):
                text += "\\ "
            text += word[:len(word) - len(word.lstrip())] + self.marked(font, word) + word[len(word.rstrip()):]
        return text.strip()

    def marked(self, font, word):
        word = word.strip()
        if not word:
            return ""
        if font == "R":
            return self.linked(word)
        if font == "I":
            return "*%s*" % escaped(word)
        own, _, rest = word.partition(" ")
        if self.program and own in self.options.get(self.program, ()):
            return ":option:`%s`" % own + (" ``%s``" % rest if rest else "")
        command = re.match(r"clup (\w+)$", word)
        if command and "clup " + command.group(1) in self.options and self.program != word:
            return ":doc:`%s <%s>`" % (word, command.group(1))
        return "``%s``" % word

    def linked(self, text):
        """Text with links to options and pages."""
        out, end = "", 0
        for found in re.finditer(r"(?<![\w-])--[a-z][\w-]*|doc/guide/(\w+)\.md", text):
            out += escaped(text[end:found.start()])
            word = found.group(0)
            out += "\\ " if out and not out[-1].isspace() else ""
            if found.group(1):
                out += ":doc:`%s </guide/%s>`" % (word, found.group(1))
            else:
                out += (":option:`%s`" if word in self.options.get(self.program, ()) else "``%s``") % word
            end = found.end()
            out += "\\ " if end < len(text) and not text[end].isspace() else ""
        return out + escaped(text[end:])

    def flush(self):
        if self.words:
            self.put(" ".join(self.words))
            self.put("")
            self.words = []

    def put(self, line):
        self.out.append(" " * self.indent + line if line else "")

    def text(self):
        lines = []
        for line in self.out:
            if line or not lines or lines[-1]:
                lines.append(line.rstrip())
        return "\n".join(lines).rstrip() + "\n"


def sections_of(path):
    """[(section, command or None, lines)] of the manual."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith(".SH"):
                found.append([" ".join(words_of(line[4:])), None, []])
            elif line.startswith(".SS"):
                found.append([found[-1][0], " ".join(words_of(line[4:])), []])
            elif found:
                found[-1][2].append(line)
    return found


def tags_of(lines):
    """The options that a command's items begin with."""
    tags = []
    for k, line in enumerate(lines):
        if line.startswith(".TP") and k + 1 < len(lines):
            macro = re.match(r"\.(\w+) (.*)", lines[k + 1])
            text = "".join(word for _, word in fonts_of(*macro.groups())) if macro else plain(lines[k + 1])
            tags += re.findall(r"(?<!\S)(--?[\w-]+)", text.replace(",", " , "))
    return tags


def write_lines(page, lines, program):
    """Writes a section or a command."""
    page.program = program
    k, base, last = 0, page.indent, None
    while k < len(lines):
        line = lines[k]
        k += 1
        macro, _, rest = line[1:].partition(" ") if line.startswith(".") else (None, None, None)
        if macro is None:
            page.word([("R", plain(line))])
        elif macro in ("B", "I", "BR", "RB", "IR", "RI", "BI"):
            page.word(fonts_of(macro, rest))
        elif macro == "TP":
            page.flush()
            page.indent = base
            tag, k = lines[k], k + 1
            found = re.match(r"\.(\w+) (.*)", tag)
            fonts = fonts_of(*found.groups()) if found else [("R", plain(tag))]
            text = "".join(word for _, word in fonts).strip()
            if program and text.startswith("-"):
                # an item without a text of its own has that of the next one
                again = last == len(page.out)
                if again:
                    while not page.out[-1]:
                        page.out.pop()
                    page.put("            " + text)
                else:
                    page.put(".. option:: " + text)
                page.put("")
                last = len(page.out)
            else:
                page.put(page.joined(fonts))
            page.indent = base + 3
        elif macro == "IP":
            page.flush()
        elif macro == "br":
            page.flush()
        elif macro == "PP":
            page.flush()
            page.indent = base
        elif macro == "RS":
            page.flush()
            page.put(".. code-block:: sh")
            page.put("")
            while not lines[k].startswith(".RE"):
                if not lines[k].startswith("."):
                    page.put("   " + plain(lines[k]))
                k += 1
            page.put("")
            k += 1
        elif macro not in ("TH",):
            raise ValueError("the manual has a macro that the site does not know: " + line)
    page.flush()
    page.indent = base


def title(text, under):
    return [text, under * len(text), ""]


def write(manual, to):
    """Writes the pages; returns the names of the commands."""
    sections = sections_of(manual)
    options = {command: set(tags_of(lines)) for _, command, lines in sections if command}
    commands = [command for _, command, _ in sections if command]
    os.makedirs(to, exist_ok=True)
    index, listed = Page(options), []
    index.out += title("Program: clup", "=")
    for name, command, lines in sections:
        if command:
            page = Page(options)
            page.out += title(command, "=") + [".. program:: " + command, ""]
            write_lines(page, lines, command)
            first = re.split(r"[.;] ", page.text().split("\n\n")[2])[0].rstrip(".")
            listed += ["- :doc:`%s <%s>`: %s" % (command, command.split()[1], re.sub(r":option:(`[^`]*`)", r"`\1`", first)), ""]
            with open(os.path.join(to, command.split()[1] + ".rst"), "w", encoding="utf-8") as file:
                file.write(page.text())
        elif name == "NAME":
            about = plain(lines[0].partition("\\- ")[2])
            index.word([("R", about[0].upper() + about[1:] + ".")])
            index.flush()
        elif name == "SYNOPSIS":
            index.out += [".. code-block:: sh", "", "   clup COMMAND [OPTION]...", ""]
        elif name == "COMMANDS":
            index.out += title("Commands", "-")
            index.out.append("@commands")
        else:
            index.out += title(name.capitalize(), "-")
            write_lines(index, lines, None)
    index.out += ["", ".. toctree::", "   :hidden:", ""] + ["   " + command.split()[1] for command in commands]
    with open(os.path.join(to, "index.rst"), "w", encoding="utf-8") as file:
        file.write(index.text().replace("@commands\n", "\n".join(listed) + "\n"))
    return commands
