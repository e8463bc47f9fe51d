"""Whether values may be written: their types and ranges, and that what they refer to holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from riftrules.engine.effects import Key
from riftrules.facts.memory import WorkingMemory, missing_ref
from riftrules.facts.types import (
    ListType,
    MapType,
    RefType,
    SetType,
    Shape,
    Type,
    Value,
    fault,
)


def refused(memory: WorkingMemory, key: Key, values: Mapping[str, Value]) -> str:
    """Why these values may not be written to the fact, in words; empty where they may.

    Frames and events may refer to what is gone.
    """
    shape: Shape = memory.shapes[key[0]]
    for name, value in values.items():
        kind = shape.fields[name]
        if value is None:
            if not kind.optional:
                return f"`{name}` of {key[0]} `{key[1]}` cannot be none"
            continue
        said = fault(value, kind.type)
        if said:
            return f"`{name}` of {key[0]} `{key[1]}`: {said}"
        missing = missing_ref(memory, value, kind.type) if not shape.keeps and _refers(kind.type) else None
        if missing:
            return f"`{name}` of {key[0]} `{key[1]}`: no {missing[0]} `{missing[1]}` holds"
    return ""


@lru_cache(maxsize=1024)
def _refers(type_: Type) -> bool:
    match type_:
        case RefType():
            return True
        case SetType(of) | ListType(of):
            return _refers(of)
        case MapType(key):
            return _refers(key)
    return False
