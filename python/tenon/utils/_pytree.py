"""Trees of lists, tuples and dictionaries with other things as leaves: taken apart, put together, mapped."""

from collections import OrderedDict, defaultdict, deque

from typing import Any, NamedTuple

__all__ = [
    "GetAttrKey", "LeafSpec", "MappingKey", "SequenceKey", "TreeSpec", "arg_tree_leaves", "key_get", "keystr", "register_dataclass",
    "register_pytree_node", "tree_all", "tree_all_only", "tree_any", "tree_any_only", "tree_flatten", "tree_flatten_with_path", "tree_is_leaf",
    "tree_iter", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_", "tree_map_only", "tree_map_only_", "tree_map_with_path",
    "tree_structure", "tree_unflatten",
]

_registered = {}  # class -> (function that takes it apart, function that puts it together)


class TreeSpec:
    """The form of a tree."""

    def __init__(self, type=None, context=None, children=()):
        self.type, self.context, self.children_specs = type, context, list(children)
        self.num_leaves = 1 if type is None else sum(child.num_leaves for child in self.children_specs)

    def is_leaf(self):
        """Whether it is one thing."""
        return self.type is None

    def unflatten(self, leaves):
        """The tree of this form with these leaves."""
        return tree_unflatten(leaves, self)

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (self.type, self.context, self.children_specs) == (other.type, other.context, other.children_specs)

    def __hash__(self):
        return hash((self.type, self.num_leaves))

    def __repr__(self):
        return "*" if self.type is None else f"TreeSpec({self.type.__name__}, {self.context}, {self.children_specs})"


def LeafSpec():
    """The form of one thing."""
    return TreeSpec()


class MappingKey(NamedTuple):
    """A step of a path: the key in a dictionary."""

    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        """What is there."""
        return mapping[self.key]


class SequenceKey(NamedTuple):
    """A step of a path: the place in a list or tuple."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        """What is there."""
        return sequence[self.idx]


class GetAttrKey(NamedTuple):
    """A step of a path: the name in an object."""

    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        """What is there."""
        return getattr(obj, self.name)


def register_pytree_node(cls, flatten_fn, unflatten_fn, **ignored):
    """From now on objects of a class are no leaves: flatten_fn(object) gives the children and a context, unflatten_fn(children, context)
    puts an object together."""
    if cls in _registered or cls in (list, tuple, dict, OrderedDict, defaultdict, deque):
        raise ValueError(f"{cls} is taken apart already")
    _registered[cls] = (flatten_fn, unflatten_fn)


_register_pytree_node = register_pytree_node


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """The same for a dataclass: its fields are the children."""
    import dataclasses
    if not dataclasses.is_dataclass(cls):
        raise ValueError(f"{cls} is not a dataclass")
    names = [one.name for one in dataclasses.fields(cls) if one.init] if field_names is None else list(field_names)
    names = [name for name in names if name not in (drop_field_names or ())]
    register_pytree_node(cls, lambda one: ([getattr(one, name) for name in names], names), lambda children, held: cls(**dict(zip(held, children))))


def _children(tree):
    """The class, what is needed to put it together, and the children; None for a leaf."""
    kind = type(tree)
    if kind in _registered:
        children, context = _registered[kind][0](tree)
        return kind, context, list(children)
    if kind in (list, tuple):
        return kind, None, list(tree)
    if kind in (dict, OrderedDict):
        return kind, list(tree), list(tree.values())
    if kind is defaultdict:
        return kind, [tree.default_factory, list(tree)], list(tree.values())
    if kind is deque:
        return kind, tree.maxlen, list(tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return kind, None, list(tree)
    return None


def tree_flatten(tree, is_leaf=None):
    """The leaves, and the form."""
    parts = None if is_leaf is not None and is_leaf(tree) else _children(tree)
    if parts is None:
        return [tree], TreeSpec()
    leaves, forms = [], []
    for child in parts[2]:
        below, form = tree_flatten(child, is_leaf)
        leaves += below
        forms.append(form)
    return leaves, TreeSpec(parts[0], parts[1], forms)


def tree_unflatten(leaves, treespec):
    """The tree of a form with these leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"{len(leaves)} leaves for a tree of {treespec.num_leaves}")
    if treespec.type is None:
        return leaves[0]
    made, at = [], 0
    for form in treespec.children_specs:
        made.append(tree_unflatten(leaves[at:at + form.num_leaves], form))
        at += form.num_leaves
    kind, context = treespec.type, treespec.context
    if kind in _registered:
        return _registered[kind][1](made, context)
    if kind in (dict, OrderedDict):
        return kind(zip(context, made))
    if kind is defaultdict:
        return defaultdict(context[0], zip(context[1], made))
    if kind is deque:
        return deque(made, maxlen=context)
    return kind(made) if kind in (list, tuple) else kind(*made)


