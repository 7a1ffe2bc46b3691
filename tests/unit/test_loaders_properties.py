"""What holds for any text at all: nothing is invented, nothing takes forever."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.loaders import LoadedDocument, html, markdown, text
from storage.errors import DocumentError

PARSERS = {".md": markdown.parse, ".txt": text.parse, ".html": html.parse}
WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
MARKUP = st.sampled_from(
    [
        *[
            "\n",
            "\n\n",
            " ",
            "# ",
            "## ",
            "~~~\n",
            "\n: ",
            "> ",
            "- ",
            "1. ",
            "    ",
            "---\n",
            "<table><tr><td>",
        ],
        *re.findall(
            r"\S+",
            r"""``` ** * _ $ $$ \( \) \[ \] ` | |- [ ]( ) ![ [^ ]: {: } <!-- --> <b> </b> <div> </table> <li>
        <pre> </pre> <dt> </dt> <math> </math> ::: &amp; &lt; \ ^""",
        ),
    ]
)
PIECES = st.lists(st.one_of(WORDS, MARKUP, st.just(" ")), max_size=60).map("".join)


def read(source: str, suffix: str) -> LoadedDocument | None:
    try:
        return PARSERS[suffix](source, path=Path(f"name{suffix}"))
    except DocumentError:
        return None


def letters(value: str) -> str:
    return re.sub(r"[\W_]+", "", value)


def is_subsequence(inner: str, outer: str) -> bool:
    remaining = iter(outer)
    return all(letter in remaining for letter in inner)


@pytest.mark.parametrize("suffix", list(PARSERS))
@settings(max_examples=300, deadline=None)
@given(source=PIECES)
def test_every_letter_comes_from_the_source_in_its_order(suffix: str, source: str):
    document = read(source, suffix)
    shown = "".join(letters(section.text) for section in document.sections) if document else ""
    # Lists are numbered anew, so digits do not count.
    assert is_subsequence(re.sub(r"\d", "", shown), letters(source))


@pytest.mark.parametrize("suffix", list(PARSERS))
@settings(max_examples=200, deadline=None)
@given(source=st.text(max_size=300))
def test_any_text_loads_or_is_refused(suffix: str, source: str):
    document = read(source.replace("\0", ""), suffix)
    for section in document.sections if document else ():
        assert section.text.strip()
        assert section.headings[0] == document.title
        assert all(a != b for a, b in zip(section.headings, section.headings[1:], strict=False))
        assert "\0" not in section.text


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(WORDS, min_size=1, max_size=20),
    mark=st.sampled_from(["", "**", "*", "_", "`", "> ", "- "]),
)
def test_all_words_of_a_plain_paragraph_arrive(words: list[str], mark: str):
    source = "# Title\n\n" + " ".join(f"{mark}{word}{mark.strip('> -')}" for word in words)
    document = read(source, ".md")
    assert document is not None
    assert re.findall(r"\w+", document.sections[0].text.replace("_", " ")) == words


UNITS = [
    "word ",
    "[a](b ",
    "<a ",
    "$a ",
    "> ",
    "\n\n",
    "\n: ",
    "a\n: ",
    "\n- ",
    "~~~\n",
    "\n```",
    "\n|",
    "\n ",
    " \n",
    "\t",
]
UNITS += ["=\n", "\n---", "\n#", "[ [a] ", "\n\n    x", "\n[a]: b", "\n# a\n", "---\n", "\n1. "]
UNITS += re.findall(
    r"\S+",
    r"""[ ![ [a]( < <!-- <a_b=" <pre> <dt> <table> <tr> ` ``a` $ \( \[ \begin{a} * **a _ __a {% {: {{ [^ > | ::: &amp & <sup>
    <b> <li> [[ [\[ ( <math> <script> ***a </li><li> <h1>a</h1> <sup>2</sup> <code> \ {/* ![a] [\[a\]](#b) (see""",
)


@pytest.mark.parametrize("unit", UNITS)
def test_no_markup_takes_more_than_linear_time(unit: str):
    """A pasted dump must not hang the ingest: four times the text, not sixteen times the wait."""

    def seconds(size: int) -> float:
        source = "# T\n\nx" + unit * (size // len(unit))
        started = time.process_time()
        read(source, ".md")
        return time.process_time() - started

    small = min(seconds(25_000) for _ in range(2))
    assert seconds(200_000) < max(small, 0.01) * 8 * 4


def test_a_single_line_of_five_megabytes_loads_quickly():
    line = "A robot [arm](x) has **joints** and `links` that cost $5, <b>mostly</b>. " * 70_000
    started = time.process_time()
    document = read(f"# T\n\n{line}", ".md")
    assert document is not None
    assert time.process_time() - started < 5
    assert document.sections[0].text.startswith(
        "A robot arm has **joints** and `links` that cost $5, **mostly**."
    )
