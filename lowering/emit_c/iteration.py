"""Values that meet at loops and branches, in C variables.

Wherever `scf` passes values on (into a loop, round it, out of it, out of a branch) they are assigned to a variable at
the end of the way they come, and loaded where they arrive. No other operation stands between, so that any variable of
the type will do that is not used twice in one passage. Choosing one that holds the value already saves the copy:
`for (...) for (...) acc = acc + ...;` needs one `acc`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import emitc
from .builder import Builder
from .liveness import Liveness
from .types import lvalue


class Variables:
    """The variables of one function that values are passed on in."""

    def __init__(self, build: Builder):
        self._build = build
        self._liveness = Liveness()
        self._holder: dict[SSAValue, SSAValue] = {}
        self._loads: dict[SSAValue, list[SSAValue]] = {}
        self._contents: dict[SSAValue, frozenset[SSAValue]] = {}
        self.destinations: dict[Block, Sequence[SSAValue]] = {}
        """The variables that the operands of a block's `scf.yield` are passed on in."""

    def holder(self, value: SSAValue) -> SSAValue | None:
        """The variable from which a C value was loaded."""
        return self._holder.get(value)

    def choose(
        self,
        op: Operation,
        type: Attribute,
        candidates: Sequence[SSAValue | None],
        taken: Sequence[SSAValue],
        inside: bool,
    ) -> SSAValue | None:
        """A candidate whose values are all dead once `op` has begun (`inside`) or ended."""
        for variable in candidates:
            if variable is None or variable in taken or variable.type != lvalue(type):
                continue
            if not any(self._liveness.is_live(value, op, inside=inside) for value in self._loads[variable]):
                return variable
        return None

    def declare(self, type: Attribute, initial: SSAValue | None, name: str | None) -> SSAValue:
        """A new variable; with `initial`, one that holds it."""
        attribute = None
        if initial is not None and isinstance(initial.owner, emitc.ConstantOp):
            attribute = initial.owner.value
        variable = self._build.variable(type, attribute)
        variable.name_hint = name
        self._loads[variable] = []
        if initial is not None:
            if attribute is None:
                self._build.assign(variable, initial)
            self._contents[variable] = frozenset((initial,))
        return variable

    def holds(self, variable: SSAValue, value: SSAValue) -> bool:
        """True if the variable is known to have this value at this point."""
        return value in self._contents.get(variable, ())

    def assign(self, variable: SSAValue, value: SSAValue) -> None:
        """Assign, unless the variable holds the value."""
        if not self.holds(variable, value):
            self._build.assign(variable, value)
            self._contents[variable] = frozenset((value,))

    def load(self, variable: SSAValue, arriving: SSAValue) -> SSAValue:
        """The C value that arrives in a variable for the SSA value `arriving`."""
        value = self._build.load(variable)
        value.name_hint = arriving.name_hint or variable.name_hint
        self._holder[value] = variable
        self._loads[variable].append(arriving)
        self._contents[variable] = self._contents.get(variable, frozenset()) | {value}
        return value

    def contents(self) -> dict[SSAValue, frozenset[SSAValue]]:
        """Return what all variables hold, to come back to."""
        return dict(self._contents)

    def restore(self, contents: dict[SSAValue, frozenset[SSAValue]]) -> None:
        """Return to the beginning of another branch."""
        self._contents = dict(contents)

    def merge(self, contents: dict[SSAValue, frozenset[SSAValue]]) -> None:
        """Continue where two ways meet: known is what both know."""
        self._contents = {
            variable: values & contents[variable] for variable, values in self._contents.items() if variable in contents
        }

    def forget(self) -> None:
        """Begin or leave code that runs any number of times."""
        self._contents = {}
