#!/usr/bin/env bash
# Prints the command of a Python that is new enough and can make virtual environments.
# PYTHON=... names one; otherwise the usual names are tried in turn.
set -euo pipefail

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
makes_environments='import ensurepip, venv'
seen=""

for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3 python}; do
  command -v "$candidate" >/dev/null 2>&1 || continue
  version=$("$candidate" -c 'import platform; print(platform.python_version())' 2>/dev/null) || continue
  seen="$seen $candidate ($version)"
  "$candidate" -c "$new_enough" 2>/dev/null || continue
  if ! "$candidate" -c "$makes_environments" 2>/dev/null; then
    seen="$seen without the venv module"
    continue
  fi
  echo "$candidate"
  exit 0
done

{
  echo "NeuralKG needs Python 3.11 or newer with the venv module."
  echo "Found:${seen:- none}."
  echo "Install it (on Debian and Ubuntu: apt-get install python3 python3-venv) or name one:"
  echo "  make setup PYTHON=/path/to/python3.11"
} >&2
exit 1
