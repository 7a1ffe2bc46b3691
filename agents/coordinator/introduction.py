"""Who the tutor is, for those who ask."""

import re

_ASKS_WHO = re.compile(
    r"\b(?:who|what) (?:are|r|made|built|created|programmed) (?:you|u)\b|\bwho am i (?:talking|speaking)\b|\byour name\b|"
    r"\b(?:are|r) (?:you|u) (?:an? |the |really |actually )*"
    r"(?:human|robot|bot|ai|real|person|machine|program|chatgpt|gemini|alive)\b",
    re.IGNORECASE,
)


def asks_who(message: str) -> bool:
    return bool(_ASKS_WHO.search(message))


def introduction(course_title: str) -> str:
    return (
        f"I'm a tutor program, not a person. I teach **{course_title}**: I explain it from the course's own text, quiz you "
        "until you master a topic, answer questions about it, plan what to learn next and keep your tasks. "
        "Say **help** for more."
    )
