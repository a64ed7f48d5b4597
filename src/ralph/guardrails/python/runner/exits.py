"""The process ends before the tests' result is told, or tells another (policy set v2, class G08).

Rules:

- What the test runner loads (conftest, plugins, start-up files) and tests may not end the process at import, in a hook
  or in a fixture; `os._exit` nowhere but in a forked child. A status that says that something failed is for a person.
- A program's own `sys.exit` is its business, and so is one that a test expects.
- Product code that leaves with `os._exit` and status 0 takes the test run with it: it blocks at import and in functions
  that compute something; in what its name says ends a process, and with another status, a person looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.bindings import is_read
from ralph.guardrails.python.kinds import calls
from ralph.guardrails.python.names import keyword, positional
from ralph.guardrails.python.runner.module import Module, Part, Place
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import parent_of
from ralph.system.patterns import later

HARD = frozenset({"os._exit", "posix._exit", "nt._exit", "os.abort", "posix.abort"})
SOFT = frozenset({"sys.exit", "exit", "quit", "builtins.exit", "builtins.quit", "SystemExit", "builtins.SystemExit"})
KILLS = frozenset({"os.kill", "os.killpg", "signal.raise_signal", "posix.kill", "signal.pthread_kill"})
REPLACES = later(r"(?:os|posix)\.(?:exec[lv]p?e?)$")
NAMES = frozenset(
    [
        "_exit",
        "abort",
        "exit",
        "quit",
        "SystemExit",
        "kill",
        "killpg",
        "raise_signal",
        "pthread_kill",
        "execv",
        "execve",
        "execvp",
        "execvpe",
        "execl",
        "execle",
        "execlp",
        "execlpe",
    ]
)
ENDS = later(
    r"(?i)main|exit|quit|shut_?down|terminate|stop|die|kill|restart|reload|handler|signal|daemon|cleanup|watchdog"
    r"|worker"
    r"|child|spawn|run|loop|on_sig|abort|panic"
)
FORKS = later(r"\bfork(?:pty)?\(|\bProcess\(|multiprocessing")
SCRIPT = later(
    r"(?:^|/)(?:scripts?|bin|tools?|examples?|docs?|benchmarks?|hack|ci)/|(?:^|/)(?:setup|manage|__main__|noxfile"
    r"|tasks|fabfile|wsgi)\.py$"
)
STATUS_PARAMETER = later(r"exit_?status|exit_?code|status|returncode|ret|rc|code")
FOREIGN = later(r"\b(?:CDLL|cdll|PyDLL|pydll|libc|pythonapi)\b.*\.(?:_exit|_Exit|exit|abort|kill|raise|Py_Exit)$")
STARTS = later(r"(?:subprocess\.\w+|os\.system|os\.popen|Popen|check_call|check_output)$")
IN_CODE = later(r"\b_exit\b|\bsys\.exit|SystemExit|\boutcome\b|exitstatus|\bgetpid\b")
MOST = 400
"""Characters of a call that is looked at."""
NO_STATUS = object()


def exit_hits(module: Module) -> Iterator[Hit]:
    for node in module.names.references(NAMES):
        if not is_read(module.source, node):
            continue
        for path in sorted(module.names.paths(node)):
            if _may_end(path) and (rule := _rule(module, node, path)):
                yield module.source.hit(rule, node, f"{path} {_owner(module, node)}", detail=path)
                break
    yield from _executed(module)
    yield from _by_foreign_code(module)


def _may_end(path: str) -> bool:
    return path in HARD or path in SOFT or path in KILLS or REPLACES.search(path) is not None


def _by_foreign_code(module: Module) -> Iterator[Hit]:
    """The C library's ways out, and `kill` as a program."""
    if not module.is_runners and module.part is not Part.TEST:
        return
    for node in calls(module.source):
        function = node.child_by_field_name("function")
        if function is None or node.end_byte - node.start_byte > 4 * MOST:
            continue
        name, text = module.source.text(function), module.source.text(node)
        leaves = FOREIGN.search(name) or (
            STARTS.search(name) and re.search(r"\bkill\b", text) and "get" in text and "pid" in text
        )
        if leaves and len(text) <= MOST and module.place(node) not in (Place.TEST, Place.PROGRAM):
            yield module.source.hit("py.runner-exit", node, f"{name} {_owner(module, node)}", detail=name)


def _executed(module: Module) -> Iterator[Hit]:
    """An exit in a string that is run as code."""
    if not module.is_runners and module.part is not Part.TEST:
        return
    for node in (*module.names.words.identifiers("exec"), *module.names.words.identifiers("eval")):
        call = _call(node)
        given = positional(call) if call is not None else []
        code = module.names.constant(given[0]) if given else None
        if isinstance(code, str) and IN_CODE.search(code):
            yield module.source.hit("py.runner-exit", node, f"exec {_owner(module, node)}", detail="code in a string")


