"""Options of passes that are one of several words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec


@dataclass(frozen=True)
class PassWithChoices(ModulePass):
    """A pass with options of type `Literal[...]`: xDSL answers a wrong word with the name of a Python type."""

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Make the pass as xDSL does.

        Raises:
            ValueError: an option is none of its words; says which there are.
        """
        given = spec.normalize_parameter_names().parameters
        for option, kind in get_type_hints(cls).items():
            choices: tuple[Any, ...] = get_args(kind) if get_origin(kind) is Literal else ()
            values = given.get(option)
            if choices and values is not None and (len(values) != 1 or values[0] not in choices):
                text = ",".join(str(value) for value in values)
                raise ValueError(f"{cls.name}: {option}={text} is none of {', '.join(choices)}")
        return super().from_spec(spec)
