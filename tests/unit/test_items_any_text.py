"""Whatever a passage holds, the quiz asks good questions about it or none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.questions.writing import is_fair, write_items
from agents.teaching.values import Concept
from tests.support.passages import passage
from tests.support.sample_course import services


def concept(name: str, definition: str, position: int) -> Concept:
    return Concept(
        name=name,
        definition=definition,
        kind="glossary",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=position,
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word",
        "```python\nnode = Node('topic')\n",
        "| a |\n|---|\n",
        "- topic\n- service\n- action\n",
        "Ein Knoten ist ein Programm, weil Roboter viele Programme brauchen.",
        "节点是一个程序。主题是一个通道。",
        "$$T_{AB} = \\begin{bmatrix} R & t$$",
        "1. 2. 3. 4.",
        "**node**",
        "A topic is. Because, so that. Unlike , whereas .",
    ],
)
def test_an_odd_passage_gives_no_items_and_no_error(text, terms):
    assert write_items([passage(text)], concepts=terms, count=4, seed=1) == []


def test_no_passages_and_no_concepts_give_no_items(terms):
    assert write_items([], concepts=terms, count=4, seed=1) == []
    assert write_items([services()], concepts=[], count=4, seed=1) == []


_WORDS = st.sampled_from(
    [
        *"a the node topic service joint link each never not is are has called because so whereas unlike if when".split(),
        *"that which increases , . ; : ? ( ) - 1. | `code` **bold** $x$".split(),
        "so that",
        "by using",
        "consists of",
        "used to",
        "found in",
        "\n",
    ]
)
_SENTENCES = st.lists(_WORDS, max_size=40).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.text(max_size=300), _SENTENCES), count=st.integers(0, 5), seed=st.integers(0, 99))
def test_any_text_gives_only_items_that_pass_the_linter(text, count, seed):
    known = [
        concept("node", "A named unit of a program.", 0),
        concept("topic", "A named channel for messages.", 1),
        concept("service", "A named exchange of a request and a response.", 2),
        concept("joint", "A connection between two links.", 3),
        concept("link", "A rigid part of a robot.", 4),
    ]
    quiz = write_items([passage(text)], concepts=known, count=count, seed=seed)
    assert len(quiz) <= count
    assert all(is_fair(item, earlier=quiz[:place]) for place, item in enumerate(quiz))
