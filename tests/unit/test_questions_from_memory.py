"""Every text has a fair quiz: what nothing sharper can be asked of is said from memory, and marked by the learner."""

import pytest

from agents.quiz.marking import code_grade
from agents.quiz.offline import comparison
from agents.teaching.questions.hints import hint
from agents.teaching.questions.writing import candidates, write_items
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import passage

TUTORIAL = """So far every program of ours has used one file. When a project grows, code should be split over several files.

You can keep the details of an implementation away from other code, so that nobody depends on them by accident.

Next, we create a new package with two files in it:

```bash
cargo new restaurant --lib
```

```rust
let mut count = 0; // starts the count at zero
count += 1; // adds one guest to the count
println!("{count}");
let table = Table::new();
```

The compiler reads the root of the crate first, because that is where all paths begin."""
SECTION = Concept(
    name="Packages and Crates",
    definition="",
    kind="section",
    chapter_id="module/chapter",
    chunk_id="chunk-1",
    position=0,
)


def quiz(text: str = TUTORIAL, *, count: int = 4, told: str = "") -> list[QuizQuestion]:
    return write_items(
        [passage(text)],
        concepts=[SECTION],
        count=count,
        topic=[SECTION.name],
        focus=[SECTION.name],
        told=told,
    )


def asked(name: str) -> list[QuizQuestion]:
    found = candidates([passage(TUTORIAL)], concepts=[SECTION], topic=[SECTION.name])
    return [each.item for each in found if each.item.written_as == name]


def test_a_tutorial_without_a_single_definition_has_a_quiz_of_three() -> None:
    assert len(quiz()) >= 3


def test_nobody_is_asked_what_the_course_says() -> None:
    assert not [item for item in quiz(count=10) if "course say" in item.question_text]


def test_what_was_told_is_asked_first_and_the_rest_only_to_make_a_quiz() -> None:
    told = TUTORIAL.split("\n\n")[1]
    of_told = {item.source_context for item in quiz(told) + quiz(told, count=10)}
    asked_about = [item.source_context for item in quiz(told=f"{told} [1]")]
    first = [context in of_told for context in asked_about]
    # What was told first; only where it gives too little for a quiz, what stands beside it.
    assert first == sorted(first, reverse=True)
    assert first.count(False) <= max(0, 3 - first.count(True))


def test_a_line_of_code_is_found_by_its_authors_note() -> None:
    items = {item.question_text: item for item in asked("code")}
    [question] = [item for text, item in items.items() if "adds one guest" in text]
    assert question.expected_answer == "count += 1;"
    assert "//" not in "".join(question.options)
    assert code_grade(question, "count += 1;").is_correct


def test_what_a_block_of_code_does_is_compared_with_the_line_that_announces_it() -> None:
    [question] = asked("purpose")
    assert "cargo new restaurant --lib" in question.question_text
    assert question.source_context.startswith("Next, we create a new package")


def test_what_is_said_from_memory_is_never_marked_by_code_unless_nothing_was_said() -> None:
    [question, *_] = asked("recall")
    assert not code_grade(question, question.expected_answer).confident
    assert not code_grade(question, "something else").confident
    assert code_grade(question, "I don't know").confident
    shown = comparison(question).splitlines()
    assert all(f"> {line}" in shown for line in question.source_context.splitlines() if line)


def test_hints_show_more_and_more_of_the_beginning_but_never_all() -> None:
    [question, *_] = asked("finish")
    hints = [hint(question, number=number) for number in (1, 2, 3)]
    assert len(set(hints)) == 3
    assert all(question.source_context not in each for each in hints)


def test_what_a_notebook_prints_is_asked_with_its_code() -> None:
    text = "Strings have a length.\n\n```python\nlen('four')\n```\n\n```\n4\n```"
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    [question] = [each.item for each in found if each.item.written_as == "output"]
    assert question.question_text.startswith("What does this code print?")
    assert question.expected_answer == "4"
    assert code_grade(question, "4").is_correct
    assert not code_grade(question, "5").is_correct
    assert code_grade(question, "5").confident


def printed(text: str) -> list[QuizQuestion]:
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    return [each.item for each in found if each.item.written_as == "output"]


def test_code_that_needs_an_earlier_block_is_asked_about_with_it() -> None:
    [question] = printed("```python\nL = [2, 3]\n```\n\nIts length:\n\n```python\nlen(L)\n```\n\n```\n2\n```")
    assert "L = [2, 3]" in question.question_text


@pytest.mark.parametrize(
    "code",
    [
        "python\nprint(next(I))",  # what is I?
        "python\nimport random\nprint(random.random())",
        "text\nstart | middle | end",
        "rust\nlet x = 5;",  # a piece of a program
    ],
)
def test_what_code_prints_is_not_asked_where_the_code_alone_does_not_decide_it(code: str) -> None:
    assert printed(f"```{code}\n```\n\n```\n2\n```") == []


