"""The C that functions of custom operators are written against."""

from __future__ import annotations

from ..dialects.custom_types import TYPES

CUSTOM_HEADER = "stillpool_custom.h"
"""The file's name."""


def custom_header() -> str:
    """The text of the header: the same for all models."""
    types = "".join(f"    STILLPOOL_{name.upper()} = {number},\n" for number, name in enumerate(TYPES))
    return f"""\
/* Operators of the application's own in a network compiled by stillpool: C99 and C++. */
#ifndef STILLPOOL_CUSTOM_H
#define STILLPOOL_CUSTOM_H

#include <stdint.h>

#ifdef __cplusplus
#define STILLPOOL_CUSTOM extern "C"
extern "C" {{
#else
#define STILLPOOL_CUSTOM extern
#endif

/* Element types: bool is one byte, 0 or 1. */
enum {{
{types}}};

/* A tensor that the function reads: elements in row-major order, aligned to their size. real = scale * (value -
 * zero_point); a scale of 0 says that the elements are no quantised numbers. The shape of a scalar is null. */
typedef struct stillpool_custom_input {{
    const void *data;
    int32_t type;
    int32_t rank;
    const int32_t *shape;
    float scale;
    int32_t zero_point;
}} stillpool_custom_input;

/* A tensor that the function writes, every element of it. It overlaps no input. */
typedef struct stillpool_custom_output {{
    void *data;
    int32_t type;
    int32_t rank;
    const int32_t *shape;
    float scale;
    int32_t zero_point;
}} stillpool_custom_output;

/* The function: called once for each occurrence of its operator in a run. The descriptors live for the call. Options
 * are the operator's bytes from the model file, null if there are none. Of the pools it must use no memory but the
 * outputs. Declare it as the network does, to have the compiler check it:
 * STILLPOOL_CUSTOM stillpool_custom_function my_function; */
typedef void stillpool_custom_function(const stillpool_custom_input *inputs, int32_t input_count,
    const stillpool_custom_output *outputs, int32_t output_count, const uint8_t *options, int32_t option_bytes);

#ifdef __cplusplus
}}
#endif

#endif /* STILLPOOL_CUSTOM_H */
"""
