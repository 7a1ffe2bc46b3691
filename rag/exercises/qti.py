"""QTI 2.1 and 2.2: an item alone, or a content package with its items."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from zipfile import BadZipFile, ZipFile

from lxml import etree

from agents.teaching.values import AnswerChoice, Exercise, QuestionKind
from rag.exercises.pieces import GAP, BankText, from_html, headed, judged, one_line
from rag.exercises.xml import children, descendants, local, parse_xml, text_of
from storage.errors import DocumentError

FORM = "qti"
_ANOTHER_VERSION = {
    "questestinterop": "QTI 1.2",
    "qti-assessment-item": "QTI 3",
    "qti-assessment-test": "QTI 3",
}
_NUMBERS = frozenset({"float", "integer"})
_MOST_ITEM_BYTES = 5 * 1024 * 1024


def read(data: bytes, *, name: str) -> Sequence[Exercise]:
    """The questions of one item's file."""
    root, broken = parse_xml(data)
    if version := _ANOTHER_VERSION.get(local(root)):
        raise DocumentError(f"is a bank in {version}, which is not read; export it as QTI 2.1")
    if local(root) == "assessmentTest":
        raise DocumentError("only lists the items of a test; put the items' files beside it")
    items = [root] if local(root) == "assessmentItem" else children(root, "assessmentItem")
    found = [replace(each, headings=(name,)) for item in items for each in _exercises(item)]
    return [*found[:-1], *(judged(each, broken=broken) for each in found[-1:])]


def read_package(archive: ZipFile, *, name: str) -> Sequence[Exercise]:
    """The questions of a package in the order in which its manifest names them."""
    manifest, _ = parse_xml(_part(archive, "imsmanifest.xml"))
    found: list[Exercise] = []
    for resource in descendants(manifest, "resource"):
        kind, href = (resource.get("type") or "").lower(), (resource.get("href") or "").removeprefix("./")
        if "imsqti" not in kind or "test" in kind or not href:
            continue
        try:
            found += read(_part(archive, href), name=name)
        except DocumentError as err:
            found.append(
                Exercise(text="", form=FORM, headings=headed(name, []), title=href, trouble=f"it {err}")
            )
    return found


def _part(archive: ZipFile, name: str) -> bytes:
    try:
        if archive.getinfo(name).file_size > _MOST_ITEM_BYTES:
            raise DocumentError("is larger than 5 MB")
        return archive.read(name)
    except KeyError:
        raise DocumentError("is named by the package and is not in it") from None
    except (BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError, ValueError) as err:
        raise DocumentError("cannot be unpacked") from err


def _exercises(item: etree._Element) -> Iterator[Exercise]:
    body = next(iter(children(item, "itemBody")), None)
    title = one_line(item.get("title") or "")
    if body is None:
        yield Exercise(text="", form=FORM, title=title, trouble="it has no body")
        return
    told = "\n\n".join(filter(None, (_html(each).text for each in children(item, "modalFeedback"))))
    rubrics = [
        each for each in descendants(body, "rubricBlock") if "candidate" not in (each.get("view") or "")
    ]
    told = told or "\n\n".join(filter(None, (_html(each).text for each in rubrics)))
    asked = [each for each in body.iter() if local(each).endswith("Interaction")]
    stem = _html(body, without=[*rubrics, *asked], gaps=True)
    exercise = Exercise(text=stem.text, form=FORM, title=title, solution=told)
    if not asked:
        yield replace(exercise, trouble="it has nothing to answer in")
    elif len(asked) > 1:
        yield replace(exercise, trouble="it has more than one place for an answer")
    else:
        yield _exercise(exercise, asked[0], item, has_media=stem.has_media)


