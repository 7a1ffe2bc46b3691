"""Questions that only a heading and a numbered list tell of, and the answers that stand somewhere else."""

import time
from pathlib import Path

import docx
import pytest

from agents.teaching.values import Exercise
from rag.exercises.answers import with_answers
from rag.exercises.titles import title_of
from rag.loaders import load_document
from rag.loaders.document import LoadedDocument


def loaded(folder: Path, text: str, *, name: str = "page.md") -> LoadedDocument:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_document(path)


def asked(document: LoadedDocument) -> list[str]:
    return [exercise.text for exercise in document.exercises]


def keys(document: LoadedDocument) -> list[str]:
    """What is right: the choices' letters, else the solution."""
    return [
        "".join("abcdef"[n] for n, c in enumerate(e.choices) if c.is_right) or e.solution
        for e in document.exercises
    ]


def taught(document: LoadedDocument) -> str:
    return "\n".join(section.text for section in document.sections)


PAGE = """# Pumps

A pump moves water.

## Review Questions

1. What moves water?
   a. a valve
   b. a pump
2. Why do seals wear? Name
   two reasons.

   (a) in heat
   (b) in sand

3. Compute the pressure for $F = 3$ N.

## Summary

Pumps wear.

## Answers

1. B
2. (a) They get hot. (b) They rub.
3. 3 Pa
"""


def test_numbered_items_below_a_heading_that_asks_are_questions_with_the_answers_of_the_page(
    tmp_path: Path,
) -> None:
    document = loaded(tmp_path, PAGE)
    assert [each.title for each in document.exercises] == ["1", "2", "3"]
    assert document.exercises[0].text == "What moves water?"
    assert document.exercises[0].headings == ("Pumps", "Review Questions")
    assert document.exercises[1].text.endswith("(a) in heat\n(b) in sand")
    assert keys(document) == ["b", "(a) They get hot. (b) They rub.", "3 Pa"]


def test_neither_questions_nor_answers_are_taught(tmp_path: Path) -> None:
    document = loaded(tmp_path, PAGE)
    assert [section.headings[-1] for section in document.sections] == ["Pumps", "Summary"]
    assert "They rub" not in taught(document)


@pytest.mark.parametrize(
    "items",
    [
        "1. What is a pump?\n2. What is a seal?",
        "1) What is a pump?\n\n2) What is a seal?",
        "(1) What is a pump?\n\n(2) What is a seal?",
        "**1** What is a pump?\n\n**2** What is a seal?",
        "**1.** What is a pump?\n\n**2.** What is a seal?",
        "Q1. What is a pump?\n\nQ2. What is a seal?",
        "P1.1 What is a pump?\n\nP1.2 What is a seal?",
        "**Question 1:** What is a pump?\n\n**Question 2:** What is a seal?",
        "Exercise 3.1: What is a pump?\n\nExercise 3.2: What is a seal?",
        "### 1. What is a pump?\n\nSay what is in it. Why?\n\n### 2. What is a seal?\n\nExplain.",
        "- What is a pump?\n- What is a seal?",
        "What is a pump?\n\nWhat is a seal?",
    ],
)
def test_items_may_be_marked_in_many_ways(tmp_path: Path, items: str) -> None:
    document = loaded(tmp_path, f"# Pumps\n\nA pump.\n\n## Exercises\n\n{items}\n")
    assert len(document.exercises) == 2
    assert taught(document).strip() == "A pump."


def test_a_list_inside_of_an_item_belongs_to_it(tmp_path: Path) -> None:
    text = "# P\n\n## Exercises\n\n1. Explain these:\n\n1. heat\n2. sand\n\n2. Why?\n\n3. Do:\n\n```\n1. not\n```\n\n4. Which?"
    document = loaded(tmp_path, text)
    assert [each.title for each in document.exercises] == ["1", "2", "3", "4"]
    assert document.exercises[0].text == "Explain these:\n\n1. heat\n2. sand"


def test_a_list_that_leaves_the_counting_to_the_program_is_counted(tmp_path: Path) -> None:
    text = "# P\n\n## Exercises\n\n1. Why?\n1. How?\n1. When?\n\n## Answers\n\n1. a1\n1. a2\n1. a3"
    assert keys(loaded(tmp_path, text)) == ["a1", "a2", "a3"]


def test_what_is_said_once_above_the_items_is_said_with_each(tmp_path: Path) -> None:
    document = loaded(tmp_path, "# P\n\n## Problems\n\nSolve each equation:\n\n1. $x + 1 = 2$\n2. $x^2 = 4$")
    assert asked(document) == ["Solve each equation:\n\n$x + 1 = 2$", "Solve each equation:\n\n$x^2 = 4$"]


