"""Is the question one that a learner can read and answer without seeing anything else?"""

import re
from collections.abc import Iterator

from agents.teaching.questions.lint_problem import Case, LintProblem, Rule, problem
from agents.teaching.questions.sentences import is_balanced
from agents.teaching.words import STOP, content_set, word_count
from rag.terms import words_of

BLANK = "____"
MOST_WORDS, FEWEST_WORDS = 60, 3
_MOST_OPTION_WORDS = 40

_PROMPT = re.compile(
    r"^(?:True or false:|Complete the sentence:|Fill in the (?:blank|gap):|(?:Explain|Describe|Name|Give|Compare|State|"
    r"List|In your own words|Put)\b)",
    re.IGNORECASE,
)
_ORDER_PROMPT = re.compile(r"\b(?:order|arrange|sequence|sort)\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"\*\*|__\b(?!_)|```|\[\[|\]\(|</?[a-z][^>]*>|\\[a-zA-Z]+|\\[\[\](){}]|&[a-z]+;|^\s*[|#>]|\|\s*\||\{\{|�",
    re.MULTILINE,
)
_UNSEEN = re.compile(
    r"\b(?:(?:in|on|from|by|of) (?:the|this) (?:figure|fig|diagram|table|picture|image|graph|chart|photo|plot|code|snippet|"
    r"listing|example|passage|text|excerpt|paragraph|sentence|section|chapter|lesson|module|article|video|slide)\b(?! of\b)|"
    r"(?:figure|fig\.|table|equation|listing|section|chapter) \d|as (?:shown|seen|illustrated|described|discussed|mentioned)|"
    r"(?:shown|mentioned|described|listed|given|discussed|pictured|illustrated) (?:above|below|here|earlier|in the)|"
    r"(?:example|figure|table|code|diagram) (?:above|below)|the (?:above|below|following|previous) |"
    r"according to the (?:passage|text|author|course|chapter|section)|the author)",
    re.IGNORECASE,
)
_HAS_ITS_OWN = re.compile(
    r"\b(?:of these|these steps|this (?:definition|description|statement|sentence|order)|this [\w -]{2,40}:|these [\w -]{2,40}:)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:this|these|those|such an?|the former|the latter|aforementioned)\b"
    r"|\b(?:of|at|by|for|with|from|to|on|over|under) that (?!(?:is|are|was|were|can|the|an?)\b)\w",
    re.IGNORECASE,
)
_STARTS_OPEN = re.compile(
    r"^(?:it|its|they|them|their|he|she|his|her|this|these|those|that|such|both|here|there)\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|theirs|he|she|his|him)\b", re.IGNORECASE)
_YEAR = re.compile(
    r"^(?:in |on |around |about |since )*(?:[A-Z][a-z]+ (?:\d{1,2}, )?)?(?:1[0-9]|20)\d\d(?:s| BCE?| CE)?\.?$"
)
_ASKS_TRIVIA = re.compile(
    r"^(?:who (?:was|is|first|discovered|invented|proposed|coined|wrote|won|developed|named)|in (?:what|which) year|what year|"
    r"when was|when were|on what date|in which century)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:Dr\. |Sir )?[A-Z][a-z]+(?: [A-Z]\.)*(?: [A-Z][a-z’'-]+){1,2}$")


def _length(case: Case) -> Iterator[LintProblem]:
    words = word_count(bare_text(case.item.question_text))
    if words > MOST_WORDS:
        yield problem("too_long", f"The question has {words} words. Ask one thing, in at most {MOST_WORDS}.")
    if words < FEWEST_WORDS or not content_set(case.item.question_text):
        yield problem("too_short", "The question says too little to be answered. Name what it is about.")
    if any(word_count(option) > _MOST_OPTION_WORDS for option in case.item.options):
        yield problem("option_too_long", f"An option has more than {_MOST_OPTION_WORDS} words. Shorten it.")
    if word_count(case.item.expected_answer) > MOST_WORDS and case.item.kind != "ordering":
        yield problem(
            "answer_too_long", "The expected answer is too long to compare with. Give its main point only."
        )


def _form(case: Case) -> Iterator[LintProblem]:
    text = case.item.question_text.strip()
    starts_as_one = bool(_PROMPT.match(text)) or (
        case.item.kind == "ordering" and bool(_ORDER_PROMPT.search(text))
    )
    if not text.endswith("?") and not (starts_as_one and text.endswith((".", "?", BLANK))):
        yield problem(
            "not_a_question",
            "End with a question mark, or start with 'Explain', 'Name', 'True or false:' or the like.",
        )
    if case.item.kind == "true_false" and not re.match(
        r"(?:true or false|is (?:it|this) true)", text, re.IGNORECASE
    ):
        yield problem("not_a_question", "Start a true/false item with 'True or false:'.")


def _markup(case: Case) -> Iterator[LintProblem]:
    for text in (case.item.question_text, case.item.expected_answer, *case.item.options):
        if _MARKUP.search(text.replace(BLANK, " ")) or not is_balanced(text):
            yield problem("markup", f"Leave out markup and unclosed marks: '{_start(text)}'.")
            return


def _blank(case: Case) -> Iterator[LintProblem]:
    blanks = len(re.findall(r"_{3,}", case.item.question_text))
    if case.item.kind != "cloze":
        if blanks > 1 or (blanks and case.item.kind != "multiple_choice"):
            yield problem("stray_blank", "Only a cloze item has a blank. Ask in full words.")
        return
    if blanks != 1:
        yield problem(
            "blank_missing" if not blanks else "several_blanks",
            f"A cloze item has exactly one blank, written {BLANK}.",
        )
    if not content_set(case.item.expected_answer):
        yield problem(
            "blank_stop_word", "The blank hides a word without meaning of its own. Blank a term instead."
        )


def _pronouns(case: Case) -> Iterator[LintProblem]:
    text = bare_text(case.item.question_text)
    if _STARTS_OPEN.match(_HAS_ITS_OWN.sub("one", text)) or _POINTS_BACK.search(
        _HAS_ITS_OWN.sub("one", text)
    ):
        yield problem(
            "open_pronoun", "A word points back to something the learner cannot see. Name the thing itself."
        )
        return
    for match in _PRONOUN.finditer(text):
        said = text[: match.start()].replace(BLANK, " gap ")
        before = [word for word in words_of(said) if word not in STOP]
        if not before and not re.match(r"(?:why|how|when|where|what) is it\b", text, re.IGNORECASE):
            yield problem(
                "open_pronoun", f"'{match.group()}' has nothing to stand for. Name the thing itself."
            )
            return


def _unseen(case: Case) -> Iterator[LintProblem]:
    match = _UNSEEN.search(case.item.question_text.replace("Complete the sentence", ""))
    if match:
        yield problem(
            "unseen",
            f"'{match.group().strip()}' is not shown with the question. Make the question complete without it.",
        )


def _trivia(case: Case) -> Iterator[LintProblem]:
    item = case.item
    answer = item.expected_answer.strip()
    about_itself = content_set(answer) <= content_set(item.concept_name)
    if about_itself or answer in case.concept_names:
        return
    asks_who = item.question_text.lower().startswith("who")
    if (
        _YEAR.match(answer)
        or _ASKS_TRIVIA.match(item.question_text)
        or (_PERSON.match(answer) and (asks_who or item.kind == "cloze"))
    ):
        yield problem(
            "trivia",
            f"Dates and names of people are not the point of '{item.concept_name}'. Ask about the idea.",
        )


def bare_text(text: str) -> str:
    """The question without its standing opening words."""
    return re.sub(
        r"^(?:True or false:|Complete the sentence:|Fill in the (?:blank|gap):|In your own words,|"
        r"Which term completes this sentence:|What follows from the fact that)[\s“]*",
        "",
        text,
        flags=re.IGNORECASE,
    )


def _start(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


WORDING_RULES: tuple[Rule, ...] = (_length, _form, _markup, _blank, _pronouns, _unseen, _trivia)
