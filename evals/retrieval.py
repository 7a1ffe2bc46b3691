"""Does a question find the module that answers it? On a whole textbook, offline."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.baselines import PlainBm25
from evals.data import bench_data
from evals.openstax import COURSE, BookQuestion, biology_library, questions
from evals.report import Report, Row, goal
from rag.index import Scope
from rag.library import Library
from rag.retriever import SortedBy, in_order

_NOTES = (
    "The ranking chooses the passages, and answers read them in its order (`--sort rank`). The tool and `tutor search` list the same "
    "passages by `similarity_score`, the cosine, as the documents ask: its first place is worth less, because words and the chapter "
    "say more about where an answer is than the mean of word vectors.",
    "",
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
    asked = questions(bench_data("openstax_biology"))
    with TemporaryDirectory() as folder:
        async with biology_library(Path(folder)) as library:
            ours = await found_modules(library, asked)
            as_told = await found_modules(library, asked, sorted_by="similarity_score")
            by_words, by_meaning = await _by_words(library, asked), await _by_meaning(library, asked)
            chunks = sum(course.chunks for course in await library.courses())
    first, fifth = share(asked, ours, top=1), share(asked, ours, top=5)
    return Report(
        name="Retrieval: OpenStax Biology",
        command="python -m evals retrieval",
        rows=[
            Row(measure="questions / chunks", value=f"{len(asked):,} / {chunks:,}"),
            _both("baseline, plain BM25", asked, by_words),
            _both("baseline, plain WordLlama", asked, by_meaning),
            goal("right module first", first, at_least=0.75),
            goal("right module among five", fifth, at_least=0.93),
            _both("the same five as tools list them, by similarity_score", asked, as_told),
        ],
        notes=_NOTES,
        figures={"top_1": first, "top_5": fifth},
    )


async def found_modules(
    library: Library, asked: Sequence[BookQuestion], *, sorted_by: SortedBy = "rank"
) -> list[list[str]]:
    """The modules of the five passages that each question brings up."""
    found = [in_order(await library.retrieve(question.text, top_k=5), sorted_by) for question in asked]
    return [[_module(result.chapter_id) for result in results] for results in found]


def share(asked: Sequence[BookQuestion], found: Sequence[Sequence[str]], *, top: int) -> float:
    """How many questions have their module among the first so many."""
    hits = sum(question.module in modules[:top] for question, modules in zip(asked, found, strict=True))
    return hits / len(asked)


async def _by_words(library: Library, asked: Sequence[BookQuestion]) -> list[list[str]]:
    """Plain BM25 over the text of the same chunks."""
    texts: dict[str, str] = {}
    for document in await library.corpus.documents(COURSE):
        for number, passage in enumerate(await library.corpus.chapter(document.id)):
            texts[f"{_module(document.chapter_id)} {number}"] = passage.chunk_text
    index = PlainBm25(texts)
    return [[key.split()[0] for key in index.best(question.text, count=5)] for question in asked]


async def _by_meaning(library: Library, asked: Sequence[BookQuestion]) -> list[list[str]]:
    """The nearest vectors of the same chunks."""
    index = await library.open_index()
    found = []
    for question in asked:
        vector = await library.embedder().embed_query(question.text)
        candidates = await index.search(question.text, vector, scope=Scope(), limit=5)
        best = sorted(candidates.by_meaning.items(), key=lambda pair: -pair[1])
        found.append([_module(candidates.home[chunk][1]) for chunk, _ in best])
    return found


def _both(name: str, asked: Sequence[BookQuestion], found: Sequence[Sequence[str]]) -> Row:
    value = f"{share(asked, found, top=1):.3f} / {share(asked, found, top=5):.3f}"
    return Row(measure=f"{name}: first / among five", value=value)


def _module(chapter_id: str) -> str:
    return Path(chapter_id).name
