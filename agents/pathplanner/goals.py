"""What a learner's goals mean in terms of the course."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.pathplanner.graph import ConceptGraph, readable
from rag.terms import TermFinder, term_key, words_of

_CLOSE = 0.8
_SIMILAR = 0.6
_MOST_SUGGESTIONS = 3
_MOST_NAMED = 2
_EVERYTHING = {
    ("everything",),
    ("all",),
    ("course",),
    ("whole", "course"),
    ("entire", "course"),
    ("it", "all"),
}
_FILLER = frozenset(
    words_of(
        "i a an the to of in on for with and or my me we us you it this that is are be being how what why when "
        "where want would like need wish hope plan try trying get able can could will learn learning understand "
        "understanding know study studying master mastering teach explain help please about more better properly "
        "really good some something start begin goal do use using work working"
    )
)
_PARTS = frozenset({"module", "chapter", "lesson", "unit", "part", "section"})
_NUMBERED = re.compile(r"\b(module|chapter|lesson|unit|part|ch)\s*(\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """The concepts that the goals name, and the goals that the course does not know."""

    concepts: tuple[str, ...]
    names: tuple[str, ...]  # what to call them: the concept, or the learner's own words for several
    unknown: tuple[str, ...]
    suggestions: Mapping[str, tuple[str, ...]]  # unknown goal -> concepts of the course that look like it


def resolve_goals(graph: ConceptGraph, goals: Iterable[str]) -> Goals:
    """Find each goal among the course's concepts, chapters and modules."""
    found: dict[str, None] = {}
    names: dict[str, None] = {}
    suggestions: dict[str, tuple[str, ...]] = {}
    for goal in goals:
        concepts = _resolve(graph, goal)
        found.update(dict.fromkeys(concepts))
        if concepts:
            names.update(dict.fromkeys(concepts if len(concepts) <= _MOST_NAMED else [goal.strip()]))
        else:
            suggestions[goal] = _similar(graph, goal)
    return Goals(
        concepts=tuple(found), names=tuple(names), unknown=tuple(suggestions), suggestions=suggestions
    )


def _resolve(graph: ConceptGraph, goal: str) -> Sequence[str]:
    words = tuple(word for word in words_of(goal) if word not in _FILLER) or term_key(goal)
    if not words:
        return ()
    if words in _EVERYTHING:
        return list(graph.concepts)
    names = {term_key(name): name for name in reversed(list(graph.concepts))}
    return (
        _named_part(graph, goal, words)
        or _just(names.get(term_key(goal)) or names.get(words))
        or _called(graph, words)
        or [names[key] for key in dict.fromkeys(TermFinder(names).find(goal))]
        or [name for key, name in reversed(names.items()) if _is_most_of(words, key)]
        or _titled(graph, words)
        or _just(_misspelt(names, words))
    )


def _named_part(graph: ConceptGraph, goal: str, words: Sequence[str]) -> list[str]:
    """'Module 2' or 'the URDF chapter': the learner says that a part of the course is meant."""
    if not _PARTS & set(words):
        return []
    bare = tuple(word for word in words if word not in _PARTS and not word.isdigit())
    return _numbered(graph, goal) or (_called(graph, bare) or _titled(graph, bare) if bare else [])


def _is_most_of(words: Sequence[str], key: Sequence[str]) -> bool:
    """'odometry' means visual odometry, but 'robot' says too little to mean robot state publisher."""
    return set(words) <= set(key) and len(key) <= 2 * len(words)


def _just(name: str | None) -> list[str]:
    return [name] if name else []


def _numbered(graph: ConceptGraph, goal: str) -> list[str]:
    """'Module 2' by the number in its id; a chapter number that several modules share says too little."""
    mentions = _NUMBERED.findall(goal)
    chapters = list(graph.chapter_ids) if mentions else []
    for kind, number in mentions:
        start = re.compile(rf"(?:^|/){kind[:2]}[a-z]*[-_ ]?0*{number}(?!\d)", re.IGNORECASE)
        chapters = [chapter for chapter in chapters if start.search(chapter)]
    parts = {chapter.split("/")[0] for chapter in chapters}
    return [name for chapter in chapters for name in graph.chapter(chapter)] if len(parts) == 1 else []


def _called(graph: ConceptGraph, words: tuple[str, ...]) -> list[str]:
    """A chapter or module that is called just this."""
    return [
        name
        for chapter in graph.chapter_ids
        if words in {term_key(title) for title in _titles(graph, chapter)}
        for name in graph.chapter(chapter)
    ]


def _titles(graph: ConceptGraph, chapter_id: str) -> list[str]:
    parts = chapter_id.split("/")
    return [graph.chapter_title(chapter_id), *(readable(part) for part in parts)]


def _titled(graph: ConceptGraph, words: tuple[str, ...]) -> list[str]:
    """Chapters whose titles have all the words."""
    return [
        name
        for chapter in graph.chapter_ids
        if set(words) <= set(words_of(" ".join(_titles(graph, chapter))))
        for name in graph.chapter(chapter)
    ]


def _misspelt(names: Mapping[tuple[str, ...], str], words: tuple[str, ...]) -> str | None:
    written = {" ".join(key): name for key, name in names.items()}
    close = difflib.get_close_matches(" ".join(words), written, n=1, cutoff=_CLOSE)
    return written[close[0]] if close else None


def _similar(graph: ConceptGraph, goal: str) -> tuple[str, ...]:
    written = {" ".join(term_key(name)): name for name in graph.concepts}
    words = [word for word in words_of(goal) if word not in _FILLER]
    close = difflib.get_close_matches(" ".join(words), written, n=_MOST_SUGGESTIONS, cutoff=_SIMILAR)
    return tuple(written[key] for key in close)
