"""Formulas: kept inside their sentence as LaTeX that loses nothing, and read as text where nothing draws them."""

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.language.formulas import formula_text, lowered, raised, readable_formulas
from agents.language.words import words_of
from agents.screen import Screen, shown
from evals.lessons import comes_back, normal_form
from rag.loaders.formulas import math_text
from rag.loaders.html import parse as parse_html
from rag.loaders.markdown import parse
from rag.loaders.mathml import latex_of

SPEED = "<math><mi>v</mi><mo>=</mo><mfrac><mi>s</mi><mi>t</mi></mfrac></math>"
V = r"$v=\frac{s}{t}$"


def text(source: str) -> str:
    (section,) = parse(f"# T\n\n{source}\n", path=Path("t.md")).sections
    return section.text


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{1}{2}mv_0^2", "½mv₀²"),
        (r"v^2=v_0^2+2a(x-x_0)", "v² = v₀² + 2a(x − x₀)"),
        (r"t=\frac{v-v_0}{a}", "t = (v − v₀)/a"),
        (r"\text{CO}_2", "CO₂"),
        (r"{}_{6}^{14}\text{C}", "¹⁴₆C"),
        (r"2\text{H}_{2}\longrightarrow \text{H}_{4}", "2H₂ → H₄"),
        (r"\frac{5}{9}(T-32)", "(5/9)(T − 32)"),
        (r"K_{\text{eq}}", "K_(eq)"),
        (r"x^{q}", "x^q"),
        (r"-x", "−x"),
        (r"\sqrt{x+1}", "√(x + 1)"),
        (r"\sqrt[3]{x}", "∛x"),
        (r"\vec{F}", "F\u20d7"),
        (r"\sin x", "sin x"),
        (r"\begin{array}{ll}x&=1\\\\ &=2\end{array}", "x = 1; = 2"),
    ],
)
def test_a_formula_is_read_as_a_person_would_write_it_on_one_line(latex: str, expected: str) -> None:
    assert formula_text(latex) == expected


def test_what_cannot_be_read_stays_as_it_was_written() -> None:
    assert formula_text(r"\broken{") == r"\broken{"
    assert formula_text("{" * 3000) == "{" * 3000


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader_of_formulas(text: str) -> None:
    formula_text(text)
    readable_formulas(f"${text}$")


def test_code_and_prices_are_no_formulas() -> None:
    for kept in ("`$x^2$`", "```\n$x^2$\n```", "It costs $5 or $10."):
        assert readable_formulas(kept) == kept
    assert readable_formulas("So $x^2$ and $$y_1$$.") == "So x² and y₁."


@pytest.mark.parametrize(
    ("script", "expected"), [("2", "₂"), ("surr", "ₛᵤᵣᵣ"), ("eq", "_(eq)"), ("*a*", "ₐ"), ("", "")]
)
def test_a_subscript_is_set_low_where_there_are_signs_for_it(script: str, expected: str) -> None:
    assert lowered(script) == expected


def test_a_superscript_is_set_high_but_for_ordinals() -> None:
    assert raised("2+", base="a") == "²⁺"
    assert raised("4", base="0") == "⁴"
    assert raised("st", base="1") == "st"
    assert raised("°C") == "^(°C)"


def test_small_signs_and_formulas_are_found_by_what_people_type() -> None:
    assert words_of("CO₂ in 10⁴ tons") == words_of("CO2 in 104 tons")
    assert words_of(r"the $\frac{v}{t}$ of it") == ["the", "v/t", "of", "it"]


MATHML = [
    SPEED,
    "<math><msub><mrow/><mn>2</mn></msub><mtext>H</mtext></math>",
    "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>−</mo><mn>1,5</mn></math>",
    "<math><mo>(</mo><mfrac><mtext>25 m</mtext><mtext>5 %</mtext></mfrac><mo>)</mo></math>",
    '<math><menclose notation="horizontalstrike"><mtext>in.</mtext></menclose></math>',
    "<math><munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi></math>",
    "<math><mroot><mi>x</mi><mn>3</mn></mroot><mo>&lt;</mo><mtext>{a} &amp; $b_c^d</mtext></math>",
    "<math><mtable><mtr><mtd><mi>a</mi></mtd><mtd/></mtr><mtr><mtd/><mtd><mi>b</mi></mtd></mtr></mtable></math>",
    "<math><mover><mi>H</mi><mo>^</mo></mover><mi>ψ</mi><mo>⇌</mo><mi>sin</mi><mi>x</mi></math>",
]


@pytest.mark.parametrize("markup", MATHML)
def test_a_formula_comes_back_from_latex_as_it_was(markup: str) -> None:
    assert comes_back(markup)


