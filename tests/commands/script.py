# SPDX-License-Identifier: BSD-3-Clause
"""The commands that a shell script starts, found where a shell looks for one: at the beginning of a line, behind ; | && ( then do
and the like, behind wrappers such as timeout, env and xargs, and in what eval, trap and sh -c are given. A name that is a
variable's value is not seen; the default of such a variable, as in ${MAKE:=make}, is.
"""
import re

BUILTIN = set(
    ". : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill local printf pwd read"
    " readonly return set shift test times trap true type ulimit umask unset wait".split())
RESERVED_BEFORE = {"if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "fi", "done"}
# what starts the command behind its own options; of those that take a word, the options that do so
WRAPPERS = {
    "command": "", "exec": "", "env": "-u -C -S", "timeout": "-k -s", "xargs": "-n -P -I -L -d", "nice": "-n", "nohup": "", "setsid": "",
    "stdbuf": "-o -e -i", "sudo": "-u", "time": "", "unshare": "", "flock": ""}
# options of wrappers behind which nothing is started
ALONE = {"flock": {"-n", "-o", "-u", "-x"}}
OPERATOR = re.compile(r"&&|\|\||;;|[;&|()\n]")
REDIRECTION = re.compile(r"\d*(?:<<-?|>>|>&|<&|<>|>\||<|>)")


def bare(word):
    """A word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


class Script:
    """Finds the commands of one shell script."""

    def __init__(self, text, line=1, depth=0):
        self.text, self.first_line, self.depth = text, line, depth
        self.functions, self.commands = set(), []
        self.heredocs = []
        self.parse(0, "")

    def line(self, at):
        return self.first_line + self.text.count("\n", 0, at)

    def inner(self, text, at):
        """Takes the commands of a script that is a part of this one."""
        if self.depth < 8:
            part = Script(text, self.line(at), self.depth + 1)
            self.functions |= part.functions
            self.commands += part.commands

    def substitution(self, at):
        """The end of a $( ) or a backquoted command that begins at a place, whose commands are taken."""
        text = self.text
        if text[at] == "`":
            end = at + 1
            while end < len(text) and text[end] != "`":
                end += 2 if text[end] == "\\" else 1
            self.inner(text[at + 1:end], at)
            return end + 1
        if text.startswith("$((", at):
            level, end = 2, at + 3
            while end < len(text) and level:
                level += {"(": 1, ")": -1}.get(text[end], 0)
                end = self.substitution(end) if text.startswith("$(", end) else end + 1
            return end
        return self.parse(at + 2, ")")

    def quoted(self, at):
        """The end of a text in double quotes."""
        text, at = self.text, at + 1
        while at < len(text) and text[at] != '"':
            if text[at] == "\\":
                at += 2
            elif text[at] == "`" or text.startswith("$(", at):
                at = self.substitution(at)
            elif text.startswith("${", at):
                at = self.parameter(at)
            else:
                at += 1
        return at + 1

    def parameter(self, at):
        """The end of a ${ }."""
        text, at = self.text, at + 2
        while at < len(text) and text[at] != "}":
            if text[at] == "\\":
                at += 2
            elif text[at] == '"':
                at = self.quoted(at)
            elif text[at] == "'":
                at = max(text.find("'", at + 1), at) + 1
            elif text[at] == "`" or text.startswith("$(", at):
                at = self.substitution(at)
            elif text.startswith("${", at):
                at = self.parameter(at)
            else:
                at += 1
        return at + 1

    def word(self, at):
        """The end of a word."""
        text = self.text
        while at < len(text):
            if text[at] == "\\":
                at += 2
            elif text[at] == "'":
                end = text.find("'", at + 1)
                at = len(text) if end < 0 else end + 1
            elif text[at] == '"':
                at = self.quoted(at)
            elif text.startswith("${", at):
                at = self.parameter(at)
            elif text[at] == "`" or text.startswith("$(", at):
                at = self.substitution(at)
            elif text[at] in " \t\n;&|()<>":
                break
            else:
                at += 1
        return at

    def heredoc(self, at):
        """The end of the texts that were announced before the end of a line, at which this is."""
        for ending, plain, tabs in self.heredocs:
            while at < len(self.text):
                end = self.text.find("\n", at)
                end = len(self.text) if end < 0 else end
                line = self.text[at:end]
                if (line.lstrip("\t") if tabs else line) == ending:
                    at = end + 1
                    break
                if not plain:
                    for found in re.finditer(r"(?<!\\)(\$\(|`)", line):
                        self.substitution(at + found.start())
                at = end + 1
        self.heredocs = []
        return at

    def start(self, words):
        """Takes the command that words, pairs of a place and a text, start."""
        while words:
            at, raw = words[0]
            default = re.match(r'"?\$\{\w+:?[-=]([a-z][\w.+-]*)\}"?$', raw)
            if re.match(r"\w+=", raw):
                words = words[1:]
                continue
            name = default.group(1) if default else bare(raw).replace("\\", "")
            if name == ":":
                for place, text in words[1:]:
                    default = re.match(r'"?\$\{(\w+):?=([a-z][\w.+-]*)\}"?$', text)
                    if default and re.search(r'(?m)(^|[;&|(!] ?) *"?\$\{?%s\b' % default.group(1), self.text):
                        self.commands.append((self.line(place), default.group(2)))
            if not re.match(r"[A-Za-z_.:\[][\w.+:\[-]*$", name):
                return
            self.commands.append((self.line(at), name))
            rest = words[1:]
            plain = [bare(text) for _, text in rest]
            if name == "find":
                for k, text in enumerate(plain[:-1]):
                    if text in ("-exec", "-execdir"):
                        self.start(rest[k + 1:k + 2])
            if name in ("eval", "trap") and rest and rest[0][1][:1] in "\"'":
                self.inner(plain[0], rest[0][0])
            if name in ("sh", "bash", "dash") and "-c" in plain:
                k = plain.index("-c") + 1
                if k < len(rest):
                    self.inner(plain[k], rest[k][0])
            if name not in WRAPPERS:
                return
            k = 0
            while k < len(plain) and (plain[k].startswith("-") or (name == "env" and "=" in plain[k])):
                if plain[k] in ALONE.get(name, ()):
                    return
                k += 2 if plain[k] in WRAPPERS[name].split() else 1
            words = rest[k + (name in ("timeout", "flock")):]

    def parse(self, at, ending):
        """Goes through commands as far as an ending, and returns the place behind it."""
        text, words, cases = self.text, [], []
        expects = "command"  # or "pattern" in a case, "words" behind for
        while at < len(text):
            if text[at] in " \t":
                at += 1
            elif text.startswith("\\\n", at):
                at += 2
            elif text[at] == "#":
                at = text.find("\n", at)
                at = len(text) if at < 0 else at
            elif REDIRECTION.match(text, at):
                operator = REDIRECTION.match(text, at).group()
                at += len(operator)
                while at < len(text) and text[at] in " \t":
                    at += 1
                end = self.word(at)
                if operator.endswith(("<<", "<<-")):
                    word = text[at:end]
                    self.heredocs.append((word.strip("'\"\\"), word != word.strip("'\"\\"), operator.endswith("-")))
                at = end
            elif OPERATOR.match(text, at):
                operator = OPERATOR.match(text, at).group()
                at += len(operator)
                if operator == "\n" and self.heredocs:
                    at = self.heredoc(at)
                if expects == "pattern":
                    if operator == ")":
                        expects = "command"
                    continue
                if operator == "(" and len(words) == 1 and re.match(r"\s*\)", text[at:]):
                    self.functions.add(words[0][1])
                    words, at = [], text.index(")", at) + 1
                    continue
                if expects == "words" and operator in ("\n", ";"):
                    expects = "command"
                    words = []
                self.start(words)
                words = []
                if operator == "(":
                    at = self.parse(at, ")")
                elif operator == ")" and ending == ")":
                    return at
                elif operator == ";;" and cases:
                    expects = "pattern"
            else:
                end = self.word(at)
                raw = text[at:end]
                place, at = at, max(end, at + 1)
                if expects == "pattern":
                    if raw == "esac":
                        expects = cases.pop()
                    continue
                if words or expects == "words":
                    if raw == "in" and words and words[0][1] == "case":
                        words, expects = [], "pattern"
                        cases.append("command")
                    elif expects != "words":
                        words.append((place, raw))
                elif raw == "for":
                    expects = "words"
                elif raw == "case":
                    words.append((place, raw))
                elif raw == "esac" and cases:
                    cases.pop()
                elif raw not in RESERVED_BEFORE:
                    words.append((place, raw))
        self.start(words)
        return at
