"""Names of instruction sets and kernels of packages."""

from __future__ import annotations

import re

import pytest
from xdsl.utils.exceptions import PassFailedException

from stillpool.dialects.simd.kernel import HasOp
from stillpool.lowering.emit_c.kernels import needed
from stillpool.lowering.emit_c.meanings import Meanings
from stillpool.lowering.kernels import InstructionSet, Kernel


def test_a_kernel_has_a_name_without_a_dot() -> None:
    with pytest.raises(ValueError, match=r"the name of kernel fast\.dot has a dot"):
        Kernel("fast.dot", "", "")


def test_kernels_of_a_set_have_names_of_their_own() -> None:
    dot = Kernel("dot", "", "")
    with pytest.raises(ValueError, match="it has 2 kernels named dot"):
        InstructionSet("1", (dot, Kernel("row", "", ""), dot))


def test_sets_have_names_of_their_own_in_c() -> None:
    why = "acme-v1 and acme_v1 have one name in C, STILLPOOL_HAS_ACME_V1: name one of them otherwise"
    with pytest.raises(PassFailedException, match=re.escape(why)):
        needed([HasOp(set=name) for name in ("acme-v1", "acme_v1")], Meanings({}))
