"""One operation of the `simd` dialect as a small C function, its body chosen by the preprocessor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Instruction:
    """An operation as a C function."""

    parameters: str
    """Parameters as C declares them."""
    arm: str
    """The body with Arm's DSP extension."""
    portable: str
    """The body in C99 alone."""
    result: str = "int32_t"
    """Type of the result, as C declares it."""
    needs: str = ""
    """Features of the processor beside the extension, as the preprocessor asks for them."""

    def definition(self, function: str) -> str:
        """The function under a name."""
        condition = f"#if defined(STILLPOOL_DSP) && {self.needs}" if self.needs else "#ifdef STILLPOOL_DSP"
        return (
            f"static inline {self.result} {function}({self.parameters}) {{\n"
            f"{condition}\n{_indented(self.arm)}\n#else\n{_indented(self.portable)}\n#endif\n}}"
        )


def _indented(body: str) -> str:
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in body.splitlines())
