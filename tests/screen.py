# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command on a pseudo-terminal of a size, and draws on a screen what it writes there.

usage: screen.py COLUMNS ROWS [resize=COLUMNSxROWS] [signal=INT,INT] -- COMMAND ARGUMENT..

Standard output of the command is not the terminal: its standard error is. Prints as JSON: the exit
code (negative for a signal); how often the cursor was hidden and shown, and the other screen taken
and given back; the size that was written in before and after resize; and the last frame: rows of
characters, and of their two colours.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

split = sys.argv.index("--")
columns, rows = int(sys.argv[1]), int(sys.argv[2])
wishes = dict(word.split("=") for word in sys.argv[3:split])
terminal, other = pty.openpty()


def resize(columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize(columns, rows)
process = subprocess.Popen(sys.argv[split + 1 :], stdout=subprocess.DEVNULL, stderr=other, stdin=subprocess.DEVNULL)
os.close(other)
text = b""
signals = [getattr(signal, "SIG" + name) for name in wishes.get("signal", "").split(",") if name]
changed_at = None
end = time.time() + 60
while time.time() < end:
    if select.select([terminal], [], [], 0.2)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        text += piece
    frames = text.count(b"\x1b[J")
    if "resize" in wishes and changed_at is None and frames >= 2:
        changed_at = len(text)
        resize(*map(int, wishes["resize"].split("x")))
        process.send_signal(signal.SIGWINCH)
    if signals and frames >= 3:
        process.send_signal(signals.pop(0))
        # the next one while the first still works, or not at all
        time.sleep(0.02)
code = process.wait(timeout=60)
text = text.decode("utf-8", "replace")


def grid(text):
    """The characters of the last frame, by row and column, and their colours."""
    cells, row, column, colour = {}, 1, 1, {"38": None, "48": None}
    for match in re.finditer(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b\r\n])", text):
        numbers, letter, character = match.groups()
        if character is not None:
            cells[row, column] = (character, colour["38"], colour["48"])
            column += 1
        elif letter == "H":
            row, column = map(int, numbers.split(";"))
        elif letter == "m" and numbers == "0":
            colour = {"38": None, "48": None}
        elif letter == "m":
            colour[numbers[:2]] = numbers[3:]
        elif letter == "K":
            # after the last character of a row the cursor stands on it
            column = min(column, columns)
            cells = {at: cell for at, cell in cells.items() if at[0] != row or at[1] < column}
        elif letter == "J":
            column = min(column, columns)
            cells = {at: cell for at, cell in cells.items() if at[0] < row or (at[0] == row and at[1] < column)}
    return cells


if "resize" in wishes:
    columns, rows = map(int, wishes["resize"].split("x"))
frame = text.split("\x1b[0m\x1b[?25h")[0]
starts = [match.start() for match in re.finditer(r"\x1b\[\d+;1H\x1b\[J", frame)]
cells = grid(frame[starts[-1] if starts else 0 :])
last = max((row for row, _ in cells), default=0)
late = grid(frame[changed_at:]) if changed_at is not None else {}
print(
    json.dumps(
        {
            "code": code,
            "hidden": text.count("\x1b[?25l"),
            "shown": text.count("\x1b[?25h"),
            "taken": text.count("\x1b[?1049h"),
            "given": text.count("\x1b[?1049l"),
            "restored_last": text.rstrip().endswith("\x1b[?1049l") or "\x1b[?1049l" in text[text.rfind("\x1b[J") :],
            "frames": text.count("\x1b[J"),
            "rest": text[text.rfind("\x1b[?1049l") + 8 :] if "\x1b[?1049l" in text else "",
            "right": max((column for _, column in cells), default=0),
            "picture_right": max((column for row, column in cells if row < last), default=0),
            "bottom": last,
            "caption": "".join(cells[last, column][0] for column in range(1, 1 + max((c for r, c in cells if r == last), default=0))),
            "characters": ["".join(cells[row, column][0] for column in range(1, 1 + max((c for r, c in cells if r == row), default=0))) for row in range(1, last)],
            "upper": [[cells[row, column][1] for column in range(1, 1 + max((c for r, c in cells if r == row), default=0))] for row in range(1, last)],
            "lower": [[cells[row, column][2] for column in range(1, 1 + max((c for r, c in cells if r == row), default=0))] for row in range(1, last)],
            "late_right": max((column for _, column in late), default=0),
        }
    )
)