def test_hints_to_what_is_printed_give_more_and_more_but_never_all() -> None:
    [question] = printed("```python\nprint(1, 11, 13)\n```\n\n```\n1 11 13\n```")
    hints = [hint(question, number=number) for number in (1, 2, 3, 4)]
    assert len(set(hints)) == 3
    assert not any("1 11 13" in each for each in hints)


def lines_by_note(code: str) -> dict[str, str]:
    found = candidates([passage(f"```rust\n{code}\n```")], concepts=[SECTION], topic=[SECTION.name])
    return {
        each.item.question_text: each.item.expected_answer for each in found if each.item.written_as == "code"
    }


def test_a_note_of_several_lines_is_one_note() -> None:
    asked_about = lines_by_note(
        "let door = 1;  // opens with what was made\n               // for just one\nlet key = 2;\nlet house = 3;"
    )
    [(text, line)] = asked_about.items()
    assert "made for just one" in text
    assert line == "let door = 1;"


def test_a_note_above_may_be_about_all_that_follows() -> None:
    assert lines_by_note("// set up what the guests need\nlet door = 1;\nlet key = 2;\nlet house = 3;") == {}


def test_a_note_with_a_word_that_only_its_line_has_gives_it_away() -> None:
    assert lines_by_note("let door = 1;  // makes the first door\nlet key = 2;\nlet house = 3;") == {}


def test_what_an_interpreter_replies_is_no_line_of_code() -> None:
    code = ">>> word[0]  # what comes first of all\n'P'\n>>> word[5]\n'n'\n>>> word\n'Python'"
    [question] = [
        each.item
        for each in candidates([passage(f"```python\n{code}\n```")], concepts=[SECTION], topic=[SECTION.name])
        if each.item.written_as == "code"
    ]
    assert sorted(question.options) == [">>> word", ">>> word[0]", ">>> word[5]"]


def test_a_note_that_points_at_another_line_is_not_asked_about() -> None:
    code = "let (a, b) = pair;\n// This does the same as above\nlet a = pair.0;\nlet b = pair.1;"
    assert lines_by_note(code) == {}


def section(name: str, *, kind: str = "section", chunk: str = "chunk-1") -> Concept:
    return Concept(
        name=name, definition="", kind=kind, chapter_id="module/chapter", chunk_id=chunk, position=0
    )


def of(
    text: str, concept: Concept, name: str, *, headings: tuple[str, ...] = ("Chapter",)
) -> list[QuizQuestion]:
    found = candidates([passage(text, headings=headings)], concepts=[concept], topic=[concept.name])
    return [each.item for each in found if each.item.written_as == name]


RC = """`Rc` is a reference-counted shared pointer to data on the heap. Use this when many places refer to the same data. Here is an example:

```rust
let a = Rc::new(10);
```

- See `Arc` and `Mutex` if there are several threads in your program.
- `Rc::clone` is cheap, because it only copies the pointer and counts it."""


def test_a_paragraph_loses_only_the_sentence_that_announces_an_example() -> None:
    [question, *_] = of(RC, section("Rc"), "recall")
    assert question.expected_answer.startswith("`Rc` is a reference-counted shared pointer")
    assert "example" not in question.expected_answer
    assert all(of(RC, section("Rc"), name) for name in ("recall", "purpose"))


def test_code_is_compared_with_what_is_said_of_it_and_not_with_its_announcement() -> None:
    [question] = of(RC, section("Rc"), "purpose")
    assert "reference-counted" in question.expected_answer
    chained = (
        "The data is large. As before, we'll chain `shuffle` and `select` to draw a random sample of three:"
    )
    [question] = of(f"{chained}\n\n```python\nsample(3)\n```", section("Sample"), "purpose")
    assert "random sample" in question.expected_answer
    drawing = "Each pointer goes to the same data in memory:\n\n```text\na --> data <-- b\n```"
    assert of(drawing, section("Rc"), "purpose") == []


def test_what_is_only_mentioned_is_not_asked_about() -> None:
    text = "The chromatids coil more tightly with the help of condensin, and can then be seen in a light microscope."
    assert of(text, section("condensin", kind="term"), "recall") == []


def test_a_list_is_compared_with_its_own_items_each_on_a_line() -> None:
    text = (
        "- **Encoders** are models that read all of a text at once to understand it.\n"
        "- **Decoders** are models that write a text one word after the other.\n"
        "- **Encoders** work well for finding the names in a text."
    )
    [question, *_] = of(text, section("Encoders", kind="term"), "recall")
    assert len(question.expected_answer.splitlines()) == 2
    assert "write" not in question.expected_answer


def test_a_bare_heading_is_not_asked_about_as_if_it_were_a_thing() -> None:
    text = "Water moves from where there is much of it to where there is little, through a membrane with small holes."
    [question] = of(text, section("Mechanism"), "recall", headings=("Osmosis", "Mechanism"))
    assert "what is" not in question.question_text
    assert "under “Osmosis”" in question.question_text


def test_several_things_are_asked_about_in_the_plural() -> None:
    text = "Tokenizers are programs that cut a text into pieces, which a model then reads as numbers."
    [question] = of(text, section("Tokenizers"), "recall")
    assert "what are “Tokenizers”" in question.question_text


