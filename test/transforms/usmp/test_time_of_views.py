"""Views: the plans that are only compared search for no longer than a few plans, however many there are."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from stillpool.transforms.usmp.placing import views
from stillpool.transforms.usmp.placing.plan_pass import Outcome, UsmpPlanPass


@pytest.mark.parametrize("count", [1, 3, 8, 32, 100])
def test_trials_share_the_search(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []
    sizes = iter(range(1000))

    def outcome(self: UsmpPlanPass, module: ModuleOp, known: object = None) -> Outcome:
        seconds.append(self.seconds)
        return Outcome(True, {"workspace": next(sizes)})

    monkeypatch.setattr(UsmpPlanPass, "outcome", outcome)
    monkeypatch.setattr(UsmpPlanPass, "if_no_larger", outcome)
    monkeypatch.setattr(views, "provable", lambda module: range(count))
    monkeypatch.setattr(views, "candidates", lambda module: [None] * count)
    monkeypatch.setattr(views, "rewrite", lambda module, chosen: True)
    views.UsmpViewsPass(seconds=2.0).apply(Context(), ModuleOp([]))
    assert len(seconds) == 2 + min(count, views.MOST_TRIALS)
    assert sum(seconds) <= 2.5 * 2.0
