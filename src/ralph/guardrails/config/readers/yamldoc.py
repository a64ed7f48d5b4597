"""YAML: nodes are composed, never constructed, so that anchors and merge keys are data and tags run nothing.

Keys are their text (`on` stays `on`). The last of equal keys counts, as in the tools that read these files; several
documents in one file count as one mapping. Aliases may repeat a value, up to a size that no honest file needs.
"""

from __future__ import annotations

import yaml

from ralph.guardrails.config.node import Node, Opaque, Scalar
from ralph.guardrails.config.readers import script
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.system.yaml import refuse_swarms

MAX_NODES = 100_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONSTRUCT = {
    "tag:yaml.org,2002:null": lambda _constructor, _node: None,
    "tag:yaml.org,2002:bool": yaml.constructor.SafeConstructor.construct_yaml_bool,
    "tag:yaml.org,2002:int": yaml.constructor.SafeConstructor.construct_yaml_int,
    "tag:yaml.org,2002:float": yaml.constructor.SafeConstructor.construct_yaml_float,
}


def read(text: str, path: str) -> Node:
    try:
        refuse_swarms(text)
        documents = [_Reader(path).node(root) for root in yaml.compose_all(text, Loader=_LOADER)]
    except (yaml.YAMLError, ValueError) as error:
        raise Unreadable(" ".join(str(error).split())) from error
    together: dict[str, Node] = {}
    for document in documents:
        together.update(document.mapping)
    if len(documents) == 1 and not together:
        return documents[0]
    return Node(together, path, 1, 1)


def read_json_or_yaml(text: str, path: str) -> Node:
    """Files without a suffix that may hold either; JSON with comments is no YAML."""
    try:
        return script.read_json(text, path)
    except Unreadable:
        return read(text, path)


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.count = 0
        self.open: set[int] = set()

    def node(self, node: yaml.Node) -> Node:
        self.count += 1
        if self.count > MAX_NODES or id(node) in self.open:
            raise Unreadable("its aliases repeat too much")
        self.open.add(id(node))
        try:
            return Node(self._value(node), self.path, node.start_mark.line + 1, node.start_mark.column + 1)
        finally:
            self.open.discard(id(node))

    def _value(self, node: yaml.Node) -> Scalar | Opaque | dict[str, Node] | list[Node]:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.node(item) for item in node.value]
        if isinstance(node, yaml.ScalarNode) and (construct := _CONSTRUCT.get(node.tag)):
            value: Scalar = construct(yaml.constructor.SafeConstructor(), node)
            return value
        return str(node.value) if node.tag.startswith("tag:yaml.org,2002:") else Opaque(f"{node.tag} {node.value}")

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Node]:
        """Own keys win over merged ones, and the first of several merged mappings over the later."""
        merged: dict[str, Node] = {}
        own: dict[str, Node] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else repr(key.value)
            if key.tag == "tag:yaml.org,2002:merge":
                for source in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    merged = {**self.node(source).mapping, **merged}
            else:
                item = self.node(value)
                flow_or_scalar = isinstance(value, yaml.ScalarNode) or value.flow_style
                place = (
                    item
                    if flow_or_scalar
                    else Node(item.value, self.path, key.start_mark.line + 1, key.start_mark.column + 1)
                )
                own[name] = place
        return {**merged, **own}
