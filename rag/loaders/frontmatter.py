"""The YAML block that may open a Markdown file."""

import re

_BLOCK = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"\s*[\w-]+[ \t]*:(?:\s|\Z)")
# What most files hold; YAML itself costs a hundred times as much.
_SIMPLE_LINE = re.compile(
    r"""([\w-]+):[ \t]+(?:"([^"\\]*)"|'([^']*)'|([^\s"'\[\]{}&*!|>%@`#,?:-][^:#\n]*))[ \t]*"""
)


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Part the front matter from the text; a block that is no mapping is ordinary text."""
    block = _BLOCK.match(text)
    if block is None or not _KEY.match(block[1] or ""):
        return {}, text
    values = _simple(block[1])
    if values is None:
        values = _from_yaml(block[1])
    return values, text[block.end() :]


def _simple(block: str) -> dict[str, str] | None:
    matches = [_SIMPLE_LINE.fullmatch(line) for line in block.splitlines() if line]
    if not all(matches):
        return None
    return {match[1]: _value(match) for match in matches if match}


def _value(match: re.Match[str]) -> str:
    return next((value for value in match.groups()[1:] if value is not None), "").strip()


def _from_yaml(block: str) -> dict[str, str]:
    import yaml  # few files need it

    try:
        # BaseLoader makes every scalar a string, so a title of "2024" or "Yes" stays as written.
        loaded = yaml.load(block, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return _salvage(block)
    if not isinstance(loaded, dict):
        return _salvage(block)
    return {str(key): _flat(value) for key, value in loaded.items() if not isinstance(value, dict)}


def _flat(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(item for item in value if isinstance(item, str))
    return str(value or "").strip()


def _salvage(block: str) -> dict[str, str]:
    """Broken YAML still names the title on a line of its own more often than not."""
    pairs = (line.partition(":") for line in block.splitlines() if _KEY.match(line))
    return {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
