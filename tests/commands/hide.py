# SPDX-License-Identifier: BSD-3-Clause
"""hide.py QUICKSTART FOLDER [PACKAGE...]: makes a folder by which configure, make and tests see this machine as one without some packages of quickstart's lists, and
without what needs them or only they need. Prints the environment that does so, a line each."""
import os
import subprocess
import sys

from check import PATH, listed
from packages import Packages

VENDORS = "/etc/OpenCL/vendors"


def hidden(quickstart, names):
    """The packages that a machine does not have without some of those in the lists."""
    packages = Packages(listed(quickstart))
    lists = [name for name in listed(quickstart) if name in packages.needs]
    kept = [name for name in lists if not set(names) & set(packages.all_of([name]))]
    return set(packages.why) - set(packages.all_of(kept))


def place(path):
    """The name of a file whose folder may be a link, as /bin is; a link itself is not followed."""
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def files_of(packages):
    """The files and links of packages."""
    if not packages:
        return set()
    said = subprocess.run(["dpkg-query", "-L", *sorted(packages)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return {place(name) for name in said.splitlines() if os.path.islink(name) or not os.path.isdir(name)}


def put(name, text):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def links(folder, sources, gone):
    """Links to what folders have, but for what is gone."""
    os.makedirs(folder, exist_ok=True)
    for source in sources:
        for name in os.listdir(source) if os.path.isdir(source) else ():
            path, link = os.path.join(source, name), os.path.join(folder, name)
            if not {place(path), os.path.realpath(path)} & gone and not os.path.lexists(link):
                os.symlink(path, link)


def main():
    quickstart, folder, *names = sys.argv[1:]
    gone = files_of(hidden(open(quickstart, encoding="utf-8").read(), names))
    links(f"{folder}/bin", PATH.split(":"), gone)
    modules = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    links(f"{folder}/pkgconfig", modules.split(":"), gone)
    links(f"{folder}/vendors", [VENDORS], gone)
    for kind in ("include", "lib", "python"):
        os.makedirs(f"{folder}/{kind}", exist_ok=True)
    machine = os.uname().machine + "-linux-gnu"
    for path in sorted(gone):
        where, name = os.path.split(path)
        if where.startswith("/usr/include"):
            put(f"{folder}/include" + where.replace(f"/{machine}", "")[len("/usr/include"):] + f"/{name}", f'#error "{path} is hidden"\n')
        elif where == f"/usr/lib/{machine}" and name.endswith((".so", ".a")):
            put(f"{folder}/lib/{name.rsplit('.', 1)[0]}.so", f"INPUT(-lhidden-{name})\n")
        elif "/dist-packages/" in path:
            name = path.split("/dist-packages/")[1].split("/")[0].split(".")[0]
            put(f"{folder}/python/{name}.py", f'raise ModuleNotFoundError("{name} is hidden")\n')
    print(f"PATH={folder}/bin", f"CPATH={folder}/include", f"LIBRARY_PATH={folder}/lib", f"PKG_CONFIG_LIBDIR={folder}/pkgconfig",
          f"PYTHONPATH={folder}/python", f"OCL_ICD_VENDORS={folder}/vendors", sep="\n")
    if any("/amdgcn/bitcode/" in path for path in gone):
        print("AMD_LIBRARY=")


if __name__ == "__main__":
    main()
