# SPDX-License-Identifier: BSD-3-Clause
"""Reads the public headers: what each declares, and the comment before it."""
import re


class Declaration:
    """What one comment is about: kind, signatures, the comment, and members [(kind, signature or None, text)]."""

    def __init__(self, kind, signatures, text, members=()):
        self.kind, self.signatures, self.text, self.members = kind, signatures, text, list(members)

    @property
    def names(self):
        return [name_of(self.kind, signature) for signature in self.signatures]


def said(comment):
    """The text of a comment, without its stars."""
    body = comment[2:-2]
    lines = body.split("\n")
    starred = all(re.match(r"\s*\*", line) or not line.strip() for line in lines[1:])
    if starred:
        lines = lines[:1] + [re.sub(r"^\s*\* ?", "", line) for line in lines[1:]]
        lines[0] = re.sub(r"^ ", "", lines[0])
        return "\n".join(line.rstrip() for line in lines).strip("\n").rstrip()
    return " ".join(line.strip() for line in lines).strip()


def name_of(kind, signature):
    """The name that a signature declares."""
    if kind in ("struct", "enum", "macro"):
        return signature.split()[0]
    found = re.search(r"\(\*(\w+)\)\(", signature) or re.search(r"(\w+)\s*\(", signature)
    if kind in ("function", "type") and found:
        return found.group(1)
    return re.search(r"(\w+)(?:\[[^\]]*\])*$", signature).group(1)


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def split(text, at=","):
    """The parts of a list, which may have brackets in them."""
    parts, depth = [""], 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == at and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def declarators(declaration):
    """Each of several members that one declaration declares, as a declaration of its own."""
    declaration = flat(declaration)
    parts = split(declaration)
    if len(parts) == 1 or "(" in declaration:
        return [declaration]
    first = re.match(r"(.*?[\s*])(\**\w+(?:\[[^\]]*\])*)$", parts[0].strip())
    base = first.group(1).rstrip("* ")
    stars = first.group(1)[len(first.group(1).rstrip("* ")):].strip()
    return ["%s %s%s" % (base, stars, first.group(2))] + ["%s %s" % (base, part.strip()) for part in parts[1:]]


def pieces_of(text):
    """Comments, lines for the preprocessor, and code between them, with the place of each."""
    at = 0
    for found in re.finditer(r"/\*.*?\*/|^#[^\n]*(?:\\\n[^\n]*)*", text, re.S | re.M):
        if text[at:found.start()]:
            yield "code", text[at:found.start()]
        body = found.group(0)
        if body.startswith("#") and "/*" in body:
            start = found.start() + body.index("/*")
            end = text.index("*/", start) + 2
            yield "line", text[found.start():start]
            yield "comment", text[start:end]
            at = max(end, found.end())
            continue
        if found.start() < at:
            continue
        yield ("line" if body.startswith("#") else "comment"), body
        at = found.end()
    yield "code", text[at:]


def members_of(body, kind):
    """[(kind, signatures, text)] of what stands between braces; kind None is a comment about what follows."""
    found, before = [], None
    ends = "," if kind == "enum" else ";"
    rest, pending = body, ""
    for what, text in pieces_of(rest):
        if what == "line":
            continue
        if what == "comment":
            # a comment behind a declaration, on its line or after it, is its own
            own = found and found[-1][2] is None and not pending.strip() and "\n" not in pending
            if pending.strip():
                # the last one of an enum has no comma
                found.append((kind, [flat(pending)], said(text)))
                pending = ""
            elif own and before is None:
                found[-1] = found[-1][:2] + (said(text),)
            else:
                if before is not None:
                    found.append((None, [], before))
                before = said(text)
            pending = "" if not pending.strip() else pending
            continue
        parts = split(text, ends)
        parts[0] = pending + parts[0]
        for part in parts[:-1]:
            if before is not None:
                found.append(("before", [], before))
                before = None
            found.append((kind, [flat(part)] if kind == "enum" else declarators(part), None))
        pending = parts[-1]
    if pending.strip():
        if before is not None:
            found.append(("before", [], before))
            before = None
        found.append((kind, [flat(pending)], None))
    # a comment before a declaration that has none behind it is its own
    settled = []
    for entry in found:
        if settled and settled[-1][0] == "before" and entry[0] is not None and entry[0] != "before" and entry[2] is None:
            settled[-1] = (entry[0], entry[1], settled[-1][2])
        else:
            settled.append(entry)
    return [(None if kind == "before" else kind, signatures, text) for kind, signatures, text in settled]


