"""Mastery over the ledger; the model itself is in agents.teaching.mastery."""

from agents.teaching.evidence import Evidence, replay
from agents.teaching.mastery import (
    ConceptMastery,
    Parameters,
    TopicMastery,
    concept_mastery,
    course_mastery,
    fit,
    is_mastered,
    next_answer_probability,
    topic_mastery,
)

__all__ = [
    "ConceptMastery",
    "Evidence",
    "Parameters",
    "TopicMastery",
    "concept_mastery",
    "course_mastery",
    "fit",
    "is_mastered",
    "next_answer_probability",
    "replay",
    "topic_mastery",
]
