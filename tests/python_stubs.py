# SPDX-License-Identifier: BSD-3-Clause
"""The stubs of the package clup say what its public names are: TAP lines. Nothing but Python's own modules is needed."""
import ast
import importlib
import inspect
import os

import clup
import clup.graph
from tap import done, ok


def stub_of(module):
    """The definitions of a module's stub, by their names: lists, as functions may be overloaded."""
    path = os.path.splitext(inspect.getsourcefile(module))[0] + ".pyi"
    with open(path, encoding="ascii") as file:
        return definitions(ast.parse(file.read()).body)


def definitions(body):
    found = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.setdefault(target.id, []).append(node)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, []).append(node)
    return found


def parameters_of(node):
    """Of a function of a stub: its parameters in their order, (name, how they are given, default as text, "..." for any, or None)."""
    arguments, found = node.args, []
    places = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(places) - len(arguments.defaults)) + arguments.defaults
    for one, default in zip(places, defaults):
        found.append((one.arg, "POSITIONAL_OR_KEYWORD", default))
    if arguments.vararg:
        found.append((arguments.vararg.arg, "VAR_POSITIONAL", None))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        found.append((one.arg, "KEYWORD_ONLY", default))
    if arguments.kwarg:
        found.append((arguments.kwarg.arg, "VAR_KEYWORD", None))
    return [(name, kind, None if default is None else "..." if isinstance(default, ast.Constant) and default.value is ... else ast.literal_eval(default))
            for name, kind, default in found]


def agrees(nodes, function):
    """What one of the stub's definitions says otherwise than a function; "" where the only one, or all overloads, agree."""
    real = [(name, one.kind.name, one) for name, one in inspect.signature(function).parameters.items()]
    for node in nodes:
        said = parameters_of(node)
        if [name for name, _, _ in said] != [name for name, _, _ in real]:
            return "%s of %s" % ([name for name, _, _ in said], [name for name, _, _ in real])
        if any(one.arg != "self" and one.arg != "cls" and one.annotation is None for one in [*node.args.args, *node.args.kwonlyargs]) or node.returns is None:
            return "a type is missing"
        for (name, kind, default), (_, wanted, one) in zip(said, real):
            # an overload may want by its name, and as given, what the function also takes otherwise
            if kind != wanted and not (len(nodes) > 1 and (kind, wanted) == ("KEYWORD_ONLY", "POSITIONAL_OR_KEYWORD")):
                return "%s is %s" % (name, kind)
            known = None if one.default is one.empty else one.default
            if default != "..." and not (default is None and len(nodes) > 1) and default != known or (default is not None and one.default is one.empty):
                return "%s = %r" % (name, default)
    return ""


def check_class(name, node, kind):
    body = definitions(node.body)
    public = [key for key, value in vars(kind).items() if not key.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod)))]
    missing = [key for key in public if key not in body]
    ok(not missing, "the stub has all of %s %s" % (name, missing))
    ok(not [key for key in body if not hasattr(kind, key) and not isinstance(body[key][0], ast.AnnAssign)], "and nothing else")
    for key in public:
        member = inspect.getattr_static(kind, key)
        if isinstance(member, property):
            setters = [one for one in body[key] if any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in one.decorator_list)]
            ok(bool(setters) == (member.fset is not None) and agrees(body[key][:1], member.fget) == "", "%s.%s" % (name, key))
        else:
            wrong = agrees(body[key], member.__func__ if isinstance(member, classmethod) else member)
            ok(not wrong, "%s.%s %s" % (name, key, wrong))
    if "__init__" in vars(kind):
        wrong = agrees(body["__init__"], kind.__init__)
        ok(not wrong, "%s() %s" % (name, wrong))


def check_module(module):
    stub, name = stub_of(module), module.__name__
    said = ast.literal_eval(stub["__all__"][0].value)
    ok(sorted(said) == sorted(module.__all__), "%s: __all__ is that of the stub" % name)
    for key in module.__all__:
        value = getattr(module, key)
        if key not in stub:
            ok(False, "%s.%s has a stub" % (name, key))
        elif inspect.isclass(value):
            check_class("%s.%s" % (name, key), stub[key][0], value)
            bases = [ast.unparse(base).split("[")[0] for base in stub[key][0].bases]
            ok(bases == [base.__name__ for base in value.__bases__ if base is not object], "%s.%s is one of %s" % (name, key, bases))
        elif inspect.isfunction(value) and isinstance(stub[key][0], ast.FunctionDef):
            wrong = agrees(stub[key], value)
            ok(not wrong, "%s.%s %s" % (name, key, wrong))
    extra = [key for key in stub if not key.startswith("_") and key not in module.__all__ and isinstance(stub[key][0], (ast.FunctionDef, ast.ClassDef))]
    ok(not extra, "%s: no stub is of something else %s" % (name, extra))


for module in clup, clup.graph, importlib.import_module("clup.measure"):
    check_module(module)
ok(os.path.exists(os.path.join(os.path.dirname(clup.__file__), "py.typed")), "py.typed says that the package has types")


# the check itself sees what is wrong
def plain(a, b=1, *, c=None):
    return a, b, c


for text, right in (("def plain(a: int, b: int = 1, *, c: int | None = None) -> int: ...", True), ("def plain(a: int, b: int = 2, *, c: int | None = None) -> int: ...", False),
                    ("def plain(a: int, c: int | None = None, *, b: int = 1) -> int: ...", False), ("def plain(a: int, b: int = 1, c: int | None = None) -> int: ...", False),
                    ("def plain(a: int, b: int = 1) -> int: ...", False), ("def plain(a: int = 3, b: int = 1, *, c: int | None = None) -> int: ...", False),
                    ("def plain(a: int, b=1, *, c: int | None = None) -> int: ...", False)):
    ok((agrees(ast.parse(text).body, plain) == "") == right, "%s is %s" % (text, "right" if right else "wrong"))
done()
