"""Rust: tests that are gone or demand less, and the same changes where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.outcome import edited, outcome, rules

PATH = "src/lib.rs"
CODE = """pub fn sum(xs: &[i32]) -> i32 {
    xs.iter().sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(sum(&[1, 2]), 3);
    }

    #[test]
    fn not_negative() {
        assert!(sum(&[]) >= 0);
    }
}
"""
WHOLE = "assert_eq!(sum(&[1, 2]), 3);"
WEAKER = """
assert_ne!(sum(&[1, 2]), 0);
assert!(sum(&[1, 2]) == 3 || true);
assert!(true);
assert_eq!(3, 3);
assert_eq!(sum(&[1, 2]), sum(&[1, 2]));
let got = sum(&[1, 2]); assert_eq!(got, got);
let got = sum(&[1, 2]); assert!(got < 1000);
assert!(checked(&[1, 2]).is_ok());
assert_eq!(sum(&[1, 2]), 4);
return; assert_eq!(sum(&[1, 2]), 3);
if false { assert_eq!(sum(&[1, 2]), 3); }
if cfg!(feature = "x") { assert_eq!(sum(&[1, 2]), 3); }
for want in [] { assert_eq!(sum(&[1, 2]), want); }
let _ = std::panic::catch_unwind(|| { assert_eq!(sum(&[1, 2]), 3); });
let sum = |_: &[i32]| 3; assert_eq!(sum(&[1, 2]), 3);
let _ = sum(&[1, 2]);
// assert_eq!(sum(&[1, 2]), 3);
"""
SAME = """
assert_eq!(3, sum(&[1, 2]));
let got = sum(&[1, 2]); assert_eq!(got, 3, "sum");
assert!(sum(&[1, 2]) == 3);
pretty_assertions::assert_eq!(sum(&[1, 2]), 3);
let want = 3; assert_eq!(sum(&[1, 2]), want);
for (xs, want) in [([1, 2], 3), ([2, 2], 4)] { assert_eq!(sum(&xs), want); }
assert_eq!(sum(&[1, 2]), 3); assert_eq!(sum(&[4]), 4);
"""


@pytest.mark.parametrize("body", [line for line in WEAKER.splitlines() if line])
def test_a_weaker_test_blocks(body: str) -> None:
    assert edited(PATH, CODE, WHOLE, body) == "block"


@pytest.mark.parametrize("body", [line for line in SAME.splitlines() if line])
def test_the_same_test_in_other_words_is_clean(body: str) -> None:
    assert edited(PATH, CODE, WHOLE, body) == "clean"


@pytest.mark.parametrize(
    "cfg", ['all(test, feature = "x")', 'all(test, target_os = "windows")', "all(test, not(unix))"]
)
def test_a_condition_that_leaves_tests_out_blocks(cfg: str) -> None:
    assert edited(PATH, CODE, "cfg(test)", f"cfg({cfg})") == "block"


@pytest.mark.parametrize("cfg", ['all(test, not(feature = "x"))', 'any(test, feature = "x")', "all(test, unix)"])
def test_a_condition_that_holds_is_clean(cfg: str) -> None:
    assert edited(PATH, CODE, "cfg(test)", f"cfg({cfg})") == "clean"


@pytest.mark.parametrize("attribute", ["", "#[allow(dead_code)]", "#[test]\n    #[should_panic]"])
def test_an_attribute_that_takes_the_test_away_blocks(attribute: str) -> None:
    assert edited(PATH, CODE, "#[test]", attribute) == "block"


def test_tests_in_a_file_of_their_own_are_clean() -> None:
    head, _, rest = CODE.partition("#[cfg(test)]\nmod tests {\n")
    body = "\n".join(line.removeprefix("    ") for line in rest.rstrip("}\n").splitlines()) + "\n}\n"
    after = {PATH: head + "#[cfg(test)]\nmod tests;\n", "src/tests.rs": body}
    assert outcome({PATH: CODE}, after) == "clean"


def test_a_test_goes_with_its_code() -> None:
    before = CODE.replace("pub fn sum", "pub fn twice(x: i32) -> i32 {\n    x * 2\n}\n\npub fn sum", 1)
    before = before.replace(
        "    #[test]", "    #[test]\n    fn doubles() {\n        assert_eq!(twice(2), 4);\n    }\n\n    #[test]", 1
    )
    assert outcome({PATH: before}, {PATH: CODE}) == "review"


@pytest.mark.parametrize(("body", "wanted"), [("todo!()", {"code.stubbed"}), ('panic!("empty")', set())])
def test_a_stub(body: str, wanted: set[str]) -> None:
    code = "pub fn pay(n: i32) -> i32 {\n    n * 2\n}\n"
    assert rules({"src/pay.rs": code}, {"src/pay.rs": code.replace("n * 2", body)}) == wanted