def test_a_stressed_small_word_is_no_gap() -> None:
    text = "Das Verb steht im Nebensatz **nach** dem Subjekt und allen anderen Gliedern des Satzes."
    assert of(text, section("Nebensatz"), "cloze") == []


def test_a_sentence_is_not_left_open_before_a_date() -> None:
    text = "Wallace travelled to Brazil to collect insects in the rain forest from 1848 to 1852 and to Asia later."
    assert of(text, section("Wallace"), "finish") == []


def test_what_is_told_of_something_shown_is_asked_last() -> None:
    told = "{} is a part of the robot that moves with the others when the motors turn and stays where it is when they stop."
    shown = "Here the model found that the arm is one part, the hand another, and the base a third, which carries all of them."
    text = "\n\n".join([*(told.format(name) for name in ("An arm", "A hand", "A base")), shown])
    cues = [item.question_text for item in of(text, section("Robot"), "point")]
    assert len(cues) == 3
    assert not any("Here the model" in cue for cue in cues)


def test_what_a_thing_is_stands_where_its_section_begins() -> None:
    concept = Concept(
        name="Primary keys",
        definition="",
        kind="heading",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=0,
    )
    began = "A primary key constraint marks the column that tells the rows of a table from each other. It is never empty."
    caption = "**Kinds of keys**"
    goes_on = "Primary keys are useful for programs too. Whoever changes a row in a form has to find it again by something."
    headings = ("Constraints", "Primary keys")
    found = candidates(
        [
            passage(f"{began}\n\n{caption}", headings=headings),
            passage(goes_on, number=2, headings=headings),
        ],
        concepts=[concept],
        topic=[concept.name],
    )
    keys = [
        each.item.expected_answer
        for each in found
        if each.item.question_text.startswith("Close the text: what")
    ]
    assert keys == [began]


def test_a_warning_in_bold_is_no_term() -> None:
    text = "**Important warning:** The default value is evaluated once only, when the function is defined, and shared by all calls."
    assert not [item for item in quiz(text, count=10) if "warning" in item.question_text.split("”")[0]]


def test_what_code_does_is_compared_with_what_is_said_after_it_too() -> None:
    text = (
        "Often the number of readings in each city is asked for, as in this query:\n\n"
        "```sql\nSELECT city, count(*) FROM weather GROUP BY city;\n```\n\n"
        "This gives one row of output for every city. Each number is computed over the rows that match that city.\n\n"
        "```sql\nSELECT city FROM weather;\n```\n\n"
        "Whoever wants to know more may read the chapter on queries, which has all the rest of it."
    )
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    keys = [each.item.expected_answer for each in found if "GROUP BY" in each.item.question_text]
    assert keys
    assert all("one row of output for every city" in key for key in keys)
    others = [each.item.expected_answer for each in found if "SELECT city FROM" in each.item.question_text]
    assert not any("Whoever" in key for key in others)


def test_a_heading_is_compared_with_the_paragraph_that_has_its_words() -> None:
    concept = Concept(
        name="Cutting a disk into volumes",
        definition="",
        kind="heading",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=0,
    )
    scene = (
        "Whoever buys a machine hardly thinks of the day on which there will be no room left on it for more."
    )
    point = "A disk is cut into volumes, and a volume can be made larger later, as long as the group has room left."
    found = candidates(
        [passage(f"{scene}\n\n{point}", headings=("Chapter", concept.name))],
        concepts=[concept],
        topic=[concept.name],
    )
    keys = [each.item.expected_answer for each in found if f"“{concept.name}”" in each.item.question_text]
    assert keys
    assert all(key.startswith("A disk is cut") for key in keys)


def test_what_stood_in_a_key_is_not_asked_while_there_is_something_else() -> None:
    first = (
        "A crate is read from its root file when the compiler follows every path from there to the file that it names. "
        "Modules which the root file does not mention are left out of the program until somebody adds a line for them. "
        "Packages hold one or more crates together with the file which says how all of them are to be built."
    )
    second = (
        "Names in a module are private to their author until a mark opens them for callers that need what was promised. "
        "Opening a module leaves everything inside it closed until each single item has a mark of its own in front. "
        "Callers who were content with the promised part never notice when the closed part is written anew."
    )
    items = quiz(f"{first}\n\n{second}", count=3)
    told = [item.source_context for item in items]
    assert len(told) == 3
    assert not any(later in earlier for at, earlier in enumerate(told) for later in told[at + 1 :])


def test_two_spellings_of_one_name_are_no_choice() -> None:
    text = (
        "The missing values of a long column are shown as `NaN` wherever they stand in it.\n\n"
        "Both `Series` and `DataFrame` hold them, some write `Nan`, and `Index` names the rows of each."
    )
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    names = [each.item for each in found if each.item.written_as == "name_in_code"]
    assert names
    assert all(len({option.lower() for option in item.options}) == len(item.options) for item in names)
