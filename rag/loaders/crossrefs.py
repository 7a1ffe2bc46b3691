r"""References such as ``[\[link\]](#fig-1)`` that a publisher would have numbered.

In parentheses they go, together with the parentheses. In a sentence ("as [..] shows") the kind of
thing they point to takes their place, or the sentence would not read.
"""

import re

# The attributes are kramdown's; a bold letter after the reference names a panel of the figure.
_REF = r"\[\\?\[[^\[\]\n]*\]\]\([^()\s]*#[^()\s]*\)(?:\{:[^{}\n]*\})?(?:\*\*[a-z, –-]{1,8}\*\*)?"
_REFS = re.compile(rf"{_REF}(?:[ \t]*(?:[,;&]|and|or)?[ \t]*{_REF})*")
_OPENS = ("(", "(see", "(See")
_KINDS = (("(#fig", "figure"), ("#fig-", "figure"), ("(#tab", "table"), ("#tab-", "table"))
_LEADS = re.compile(
    r"[(*]*(?:in|to|from|by|on|with|at|of|using|see|as|and|like|than|both|through|following)\Z", re.IGNORECASE
)


def drop_cross_references(text: str) -> str:
    if "[\\[" not in text and "[[" not in text:
        return text
    parts: list[str] = []
    at = 0
    for refs in _REFS.finditer(text):
        before, at = text[at : refs.start()], refs.end()
        bare = before.rstrip(" \t")
        if bare.endswith(_OPENS) and text.startswith(")", at):
            parts.append(bare[: bare.rindex("(")].rstrip(" \t"))
            at += 1
        else:
            parts.append(_continued(before, target=refs[0], after=text[at : at + 2].strip()))
    return "".join([*parts, text[at:]])


def _continued(before: str, *, target: str, after: str) -> str:
    """The text up to the reference, with words for it where the sentence needs some."""
    bare = before.rstrip()
    kind = next((name for mark, name in _KINDS if mark in target), None)
    if not bare or bare[-1] in ".?!:>" or "\n" in before[len(bare) :]:
        # A sentence goes on in lower case; otherwise the reference is only a label before it.
        return f"{before}The {kind}" if kind and after.islower() else before
    if kind and (bare[-1] == "(" or _LEADS.match(bare[-40:].split()[-1])):
        return f"{before}the {kind}"
    return bare
