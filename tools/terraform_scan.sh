#!/usr/bin/env bash
# Looks for insecure settings in infra/terraform with checkov, which has an environment of its own in .cache/checkov:
# it pins versions of libraries that the program uses in others. The first run installs it (280 MB, half a minute).
set -euo pipefail
cd "$(dirname "$0")/.."
version=3.3.30
home=.cache/checkov

if [ "$(cat "$home/version" 2>/dev/null)" != "$version" ]; then
  rm -rf "$home"
  "$(tools/find_python.sh)" -m venv "$home"
  "$home/bin/python" -m pip install --quiet --disable-pip-version-check "checkov==$version"
  echo "$version" >"$home/version"
fi
"$home/bin/checkov" --directory infra/terraform --framework terraform --compact --quiet --skip-download "$@"
