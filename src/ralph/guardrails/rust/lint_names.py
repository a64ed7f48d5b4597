"""The name that a lint of Rust has now (policy set v2, classes G01 and G12).

Rules: a lint that Clippy or the compiler renamed, or that the compiler took over from Clippy, is the same lint. What
silenced the old one may silence the new one; who was strict about it must be as strict about the new one.
"""

from __future__ import annotations

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

OF_CLIPPY = (
    "almost_complete_letter_range=almost_complete_range blacklisted_name=disallowed_names "
    "block_in_if_condition_expr=blocks_in_conditions block_in_if_condition_stmt=blocks_in_conditions "
    "blocks_in_if_conditions=blocks_in_conditions box_vec=box_collection "
    "const_static_lifetime=redundant_static_lifetimes cyclomatic_complexity=cognitive_complexity "
    "derive_hash_xor_eq=derived_hash_with_manual_eq disallowed_method=disallowed_methods "
    "disallowed_type=disallowed_types empty_enum=empty_enums eval_order_dependence=mixed_read_write_in_expression "
    "identity_conversion=useless_conversion if_let_redundant_pattern_matching=redundant_pattern_matching "
    "if_let_some_result=match_result_ok incorrect_clone_impl_on_copy_type=non_canonical_clone_impl "
    "incorrect_partial_ord_impl_on_ord_type=non_canonical_partial_ord_impl "
    "integer_arithmetic=arithmetic_side_effects logic_bug=overly_complex_bool_expr "
    "new_without_default_derive=new_without_default option_and_then_some=bind_instead_of_map "
    "option_expect_used=expect_used option_map_unwrap_or=map_unwrap_or option_map_unwrap_or_else=map_unwrap_or "
    "option_unwrap_used=unwrap_used overflow_check_conditional=panicking_overflow_checks ref_in_deref=needless_borrow "
    "result_expect_used=expect_used result_map_unwrap_or_else=map_unwrap_or result_unwrap_used=unwrap_used "
    "reverse_range_loop=reversed_empty_ranges single_char_push_str=single_char_add_str "
    "stutter=module_name_repetitions thread_local_initializer_can_be_made_const=missing_const_for_thread_local "
    "to_string_in_display=recursive_format_impl unwrap_or_else_default=unwrap_or_default "
    "zero_width_space=invisible_characters"
)
TAKEN_OVER = (
    "cast_ref_to_mut=invalid_reference_casting clone_double_ref=suspicious_double_ref_op "
    "cmp_nan=invalid_nan_comparisons drop_bounds=drop_bounds drop_copy=dropping_copy_types "
    "drop_ref=dropping_references fn_null_check=useless_ptr_null_checks for_loop_over_option=for_loops_over_fallibles "
    "for_loop_over_result=for_loops_over_fallibles for_loops_over_fallibles=for_loops_over_fallibles "
    "forget_copy=forgetting_copy_types forget_ref=forgetting_references into_iter_on_array=array_into_iter "
    "invalid_atomic_ordering=invalid_atomic_ordering invalid_ref=invalid_value "
    "invalid_utf8_in_unchecked=invalid_from_utf8_unchecked let_underscore_drop=let_underscore_drop "
    "maybe_misused_cfg=unexpected_cfgs mismatched_target_os=unexpected_cfgs panic_params=non_fmt_panics "
    "temporary_cstring_as_ptr=dangling_pointers_from_temporaries unknown_clippy_lints=unknown_lints "
    "unused_label=unused_labels"
)
OF_THE_COMPILER = (
    "broken_intra_doc_links=rustdoc::broken_intra_doc_links elided_named_lifetimes=mismatched_lifetime_syntaxes "
    "exceeding_bitshifts=arithmetic_overflow intra_doc_link_resolution_failure=rustdoc::broken_intra_doc_links "
    "invalid_codeblock_attributes=rustdoc::invalid_codeblock_attributes non_autolinks=rustdoc::bare_urls "
    "overlapping_patterns=overlapping_range_endpoints private_doc_tests=rustdoc::private_doc_tests "
    "private_intra_doc_links=rustdoc::private_intra_doc_links redundant_semicolon=redundant_semicolons "
    "static_mut_ref=static_mut_refs temporary_cstring_as_ptr=dangling_pointers_from_temporaries "
    "unused_doc_comment=unused_doc_comments"
)
PLURAL = later(r"(?<=[a-rt-z])s(?=_|$)")


def _renamed(listed: str, old: str = "", new: str = "") -> dict[str, str]:
    pairs = (pair.split("=") for pair in names(listed))
    return {f"{old}{was}": f"{new}{now}" for was, now in pairs}


RENAMED = _renamed(OF_CLIPPY, "clippy::", "clippy::") | _renamed(TAKEN_OVER, "clippy::") | _renamed(OF_THE_COMPILER)


def current(lint: str) -> str:
    """The lint's newest name, as far as it is known. A group (`clippy::all`) keeps its own."""
    return RENAMED.get(lint, lint)


def spelled(lint: str) -> str:
    """The same for names of which one became the plural of the other; for comparing only."""
    return PLURAL.sub("", current(lint))
