"""C that runs what Vela compiled on an Ethos-U, through Arm's driver (ethos-u-core-driver)."""

from __future__ import annotations

from .external_header import EXTERNAL_HEADER, Externals, Function

KIND = "ethos_u"
"""What external functions compute that this is the text of."""
MOST_ADDRESSES = 8
"""Base addresses that the driver takes."""
_LAST = ("void *scratch", "void *device")
_FIXED = 2
"""Tensors before those that the command stream reads: itself, and the weights."""


def ethos_u_sources(externals: Externals) -> dict[str, str]:
    """Files by name: one for each function of that kind."""
    return {f"{function.name}.c": _source(function) for function in externals.functions if function.kind.name == KIND}


def _source(function: Function) -> str:
    tensors = [name for _, name in function.tensors[_FIXED:]][: MOST_ADDRESSES - 3]
    count = 3 + len(tensors)
    parameters = ",\n    ".join(
        [f"const {function.kind.type} *op", *(f"{type} *{name}" for type, name in function.tensors), *_LAST]
    )
    addresses = [("weights", "op->weights_bytes"), ("scratch", "op->scratch_bytes"), ("scratch", "op->scratch_bytes")]
    addresses += [(name, f"op->tensor_bytes[{number}]") for number, name in enumerate(tensors)]
    unused = "".join(f"    (void){name};\n" for _, name in function.tensors[_FIXED + len(tensors) :])
    lines = "".join(
        f"    address[{number}] = (uint64_t)(uintptr_t){name};\n    size[{number}] = (size_t){size};\n"
        for number, (name, size) in enumerate(addresses)
    )
    return f"""\
/* Runs a command stream of Vela on an Ethos-U: weights, the arena (twice: as fast scratch too), and the tensors, which
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
