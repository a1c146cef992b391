# SPDX-License-Identifier: BSD-3-Clause
"""Checks the recipe for Spack where there is no Spack: check.py, in the folder of the recipe.

Stand-ins for the directives of Spack take what the recipe says: variants that conditions name must exist, specs must have
the form of specs, and configure_args() must give options that configure of the sources knows. It is no substitute for
"spack spec" and "spack install", which Spack itself does.
"""
import itertools
import os
import re
import subprocess
import sys
import types

here = os.path.dirname(os.path.abspath(__file__))
SPEC = re.compile(r"^(?P<name>[a-z0-9-]*)(?:@(?P<versions>=?[\w.:-]+))?(?P<variants>(?:\s*[+~][\w-]+)*)$")
said = {"versions": [], "variants": {}, "depends": [], "conditions": [], "after": []}


def spec(text, what):
    found = SPEC.match(text)
    assert found, "%s: %r is no spec" % (what, text)
    return found


def condition(text):
    if text is not None:
        found = spec(text, "when")
        said["conditions"].append((found["name"], found["variants"]))


def version(name, sha256=None, **_):
    assert sha256 is None or re.match(r"^[0-9a-f]{64}$", sha256), "version %s: no SHA-256" % name
    said["versions"].append(name)


def variant(name, default, description):
    assert isinstance(default, bool) and description
    said["variants"][name] = default


def depends_on(text, type=("build", "link"), when=None):
    kinds = {type} if isinstance(type, str) else set(type)
    assert kinds <= {"build", "link", "run", "test"}, "depends_on %s: type %r" % (text, type)
    assert spec(text, "depends_on")["name"], text
    condition(when)
    said["depends"].append((text, when))


def extends(text, when=None):
    depends_on(text, ("build", "run"), when)


def run_after(step, when=None):
    assert step in ("autoreconf", "configure", "build", "install")
    condition(when)
    return lambda function: said["after"].append(function.__name__) or function


class Flags:
    """What configure_args() asks of a dependency."""
    include = lib = "/prefix"
    path = "/prefix/bin/python3"
    include_flags, ld_flags = "-I/prefix", "-lmpi"

    def __getattr__(self, name):
        assert name in ("prefix", "headers", "libs", "command"), "spec['..'].%s" % name
        return self


class Spec:
    """A concrete spec, with values of the variants."""

    def __init__(self, values, names):
        self.values, self.names = values, names

    def satisfies(self, text):
        sign, name = text[0], text[1:]
        return self.values[name] is (sign == "+")

    def __getitem__(self, name):
        assert name in self.names, "configure_args() asks for %s, which is no dependency" % name
        return Flags()


class AutotoolsPackage:
    """Those parts of Spack's class that the recipe calls."""

    def _option(self, yes, no, name, variant=None):
        return ["--%s-%s" % (yes if self.spec.values[variant or name] else no, name)]

    def with_or_without(self, name, variant=None):
        return self._option("with", "without", name, variant)

    def enable_or_disable(self, name, variant=None):
        return self._option("enable", "disable", name, variant)


directives = dict(version=version, variant=variant, depends_on=depends_on, extends=extends, run_after=run_after,
                  license=lambda name: spec("", "") and name, on_package_attributes=lambda **_: lambda function: function)
modules = {name: types.ModuleType(name) for name in ("spack", "spack.package", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems",
                                                     "spack_repo.builtin.build_systems.autotools")}
modules["spack.package"].__dict__.update(directives)
modules["spack_repo.builtin.build_systems.autotools"].AutotoolsPackage = AutotoolsPackage
sys.modules.update(modules)
recipe = {"__name__": "clup"}
with open(os.path.join(here, "spack_repo", "clup", "packages", "clup", "package.py"), encoding="utf-8") as file:
    exec(compile(file.read(), "package.py", "exec"), recipe)
clup = recipe["Clup"]

sources = os.path.dirname(os.path.dirname(here))
with open(os.path.join(sources, "configure.ac"), encoding="utf-8") as file:
    now = re.search(r"AC_INIT\(\[clup\], \[([\d.]+)\]", file.read()).group(1)
assert now in said["versions"], "the recipe has no version %s" % now
assert clup.__doc__ and clup.url.endswith("/clup-%s.tar.gz" % now)
for name, variants in said["conditions"]:
    for one in re.findall(r"[+~]([\w-]+)", variants):
        assert name or one in said["variants"], "when: there is no variant %s" % one
known = subprocess.run([os.path.join(sources, "configure"), "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
count = 0
for values in itertools.product([True, False], repeat=len(said["variants"])):
    values = dict(zip(said["variants"], values))
    names = set()
    for text, when in said["depends"]:
        wanted = re.findall(r"([+~])([\w-]+)", when or "")
        if all(values[name] is (sign == "+") for sign, name in wanted):
            names.add(spec(text, "depends_on")["name"])
    made = clup()
    made.spec = Spec(values, names)
    for option in made.configure_args():
        name = re.match(r"^(?:--(?:with|without|enable|disable)-)?([\w-]+)", option).group(1)
        assert re.search(r"(?m)^ +(?:--(?:with|without|enable|disable)-)?%s\b" % re.escape(name), known), "configure does not know %s" % option
    count += 1
print("%d versions, %d variants, %d dependencies; configure knows all options of %d combinations; after install: %s"
      % (len(said["versions"]), len(said["variants"]), len(said["depends"]), count, ", ".join(said["after"])))
