"""What a `tutor` command imports sooner or later; it is imported once for all commands of the tests."""

import os

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import agents.cli
import agents.commands.doctor
import agents.services
import rag.library
import storage.database
from rag.embedders import WordLlamaEmbedder

WordLlamaEmbedder()

__all__ = ["agents", "rag", "storage"]
