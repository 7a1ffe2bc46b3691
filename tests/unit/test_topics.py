"""Where a course teaches what a learner names, whatever the number, the article, the acronym or the plural."""

import json

import pytest

from agents.teaching.topics import WEIGHTS, PageText, candidates, locate
from agents.teaching.values import Place, RetrievalResult, part_label, wanted_part
from tests.support.passages import retrieved


def title(name: str) -> Place:
    return Place(name=name, kind="title", chapter_id=name.lower().replace(" ", "-"))


def a_hit(*, chapter_id: str, headings: tuple[str, ...], text: str) -> RetrievalResult:
    return retrieved(text, chapter_id=chapter_id, heading_hierarchy=headings)


PLACES = [
    title("The match Control Flow Construct"),
    title("Defining an Enum"),
    title("Generative Adversarial Networks"),
    title("Recurrent Neural Networks"),
    title("Computer Vision"),
    title("What Is Ownership?"),
    title("References and Borrowing"),
    Place(name="LSTM", kind="heading", chapter_id="recurrent-neural-networks", headings=("RNN", "LSTM")),
    Place(name="topic", kind="term", chapter_id="messaging", headings=("Messaging",)),
    title("The bridge to ROS 2"),
]


@pytest.mark.parametrize(
    ("wanted", "chapter"),
    [
        ("enums", "defining-an-enum"),
        ("GANs", "generative-adversarial-networks"),
        ("LSTM", "recurrent-neural-networks"),
        ("LSTMs", "recurrent-neural-networks"),
        ("computer vision", "computer-vision"),
        ("ownership", "what-is-ownership?"),
        ("borowing", "references-and-borrowing"),
    ],
)
def test_a_topic_is_found_by_what_it_is_called_more_or_less(wanted: str, chapter: str) -> None:
    match = locate(wanted, PLACES, [])
    assert match is not None
    assert match.place.chapter_id == chapter


def test_a_word_beside_the_name_may_stand_in_the_text() -> None:
    chapter = "the-match-control-flow-construct"
    hit = a_hit(chapter_id=chapter, headings=(), text="A match expression compares a value with patterns.")
    match = locate("the match expression", PLACES, [hit])
    assert match is not None
    assert match.place.chapter_id == chapter


def test_of_two_names_in_what_was_asked_for_the_search_says_which_is_meant() -> None:
    hit = a_hit(
        chapter_id="messaging", headings=("Messaging",), text="In ROS 2 nodes exchange messages over topics."
    )
    match = locate("ROS 2 topics", PLACES, [hit])
    assert match is not None
    assert (match.place.name, match.place.chapter_id) == ("topic", "messaging")


def test_what_no_name_says_is_found_by_what_a_search_found() -> None:
    hit = a_hit(
        chapter_id="modules", headings=("Modules", "Paths"), text="The pub keyword makes an item public."
    )
    match = locate("the pub keyword", PLACES, [hit])
    assert match is not None
    assert (match.place.chapter_id, match.place.headings) == ("modules", ("Modules", "Paths"))
    assert not match.is_sure


def test_what_only_shares_a_word_with_what_was_found_is_not_in_the_course() -> None:
    text = (
        "A module groups items under one name and says which of them can be used from outside. Paths lead to an item "
        "through the modules around it. The tool keeps a history of what was compiled, so that only a module that "
        "changed is compiled again."
    )
    hit = a_hit(chapter_id="modules", headings=("Modules",), text=text)
    assert locate("the history of Rome", PLACES, [hit]) is None


def test_between_names_that_are_alike_the_search_decides() -> None:
    places = [title("Cancer and Genes"), title("Cancer and Cells")]
    hit = a_hit(chapter_id="cancer-and-cells", headings=(), text="Cancer is uncontrolled cell division.")
    match = locate("cancer", places, [hit])
    assert match is not None
    assert match.place.chapter_id == "cancer-and-cells"


def test_the_page_of_that_very_name_comes_before_what_a_search_prefers() -> None:
    places = [
        title("Lipids"),
        Place(name="Lipids", kind="heading", chapter_id="food", headings=("Food", "Lipids")),
    ]
    hit = a_hit(chapter_id="food", headings=("Food", "Lipids"), text="Lipids are eaten.")
    match = locate("lipids", places, [hit])
    assert match is not None
    assert match.place.chapter_id == "lipids"


def test_without_a_name_that_is_like_it_the_page_that_tells_most_of_it_is_meant() -> None:
    pages = [
        PageText(chapter_id="boiling", title="Boiling", text="water boils at a hundred degrees. " * 20),
        PageText(chapter_id="freezing", title="Freezing", text="ice forms, and ice floats on water. " * 20),
    ]
    hits = [a_hit(chapter_id=page.chapter_id, headings=(page.title,), text=page.text) for page in pages]
    places = [title("Boiling"), title("Freezing")]
    match = locate("why ice floats", places, hits, pages)
    assert match is not None
    assert match.place.chapter_id == "freezing"


def test_every_measure_has_its_weights() -> None:
    hit = a_hit(chapter_id="computer-vision", headings=(), text="Computer vision reads pictures.")
    page = PageText(chapter_id="computer-vision", title="Computer Vision", text=hit.chunk_text.lower())
    [found, *_] = candidates("computer vision", PLACES, [hit], [page])
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    assert set(weights["ranking"]) == set(found.measures)
    assert set(weights["taught"]) - {"bias"} < set(found.measures)


def test_a_part_is_named_and_read_back() -> None:
    assert part_label("Ownership", 2, 3) == "Ownership, part 2 of 3"
    assert wanted_part("Ownership, part 2 of 3") == ("Ownership", 2)
    assert wanted_part("Ownership") == ("Ownership", 0)
    assert part_label("Ownership", 1, 1) == "Ownership"


def test_the_very_name_of_a_unit_is_meant_however_much_another_page_tells_of_it() -> None:
    told = "Smart pointers such as unique pointers free what they own. " * 8
    section = ("Approaches to Memory", "Smart pointers of C++")
    pages = [
        PageText(chapter_id="memory", title=section[0], text=told.lower()),
        PageText(chapter_id="box", title="Box<T>", text="box is owned data on the heap. " * 8),
    ]
    places = [
        Place(name="Smart Pointers", kind="unit", chapter_id="box"),
        Place(name=section[0], kind="title", chapter_id="memory"),
        Place(name=section[1], kind="heading", chapter_id="memory", headings=section),
    ]
    hits = [a_hit(chapter_id="memory", headings=section, text=f"{told} {number}") for number in range(6)]
    match = locate("smart pointers", places, hits, pages)
    assert match is not None
    assert match.place.name == "Smart Pointers"
