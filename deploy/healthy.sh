#!/bin/sh
# Whether this machine's workers may be sent people: its database answers.
set -eu
exec python -c "import sys, urllib.request as u; sys.exit(u.urlopen('http://127.0.0.1:${PORT:-8000}/readyz', timeout=5).status != 200)"
