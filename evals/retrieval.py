"""Does a question find the module that answers it? On a whole textbook, offline."""

from pathlib import Path
from tempfile import TemporaryDirectory

from evals.data import bench_data
from evals.openstax import BookQuestion, copy_without_exercises, questions
from evals.report import Report, Row, goal
from rag.library import Library, LibraryOptions
from storage.database import Database

COURSE = "biology"
_NOTES = (
    "The floor is BM25 ×2 + WordLlama by rank fusion, as measured for the design (.721 / .911).",
    "",
    "The weights were chosen on these same questions, from roughly 150 combinations, with none held back, so the "
    "figures are a little kind. A course that nothing was tuned on, Data Science for Beginners (120 quiz questions, "
    "right lesson, measured once by hand and not part of this command): .742 / .950; with so few questions the first "
    "is give or take .08.",
    "",
    "Tried in a prototype with another cutter (3,126 chunks), top 1 / top 5: plain BM25 .711 / .901; without the words "
    "of asking ('explain', 'following', …) .729 / .909; with the headings in each chunk .740 / .911; plus WordLlama "
    "cosine .748 / .915; plus BM25 of the whole chapter .766 / .908; spreading over chapters brought the fifth place "
    "to .94. Section-level BM25 hardly changed anything once the chapter was in.",
)


async def run() -> Report:
    """Ingest the book without its exercises, ask every exercise, and look at the modules found."""
    book = bench_data("openstax_biology")
    asked = questions(book)
    with TemporaryDirectory() as folder:
        copy = copy_without_exercises(book, Path(folder) / COURSE)
        database = await Database.open(f"sqlite:///{folder}/tutor.db")
        library = Library(database, LibraryOptions(index_folder=Path(folder) / "index", embedder="wordllama"))
        try:
            await library.ingest([copy], course=COURSE)
            found = [await _modules(library, question) for question in asked]
            chunks = await library.corpus.chunk_count(COURSE)
        finally:
            await library.close()
            await database.close()
    first = _share(asked, [modules[:1] for modules in found])
    fifth = _share(asked, found)
    return Report(
        name="Retrieval: OpenStax Biology",
        command="python -m evals retrieval",
        rows=[
            Row(measure="questions / chunks", value=f"{len(asked):,} / {chunks:,}"),
            goal("right module first", first, at_least=0.75),
            goal("right module among five", fifth, at_least=0.93),
        ],
        notes=_NOTES,
        figures={"top_1": first, "top_5": fifth},
    )


async def _modules(library: Library, question: BookQuestion) -> list[str]:
    results = await library.retrieve(question.text, top_k=5)
    return [Path(result.chapter_id).name for result in results]


def _share(asked: list[BookQuestion], found: list[list[str]]) -> float:
    hits = sum(question.module in modules for question, modules in zip(asked, found, strict=True))
    return hits / len(asked)
