"""`@record`: frozen, slotted classes of named fields that cost next to nothing until one is made.

The standard library's dataclasses cost 0.6 ms for each class, since five methods are written as text and compiled, and
a command knows hundreds of classes. Here one method is compiled, when the first record of the class is made, and the
others are shared by all records.

What a record does is what `@dataclass(frozen=True, slots=True)` does, without the rest of that module's features:
equality of the same class only, a hash of the fields, `match` by position, pickling, no assignment (but to one with
`frozen=False`, which has no hash). Checkers of types and the functions of `dataclasses` take it for a dataclass. Fields
with a mutable default use `field(default_factory=...)`; `kw_only=True` is for the whole class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_MISSING: Any = object()


class _Field:
    __slots__ = ("default", "make", "metadata", "repr")

    def __init__(
        self, default: Any, make: Callable[[], Any] | None, shown: bool, metadata: Mapping[str, Any] | None
    ) -> None:
        self.default, self.make, self.repr, self.metadata = default, make, shown, metadata


def field(
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], Any] | None = None,
    repr: bool = True,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """A field with a default that is made anew for each record, not shown (a secret), or with data for its readers."""
    return _Field(default, default_factory, repr, metadata)


class _OfDataclass:
    """What the functions of `dataclasses` look for in a class, made when the first of them asks."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: Any) -> Any:
        import dataclasses
        import inspect

        def described(given: _Field) -> Any:
            plain = given.default is _MISSING
            default = {"default_factory": given.make} if given.make else {} if plain else {"default": given.default}
            return dataclasses.field(**default, repr=given.repr, metadata=given.metadata)

        hints = {name: hint for each in reversed(owner.__mro__) for name, hint in inspect.get_annotations(each).items()}
        made = [(name, hints[name], described(_given(value))) for name, value in owner.__record_defaults__.items()]
        plain: Any = dataclasses.make_dataclass(owner.__name__, made, kw_only=owner.__record_keywords__)
        owner.__dataclass_fields__ = plain.__dataclass_fields__
        owner.__dataclass_params__ = plain.__dataclass_params__
        return getattr(plain, self.name)


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
    hidden = {name for name, value in defaults.items() if isinstance(value, _Field) and not value.repr}
    names = tuple(defaults)
    content["__init__"] = _first
    content["__record_keywords__"] = kw_only
    content["__record_fields__"], content["__record_defaults__"] = names, defaults
    content["__match_args__"] = () if kw_only else names
    content["__record_shown__"] = tuple(name for name in names if name not in hidden)
    content["__dataclass_fields__"], content["__dataclass_params__"] = _OfDataclass(), _OfDataclass()
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
        given, value = _given(default), name
        if given.make:
            known[f"_make_{name}"] = given.make
            parameters.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        elif given.default is _MISSING:
            parameters.append(name)
        else:
            known[f"_default_{name}"] = given.default
            parameters.append(f"{name}=_default_{name}")
        lines.append(f" _set(self, {name!r}, {value})")
    lines.append(" self.__post_init__()" if afterwards else " pass")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines), known)  # names of fields, written in a class
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _given(default: Any) -> _Field:
    return default if isinstance(default, _Field) else _Field(default, None, True, None)


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be changed")


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__record_shown__)
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
