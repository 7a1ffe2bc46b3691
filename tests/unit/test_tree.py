"""A course's tree, one small course for each way of saying how it is ordered."""

import json
from pathlib import Path

import pytest

from rag.files import find_files
from rag.ingest import plan_ingest
from rag.loaders import load_document
from rag.tree import Page, Tree, Unit, about, build_tree, from_json, modules, pruned, to_json, with_sections
from storage.errors import WordlessDocumentError


def course(folder: Path, files: dict[str, str]) -> Tree:
    """Write a course and order it as an ingest would."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = find_files(folder)
    pages = []
    for planned in plan_ingest([found], [], course="c").fresh:
        try:
            facts = about(load_document(planned.path), name=planned.name)
        except WordlessDocumentError as err:
            pages.append(Page(name=planned.name, chapter_id=None, title=err.title, links=planned.links))
            continue
        pages.append(Page(name=planned.name, chapter_id=planned.chapter_id, links=planned.links, **facts))
    return build_tree(pages, found.tocs, course="my-course")


def shape(unit: Unit) -> object:
    """Titles, nested: a leaf is its title, a unit with children a pair."""
    return (unit.title, [shape(child) for child in unit.children]) if unit.children else unit.title


def shapes(tree: Tree) -> list[object]:
    return [shape(unit) for unit in tree.root.children]


def page(title: str, words: str = "Some words to learn from.") -> str:
    return f"# {title}\n\n{words}\n"


def test_mdbook(tmp_path: Path) -> None:
    tree = course(
        tmp_path,
        {
            "book.toml": '[book]\ntitle = "The Book"\n',
            "src/SUMMARY.md": (
                "# Summary\n\n[Cover](cover.md)\n\n[Foreword](foreword.md)\n\n# First part\n\n- [`Owning`](own.md)\n"
                "  - [Moves](own/moves.md)\n  - [Draft]()\n- [Last](last.md)\n\n[Thanks](thanks.md)\n"
            ),
            "src/cover.md": page("Welcome"),
            "src/foreword.md": page("Foreword"),
            "src/own.md": "# Ownership\n",
            "src/own/moves.md": page("Moves and copies"),
            "src/last.md": page("Last"),
            "src/thanks.md": page("Thanks"),
            "src/unlisted.md": page("Unlisted"),
        },
    )
    assert (tree.root.title, tree.root.kind, tree.root.chapter_id) == ("The Book", "title", "src/cover")
    assert shapes(tree) == ["Foreword", ("First part", [("Owning", ["Moves"]), "Last"]), "Thanks", "Unlisted"]
    assert [unit.kind for unit in tree.root.children] == ["preface", "part", "content", "content"]
    assert tree.warnings == ()


@pytest.mark.parametrize(
    ("files", "title", "shape"),
    [
        ({"SUMMARY.md": '---\ntitle: "Tides &amp; Winds"\n---\n\n{links}'}, "Tides & Winds", ["Ebb", "Flow"]),
        ({"SUMMARY.md": "# Tides\n\n{links}"}, "Tides", ["Ebb", "Flow"]),
        ({"SUMMARY.md": "# Tides\n\n[Preface](preface.md)\n\n## Seas\n\n{chapters}"}, "Tides", [("Seas", ["Ebb", "Flow"])]),
        ({"SUMMARY.md": "# Tides\n\n# Seas\n\n{links}"}, "Tides", ["Ebb", "Flow"]),
        ({"src/SUMMARY.md": "# Tides\n\n{links}"}, "Tides", ["Ebb", "Flow"]),
        ({"SUMMARY.md": "# Summary\n\n{links}"}, "My Course", ["Ebb", "Flow"]),
        ({"_toc.yml": "- file: preface\n- file: ebb\n- file: flow\n", "_config.yml": "title: Tides\n"}, "Tides", ["Ebb", "Flow"]),
        ({"SUMMARY.md": "{links}", "docusaurus.config.js": "export default {\n  title: 'The Moon\\'s Tides',\n};"}, "The Moon's Tides", ["Ebb", "Flow"]),
        ({"index.rst": "Tides\n=====\n\nWords.\n\n.. toctree::\n\n   preface\n   ebb\n   flow\n", "conf.py": "project = 'Tides'\n"}, "Tides", ["Preface", "Ebb", "Flow"]),
        ({}, "My Course", ["Ebb", "Flow"]),
    ],
)  # fmt: skip
def test_a_course_is_called_what_its_author_calls_it_and_never_preface(
    tmp_path: Path, files: dict[str, str], title: str, shape: list[object]
) -> None:
    base = "src/" if "src/SUMMARY.md" in files else ""
    chapters = "- [Ebb](ebb.md)\n- [Flow](flow.md)\n"
    links = f"- [Preface](preface.md)\n{chapters}"
    written = {
        name: text.replace("{links}", links).replace("{chapters}", chapters) for name, text in files.items()
    }
    pages = {f"{base}{name.lower()}.md": page(name) for name in ("Preface", "Ebb", "Flow")}
    tree = course(tmp_path / "sea", {**pages, **written})
    assert tree.root.title == title
    assert [each for each in shapes(tree) if each != "Preface" or "Preface" in shape] == shape


def test_escapes_of_titles_are_resolved_wherever_they_are_written(tmp_path: Path) -> None:
    wanted = "Newton's Laws & `Vec<T>`".replace("`", "")
    written = r"Newton\'s Laws &amp; `Vec<T>`"
    tables = {
        "mdbook/SUMMARY.md": f"- [{written}](a.md)\n- [B](b.md)\n",
        "book/_toc.yml": "chapters:\n- file: a\n  title: Newton\\'s Laws &amp; `Vec<T>`\n- file: b\n",
        "site/sidebars.js": "module.exports = {all: [{type: 'doc', id: 'a', label: 'Newton\\'s Laws &amp; `Vec<T>`'}, 'b']};",
        "sphinx/index.rst": f"Book\n====\n\n.. toctree::\n\n   {written} <a>\n   b\n",
        "page/SUMMARY.md": "- [](a.md)\n- [B](b.md)\n",
    }
    for name, table in tables.items():
        kind, _, file = name.partition("/")
        pages = {"a.md": page(written if kind == "page" else "A"), "b.md": page("B")}
        tree = course(tmp_path / kind, {file: table, **pages})
        assert [unit.title for unit in tree.root.pages() if unit.chapter_id == "a"] == [wanted], kind


def test_hugging_face(tmp_path: Path) -> None:
    toc = (
        "- title: 1. Models\n  sections:\n  - local: chapter1/2\n    title: What is a model?\n"
        "  - local: chapter1/1\n    title: Introduction\n  - local: chapter1/3\n    title: The end\n    quiz: 1\n"
    )
    names = {f"chapter1/{number}.mdx": page(f"Page {number}[[page-{number}]]") for number in (1, 2, 3)}
    tree = course(tmp_path, {"_toctree.yml": toc, **names})
    assert shapes(tree) == ["What is a model?", "Introduction", "The end"] or shapes(tree) == [
        ("1. Models", ["What is a model?", "Introduction", "The end"])
    ]
    assert [unit.kind for unit in tree.root.pages()] == ["content", "content", "exercises"]


def test_jupyter_book(tmp_path: Path) -> None:
    toc = (
        "format: jb-book\nroot: intro\nparts:\n- caption: Basics\n  chapters:\n  - file: b\n    sections:\n"
        "    - file: deep/c\n  - url: https://example.org\n    title: Elsewhere\n- chapters:\n  - file: a\n    title: Named\n"
    )
    files = {f"{name}.md": page(name.upper()) for name in ("intro", "a", "b")}
    tree = course(tmp_path, {"_toc.yml": toc, "deep/c.md": page("C"), **files})
    assert tree.root.chapter_id == "intro"
    assert shapes(tree) == [("Basics", [("B", ["C"])]), "Named"]


def test_mkdocs(tmp_path: Path) -> None:
    settings = (
        "site_name: Pumps\nplugins:\n  - x: !!python/name:a.b\nnav:\n  - index.md\n  - Guide:\n"
        "    - guide/two.md\n    - First: guide/one.md\n  - https://example.org\n"
    )
    tree = course(
        tmp_path,
        {
            "mkdocs.yml": settings,
            "docs/index.md": page("Home"),
            "docs/guide/one.md": page("One"),
            "docs/guide/two.md": page("Two"),
        },
    )
    assert (tree.root.title, tree.root.kind) == ("Pumps", "title")
    assert shapes(tree) == [("Guide", ["Two", "First"])]


def test_docusaurus_sidebars(tmp_path: Path) -> None:
    sidebars = (
        "// @ts-check\nconst sidebars = {\n  main: [\n    'b', // first\n"
        "    {type:'category', label:'Guides', link: {type: 'doc', id: 'guides/start'}, items: ['guides/more'],},\n"
        '    {type: "autogenerated", dirName: "rest"},\n  ],\n};\nmodule.exports = sidebars;\n'
    )
    tree = course(
        tmp_path,
        {
            "sidebars.js": sidebars,
            "docs/a.md": page("A"),
            "docs/b.md": page("B"),
            "docs/guides/01-start.md": page("Start"),
            "docs/guides/02-more.md": page("More"),
            "docs/rest/x.md": page("X"),
        },
    )
    assert shapes(tree)[:3] == ["B", ("Guides", ["More"]), "X"]


def test_docusaurus_pages_may_lie_beside_the_folder_of_the_site(tmp_path: Path) -> None:
    sidebars = "module.exports = {docs: ['b', {Guides: ['a']}]};"
    files = {f"docs/{name}.md": page(name.upper()) for name in "ab"}
    assert shapes(course(tmp_path, {"website/sidebars.js": sidebars, **files})) == ["B", ("Guides", ["A"])]


def test_docusaurus_positions(tmp_path: Path) -> None:
    tree = course(
        tmp_path,
        {
            "a.md": "---\nsidebar_position: 3\n---\n" + page("A"),
            "b.md": "---\nsidebar_position: 1\nsidebar_label: Bee\n---\n" + page("B"),
            "z/_category_.json": json.dumps({"label": "Zed", "position": 2}),
            "z/only.md": page("Only"),
        },
    )
    assert shapes(tree) == ["Bee", ("Zed", ["Only"]), "A"]


def test_a_part_is_introduced_by_the_index_that_it_lists_first(tmp_path: Path) -> None:
    settings = "nav:\n  - Guide:\n    - guide/index.md\n    - guide/one.md\n  - More:\n    - a.md\n"
    files = {f"docs/{name}.md": page(name) for name in ("guide/index", "guide/one", "a")}
    tree = course(tmp_path, {"mkdocs.yml": settings, **files})
    assert shapes(tree) == [("Guide", ["guide/one"]), ("More", ["a"])]
    assert tree.root.children[0].chapter_id == "docs/guide/index"


def test_sphinx(tmp_path: Path) -> None:
    tree = course(
        tmp_path,
        {
            "index.rst": (
                "Pumps\n=====\n\n.. toctree::\n   :maxdepth: 2\n   :caption: Basics\n\n   flow\n   Heads up <head>\n\n"
                ".. toctree::\n\n   more/*\n"
            ),
            "flow.rst": "Flow\n====\n\nWater flows.\n\n.. toctree::\n\n   deep\n",
            "deep.rst": "Deep\n====\n\nDeep water.\n",
            "head.rst": "Head\n====\n\nThe head is a height.\n",
            "more/b.rst": "B\n=\n\nText b.\n",
            "more/a.md": page("A"),
        },
    )
    assert shapes(tree) == [("Basics", [("Flow", ["Deep"]), "Heads up"]), "A", "B"]


def test_numbers_in_names_where_there_is_no_table(tmp_path: Path) -> None:
    tree = course(
        tmp_path,
        {
            "README.md": page("A course on pumps"),
            "10-last/1.md": page("Ten"),
            "2-first/README.md": page("Second things", "These come before. " * 60),
            "2-first/ch10.md": "## Only a smaller heading\n\nText.\n",
            "2-first/ch9.md": "No heading at all.\n",
            "glossary.md": page("Glossary"),
            "LICENSE.md": page("License"),
        },
    )
    assert (tree.root.title, tree.root.kind) == ("A course on pumps", "title")
    assert shapes(tree) == [
        ("Second things", ["Ch9", "Only a smaller heading"]),
        ("10 Last", ["Ten"]),
        "License",
        "Glossary",
    ]
    assert {unit.title: unit.kind for unit in tree.root.children}["License"] == "licence"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        (
            "CHANGELOG.md",
            page("Changes") + "".join(f"\n## 1.{n}.0\n\nFixed.\n" for n in range(4)),
            "changelog",
        ),
        (
            "more.md",
            "# More\n\n" + "".join(f"- [A page called {n}](http://x/{n})\n" for n in range(8)),
            "links",
        ),
        (
            "news.md",
            page("News") + "".join(f"\n## 1.{n}.0 (May {n + 1}, 2021)\n\nFixed.\n" for n in range(4)),
            "changelog",
        ),
        (
            "tables.md",
            page("5.6. Tables") + "".join(f"\n## 5.6.{n}. Adding a seal\n\nText.\n" for n in range(4)),
            "content",
        ),
        ("preface.md", page("Preface"), "preface"),
        ("x/assignment.md", page("Build a pump"), "exercises"),
        ("q.mdx", page("Check") + "<Question choices={[]} />\n" * 3, "exercises"),
        ("p.mdx", page("Seals", "They hold. " * 200) + "<Question choices={[]} />\n" * 3, "content"),
        ("pumps.md", page("Pumps"), "content"),
        ("tasks.md", page("Tasks"), "content"),
    ],
)
def test_pages_that_are_not_taught_are_known(tmp_path: Path, name: str, text: str, kind: str) -> None:
    tree = course(tmp_path, {name: text, "a.md": page("A"), "b.md": page("B")})
    kinds = {unit.chapter_id: unit.kind for unit in tree.root.pages()}
    assert kinds[name.rsplit(".", 1)[0]] == kind


def test_missing_repeated_and_circular_entries_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    missing = course(
        tmp_path / "missing",
        {
            "SUMMARY.md": "- [A](a.md)\n- [Gone](gone.md)\n  - [B](b.md)\n- [A](a.md)\n",
            "a.md": page("A"),
            "b.md": page("B"),
        },
    )
    assert shapes(missing) == ["A", ("Gone", ["B"])]
    assert missing.warnings == (
        "SUMMARY.md lists gone.md, which is not there",
        "SUMMARY.md comes back to a.md; its first place counts",
    )
    circle = course(
        tmp_path / "circle",
        {
            "index.rst": "I\n=\n\n.. toctree::\n\n   a\n",
            "a.rst": "A\n=\n\nText.\n\n.. toctree::\n\n   b\n",
            "b.rst": "B\n=\n\nText.\n\n.. toctree::\n\n   a\n",
        },
    )
    assert shapes(circle) == [("A", ["B"])]
    assert circle.warnings == ("b.rst comes back to a.rst; its first place counts",)


def test_pages_that_say_which_one_comes_next_are_read_in_that_order(tmp_path: Path) -> None:
    def html(title: str, follows: str) -> str:
        return f"<html><head>{follows}</head><body><h1>{title}</h1><p>Some words to learn from.</p></body></html>"

    tree = course(
        tmp_path,
        {
            "index.html": html("The book", '<link rel="next" href="seals.html#top">'),
            "seals.html": html("Seals", '<a rel="next prefetch" href="./pumps.html">on</a>'),
            "pumps.html": html("Pumps", '<link rel="next" href="gone.html">'),
            "alone.html": html("Alone", ""),
        },
    )
    assert shapes(tree) == ["Seals", "Pumps", "Alone"]
    nested = course(
        tmp_path / "nested",
        {
            "a.html": html("A", '<link rel="up" href="c.html"><link rel="next" href="b.html">'),
            "b.html": html("B", '<link rel="up" href="c.html">'),
            "c.html": html("C", '<link rel="up" href="index.html"><link rel="next" href="a.html">'),
            "d.html": html("D", '<link rel="up" href="d.html">'),
            "index.html": html("Book", '<link rel="next" href="c.html">'),
        },
    )
    assert shapes(nested) == [("C", ["A", "B"]), "D"]
    circle = course(
        tmp_path / "circle",
        {
            "b.html": html("B", '<link rel="next" href="a.html">'),
            "a.html": html("A", '<link rel="next" href="b.html">'),
        },
    )
    assert shapes(circle) == ["A", "B"]


def test_a_broken_table_is_told_and_names_decide(tmp_path: Path) -> None:
    tree = course(tmp_path, {"_toc.yml": "a: [", "b.md": page("B"), "a.md": page("A")})
    assert shapes(tree) == ["A", "B"]
    assert len(tree.warnings) == 1


def test_a_table_that_names_itself_is_told_and_names_decide(tmp_path: Path) -> None:
    laughs = "a: &a [x, x]\n" + "".join(
        f"{n}: &{n} [*{b}, *{b}, *{b}]\n" for b, n in zip("abcdefghijklm", "bcdefghijklmn", strict=True)
    )
    for number, text in enumerate((laughs, "&a\n- title: A\n  sections: *a\n")):
        tree = course(tmp_path / str(number), {"_toctree.yml": text, "b.md": page("B"), "a.md": page("A")})
        assert shapes(tree) == ["A", "B"]
        assert len(tree.warnings) == 1


def test_a_tree_is_stored_pruned_and_given_its_sections() -> None:
    leaf = Unit(title="Leaf", chapter_id="m/leaf")
    root = Unit(
        title="Root", kind="part", children=(Unit(title="M", chapter_id="m/README", children=(leaf,)), leaf)
    )
    assert from_json(to_json(root)) == root
    assert pruned(root, {"m/leaf"}) == Unit(
        title="Root", kind="part", children=(Unit(title="M", kind="part", children=(leaf,)), leaf)
    )
    assert modules(root, otherwise="C")["m/README"] == "M"
    [section] = with_sections(leaf, {"m/leaf": [("Leaf",), ("Leaf", "A"), ("Leaf", "A", "B")]}).children
    assert (section.headings, [child.title for child in section.children]) == (("Leaf", "A"), ["B"])
