#!/usr/bin/env bash
# Makes the archive of the program that the functions are built from: tools/terraform_source.sh FILE.zip [COMMIT]
# It holds what is committed, less what no function runs. The same commit gives the same bytes, so nothing is deployed
# anew for it.
set -euo pipefail
out=${1:?usage: tools/terraform_source.sh FILE.zip [COMMIT]}
commit=${2:-HEAD}
case $out in
  *.zip) ;;
  *) echo "$out must end in .zip" >&2; exit 2 ;;
esac
mkdir -p "$(dirname "$out")"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The platform installs what this file says; it would add a functions framework of its own choice if none were named.
printf '%s\n' '--constraint requirements/ci.txt' functions-framework '.[gcp,s3]' >"$scratch/requirements.txt"

git archive --format=zip --add-file="$scratch/requirements.txt" -o "$out" "$commit" -- \
  LICENSE README.md pyproject.toml requirements finder_index functions infra/stages.json plugins shared
echo "$out: $(wc -c <"$out") bytes of commit $(git rev-parse --short "$commit")" >&2
