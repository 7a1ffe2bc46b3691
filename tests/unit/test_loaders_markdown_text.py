"""Markdown: what a section's text keeps and what it loses."""

from pathlib import Path

import pytest

from rag.loaders.markdown import parse


def text(source: str) -> str:
    (section,) = parse(f"# T\n\n{source}\n", path=Path("t.md")).sections
    return section.text


@pytest.mark.parametrize(
    "kept",
    [
        "One paragraph.\n\nAnother one.",
        "A **term** in bold.",
        "* one\n* two\n  - deep\n\n1. first\n2. second",
        "| A | B |\n|---|:-:|\n| 1 | 2 |",
        "```python\nx = a[0](b)  # <b>&amp;</b> *y* {: .c}\n```",
        "Inline `a[0](b) <b> &amp; *x* {{ y }}` code.",
        r"Math $a_1 * b_2 * c_{i}$ here.",
        "snake_case_names and 2*3*4 and __init__.py stay",
        "It costs $5 or $10, and [0, 1] is a range.",
        "a < b and c > d",
        "- [ ] a task\n- [x] done",
    ],
)
def test_what_a_reader_needs_stays_as_it_is(kept: str):
    assert text(kept) == kept


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"Math \(a_1 * b_2\) is here.", r"Math $a_1 * b_2$ is here."),
        (r"In a line \[ x_1 = \frac{a}{b} \] too.", r"In a line $x_1 = \frac{a}{b}$ too."),
        (r"Some write $$\sum_{i}^{n} x_i$$ in a line.", r"Some write $\sum_{i}^{n} x_i$ in a line."),
        ("Then:\n\n\\[ x_1 = 2 \\]\n\nSo.", "Then:\n\n$$x_1 = 2$$\n\nSo."),
        (
            "$$\n\\begin{aligned}\na_1 &= b \\\\\n\\end{aligned}\n$$",
            r"$$\begin{aligned} a_1 &= b \\ \end{aligned}$$",
        ),
        (r"\begin{equation} x_1 = \text{<b>} \end{equation}", r"$$x_1 = \text{<b>}$$"),
    ],
)
def test_formulas_stand_between_dollar_signs_two_where_they_stand_alone(source: str, expected: str):
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("An *italic* and _another_ word.", "An italic and another word."),
        ("A ***strong*** and a __bold__ one.", "A **strong** and a **bold** one."),
        ("**Chlorophyll *a*** is green.", "**Chlorophyll a** is green."),
        ('See [the guide](https://x.org/a_(b) "Title") now.', "See the guide now."),
        ("See [the [old] guide]( x.md ) now.", "See the [old] guide now."),
        (
            "See [the guide][1], [here][] or [there].\n\n[1]: http://x\n[here]: <y> 'T'\n[there]: z",
            "See the guide, here or there.",
        ),
        ("An array[0][1] stays.\n\n[x]: http://x", "An array[0][1] stays."),
        ('Before ![A photo.](x.png "A (long) title"){: #fig-1} after.', "Before  after."),
        ("[![Video](a.png)](https://x) Watch.", "Watch."),
        ("![a [nested](b) alt](c.png) Text.", "Text."),
        ("A claim.[^1] More[^note].\n\n[^1]: The source.", "A claim. More.\n\nThe source."),
        ("A claim.<sup>[2](#footnote2)</sup>", "A claim."),
        ('**homeostasis**{: data-type="term"} holds\n{: .class}', "**homeostasis** holds"),
        ("**compounds**\\: they are", "**compounds**: they are"),
        ("A <!-- hidden --> text", "A  text"),
        ("{% include x.html %}Text {{ page.title }}", "Text"),
        ("AT&amp;T, &lt;b&gt; and&nbsp;n&rarr;&infin;", "AT&T, <b> and n→∞"),
        ("> A quote\n> goes on.", "A quote\ngoes on."),
        ("> [!NOTE]\n> Mind this.", "Mind this."),
        (":::note\nMind this.\n:::", "Mind this."),
        (":::tip[A title]\nMind this.\n:::", "A title\n\nMind this."),
        ('!!! note "A title"\n    Mind this.', "A title\n\nMind this."),
        ("One\n\n* * *\n\nTwo\n\n___\n\nThree", "One\n\nTwo\n\nThree"),
        ("1. a\n^\n\n1. b", "1. a\n\n1. b"),
        ("<https://x.org/a> and <me@x.org>", "https://x.org/a and me@x.org"),
        ("* TOC\n{:toc}\n\nText.", "Text."),
        ("Text\\\nbroken by hand", "Text\nbroken by hand"),
    ],
)
def test_markup_goes_and_words_stay(source: str, expected: str):
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<div class='a' markdown='1'>\nText <span>in</span> it.\n</div>", "Text in it."),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("A <b>bold </b>word and <strong>another</strong>.", "A **bold** word and **another**."),
        ("<strong><strong>twice</strong> </strong>bold", "**twice** bold"),
        (
            "Water is H<sub>2</sub>O, Ca<sup>2+</sup> an ion, 10<sup>-7</sup> small.",
            "Water is H₂O, Ca²⁺ an ion, 10⁻⁷ small.",
        ),
        ("<sup>14</sup>C on the 1<sup>st</sup> day", "¹⁴C on the 1st day"),
        ("<figure><figcaption>A toad.</figcaption>\n![x](y.png)\n</figure>", "A toad.\n\n![x](y.png)"),
        ("<ul>\n<li>one</li>\n<li>two</li>\n</ul>", "- one\n\n- two"),
        (
            "<dl><dt>Link</dt><dd>\nA rigid part.\n</dd><dt>Joint</dt><dd>It turns.</dd></dl>",
            "**Link**: A rigid part.\n\n**Joint**: It turns.",
        ),
        ("<script>var x = 1;</script>Text<style>p {}</style>", "Text"),
        ('<Tabs groupId={x > 1}>\n<TabItem value="a > b">\nText\n</TabItem>\n</Tabs>', "Text"),
        ('<pre><code class="language-py">a &lt; b</code></pre>', "```py\na < b\n```"),
        ("Call <code>f(x)</code> now.", "Call `f(x)` now."),
        ("<math><msub><mtext>H</mtext><mn>2</mn></msub><mtext>O</mtext></math>", r"$$\text{H}_{2}\text{O}$$"),
        ("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>", r"$$\frac{3}{4}$$"),
        ("One line<br/>and the next", "One line\nand the next"),
        ("| a <br> b | <ul><li>x</li><li>y</li></ul> |\n|---|---|", "| a b | x, y |\n|---|---|"),
        ("if x <y and\n\nthen z> w", "if x <y and\n\nthen z> w"),
    ],
)
def test_html_becomes_the_text_it_shows(source: str, expected: str):
    assert text(source) == expected


