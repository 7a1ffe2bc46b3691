#!/bin/sh
# The workers of one machine. PORT, WORKERS and HOST may be given.
set -eu
exec tutor serve --host "${HOST:-0.0.0.0}" --port "${PORT:-8000}" --workers "${WORKERS:-2}"
