"""C that runs what Vela compiled on an Ethos-U, through Arm's driver (ethos-u-core-driver)."""

from __future__ import annotations

from .external_header import EXTERNAL_HEADER, Externals, Function

KIND = "ethos_u"
"""Kind of the external functions whose text is written here."""
MOST_ADDRESSES = 8
"""Base addresses that the driver takes."""
FAST = "scratch_fast"
"""The last tensor where the command stream has memory beside the arena."""
_LAST = ("void *scratch", "void *device")
_FAST_IS = (" (twice: as fast scratch too)", ", fast scratch")
_FIXED = 2
"""Tensors before those that the command stream reads: itself, and the weights."""


def ethos_u_sources(externals: Externals) -> dict[str, str]:
    """Files by name: one for each function of that kind."""
    return {f"{function.name}.c": _source(function) for function in externals.functions if function.kind.name == KIND}


def _source(function: Function) -> str:
    given = [name for _, name in function.tensors[_FIXED:] if name != FAST]
    tensors = given[: MOST_ADDRESSES - 3]
    is_fast = len(given) < len(function.tensors) - _FIXED
    count = 3 + len(tensors)
    parameters = ",\n    ".join(
        [f"const {function.kind.type} *op", *(f"{type} *{name}" for type, name in function.tensors), *_LAST]
    )
    fast = (FAST, f"op->{FAST}_bytes") if is_fast else ("scratch", "op->scratch_bytes")
    addresses = [("weights", "op->weights_bytes"), ("scratch", "op->scratch_bytes"), fast]
    addresses += [(name, f"op->tensor_bytes[{number}]") for number, name in enumerate(tensors)]
    unused = "".join(f"    (void){name};\n" for name in given[len(tensors) :])
    lines = "".join(
        f"    address[{number}] = (uint64_t)(uintptr_t){name};\n    size[{number}] = (size_t){size};\n"
        for number, (name, size) in enumerate(addresses)
    )
    return f"""\
/* Runs a command stream of Vela on an Ethos-U: weights, the arena{_FAST_IS[is_fast]}, and the tensors, which
 * lie in the arena. The handle of the device is the driver. */
#include <stddef.h>

#include "{EXTERNAL_HEADER}"
#include "{function.kind.header_name}"

#ifdef __cplusplus
extern "C" {{
#endif
struct ethosu_driver;
int ethosu_invoke_v3(struct ethosu_driver *drv, const void *custom_data_ptr, const int custom_data_size,
    uint64_t *const base_addr, const size_t *base_addr_size, const int num_base_addr, void *user_arg);
int32_t {function.name}(
    {parameters});
#ifdef __cplusplus
}}
#endif

int32_t {function.name}(
    {parameters})
{{
    uint64_t address[{count}];
    size_t size[{count}];
{unused}{lines}    return ethosu_invoke_v3((struct ethosu_driver *)device, command_stream, op->command_stream_bytes,
               address, size, {count}, NULL) == 0 ? 0 : -1;
}}
"""
