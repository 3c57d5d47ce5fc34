"""The C that external functions are written against: structs of parameters, and what the network calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

EXTERNAL_HEADER = "stillpool_external.h"
"""The file that all the others include."""

HOOKS = ("activate", "open", "close", "deactivate")
"""The hooks of a device: before the first operator of a run, around each of its own, behind the last."""


@dataclass(frozen=True)
class Member:
    """A member of a struct of parameters."""

    name: str
    type: str
    """`int32_t`, `float`, `const char *`; of a list what its elements are."""
    is_list: bool = False


@dataclass(frozen=True)
class Kind:
    """The struct that describes the computation."""

    name: str
    members: tuple[Member, ...]

    @property
    def type(self) -> str:
        """The struct."""
        return f"stillpool_external_{self.name}"

    @property
    def header_name(self) -> str:
        """The file that defines it."""
        return f"{self.type}.h"

    def header(self) -> str:
        """Its text: equal kinds of different models have equal files."""
        guard = f"{self.type.upper()}_H"
        lines = [line for member in self.members for line in _declared(member)]
        return (
            f"/* What external functions are told of an operator `{self.name}`: C99 and C++. */\n"
            f'#ifndef {guard}\n#define {guard}\n\n#include "{EXTERNAL_HEADER}"\n\n'
            "/* Lists that an operator does not have are null, and their count is 0. */\n"
            f"typedef struct {self.type} {{\n{''.join(f'    {line}' + chr(10) for line in lines)}}} {self.type};\n\n"
            f"#endif /* {guard} */\n"
        )


def _declared(member: Member) -> Iterator[str]:
    if not member.is_list:
        yield f"{member.type}{'' if member.type.endswith('*') else ' '}{member.name};"
        return
    yield f"const {member.type} *{member.name};"
    yield f"int32_t {member.name}_count;"


@dataclass(frozen=True)
class Function:
    """An external function."""

    name: str
    kind: Kind
    tensors: tuple[tuple[str, str], ...]
    """(type, name) of each parameter that is a tensor."""
    is_asynchronous: bool = False

    @property
    def waits(self) -> str:
        """The function that waits for what this one has begun."""
        return f"{self.name}_wait"

    @property
    def signature(self) -> str:
        """How it is called, for messages."""
        listed = ", ".join(f"{type} *{name}" for type, name in self.tensors)
        return f"{self.kind.name}({listed}){' asynchronously' if self.is_asynchronous else ''}"

    def declarations(self) -> list[str]:
        """Its declaration, and that of what waits for it, each on lines of its own."""
        tensors = [f"{type} *{name}" for type, name in self.tensors]
        listed = [f"const {self.kind.type} *op", *tensors, "void *scratch", "void *device"]
        made = [_folded(f"STILLPOOL_EXTERNAL int32_t {self.name}(", listed)]
        if self.is_asynchronous:
            made.append(
                _folded(f"STILLPOOL_EXTERNAL int32_t {self.waits}(", [f"const {self.kind.type} *op", "void *device"])
            )
        return made


def _folded(begin: str, listed: Sequence[str]) -> str:
    line = f"{begin}{', '.join(listed)});"
    if len(line) <= 118:
        return line
    return begin + "".join(f"\n    {one}{',' if one is not listed[-1] else ');'}" for one in listed)


@dataclass(frozen=True)
class Externals:
    """All external functions of a model."""

    functions: tuple[Function, ...]
    devices: tuple[str, ...] = ()
    """Names of the devices whose handles the functions get."""
    hooks: tuple[str, ...] = ()
    """C functions that are called with the handle of a device."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Their kinds."""
        return tuple(dict.fromkeys(function.kind for function in self.functions))

    def declarations(self) -> list[str]:
        """Declarations of everything that the network calls."""
        made = [line for function in self.functions for line in function.declarations()]
        return [*made, *(f"STILLPOOL_EXTERNAL int32_t {hook}(void *device);" for hook in self.hooks)]

    def headers(self, model: str) -> dict[str, str]:
        """All headers by file name; `model` is the model's identifier."""
        own = f"{model}_external.h"
        guard = f"{model.upper()}_EXTERNAL_H"
        includes = "".join(f'#include "{kind.header_name}"\n' for kind in self.kinds)
        text = (
            f"/* The functions of the application that the network {model} calls. */\n"
            f"#ifndef {guard}\n#define {guard}\n\n{includes}\n"
            + "".join(f"{declaration}\n" for declaration in self.declarations())
            + f"\n#endif /* {guard} */\n"
        )
        return {EXTERNAL_HEADER: external_header(), own: text, **{k.header_name: k.header() for k in self.kinds}}


def external_header() -> str:
    """The text of the header that is the same for all models."""
    return f"""\
/* Operators that functions of the application compute, in networks compiled by stillpool: C99 and C++.
 *
 * A function gets its parameters, the tensors (inputs as `const`, outputs it writes whole), scratch from the memory
 * plan (null if it asked for none), and the handle of its device (null if it has none). It returns 0, or a number that
 * says what went wrong: the run then calls no further external function and returns ..._ERROR_EXTERNAL. Tensors are in
 * row-major order, and no output overlaps another tensor; nothing of them or of the scratch may be used afterwards.
 *
 * An asynchronous function only begins: what it was given is the device's until the function ..._wait returns, which is
 * called once if it returned 0, with the same parameters.
 *
 * Hooks of a device get its handle: ..._{HOOKS[0]} before the first operator of a run and ..._{HOOKS[3]} behind the
 * last; ..._{HOOKS[1]} and ..._{HOOKS[2]} around each of its functions, behind the wait if there is one. */
#ifndef STILLPOOL_EXTERNAL_H
#define STILLPOOL_EXTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define STILLPOOL_EXTERNAL extern "C"
#else
#define STILLPOOL_EXTERNAL extern
#endif

#endif /* STILLPOOL_EXTERNAL_H */
"""
