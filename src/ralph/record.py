"""`@record`: frozen, slotted classes of named fields, for what has to start fast.

`ralph hook` starts for every use of a tool, and the standard library's dataclasses would take half of its time: each
class costs them 0.6 ms, since five methods are written as text and compiled, and importing them brings the inspection
and disassembly of code with it. Here one method is compiled, when the first record of the class is made, and the others
are shared by all records.

What a record does is what `@dataclass(frozen=True, slots=True)` does, without the rest of that module's features:
equality of the same class only, a hash of the fields, `match` by position, pickling, no assignment (but to one with
`frozen=False`, which has no hash). Checkers of types read it as a dataclass. Fields with a mutable default use
`field(default_factory=...)`; `kw_only=True` is for the whole class.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_MISSING: Any = object()


class _Made:
    """The default of a field that is made anew for each record."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], Any]) -> Any:
    """A default that is made anew for each record."""
    return _Made(default_factory)


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = False, slots: bool = True, frozen: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: Any = None, /, *, kw_only: bool = False, slots: bool = True, frozen: bool = True) -> Any:
    """Make a class of annotated fields a record. `slots=False` is for classes that cache properties."""
    if cls is None:
        return lambda given: _record(given, kw_only, slots, frozen)
    return _record(cls, kw_only, slots, frozen)


def replace(value: T, /, **changes: Any) -> T:
    """The same record with some fields changed."""
    return type(value)(**{**asdict(value), **changes})


def asdict(value: Any) -> dict[str, Any]:
    """The fields by name, as they are: what they hold is neither copied nor taken apart."""
    return {name: getattr(value, name) for name in type(value).__record_fields__}


def _record(cls: Any, kw_only: bool, slots: bool, frozen: bool) -> Any:
    content = dict(cls.__dict__)
    defaults: dict[str, Any] = dict(getattr(cls, "__record_defaults__", {}))
    inherited = tuple(getattr(cls, "__record_fields__", ()))
    for name in content.get("__annotations__", {}):
        defaults[name] = content.pop(name, _MISSING)
    names = tuple(defaults)
    content["__init__"] = _first
    content["__record_keywords__"] = kw_only
    content["__record_fields__"], content["__record_defaults__"] = names, defaults
    content["__match_args__"] = () if kw_only else names
    content["__record_values__"] = staticmethod(attrgetter(*names)) if names else staticmethod(_nothing)
    if frozen:
        content["__setattr__"] = content["__delattr__"] = _refuse
    else:
        content["__hash__"] = None
    content["__getstate__"], content["__setstate__"] = _state, _restore
    for method, shared in (("__repr__", _repr), ("__eq__", _eq), ("__hash__", _hash)):
        if content.get(method) is None and (frozen or method != "__hash__"):
            content[method] = shared
    if slots:
        content["__slots__"] = tuple(name for name in names if name not in inherited)
    for made in ("__dict__", "__weakref__"):  # belong to the class as it was written
        content.pop(made, None)
    return type(cls)(cls.__name__, cls.__bases__, content)


def _first(self: Any, *given: Any, **named: Any) -> None:
    """The first record of a class: only now its `__init__` is needed."""
    cls: Any = next(each for each in type(self).__mro__ if "__record_fields__" in each.__dict__)
    cls.__init__ = _init(cls, cls.__record_defaults__, cls.__record_keywords__, hasattr(cls, "__post_init__"))
    cls.__init__(self, *given, **named)


def _init(cls: Any, defaults: dict[str, Any], kw_only: bool, afterwards: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    parameters = ["self", "*"] if kw_only and defaults else ["self"]
    lines = []
    for name, default in defaults.items():
        value = name
        if isinstance(default, _Made):
            known[f"_make_{name}"] = default.make
            parameters.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        elif default is _MISSING:
            parameters.append(name)
        else:
            known[f"_default_{name}"] = default
            parameters.append(f"{name}=_default_{name}")
        lines.append(f" _set(self, {name!r}, {value})")
    lines.append(" self.__post_init__()" if afterwards else " pass")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines), known)  # names of fields, written in a class
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be changed")


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__record_fields__)
    return f"{type(self).__qualname__}({shown})"


def _nothing(value: Any) -> tuple[()]:
    return ()


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self.__record_values__(self) == self.__record_values__(other)


def _hash(self: Any) -> int:
    return hash(self.__record_values__(self))


def _state(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__record_fields__)


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for name, value in zip(self.__record_fields__, state, strict=True):
        object.__setattr__(self, name, value)
