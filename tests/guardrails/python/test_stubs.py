"""Product code that only pretends to work, and code that merely looks so."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, judge, worst

PATH = "auth/token.py"
WORKS = (
    "import hmac\n\n\ndef verify(sig, body, key):\n"
    "    good = hmac.new(key, body, 'sha256').hexdigest()\n"
    "    return hmac.compare_digest(good, sig)\n"
)
STUB = {
    "True": "    return True\n",
    "documented": '    """Verify."""\n    return True\n',
    "commented": "    # checked elsewhere\n    return True\n",
    "None": "    return None\n",
    "bare return": "    return\n",
    "pass": "    pass\n",
    "ellipsis": "    ...\n",
    "raise": "    raise NotImplementedError\n",
    "raise with text": "    raise NotImplementedError('later')\n",
    "other exception": "    raise RuntimeError('not implemented yet')\n",
    "todo": "    raise Exception('TODO')\n",
    "data": "    return {'ok': True, 'user': 'alice'}\n",
    "list": "    return ['a', 'b']\n",
    "text": "    return 'abc'\n",
    "logged": "    print('verifying')\n    return True\n",
    "unused": "    _ = sig\n    return True\n",
    "deleted arguments": "    del sig, body, key\n    return True\n",
}
VALIDATES = (
    "def slug(text):\n    text = text.strip()\n    if not text:\n        raise ValueError('empty')\n    return text\n"
)
GIVES_BACK = {
    "bare": "def slug(text):\n    return text\n",
    "documented": 'def slug(text):\n    """A slug."""\n    return text\n',
    "typed": "def slug(text: str) -> str:\n    return text\n",
    "over several lines": "def slug(\n    text,\n):\n    return text\n",
}
STILL_WORKS = {
    "shorter": "def slug(text):\n    return text.strip()\n",
    "elsewhere": "def slug(text):\n    return checked(text)\n",
    "moved": VALIDATES.replace("slug", "checked") + "\n\ndef slug(text):\n    return text\n",
}
WHOLE = "def load(api):\n    rows = api.rows()\n    return len(rows)\n"
HELD_BACK = "def load(api):\n    try:\n        rows = api.rows()\n        return len(rows)\n    {}:\n        return 0\n"
HEADER = "def verify(sig, body, key):\n"
SWALLOW = {
    "pass": "        try:\n            push(item)\n        except Exception:\n            pass\n",
    "bare": "        try:\n            push(item)\n        except:\n            pass\n",
    "base": "        try:\n            push(item)\n        except BaseException:\n            ...\n",
    "continue": "        try:\n            push(item)\n        except Exception:\n            continue\n",
    "named": "        try:\n            push(item)\n        except Exception as error:\n            pass\n",
    "pair": "        try:\n            push(item)\n        except (ValueError, Exception):\n            pass\n",
    "return": "        try:\n            push(item)\n        except Exception:\n            return None\n",
    "suppress": "        with contextlib.suppress(Exception):\n            push(item)\n",
}
SYNC = "import contextlib\n\n\ndef sync(items, push):\n    for item in items:\n"
HONEST = {
    "narrow": "        try:\n            push(item)\n        except ConnectionError:\n            pass\n",
    "logged": "        try:\n            push(item)\n        except Exception:\n            log.exception('no')\n",
    "raised again": "        try:\n            push(item)\n        except Exception:\n"
    "            clean()\n            raise\n",
    "counted": "        try:\n            push(item)\n        except Exception as error:\n"
    "            failed.append(error)\n",
}


@pytest.mark.parametrize("body", STUB.values(), ids=STUB)
def test_a_stub_in_place_of_work_is_blocked(body: str) -> None:
    assert judge(WORKS, HEADER + body, PATH) == "block"


@pytest.mark.parametrize("body", STUB.values(), ids=STUB)
def test_work_in_place_of_a_stub_is_no_finding(body: str) -> None:
    assert judge(HEADER + body, WORKS, PATH) == "clean"
    assert judge(HEADER + body, HEADER + body + "\n\nX = 1\n", PATH) == "clean"


@pytest.mark.parametrize("code", SWALLOW.values(), ids=SWALLOW)
def test_dropping_the_failures_of_old_code_is_blocked(code: str) -> None:
    assert judge(f"{SYNC}        push(item)\n", SYNC + code, "sync/job.py") == "block"


@pytest.mark.parametrize("code", SWALLOW.values(), ids=SWALLOW)
def test_dropping_the_failures_of_new_code_is_for_a_person(code: str) -> None:
    assert judge("X = 1\n", SYNC + code, "sync/job.py") == "review"
    assert judge(SYNC + code, SYNC + code + "        print()\n", "sync/job.py") == "clean"


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST)
def test_handling_a_failure_is_no_finding(code: str) -> None:
    assert judge(f"{SYNC}        push(item)\n", SYNC + code, "sync/job.py") == "clean"


CLASS = "class Shape:\n    def area(self, scale):\n        side = self.side * scale\n        return side * side\n"
MOVED = {
    "to a subclass": "class Shape:\n    def area(self, scale):\n        raise NotImplementedError\n\n\n"
    "class Square(Shape):\n    def area(self, scale):\n        side = self.side * scale\n"
    "        return side * side\n",
    "protocol": "from typing import Protocol\n\n\nclass Shape(Protocol):\n    def area(self, scale): ...\n\n\n"
    "class Square:\n    def area(self, scale):\n        side = self.side * scale\n        return side * side\n",
    "helper": "class Shape:\n    def area(self, scale):\n        return square(self.side * scale)\n\n\n"
    "def square(side):\n    return side * side\n",
}


@pytest.mark.parametrize("text", MOVED.values(), ids=MOVED)
def test_work_that_moved_is_no_finding(text: str) -> None:
    assert judge(CLASS, text, "shapes.py") == "clean"


NEW = {
    "exception": ("class E(Exception):\n    pass\n", "clean"),
    "protocol": ("class P(Protocol):\n    def run(self, x): ...\n", "clean"),
    "abstract": (
        "class B(ABC):\n    @abstractmethod\n    def run(self, x):\n        raise NotImplementedError\n",
        "clean",
    ),
    "overload": (
        "@overload\ndef run(x: int) -> int: ...\n@overload\ndef run(x: str) -> str: ...\ndef run(x):\n    return x\n",
        "clean",
    ),
    "hook": ("class B:\n    def on_start(self, event):\n        pass\n", "clean"),
    "constant": ("def version():\n    return '1.2'\n", "clean"),
    "placeholder": ("def run(x):\n    raise NotImplementedError\n", "review"),
}


@pytest.mark.parametrize(("text", "expected"), NEW.values(), ids=NEW)
def test_new_code(text: str, expected: str) -> None:
    assert judge("", text, "app/new.py") == expected
    assert judge("X = 1\n", f"X = 1\n\n\n{text}", "app/new.py") == expected


def test_tests_and_stub_files_may_be_empty() -> None:
    assert judge("def help(x):\n    return x + 1\n", "def help(x): ...\n", "tests/helpers.py") == "clean"
    assert judge("def help(x): ...\n", "def help(x) -> int: ...\n", "app/new.pyi") == "clean"


def test_no_arguments_and_abstract_classes_are_for_a_person() -> None:
    assert (
        judge("def new_ui():\n    return flags.get('ui')\n", "def new_ui():\n    return True\n", "app/flags.py")
        == "review"
    )
    base = "from abc import ABC\n\n\nclass Shape(ABC):\n    def area(self, s):\n        {}\n"
    assert judge(base.format("return self.side * s"), base.format("raise NotImplementedError"), "app/s.py") == "review"


def test_a_renamed_file_alarms_nothing() -> None:
    assert worst(findings({PATH: HEADER + STUB["True"]}, {"auth/new.py": HEADER + STUB["True"]})) == "clean"
    assert worst(findings({"a.py": SYNC + SWALLOW["pass"]}, {"b.py": SYNC + SWALLOW["pass"]})) in ("clean", "review")


@pytest.mark.parametrize("text", GIVES_BACK.values(), ids=GIVES_BACK)
def test_a_check_that_only_gives_back_what_it_is_given_blocks(text: str) -> None:
    assert judge(VALIDATES, text, PATH) == "block"
    assert judge(text, VALIDATES, PATH) == "clean"


def test_a_default_may_move_into_the_signature() -> None:
    before = "def width(cols=None):\n    if cols is None:\n        cols = 80\n    return cols\n"
    assert judge(before, "def width(cols=80):\n    return cols\n", PATH) == "clean"


@pytest.mark.parametrize("text", STILL_WORKS.values(), ids=STILL_WORKS)
def test_what_still_works_or_moved_is_no_finding(text: str) -> None:
    assert judge(VALIDATES, text, PATH) == "clean"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [("except", "block"), ("except Exception", "review"), ("except OSError", "clean")],
)
def test_a_bare_handler_around_all_of_a_function_blocks(clause: str, expected: str) -> None:
    assert judge(WHOLE, HELD_BACK.format(clause), PATH) == expected
