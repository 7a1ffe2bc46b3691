"""To act on a reading or to ask first: the dearer a mistake, the surer one must be.

The chances hold for writers whom the model never read (evals/fit_understanding), so they can be weighed against what a
mistake costs. The unit is an answer that nobody asked for: it is read in vain, and the learner says it again.
"""

from collections.abc import Iterable

_DEAR = 3.0  # what one has to find one's way back from
_CHANGES = 1.5  # what begins something, or writes it down
_COSTS = dict.fromkeys(("reset", "switch_course"), _DEAR) | dict.fromkeys(
    ("teach", "change_topic", "quiz_me", "diagnose", "tasks", "next", "resume"), _CHANGES
)
_ASKING = 0.4  # a line to read and a number to type; in vain if what was meant is not among the choices
_OFFERED = 3
# With nothing open these come to the same.
_ALIKE = {
    "change_topic": "teach",
    "resume": "next",
    "pause": "stop",
    "goal": "plan",
    "thanks": "small_talk",
    "greet": "small_talk",
}


# Nobody means these with a few words that may as well be something else, where no question is open.
_ABOUT_A_QUESTION = frozenset(("hint", "give_up", "skip", "rephrase", "show_question_again"))


def by_action(labels: Iterable[tuple[str, float]], *, is_open: bool = True) -> list[tuple[str, float]]:
    """How likely each action is, in whatever manner; the likeliest first."""
    chances: dict[str, float] = {}
    for label, chance in labels:
        action = label.partition("/")[0]
        chances[action] = chances.get(action, 0.0) + chance
    ordered = sorted(chances.items(), key=lambda each: -each[1])
    possible = [each for each in ordered[1:] if is_open or each[0] not in _ABOUT_A_QUESTION]
    whole = sum(chance for _, chance in (ordered[0], *possible))
    return [(action, chance / whole) for action, chance in (ordered[0], *possible)]


def is_better_asked(actions: list[tuple[str, float]]) -> bool:
    """Whether acting on the likeliest would cost more than asking which of the likeliest is meant."""
    likeliest = actions[0][0]
    meant = sum(chance for action, chance in actions if _kin(action) == _kin(likeliest))
    offered = sum(chance for _, chance in actions[:_OFFERED])
    return _COSTS.get(likeliest, 1.0) * (1 - meant) > _ASKING + (1 - _ASKING) * (1 - offered)


def is_dear(action: str) -> bool:
    """Whether it changes something."""
    return action in _COSTS


def _kin(action: str) -> str:
    return _ALIKE.get(action, action)
