"""The tools for what is remembered: create, query, update and delete records.

Validated arguments in, a small JSON object out. Must not know SQL, Notion, LINE, or which model asked. Nobody's
identity is an argument: the memory is bound to its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from tools.argument_types import LISTED, Amount, Bound, Category, Currency, PaidBy, Ref, Repeat, Scope, Tags, Time
from tools.arguments import Reader, refuse_finishing, refused
from tools.categories import DEBT, Categories
from tools.consent import deletion_waits, revision_waits
from tools.definition import Caller, ToolError, tool
from tools.doubt import Doubts, doubts_told
from tools.filing import Filing, Learn, nobody_learns
from tools.likeness import said_before
from tools.record import (
    MONEY_TYPES,
    Answer,
    CallKey,
    Change,
    Group,
    MemoryPort,
    Note,
    NothingChanged,
    PersonId,
    Record,
    RecordNotFound,
    RecordQuery,
    RecordType,
    Render,
    Result,
    Sort,
    Status,
    Total,
)
from tools.record_view import answer_told, marked, repeating, told, waiting
from tools.repeating import advanced
from tools.revision import Revision

Seen = Callable[[RecordQuery, Answer], None]
"""Hears of a question to the store, and of its answer."""


def nobody(_query: RecordQuery, _answer: Answer) -> None:
    """As a rule nobody listens."""


_NAMED_FREELY = frozenset({"category", "tag"})
"""Groups with names that somebody wrote."""


@dataclass(frozen=True, slots=True)
class RecordTools:
    """What one caller can do with the records of one owner. ``categories`` is the owner's list, ``learn`` takes what is
    to be known of it; ``seen`` is told of every question and what the store found."""

    memory: MemoryPort
    caller: Caller
    categories: Categories
    seen: Seen = nobody
    learn: Learn = nobody_learns

    @property
    def words(self) -> dict[str, str]:
        """What descriptions say of this person."""
        return {"categories": "\n".join(self.categories.names), "debt": DEBT[self.caller.home]}

    @property
    def filing(self) -> Filing:
        return Filing(self.categories, self.memory, self.learn)

    @tool
    async def create_record(  # noqa: PLR0913 - the arguments are fixed by the contract
        self,
        *,
        content: Annotated[
            str,
            Field(
                min_length=1,
                max_length=5_000,
                description="The user's own words, whole, not translated",
            ),
        ],
        type: Annotated[  # noqa: A002 - named so by the contract
            RecordType,
            Field(
                description="task: to do, or owed until paid; event: happens at a time; expense, income: need amount"
            ),
        ],
        when: Annotated[
            Time,
            Field(
                description="When it is or is due. The user's words (明天下午三點, next Friday 3pm) or ISO 8601, "
                "2026-12-01 for a whole day; a range sets until too"
            ),
        ] = None,
        until: Annotated[Time, Field(description="End of the range")] = None,
        remind_at: Annotated[Time, Field(description="When to remind, only if wished; also 提前半小時, 睡前")] = None,
        repeat: Annotated[Repeat, Field(description="Rule in the user's words (每週一三早上八點) or RRULE")] = None,
        amount: Annotated[Amount, Field(description="Expense, income only; a debt's sum stays in content")] = None,
        currency: Annotated[Currency, Field(description="ISO 4217; only if the user named one")] = None,
        category: Annotated[Category, Field(description="For money", json_schema_extra=LISTED)] = None,
        tags: Annotated[Tags, Field(description="Only tags the user gave; {debt}: somebody owes")] = None,
        paid_by: PaidBy = None,
        call: CallKey,
    ) -> Result:
        """Remember one new thing; one call each. To correct or finish what is stored use update_record.
        Example: 明天下午三點回診 -> {"content":"回診","type":"event","when":"明天下午三點"}."""
        if first := await self._done_before(call):
            return first
        read = self._reader()
        times = read.times(type, when, until, remind_at, repeat)
        money = None
        if type in MONEY_TYPES:
            if amount is None:
                raise refused("amount", f"{type} needs an amount")
            money = read.money(amount, currency)
        else:
            read.no_money(amount, currency)
        draft = replace(
            times,
            content=content,
            amount=money[0] if money else None,
            currency=money[1] if money else None,
            category=await self._filed(read, type, content, category),
            tags=read.tags(tags or ()),
            origin="others" if call.guarded else "own",
            author=self.caller.author,
            payer=self._paid_by(read, type, paid_by),
        )
        twin = await said_before(draft, self.memory, call.turn, self.caller.now)
        created = self._named("created", read.doubts(type, when, remind_at))
        render = (lambda new: repeating(new, twin, self.caller.zone, self._names)) if twin else created
        change = await self.memory.record(draft, call, render, proposed=twin is not None)
        if not call.guarded and twin is None:
            await self.filing.made(change.record)
        return change.result

    async def _filed(self, read: Reader, kind: RecordType, content: str, category: str | None) -> str | None:
        chosen = None if category is None else read.category(category)
        return await self.filing.category(content, chosen) if kind in MONEY_TYPES else chosen

    @tool
    async def query_records(  # noqa: PLR0913 - the arguments are fixed by the contract
        self,
        *,
        keyword: Annotated[
            str | None, Field(min_length=1, max_length=80, description="Word in the content, not translated")
        ] = None,
        type: RecordType | None = None,  # noqa: A002 - named so by the contract
        status: Status | None = None,
        when: Annotated[
            Time, Field(description="Day or range: the user's words (這週, last month) or 2026-11-01/2026-11-30")
        ] = None,
        category: Annotated[Category, Field(description="As in create_record")] = None,
        tags: Annotated[Tags, Field(description="All of these; {debt}: who owes whom")] = None,
        min_amount: Bound = None,
        max_amount: Bound = None,
        sort: Annotated[Sort | None, Field(description="- is descending")] = None,
        limit: Annotated[int, Field(ge=1, le=20, description="Listed, 1-20, default 5")] = 5,
        total: Annotated[Total | None, Field(description="Per currency; net = income - expense")] = None,
        group_by: Annotated[Group | None, Field(description="Splits total or count")] = None,
    ) -> Result:
        """Find, count or add up stored records, or learn a ref. All arguments narrow.
        Example: 上個月花多少 -> {"type":"expense","when":"上個月","total":"amount"}."""
        read = self._reader()
        query = RecordQuery(
            keyword=keyword,
            type=type,
            status=status,
            span=None if when is None else read.span(when, type),
            category=category and (await self.filing.asked_for(category) or read.category(category)),
            tags=read.tags(tags or ()),
            amounts=read.bounds(min_amount, max_amount),
            sort=sort or ("when" if when is not None else "-created"),
            limit=limit,
            total=total or ("count" if group_by else None),
            group_by=group_by or ("type" if total == "amount" and type is None else None),
        )
        return await self._answer(query)

    async def _answer(self, query: RecordQuery) -> Result:
        answer = await self.memory.query(query)
        self.seen(query, answer)
        mixed = query.group_by in _NAMED_FREELY and await self._has_words_of_others(query)
        return answer_told(answer, self.caller.zone, query.group_by, mixed=mixed, household=self.caller.household)

    async def _has_words_of_others(self, query: RecordQuery) -> bool:
        """The names of groups are words of all that matches, also of what is not listed."""
        theirs = replace(query, origin="others", limit=0, total="count", group_by=None)
        return (await self.memory.query(theirs)).matched > 0

    @tool
    async def update_record(  # noqa: PLR0913 - the arguments are fixed by the contract
        self,
        *,
        ref: Ref,
        content: Annotated[str | None, Field(max_length=5_000, description="The whole new content")] = None,
        type: RecordType | None = None,  # noqa: A002 - named so by the contract
        when: Annotated[Time, Field(description="A day alone drops the hour; an hour alone keeps the day")] = None,
        until: Time = None,
        remind_at: Time = None,
        repeat: Repeat = None,
        scope: Annotated[Scope, Field(description="Of what repeats; following: from now on")] = None,
        amount: Amount = None,
        currency: Currency = None,
        category: Category = None,
        tags: Annotated[Tags, Field(description="Replaces all tags")] = None,
        status: Annotated[Status | None, Field(description="cancelled: will not happen")] = None,
        add_note: Annotated[str | None, Field(max_length=5_000)] = None,
        paid_by: PaidBy = None,
        call: CallKey,
    ) -> Result:
        """Change one stored record: correct or move it, mark it done, cancel it, add a remark. Give only what changes;
        the word remove clears a time or the category. Example: #12 做完了 -> {"ref":12,"status":"done"}."""
        if first := await self._done_before(call):
            return first
        before = await self._found(ref)
        revision = Revision(before, self._reader())
        refuse_finishing(status, type or before.type)
        said = {"content": content, "type": type, "status": status}
        fields: dict[str, object] = {name: value for name, value in said.items() if value is not None}
        fields |= revision.comes_again(type, when, until, remind_at, repeat, scope)
        fields |= revision.money(type, amount, currency)
        fields |= revision.day(type, fields)
        fields |= revision.names(category, tags)
        if paid_by is not None:
            fields["payer"] = self._paid_by(revision.reader, type or before.type, paid_by)
        if add_note is not None:
            fields["notes"] = (*before.notes, Note(self.caller.now, add_note))
        if call.guarded and revision.says_more(fields):
            fields["origin"] = "others"
        return (await self._revised(before, fields, call, revision.doubts(type, when, remind_at))).result

    async def _found(self, ref: int) -> Record:
        record = await self.memory.get(ref)
        if record is None:
            raise _not_found("ref")
        return record

    async def _revised(self, before: Record, fields: dict[str, object], call: CallKey, doubts: Doubts = ()) -> Change:
        if not fields:
            raise _nothing_changed()
        earlier = await self.memory.changes(call.turn) if call.guarded else ()
        waits = revision_waits(call, before, earlier)
        result = self._waiting if waits else self._named("updated", doubts)
        try:
            change = await self.memory.revise(before.ref, fields, call, result, proposed=waits)
        except RecordNotFound:
            raise _not_found("ref") from None
        except NothingChanged:
            raise _nothing_changed() from None
        if change.state == "done" and not call.guarded:
            await self.filing.corrected(before, change.record)
        return change

    @tool
    async def delete_record(
        self,
        *,
        ref: Ref | None = None,
        refs: Annotated[list[Ref] | None, Field(max_length=50)] = None,
        scope: Scope = None,
        call: CallKey,
    ) -> Result:
        """Delete what the user wants gone; what is finished or called off is update_record's status instead.
        Example: 刪掉 #12 -> {"ref":12}. Several wait until the user confirms."""
        if first := await self._done_before(call):
            return first
        wanted = list(dict.fromkeys([*([] if ref is None else [ref]), *(refs or [])]))
        if not wanted:
            raise refused("ref", "missing: give ref or refs")
        if len(wanted) == 1 and scope != "following" and (left := await self._left_out(wanted[0], call)):
            return left
        waits = deletion_waits(call, len(wanted), await self.memory.changes(call.turn))
        try:
            changes = await self.memory.remove(wanted, call, self._view, proposed=waits)
        except RecordNotFound as error:
            raise _not_found("ref" if error.ref == ref or not refs else f"refs.{refs.index(error.ref)}") from None
        records = [change.record for change in changes]
        if len(changes) == 1 and changes[0].state in {"done", "undone"}:
            return marked({"deleted": changes[0].result}, records)
        return waiting([change.result for change in changes], records)

    async def _left_out(self, ref: int, call: CallKey) -> Result | None:
        """Of what comes again only this time is left out, if another follows; the button offers the rest."""
        before = await self.memory.get(ref)
        fields = advanced(before, done=False) if before and before.repeat else {}
        return (await self._revised(before, fields, call)).result if before and fields else None

    async def _done_before(self, call: CallKey) -> Result | None:
        """What this very call was answered when it was carried out: its words may read otherwise by now."""
        if not call.again:
            return None
        done = (change.result for change in await self.memory.changes(call.turn) if change.key == call)
        return next(done, None)

    @property
    def _names(self) -> Mapping[PersonId, str]:
        return self.caller.household.names if self.caller.household else {}

    def _paid_by(self, read: Reader, kind: RecordType, name: str | None) -> PersonId | None:
        """None for whoever writes."""
        if name is None:
            return None
        if kind not in MONEY_TYPES:
            raise refused("paid_by", "only with type expense or income")
        return read.payer(name)

    def _reader(self) -> Reader:
        return Reader(self.caller, self.categories)

    def _view(self, record: Record) -> Result:
        return told(record, self.caller.zone, names=self._names)

    def _named(self, what: str, doubts: Doubts = ()) -> Render:
        return lambda record: marked({what: self._view(record), **doubts_told(doubts)}, [record])

    def _waiting(self, record: Record) -> Result:
        """Of an update: the record as it would be."""
        return waiting([self._view(record)], [record])


def _not_found(path: str) -> ToolError:
    return refused(path, "there is no record with this ref; find it with query_records", "not_found")


def _nothing_changed() -> ToolError:
    return ToolError("nothing_changed", "Nothing was done: the record already is as asked, or no change was given.")
