"""What constants behind the operands of tasks are, and what they prove: one analysis for all who rewrite tasks."""

from .constants import PACKED, SCALED, Constants, Elements, Numbers, Use
from .elements import elements
from .products import ConstantFactor, largest_sum, sums_between
from .starts import Scaling, plain_start, starts_are_own, starts_of_elements, with_added

__all__ = [
    "PACKED",
    "SCALED",
    "ConstantFactor",
    "Constants",
    "Elements",
    "Numbers",
    "Scaling",
    "Use",
    "elements",
    "largest_sum",
    "plain_start",
    "starts_are_own",
    "starts_of_elements",
    "sums_between",
    "with_added",
]
