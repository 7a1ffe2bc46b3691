"""Which items may be put in front of a learner, whoever wrote them."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from agents.language.words import (
    STOP,
    content_set,
    content_stems,
    likeness,
    same_text,
    share_of,
    word_count,
    word_set,
)
from agents.teaching.questions.grammar import an, is_plural_noun
from agents.teaching.questions.sentences import is_balanced, without_marks
from agents.teaching.values import QuizQuestion
from rag.blocks import sentences
from rag.terms import term_key, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LintProblem:
    """One thing to mend."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item with what it is judged against."""

    item: QuizQuestion
    passage: str
    concept_names: Collection[str] = ()


Rule = Callable[[Case], Iterator[LintProblem]]


def problem(code: str, message: str) -> LintProblem:
    return LintProblem(code=code, message=message)


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


_FEWEST_OPTIONS = 3
_SUPPORT = 0.8
_NEGATIONS = word_set("not no never without cannot neither nor")
_CATCH_ALL = re.compile(
    r"^(?:all|none|both|neither|any)(?: of (?:the|these))?(?: above| options| answers| a and b)?\.?$",
    re.IGNORECASE,
)


def _support(case: Case) -> Iterator[LintProblem]:
    item = case.item
    passage = without_marks(case.passage)
    if not content_set(item.expected_answer) and not words_of(item.expected_answer):
        yield problem("no_answer", "Give the expected answer.")
        return
    if item.kind == "true_false":
        yield from _true_or_false(case, passage)
        return
    needed = content_set(item.expected_answer) - content_set(item.question_text)
    found = needed & content_set(passage)
    enough = len(needed) if len(needed) <= 3 else _SUPPORT * len(needed)
    if len(found) < enough:
        missing = ", ".join(sorted(needed - found)[:5])
        yield problem(
            "unsupported_answer",
            f"The passage does not say this (missing: {missing}). Use only what it says.",
        )
    if item.source_context and share_of(item.source_context, whole=passage) < _SUPPORT:
        yield problem(
            "unsupported_source",
            "The quoted source is not in the passage. Quote the sentence that holds the answer.",
        )


def _true_or_false(case: Case, passage: str) -> Iterator[LintProblem]:
    answer = case.item.expected_answer.strip().lower()
    statement = re.sub(r"^true or false:\s*", "", case.item.question_text, flags=re.IGNORECASE).rstrip("?. ")
    if answer not in {"true", "false"}:
        yield problem("bad_key", "The expected answer of a true/false item is 'True' or 'False'.")
        return
    if answer == "true" and share_of(statement, whole=passage) < _SUPPORT:
        yield problem(
            "unsupported_answer", "The passage does not say that this is true. Stay with what it says."
        )
    if answer == "false" and same_text(statement) in same_text(passage):
        yield problem("bad_key", "The passage says this statement word for word, so it is not false.")
    if answer == "false" and any(_differ_by_negation(statement, told) for told in sentences(case.passage)):
        yield problem(
            "only_negated", "A 'not' alone makes it false. Swap in a term that is easily confused instead."
        )
    if share_of(statement, whole=passage) < 0.5:
        yield problem(
            "off_passage",
            "The statement has little to do with the passage. Build it from one of its sentences.",
        )


def _differ_by_negation(statement: str, sentence: str) -> bool:
    same_words = content_stems(statement) == content_stems(without_marks(sentence))
    return same_words and _negations(statement) != _negations(sentence)


def _negations(text: str) -> frozenset[str]:
    return _NEGATIONS & set(words_of(text))


def _options(case: Case) -> Iterator[LintProblem]:
    item = case.item
    if item.kind == "ordering":
        yield from _ordering(case)
        return
    if item.kind == "true_false":
        if item.options and [option.lower() for option in item.options] != ["true", "false"]:
            yield problem("bad_options", "A true/false item has the options True and False.")
        return
    if item.kind != "multiple_choice":
        if item.options:
            yield problem("bad_options", "Only multiple choice and ordering items have options.")
        return
    keys = [option for option in item.options if same_text(option) == same_text(item.expected_answer)]
    if len(item.options) < _FEWEST_OPTIONS:
        yield problem("few_options", f"Give at least {_FEWEST_OPTIONS} options, better four.")
    if not keys:
        yield problem("key_missing", "None of the options is the expected answer, word for word.")
    if len(keys) > 1:
        yield problem("key_duplicated", "The expected answer is there more than once.")
    if any(_CATCH_ALL.match(option.strip()) or not words_of(option) for option in item.options):
        yield problem("catch_all", "Leave out 'all of these', 'none of these' and empty options.")
    if any(_mean_the_same(one, two) for one, two in combinations(item.options, 2)):
        yield problem("same_options", "Two options mean the same. Replace one.")


