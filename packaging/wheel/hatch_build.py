# SPDX-License-Identifier: BSD-3-Clause
"""What hatchling packs into a wheel: the Python package with the library in it, and the program.

CLUP_WHEEL_CONTENTS names a folder that build.sh has filled, and CLUP_WHEEL_TAG the tag of the platform. Without them the library is configured and built
here, with what the system has, for this machine.
"""
import os
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def build(tree, folder):
    """Fills folder with what the tree makes with the system's libraries: the library alone is linked with them."""
    def run(*words):
        subprocess.run(words, cwd=folder, check=True, stdout=sys.stderr)
    if os.path.exists(os.path.join(tree, "config.status")):
        raise RuntimeError("the sources are configured in their own folder: make distclean there")
    if not os.path.exists(os.path.join(tree, "configure")):
        subprocess.run(["autoreconf", "-i"], cwd=tree, check=True, stdout=sys.stderr)
    run(os.path.join(tree, "configure"), "-q", "PYTHON=" + sys.executable)
    run("make", "-s", "-j%d" % (os.cpu_count() or 1), "libclup.la", "python/clup/_abi.py")
    with open(os.path.join(folder, "libclup.la"), encoding="utf-8") as file:
        name = next(line for line in file if line.startswith("dlname=")).split("'")[1]
    contents = os.path.join(folder, "contents")
    os.mkdir(contents)
    os.rename(os.path.join(folder, "python", "clup"), os.path.join(contents, "clup"))
    library = os.path.join(contents, "clup", name)
    os.rename(os.path.realpath(os.path.join(folder, ".libs", name)), library)
    subprocess.run(["strip", "--strip-unneeded", library], check=True)
    return contents


class Contents(BuildHookInterface):
    """Adds files to the wheel, and says for which platform it is."""

    def initialize(self, version, build_data):
        """Called before the wheel is packed."""
        if version == "editable":
            raise RuntimeError("clup has a library, which an editable install would not build anew: use CLUP_LIBRARY and PYTHONPATH, as doc/guide/python.md says")
        contents, tag = os.environ.get("CLUP_WHEEL_CONTENTS"), os.environ.get("CLUP_WHEEL_TAG")
        if not contents:
            self.folder = tempfile.TemporaryDirectory(prefix="clup-wheel-")  # until the hook is gone
            contents = build(self.root, self.folder.name)
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + (tag or sysconfig.get_platform().replace("-", "_").replace(".", "_"))
        files = build_data["force_include"]
        for base, folders, names in os.walk(os.path.join(contents, "clup")):
            folders[:] = [folder for folder in folders if folder != "__pycache__"]
            for name in names:
                path = os.path.join(base, name)
                files[path] = os.path.relpath(path, contents)
        programs = os.path.join(contents, "bin")
        for name in sorted(os.listdir(programs)) if os.path.isdir(programs) else []:
            build_data["shared_scripts"][os.path.join(programs, name)] = name
