"""Where emitted C deviates from MISRA C:2012, and why that is safe: one record for each rule.

Rules are named by their numbers alone; their texts are MISRA's. A test compares the records with what `cppcheck
--addon=misra` finds.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deviation:
    """A rule that emitted code does not keep everywhere."""

    rule: str
    where: str
    """The code that deviates."""
    why: str
    """Why that is safe."""


DEVIATIONS = (
    Deviation(
        "2.2",
        "`pool + 0`: places at the start of a pool",
        "All places are written in one way, as base and offset, so that they can be compared with the report. The "
        "addition is no code.",
    ),
    Deviation(
        "2.4",
        "headers shared by all models: enumerations without a variable of their type",
        "They are names of numbers. Which of them a program uses is the program's business.",
    ),
    Deviation(
        "2.5",
        "headers: macros that no emitted source uses",
        "Sizes, scales, error codes are for the application. An unused macro is no code.",
    ),
    Deviation(
        "5.1",
        "names of constants, which begin with the names of the network and its tensor",
        "No two names are equal, but C99 promises to tell external names apart by their first 31 characters alone. "
        "GNU's, LLVM's, Arm's and IAR's tools compare whole names; `--name` gives shorter ones.",
    ),
    Deviation(
        "5.5",
        "`ai_runtime_api.h`: macros that wrap a function of the same name",
        "A macro of the same meaning fills in arguments, as in X-CUBE-AI's interface, which the header follows.",
    ),
    Deviation(
        "8.5",
        "weights: declared in the network's file and in the file that defines them",
        "Both are written from one table. The second declaration gives the definition external linkage in C++ too; "
        "a header of its own would make the names of weights part of the interface.",
    ),
    Deviation(
        "8.7",
        "`--interface ai`: the descriptor of a model",
        "Applications refer to it; only within the library it is used once.",
    ),
    Deviation(
        "8.9",
        "tables of loops over rows, and other constants with one user",
        "Tables stand before the functions, at file scope and constant: they take no stack.",
    ),
    Deviation(
        "8.11",
        "`ai_runtime_api.h`: the array of all linked models",
        "The linker makes the array of one element per model; its end is a symbol or a null pointer.",
    ),
    Deviation(
        "10.1",
        "rounding of fixed-point numbers: right shifts of signed integers, and bitwise operators on them",
        "Numbers follow TensorFlow Lite's bit for bit, which has these operations. All processors and compilers "
        "that stillpool knows shift arithmetically; amounts are between 0 and the width less 1.",
    ),
    Deviation(
        "10.3",
        "headers shared by all models: results of comparisons kept in an `int32_t`",
        "The value is 0 or 1.",
    ),
    Deviation(
        "10.4",
        "checks of alignment and size: a literal or an enumeration beside an unsigned integer",
        "The literals are non-negative and small: the conversion keeps their value.",
    ),
    Deviation(
        "10.5",
        "fixed-point functions: a comparison converted to an integer",
        "The value is 0 or 1.",
    ),
    Deviation(
        "10.6",
        "fixed-point functions: a sum of small literals stored in a wider type",
        "The sum is at most 31: it is the same in every integer type.",
    ),
    Deviation(
        "10.8",
        "fixed-point functions: conversions between signed and unsigned around shifts",
        "Shifting to the left as unsigned is what keeps the operation defined; converting back keeps the bits on "
        "all compilers that stillpool knows.",
    ),
    Deviation(
        "11.4",
        "`ai_runtime_api.h`: iterators and handles that are pointers inside",
        "An opaque handle must hold a pointer. It is converted back to the type that it came from.",
    ),
    Deviation(
        "11.5",
        "operators: bytes of a pool used as elements of a tensor; interfaces: places in pools, and handles",
        "The planner aligns every tensor to its elements, a checker proves it, and the network refuses pools that are "
        "not aligned. Bytes are read in the type in which they were written. Handles are made by the same header.",
    ),
    Deviation(
        "11.6",
        "`ai_runtime_api.h`: an address taken as an integer",
        "Only its remainder is used, to check the alignment.",
    ),
    Deviation(
        "12.1",
        "index arithmetic and conditional expressions without parentheses around factors",
        "The printer writes parentheses where C needs them and around operands of shifts and bitwise operators; "
        "products within sums read without. Tests compare its output with MLIR's own printer.",
    ),
    Deviation(
        "12.3",
        "headers shared by all models: declarations of several variables",
        "Every one has its own initialiser or is assigned before it is read.",
    ),
    Deviation(
        "14.4",
        "`stillpool_packed.h`: a flag of a descriptor as a condition",
        "The flag is 0 or 1.",
    ),
    Deviation(
        "15.5",
        "interface functions return an error code where they find the error",
        "There is nothing to release: the functions hold no resources.",
    ),
    Deviation(
        "15.7",
        "chains of `else if` without a last `else`",
        "Nothing is to be done in the remaining case: it is the successful one.",
    ),
    Deviation(
        "17.7",
        "`memcpy` and `memset` as statements",
        "Their result is their first argument.",
    ),
    Deviation(
        "17.8",
        "`--io stream`: rows handed over are counted down in the parameters",
        "Parameters are copies.",
    ),
    Deviation(
        "18.4",
        "places in pools: base and offset",
        "Offsets are literals from the plan, within the pool by its proof.",
    ),
    Deviation(
        "19.2",
        "`stillpool_packed.h`: the union of a registry's values",
        "It is the convention of the registry; the tag beside each value says which member was written.",
    ),
    Deviation(
        "20.1",
        "`--optimize speed`: the header of intrinsics stands within its condition",
        "It is the compiler's own and is included only where the processor has the instructions.",
    ),
    Deviation(
        "20.9",
        "`__has_attribute` in conditions",
        "It is asked only where the compiler defines it.",
    ),
    Deviation(
        "20.10",
        "schedules for DSP instructions: macros of assembly with `#`",
        "It stands in front of numbers within strings, which checkers take for the operator.",
    ),
)
"""By number of the rule."""

_HEAD = """\
# MISRA C:2012

Deviations of the code that stillpool emits, for whichever options; rules that are not listed are kept as far as
`cppcheck --addon=misra` can see. Rules are named by number only: their texts are in MISRA's document. User functions
(`--source`) and the self-tests, which are no part of a product, are not covered.

| rule | where it arises | why it is safe |
|---|---|---|
"""


def misra_report() -> str:
    """The text of `report/misra.md`."""
    return _HEAD + "".join(f"| {one.rule} | {one.where} | {one.why} |\n" for one in DEVIATIONS)