def _mean_the_same(one: str, two: str) -> bool:
    if same_text(one) == same_text(two):
        return True
    left, right = content_set(one), content_set(two)
    same_sign = _negations(one) == _negations(two)
    return (
        (
            bool(left)
            and left == right
            and same_sign
            and sorted(content_stems(one)) == sorted(content_stems(two))
        )
        or _spelled_out(one, two)
        or _spelled_out(two, one)
    )


def _spelled_out(short: str, long: str) -> bool:
    letters = re.sub(r"[^A-Za-z0-9]", "", short).lower()
    words = re.findall(r"[A-Za-z0-9]+", long)
    return len(letters) >= 2 and len(words) >= 2 and letters == "".join(word[0] for word in words).lower()


def _ordering(case: Case) -> Iterator[LintProblem]:
    item = case.item
    steps = [part.strip() for part in item.expected_answer.split("→")]
    if len(item.options) < _FEWEST_OPTIONS:
        yield problem("few_options", "An ordering item needs at least three steps.")
    if sorted(map(same_text, steps)) != sorted(map(same_text, item.options)):
        yield problem(
            "key_missing", "The expected answer must be the options in their right order, joined by '→'."
        )
    elif [same_text(step) for step in steps] == [same_text(option) for option in item.options]:
        yield problem("given_away", "The steps are already shown in the right order. Shuffle them.")
    if any(_mean_the_same(one, two) for one, two in combinations(item.options, 2)):
        yield problem("same_options", "Two steps are the same. Replace one.")


def _given_away(case: Case) -> Iterator[LintProblem]:
    item = case.item
    if item.kind in ("true_false", "ordering"):
        return
    shared = _gives_away(item.question_text, item.expected_answer)
    others = [option for option in item.options if same_text(option) != same_text(item.expected_answer)]
    if item.kind == "multiple_choice":
        asked = content_set(item.question_text.replace("-", " "))
        elsewhere = {word for option in others for word in content_set(option) & asked}
        only_here = {
            word for word in (content_set(item.expected_answer) & asked) - elsewhere if len(word) >= 4
        }
        if only_here and others:
            yield problem(
                "given_away",
                f"Only the right option repeats the question's '{min(only_here)}'. Reword one of them.",
            )
    elif shared:
        yield problem(
            "given_away", "The question already says the answer. Leave its words out of the question."
        )
    if _spelled_out_in(item.question_text, item.expected_answer):
        yield problem("given_away", "The question spells out the short form that it asks for.")


def _gives_away(question: str, answer: str) -> bool:
    stems = content_set(answer)
    if not stems:
        return False
    known = stems & content_set(question)
    few = len(stems) <= 3
    return len(known) * 2 >= len(stems) if few else len(known) >= 0.85 * len(stems)


def _spelled_out_in(question: str, answer: str) -> bool:
    letters = re.sub(r"[^A-Za-z]", "", answer)
    if not (2 <= len(letters) <= 6 and letters.isupper()):
        return False
    initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", question)).lower()
    return letters.lower() in initials and len(letters) > 2


def _grammar(case: Case) -> Iterator[LintProblem]:
    item = case.item
    article = re.search(rf"\b(an?)(?: {BLANK}|$)", bare_text(item.question_text).rstrip("?. "), re.IGNORECASE)
    if article and item.kind == "cloze":
        yield problem("article", f"'{article.group(1)} {BLANK}' hints at the answer. Write 'a(n) {BLANK}'.")
    if item.kind != "multiple_choice" or len(item.options) < 2:
        return
    if article and len({an(option) for option in item.options}) > 1:
        yield problem(
            "article", "The article before the gap fits only some options. Put it into the options."
        )
    others = [option for option in item.options if same_text(option) != same_text(item.expected_answer)]
    if word_count(item.expected_answer) <= 4 and others:
        number = _is_plural(item.expected_answer)
        verb = re.match(r"Which(?: of these| \w+)? (is|are|was|were|has|have)\b", item.question_text)
        if verb and all(_is_plural(option) != number for option in others):
            yield problem("grammar", "Only the right option agrees with the question in number.")


def _is_plural(option: str) -> bool:
    return is_plural_noun(option.strip().rpartition(" ")[2])


