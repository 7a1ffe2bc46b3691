"""Commands about course material: ingest, courses, search, concepts, outline, preview, reindex."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.commands.setup import as_json, at_work, in_course, ingest_bar, on_course, on_library
from agents.coordinator.search import search as look_up_as_told
from agents.language.formulas import readable_formulas
from agents.preview import Preview, preview_topic
from agents.settings import Settings
from agents.teaching.values import Concept, Relationship
from rag.index import Scope
from rag.ingest import IngestReport
from rag.library import Library
from rag.retriever import MOST_PASSAGES, MOST_RESULTS, RetrievalToolResponse, SortedBy
from rag.tree import Unit, to_json
from storage.corpus import CourseSummary


class _Place(click.Path):
    """A path; an empty one, as an unset variable gives, would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("The path is empty. Name a folder or a file; '.' is the current folder.", param, ctx)
        return super().convert(value, param, ctx)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=_Place(path_type=Path), metavar="PATH...")
@click.option("--course", help="Put everything into the course of this name.")
@click.option("--url", help="Where the course is on the web, for its sources: https://example.org/course")
def ingest(paths: tuple[Path, ...], course: str | None, url: str | None) -> None:
    """Read folders or files (.md .mdx .rst .txt .html .ipynb .pdf .docx .pptx .epub) as courses.

    Reading again is cheap: only what changed is read, and what was removed disappears.
    """

    async def work(settings: Settings, library: Library) -> list[IngestReport]:
        with ingest_bar() as bar:
            return await library.ingest(paths, course=course, url=url, on_progress=bar)

    reports = on_library(work)
    for report in reports:
        _tell(report)
    if any(report.failures for report in reports):
        sys.exit(1)


def _tell(report: IngestReport) -> None:
    click.echo(
        f"{report.course}: {report.added} added, {report.changed} changed, {report.removed} removed, "
        f"{report.unchanged} unchanged ({report.chunks} new chunks, {report.seconds:.1f} s)"
    )
    for name, reason in report.failures:
        click.echo(f"  could not read {name}: it {reason}", err=True)
    for warning in report.warnings:
        click.echo(f"  {warning}", err=True)
    if report.skipped:
        shown = ", ".join(report.skipped[:5]) + (" …" if len(report.skipped) > 5 else "")
        click.echo(
            f"  passed over {len(report.skipped)} files without words or of other formats: {shown}", err=True
        )


@click.command()
@as_json
def courses(as_json: bool) -> None:
    """List the courses that the tutor knows."""

    async def work(settings: Settings, library: Library, names: list[str]) -> Sequence[CourseSummary]:
        return await library.courses()

    found = on_course(None, work)
    if as_json:
        click.echo(json.dumps([asdict(course) for course in found], default=datetime.isoformat, indent=2))
        return
    table = Table("Course", "Title", "Chapters", "Chunks", "Concepts", "Updated (UTC)")
    for course in found:
        counts = (str(course.documents), str(course.chunks), str(course.concepts))
        table.add_row(
            escape(course.name), escape(course.title), *counts, f"{course.updated_at:%Y-%m-%d %H:%M}"
        )
    Console().print(table)


@click.command()
@click.argument("query")
@click.option("--top-k", type=int, help="How many passages, 1 to 10.")
@click.option("--threshold", type=float, help="Leave out passages less similar than this, 0 to 1.")
@click.option(
    "--sort",
    "sorted_by",
    type=click.Choice(get_args(SortedBy)),
    default="similarity_score",
    show_default=True,
    help="By likeness to the query, or in the order in which answers read them.",
)
@in_course
@click.option("--within", help="Only this module or chapter, such as module-1-ros2.")
@as_json
def search(
    query: str,
    top_k: int | None,
    threshold: float | None,
    sorted_by: SortedBy,
    course: str | None,
    within: str | None,
    as_json: bool,
) -> None:
    """Find the passages that answer QUERY, the same that 'tutor ask' answers from."""

    async def work(settings: Settings, library: Library, names: list[str]) -> RetrievalToolResponse:
        # With one course there is nothing to choose, so the chat is in it too.
        here = course or (names[0] if len(names) == 1 else None)
        found = await look_up_as_told(
            library,
            query,
            top_k=settings.top_k if top_k is None else top_k,
            most=MOST_PASSAGES if top_k is None else MOST_RESULTS,
            threshold=settings.score_threshold if threshold is None else threshold,
            scope=Scope(course=here, within=within.strip("/") if within else None),
            terms=[each.name for each in (await library.concept_graph(here))[0]] if here else (),
            sorted_by=sorted_by,
        )
        return found.response

    response = on_course(course, work)
    if as_json:
        click.echo(response.to_json())
    else:
        _show(response)
    if response.error:
        sys.exit(1)


