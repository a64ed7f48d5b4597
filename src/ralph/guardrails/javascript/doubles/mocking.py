"""What libraries of doubles call their functions, and how mocks take over the real thing (class G06)."""

from __future__ import annotations

from ralph.system.patterns import later

MODULE_MOCKS = frozenset(
    {("jest", "mock"), ("jest", "doMock"), ("jest", "setMock"), ("jest", "unstable_mockModule"), ("mock", "module")}
)
SPIES = frozenset({("jest", "spyOn"), ("spyOn",), ("sinon", "stub"), ("sinon", "replace"), ("mock", "method")})
REPLACES = frozenset({("jest", "replaceProperty"), ("sinon", "replaceGetter"), ("td", "replace")})
WRITES = frozenset(
    {("Object", "assign"), ("Object", "defineProperty"), ("Object", "defineProperties")}
    | {("Reflect", "set"), ("Reflect", "defineProperty")}
)
MADE = frozenset({("jest", "fn"), ("sinon", "stub"), ("sinon", "fake"), ("mock", "fn"), ("jasmine", "createSpy")})
ONE_MAKER = dict.fromkeys(("sinon.spy", "sinon.stub", "sinon.fake", "jest.fn", "mock.fn"), "vi.fn")
"""A double that stands for nothing is the same whatever library makes it."""
ONE_WATCHER = dict.fromkeys(("sinon.spy", "jest.spyOn"), "vi.spyOn")
"""The same for what watches a function and still calls it, given its owner and its name."""
ANSWERS = later(
    r"mock(?:Implementation|ReturnValue|ResolvedValue|RejectedValue)(?:Once)?|returns|resolves|rejects|callsFake|"
    r"returnValue|callFake|returnValues|value|get|onCall|onFirstCall|withArgs|thenReturn"
)
ACTUAL = later(r"requireActual|importActual|importOriginal|unmock|original\(\)|actual\(\)")

TAKEN_OVER = later(r"(?i)actual|original|real")
"""What the real module is called in a factory."""
