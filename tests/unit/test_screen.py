"""What reaches a screen is text: nothing in it becomes a tag or is fetched from elsewhere."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agents.screen import NOTHING, Screen, shown
from tests.support.soak import times

RENDERERS = [
    MarkdownIt("commonmark", {"html": True}),
    MarkdownIt("gfm-like", {"html": True, "linkify": False}),
]
LIVE = re.compile(r"<(?:img|script|iframe|svg|link|object|style|b|a\s+onclick)\b[^>]*")


def alive(markdown: str) -> list[str]:
    """What a browser would make of the text: tags that its author wrote, and pictures from elsewhere."""
    found = [tag for renderer in RENDERERS for tag in LIVE.findall(renderer.render(markdown))]
    return [
        tag
        for tag in found
        if not re.match(r'<img src="(?:/(?!/)|\.{1,2}/)*[\w%.~+@-][\w%.~+@=,/-]*" alt=', tag)
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<img src="http://evil/p.png">',
        "</p><script>alert(1)</script>",
        "![pixel](http://evil/p.png)",
        "![pixel](//evil/p.png)",
        "![pixel](&#104;ttp://evil/p.png)",
        "![pixel](\\\\evil/p.png)",
        "![pixel](<http://evil/p.png>)",
        "![a[b]c](http://evil/p.png 'title')",
        "![pixel][there]\n\n[there]: http://evil/p.png",
        "![there]\n\n[there]: http://evil/p.png",
        "![a\nb](http://evil/p.png)",
        "![data](data:image/svg+xml;base64,AAAA)",
        "`` ` <img src=x> ``",
        "\\`<img src=x>`",
        "[a](x`)<img src=x>`",
        "- a `\n- <img src=x>\n- b `",
        "| ` | <img src=x> | ` |\n|---|---|---|\n",
        "- ```\n  x\n```\n<img src=x>\n```",
        "> ```\n<img src=x>\n> ```",
        "1. a\n   ```\n<img src=x>\n   ```",
        "    ```\n\n<img src=x>\n\n    ```",
        "```\nx\n``` y\n```\n<img src=x>",
        "```\nx\n```~~\n<img src=x>\n```",
        "``` <img src=x>\n```\n<img src=x>",
        "~~~\nx\n```\n~~~\n<img src=x>",
    ],
)
def test_nothing_comes_alive(text: str) -> None:
    assert alive(shown(text)) == []


def test_course_text_looks_as_it_was_written() -> None:
    text = "Use `Vec<T>` where x < y, see <https://a.b>!"
    assert shown(text).replace(NOTHING, "") == text
    assert shown("Well done! [1] It holds: 3 < 4.") == "Well done! [1] It holds: 3 < 4."


def test_code_is_left_alone_so_that_it_can_be_copied() -> None:
    text = 'A page:\n\n```html\n<img src="a.png">\n```\n\nand <b>more</b>'
    assert '```html\n<img src="a.png">\n```' in shown(text)
    assert "<b>" not in shown(text)


def test_pictures_of_the_course_stay_and_those_from_elsewhere_become_links() -> None:
    assert shown("![A pump](images/pump.png)") == "![A pump](images/pump.png)"
    assert shown("![A pump](../images/pump.png)") == "![A pump](../images/pump.png)"
    html = RENDERERS[0].render(shown("![A pump](https://a.b/pump.png)"))
    assert '<a href="https://a.b/pump.png">A pump</a>' in html


_PIECES = st.lists(
    st.sampled_from(
        [
            "<img src=x>",
            "<b>",
            "![a](http://e/p.png)",
            "![a](p.png)",
            "```",
            "~~~",
            "````",
            "`",
            "``",
            "\n",
            "\n\n",
            "> ",
            "- ",
            "1. ",
            "    ",
            "  ",
            "\\",
            "|",
            "|---|\n",
            "a ",
            "[a](",
            ")",
            "[a]: http://e/p.png",
            "!",
            "[",
            "<",
            "html",
            "*",
        ]
    ),
    max_size=30,
)


@pytest.mark.scaled
@settings(max_examples=times(400, 100_000), deadline=None)
@given(pieces=_PIECES)
def test_nothing_comes_alive_in_any_text(pieces: list[str]) -> None:
    text = shown("".join(pieces))
    assert alive(text) == []
    assert shown(text) == text


@pytest.mark.scaled
@settings(max_examples=times(200, 20_000), deadline=None)
@given(pieces=_PIECES)
def test_the_pieces_of_a_stream_add_up_to_the_message(pieces: list[str]) -> None:
    screen = Screen()
    streamed = "".join([*(screen.feed(piece) for piece in pieces), screen.finish()])
    assert streamed == shown("".join(pieces))
