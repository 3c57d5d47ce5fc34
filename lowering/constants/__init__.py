"""What constants behind the operands of tasks are, and what they prove: one analysis for all who rewrite tasks."""

from .constants import Constants, Elements, Numbers, Use
from .elements import elements
from .products import contributions, largest_sum, sums_between
from .starts import Scaling, plain_start, with_added

__all__ = [
    "Constants",
    "Elements",
    "Numbers",
    "Scaling",
    "Use",
    "contributions",
    "elements",
    "largest_sum",
    "plain_start",
    "sums_between",
    "with_added",
]
