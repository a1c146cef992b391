# SPDX-License-Identifier: BSD-3-Clause
"""TAP lines of Python: ok(right, name), raises(kind, text, call, ..), and done() at the end."""
import sys

count = failed = 0


def ok(right, name):
    global count, failed
    count += 1
    failed += not right
    print("%s %d - %s" % ("ok" if right else "not ok", count, name), flush=True)


def raises(kind, text, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
        ok(False, "%s is raised" % text)
    except kind as error:
        ok(text in str(error), "%s: %s" % (type(error).__name__, str(error).replace("\n", " ")[:100]))


def done():
    print("1..%d" % count)
    sys.exit(failed > 0)
