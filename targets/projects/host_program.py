"""A program for the build machine that runs a model on arrays in files and times it."""

from __future__ import annotations

from ..interfaces.interface import Interface

_HEAD = """\
/* usage: program SAMPLES REPEATS INPUT-FILE... OUTPUT-FILE...
 *
 * Every file holds SAMPLES arrays one after the other, raw, in the model's order. All samples run 1 + REPEATS times,
 * from the same state; the nanoseconds of the runs go to standard output, one per line. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

"""

_CLOCK = """\
static double now(void)
{
#if defined(CLOCK_MONOTONIC)
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
#else
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
#endif
}

static FILE *opened(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

static void need(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s failed\\n", what);
        exit(2);
    }
}

"""


def host_program(interface: Interface) -> str:
    """C99 text of the program; it needs the model's header, source and data, and POSIX or a C99 `clock`."""
    model, caller = interface.model, interface.caller
    files = len(model.inputs) + len(model.outputs)
    lines = [
        "int main(int argc, char **argv)",
        "{",
        f"    FILE *files[{max(files, 1)}];",
        "    long samples, repeats, sample, repeat;",
        "    int i;",
        *(f"    {statement}" for statement in caller.setup()),
        f'    need(argc == {files + 3}, "reading the arguments");',
        "    samples = strtol(argv[1], NULL, 10);",
        "    repeats = strtol(argv[2], NULL, 10);",
        f"    for (i = 0; i < {files}; ++i) {{",
        f'        files[i] = opened(argv[i + 3], i < {len(model.inputs)} ? "rb" : "wb");',
        "    }",
        "    for (repeat = 0; repeat <= repeats; ++repeat) {",
        *(f"        {statement}" for statement in caller.reset()),
        f"        for (i = 0; i < {len(model.inputs)}; ++i) {{" if model.inputs else "",
        "            rewind(files[i]);" if model.inputs else "",
        "        }" if model.inputs else "",
        "        for (sample = 0; sample < samples; ++sample) {",
        "            double start;",
        "            int32_t code;",
        *(f"            {statement}" for statement in caller.other_slot()),
    ]
    for index, tensor in enumerate(model.inputs):
        read = f"fread({caller.elements('input', tensor)}, {caller.size('input', tensor)}, 1, files[{index}]) == 1"
        lines.append(f'            need({read}, "reading inputs");')
    lines += [
        "            start = now();",
        f"            code = {caller.call()};",
        '            printf("%.0f\\n", now() - start);',
        '            need(code == 0, "running the network");',
    ]
    for index, tensor in enumerate(model.outputs, len(model.inputs)):
        write = f"fwrite({caller.elements('output', tensor)}, {caller.size('output', tensor)}, 1, files[{index}]) == 1"
        lines.append(f'            need(repeat != repeats || {write}, "writing outputs");')
    lines += [
        "        }",
        "    }",
        f"    for (i = 0; i < {files}; ++i) {{",
        '        need(fclose(files[i]) == 0, "closing a file");',
        "    }",
        "    return 0;",
        "}",
    ]
    include = f'#include "{caller.include}"\n\n'
    body = "".join(f"{line}\n" for line in lines if line)
    return "".join((_HEAD, include, caller.storage(), "\n", _CLOCK, body))