def _exercise(
    exercise: Exercise, asked: etree._Element, item: etree._Element, *, has_media: bool
) -> Exercise:
    response = next(
        (
            each
            for each in children(item, "responseDeclaration")
            if each.get("identifier") == asked.get("responseIdentifier")
        ),
        None,
    )
    prompt = _html(next(iter(children(asked, "prompt")), None))
    text = "\n\n".join(filter(None, [exercise.text, prompt.text]))
    exercise = replace(exercise, text=text)
    has_media = has_media or prompt.has_media
    match local(asked):
        case "choiceInteraction" | "inlineChoiceInteraction":
            return _choices(exercise, asked, response, has_media=has_media)
        case "textEntryInteraction":
            return judged(_entry(exercise, response), has_media=has_media)
        case "extendedTextInteraction":
            key = "\n".join(_right(response))
            essay = replace(exercise, kind="recall", solution=exercise.solution or key)
            return judged(essay, has_media=has_media)
        case other:
            kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", other.removesuffix("Interaction")).lower()
            return replace(exercise, trouble=f"questions of the kind “{kind}” cannot be asked here")


def _choices(
    exercise: Exercise, asked: etree._Element, response: etree._Element | None, *, has_media: bool
) -> Exercise:
    right = _right(response)
    several = response is not None and response.get("cardinality") == "multiple"
    offered = list(descendants(asked, "simpleChoice", "inlineChoice"))
    names = [each.get("identifier") for each in offered]
    unknown = [each for each in right if each not in names]
    choices, pieces = [], []
    for element, name in zip(offered, names, strict=True):
        feedback = list(descendants(element, "feedbackInline", "feedbackBlock"))
        pieces.append(_html(element, without=feedback))
        why = " ".join(filter(None, (_html(each).text for each in feedback)))
        choices.append(AnswerChoice(text=pieces[-1].text, is_right=name in right, why=why))
    kind: QuestionKind = "several" if several else "multiple_choice"
    return judged(
        replace(exercise, choices=tuple(choices), kind=kind),
        has_media=has_media or any(piece.has_media for piece in pieces),
        several=several,
        broken=f"its key names a choice {unknown[0]!r}, which it does not offer" if unknown else "",
    )


def _entry(exercise: Exercise, response: etree._Element | None) -> Exercise:
    """A word or a number to write; the mapping may name more that count fully."""
    right = _right(response)
    mapped = [
        (each.get("mapKey") or "", _score(each))
        for group in ([] if response is None else children(response, "mapping"))
        for each in children(group, "mapEntry")
    ]
    best = max((score for _, score in mapped), default=0.0)
    right += [key for key, score in mapped if score == best > 0]
    is_number = response is not None and response.get("baseType") in _NUMBERS
    kind: QuestionKind = "numeric" if is_number else "cloze" if GAP in exercise.text else "short_answer"
    return replace(exercise, kind=kind, key="\n".join(dict.fromkeys(filter(None, right))))


def _score(entry: etree._Element) -> float:
    try:
        return float(entry.get("mappedValue") or 0)
    except ValueError:
        return 0.0


def _right(response: etree._Element | None) -> list[str]:
    groups = [] if response is None else children(response, "correctResponse")
    return [text_of(value) for group in groups for value in children(group, "value")]


def _html(
    element: etree._Element | None, *, without: Sequence[etree._Element] = (), gaps: bool = False
) -> BankText:
    """An element's HTML without some of what is in it; a gap stays where a word or a choice stood in a sentence."""
    if element is None:
        return BankText()
    paths = [element.getroottree().getelementpath(each) for each in without]
    base = element.getroottree().getelementpath(element)
    whole = deepcopy(element)
    whole.tail = None
    for inside in [whole.find(path.removeprefix(base).lstrip("/")) for path in paths]:
        if inside is None or (parent := inside.getparent()) is None:
            continue
        stands_in_a_line = local(inside) in ("textEntryInteraction", "inlineChoiceInteraction")
        kept = etree.Element("span")
        kept.text = GAP if gaps and stands_in_a_line else None
        kept.tail = inside.tail
        parent.replace(inside, kept)
    for each in whole.iter():
        if isinstance(each.tag, str):
            each.tag = local(each)
    etree.cleanup_namespaces(whole)
    return from_html(etree.tostring(whole, encoding="unicode", method="html"))
