# SPDX-License-Identifier: BSD-3-Clause
"""The notebook doc/guide/examples/tour.ipynb, run cell by cell, gives the outputs that it shows: TAP lines. No Jupyter is needed.

python_tour.py --write puts the outputs into the notebook. Outputs are what is printed, and what a cell ends with: as text, or where it has a
view in HTML as that. Pictures are not compared byte by byte, as they are compressed differently by other versions of zlib.
"""
import ast
import contextlib
import io
import json
import os
import re
import sys

import clup
from tap import done, ok

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc", "guide", "examples", "tour.ipynb")


def lines(text):
    return text.splitlines(keepends=True)


def outputs_of(source, number, names):
    """Runs a cell, and returns its outputs as notebooks have them."""
    printed, value, outputs = io.StringIO(), None, []
    body = ast.parse(source)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(body, "cell %d" % number, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell %d" % number, "eval"), names)
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        html = getattr(value, "_repr_html_", None)
        data = {"text/plain": lines(repr(value))} if html is None else {"text/html": lines(html()), "text/plain": ["<%s>" % type(value).__name__]}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def compared(outputs):
    """Outputs without the bytes of pictures."""
    return json.loads(re.sub(r"(data:image/png;base64,)[A-Za-z0-9+/=]*", r"\1", json.dumps(outputs)))


with open(PATH, encoding="utf-8") as file:
    text = file.read()
notebook, names, number = json.loads(text), {"__name__": "__main__"}, 0
ok(notebook["nbformat"] == 4 and notebook["metadata"]["kernelspec"]["name"] == "python3" and {cell["cell_type"] for cell in notebook["cells"]} == {"code", "markdown"},
   "it is a notebook of Python")
for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    number += 1
    source = "".join(cell["source"])
    outputs = outputs_of(source, number, names)
    if sys.argv[1:] == ["--write"]:
        cell.update(execution_count=number, outputs=outputs)
    ok(compared(outputs) == compared(cell["outputs"]) and cell["execution_count"] == number, "cell %d: %s" % (number, source.split("\n")[0]))
    if compared(outputs) != compared(cell["outputs"]):
        print("# " + json.dumps(compared(outputs))[:600])
if sys.argv[1:] == ["--write"]:
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")
else:
    ok(len(text) < 100000 and text == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "it is small, and laid out as --write does")
ok(number >= 8 and "clup" in names and names["clup"] is clup, "all %d cells were run" % number)
done()