def test_a_formula_that_lost_something_does_not_come_back() -> None:
    whole, part = (ElementTree.fromstring(each) for each in (SPEED, "<math><mi>v</mi><mo>=</mo></math>"))
    assert normal_form(whole) != normal_form(part)


LEAVES = st.sampled_from("mi mn mo mtext".split()).flatmap(
    lambda name: st.text("ab12+−({[<&$%\\_^²Δ", min_size=1, max_size=3).map(lambda said: (name, said))
)


@given(st.lists(LEAVES, min_size=1, max_size=6))
def test_whatever_stands_in_the_leaves_comes_back(leaves: list[tuple[str, str]]) -> None:
    root = ElementTree.Element("math")
    for name, said in leaves:
        ElementTree.SubElement(root, name).text = said
    assert comes_back(ElementTree.tostring(root, encoding="unicode")), latex_of(root)


def test_the_authors_own_latex_is_taken_as_it_is() -> None:
    markup = (
        "<math><semantics><mi>x</mi>"
        '<annotation encoding="application/x-tex">\\mathbf{x} | y</annotation></semantics></math>'
    )
    assert math_text(markup) == r"$\mathbf{x} \vert y$"


def test_a_sign_or_a_word_needs_no_formula() -> None:
    assert math_text("<math><mo>×</mo></math>") == "×"
    assert math_text("<math><mi>x</mi></math>") == "$x$"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"The speed is {SPEED}\n\n when it is even.", f"The speed is {V} when it is even."),
        (f"Here {SPEED}\n\n, and there\n\nNew.", f"Here {V}, and there\n\nNew."),
        (f"With {SPEED}\n\nwe go on.", f"With {V} we go on."),
        (f"(a) {SPEED}\n\n(b) {SPEED}", f"(a) {V}\n\n(b) {V}"),
        (f"Look:\n\n{SPEED}\n\nThen go.", f"Look:\n\n${V}$\n\nThen go."),
        (f'By\n\n<div data-type="equation">\n{SPEED}\n</div>\nGo.', f"By\n\n${V}$\n\nGo."),
        (f"- as {SPEED}\n\n   or so\n- next", f"- as {V} or so\n- next"),
        ("It is 3 <math><mo>×</mo></math>\n\n10<sup>4</sup> m.", "It is 3 × 10⁴ m."),
        (f'Its **speed {SPEED}\n\n**{{: data-type="term"}} is even.', f"Its **speed {V}** is even."),
        (f"An {SPEED}\n\n![a](b.png)", f"An {V}\n\n![a](b.png)"),
    ],
)
def test_a_formula_stays_in_its_sentence_whatever_the_line_breaks(source: str, expected: str) -> None:
    assert text(source) == expected


def test_a_stop_that_was_set_in_the_formula_stands_behind_it() -> None:
    markup = SPEED.replace("</math>", "<mo>)</mo><mtext>,</mtext></math>")
    assert text(f"(as {markup}\n\n or so)") == f"(as {V}), or so)"


def test_a_rule_that_means_a_line_break_is_one() -> None:
    source = 'One* * *\n{: data-type="newline"}\n\n Two* * *\n{: data-type="newline"}\n\n and on'
    assert text(source) == "One\n\nTwo\nand on"


def test_formulas_of_a_web_page_stand_in_their_lines_or_alone() -> None:
    (section,) = parse_html(
        f"<h1>T</h1><p>So {SPEED} it is.</p><div>{SPEED}</div>", path=Path("t.html")
    ).sections
    assert section.text == f"So {V} it is.\n\n${V}$"


def test_a_heading_has_its_formula_as_text() -> None:
    document = parse("# T\n\n## The $v_0$ of it\n\nText.", path=Path("t.md"))
    assert document.sections[0].headings[-1] == "The v₀ of it"


MESSAGE = "So $v_0^2$ and `$x^2$` for $5.\n\n$$\\frac{1}{2}$$\n"


def test_where_nothing_draws_formulas_they_leave_as_text() -> None:
    assert shown(MESSAGE, draws_formulas=False) == "So v₀² and `$x^2$` for $5.\n\n½\n"
    assert shown(MESSAGE) == MESSAGE


@given(st.lists(st.integers(1, len(MESSAGE)), max_size=8))
def test_a_message_in_pieces_leaves_as_the_whole_one_does(cuts: list[int]) -> None:
    screen = Screen(draws_formulas=False)
    places = [0, *sorted(cuts), len(MESSAGE)]
    pieces = [MESSAGE[start:end] for start, end in pairwise(places)]
    assert "".join(map(screen.feed, pieces)) + screen.finish() == shown(MESSAGE, draws_formulas=False)
