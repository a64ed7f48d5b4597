"""Casts and declarations that talk the compiler out of an error."""

from __future__ import annotations

import pytest

from tests.guardrails.javascript.outcome import outcome, rules


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("f(x as unknown as T);", "js.double-cast"),
        ("f(<T><unknown>x);", "js.double-cast"),
        ("f((x as unknown) as T);", "js.double-cast"),
        ("f((<any>x) as T);", "js.double-cast"),
        ("f(x as object as T);", "js.double-cast"),
        ("f(x as {} as T);", "js.double-cast"),
        ("f(x /* a */ as /* b */ unknown\n  as T);", "js.double-cast"),
        ("type Loose = unknown;\nf(x as Loose as T);", "js.double-cast"),
        ("f(x as any);", "js.cast-any"),
        ("f(<any>x);", "js.cast-any"),
        ("type Loose = any;\nf(x as Loose);", "js.cast-any"),
        ("f(x as\n  any);", "js.cast-any"),
        ("f(x as never);", "js.cast-never"),
        ("f(x!);", "js.non-null"),
        ("x!.y = 1;", "js.non-null"),
        ("x! = y;", "js.non-null"),
        ("let x!: T;", "js.non-null"),
        ("class A { p!: string }", "js.non-null"),
        ('declare module "sdk";', "js.untyped-module"),
        ("declare module '@acme/*';", "js.untyped-module"),
        ('declare module "*";', "js.untyped-module"),
        ('declare module "*.js";', "js.untyped-module"),
        ('declare module "sdk" { const value: any; export default value; }', "js.untyped-module"),
        ('declare module "*.svg";', "js.untyped-asset-module"),
        ('declare module "*.module.css" { const css: any; export default css; }', "js.untyped-asset-module"),
    ],
)
def test_escapes(code: str, rule: str) -> None:
    assert rules({"src/a.ts": ""}, {"src/a.ts": code + "\n"}) == {rule}


@pytest.mark.parametrize(
    "code",
    [
        "const a = { b: 1 } as const;",
        "f(x as Foo);",
        "f(x as Foo as const);",
        "f(x satisfies Foo);",
        "function g(a: any, b: unknown): never { throw a; }",
        "const h = (k: any) => k.only('id');",
        "if (a !== b && !c) d(!e);",
        'declare module "vue" { interface Properties { $t: (key: string) => string } }',
        'declare module "./x" { export const a: number; }',
        "declare global { interface Window { x: number } }",
        "declare const process: { exitCode: number };",
        "const s = 'x as any as T';",
        "// x as any, x!, declare module 'x';",
    ],
)
def test_what_is_no_escape(code: str) -> None:
    assert rules({"src/a.ts": ""}, {"src/a.ts": code + "\n"}) == set()


def test_a_test_double_may_be_cast() -> None:
    text = 'import { it } from "vitest";\nit("x", () => { f({ id: 1 } as unknown as User); });\n'
    assert outcome({}, {"src/a.test.ts": text}) == "review"


def test_calling_a_file_a_test_does_not_make_it_one() -> None:
    assert outcome({}, {"src/a.test.ts": "f(x as unknown as User);\n"}) == "block"


def test_an_old_cast_may_move() -> None:
    old, new = "f(x as unknown as T);\n", "function g() {\n  f(x as unknown as T);\n}\n"
    assert outcome({"a.ts": old}, {"a.ts": new}) == "clean"
    assert outcome({"a.ts": old}, {"a.ts": new + old}) == "block"


PRICE = """import { Api } from "api";
import { rate } from "./rate";
export class Till {}
export const price = (net: number) => net * 2;
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("price(row);", "price(row as any);"),
        ("price(row);", "price(<any>row);"),
        ("price(\n  row,\n  1,\n);", "price(\n  row as any,\n  1,\n);"),
        ("rate.of({ net: '1' });", "rate.of({ net: '1' } as any);"),
        ("new Till(row);", "new Till(row as any);"),
        ("const f = (a: Date, b: Date) => a - b;", "const f = (a: Date, b: Date) => (a as any) - (b as any);"),
        ("const f = (r: Row) => Math.max(r.cap, 1);", "const f = (r: Row) => Math.max(r.cap as any, 1);"),
        ("const f = (r: Row) => r.cap > limit;", "const f = (r: Row) => r.cap > (limit as any);"),
        ("const row: Row = { net: '1' };", "const row: Row = { net: '1' } as any;"),
        ("const rows: Row[] = [{ net: '1' }];", "const rows: Row[] = [{ net: '1' }] as any;"),
    ],
)
def test_an_error_of_old_code_is_cast_away(old: str, new: str) -> None:
    assert "js.error-cast-away" in rules({"src/a.ts": f"{PRICE}{old}\n"}, {"src/a.ts": f"{PRICE}{new}\n"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "price(row as any);"),
        ("price(row);", "price(row as never);"),
        ("lookup(row);", "lookup(row as any);"),
        ("price(row);", "price(row);\nprice(other as any);"),
        ("Api.get(row);", "Api.get(row as any);"),
        ("const api = new Api();\napi.get(row);", "const api = new Api();\napi.get(row as any);"),
        ("const f = (api: Api) => api.get(row);", "const f = (api: Api) => api.get(row as any);"),
        ("const row = load();", "const row = load() as any;"),
        ("const cache = {};", "const cache = {} as any;"),
        ("price(row as any);", "price(next as any);"),
        ("price(row as any);", "if (open) {\n  price(row as any);\n}\nprice(row as any);"),
        ("price(row);", "price(row as any);\n" + "".join(f"const n{n} = price({n});\n" for n in range(12))),
    ],
)
def test_a_cast_that_comes_with_its_code_is_shown(old: str, new: str) -> None:
    assert outcome({"src/a.ts": f"{PRICE}{old}\n"}, {"src/a.ts": f"{PRICE}{new}\n"}) in ("clean", "review")
