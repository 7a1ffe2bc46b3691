"""What strangers wrote becomes HTML that can only be read."""

import pytest

from tests.support.site import soup, words
from web.render import picture_address, to_html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[click](javascript:alert(1))",
        "[click](JaVaScRiPt&colon;alert(1))",
        "[click](data:text/html,<script>alert(1)</script>)",
        "![pixel](https://tracker.example/p.png)",
        '<a href="https://x.example" onclick="alert(1)" style="position:fixed">x</a>',
        '<iframe src="https://x.example"></iframe>',
        "<svg onload=alert(1)>",
        "$\\href{javascript:alert(1)}{x}$",
        "$\\text{<script>alert(1)</script>}$",
        "```html\n<script>alert(1)</script>\n```",
        "[a]: javascript:alert(1)\n\n[click][a]",
    ],
)
def test_a_hostile_text_can_do_nothing(hostile: str) -> None:
    html = soup(to_html(hostile))
    assert not html.find(["script", "iframe", "svg", "object", "form", "style"])
    assert not html.find_all("img")
    for tag in html.find_all(True):
        assert not [name for name in tag.attrs if name.startswith("on") or name == "style"]
        assert str(tag.get("href", "https:")).startswith(("http", "/passage/", "mailto:"))


def test_code_and_output_of_one_passage_carry_one_mark() -> None:
    """Display only, and never across a heading or another passage."""
    code = "```python\nx = 1\n```"
    passages = {1: "a", 2: "b"}

    def marks(*blocks: str) -> list[str]:
        return [link.text for link in soup(to_html("\n\n".join(blocks), passages=passages)).select("a.cite")]

    assert marks("It is so. [1]", code, "[1]", code, "[1]", code, "[1]") == ["1", "1"]
    assert marks(code, "[1]", "And so it is. [1]") == ["1"]
    assert marks(code, "[1]", code, "[2]") == ["1", "2"]
    assert marks(code, "[1]", "Both. [1] [2]") == ["1", "1", "2"]
    assert marks(code, "[1]", "## Next", code, "[1]") == ["1", "1"]
    assert marks("One. [1]", "Two. [1]") == ["1", "1"], "sentences keep theirs"


def test_a_mark_that_stands_alone_is_told_from_a_sentence_with_one() -> None:
    """The page puts the first to the right below its code, and leaves the second where it is."""
    html = soup(to_html("```python\nx = 1\n```\n\n[1]\n\nSo it is. [2]", passages={1: "a", 2: "b"}))
    assert [paragraph.text for paragraph in html.select("p.mark")] == ["1"]


def test_a_mark_leads_to_its_passage_but_not_in_code() -> None:
    html = soup(
        to_html("Nodes talk [1]. Nobody said [7]. `a[1]`\n\n```python\nx = a[1]\n```", passages={1: "ab/c"})
    )
    [link] = html.select("a.cite")
    assert link["href"] == "/passage/ab%2Fc"
    assert link["aria-label"] == "Source 1: show the passage"
    assert "[7]" in words(html)
    assert html.select_one("code").text == "a[1]"


def test_formulas_become_mathml_and_money_stays_money() -> None:
    html = to_html("The energy is $E = mc^2$, and it costs $5 or $6.\n\n$$\n\\frac{a}{b}\n$$")
    assert soup(html).select("math msup")
    assert soup(html).select("math mfrac")
    assert "$5 or $6" in html


def test_a_formula_that_nobody_can_read_stays_as_it_was_written() -> None:
    assert "\\begin{nothing" in to_html("Here: $\\begin{nothing} \\frac{$ it ends.")


def test_code_is_coloured_by_classes_and_tables_are_kept() -> None:
    html = soup(to_html("```python\ndef f(): ...\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"))
    assert html.select_one("pre code .k").text == "def"
    assert [cell.text for cell in html.select("td")] == ["1", "2"]


def test_a_picture_is_shown_when_the_course_has_it_and_named_when_it_is_elsewhere() -> None:
    texts = [("c1", "See ![a robot](img/robot.png)")]

    def shown(text: str) -> str:
        return to_html(text, pictures=lambda target: picture_address(target, texts))

    assert soup(shown("![a robot](img/robot.png)")).img["src"] == "/picture/c1?file=img%2Frobot.png"
    for elsewhere in (
        "![a robot](https://x.example/r.png)",
        "![a robot](//x.example/r.png)",
        "![a robot](no.png)",
    ):
        assert not soup(shown(elsewhere)).img
        assert "Picture: a robot" in words(soup(shown(elsewhere)))


def test_links_within_the_course_keep_only_their_words() -> None:
    html = soup(to_html("See [chapter 2](../ch2.md) and [the site](https://ros.example/)."))
    [link] = html.select("a")
    assert link["href"] == "https://ros.example/"
    assert "chapter 2" in words(html)
