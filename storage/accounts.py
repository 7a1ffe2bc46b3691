"""Who may come in: accounts with their one-time links, and the tokens of programs. Secrets are kept as hashes only."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update

from storage.database import Repository, has_id, insert_or, to_record
from storage.errors import InvalidInputError
from storage.tables import accounts, api_tokens, clean

LINK_LASTS = timedelta(days=7)
_NAME = re.compile(r"\w[\w.@+-]{0,63}")
_LABEL_CHARACTERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody who may sign in; their name is the user_id of all that is kept about them."""

    name: str
    is_teacher: bool
    password_hash: str | None
    password_set_at: datetime | None
    link_expires_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A program's key to one learner's tutor."""

    id: int
    user_id: str
    label: str
    created_at: datetime


def account_name(text: str) -> str:
    """A name as it is kept: whoever writes it in capitals is the same person."""
    name = unicodedata.normalize("NFKC", text).strip().lower()
    if not _NAME.fullmatch(name):
        raise InvalidInputError(
            "A name has 1 to 64 letters, digits or . _ @ + - and begins with a letter or a digit."
        )
    return name


def hash_of(secret: str) -> str:
    """Links and tokens are long and random, so a plain hash is enough; passwords have a slow one of their own."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Accounts(Repository):
    """All accounts of this installation: its learners are one class, and its teachers see all of it."""

    async def add(
        self, name: str, *, is_teacher: bool, link: str, expires_at: datetime, now: datetime
    ) -> Account:
        """A new account without a password: whoever has the link sets it."""
        values = {
            "name": account_name(name),
            "is_teacher": is_teacher,
            "link_hash": hash_of(link),
            "link_expires_at": expires_at,
            "created_at": now,
        }
        async with self._database.write() as conn:
            statement = insert_or(conn, accounts).values(values).on_conflict_do_nothing()
            row = (await conn.execute(statement.returning(accounts))).first()
        if row is None:
            raise InvalidInputError(f"There is an account '{values['name']}' already.")
        return to_record(Account, row)

    async def renew_link(self, name: str, *, link: str, expires_at: datetime) -> Account | None:
        """Another one-time link, in the place of an older one; the password stays until it is used."""
        own = update(accounts).where(accounts.c.name == account_name(name))
        renewed = own.values(link_hash=hash_of(link), link_expires_at=expires_at)
        return await self._write(Account, renewed.returning(accounts))

    async def by_link(self, link: str, *, now: datetime) -> Account | None:
        """Whose link this is; None when it was used, has expired or never was one."""
        own = select(accounts).where(accounts.c.link_hash == hash_of(link), accounts.c.link_expires_at > now)
        return await self._first(Account, own)

    async def use_link(self, link: str, *, password_hash: str, now: datetime) -> Account | None:
        """Set the password, and the link is gone; None when it was no longer one."""
        return await self._write(
            Account,
            update(accounts)
            .where(accounts.c.link_hash == hash_of(link), accounts.c.link_expires_at > now)
            .values(password_hash=password_hash, password_set_at=now, link_hash=None, link_expires_at=None)
            .returning(accounts),
        )

    async def get(self, name: str) -> Account | None:
        return await self._first(Account, select(accounts).where(accounts.c.name == name))

    async def all(self) -> Sequence[Account]:
        """Everybody, by name."""
        return await self._all(Account, select(accounts).order_by(accounts.c.name))

    async def remove(self, name: str) -> bool:
        """Close an account and its tokens; what was learnt stays. False when there is none."""
        async with self._database.write() as conn:
            await conn.execute(delete(api_tokens).where(api_tokens.c.user_id == name))
            return (await conn.execute(delete(accounts).where(accounts.c.name == name))).rowcount > 0


class Tokens(Repository):
    """The tokens of all learners; each is listed and removed in its learner's name only."""

    async def add(self, user_id: str, *, token: str, label: str, now: datetime) -> AccessToken:
        values = {
            "user_id": user_id,
            "token_hash": hash_of(token),
            "label": clean(label).strip()[:_LABEL_CHARACTERS],
            "created_at": now,
        }
        async with self._database.write() as conn:
            row = (await conn.execute(insert(api_tokens).values(values).returning(api_tokens))).one()
        return to_record(AccessToken, row)

    async def owner(self, token: str) -> str | None:
        """Whose token it is."""
        found = await self._first(
            AccessToken, select(api_tokens).where(api_tokens.c.token_hash == hash_of(token))
        )
        return found.user_id if found else None

    async def of(self, user_id: str) -> Sequence[AccessToken]:
        statement = select(api_tokens).where(api_tokens.c.user_id == user_id)
        return await self._all(AccessToken, statement.order_by(api_tokens.c.id))

    async def remove(self, token_id: int, *, user_id: str) -> bool:
        """False when this learner has no such token."""
        own = delete(api_tokens).where(has_id(api_tokens, token_id), api_tokens.c.user_id == user_id)
        return await self._write(AccessToken, own.returning(api_tokens)) is not None
