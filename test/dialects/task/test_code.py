"""Which steps of code go together."""

from __future__ import annotations

from itertools import combinations_with_replacement

from stillpool.dialects.task.code import Code
from stillpool.dialects.task.steps import STEPS

TOGETHER = {
    "direct": {"dual"},
    "whole": {"lanes", "packed"},
    "collect": {"dual", "single", "swar", "words", "quads", "lanes", "whole", "direct"},
}
"""As docs/tasks.md says."""


def test_steps_that_go_together_are_those_that_the_documentation_names() -> None:
    code = [step for step in STEPS if issubclass(step, Code)]
    for one, other in combinations_with_replacement(code, 2):
        names = one.keyword, other.keyword
        goes = issubclass(other, one.beside) or issubclass(one, other.beside)
        assert goes == (names[1] in TOGETHER.get(names[0], ()) or names[0] in TOGETHER.get(names[1], ())), names