def tree_leaves(tree, is_leaf=None):
    """The leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    """The form."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """func of every leaf, in the same form; with several trees of this form, func of their leaves."""
    leaves, form = tree_flatten(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten(list(map(func, leaves, *others)), form)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func with every leaf, and gives back the tree."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(kinds, func, tree, is_leaf=None):
    """func of the leaves of these classes; others stay."""
    test = _only(kinds)
    return tree_map(lambda leaf: func(leaf) if test(leaf) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Whether pred is true of all leaves."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Whether pred is true of a leaf."""
    return any(map(pred, tree_leaves(tree, is_leaf)))


def _only(kinds):
    return kinds if not isinstance(kinds, (type, tuple)) and callable(kinds) else lambda leaf: isinstance(leaf, kinds)


def tree_map_only_(kinds, func, tree, is_leaf=None):
    """Calls func with the leaves of these classes, and gives back the tree."""
    tree_map_only(kinds, func, tree, is_leaf)
    return tree


def tree_all_only(kinds, pred, tree, is_leaf=None):
    """Whether pred is true of all leaves of these classes."""
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if _only(kinds)(leaf))


def tree_any_only(kinds, pred, tree, is_leaf=None):
    """Whether pred is true of a leaf of these classes."""
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if _only(kinds)(leaf))


def tree_is_leaf(tree, is_leaf=None):
    """Whether it is one thing."""
    return bool(is_leaf is not None and is_leaf(tree)) or _children(tree) is None


def tree_iter(tree, is_leaf=None):
    """The leaves, one after the other."""
    yield from tree_leaves(tree, is_leaf)


def arg_tree_leaves(*args, **kwargs):
    """The leaves of all arguments."""
    return tree_leaves((args, kwargs))


def _steps(tree):
    """The steps to the children of a tree."""
    kind, context, children = _children(tree)
    if kind in (dict, OrderedDict):
        return [MappingKey(key) for key in context]
    if kind is defaultdict:
        return [MappingKey(key) for key in context[1]]
    if hasattr(kind, "_fields"):
        return [GetAttrKey(name) for name in kind._fields]
    if kind in _registered and isinstance(context, list) and len(context) == len(children) and all(isinstance(one, str) for one in context):
        return [GetAttrKey(name) for name in context]
    return [SequenceKey(place) for place in range(len(children))]


def tree_leaves_with_path(tree, is_leaf=None):
    """Pairs of the steps to a leaf and the leaf."""
    if tree_is_leaf(tree, is_leaf):
        return [((), tree)]
    return [((step, *rest), leaf) for step, child in zip(_steps(tree), _children(tree)[2]) for rest, leaf in tree_leaves_with_path(child, is_leaf)]


def tree_flatten_with_path(tree, is_leaf=None):
    """Pairs of the steps to a leaf and the leaf, and the form."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """func of the steps to every leaf and the leaf, in the same form."""
    paths, form = tree_flatten_with_path(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten([func(path, leaf, *more) for (path, leaf), *more in zip(paths, *others)], form)


def keystr(kp):
    """The steps as a text: ['a'][0].b"""
    return "".join(map(str, kp))


def key_get(obj, kp):
    """What is at the end of the steps."""
    for step in kp:
        obj = step.get(obj)
    return obj
