# SPDX-License-Identifier: BSD-3-Clause
"""Comments of headers and docstrings as reStructuredText: paragraphs, lists, terms with their descriptions, and examples, which both write in the same plain way."""
import re
import textwrap

# a term, two spaces at least, and what it is; or a number with a colon
_TERM = re.compile(r"(\S(?:.{0,44}?\S)??(?= {2})|\d+:) +(\S.*)$")
_NAME = re.compile(r"\b(?:clup|CLUP)_\w+\b(?:\(\))?|\bclup(?:\.\w+)+|\bdoc/guide/\w+\.md")


def indent_of(line):
    return len(line) - len(line.lstrip())


def escaped(text):
    """Text in which nothing is markup."""
    return re.sub(r"([\\*`|])|(?<=\w)_(?=\W|$)|(?<!\w)_(?=\w)", lambda found: "\\" + found.group(0), text)


class Prose:
    """Text with links to the names that are known: {name: role}."""

    def __init__(self, names, code="c"):
        self.names, self.code = names, code

    def words(self, text):
        """A paragraph's text, with links."""
        out, end = "", 0
        for found in _NAME.finditer(text):
            name = found.group(0).replace("()", "")
            page = name.endswith(".md")
            if not page and name not in self.names:
                continue
            before = text[end:found.start()]
            out += escaped(before)
            if before and not before[-1].isspace() and before[-1] not in "(":
                out += "\\ "
            out += ":doc:`%s </%s>`" % (name, name[4:-3]) if page else ":%s:`%s`" % (self.names[name], name)
            end = found.end()
            if end < len(text) and not text[end].isspace():
                out += "\\ "
        return out + escaped(text[end:])

    def lines(self, text):
        """Lines of reStructuredText."""
        lines = textwrap.dedent(text).rstrip().split("\n")
        out, k = [], 0
        while k < len(lines):
            if not lines[k].strip():
                k += 1
                continue
            out += [""] if out else []
            k = self._block(lines, k, out)
        return out

    def _end(self, lines, k, least):
        """Where lines end that are indented so much; empty ones between them count."""
        end = last = k
        while end < len(lines) and (not lines[end].strip() or indent_of(lines[end]) >= least):
            end += 1
            last = end if lines[end - 1].strip() else last
        return last

    def _literal(self, lines, k, end, out, language):
        out += [".. code-block:: " + language, ""] + ["   " + line for line in textwrap.dedent("\n".join(lines[k:end])).split("\n")]
        return end

    def _block(self, lines, k, out):
        """One block of lines from number k on; the number of the line after it."""
        base = indent_of(lines[k])
        if lines[k].lstrip().startswith(">>>"):
            end = k
            while end < len(lines) and lines[end].strip():
                end += 1
            return self._literal(lines, k, end, out, "pycon")
        if base >= 4:
            return self._literal(lines, k, self._end(lines, k, 4), out, self.code)
        if lines[k].lstrip().startswith("- "):
            return self._items(lines, k, base, out)
        if self._is_term(lines, k):
            return self._terms(lines, k, base, out)
        return self._paragraph(lines, k, base, out)

    @staticmethod
    def _is_term(lines, k):
        """Whether a term begins there: two spaces inside of a sentence are none, so that what goes on is indented, or a term as well."""
        line = lines[k].strip()
        return bool(_TERM.match(line)) and not line.startswith("- ") and not re.match(r"\S.*[.;] {2}", line[:60])

    def _items(self, lines, k, base, out):
        while k < len(lines) and lines[k].strip() and indent_of(lines[k]) == base and lines[k].lstrip().startswith("- "):
            end = self._end(lines, k + 1, base + 1)
            own = self.lines(lines[k].replace("- ", "  ", 1) + "\n" + "\n".join(lines[k + 1:end]))
            out += ["- " + own[0]] + ["  " + line if line else "" for line in own[1:]]
            k = end
        return k

    def _terms(self, lines, k, base, out):
        while k < len(lines) and lines[k].strip() and indent_of(lines[k]) == base and self._is_term(lines, k):
            term, about = _TERM.match(lines[k].strip()).groups()
            end = k + 1
            while end < len(lines) and lines[end].strip() and indent_of(lines[end]) > base:
                end += 1
            more = [line.strip() for line in lines[k + 1:end]]
            out += ["``%s``" % term.replace("`", "'"), "   " + self.words(" ".join([about] + more))]
            k = end
        return k

    def _paragraph(self, lines, k, base, out):
        words = []
        while k < len(lines) and lines[k].strip():
            if words and indent_of(lines[k]) > base and (self._is_term(lines, k) or lines[k].lstrip().startswith("- ")):
                break
            if words and indent_of(lines[k]) == base and lines[k].lstrip().startswith("- "):
                break
            if lines[k].lstrip().startswith(">>>"):
                break
            words.append(lines[k].strip())
            k += 1
        out.append(self.words(" ".join(words)))
        return k
