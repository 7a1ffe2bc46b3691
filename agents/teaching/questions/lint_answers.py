"""Is the answer right by the passage, one of the options, and not given away?"""

import re
from collections.abc import Iterator
from itertools import combinations

from agents.teaching.questions.grammar import an, is_plural_noun
from agents.teaching.questions.lint_problem import Case, LintProblem, Rule, problem
from agents.teaching.questions.lint_wording import BLANK, bare_text
from agents.teaching.questions.sentences import without_marks
from agents.teaching.words import content_set, content_stems, same_text, share_of, word_count, word_set
from rag.sentences import sentences
from rag.terms import words_of

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
