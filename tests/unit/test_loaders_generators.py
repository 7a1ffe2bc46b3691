"""What site generators add to Markdown goes; what they show stays."""

from pathlib import Path

import pytest

from rag.loaders.document import LoadedDocument
from rag.loaders.markdown import load, parse


def text(source: str) -> str:
    return "\n\n".join(section.text for section in parse(source, path=Path("page.mdx")).sections)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## Flow[[flow]]\n\nText.", "Text."),
        ("{{%segment outline}}\n\nText.", "Text."),
        ('<Banner items={[\n {a: "b > c"},\n]} />\n\nText.', "Text."),
        ('<Question choices={[{text: "don\'t", explain: "<b>x</b>"}]} />\n\nText.', "Text."),
        ("<Tip>\n\nText.\n\n</Tip>", "Text."),
        ("{#if fw === 'a'}\nText.\n{/if}", "Text."),
        ("It has @Perm{read} and @Perm[gone]{own}.", "It has read and own."),
        ("It gains @Perm[new]{read}@Perm[new]{own} here.", "It gains read, own here."),
        ("```rust,editable,should_panic\nfn main() {}\n```", "```rust\nfn main() {}\n```"),
        ("```rust\n# // Hidden\n#\n#[test]\nfn a() {}\n```", "```rust\n#[test]\nfn a() {}\n```"),
        ("```python out\n4\n```", "```text\n4\n```"),
        ("```aquascope,interpreter\n#fn main() {\nlet x = 1;`[]`\n#}\n```", "```rust\nlet x = 1;\n```"),
        (
            "# Flow\n:label:`sec_flow`\n\nSee {ref}`the table <tab>` and {math}`a^2`.",
            "See the table and $a^2$.",
        ),
        ("```toc\n:maxdepth: 2\n\nother\n```\n\nText.", "Text."),
        ("```{code-block} python\n:linenos:\n\nx = 1\n```", "```python\nx = 1\n```"),
        ("```{math}\n:label: e\na = b\n```", "$$a = b$$"),
        ("````{note} Mind\nText.\n\n```py\nx\n```\n````", "**Mind**\n\nText.\n\n```py\nx\n```"),
        ("```{toctree}\na\n```\n\nText.", "Text."),
        ("<!-- no -->\n<details>\n<summary>More</summary>\n\nText.\n\n</details>", "More\n\nText."),
        ("Text.\n\n![A pump](p.png)\n\nMore.", "Text.\n\n![A pump](p.png)\n\nMore."),
        (
            'Text.\n\n<div>\n<img class="light" src="a.svg" alt="A pump.">\n<img class="dark" src="b.svg" alt="A pump.">\n</div>',
            "Text.\n\n![A pump.](a.svg)",
        ),
        ("Text.\n\n[![Open](badge.svg)](http://x)\n\n![b](https://img.shields.io/x)", "Text."),
    ],
)
def test_only_what_a_reader_would_see_is_left(source: str, expected: str) -> None:
    assert text(source) == expected


def course(folder: Path, page: str) -> LoadedDocument:
    (folder / "src").mkdir()
    (folder / "src" / "page.md").write_text(page)
    (folder / "code.rs").write_text(
        "use a;\n// ANCHOR: main\nfn main() {\n    run();\n}\n// ANCHOR_END: main\n"
    )
    (folder.parent / "secret.txt").write_text("secret")
    return load(folder / "src" / "page.md", root=folder)


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ("../code.rs:main", "```rust\nfn main() {\n    run();\n}\n```"),
        ("../code.rs:1", "```rust\nuse a;\n```"),
        ("../code.rs", "```rust\nuse a;\nfn main() {\n    run();\n}\n```"),
        ("../../secret.txt", ""),
        ("../gone.rs", ""),
    ],
)
def test_files_of_the_course_are_included_and_no_others(tmp_path: Path, include: str, expected: str) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    document = course(folder, f"# A\n\nText.\n\n```rust\n{{{{#include {include}}}}}\n```\n")
    assert document.sections[0].text == f"Text.\n\n{expected}".strip()
