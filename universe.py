"""What stock `xdsl-opt` finds through the plugin entry point: dialects, passes, targets.

Factories import inside: `xdsl-opt` starts without loading anything that the command line does not ask for.
"""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from .dialects import emitc as emitc  # adds upstream's operations to xDSL's own dialect, before anything is parsed


def get_fx() -> Dialect:
    from .dialects.fx import Fx

    return Fx


def get_nn() -> Dialect:
    from .dialects.nn import Nn

    return Nn


def get_pool() -> Dialect:
    from .dialects.pool import Pool

    return Pool


def get_emit_c() -> type[ModulePass]:
    from .lowering.emit_c import EmitCPass

    return EmitCPass


def get_form_expressions() -> type[ModulePass]:
    from .transforms.form_expressions import FormExpressionsPass

    return FormExpressionsPass


def get_lower_fx() -> type[ModulePass]:
    from .lowering.fx import LowerFxPass

    return LowerFxPass


def get_lower_nn() -> type[ModulePass]:
    from .lowering.nn import LowerNnPass

    return LowerNnPass


def get_c() -> type[Target]:
    from .targets.c import CTarget

    return CTarget


UNIVERSE = Universe(
    all_dialects={"fx": get_fx, "nn": get_nn, "pool": get_pool},
    all_passes={
        "emit-c": get_emit_c,
        "form-expressions": get_form_expressions,
        "lower-fx": get_lower_fx,
        "lower-nn": get_lower_nn,
    },
    all_targets={"c": get_c},
)