def test_a_heading_may_run_into_the_paragraph_above_the_items(tmp_path: Path) -> None:
    document = loaded(
        tmp_path, "# P\n\nPumps wear.\n\n**Exercises.** Use no tables.\n\n1. Draw one.\n\n2. Produce another."
    )
    assert asked(document) == ["Draw one.", "Produce another."]
    assert taught(document) == "Pumps wear."


def test_a_word_that_also_names_troubles_needs_items_that_ask(tmp_path: Path) -> None:
    told = loaded(tmp_path, "# P\n\n## Problems\n\n1. Seals wear.\n2. Sand gets in.\n3. They leak.")
    assert told.exercises == ()
    set_ = loaded(tmp_path, "# P\n\n## Practice Problems\n\n1. Produce a pump.\n2. Mend a seal.")
    assert len(set_.exercises) == 2


def test_a_page_that_goes_through_an_exercise_is_taught(tmp_path: Path) -> None:
    text = "# Exercise: Build a pump\n\nIn this exercise you build a pump. What is needed?\n\n## Parts\n\nA seal."
    assert loaded(tmp_path, text).exercises == ()


def test_a_solution_has_the_parts_below_its_heading(tmp_path: Path) -> None:
    text = (
        "# P\n\n## 1 Seals\n\n### 1.1 Exercise (hard)\n\nDefine a seal that never wears out.\n\n"
        "### 1.2 Answers\n\nTwo came in.\n\n#### 1.2.1 Groups\n\nBy group.\n\n## 2 Rings\n\nA ring."
    )
    document = loaded(tmp_path, text)
    assert keys(document) == ["Two came in.\n\nBy group."]
    assert taught(document) == "A ring."


def test_steps_below_exercises_in_style_are_no_questions(tmp_path: Path) -> None:
    document = loaded(
        tmp_path, "# P\n\n## Exercises in style\n\n1. Open the editor.\n2. Choose a font.\n3. Save."
    )
    assert document.exercises == ()


def test_a_heading_of_other_words_counts_where_every_item_asks(tmp_path: Path) -> None:
    lines = "1. Where does water go?\n2. What is a seal?\n3. Why does it wear?"
    assert len(loaded(tmp_path, f"# P\n\n## Before you go on\n\n{lines}").exercises) == 3
    points = "1. **Heat**: is it hot?\n2. **Sand**: is there any?\n3. **Age**: is it old?"
    assert not loaded(tmp_path, f"# P\n\n## What to look at\n\n{points}").exercises
    answered = "1. Is it free? Yes, it is.\n2. Is it fast? It is.\n3. Is it safe? It is."
    assert not loaded(tmp_path, f"# P\n\n## Good to know\n\n{answered}").exercises


def test_one_exercise_keeps_its_steps_and_has_the_solution_below_it(tmp_path: Path) -> None:
    text = "# P\n\n## Exercise 4: A pump\n\nBuild it. Then explain it:\n\n1. Take a seal.\n2. Turn.\n\n## Solution\n\nTurn it left."
    [one] = loaded(tmp_path, text).exercises
    assert (one.title, one.solution) == ("Exercise 4: A pump", "Turn it left.")
    assert "2. Turn." in one.text


def test_an_exercise_in_the_middle_of_a_text_ends_with_its_paragraph(tmp_path: Path) -> None:
    text = "# P\n\nPumps wear.\n\nExercise 1.2 Show that they do:\n\n```\nrun()\n```\n\nSeals wear too. As exercise 3 shows, they do."
    document = loaded(tmp_path, text)
    assert asked(document) == ["Show that they do:\n\n```\nrun()\n```"]
    assert taught(document).endswith("Seals wear too. As exercise 3 shows, they do.")


@pytest.mark.parametrize(
    "answer",
    [
        "\n   **Answer:** a seal",
        "\n\n   *Answer*: a seal".replace("*", ""),
        " (Answer: a seal)",
        "\n\n   Solution: a seal",
    ],
)
def test_an_answer_below_its_question_is_none_of_its_words(tmp_path: Path, answer: str) -> None:
    document = loaded(tmp_path, f"# P\n\n## Self-test\n\n1. What keeps water in?{answer}\n2. Why?")
    assert document.exercises[0].text == "What keeps water in?"
    assert document.exercises[0].solution == "a seal"


def test_lines_that_are_headings_in_all_but_style_open_questions_and_answers(tmp_path: Path) -> None:
    text = "# P\n\nPumps wear.\n\n**Exercises**\n\n1. Why?\n2. How?\n\nMore about pumps.\n\nAnswers:\n\n1. Heat.\n2. Slowly."
    document = loaded(tmp_path, text)
    assert keys(document) == ["Heat.", "Slowly."]
    assert taught(document) == "Pumps wear.\n\nMore about pumps."


