"""Types of the `external` dialect."""

from __future__ import annotations

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class RunType(ParametrizedAttribute, TypeAttribute):
    """What the external functions of one run share: the handles of devices, and the first error that one returned."""

    name = "external.run"


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """That a device has been launched and must be waited for."""

    name = "external.token"
