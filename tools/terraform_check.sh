#!/usr/bin/env bash
# Checks infra/terraform: its format, every argument against the google provider's schema, and the tests of its logic.
# With --registry the real provider is downloaded; otherwise the carried schema stands in for it.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v terraform >/dev/null 2>&1; then
  echo 'Terraform is not here. The files of infra/terraform need 1.11 or newer to be checked:' >&2
  echo 'https://developer.hashicorp.com/terraform/install' >&2
  exit 1
fi
version=$(terraform version -json | sed -n 's/.*"terraform_version": *"\([0-9.]*\).*/\1/p')
if [ "$(printf '%s\n1.11.0\n' "$version" | sort -V | head -n 1)" != 1.11.0 ]; then
  echo "Terraform $version is too old: infra/terraform needs 1.11 or newer" >&2
  exit 1
fi
export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1

terraform fmt -check -diff -recursive infra/terraform

with=(.venv/bin/python -m tools.terraform_offline)
[ "${1:-}" = --registry ] && with=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for folder in environments/dev environments/prod modules/environment; do
  echo "-- $folder"
  # What init leaves goes elsewhere: a checkout that is set up for a real environment stays as it is.
  export TF_DATA_DIR="$scratch/${folder//\//-}"
  mkdir -p "$TF_DATA_DIR"
  "${with[@]}" terraform -chdir="infra/terraform/$folder" init -backend=false -input=false -no-color >"$scratch/init" || { cat "$scratch/init"; exit 1; }
  "${with[@]}" terraform -chdir="infra/terraform/$folder" validate -no-color
  "${with[@]}" terraform -chdir="infra/terraform/$folder" test -no-color
done