def test_an_html_table_becomes_a_pipe_table_under_its_caption():
    source = (
        '<table summary=""><thead><tr><th colspan="2">Parts of an atom</th></tr>'
        "<tr><th /><th>Charge</th></tr></thead>\n<tbody><tr>\n<td>Proton</td><td>+1 | e</td></tr></tbody></table>"
    )
    assert text(source) == "Parts of an atom\n\n|  | Charge |\n| --- | --- |\n| Proton | +1 \\| e |"


def test_formulas_in_a_table_are_read_before_the_table():
    cell = "<math> <msub> <mtext>H</mtext> <mn>2</mn> </msub> <mtext>O</mtext> </math>"
    assert r"| $\text{H}_{2}\text{O}$ | wet |" in text(
        f"<table><tr><th>a</th><th>b</th></tr><tr><td>{cell}</td><td>wet</td></tr></table>"
    )


def test_a_table_around_one_picture_leaves_its_caption():
    assert text("|![x](y.png)|\n|:---:|\n| A sketch - _by [me](z)_ |") == "A sketch - by me"


@pytest.mark.parametrize(
    "source",
    ["atom\n: smallest unit\n^\n\ncell\n: unit of life", "atom\n\n:   smallest unit\n\ncell\n: unit of life"],
)
def test_definition_lists_are_spelt_out(source: str):
    assert text(source) == "**atom**: smallest unit\n\n**cell**: unit of life"


def test_a_term_may_have_two_meanings():
    assert text("**cell**\n: unit of life\n: small room") == "**cell**: unit of life\nsmall room"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"Tissues ([\[link\]](#fig-1)) form organs.", "Tissues form organs."),
        (r"Tissues ( [\[link\]](#fig-1)**a**), or (see [\[link\]](#tab-2)).", "Tissues, or."),
        (r"As [\[link\]](#fig-1) illustrates, it moves.", "It moves."),
        (r"It moves. [\[link\]](#tab-1) lists more.", "It moves."),
        (r"It is shown in [\[link\]](/m4#fig-1)**b**.", "It is shown."),
        (r"Under laboratory conditions [\[link\]](#fig-1). Then", "Under laboratory conditions. Then"),
        (r"[[link]](#fig-1) Which one is true?", "Which one is true?"),
    ],
)
def test_cross_references_leave_a_sentence_that_reads(source: str, expected: str):
    assert text(source) == expected


def test_mdx_imports_at_the_top_go():
    source = "import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from \"b\";\n\nexport const x = 1\n\nText that\nimport duties from 'x' keep."
    document = parse(source, path=Path("t.mdx"))
    assert document.sections[0].text == "Text that\nimport duties from 'x' keep."


def test_code_in_a_list_or_quote_loses_only_its_indentation():
    assert text("1. Run:\n\n   ```sh\n   ls\n     -l\n   ```\n\n> ```\n> x\n> ```") == (
        "1. Run:\n\n```sh\nls\n  -l\n```\n\n```\nx\n```"
    )


def test_a_fence_may_hold_a_comment_and_a_comment_a_fence():
    assert (
        text("```\n<!-- kept -->\n```\n\n<!--\n```\ndropped\n```\n-->\n\nEnd.")
        == "```\n<!-- kept -->\n```\n\nEnd."
    )


def test_an_unclosed_comment_hides_nothing():
    assert text("Before <!-- after") == "Before  after"


def test_backticks_of_different_length_do_not_pair():
    assert text("A ` tick and ``code ` here``.") == "A ` tick and ``code ` here``."
