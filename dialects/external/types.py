"""Types of the `external` dialect."""

from __future__ import annotations

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class RunType(ParametrizedAttribute, TypeAttribute):
    """Context of the external functions of one run: the handles of devices, and the first error that one returned."""

    name = "external.run"


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """Token of a device that has been launched and must be waited for."""

    name = "external.token"
