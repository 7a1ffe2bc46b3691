"""Formulas: equal or not, whatever the order of their letters; chemical ones by their atoms."""

import time

import pytest

from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.chemistry import is_chemical
from agents.teaching.grading.formulas import is_formula


def formula(answer: str, key: str) -> Grade:
    return grade_answer(answer, question="Write it.", references=[key], kind="formula")


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("U=RI", "U = R I"), ("R = U/I", "U = RI"), ("R*I", "U = RI"), ("U = RI", "RI"), ("u=r*i", "U = RI"), ("V = RT", "v = Rt"),
        (r"$U = R \cdot I$", "U = RI"), ("p^2/(2m)", "½p²/m"), ("1/2 k x^2", r"\frac{1}{2}kx^2"), ("v^2 = 2as", "v = √(2as)"),
        ("sqrt(2 a s)", r"\sqrt{2as}"), ("1 - sin²θ", r"\cos^2\theta"), ("c = f lambda", "c = λf"), ("s0 + v0 t", "s_0 + v_0 t"),
        ("(a-b)(a+b)", "a² - b²"), ("exp(-k t)", "e^{-kt}"), ("work = force * distance", "force = work / distance"),
        ("the law is U = RI", "U = RI"), ("y = 2 + 3x", "y = 3x + 2"), ("x = (y - 2)/3", "y = 3x + 2"), ("y - 3x = 2", "y = 3x + 2"), ("T = 2π√(l/g)", r"T = 2\pi\sqrt{\frac{l}{g}}"),
    ],
)  # fmt: skip
def test_a_formula_is_right_however_it_is_rearranged(answer: str, key: str) -> None:
    grade = formula(answer, key)
    assert (grade.is_correct, grade.confident) == (True, True)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("U = R/I", "U = RI"),
        ("U = R + I", "U = RI"),
        ("kx²", "½kx²"),
        ("v = 2as", "v = √(2as)"),
        ("P = RI", "U = RI"),
        ("y = 3x - 2", "y = 3x + 2"),
        ("x = (y + 2)/3", "y = 3x + 2"),
        ("a² + b²", "a² - b²"),
    ],
)
def test_another_formula_is_surely_wrong(answer: str, key: str) -> None:
    grade = formula(answer, key)
    assert (grade.is_correct, grade.confident) == (False, True)


@pytest.mark.parametrize(
    "answer", ["voltage is resistance times current", "something with U", "U = ", "∫ R dI"]
)
def test_what_is_no_formula_is_left_to_others(answer: str) -> None:
    assert not formula(answer, "U = RI").confident


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("H3PO4", "H₃PO₄"), ("PO4^3-", "PO₄³⁻"), ("PO43-", "PO_4^(3−)"), ("Fe3+", "Fe^3+"), ("Ca(OH)2", "Ca(OH)_2"),
        ("N2 + 3 H2 -> 2 NH3", "N_2(g)+3H_2(g)⟶2NH_3(g)"), ("3H2 + N2 = 2NH3", "N₂ + 3H₂ → 2NH₃"),
        ("1/2 N2 + 3/2 H2 → NH3", "N₂ + 3H₂ → 2NH₃"), ("Cu2+ + 2e- -> Cu", "Cu^2+ + 2e^− ⟶ Cu"),
        (r"$\ce{N2 + 3H2 -> 2NH3}$", "N2 + 3H2 → 2NH3"), ("MgSO4 * 7 H2O", "MgSO4·7H2O"),
    ],
)  # fmt: skip
def test_a_chemical_formula_has_the_same_atoms_in_the_same_proportions(answer: str, key: str) -> None:
    grade = formula(answer, key)
    assert (grade.is_correct, grade.confident) == (True, True)


def test_what_is_wrong_with_a_chemical_equation_is_told() -> None:
    assert "balanced" in formula("N2 + H2 -> NH3", "N2 + 3H2 → 2NH3").reason
    assert "charge" in formula("PO4", "PO4^3-").reason
    assert not formula("CO", "CO2").is_correct
    assert not formula("Co2", "CO2").is_correct


@pytest.mark.parametrize("key", ["H2O", "NaCl", "NH4+", "C6H12O6", "2H2 + O2 → 2H2O"])
def test_chemical_keys_are_known_as_such(key: str) -> None:
    assert is_chemical(key)


@pytest.mark.parametrize(
    "key", ["No", "In", "DNA", "V2", "42", "B12", "U = RI", "CaCO3 dissolves", "yes", "x^2"]
)
def test_other_keys_are_not(key: str) -> None:
    assert not is_chemical(key)


def test_words_are_no_formulas() -> None:
    assert [key for key in ("Yes", "DNA", "and/or", "N/A", "less than", "3:1", "C") if is_formula(key)] == []
    assert all(map(is_formula, ("F = ma", "2πr", "x^2 + 1", r"E = \frac{1}{2}mv^2")))


@pytest.mark.parametrize(
    "answer",
    ["(" * 900, "9^9^9^9^9", "x" * 3000, "sin" * 300, r"\frac{1}{" * 60, "a" + "/b" * 500, "-" * 900, "exp(exp(exp(exp(exp(9)))))",
     "__import__('os')", "().__class__ = x", "C" + "(" * 300 + "H" + ")99" * 300, "H9999999", "+".join(["H2"] * 300), "|" * 300],
)  # fmt: skip
@pytest.mark.parametrize("key", ["U = RI", "N2 + 3H2 → 2NH3"])
def test_no_formula_takes_long_or_runs_anything(answer: str, key: str) -> None:
    start = time.process_time()
    formula(answer, key)
    formula(key, answer)
    is_chemical(answer)
    is_formula(answer)
    assert time.process_time() - start < 1.0
