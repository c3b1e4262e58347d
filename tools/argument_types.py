"""What arguments that several tools share look like to a model: their types, their bounds, and a word about them.

Must not know which tool has one, or what its value means.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic.config import JsonDict

from tools.arguments import read_ref

Ref = Annotated[int, BeforeValidator(read_ref), Field(ge=1, le=10**9)]
Time = Annotated[str | None, Field(max_length=100)]
Amount = float | Annotated[str, Field(max_length=40)] | None
Currency = Annotated[str | None, Field(max_length=10)]
Category = Annotated[str | None, Field(max_length=100)]
Bound = Annotated[float | None, Field(ge=0, le=10**12)]
LISTED: JsonDict = {"enum": ["{categories}"]}
Tags = Annotated[list[str] | None, Field(max_length=20)]

Repeat = Annotated[str | None, Field(max_length=200)]
Scope = Literal["this", "following"] | None
PaidBy = Annotated[
    str | None, Field(max_length=60, description="Who paid, by name, if it was not the user who writes; money only")
]
