# SPDX-License-Identifier: BSD-3-Clause
"""Checks the pages of a site: check.py FOLDER.

Each link within the site leads to a file that is there, and to a place of it that has this name. No page, style sheet or script makes a browser ask
another host."""
import html.parser
import os
import re
import sys
import urllib.parse

# what a browser fetches, but for links that are followed
FETCHED = {"img": ("src", "srcset"), "script": ("src",), "iframe": ("src",), "source": ("src", "srcset"), "video": ("src",), "audio": ("src",), "embed": ("src",),
           "object": ("data",)}
RELATIONS = ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "prefetch", "modulepreload", "manifest", "shortcut icon", "search", "index", "next", "prev")


class Page(html.parser.HTMLParser):
    """The names in a page, what it links to, and what it fetches."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        for key in FETCHED.get(tag, ()):
            if values.get(key):
                self.fetched.append(values[key])
        if tag == "link" and values.get("href") and values.get("rel") in RELATIONS:
            self.fetched.append(values["href"])
        if values.get("style"):
            self.fetched += re.findall(r"url\(['\"]?([^'\")]+)", values["style"])


def is_foreign(address):
    return bool(re.match(r"(https?:)?//", address))


def main(top):
    pages, wrong = {}, []
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".html"):
                with open(path, encoding="utf-8") as file:
                    pages[os.path.normpath(path)] = Page(file.read())
            elif name.endswith(".css"):
                with open(path, encoding="utf-8") as file:
                    found = re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", file.read())
                wrong += ["%s fetches %s" % (path, one or other) for one, other in found if is_foreign(one or other)]
    links = 0
    for path, page in sorted(pages.items()):
        wrong += ["%s fetches %s" % (path, address) for address in page.fetched if is_foreign(address)]
        for address in page.links + [address for address in page.fetched if not is_foreign(address)]:
            if re.match(r"[a-z][a-z+.-]*:", address) or is_foreign(address):
                continue
            links += 1
            parts = urllib.parse.urlsplit(address)
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not os.path.isfile(target):
                wrong.append("%s: %s is not there" % (path, address))
            elif anchor and target in pages and anchor not in pages[target].names:
                wrong.append("%s: %s has no such place" % (path, address))
    for line in wrong:
        print(line, file=sys.stderr)
    print("%d pages, %d links within them" % (len(pages), links))
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