def _rule(module: Module, node: Node, path: str) -> str | None:
    if _is_expected(module, node):
        return None
    place = module.place(node)
    if path in HARD:
        return _hard(module, node, place)
    if path in SOFT and _is_called(node):
        return _soft(module, node, place)
    early = place in (Place.IMPORT, Place.HOOK, Place.FIXTURE)
    if path in KILLS and _is_called(node) and (module.is_runners or module.part is Part.TEST) and early:
        own = (
            path == "signal.raise_signal"
            or re.search(r"getp?pid", _arguments(module, node)) is not None
            or "getpgrp" in _arguments(module, node)
        )
        return "py.runner-exit" if own else None
    if REPLACES.search(path) and _is_called(node) and (module.is_runners or module.part is Part.TEST) and early:
        return "py.runner-exit"
    return None


def _hard(module: Module, node: Node, place: Place) -> str | None:
    if place is Place.PROGRAM or _in_child(module, node):
        return None
    status = _status(module, node)
    if module.is_runners:
        return "py.runner-exit-status" if _is_bad(status) or _is_passed_on(status) else "py.runner-exit"
    if module.part is Part.TEST:
        if _is_bad(status) or (place is Place.FUNCTION and FORKS.search(_text(module))):
            return "py.runner-exit-status"
        return "py.runner-exit"
    if _is_bad(status):
        return None
    if place is Place.IMPORT:
        return None if _is_script(module) else "py.runner-exit"
    named = ENDS.search(_owner(module, node)) is not None
    return "py.runner-exit-status" if named or (status is not NO_STATUS and not _is_zero(status)) else "py.runner-exit"


def _soft(module: Module, node: Node, place: Place) -> str | None:
    status = _status(module, node)
    if place in (Place.PROGRAM, Place.TEST, Place.FUNCTION):
        return None
    if module.is_runners or (module.part is Part.TEST and place is Place.IMPORT):
        if module.part is Part.PLUGIN and not module.hooks:
            return None
        return "py.runner-exit" if _is_zero(status) or status is NO_STATUS else "py.runner-exit-status"
    if place is Place.IMPORT and module.part is Part.PRODUCT and not _is_script(module):
        return "py.runner-exit-status"
    return None


def _is_called(node: Node) -> bool:
    """Called, or raised as it is; `raise SystemExit` needs no call."""
    above = node.parent
    if above is None:
        return False
    return above.child_by_field_name("function") == node or above.type == "raise_statement"


def _call(node: Node) -> Node | None:
    above = node.parent
    return above if above is not None and above.child_by_field_name("function") == node else None


def _arguments(module: Module, node: Node) -> str:
    call = _call(node)
    return module.source.text(call) if call is not None else ""


def _status(module: Module, node: Node) -> object:
    """The status that the process ends with: a value, the text of an expression, or NO_STATUS."""
    call = _call(node)
    if call is None:  # a reference: `atexit.register(os._exit, 0)`, `Timer(1, os._exit, [0])`
        return NO_STATUS
    given = positional(call)
    status = given[0] if given else keyword(module.names, call, "status") or keyword(module.names, call, "code")
    if status is None:
        return NO_STATUS
    value = module.names.constant(status)
    return module.source.text(status) if value is None else value


def _is_zero(status: object) -> bool:
    return status in (0, None, False, "None", "os.EX_OK", "EX_OK", "pytest.ExitCode.OK", "ExitCode.OK")


def _is_bad(status: object) -> bool:
    """A status that is certain to fail the run."""
    return isinstance(status, int) and not isinstance(status, bool) and status % 256 != 0


def _is_passed_on(status: object) -> bool:
    """The status that the session has anyway."""
    return (
        isinstance(status, str)
        and STATUS_PARAMETER.fullmatch(status.rpartition(".")[2].removeprefix("int(").rstrip(")")) is not None
    )


def _in_child(module: Module, node: Node) -> bool:
    """Below a fork, in the same function."""
    above = enclosing(node, "function_definition")
    while above is not None:
        if re.search(r"\bfork(?:pty)?\(", module.source.text(above)):
            return True
        above = enclosing(above.parent, "function_definition")
    return False


def _is_expected(module: Module, node: Node) -> bool:
    """Named in order to catch it, to compare it or to put something in its place."""
    above: Node | None = node
    while above is not None and above.type not in ("block", "module"):
        if above.type in ("except_clause", "class_definition", "type"):
            return True
        if above.type == "argument_list" and above.parent is not None:
            function = above.parent.child_by_field_name("function")
            if function is not None and re.search(
                r"(?:raises|assertRaises\w*|isinstance|issubclass|suppress|setattr|object|patch)$",
                module.source.text(function),
            ):
                return True
        above = parent_of(above)
    return False


def _is_script(module: Module) -> bool:
    return SCRIPT.search(module.source.path) is not None or module.source.data.startswith(b"#!")


def _owner(module: Module, node: Node) -> str:
    function = module.function_of(node)
    while function is not None and function.type == "lambda":
        function = module.function_of(function)
    return module.name(function) if function is not None else "module"


def _text(module: Module) -> str:
    return module.source.data.decode("utf-8", "replace")