@pytest.mark.parametrize(
    "answers",
    [
        "1. b\n3. a",
        "1. b 3. a",
        "1-b, 3-a",
        "| Question | Answer |\n| --- | --- |\n| 1 | b |\n| 3 | a |",
        "1. What moves water?\n   Answer: b\n3. What is worn out?\n   Answer: a",
    ],
)
def test_answers_may_be_few_and_in_many_forms(tmp_path: Path, answers: str) -> None:
    questions = "1. What moves water?\n   a) a seal\n   b) a pump\n2. Why?\n3. What is worn out?\n   a) a seal\n   b) sand"
    document = loaded(tmp_path, f"# P\n\n## Exercises\n\n{questions}\n\n## Answer Key\n\n{answers}")
    assert keys(document) == ["b", "", "a"]
    assert not document.sections


def test_numbers_go_on_over_headings_and_so_do_their_answers(tmp_path: Path) -> None:
    text = (
        "# P\n\n## Review Questions\n\n1. Why?\n2. How?\n\n## Discussion Questions\n\n3. When?\n4. Where?\n\n"
        "## Answers\n\n1. a1\n2. a2\n3. a3\n4. a4"
    )
    assert keys(loaded(tmp_path, text)) == ["a1", "a2", "a3", "a4"]


def test_each_list_has_the_answers_that_name_it(tmp_path: Path) -> None:
    text = (
        "# P\n\n## Review Questions\n\n1. Why?\n2. How?\n\n## Problems\n\n1. When?\n2. Where?\n\n"
        "## Answers\n\n### Problems\n\n1. now\n2. here\n\n### Review Questions\n\n1. heat\n2. slowly"
    )
    assert keys(loaded(tmp_path, text)) == ["heat", "slowly", "now", "here"]


def course(folder: Path, **pages: str) -> dict[str, LoadedDocument]:
    return with_answers({name: loaded(folder, text, name=f"{name}.md") for name, text in pages.items()})


def test_the_back_of_the_book_has_the_answers_of_each_chapter(tmp_path: Path) -> None:
    pages = course(
        tmp_path,
        ch01="# Pumps\n\nA pump.\n\n## Exercises\n\n1. Why?\n2. How?",
        ch02="# Seals\n\nA seal.\n\n## Exercises\n\n1. When?\n2. Where?",
        answers="# Answers\n\n## Chapter 2\n\n1. now\n2. here\n\n## Chapter 1\n\n1. heat\n2. slowly",
    )
    assert keys(pages["ch01"]) == ["heat", "slowly"]
    assert keys(pages["ch02"]) == ["now", "here"]
    assert pages["answers"].sections == ()


def test_answers_by_the_chapters_name_and_by_numbers_that_are_one_of_a_kind(tmp_path: Path) -> None:
    pages = course(
        tmp_path,
        pumps="# Pumps\n\n## Exercises\n\n1. Why?\n2. How?",
        seals="# Seals\n\n## Exercises\n\n1. When?\n2. Where?",
        rings="# Rings\n\n**Exercise 3.1** Which?\n\n**Exercise 3.2** Who?",
        back="# Solutions\n\n## Seals\n\n1. now\n2. here\n\n## All rings\n\nExercise 3.2. me\n\nExercise 3.1. this",
    )
    assert keys(pages["pumps"]) == ["", ""]
    assert keys(pages["seals"]) == ["now", "here"]
    assert keys(pages["rings"]) == ["this", "me"]


def test_a_page_called_solution_answers_the_exercise_of_its_folder(tmp_path: Path) -> None:
    documents = {
        "a/exercise": loaded(tmp_path, "# Exercise: Pumps\n\nWrite a pump.", name="exercise.md"),
        "a/solution": loaded(tmp_path, "# Solution\n\n```\npump()\n```", name="solution.md"),
    }
    pages = with_answers(documents)
    assert keys(pages["a/exercise"]) == ["```\npump()\n```"]
    assert pages["a/solution"].sections == ()


def test_a_chapter_called_solutions_is_taught(tmp_path: Path) -> None:
    text = "# Solutions\n\nA solution is a mixture.\n\n## Saline solutions\n\n1. Salt.\n2. Water.\n\n## Exercises\n\n1. What is salt?\n2. Why?"
    document = loaded(tmp_path, text)
    assert len(document.exercises) == 2
    assert "1. Salt." in taught(document)


