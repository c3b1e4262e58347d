"""What an equal call of the same turn was told before, where one is enough.

Pure. Must not know how a tool is run, or what its arguments mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.thinking.conversation import Asked, error_code
from bot.thinking.tool_arguments import Arguments, canonical, parse_arguments
from tools.definition import ToolDefinition


def first_result(
    earlier: Sequence[Asked], asked: Asked, tools: Mapping[str, ToolDefinition], arguments: Arguments
) -> str | None:
    """The result to tell again instead of carrying out a call, or None. A read is not repeated until something may have
    changed; a write that comes again in a later round was asked for by a model that lost count. Equal writes in one
    answer are several wishes."""
    name = asked.call.name
    if tools[name].read_only:
        comparable = earlier[_last_write(earlier, tools) :]
    else:
        comparable = [each for each in earlier if each.round < asked.round]
    wish = canonical(arguments)
    equal = (each for each in comparable if each.call.name == name and _succeeded(each) and _wish(each) == wish)
    return next((each.result for each in equal), None)


def _last_write(calls: Sequence[Asked], tools: Mapping[str, ToolDefinition]) -> int:
    """The number of the last call that may have changed something, or 0."""
    known = [(each.number, tools.get(each.call.name)) for each in calls]
    return max((number for number, tool in known if tool and not tool.read_only), default=0)


def _succeeded(earlier: Asked) -> bool:
    return earlier.result is not None and error_code(earlier.result) is None


def _wish(earlier: Asked) -> str:
    return canonical(parse_arguments(earlier.call.arguments))