def _show(response: RetrievalToolResponse) -> None:
    if response.error or not response.results:
        click.echo(f"Error: {response.message}" if response.error else response.message, err=True)
        return
    console = Console(highlight=False)
    for row in response.results:
        headings = escape(" › ".join(row.heading_hierarchy))
        page = f", p. {row.page}" if row.page else ""
        console.print(
            f"[bold]{row.rank}. {headings}[/bold]{page}  [dim]{row.score:.3f} · {escape(row.chapter_id)}[/dim]"
        )
        console.print(row.text, markup=False)
        console.print()


@click.command()
@in_course
@as_json
def concepts(course: str | None, as_json: bool) -> None:
    """Show the concepts of a course and which of them lean on which."""

    async def work(
        settings: Settings, library: Library, names: list[str]
    ) -> dict[str, tuple[Sequence[Concept], Sequence[Relationship]]]:
        return {name: await library.concept_graph(name) for name in names}

    graphs = on_course(course, work)
    if as_json:
        found = {
            "concepts": [{"course": name, **asdict(c)} for name in graphs for c in graphs[name][0]],
            "prerequisites": [{"course": name, **asdict(r)} for name in graphs for r in graphs[name][1]],
        }
        click.echo(json.dumps(found, indent=2))
        return
    for name, graph in graphs.items():
        _show_concepts(name, *graph)


def _show_concepts(course: str, found: Sequence[Concept], relationships: Sequence[Relationship]) -> None:
    needs: dict[str, list[str]] = {}
    for relationship in relationships:
        needs.setdefault(relationship.concept, []).append(relationship.prerequisite)
    table = Table("Concept", "Leans on", "Introduced in", title=escape(course))
    for concept in found:
        needed = ", ".join(needs.get(concept.name, []))
        table.add_row(escape(concept.name), escape(needed), escape(concept.chapter_id))
    Console().print(table)


@click.command()
@in_course
@as_json
def outline(course: str | None, as_json: bool) -> None:
    """Show how a course is ordered: its units, pages and sections."""

    async def work(settings: Settings, library: Library, names: list[str]) -> dict[str, Unit]:
        return {name: await library.outline(name) for name in names}

    trees = on_course(course, work)
    if as_json:
        found = [{"course": name, **to_json(tree)} for name, tree in trees.items()]
        click.echo(json.dumps(found[0] if course else found, indent=2, ensure_ascii=False))
        return
    for name, tree in trees.items():
        click.echo(f"{tree.title} ({name})" + (f"  [{tree.kind}]" if tree.chapter_id else ""))
        for child in tree.children:
            _show_unit(child, indent=1)


def _show_unit(unit: Unit, *, indent: int) -> None:
    is_plain = unit.kind in ("content", "part", "section")
    note = "" if is_plain else f"  [{unit.kind}]"
    page = f"  {unit.chapter_id}" if unit.chapter_id and unit.kind != "section" else ""
    mark = "· " if unit.kind == "section" else ""
    click.echo(f"{'  ' * indent}{mark}{unit.title}{note}{page}")
    for child in unit.children:
        _show_unit(child, indent=indent + 1)


@click.command()
def reindex() -> None:
    """Throw the search index away and build it again from the database."""

    async def work(settings: Settings, library: Library) -> int:
        return await library.reindex()

    with at_work("Building the index …"):
        entries = on_library(work)
    click.echo(f"The index is new: {entries:,} entries.")


@click.command()
@click.argument("topic")
@in_course
@as_json
def preview(topic: str, course: str | None, as_json: bool) -> None:
    """Show what a learner who asks for TOPIC would be taught and asked.

    TOPIC may name a part: "Ownership, part 2".
    """

    async def work(settings: Settings, library: Library, names: list[str]) -> Preview:
        return await preview_topic(library, topic, course=course, count=settings.quiz_questions)

    shown = on_course(course, work)
    click.echo(
        json.dumps(shown.as_json(), indent=2, ensure_ascii=False)
        if as_json
        else readable_formulas(shown.as_page())
    )
