"""How often a test that is marked `scaled` or `soak` tries: a little in `make test`, much more in `make soak`.

`SOAK=1` is the whole of it; `SOAK=0.1` a tenth, to see that it works.
"""

import os

SOAK = float(os.environ.get("SOAK") or 0)


def times(few: int, many: int) -> int:
    """So many inputs or faults here: few without SOAK, else SOAK's share of many, never fewer than few."""
    return max(few, round(many * SOAK))
