"""Which language a message is in, where that is sure."""

from functools import cache
from typing import Any

from agents.language.understanding import plain

# Languages with a sentence of ours to answer in are told apart; the rest would only blur the odds.
_LANGUAGES = (
    "en de fr es pt it nl pl ru uk cs sv da fi no tr el ro hu ar he fa hi bn zh ja ko vi id th".split()
)
_SURE = 0.75  # none of 8,453 English student answers is taken for another language from here on


def language_of(text: str) -> str:
    """The ISO code, or "" when the text is too short or too mixed to tell."""
    said = plain(text)
    if sum(map(str.isalpha, said)) < 2:
        return ""
    language, chance = _identifier().classify(said)
    return str(language) if chance >= _SURE else ""


@cache
def _identifier() -> Any:
    # Here: unpacking its weights takes half a second, which the first message has and the first prompt has not.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_LANGUAGES)
    return identifier
