"""The headers of TVM's interface: the native one with TVM's names and macros, and the file that `<m>.h` is then."""

from __future__ import annotations

from ..native import comment_text
from .naming import TvmNames


def macros(tvm: TvmNames) -> str:
    """Macros of TVM's headers beside the sizes of pools and tensors."""
    size = sum(pool.bytes for pool in tvm.model.workspace_pools)
    lines = ["/* All workspace pools together, in bytes. */", f"#define {tvm.workspace_size} {size}", ""]
    if tvm.model.pools:
        lines.append("/* The sizes of pools under the names of RFC 0009. */")
        lines += [f"#define {tvm.buffer_size(pool)} {tvm.pool_size(pool)}" for pool in tvm.model.pools]
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def forwarder(tvm: TvmNames) -> str:
    """The text of `include/<m>.h`, which includes the header that TVM's applications do."""
    guard = f"{tvm.stem.upper()}_H"
    return (
        f"/* {comment_text(tvm.model.name)}: its interface is TVM's. */\n"
        f'#ifndef {guard}\n#define {guard}\n\n#include "{tvm.header_name}"\n\n#endif /* {guard} */\n'
    )
