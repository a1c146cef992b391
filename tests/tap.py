# SPDX-License-Identifier: BSD-3-Clause
"""TAP lines of Python: ok(right, name), raises(kind, text, call, ..), ctrl_c(), and done() at the end."""
import os
import signal
import sys
import threading
import time

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


def ctrl_c():
    """A progress function, and the thread that interrupts the program a moment after it was first called."""
    begun = threading.Event()

    def send():
        begun.wait(300)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    # which a shell turns off for what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=send)
    thread.start()
    return lambda now, total: begun.set(), thread


def done():
    print("1..%d" % count)
    sys.exit(failed > 0)