def test_an_answer_without_a_question_has_one_line(tmp_path: Path) -> None:
    document = loaded(
        tmp_path, "# P\n\n## Exercises\n\n1. Why?\n2. How?\n\n## Answers\n\n1. heat\n2. slowly\n7. never"
    )
    assert [each.trouble for each in document.exercises] == [
        "",
        "",
        "there is an answer to 7 and no question",
    ]


def test_a_key_that_names_no_choice_has_one_line(tmp_path: Path) -> None:
    text = "# P\n\n## Exercises\n\n1. Which?\n   a) one\n   b) two\n\n2. Why?\n\n## Answers\n\n1. D\n2. Heat."
    one, two = loaded(tmp_path, text).exercises
    assert "choices end at B" in one.trouble
    assert two.solution == "Heat."


LANGUAGES = {
    "zh": ("第3章 练习题", "1. 水泵是什么？\n2. 说明其原因。", "参考答案"),
    "hi": ("अभ्यास प्रश्न", "1. पंप क्या है?\n2. कारण बताइए।", "उत्तर"),
    "es": ("Preguntas de repaso", "1. ¿Qué es una bomba?\n2. Explica por qué.", "Respuestas"),
    "ar": ("أسئلة الفصل", "1. ما هي المضخة؟\n2. اشرح السبب.", "الإجابات"),
    "fr": ("Questions de révision", "1. Qu'est-ce qu'une pompe ?\n2. Expliquez pourquoi.", "Réponses"),
    "bn": ("অনুশীলনী", "1. পাম্প কী?\n2. কারণ কী?", "উত্তর"),
    "pt": ("Exercícios", "1. O que é uma bomba?\n2. Explique o motivo.", "Gabarito"),
    "ru": ("Вопросы для самопроверки", "1. Что такое насос?\n2. Объясните причину.", "Ответы"),
    "ur": ("مشقی سوالات", "1. پمپ کیا ہے؟\n2. وجہ کیا ہے؟", "جوابات"),
    "de": ("Übungsaufgaben zu Kapitel 3", "1. Was ist eine Pumpe?\n2. Erkläre den Grund.", "Lösungen"),
    "ja": ("練習問題", "1. ポンプとは何か。\n2. 理由を説明せよ。", "解答"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_ask_in_the_languages_of_the_table(tmp_path: Path, language: str) -> None:
    asks, items, answers = LANGUAGES[language]
    document = loaded(tmp_path, f"# X\n\nY.\n\n## {asks}\n\n{items}\n\n## {answers}\n\n1. a1\n2. a2")
    assert keys(document) == ["a1", "a2"]


@pytest.mark.parametrize(
    "heading", ["Problem solving", "The problem", "Data types", "Question marks in URLs", "Introduction"]
)
def test_headings_that_only_hold_such_a_word_say_nothing_for_sure(heading: str) -> None:
    assert not title_of(heading).is_sure


def test_word_documents_without_heading_styles_or_with_lettered_lists_are_read(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Pumps", 1)
    document.add_paragraph("A pump moves water.")
    document.add_paragraph().add_run("Review Questions").bold = True
    for line in ("1. What moves water?", "A. a seal", "B. a pump", "2. Why do seals wear?"):
        document.add_paragraph(line)
    document.add_paragraph().add_run("Answers").bold = True
    for line in ("1. B", "2. They rub."):
        document.add_paragraph(line)
    document.save(str(tmp_path / "a.docx"))
    found = load_document(tmp_path / "a.docx")
    assert keys(found) == ["b", "They rub."]
    assert taught(found) == "A pump moves water."


def test_five_thousand_questions_and_answers_take_time_in_proportion(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        questions = "\n".join(f"{n}. What is {n}?" for n in range(1, count + 1))
        answers = "\n".join(f"{n}. It is {n}." for n in range(1, count + 1))
        many = "\n\n".join(
            f"## Chapter {part}\n\n### Exercises\n\n{questions}\n\n### Answers\n\n{answers}"
            for part in range(1, 6)
        )
        started = time.process_time()
        document = loaded(tmp_path, f"# P\n\n{many}")
        assert len(document.exercises) == 5 * count
        assert all(isinstance(each, Exercise) and each.solution for each in document.exercises)
        return time.process_time() - started

    def restarting(count: int) -> float:
        started = time.process_time()
        loaded(
            tmp_path,
            "# P\n\n## Exercises\n\n"
            + "1. Why?\n2. How?\n1) What?\n\n" * count
            + "## Answers\n\n"
            + "1. a\n" * count,
        )
        return time.process_time() - started

    restarting(10)
    assert restarting(2000) < 40 * max(restarting(200), 0.02)
    assert seconds(900) < 40 * max(seconds(90), 0.02)
