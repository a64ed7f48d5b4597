"""ESLint's rules (without their plugins) and what Biome calls them; a star where its recommended rules hold it."""

from __future__ import annotations

_LISTED = """
constructor-super noInvalidConstructorSuper* | for-direction useValidForDirection*
getter-return useGetterReturn* | no-async-promise-executor noAsyncPromiseExecutor*
no-case-declarations noSwitchDeclarations* | no-class-assign noClassAssign*
no-compare-neg-zero noCompareNegZero* | no-cond-assign noAssignInExpressions* | no-const-assign noConstAssign*
no-constant-condition noConstantCondition* | no-control-regex noControlCharactersInRegex*
no-debugger noDebugger* | no-delete-var noDelete | no-dupe-args noDuplicateParameters*
no-dupe-class-members noDuplicateClassMembers* | no-dupe-else-if noDuplicateElseIf*
no-dupe-keys noDuplicateObjectKeys* | no-duplicate-case noDuplicateCase* | no-empty noEmptyBlockStatements
no-empty-pattern noEmptyPattern* | no-empty-character-class noEmptyCharacterClassInRegex*
no-ex-assign noCatchAssign* | no-extra-boolean-cast noExtraBooleanCast*
no-fallthrough noFallthroughSwitchClause* | no-func-assign noFunctionAssign* | no-global-assign noGlobalAssign*
no-import-assign noImportAssign* | no-inner-declarations noInnerDeclarations*
no-irregular-whitespace noIrregularWhitespace* | no-loss-of-precision noPrecisionLoss*
no-misleading-character-class noMisleadingCharacterClass* | no-obj-calls noGlobalObjectCalls*
no-new-native-nonconstructor noInvalidBuiltinInstantiation*
no-nonoctal-decimal-escape noNonoctalDecimalEscape* | no-prototype-builtins noPrototypeBuiltins*
no-redeclare noRedeclare* | no-regex-spaces noAdjacentSpacesInRegex* | no-self-assign noSelfAssign*
no-self-compare noSelfCompare* | no-setter-return noSetterReturn*
no-shadow-restricted-names noShadowRestrictedNames* | no-sparse-arrays noSparseArray*
no-this-before-super noUnreachableSuper* | no-undef noUndeclaredVariables | no-unreachable noUnreachable*
no-unsafe-finally noUnsafeFinally* | no-unsafe-negation noUnsafeNegation* | no-unused-labels noUnusedLabels*
no-unsafe-optional-chaining noUnsafeOptionalChaining*
no-unused-private-class-members noUnusedPrivateClassMembers | no-unused-vars noUnusedVariables
no-unused-imports noUnusedImports | no-useless-catch noUselessCatch*
no-useless-backreference noUselessRegexBackrefs | no-useless-escape noUselessEscapeInRegex | no-with noWith*
require-yield useYield* | use-isnan useIsNan* | valid-typeof useValidTypeof* | eqeqeq noDoubleEquals*
no-eval noGlobalEval* | no-implied-eval noImpliedEval | no-var noVar* | prefer-const useConst*
no-console noConsole | no-alert noAlert | no-else-return noUselessElse | no-param-reassign noParameterAssign
curly useBlockStatements | no-throw-literal useThrowOnlyError | only-throw-error useThrowOnlyError
no-sequences noCommaOperator* | no-label-var noLabelVar* | no-labels noConfusingLabels* | no-void noVoid
no-restricted-globals noRestrictedGlobals | no-restricted-imports noRestrictedImports
no-new-wrappers useConsistentBuiltinInstantiation | no-nested-ternary noNestedTernary
no-unneeded-ternary noUselessTernary | no-useless-constructor noUselessConstructor*
no-useless-rename noUselessRename* | no-useless-concat noUselessStringConcat
no-undef-init noUselessUndefinedInitialization | no-lone-blocks noUselessLoneBlockStatements*
no-lonely-if useCollapsedElseIf | no-negated-condition noNegationElse | no-shadow noShadow
no-template-curly-in-string noTemplateCurlyInString | no-bitwise noBitwiseOperators
no-await-in-loop noAwaitInLoops | require-await useAwait | array-callback-return useIterableCallbackReturn*
default-case useDefaultSwitchClause | default-case-last useDefaultSwitchClauseLast*
default-param-last useDefaultParameterLast | dot-notation useLiteralKeys* | prefer-template useTemplate
prefer-arrow-callback useArrowFunction* | prefer-rest-params noArguments* | prefer-spread useSpread
prefer-exponentiation-operator useExponentiationOperator | prefer-numeric-literals useNumericLiterals
prefer-regex-literals useRegexLiterals* | object-shorthand useConsistentObjectDefinitions
complexity noExcessiveCognitiveComplexity | cognitive-complexity noExcessiveCognitiveComplexity
max-lines-per-function noExcessiveLinesPerFunction | guard-for-in useGuardForIn | radix useParseIntRadix*
yoda noYodaExpression | no-explicit-any noExplicitAny* | no-non-null-assertion noNonNullAssertion*
no-empty-interface noEmptyInterface* | no-empty-object-type noBannedTypes* | ban-types noBannedTypes*
no-unsafe-function-type noBannedTypes* | no-wrapper-object-types noBannedTypes*
no-extra-non-null-assertion noExtraNonNullAssertion* | no-misused-new noMisleadingInstantiator*
no-namespace noNamespace | no-this-alias noUselessThisAlias* | no-floating-promises noFloatingPromises
no-misused-promises noMisusedPromises | no-unnecessary-type-constraint noUselessTypeConstraint*
no-unsafe-declaration-merging noUnsafeDeclarationMerging* | no-inferrable-types noInferrableTypes
prefer-as-const useAsConstAssertion* | consistent-type-imports useImportType
consistent-type-exports useExportType* | no-require-imports noCommonJs | no-var-requires noCommonJs
ban-ts-comment noTsIgnore* | naming-convention useNamingConvention | camelcase useNamingConvention
prefer-enum-initializers useEnumInitializers | prefer-optional-chain useOptionalChain* | prefer-for-of useForOf
array-type useConsistentArrayType | rules-of-hooks useHookAtTopLevel | exhaustive-deps useExhaustiveDependencies
jsx-key useJsxKeyInIterable* | no-danger noDangerouslySetInnerHtml* | no-children-prop noChildrenProp*
no-array-index-key noArrayIndexKey* | jsx-no-duplicate-props noDuplicateJsxProps*
jsx-no-comment-textnodes noCommentText* | jsx-no-target-blank noBlankTarget* | alt-text useAltText*
anchor-is-valid useValidAnchor* | no-cycle noImportCycles | no-default-export noDefaultExport
no-duplicates noDuplicateImports | no-extraneous-dependencies noUndeclaredDependencies
no-focused-tests noFocusedTests* | no-disabled-tests noSkippedTests | no-standalone-expect noMisplacedAssertion
no-export noExportsInTest*
"""


def _counterparts() -> dict[str, tuple[str, bool]]:
    pairs = (pair.split() for line in _LISTED.strip().split("\n") for pair in line.split("|"))
    return {rule: (name.rstrip("*"), name.endswith("*")) for rule, name in pairs}


COUNTERPARTS = _counterparts()
