#!/bin/sh
# Such a file into an empty database: restore.sh FILE.
set -eu
exec tutor import "$1"
