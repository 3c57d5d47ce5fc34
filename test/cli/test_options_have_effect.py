"""What an option asks for is done or refused, never ignored."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from stillpool.cli import VERBS, main

EXAMPLES = Path(__file__).parents[2] / "examples"
SINH = EXAMPLES / "custom" / "sinh.c"
MODEL = str(EXAMPLES / "novelty" / "novelty.tflite")


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["compile", MODEL, *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_header_says_the_section_of_a_pool_that_the_application_places(tmp_path: Path) -> None:
    code, _, err = invoke("-o", str(tmp_path / "d"), "--workspace-pool", "dtcm:size=64K,align=32,section=.dtcm")
    assert code == 0, err
    assert '#define NOVELTY_DTCM_POOL_SECTION ".dtcm"' in (tmp_path / "d/include/novelty.h").read_text()


def test_a_built_in_pool_is_in_its_section(tmp_path: Path) -> None:
    code, _, err = invoke("-o", str(tmp_path / "d"), "--workspace-pool", "dtcm:section=.dtcm", "--builtin-pools")
    assert code == 0, err
    assert "POOL_SECTION" not in (tmp_path / "d/include/novelty.h").read_text()
    assert any('section(".dtcm")' in file.read_text() for file in (tmp_path / "d/src").iterdir())


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """What the cases name in braces."""
    board = tmp_path / "board.toml"
    memories = "".join(f'[[memory]]\nname = "{k}"\nkind = "{k}"\nbytes = 1000000\n' for k in ("ram", "flash"))
    board.write_text(f'name = "b"\ndescription = "d"\ncpu = "z80"\nclock_hz = 1000000\n{memories}')
    np.save(tmp_path / "x.npy", np.zeros((1, 64), np.int8))
    (tmp_path / "b.csv").write_text("id,lower,upper,size\n1,0,3,10\n")
    (tmp_path / "b.json").write_text(json.dumps({"buffers": [{"id": "a", "size": 4, "pools": ["p"]}]}))
    digits = EXAMPLES / "digits" / "digits.tflite"
    known = {
        "novelty": MODEL,
        "digits": digits,
        "board": board,
        "mlir": EXAMPLES / "mlir" / "edges.mlir",
        "source": SINH,
    }
    made = {
        name: tmp_path / file for name, file in (("x", "x.npy"), ("csv", "b.csv"), ("json", "b.json"), ("out", "o"))
    }
    return {name: str(path) for name, path in (known | made).items()}


PROJECT = "--emit prints a level of the IR and writes no project: {} has no effect"
IDLE: dict[str, list[tuple[str, str, str]]] = {
    "--board": [
        ("compile", "{novelty} -o {out} --board cortex-m7 --workspace-pool sram", "both say which workspace pools"),
        ("compile", "{novelty} -o {out} --board cortex-m7 --constant-pool spi", "both say which constant pools"),
    ],
    "--builtin-pools": [("compile", "{novelty} --emit c --builtin-pools", PROJECT)],
    "--capacity": [("plan", "{json} --capacity 9", "--capacity goes with a CSV")],
    "--kind": [("ops", "{novelty} --kind onnx", "says itself of what kind it is: --kind has no effect")],
    "--cc": [
        ("compile", "{novelty} --emit c --cc gcc --target cortex-m4", PROJECT),
        ("compile", "{novelty} -o {out} --cc gcc", "--cc goes with an emulated processor"),
        ("run", "{novelty} --cc gcc", "--cc goes with an emulated processor"),
        ("verify", "{novelty} --cc gcc", "--cc goes with an emulated processor"),
        ("profile", "{novelty} --from {csv} --cc gcc", "what the board measured: --cc has no effect"),
        ("fit", "{novelty} --board {board} --cc gcc", "no code is compiled for it: --cc has no effect"),
    ],
    "--concurrency": [
        ("compile", "{novelty} -o {out} --concurrency concurrent", "concurrency 'concurrent' has no effect on one"),
        ("analyze", "{novelty} --concurrency pipeline", "concurrency 'pipeline' has no effect on one model"),
    ],
    "--custom": [
        (verb, "{novelty} --custom Sinh=my_sinh", "--custom Sinh=my_sinh has no effect")
        for verb in ("analyze", "run", "verify")
    ]
    + [
        ("analyze", "{mlir} --custom Sinh=my_sinh", "--custom has no effect on .mlir files"),
    ],
    "--custom-source": [
        ("compile", "{novelty} -o {out} --custom-source {source}", "--source has no effect"),
        ("compile", "{novelty} --emit c --custom-source {source}", PROJECT),
    ],
    "--double-buffer-inputs": [
        (
            "compile",
            "{novelty} -o {out} --double-buffer-inputs --workspace-io none",
            "--io double-buffer has no eff",
        )
    ],
    "--external": [
        ("analyze", "{novelty} --external dense=f", "matches none of the"),
        (
            "compile",
            "{novelty} {novelty} --name a --name b -o {out} --external add=f",
            "matches none of the",
        ),
        (
            "compile",
            "{digits} -o {out} --external conv_2d=f:device=npu --stream-input image",
            "goes with plain external functions",
        ),
    ],
    "--external-source": [
        ("compile", "{novelty} -o {out} --external-source {source}", "--source has no effect"),
        ("compile", "{novelty} --emit c --external-source {source}", PROJECT),
    ],
    "--source": [
        ("compile", "{novelty} -o {out} --source {source}", "no C function is asked for: --source has no effect"),
        ("compile", "{novelty} --emit c --source {source}", PROJECT),
    ],
    "--emit": [("compile", "{novelty} --emit nn -o {out}", "say either where the project goes or which level")],
    "--emulator": [
        ("compile", "{novelty} --emit c --emulator qemu", PROJECT),
        ("compile", "{novelty} -o {out} --emulator qemu", "--emulator goes with an emulated processor"),
        ("compile", "{novelty} -o {out} --target cortex-m4 --emulator qemu", "nothing is run without a budget"),
        ("run", "{novelty} --emulator qemu", "--emulator goes with an emulated processor"),
        ("profile", "{novelty} --from {csv} --emulator qemu", "what the board measured: --emulator has no effect"),
        ("verify", "{novelty} --emulator qemu", "--emulator goes with an emulated processor"),
    ],
    "--format": [("compile", "{novelty} --emit c --format dir", PROJECT)],
    "--input-shape": [
        ("analyze", "{novelty} --input-shape other=1,64", "has no input 'other'"),
        ("analyze", "{mlir} --input-shape x=1,64", "--input-shape has no effect on .mlir files"),
    ],
    "--input-layout": [("analyze", "{novelty} --input-layout nhwc", "no effect on this kind of file")],
    "--quantised-io": [("analyze", "{novelty} --quantised-io", "--io quantised has no effect")],
    "--json": [("compile", "{novelty} --emit c --json", "--emit prints a level, --json a document")],
    "--keep-inputs": [("compile", "{novelty} -o {out} --keep-inputs --workspace-io outputs", "--io keep has no eff")],
    **{
        f"--max-{name}": [
            ("compile", f"{{novelty}} --emit c --max-{name} 9", f"--max {name} is checked when a project is written"),
            ("compile", f"{{novelty}} -o {{out}} --max-{name} 9", f"--max {name} goes with an emulated processor"),
            ("run", f"{{novelty}} --max-{name} 9", f"--max {name} goes with an emulated processor"),
        ]
        for name in ("flash", "ram", "stack", "instructions")
    },
    "--name": [("analyze", "{novelty} --name a --name b", "2 names for 1 models")],
    "--no-clean-up": [("analyze", "{mlir} --no-clean-up all", "--no-clean-up has no effect")],
    "--opt": [
        ("compile", "{novelty} --emit c --opt s", PROJECT),
        ("compile", "{novelty} -o {out} --opt s", "--opt goes with an emulated processor"),
        ("run", "{novelty} --opt s", "--opt goes with an emulated processor"),
        ("verify", "{novelty} --opt s", "--opt goes with an emulated processor"),
        ("profile", "{novelty} --from {csv} --opt s", "what the board measured: --opt has no effect"),
        ("fit", "{novelty} --board {board} --opt s", "no code is compiled for it: --opt has no effect"),
    ],
    "--optimize": [
        ("run", "{novelty} --optimize beauty", "objective 'beauty' is not available"),
        ("run", "{mlir} --optimize ram", "the operators that run row by row: --optimize ram has no effect"),
    ],
    "--pareto": [("analyze", "{novelty} --pareto", "--pareto compares what a processor takes")],
    "--schedules": [
        ("compile", "{novelty} -o {out} --schedules {csv}", "nothing is chosen by measurements here: --schedules")
    ],
    **{
        f"--{name}": [("tune", f"--merge {{csv}} --schedules {{out}} --{name} {value}", "there is no MODEL to search")]
        for name, value in (("trials", "9"), ("scheduler", "tcp://host:1"))
    },
    "--cost": [
        ("tune", "--merge {csv} --schedules {out} --cost cycles", "there is no MODEL to search"),
        ("tune", "{novelty} --target cortex-m4 --schedules {out} --runner a{{elf}} --cost cycles", "the runner says"),
    ],
    "--jobs": [
        ("tune", "--merge {csv} --schedules {out} --jobs 2", "there is no MODEL to search"),
        ("tune", "{novelty} --target cortex-m4 --schedules {out} --scheduler tcp://a:1 --jobs 2", "the cluster says"),
    ],
    "--runner": [
        ("tune", "--merge {csv} --schedules {out} --runner a{{elf}}", "there is no MODEL to search"),
        ("tune", "{novelty} --target cortex-m4 --schedules {out} --runner a", "does not say where the firmware goes"),
        (
            "tune",
            "{novelty} --target cortex-m4 --schedules {out} --runner a{{elf}} --scheduler tcp://a:1",
            "a runner is a program of this machine",
        ),
    ],
    "--runner-seconds": [
        ("tune", "{novelty} --target cortex-m4 --schedules {out} --runner-seconds 3", "there is no --runner"),
    ],
    "--schedule-flash": [
        ("compile", "{novelty} -o {out} --schedule-flash 9", "nothing is chosen by flash here"),
        (
            "analyze",
            "{novelty} --target cortex-m4 --optimize size --schedule-flash 9",
            "nothing is chosen by flash here",
        ),
    ],
    "--schedule-ram": [
        ("compile", "{novelty} -o {out} --schedule-ram 9", "there are no schedules here"),
        ("analyze", "{novelty} --schedule-ram 9", "there are no schedules here"),
    ],
    "--ram-price": [
        ("compile", "{novelty} -o {out} --optimize ram --ram-price 9", "no rows are weighed against instructions"),
        ("analyze", "{novelty} --target cortex-m4 --ram-price 9", "no rows are weighed against instructions"),
        (
            "compile",
            "{novelty} -o {out} --target cortex-m4 --optimize ram --rows on --ram-price 9",
            "no rows are weighed against instructions",
        ),
    ],
    "--recompute": [
        ("compile", "{novelty} -o {out} --recompute 9", "no order of rows is chosen here"),
        ("analyze", "{novelty} --rows off --recompute 9", "no order of rows is chosen here"),
    ],
    "--winograd": [
        ("compile", "{novelty} -o {out} --winograd", "no convolution is transformed here"),
        ("analyze", "{novelty} --target cortex-m4 --optimize size --winograd", "no convolution is transformed here"),
        ("run", "{novelty} --target cortex-m0plus --winograd", "no convolution is transformed here"),
        ("compile", "{novelty} -o {out} --target cortex-m55 --winograd", "no convolution is transformed here"),
    ],
    "--planner-seconds": [
        (verb, f"{what} --planner-seconds 3", "does not search: --planner-seconds has no effect")
        for verb, what in (
            ("analyze", "{novelty} --usmp-algorithm best_fit"),
            ("compile", "{novelty} -o {out} --usmp-algorithm greedy-by-size"),
            ("run", "{novelty} --usmp-algorithm hill_climb"),
            ("plan", "{csv} --algorithm greedy_by_conflicts"),
        )
    ],
    "--poison": [("analyze", "{novelty} --explain-peak --poison", "explains the plan without them")],
    "--repeat": [("run", "{novelty} --target cortex-m4 --repeat 3", "--repeat has no effect")],
    "--rows": [
        (verb, f"{{mlir}}{where} --rows {rows}", "the operators that run row by row: --rows has no effect")
        for verb, where, rows in (("analyze", "", "auto"), ("compile", " -o {out}", "on"))
    ],
    "--row-segment": [
        ("analyze", "{mlir} --row-segment 0-1", "the operators that run row by row: --row-segment has no effect"),
        ("compile", "{digits} -o {out} --row-segment 3-1", "row segment '3-1' is no range of operators"),
        ("compile", "{digits} -o {out} --row-segment 40-41", "no operator has a number from 40 to 41"),
        ("compile", "{digits} -o {out} --row-segment 0-1 --rows auto", "does not go with --rows auto"),
        ("compile", "{novelty} {novelty} --name a --name b -o {out} --row-segment 0-1", "goes with one model"),
    ],
    "--misra-report": [("compile", "{novelty} --emit c --misra-report", PROJECT.format("--report misra"))],
    "--sbom": [("compile", "{novelty} --emit c --sbom", PROJECT.format("--report sbom"))],
    "--seed": [
        ("run", "{novelty} --input {x} --seed 3", "no input is random where --input is given: --seed has no effect"),
        ("profile", "{novelty} --target cortex-m4 --input {x} --seed 3", "--seed has no effect"),
    ],
    "--shim": [("compile", "{novelty} --emit c --shim table", PROJECT)],
    "--state-pool": [("analyze", "{novelty} --state-pool kept", "state pool 'kept' has no effect")],
    "--stream-input": [
        ("analyze", "{mlir} --stream-input image", "the operators that run row by row: --io stream has no effect"),
        ("compile", "{novelty} -o {out} --stream-input image", "--io stream: input 'image' is not available"),
        ("compile", "{digits} -o {out} --stream-input image --rows auto", "does not go with --rows auto"),
        ("compile", "{novelty} {novelty} --name a --name b -o {out} --stream-input pixels", "goes with one model"),
    ],
    "--svg": [("analyze", "{novelty} --svg {out} --html {out}", "--svg and --html both name")],
    "--target": [
        ("tune", "{novelty} --target host", "candidates run on an emulated processor"),
        ("compile", "{novelty} --emit c --target host", PROJECT),
        ("analyze", "{novelty} --target host", "memory is planned alike wherever plain C99 runs"),
        ("profile", "{novelty} --from {csv} --target cortex-m4", "what the board measured: --target has no effect"),
        ("profile", "{novelty} --target host", "instructions are counted on an emulated processor"),
    ],
    "--tolerance": [
        ("verify", "{novelty} --tolerance 0.1", "integers, which are compared exactly: --tolerance has no")
    ],
    "--weights": [
        ("compile", "{novelty} --emit c --weights incbin", PROJECT),
        ("compile", "{novelty} -o {out} --weights incbin --constant-pool c", "is for constants outside pools"),
        ("run", "{novelty} --weights binary --interface ai", "--interface ai builds them in"),
        ("compile", "{novelty} -o {out} --weights binary --builtin-pools", "--builtin-pools builds them in"),
    ],
    "--verbose": [("run", "{novelty} -q -v", "contradict")],
}
"""Options that can be idle: verb, arguments and words of the refusal, for every situation."""
ALWAYS = {
    "--config": "its keys are options",
    "--constant-pool --workspace-pool --pool-file --pin": "decides pools; a pin that fits nothing is refused",
    "--align": "decides where buffers begin; what fits no buffer is refused",
    "--merge --export": "reads or writes a file",
    "--explain-peak --html --trace --flame-graph --output-dir --output-file": "asks for something more to be written",
    "--input --samples --from": "decides what is run, or that nothing is",
    "--input-released-callback --interface": "is in the code of every model; an interface refuses what it cannot say",
    "--overlap --views --workspace-io --usmp-algorithm --algorithm": "has a value for every model",
    "--manifest --pool --budget": "decides what a program is compared with, or pools; what is not planned is refused",
    "--io --max --planner --report --spend": "is other options of these tables",
    "--profile-hooks": "is in the code of every model; an interface refuses it that has no place for it",
    "--quiet --help": "is about the verb itself",
    "--signature": "names what is compiled, if it exists",
}
"""Options that mean something in every situation, and why."""


@pytest.mark.parametrize(
    ("option", "verb", "arguments", "words"), [(option, *case) for option in IDLE for case in IDLE[option]]
)
def test_options_without_effect_are_refused(
    option: str, verb: str, arguments: str, words: str, files: dict[str, str]
) -> None:
    done = CliRunner().invoke(main, [verb, *arguments.format(**files).split()])
    assert done.exit_code == 2, done.output
    assert done.stdout == "" or json.loads(done.stdout)["error"]["exit_code"] == 2
    assert words.format(option) in " ".join(done.stderr.split())
    assert not Path(files["out"]).exists()


def test_every_option_of_every_verb_is_in_one_of_the_tables() -> None:
    always = {option for options in ALWAYS for option in options.split()}
    known = {
        (max(parameter.opts, key=len), verb)
        for verb in VERBS
        if (command := main.get_command(click.Context(main), verb)) is not None
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }
    assert {option for option, _ in known} == (set(IDLE) | always) - {"--help"}
    assert {(option, verb) for option, cases in IDLE.items() for verb, *_ in cases} <= known
    assert not set(IDLE) & always


def test_a_seed_is_not_negative() -> None:
    result = CliRunner().invoke(main, ["run", MODEL, "--seed", "-1"])
    assert result.exit_code == 2
    assert "-1 is not in the range" in result.stderr


def test_a_pin_that_fits_nothing_names_close_tensors(tmp_path: Path) -> None:
    arguments = ("-o", str(tmp_path / "d"), "--workspace-pool", "sram", "--pin", "pixelss=sram")
    code, _, err = invoke(*arguments)
    assert code == 1
    assert "pixelss" in err
    assert "pixels" in err.replace("pixelss", "")
    assert "expected" not in err
