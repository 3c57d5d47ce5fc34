"""`stillpool verify`: is the compiled model right?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .effects import refuse_given
from .emulation import DEFAULT_LEVEL, HOST, check_host, check_target, emulated, emulation_options
from .help import Verb
from .inputs import input_options, read_inputs, refuse_seed
from .options import MODEL, plan_options, prepared
from .output import Output, output_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..run.samples import Array
    from ..run.verify import OutputVerdict, Verdict

VERIFICATION_FAILED = 4
SAMPLES = (10, 3)
"""Random inputs by default: on this machine, on an emulated one."""


@click.command(cls=Verb)
@click.argument("model", type=MODEL)
@click.option(
    "--samples", type=click.IntRange(1), help="Random inputs to compare. Default: 10, on an emulated processor 3."
)
@input_options("An input, or several stacked, by name or in order (repeatable). Default: seeded random inputs.")
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    help="Accepted error of float outputs, relative to the largest value. Default: 1e-5.",
)
@emulation_options
@plan_options
@output_options
@click.pass_context
def verify(
    ctx: click.Context,
    model: Path,
    samples: int | None,
    inputs: tuple[str, ...],
    seed: int,
    tolerance: float | None,
    target: str,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Compare MODEL, compiled, with TFLite Micro (or LiteRT's reference kernels) on random inputs, or on yours.

    A network that TFLite Micro refuses is compared operator by operator: each is run by TFLite Micro if it has it.
    With --target the model runs on an emulated processor.
    """
    from ..run.artifact import Artifact
    from ..run.channels import judge_channels
    from ..run.samples import one_or_more
    from ..run.verify import FLOAT_TOLERANCE
    from ..run.verify import verify as compare
    from ..run.wrong_operator import first_wrong_operator

    if inputs:
        refuse_seed()
        refuse_given(("samples",), "the arrays given by --input are the samples")
    if target == HOST:
        check_host(cc, emulator, opt)
    request = prepared(model, target=target, **options)
    check_target(target, cc, emulator, opt)
    judge_channels(request)
    artifact = Artifact.of(request.result())

    if not any(tensor.dtype.startswith("float") for tensor in artifact.description.outputs):
        refuse_given(("tolerance",), "all outputs are integers, which are compared exactly")

    def run(stacked: Mapping[str, Array]) -> Mapping[str, Array]:
        return emulated(artifact, target, stacked, cc=cc, emulator=emulator, opt=opt).outputs

    verdict = compare(
        artifact,
        samples=samples or SAMPLES[target != HOST],
        seed=seed,
        given=one_or_more(artifact.description, read_inputs(artifact.description, inputs)) if inputs else None,
        tolerance=FLOAT_TOLERANCE if tolerance is None else tolerance,
        target=target,
        run=None if target == HOST else run,
    )
    if not verdict.passed:
        wrong = first_wrong_operator(request, target, cc=cc, opt=opt or DEFAULT_LEVEL)
        verdict = replace(verdict, first_wrong_operator=wrong)
    named = verdict.first_wrong_operator
    lines = [_headline(verdict), *(_line(entry) for entry in verdict.outputs)]
    lines += [f"  {judges.words}" for judges in verdict.minor_oracles]
    lines += [f"  first wrong operator: {named}"] if named else []
    output.result(verdict.document(), "\n".join(lines))
    if not verdict.passed:
        ctx.exit(VERIFICATION_FAILED)


def _headline(verdict: Verdict) -> str:
    word = "bit-exact" if verdict.exact else "within tolerance" if verdict.passed else "WRONG"
    plural = "s" if verdict.samples != 1 else ""
    where = "" if verdict.target == HOST else f" on {verdict.target}"
    inputs = f"{verdict.samples} {verdict.inputs} input{plural}"
    return f"{verdict.model}{where}: {word} on {inputs}, compared with {verdict.oracle}"


def _line(entry: OutputVerdict) -> str:
    if not entry.mismatches:
        return f"  {entry.name}: {entry.dtype}, all {entry.values} values equal"
    parts = [f"{entry.mismatches} of {entry.values} values differ", f"by at most {entry.max_error:.3g}"]
    if entry.max_ulp is not None:
        parts.append(f"({entry.relative_error:.2e} of the largest value, {entry.max_ulp} ULP)")
    if entry.first_mismatch and not entry.passed:
        first = entry.first_mismatch
        parts.append(
            f"- first at sample {first['sample']}, index {first['index']}: {first['value']}, "
            f"reference {first['reference']}"
        )
    return f"  {entry.name}: {entry.dtype}, {' '.join(parts)}"
