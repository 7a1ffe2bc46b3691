"""How long the tutor waits in tests: as in life, a hundred times faster."""

from agents.plugins.serialise import SerialisePlugin
from agents.services import Books
from tests.support.talk import Learner


def impatient(learner: Learner, *, seconds: float = 0.05, rest: float = 0.0) -> Learner:
    """A learner whose tutor waits hardly at all for a database, and tries again at once."""
    books: Books = learner.services.books
    books._seconds, books.outage.rest = seconds, rest
    serialise(learner).sessions.outage.rest = rest
    return learner


def serialise(learner: Learner) -> SerialisePlugin:
    [plugin] = [each for each in learner.app.plugins if isinstance(each, SerialisePlugin)]
    return plugin
