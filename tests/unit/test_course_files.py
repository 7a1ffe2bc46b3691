"""Which files a course has, in which order, and what an ingest would do with them."""

import os
from pathlib import Path

import pytest

from rag.files import course_name, find_files, human
from rag.ingest import document_id, plan_ingest
from storage.corpus import Document
from storage.errors import InvalidInputError


def write(folder: Path, *names: str, text: str = "Text.") -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def ids(folder: Path) -> list[str]:
    return [file.chapter_id for file in find_files(folder).files]


def document(
    course: str, chapter_id: str, path: Path, *, position: int = 0, content_hash: str = "old"
) -> Document:
    return Document(
        id=document_id(course, chapter_id),
        chapter_id=chapter_id,
        module_name="M",
        title="T",
        source_url=path.resolve().as_uri(),
        position=position,
        content_hash=content_hash,
    )


def test_files_are_read_in_natural_order_with_readme_first_and_glossary_last(tmp_path: Path) -> None:
    write(
        tmp_path,
        "glossary.md",
        "m2/ch1.md",
        "m1/ch10.md",
        "m1/ch2.md",
        "m1/README.md",
        "README.md",
        "m10/a.md",
    )
    assert ids(tmp_path) == ["README", "m1/README", "m1/ch2", "m1/ch10", "m2/ch1", "m10/a", "glossary"]


def test_a_table_of_contents_is_no_chapter_but_a_page_that_only_bears_its_name_is(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a.md", "part/SUMMARY.md")
    write(tmp_path, "SUMMARY.md", text="* [B](b.md)\n* [A](./a.md#top)\n* [Gone](gone.md)")
    found = find_files(tmp_path)
    assert ids(tmp_path) == ["a", "b", "part/SUMMARY"]
    assert list(found.tocs) == ["SUMMARY.md"]


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "course/a.md", "elsewhere/secret.md")
    (tmp_path / "course" / "out.md").symlink_to(tmp_path / "elsewhere" / "secret.md")
    (tmp_path / "course" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "course" / "round").symlink_to(tmp_path / "course")
    assert ids(tmp_path / "course") == ["a"]


def test_only_regular_files_are_listed(tmp_path: Path) -> None:
    """A pipe would be waited for, a device read for ever, a link may show what is hidden."""
    write(tmp_path, "a.md", ".hidden/secret.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "device.md").symlink_to("/dev/zero")
    (tmp_path / "hidden.md").symlink_to(tmp_path / ".hidden" / "secret.md")
    (tmp_path / "itself.md").symlink_to(tmp_path / "itself.md")
    (tmp_path / "again.md").symlink_to(tmp_path / "a.md")
    assert ids(tmp_path) == ["a", "again"]


@pytest.mark.parametrize("place", ["/dev/zero", "pipe.md", "link.md"])
def test_what_is_no_file_of_its_own_is_refused_with_a_word(tmp_path: Path, place: str) -> None:
    write(tmp_path, "elsewhere/secret.md", "course/a.md")
    os.mkfifo(tmp_path / "course" / "pipe.md")
    (tmp_path / "course" / "link.md").symlink_to(tmp_path / "elsewhere" / "secret.md")
    with pytest.raises(InvalidInputError, match=r"neither a file nor a folder|link to a file elsewhere"):
        find_files(tmp_path / "course" / place)


def test_a_name_with_a_newline_is_shown_on_one_line(tmp_path: Path) -> None:
    write(tmp_path, "two\nlines.md")
    [file] = find_files(tmp_path).files
    assert (file.name, file.chapter_id) == ("two�lines.md", "two�lines")


def test_hidden_files_and_other_formats_are_passed_over_and_near_misses_named(tmp_path: Path) -> None:
    write(tmp_path, "a.md", ".hidden.md", ".git/b.md", "node_modules/c.md", "slides.ppt", "photo.jpg")
    found = find_files(tmp_path)
    assert [file.chapter_id for file in found.files] == ["a"]
    assert found.skipped == ("slides.ppt",)


def test_two_files_that_differ_only_in_their_ending_keep_it(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "a.txt", "b.md")
    assert ids(tmp_path) == ["a.md", "a.txt", "b"]


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="no file or folder"):
        find_files(tmp_path / "nowhere")


def test_names_read_as_people_write_them() -> None:
    assert human("module-1-ros2") == "Module 1 Ros2"


def test_unchanged_files_are_kept_changed_ones_read_and_missing_ones_removed(tmp_path: Path) -> None:
    write(tmp_path, "new.md", "changed.md", "same.md")
    first = plan_ingest([find_files(tmp_path)], [], course="c")
    [same_file] = [file for file in first.fresh if file.chapter_id == "same"]
    known = [
        document("c", "same", tmp_path / "same.md", position=2, content_hash=same_file.fingerprint),
        document("c", "changed", tmp_path / "changed.md"),
        document("c", "gone", tmp_path / "gone.md"),
    ]

    plan = plan_ingest([find_files(tmp_path)], known, course="c")

    assert [file.chapter_id for file in plan.fresh] == ["changed", "new"]
    assert [kept.chapter_id for kept in plan.same] == ["same"]
    assert [gone.chapter_id for gone in plan.gone] == ["gone"]


def test_adding_one_file_removes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "old/a.md", "extra.md")
    known = [document("c", "a", tmp_path / "old" / "a.md", position=7)]

    plan = plan_ingest([find_files(tmp_path / "extra.md")], known, course="c")

    assert [file.chapter_id for file in plan.fresh] == ["extra"]
    assert [kept.chapter_id for kept in plan.elsewhere] == ["a"]
    assert plan.gone == []


def test_a_folder_that_only_says_its_language_is_called_by_its_parent_too(tmp_path: Path) -> None:
    for name in ("course/en", "course/pt-BR", "course/src", "notes"):
        (tmp_path / name).mkdir(parents=True)
    names = [course_name(tmp_path / each) for each in ("course/en", "course/pt-BR", "course/src", "notes")]
    assert names == ["course-en", "course-pt-BR", "src", "notes"]