def _longest(case: Case) -> Iterator[LintProblem]:
    item = case.item
    if item.kind != "multiple_choice":
        return
    key = word_count(item.expected_answer)
    others = [
        word_count(option) for option in item.options if same_text(option) != same_text(item.expected_answer)
    ]
    if others and key >= 2 * max(others) and key - max(others) >= 4:
        yield problem(
            "longest_option", "The right option is far longer than the others. Make them alike in length."
        )


def _concept(case: Case) -> Iterator[LintProblem]:
    item = case.item
    if case.concept_names and item.concept_name not in case.concept_names:
        yield problem(
            "unknown_concept",
            f"'{_cut(item.concept_name)}' is not one of the course's concepts. Use its exact name.",
        )
    whole = " ".join(
        (item.question_text, item.expected_answer, item.source_context, *item.options, case.passage)
    )
    words = content_set(item.concept_name)
    if words and not words & content_set(whole):
        yield problem(
            "off_concept", f"Nothing in the item or its passage is about '{_cut(item.concept_name)}'."
        )


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


ANSWER_RULES: tuple[Rule, ...] = (_support, _options, _given_away, _grammar, _longest, _concept)


__all__ = ["LintProblem", "answers", "is_duplicate", "is_said", "lint", "lint_set"]

_SAME_QUESTION = 0.8
_FEWEST_TO_JUDGE_A_SET = 4
_MOST_LONGEST = 0.6


def lint(
    item: QuizQuestion,
    *,
    passage: str,
    concept_names: Collection[str] = (),
    earlier: Sequence[QuizQuestion] = (),
    beside: str = "",
) -> list[LintProblem]:
    """Everything that is wrong with an item; empty when it may be asked. `beside` is what is said around it."""
    case = Case(item=item, passage=passage, concept_names=concept_names)
    found = [each for rule in (*WORDING_RULES, *ANSWER_RULES) for each in rule(case)]
    if any(is_duplicate(item, other) for other in earlier):
        found.append(problem("duplicate", "This was asked already. Ask about another point of the passage."))
    if is_said(item, beside):
        found.append(problem("given_away", "What is said before the question gives the answer away."))
    return found


def is_said(item: QuizQuestion, text: str) -> bool:
    """Whether a text names the answer to an item, as the subject of a test does."""
    if item.kind in ("true_false", "ordering"):
        return False
    key, words = term_key(item.expected_answer), words_of(text)
    return bool(key) and any(tuple(words[at : at + len(key)]) == key for at in range(len(words)))


def lint_set(items: Sequence[QuizQuestion]) -> list[LintProblem]:
    """What is wrong with items taken together."""
    return [*_duplicates(items), *_length_tells(items), *_answers_each_other(items)]


def is_duplicate(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether two items ask the same: by id, by text, or in nearly the same words for the same answer."""
    if one.question_id == other.question_id or same_text(one.question_text) == same_text(other.question_text):
        return True
    return (
        same_text(one.expected_answer) == same_text(other.expected_answer)
        and one.kind != "true_false"
        and likeness(bare_text(one.question_text), bare_text(other.question_text)) >= _SAME_QUESTION
    )


def answers(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether reading one question gives the answer to the other away: both rest on the same sentence."""
    if same_text(one.source_context) == same_text(other.source_context):
        return True
    return likeness(one.source_context, other.source_context) >= _SAME_QUESTION and bool(
        content_set(one.source_context)
    )


def _duplicates(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    for place, item in enumerate(items):
        if any(is_duplicate(item, other) for other in items[:place]):
            yield problem("duplicate", f"Question {place + 1} asks what an earlier one asks. Replace it.")


def _answers_each_other(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    for place, item in enumerate(items):
        if any(answers(other, item) for other in items[:place]):
            yield problem(
                "answered_by_another", f"An earlier question gives away the answer to question {place + 1}."
            )


def _length_tells(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    choices = [item for item in items if item.kind == "multiple_choice" and item.options]
    longest = [item for item in choices if _key_is_longest(item)]
    if len(choices) >= _FEWEST_TO_JUDGE_A_SET and len(longest) > _MOST_LONGEST * len(choices):
        yield problem(
            "longest_option", f"The longest option is right in {len(longest)} of {len(choices)} questions."
        )


def _key_is_longest(item: QuizQuestion) -> bool:
    key = word_count(item.expected_answer)
    others = [
        word_count(option) for option in item.options if same_text(option) != same_text(item.expected_answer)
    ]
    return bool(others) and key > max(others)
