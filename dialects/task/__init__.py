"""The `task` dialect: what an operator computes at each point of a domain, apart from the order of the points.

A function's body holds tasks between the `nn` level and loops; `lower-tasks` makes loops of them, by their schedules.
"""

from xdsl.ir import Dialect

from .domain import DimsAttr
from .join import JoinOp
from .nest import NestOp
from .ops import IndexOp, TapsOp, YieldOp
from .schedule import ScheduleAttr
from .step import KNOWN
from .steps import ELSEWHERE, STEPS

Task = Dialect("task", [NestOp, JoinOp, IndexOp, TapsOp, YieldOp], [DimsAttr, ScheduleAttr])
KNOWN.update({step.keyword: step for step in STEPS} | ELSEWHERE)