def read(path):
    """(what the header is for, [entries]): an entry is a heading, a text, or a Declaration."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    text = re.sub(r'^#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n', "", text, flags=re.M)
    comments = re.findall(r"/\*.*?\*/", text, flags=re.S)
    about = said(comments[1])
    rest = text[text.index(comments[1]) + len(comments[1]):]
    entries, comment = [], None
    at = 0
    while at < len(rest):
        if rest[at].isspace():
            # an empty line parts a comment from what follows
            if comment is not None and re.match(r"\n[ \t]*\n", rest[at:]):
                entries.append(comment)
                comment = None
            at += 1
            continue
        if rest.startswith("/*", at):
            end = rest.index("*/", at) + 2
            body = said(rest[at:end])
            at = end
            heading = re.match(r"-+ (.*?) -+$", body)
            if heading:
                entries.append("# " + heading.group(1))
                continue
            if comment is not None:
                entries.append(comment)
            comment = body
            continue
        if rest[at] == "#":
            end = rest.find("\n", at)
            while rest[end - 1] == "\\":
                end = rest.find("\n", end + 1)
            line = rest[at:end]
            if "/*" in line and "*/" not in line:
                end = rest.index("*/", at) + 2
                line = rest[at:end]
            found = re.match(r"#define (CLUP_\w+)(?!\w|\() (.*)", line, flags=re.S)
            if found and not found.group(1).endswith("_API"):
                value, _, own = found.group(2).partition("/*")
                own = said("/*" + own) if own else None
                add(entries, "macro", "%s %s" % (found.group(1), flat(value)), own or comment, comment is not None and own is None)
                comment = None if own is None else comment
                if own is not None and comment is not None:
                    entries.insert(len(entries) - 1, comment)
                    comment = None
            at = end
            continue
        end, depth = at, 0
        while depth > 0 or rest[end] != ";":
            if rest.startswith("/*", end):
                end = rest.index("*/", end) + 2
                continue
            depth += rest[end] in "({"
            depth -= rest[end] in ")}"
            end += 1
        declare(entries, rest[at:end], comment)
        comment = None
        at = end + 1
    if comment is not None:
        entries.append(comment)
    return about, entries


def add(entries, kind, signature, text, new):
    """Adds a declaration, to the one before it where that has the same comment."""
    last = entries[-1] if entries else None
    if text is None and not new and isinstance(last, Declaration) and last.kind == kind and kind in ("function", "macro"):
        last.signatures.append(signature)
    else:
        entries.append(Declaration(kind, [signature], text or ""))


def declare(entries, text, comment):
    """Adds what one declaration declares."""
    bare = flat(re.sub(r"/\*.*?\*/", " ", text, flags=re.S)).replace("CLUP_API ", "")
    found = re.match(r"(?:typedef )?(struct|enum) (\w+) ?\{(.*)\} ?(\w*)$", bare)
    if found:
        kind, name = found.group(1), found.group(4) or found.group(2)
        body = text[text.index("{") + 1:text.rindex("}")]
        members = members_of(body, "enum" if kind == "enum" else "member")
        known = [entry for entry in entries if isinstance(entry, Declaration) and entry.signatures == [name]]
        if known and comment is None:
            known[0].kind, known[0].members = kind, members
        else:
            entries.append(Declaration(kind, [name], comment or "", members))
    elif re.match(r"struct _cl_\w+$", bare):
        # OpenCL's: the comment after it is about the function
        if comment is not None:
            entries.append(comment)
    elif bare.startswith("typedef "):
        bare = bare[8:]
        opaque = re.match(r"(struct|enum) (\w+) \2$", bare)
        entries.append(Declaration("struct" if opaque else "type", [opaque.group(2) if opaque else bare], comment or ""))
    else:
        add(entries, "function", bare, comment, comment is not None)
