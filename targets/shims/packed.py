"""The shim `packed`: a model as a function of tagged values, with its name."""

from __future__ import annotations

import json

from ..interfaces.native import Native, comment_text
from . import table


def texts(native: Native) -> dict[str, str]:
    """`include/<m>_packed.h` and `src/<m>_packed.c`."""
    m, guard = native.stem, f"{table.upper(native)}_PACKED_H"
    name = comment_text(native.model.name)
    header = (
        f"/* {name}: as a function of a registry. */\n"
        f'#ifndef {guard}\n#define {guard}\n\n#include "stillpool_packed.h"\n\n'
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\n'
        "/* Returns 0, a code of stillpool_packed.h or stillpool_model.h, or what the model's own run does. */\n"
        f"int32_t {m}_packed(stillpool_value *args, int32_t *type_codes, int32_t num_args, stillpool_value *result,\n"
        "    int32_t *result_code, void *resource_handle);\n\n"
        f"extern const stillpool_packed_entry {m}_packed_entry;\n\n"
        f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n"
    )
    source = (
        f'/* {name}: a function of tagged values. */\n#include "{m}_packed.h"\n#include "{m}_model.h"\n\n'
        f"int32_t {m}_packed(stillpool_value *args, int32_t *type_codes, int32_t num_args, stillpool_value *result,\n"
        "    int32_t *result_code, void *resource_handle)\n{\n"
        f"    void *pointers[{table.upper(native)}_MODEL_POINTERS];\n"
        f"    const int32_t code = stillpool_packed_call(&{table.model_name(native)}, pointers, args, type_codes,"
        " num_args,\n        resource_handle);\n"
        "    if (result != NULL && result_code != NULL) {\n"
        "        result->v_int64 = code;\n        *result_code = STILLPOOL_ARG_INT;\n    }\n    return code;\n}\n\n"
        f"const stillpool_packed_entry {m}_packed_entry = {{{json.dumps(f'{native.run_function}')}, {m}_packed}};\n"
    )
    return {f"include/{m}_packed.h": header, f"src/{m}_packed.c": source}
