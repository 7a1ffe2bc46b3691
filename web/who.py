"""Who is visiting: every page asks here, and nowhere else. The gate (web.access) has found it out before."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A person at the door; `user_id` is whose record is read and written."""

    user_id: str
    name: str = ""
    is_teacher: bool = False


LOCAL = Visitor(user_id="user", is_teacher=True)  # on loopback there is one person, and it is theirs


class TurnedAwayError(Exception):
    """What somebody may not do, in words for them; shown as a page, or as JSON to a program."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


async def visitor(request: Request) -> Visitor:
    """Whoever the gate let in."""
    found: Visitor | None = request.state.visitor
    if found is None:
        raise TurnedAwayError(401, "Please sign in first.")
    return found


Someone = Annotated[Visitor, Depends(visitor)]


async def teacher(who: Someone) -> Visitor:
    """A teacher, who sees the class and changes the courses."""
    if not who.is_teacher:
        raise TurnedAwayError(403, "This is for teachers. What you learn is on your own pages.")
    return who


Teacher = Annotated[Visitor, Depends(teacher)]
