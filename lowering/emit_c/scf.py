"""The `scf` dialect: loops and branches. How values are passed through them is told in `iteration`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Block, Region, SSAValue

from ...dialects import emitc
from .comments import put_comment
from .hints import expected
from .index_bounds import everything
from .lowering import Lowering, Patterns
from .passing import arrive, enter, leave, pass_on
from .types import c_type, unsigned
from .unpack_points import keep_rolled
from .walk import Walk, begin_sum_walks, begin_walks


def _for(op: scf.ForOp, at: Lowering) -> None:
    build, variables = at.build, at.variables
    put_comment(op, at)
    source = op.body.block
    counter, *arguments = source.args
    lower, upper, step = at.value(op.lb), at.value(op.ub), at.value(op.step)
    carried = enter(op, op.iter_args, arguments, at)
    begin_walks(op, at)
    walks = begin_sum_walks(op, at)
    if _may_pass_the_end(op, at):
        body = _by_rounds(op, at)
    else:
        body = Block(arg_types=[c_type(counter.type)])
        body.args[0].name_hint = counter.name_hint
        keep_rolled(op, at)
        build.add(emitc.ForOp(lower, upper, step, Region(body)))
        at.define(counter, body.args[0])
    variables.forget()
    _body(source, body, arguments, carried, carried, at, walks)
    variables.forget()
    arrive(carried, op.res, at)


def _may_pass_the_end(op: scf.ForOp, at: Lowering) -> bool:
    """Whether the counter, when the step is added for the last time, may leave the 32 bits of an index."""
    if not isinstance(op.lb.type, IndexType):
        return False
    return at.bounds.of(op.ub).most - 1 + at.bounds.of(op.step).most > everything(op.lb.type).most


def _by_rounds(op: scf.ForOp, at: Lowering) -> Block:
    """Begin a loop that counts its rounds: `(upper - lower - 1) / step + 1` of them, all unsigned."""
    build, counter, word = at.build, op.body.block.args[0], unsigned(i32)
    lower, upper = at.value(op.lb), at.value(op.ub)
    first, end, step = (build.cast(at.value(bound), word) for bound in (op.lb, op.ub, op.step))
    zero, one = build.constant(0, word), build.constant(1, word)
    last = build.binary("-", build.binary("-", end, first, word), one, word)
    count = build.binary("+", build.binary("/", last, step, word), one, word)
    rounds = build.conditional(build.compare("<", lower, upper), count, zero)
    rounds.name_hint = "rounds"
    body = Block(arg_types=[word])
    body.args[0].name_hint = "round"
    build.add(emitc.ForOp(zero, rounds, one, Region(body)))
    with at.inside(body):
        distance = build.binary("*", body.args[0], step, word)
        value = build.cast(build.binary("+", first, distance, word), i32)
        at.define(counter, value)
    return body


def _while(op: scf.WhileOp, at: Lowering) -> None:
    """`do { before; if (proceed) { after } } while (proceed);`, as C has no loop that tests in its middle."""
    build, variables = at.build, at.variables
    before, after = op.before_region.block, op.after_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp), "the first region of scf.while ends in scf.condition"
    carried = enter(op, op.arguments, before.args, at)
    results = [variables.declare(at.type(result), None, result.name_hint) for result in op.res]
    proceed = build.variable(i1)
    proceed.name_hint = "proceed"

    body, again, then = Block(), Block(), Block()
    build.add(emitc.DoOp(Region(body), Region(again)))
    variables.forget()
    with at.inside(body):
        arrive(carried, before.args, at)
        at.lower_block(before)
        test = at.value(condition.condition)
        pass_on(results, condition.args, at)
        build.assign(proceed, test)
        build.add(emitc.IfOp(test, Region(then)))
        _body(after, then, after.args, results, carried, at)
    with at.inside(again):
        holds = Block(arg_types=[proceed.type])
        loaded = emitc.LoadOp(holds.args[0])
        holds.add_ops([loaded, emitc.YieldOp(loaded.result)])
        build.add(emitc.YieldOp(build.add(emitc.ExpressionOp([proceed], Region(holds), i1)).result))
    variables.forget()
    arrive(results, op.res, at)


def _if(op: scf.IfOp, at: Lowering) -> None:
    condition = at.value(op.cond)
    sources = [region.block for region in op.regions if region.blocks]
    results = leave(op, sources if op.output else (), at)
    then, *otherwise = _branches(sources, results, at)
    if otherwise and not _is_empty(otherwise[0]):
        if _is_empty(then):
            then, otherwise, condition = otherwise[0], [], at.build.logical_not(condition)
        else:
            condition = expected(op, condition, at.build)
        at.build.add(emitc.IfOp(condition, Region(then), *(Region(block) for block in otherwise)))
    elif not _is_empty(then):
        at.build.add(emitc.IfOp(condition, Region(then)))
    arrive(results, op.output, at)


def _index_switch(op: scf.IndexSwitchOp, at: Lowering) -> None:
    selector = at.value(op.arg)
    sources = [region.block for region in (op.default_region, *op.case_regions)]
    results = leave(op, sources if op.output else (), at)
    default, *cases = _branches(sources, results, at)
    at.build.add(emitc.SwitchOp(selector, op.cases, Region(default), [Region(block) for block in cases]))
    arrive(results, op.output, at)


def _branches(sources: Sequence[Block], results: Sequence[SSAValue], at: Lowering) -> list[Block]:
    """Lower blocks of which one will run, each passing its values on in `results`."""
    variables = at.variables
    start = variables.contents()
    targets: list[Block] = []
    known = None if len(sources) > 1 else start
    for source in sources:
        variables.restore(start)
        targets.append(Block())
        _body(source, targets[-1], (), (), results, at)
        if known is not None:
            variables.merge(known)
        known = variables.contents()
    return targets


def _body(
    source: Block,
    target: Block,
    arguments: Sequence[SSAValue],
    arriving: Sequence[SSAValue],
    leaving: Sequence[SSAValue],
    at: Lowering,
    walks: Sequence[Walk] = (),
) -> None:
    """Lower a block between the variables that its arguments arrive in and those that its yield passes on.

    `walks` move on at its end.
    """
    at.variables.destinations[source] = leaving
    with at.inside(target):
        arrive(arriving, arguments, at)
        pass_on(leaving, at.lower_block(source).operands, at)
        for walk in walks:
            walk.end(at)
        at.build.add(emitc.YieldOp())


def _is_empty(block: Block) -> bool:
    return block.first_op is block.last_op


PATTERNS: Patterns = {
    scf.ForOp: _for,
    scf.WhileOp: _while,
    scf.IfOp: _if,
    scf.IndexSwitchOp: _index_switch,
}
