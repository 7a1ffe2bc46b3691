#!/bin/sh
# Once before the workers: the schema, and the first course where there is none.
set -eu
exec tutor courses
