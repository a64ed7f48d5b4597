"""A record does what a frozen dataclass with slots does, as far as Ralph uses it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import pprint
import subprocess
import sys
from collections.abc import Mapping
from functools import cached_property

import pytest

from ralph.record import asdict, field, record, replace


@record
class Point:
    """Two numbers."""

    x: int
    y: int = 0

    @property
    def total(self) -> int:
        return self.x + self.y


@record
class Other:
    x: int
    y: int = 0


@record(kw_only=True)
class Named:
    name: str
    things: Mapping[str, int] = field(default_factory=dict)


@record(slots=False)
class Caching:
    x: int

    @cached_property
    def double(self) -> int:
        return self.x * 2


def test_fields_defaults_and_methods() -> None:
    assert (Point(1).y, Point(1, 2).total, Point(y=3, x=4).x) == (0, 3, 4)
    assert Named(name="a").things == {}
    assert Named(name="a").things is not Named(name="a").things
    assert Caching(2).double == 4


def test_equality_is_of_the_same_class_only() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(1, 3)
    other: object = Other(1, 2)
    assert Point(1, 2) != other
    assert len({Point(1, 2), Point(1, 2), Point(2, 1)}) == 2


@pytest.mark.parametrize("name", ["x", "unknown"])
def test_nothing_can_be_assigned(name: str) -> None:
    with pytest.raises(AttributeError, match="frozen"):
        setattr(Point(1), name, 2)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(Point(1), name)
    assert not hasattr(Point(1), "__dict__")


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_wrong_arguments_are_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*arguments)
    with pytest.raises(TypeError):
        Named("a")  # type: ignore[call-arg]


def test_match_by_position_and_by_name() -> None:
    match Point(1, 2):
        case Point(x, y=second):
            assert (x, second) == (1, 2)


def test_change_and_show() -> None:
    assert replace(Point(1, 2), y=5) == Point(1, 5)
    assert asdict(Point(1, 2)) == {"x": 1, "y": 2}
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    assert Point.__doc__ == "Two numbers."
    with pytest.raises(TypeError):
        replace(Point(1, 2), z=5)


@record
class Point3(Point):
    z: int = 0


@record(frozen=False)
class Counter:
    name: str = field(metadata={"key": "of"})
    seen: list[int] = field(default_factory=list)
    token: str = field(default="t", repr=False)


def test_one_of_another_kind_adds_its_fields() -> None:
    assert (Point3(1, 2, 3).total, asdict(Point3(1, z=2))) == (3, {"x": 1, "y": 0, "z": 2})
    assert Point3(1, 2) != Point(1, 2)


def test_one_that_may_change() -> None:
    counter = Counter("a")
    counter.name = "b"
    assert counter == Counter("b")
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_a_secret_is_not_shown() -> None:
    assert repr(Counter("a")) == "Counter(name='a', seen=[])"


@pytest.mark.parametrize("value", [Point(1, 2), Point3(1, 2, 3), Named(name="a", things={"b": 1}), Caching(3)])
def test_it_survives_copying_and_pickling(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert "1" in pprint.pformat(value) or "3" in pprint.pformat(value)


def test_the_functions_of_dataclasses_take_it_for_one() -> None:
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Named(name="a", things={"b": 1})) == {"name": "a", "things": {"b": 1}}
    assert dataclasses.replace(Point3(1), y=2) == Point3(1, 2)
    of, seen, token = dataclasses.fields(Counter)
    assert (of.name, of.type, dict(of.metadata)) == ("name", "str", {"key": "of"})
    assert (of.default, seen.default_factory, token.default) == (dataclasses.MISSING, list, "t")
    assert [each.name for each in dataclasses.fields(Point3)] == ["x", "y", "z"]


def test_it_does_not_bring_the_slow_modules() -> None:
    line = "import sys, ralph.record; print({'dataclasses', 'inspect', 'ast'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", line], capture_output=True, text=True).stdout == "set()\n"
