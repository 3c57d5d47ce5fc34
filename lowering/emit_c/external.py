"""Calls of external functions: constant parameters, and statements that keep the first error of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...dialects.custom_types import TYPES
from ...dialects.external import ActivateOp, BufferOp, CallOp, DeactivateOp, LaunchOp, WaitOp
from ...dialects.external.device import DeviceOp
from ...dialects.nn.attributes import ints
from ...dialects.operations import all_of, operations
from ...targets.c.literals import floating
from ...targets.external_header import Externals, Function, Kind, Member
from ...targets.interfaces.description import C_TYPES
from .lowering import Lowering, Patterns
from .types import RUN


def externals(module: ModuleOp) -> Externals:
    """Return the external functions of a module, in order.

    Raises:
        PassFailedException: two calls of a function differ in what they pass, or two kinds of one name do.
    """
    functions: dict[str, Function] = {}
    kinds: dict[str, Kind] = {}
    devices: dict[str, None] = {}
    for op in operations(module):
        if not isinstance(op, BufferOp):
            continue
        function = _function(op)
        name, kind = function.name, function.kind
        if functions.setdefault(name, function) != function:
            raise PassFailedException(
                f"external function {name} would be called in two ways, as {functions[name].signature} and as "
                f"{function.signature}: name a function for each"
            )
        if kinds.setdefault(kind.name, kind) != kind:
            raise PassFailedException(f"external function {name}: kind '{kind.name}' has other parameters elsewhere")
        if op.device is not None:
            devices.setdefault(op.device.data)
    hooks = [f.data for op in all_of(module, BufferOp) for f in (op.open, op.close) if f is not None]
    hooks = [op.function.data for op in all_of(module, DeviceOp)] + hooks
    return Externals(tuple(functions.values()), tuple(devices), tuple(dict.fromkeys(hooks)))


def names(found: Externals) -> list[str]:
    """Every name in the C code that is taken by them."""
    waits = [function.waits for function in found.functions if function.is_asynchronous]
    own = [RUN, "external_keep"] if found.functions else []
    return [*own, *(function.name for function in found.functions), *waits, *found.hooks]


def definitions(module: ModuleOp, found: Externals) -> list[emitc.VerbatimOp]:
    """Declarations, the struct of a run, and the parameters of each call."""
    if not found.functions:
        return []
    members = "".join(f"  void *{device};\n" for device in found.devices)
    lines = found.declarations()
    lines.append("/* The first error, and the handles of devices. */")
    lines.append(f"typedef struct {RUN} {{\n  int32_t status;\n{members}}} {RUN};")
    if found.devices or any(function.is_asynchronous for function in found.functions):
        keep = f"static void external_keep({RUN} *shared, int32_t status) {{\n"
        lines.append(keep + "  if (shared->status == 0) {\n    shared->status = status;\n  }\n}")
    for op in operations(module):
        if isinstance(op, CallOp | LaunchOp):
            lines += _parameters(op)
    return [emitc.VerbatimOp(text) for text in lines]


def _function(op: BufferOp) -> Function:
    words = [name.data for name in op.names]
    spelled = [C_TYPES[TYPES[number]] for number in ints(op.types)]
    reading = len(op.inputs)
    tensors = [
        (f"const {type}" if number < reading else type, name)
        for number, (type, name) in enumerate(zip(spelled, words, strict=True))
    ]
    members = [_member(name, value) for name, value in op.parameters.data.items()]
    kind = Kind(op.kind.data, (*members, Member("scratch_bytes", "int32_t")))
    return Function(op.function.data, kind, tuple(tensors), op.asynchronous is not None)


def _member(name: str, value: Attribute) -> Member:
    match value:
        case DenseArrayBase():
            return Member(name, "float" if value.elt_type == f32 else "int32_t", is_list=True)
        case IntegerAttr():
            return Member(name, "int32_t")
        case FloatAttr():
            return Member(name, "float")
        case _:
            return Member(name, "const char *")


def _parameters(op: BufferOp) -> Iterator[str]:
    """The constant struct of one call, and the lists that it points to."""
    own, values = _parameters_of(op), list[str]()
    for name, value in op.parameters.data.items():
        match value:
            case DenseArrayBase():
                count = len(value)
                if count:
                    numbers: Sequence[int | float] = cast(Any, value).get_values()
                    type = "float" if value.elt_type == f32 else "int32_t"
                    listed = [floating(v, "f") if isinstance(v, float) else _whole(v) for v in numbers]
                    yield f"static const {type} {own}_{name}[{count}] = {_braced(listed)};"
                values += [f"{own}_{name}" if count else "NULL", str(count)]
            case IntegerAttr():
                values.append(_whole(value.value.data))
            case FloatAttr():
                values.append(floating(value.value.data, "f"))
            case _:
                assert isinstance(value, StringAttr), "verified"
                values.append(_text(value.data))
    values.append(str(op.wishes.scratch))
    yield f"static const {_function(op).kind.type} {own} = {_braced(values)};"


def _braced(values: Sequence[str]) -> str:
    """An initialiser, on lines of less than 100 columns."""
    rows, row = list[str](), ""
    for number, value in enumerate(values):
        piece = value + ("" if number + 1 == len(values) else ", ")
        if len(row) + len(piece) > 96:
            rows, row = [*rows, row.rstrip()], ""
        row += piece
    if not rows and len(row) < 56:
        return f"{{{row}}}"
    return "{\n" + "".join(f"  {one}\n" for one in [*rows, row]) + "}"


def _whole(value: int) -> str:
    return "(-2147483647 - 1)" if value == -(1 << 31) else str(value)


def _text(value: str) -> str:
    """A string literal of ASCII, with everything else escaped in octal."""
    safe = "".join(c if c.isascii() and c.isprintable() and c not in '"\\?' else _escaped(c) for c in value)
    return f'"{safe}"'


def _escaped(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode())


def _parameters_of(op: BufferOp) -> str:
    return f"external_{_number(op)}"


def _number(op: BufferOp) -> int:
    if op.number is None:
        raise PassFailedException(f"'{op.name}' op of {op.function.data} has no number; run external-run first")
    return op.number.value.data


class _Statements:
    """Adds lines of C that consist of texts and of values."""

    def __init__(self, op: BufferOp | DeviceOp, at: Lowering):
        if op.run is None:
            raise PassFailedException(f"'{op.name}' op belongs to no run; run external-run first")
        self.run = at.value(op.run)
        self._build = at.build
        self._build.includes.add("stddef.h")

    def line(self, *parts: str | SSAValue) -> None:
        """Add a line."""
        values = [part for part in parts if isinstance(part, SSAValue)]
        texts = [part.replace("{", "{{") if values else part for part in parts if isinstance(part, str)]
        rest = iter(texts)
        text = "".join(next(rest) if isinstance(part, str) else "{}" for part in parts)
        self._build.add(emitc.VerbatimOp(text, values))

    def is_sound(self, indent: str = "") -> None:
        """Begin a block for a run without errors."""
        self.line(f"{indent}if (", self.run, "->status == 0) {")

    def keep(self, indent: str, call: str, device: Sequence[str | SSAValue]) -> None:
        """Call what ends something begun: its error counts if it is the first."""
        self.line(f"{indent}external_keep(", self.run, f", {call}", *device, "));")


def _device(op: BufferOp, lines: _Statements) -> Sequence[str | SSAValue]:
    """The handle of the device."""
    return ("NULL",) if op.device is None else (lines.run, f"->{op.device.data}")


def _begin(op: CallOp | LaunchOp, at: Lowering, lines: _Statements, indent: str) -> None:
    """The call of the function."""
    types = [type for type, _ in _function(op).tensors]
    parts: list[str | SSAValue] = [indent, lines.run, f"->status = {op.function.data}(&{_parameters_of(op)}"]
    for value, type in zip([*op.inputs, *op.outputs], types, strict=True):
        # Truth values and unsigned bytes are stored as int8_t.
        is_other = type.removeprefix("const ") in ("bool", "uint8_t")
        through = "const void" if type.startswith("const ") else "void"
        parts += [f", ({type} *)({through} *)" if is_other else ", ", at.value(value)]
    parts += [", ", "NULL" if op.scratch is None else at.value(op.scratch), ", ", *_device(op, lines), ");"]
    lines.line(*parts)


def _call(op: CallOp, at: Lowering) -> None:
    lines = _Statements(op, at)
    lines.is_sound()
    if op.open is None or op.close is None:
        _begin(op, at, lines, "  ")
    else:
        _open(op, lines)
        lines.is_sound("  ")
        _begin(op, at, lines, "    ")
        lines.keep("    ", f"{op.close.data}(", _device(op, lines))
        lines.line("  }")
    lines.line("}")


def _launch(op: LaunchOp, at: Lowering) -> None:
    lines, flag = _Statements(op, at), _launched(op)
    lines.line(f"bool {flag} = false;")
    lines.is_sound()
    if op.open is None or op.close is None:
        _begin(op, at, lines, "  ")
        lines.line(f"  {flag} = ", lines.run, "->status == 0;")
    else:
        _open(op, lines)
        lines.is_sound("  ")
        _begin(op, at, lines, "    ")
        lines.line(f"    {flag} = ", lines.run, "->status == 0;")
        lines.line(f"    if (!{flag}) {{")
        lines.keep("      ", f"{op.close.data}(", _device(op, lines))
        lines.line("    }")
        lines.line("  }")
    lines.line("}")


def _open(op: CallOp | LaunchOp, lines: _Statements) -> None:
    assert op.open is not None, "the device has hooks"
    lines.line("  ", lines.run, f"->status = {op.open.data}(", *_device(op, lines), ");")


def _wait(op: WaitOp, at: Lowering) -> None:
    lines = _Statements(op, at)
    lines.line(f"if ({_launched(op)}) {{")
    lines.keep("  ", f"{_function(op).waits}(&{_parameters_of(op)}, ", _device(op, lines))
    if op.close is not None:
        lines.keep("  ", f"{op.close.data}(", _device(op, lines))
    lines.line("}")


def _launched(op: LaunchOp | WaitOp) -> str:
    return f"external_{_number(op)}_launched"


def _activate(op: ActivateOp, at: Lowering) -> None:
    lines, flag = _Statements(op, at), _active(op)
    lines.line(f"bool {flag} = false;")
    lines.is_sound()
    lines.line("  ", lines.run, f"->status = {op.function.data}(", lines.run, f"->{op.device.data});")
    lines.line(f"  {flag} = ", lines.run, "->status == 0;")
    lines.line("}")


def _deactivate(op: DeactivateOp, at: Lowering) -> None:
    lines = _Statements(op, at)
    lines.line(f"if ({_active(op)}) {{")
    lines.keep("  ", f"{op.function.data}(", (lines.run, f"->{op.device.data}"))
    lines.line("}")


def _active(op: DeviceOp) -> str:
    return f"external_{op.device.data}_active"


PATTERNS: Patterns = {
    CallOp: _call,
    LaunchOp: _launch,
    WaitOp: _wait,
    ActivateOp: _activate,
    DeactivateOp: _deactivate,
}
