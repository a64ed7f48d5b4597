"""One command weighed against a policy: the order in which rules count (design decisions 22 and 23).

Inside one simple command: what denies, then what asks a person, then what allows, then the mode. Over a line the
strictest result wins, which is `decide`'s work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ralph.permissions import matching
from ralph.permissions.access import Accesses, Spot, Touched
from ralph.permissions.answers import allow, ask, ask_for, deny
from ralph.permissions.model import ApprovalClass, Decision, Outcome, Permissions
from ralph.permissions.patterns import CommandPattern, parse_pattern
from ralph.permissions.place import Place
from ralph.permissions.programs.model import Arg, Call, Inner, Use
from ralph.permissions.programs.packs import PackRule, pack_rule
from ralph.permissions.programs.registry import reader_of
from ralph.record import record

_SYSTEM = ("/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/", "/usr/local/sbin/", "/opt/homebrew/bin/")
PUBLISHES = ("ralph", "emit")
NOT_DESCRIBED = Use()
"""The use of a program that no table knows: what its words name is judged, and its name."""


@record
class Under:
    """What started a command: `manager` as in `Inner.under`; `named` if a rule allows it together with its starter."""

    manager: str | None = None
    named: bool = False


ALONE = Under()


@record(slots=False)
class Judge:
    """A policy in a place."""

    permissions: Permissions
    place: Place

    @cached_property
    def accesses(self) -> Accesses:
        return Accesses(self.permissions, self.place)

    @cached_property
    def allowed(self) -> tuple[CommandPattern, ...]:
        patterns = map(parse_pattern, self.permissions.commands.allow)
        return tuple(each for each in patterns if not each.is_pipeline)

    @cached_property
    def denied(self) -> tuple[CommandPattern, ...]:
        return tuple(map(parse_pattern, self.permissions.commands.deny))

    def weigh(self, call: Call, use: Use | None, spot: Spot, under: Under = ALONE) -> Decision:
        """One call of a program. `use` is None for a program that no table describes."""
        touched = tuple(self.accesses.of(use, spot) if use else self._mentioned(call, spot))
        use = use or NOT_DESCRIBED
        rules = tuple(self._pack_rules(call, use, under.manager))
        return (
            self._denial(call, use, touched, rules, spot)
            or self._question(call, use, touched, spot)
            or self._permission(call, use, touched, rules, spot, named=under.named)
            or self._default(call, use, spot)
        )

    def names(self, call: Call, use: Use, inner: Inner) -> bool:
        """True if a rule of the policy allows this call up to and with the program that it starts: `uv run pytest`."""
        places = [arg.span for arg in call.args]
        if not inner.args or inner.args[0].span not in places:
            return False
        words = places.index(inner.args[0].span) + 2
        return any(
            len(pattern.commands[0]) >= words and matching.allows(pattern.commands[0], call, use)
            for pattern in self.allowed
        )

    def closes(self, touched: Touched) -> bool:
        """A path that no rule names: delivery mode denies it, unless the policy itself lists it as one to ask about."""
        if touched.decision.outcome is not None:
            return False
        asks = bool(touched.configured & self.permissions.approval.required_for)
        return touched.access == "delete" or (self.permissions.mode == "delivery" and not asks)

    def leaves(self, folder: Arg, cwd: str) -> str | None:
        """Why a folder cannot be worked in; None if it lies in the project."""
        if folder.text is None:
            return folder.reason or "it is not known before it runs"
        decision = self.accesses.path(folder.text, "read", cwd).decision
        return decision.reason if decision.outcome is Outcome.DENY else None

    def _denial(
        self, call: Call, use: Use, touched: Sequence[Touched], rules: Sequence[PackRule], spot: Spot
    ) -> Decision | None:
        for pattern in self.denied:
            if not pattern.is_pipeline and matching.denies(pattern.commands[0], call, use):
                return deny(f"commands.deny: {pattern.text}", f"the policy denies `{pattern.text}`", spot.span)
        if reason := self._odd_program(call):
            return deny("program", reason, spot.span)
        for rule in rules:
            if rule.outcome == "deny":
                return deny(rule.rule, rule.reason, spot.span, rule.alternative)
        if use.refused:
            return deny(f"refused: {call.name}", f"`{call.name}`: {use.refused}", spot.span, use.alternative)
        for folder in use.directories:
            for cwd in spot.cwds:
                if reason := self.leaves(folder, cwd):
                    return deny("path", f"`{call.name}` would work in another folder: {reason}", spot.span)
        for each in touched:
            if each.decision.outcome is Outcome.DENY or self.closes(each):
                return deny(each.decision.rule, each.decision.reason, spot.span)
        return None

    def _question(self, call: Call, use: Use, touched: Sequence[Touched], spot: Spot) -> Decision | None:
        classes = set(use.classes).union(*(each.classes for each in touched), self._script_classes(use))
        if any(each.access == "delete" for each in touched):
            classes.add(ApprovalClass.DESTRUCTIVE)
        if asking := classes & self.permissions.approval.required_for:
            return ask_for(asking, f"`{call.name}`", spot.span, use.alternative)
        special = next((each.decision for each in touched if each.decision.outcome is Outcome.APPROVE), None)
        return ask(special.rule, special.reason, spot.span) if special else None

    def _permission(
        self, call: Call, use: Use, touched: Sequence[Touched], rules: Sequence[PackRule], spot: Spot, *, named: bool
    ) -> Decision | None:
        if use.unknown:
            return None
        if use.wraps:
            return allow(f"starts: {call.name}", f"`{call.name}` only starts what is judged by itself", spot.span)
        if not self._by_name(call):
            return None
        if use.subcommand[:2] == PUBLISHES:
            return allow("ralph: emit", "agents publish with `ralph emit`, and what they say is judged then", spot.span)
        if named and not self._doubt(call, use):
            return allow("commands.allow", f"the policy allows `{call.name}` by the name of what starts it", spot.span)
        for pattern in self.allowed:
            if matching.allows(pattern.commands[0], call, use):
                if doubt := self._doubt(call, use):
                    return deny("OPAQUE_ARGUMENT", doubt, spot.span)
                return allow(f"commands.allow: {pattern.text}", f"the policy allows `{pattern.text}`", spot.span)
        for rule in rules:
            if rule.outcome == "allow":
                return allow(rule.rule, rule.reason, spot.span)
        if use.changes_only_paths and touched and all(each.decision.outcome is Outcome.ALLOW for each in touched):
            return allow("files.allowWrite", f"`{call.name}` changes only what may be written", spot.span)
        return None

    def _default(self, call: Call, use: Use, spot: Spot) -> Decision:
        if self.permissions.mode == "delivery":
            why = f" ({use.unknown})" if use.unknown else ""
            reason = f"`{call.name}` as it is called is not allowed by the policy in delivery mode{why}"
            return deny("default: delivery", reason, spot.span, use.alternative)
        if doubt := self._doubt(call, use):
            return deny("OPAQUE_ARGUMENT", doubt, spot.span)
        return allow("default: core", "core mode allows what nothing denies, inside the sandbox", spot.span)

    def _doubt(self, call: Call, use: Use) -> str | None:
        """Why a call with words that are not known cannot be allowed. What only reads may have them."""
        if use.only_reads:
            return None
        for arg in call.args:
            if arg.text is None and (arg.pattern is None or arg.may_be_option()):
                return f"`{call.name}` does more than read, and a word of it is not known: {arg.reason}"
        return None

    def _by_name(self, call: Call) -> bool:
        """True if the name means the system's program, or the very path that the policy names."""
        if "/" in call.path:
            named = (pattern.commands[0][0] for pattern in self.allowed)
            return call.path.startswith(_SYSTEM) or call.path in named
        found = self.place.files.program(call.name)
        return found is None or not found.startswith(f"{self.place.root}/")

    def _odd_program(self, call: Call) -> str | None:
        """Why a program's path cannot be one that is run."""
        if not call.name:
            return "a command without a name cannot be judged"
        plain = call.name.lower()
        if call.name != plain and reader_of(call.name) is None and reader_of(plain) is not None:
            return f"on some systems `{call.name}` is `{plain}`, which is how it is to be written"
        if "/" not in call.path or call.path.startswith(_SYSTEM):
            return None
        decision = self.accesses.path(call.path, "read", self.place.root).decision
        return decision.reason if decision.outcome is Outcome.DENY else None

    def _pack_rules(self, call: Call, use: Use, manager: str | None) -> Iterator[PackRule]:
        for pack in self.permissions.commands.packs:
            if rule := pack_rule(pack, call.name, use, manager):
                yield rule

    def _script_classes(self, use: Use) -> Iterator[ApprovalClass]:
        """Classes that the policy gives a package script by its name."""
        for name, scripts in self.permissions.approval.scripts.items():
            if use.script in scripts:
                yield name

    def _mentioned(self, call: Call, spot: Spot) -> Iterator[Touched]:
        """Words of a program that nobody described, if they look like paths."""
        for arg in call.args:
            text = arg.before if arg.text is None else arg.text
            value = text.rpartition("=")[2] if text.startswith("-") else text
            if "://" not in value and ("/" in value or value.startswith((".", "~"))):
                yield from self.accesses.word(Arg(value, arg.span), "read", spot)
