"""The rules that ESLint's own recommended configuration switches on, in any of its later versions."""

from __future__ import annotations

from ralph.guardrails.config.node import names

OWN_RECOMMENDED = "@eslint/js#default.configs.recommended"
RECOMMENDED = frozenset(
    names(
        "constructor-super for-direction getter-return no-async-promise-executor no-case-declarations no-class-assign "
        "no-compare-neg-zero no-cond-assign no-const-assign no-constant-binary-expression no-constant-condition "
        "no-control-regex no-debugger no-delete-var no-dupe-args no-dupe-class-members no-dupe-else-if no-dupe-keys "
        "no-duplicate-case no-empty no-empty-character-class no-empty-pattern no-empty-static-block no-ex-assign "
        "no-extra-boolean-cast no-extra-semi no-fallthrough no-func-assign no-global-assign no-import-assign "
        "no-inner-declarations no-invalid-regexp no-irregular-whitespace no-loss-of-precision "
        "no-misleading-character-class no-mixed-spaces-and-tabs no-new-native-nonconstructor no-new-symbol "
        "no-nonoctal-decimal-escape no-obj-calls no-octal no-prototype-builtins no-redeclare no-regex-spaces "
        "no-self-assign no-setter-return no-shadow-restricted-names no-sparse-arrays no-this-before-super no-undef "
        "no-unassigned-vars no-unexpected-multiline no-unreachable no-unsafe-finally no-unsafe-negation "
        "no-unsafe-optional-chaining no-unused-labels no-unused-private-class-members no-unused-vars "
        "no-useless-assignment no-useless-backreference no-useless-catch no-useless-escape no-with "
        "preserve-caught-error require-yield use-isnan valid-typeof"
    )
)
