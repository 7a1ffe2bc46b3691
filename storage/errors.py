"""Every failure that a person can act on.

TutorError
├── ConfigurationError        the operator: a setting is wrong
│   └── ForeignIndexError     the operator: the index's place is taken by something that is not ours
├── StorageError              the operator: the database cannot be read or written
├── InvalidInputError         whoever typed it: the message says what to type instead
├── DocumentError             the course author: one file cannot be read
│   └── WordlessDocumentError nobody: a page of pictures, say
├── QdrantConnectionError     the operator: the index server does not answer
└── CohereAPIError            the operator: the embedding service refuses or does not answer

Messages are for people: the cause and the next step, no traceback, no secret.
"""


class TutorError(Exception):
    """Base of all failures that are reported rather than raised to the top."""


class ConfigurationError(TutorError):
    """A setting is missing, misspelt or out of its range."""


class ForeignIndexError(ConfigurationError):
    """Where the index should be is something that this program did not make, and so never deletes."""


class StorageError(TutorError):
    """The database cannot be opened, read or written; `cause` is half a sentence for whoever only wants to know why."""

    def __init__(self, message: str, *, cause: str = "the database cannot be written") -> None:
        super().__init__(message)
        self.cause = cause


class InvalidInputError(TutorError):
    """The request itself cannot be served; asking differently helps."""


class DocumentError(TutorError):
    """One document of a course cannot be read."""


class WordlessDocumentError(DocumentError):
    """A document that is in order but has no words to learn from, only perhaps a title."""

    def __init__(self, *, title: str = "") -> None:
        super().__init__("has no text to learn from; add some, or leave it out of the course")
        self.title = title


class QdrantConnectionError(TutorError):
    """The Qdrant server cannot be reached or refuses the request."""


class CohereAPIError(TutorError):
    """The Cohere service refuses the request or does not answer."""
