"""Who may wait: what works for nobody who stands at the door lets others go first.

Set in the context of a task, it holds for everything that the task does and begins: on the event loop, and on the
threads of the store. Must not know what is done, or by whom.
"""

from __future__ import annotations

from contextvars import ContextVar
from weakref import WeakSet

MAY_WAIT: ContextVar[bool] = ContextVar("may_wait", default=False)
"""Whether what is done here lets go first whoever may not wait."""

HURRIED: WeakSet[object] = WeakSet()
"""What threads are just doing for those who may not wait. Python runs one thread at a time: whoever may wait and uses
the processor meanwhile holds them up."""
