# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx' settings for the site. make.sh sets the variables of the environment."""
import os
import sys

HERE = os.environ["CLUP_SITE"]
sys.path[:0] = [HERE, os.environ["CLUP_PACKAGE"]]

import c_reference  # noqa: E402
from prose import Prose  # noqa: E402
from stage import public_names  # noqa: E402

project = "clup"
author = copyright = "the clup authors"
version = release = os.environ["CLUP_VERSION"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
nitpicky = True
nitpick_ignore_regex = [("c:identifier", r"u?int\d+_t|size_t|_cl_\w+|int|double"), ("py:class", r".*")]
# dashes of options stay as they are
smartquotes = False
highlight_language = "none"
myst_heading_anchors = 4
autodoc_member_order = "bysource"
add_module_names = False
toc_object_entries = False

html_theme = "furo"
html_title = "clup " + version
html_static_path = [os.path.join(HERE, "site.css")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "tango"
pygments_dark_style = "monokai"

_names = c_reference.names_of(c_reference.read_all(os.environ["CLUP_INCLUDE"]))
_names.update(("clup." + name, "py:obj") for name in public_names(os.path.join(os.environ["CLUP_PACKAGE"], "clup", "__init__.py")))
_prose = Prose(_names, "python")


def _written(app, what, name, of, options, lines):
    lines[:] = _prose.lines("\n".join(lines)) + [""]


def setup(app):
    app.connect("autodoc-process-docstring", _written)
