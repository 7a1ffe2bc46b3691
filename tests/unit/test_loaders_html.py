"""Web pages."""

from pathlib import Path

import pytest

from rag.loaders import LoadedDocument, load_document
from rag.loaders.document import page_kind
from storage.errors import DocumentError


@pytest.fixture
def page(tmp_path: Path):
    def load(source: str) -> LoadedDocument:
        path = tmp_path / "a-page.html"
        path.write_text(source, encoding="utf-8")
        return load_document(path)

    return load


@pytest.fixture
def body(page):
    def load(source: str) -> str:
        return "\n\n".join(section.text for section in page(f"<html><body>{source}</body></html>").sections)

    return load


def test_only_the_main_content_is_read(page):
    document = page(
        "<title>Joints | Robot School</title><header><h1>Robot School</h1></header><nav>Menu</nav>"
        "<main><article><header><h1>Joints</h1></header><p>They turn.</p><script>x()</script></article></main>"
        "<aside>Ad</aside><footer>Imprint</footer>"
    )
    assert document.title == "Joints"
    assert [(section.headings, section.text) for section in document.sections] == [
        (("Joints",), "They turn.")
    ]


def test_headings_make_sections(page):
    document = page(
        "<title>Robots</title><h1>Arms</h1><p>a</p><h2>Joints<a class='x'>¶</a></h2><p>b</p><h1>Legs</h1>c"
    )
    assert [section.headings for section in document.sections] == [
        ("Robots", "Arms"),
        ("Robots", "Arms", "Joints"),
        ("Robots", "Legs"),
    ]


def test_without_a_title_the_first_heading_or_the_file_name_serves(page):
    assert page("<h1>Arms</h1><p>a</p>").title == "Arms"
    assert page("<p>a</p>").title == "A Page"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>One\n  line</p><p>Two<br>lines</p>", "One line\n\nTwo\nlines"),
        ("<p>A <b>bold </b>word, <i>italic</i> <a href='x'>link</a>.</p>", "A **bold** word, italic link."),
        ("<p>H<sub>2</sub>O, 10<sup>23</sup> &amp; Ca<sup>2+</sup></p>", "H₂O, 10²³ & Ca²⁺"),
        ("<p>See <img src='x' alt='a photo'>it.<!-- no --></p>", "See it."),
        ("<p>Call <code>f(x)</code>.</p>", "Call `f(x)`."),
        (
            "<pre class='lang-py'>def f():\n    return 1 &lt; 2</pre>",
            "```py\ndef f():\n    return 1 < 2\n```",
        ),
        ("<pre><code class='language-c'>a<br>b</code></pre>", "```c\na\nb\n```"),
        ("<ul><li>a<ul><li>deep</li></ul></li><li><p>b</p></li></ul>", "- a\n  - deep\n- b"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        (
            "<dl><dt>Link</dt><dd>A part.</dd><dt>Joint<dd>It turns.</dl>",
            "**Link**: A part.\n\n**Joint**: It turns.",
        ),
        (
            "<dl><dt>Join</dt><dd><pre>a join b</pre><p>Both.</p></dd></dl>",
            "**Join**:\n\n```\na join b\n```\n\nBoth.",
        ),
        (
            '<link rel="next" href="b.html"><div><table><tr><td>Prev<td><a href="b.html">Next</a></table></div>'
            '<p>What <a href="b.html">comes next</a> is longer than a line that is there to turn pages with, because it tells '
            "something: a link in the middle of a paragraph stays where its author has put it.</p>"
            '<div role="navigation">Home</div><ul><li>Up</li><li><a href="b.html">Next</a></li></ul>',
            "What comes next is longer than a line that is there to turn pages with, because it tells something: a link in "
            "the middle of a paragraph stays where its author has put it.",
        ),
        (
            "<table><tr><th>A<th>B<tr><td>1|2<td><b>x</b></table>",
            "| A | B |\n| --- | --- |\n| 1\\|2 | **x** |",
        ),
        ("<table><caption>C</caption><tr><td>a<td>b</table>", "C\n\n|  |  |\n| --- | --- |\n| a | b |"),
        (
            "<table><tr><td>layout <table><tr><td>x<td>y</table></table>",
            "layout\n\n|  |  |\n| --- | --- |\n| x | y |",
        ),
        ("<a href='x'><div>card</div></a> tail", "card\n\ntail"),
        ("<p hidden>no</p><p aria-hidden='true'>no</p><p>yes</p>", "yes"),
        ("<p>Math \\(x_1\\) and <script type='math/tex'>y_2</script>.</p>", "Math \\(x_1\\) and $y_2$."),
        (
            "<p>So <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></semantics></math>.</p>",
            "So $x_1$.",
        ),
        ("<p>So <math><msup><mi>x</mi><mn>2</mn></msup></math>.</p>", "So $x^{2}$."),
        ("<p>One <b>two<p>three</b> four", "One **two**\n\nthree four"),
        ("</div><p>Stray </b>ends</p></p>", "Stray ends"),
    ],
)
def test_elements_become_markdown(body, source: str, expected: str):
    assert body(source) == expected


def test_xhtml_with_a_declaration_loads_without_a_warning(page):
    source = (
        '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Text.</p></body></html>'
    )
    assert page(source).sections[0].text == "Text."


def test_text_without_any_tag_loads(page):
    assert page("http://example.org/only-an-address").sections[0].text == "http://example.org/only-an-address"


def test_a_page_without_words_is_refused(page):
    with pytest.raises(DocumentError, match="no text"):
        page("<html><body><img src='x'><nav>Menu</nav></body></html>")


def test_a_page_nested_beyond_reason_is_refused_or_read_but_never_crashes(page):
    with pytest.raises(DocumentError, match="too deeply"):
        page("<div>" * 4000 + "text" + "<span>" * 4000)


def test_what_a_generator_puts_around_a_page_and_beside_its_names_is_left_out(body):
    text = body(
        '<dl><dt>send(a)<a href="x.html"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#s">¶</a>'
        '</dt><dd>Sends it.</dd></dl><div id="sidebar">Last update</div><div role="contentinfo">Made with care</div>'
    )
    assert "Sends it." in text
    assert not any(debris in text for debris in ("source", "¶", "Last update", "Made with"))


def test_the_title_of_a_box_begins_what_it_says(body):
    assert body('<div><p class="admonition-title">Note</p><p>It is slow.</p></div>') == "Note: It is slow."


def test_a_page_of_links_is_known_as_such(page):
    """A table of contents as a web page is no lesson, however long."""
    entries = "".join(f'<li><a href="p{number}.html">Chapter number {number}</a></li>' for number in range(9))
    contents = page(f"<main><h1>Forms</h1><p>All about them.</p><ul>{entries}</ul></main>")
    told = page(
        "<main><h1>Forms</h1><p>Forms check what people type, see <a href='x.html'>fields</a>.</p></main>"
    )
    assert page_kind(contents, name="forms/index.html") == "links"
    assert page_kind(told, name="forms/index.html") == "content"
