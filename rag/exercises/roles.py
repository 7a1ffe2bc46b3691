"""What a box is for by what it is called: it asks, it answers, or it helps.

The names are those of the formats; the titles are the words that authors put over such boxes in the largest languages.
"""

import re
from typing import Literal

Role = Literal["asks", "answers", "helps"]

_NAMES: dict[Role, frozenset[str]] = {
    "asks": frozenset(
        "exercise challenge problem question quiz task activity practice try-it tryit your-turn discussion "
        "homework assignment exr".split()
    ),
    "answers": frozenset("solution solutions answer answers sol".split()),
    "helps": frozenset("hint hints".split()),
}
_WORDS: dict[Role, frozenset[str]] = {
    "asks": frozenset(
        "exercise exercises challenge problem question quiz task activity practice homework assignment "
        "übung übungen aufgabe aufgaben frage exercice exercices défi problème question ejercicio ejercicios reto pregunta "
        "problema exercício exercícios desafio tarefa questão esercizio esercizi domanda compito oefening opgave vraag "
        "задача упражнение вопрос задание zadanie ćwiczenie pytanie 練習 練習問題 問題 演習 练习 习题 問題 问题 思考题 연습 문제 과제".split()
    ),
    "answers": frozenset(
        "solution solutions answer answers lösung lösungen antwort antworten réponse réponses corrigé correction solución "
        "soluciones respuesta respuestas solução soluções resposta respostas soluzione soluzioni risposta risposte oplossing "
        "antwoord решение ответ ответы rozwiązanie odpowiedź 解答 答え 回答 解説 答案 参考答案 해답 정답 답".split()
    ),
    "helps": frozenset(
        "hint hints tipp hinweis indice indices pista pistas dica dicas suggerimento aanwijzing подсказка wskazówka ヒント 提示 힌트".split()
    ),
}
_MOST_WORDS = 6  # of a title that only says what is below it: 'Click here for the solution'
_WORD = re.compile(r"[^\W\d_]+")
_LABEL = re.compile(r"\W*([^\W\d_]+)[ \t]*#?(?:\d[\w.]*|[A-Z\d](?![^\W_]))?[ \t]*(?:\Z|[:.(–—-]|\*\*)")


def role_of_name(name: str) -> Role | None:
    """What the name of a box, or one of its classes, says."""
    if name.startswith("admonition-"):  # made of its title
        return role_of_label(name.removeprefix("admonition-").replace("-", " "))
    name = name.removeprefix("callout-")
    return next((role for role, names in _NAMES.items() if name in names), None)


def role_of_label(title: str) -> Role | None:
    """What a heading says that is nothing but a label: 'Exercise 3: …', 'Solution to exercise 3', not 'Assignment operators'."""
    words = [word.casefold() for word in _WORD.findall(title)]
    if not words:
        return None
    first = next((role for role, known in _WORDS.items() if words[0] in known), None)
    if first == "answers" and any(word in _WORDS["asks"] for word in words[1:]):
        return first
    return first if _LABEL.match(title) else None


def role_of_title(title: str) -> Role | None:
    """What the title over a box says, which may say it in more words: 'Show the answer', 'Lösungsvorschlag zu Aufgabe 2'."""
    words = [word.casefold() for word in _WORD.findall(title)]
    if len(words) <= _MOST_WORDS:
        if any(word in _WORDS["helps"] for word in words):
            return "helps"
        if any(word in _WORDS["answers"] for word in words):
            return "answers"
    return role_of_label(title)


def is_bare(title: str) -> bool:
    """Whether a title says nothing but what kind of box it is over."""
    words = _WORD.findall(title)
    return not words or (len(words) <= 2 and role_of_title(title) is not None)
